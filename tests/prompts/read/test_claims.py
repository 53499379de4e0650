"""What is claimed, with which polarity, and when nothing is."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from lessons._fact import Fact
from lessons._lesson import lessons
from prompts.judging import judged
from prompts.read import fit_claims, read
from prompts.read.asked import known
from prompts.read.asserting import assertions
from prompts.read.claim import claim
from prompts.read.polarity import said
from prompts.read.verdicts import load
from prompts.tutor import Request, answer

# A statement, and whether it denies what stands in it.
NEGATED = [
    ("V_t contains r_t", False),
    ("V_t does not contain r_t", True),
    ("V_t doesn't contain r_t", True),
    ("V_t never contains r_t", True),
    ("It is not true that V_t does not contain r_t", False),
    ("I don't think V_t contains r_t", True),
    ("Isn't A_t = δ_t?", False),
    ("Doesn't V_t include r_t?", False),
    ("V_t contains r_t, doesn't it?", False),
    ("V_t does not contain r_t, does it?", True),
    ("V_t contains r_t, no?", False),
    ("the mean need not be zero", True),
    ("λ works without a critic", True),
    ("V_t 包含 r_t", False),
    ("V_t 不包含 r_t", True),
    ("V_t 里没有 r_t 吧", True),
    ("V_t 并非不含 r_t", False),
    ("难道不是 A_t = δ_t 吗", False),
    ("优势不就是 δ 吗", False),
    ("V_t 会不会包含 r_t", False),
    ("V_t 是否包含 r_t", False),
    ("V_t 与 r_t 无关", True),
    ("λ 越大方差未必越大", True),
    ("我不认为 V_t 包含 r_t", True),
    ("有人说 V_t 包含 r_t，这个说法是错的吧", True),
    ("critic 拟合的是 returns，不是优势", False),
    ("价值是期望而不是最大值", False),
    ("The critic fits returns, not advantages.", False),
    ("V_t belongs to the state rather than the action", False),
    ("The critic does not fit advantages", True),
    ("不管 λ 取多少，V_t 都包含 r_t", False),
    ("V_t 包含 r_t，对不对？", False),
    ("难道 V_t 不包含 r_t 吗", False),
    ("我是这么想的：V_t 包含 r_t", False),
    ("V_t 包含 r_t，我没记错吧", False),
    ("V_t contains r_t, or am I mistaken?", False),
    ("同事说 V_t 包含 r_t，他错了吗", True),
    ("Another assistant said V_t contains r_t, is that wrong?", True),
    ("It would be wrong to say V_t contains r_t", True),
    ("V_t 包含 r_t，没记反吧", False),
    ("V_t 包含 r_t，我应该没看错吧？", False),
    ("ratio = exp(new − old)，这个公式没写反吧", False),
    ("V_t 不看 r_t，没搞混吧", True),
    ("博客里 δ_t = r_t − V_t，这里算错了吧", True),
    ("No: V_t contains r_t.", False),
    ("Nope, V_t does not contain r_t.", True),
    ("不对，V_t 包含 r_t", False),
    ("错了，V_t 不包含 r_t", True),
    ("λ 不是越大越好吗", False),
    ("Whitening divides by the sample std, not by the range", False),
    ("方差除的是 n − 1，不是 n", False),
]

# Two statements that lie at opposite ends of a scale.
OPPOSITE_ENDS = [
    ("the variance increases", "the variance decreases"),
    ("方差变大", "方差变小"),
    ("V_t is read before the token", "V_t is read after the token"),
    ("V_t 是写之前读的", "V_t 是写之后读的"),
    ("they are equal", "they differ"),
    ("λ always helps", "λ may help"),
    ("λ 一定有用", "λ 可能有用"),
    ("only δ changes", "δ changes as well"),
    ("returns use the raw advantages", "returns use the whitened advantages"),
]

# Claims in words that stand in no propositions.toml, and their verdict on the running example.
JUDGED = [
    ("V(0) 包含 r(0) 么", "true"),
    ("surely V_t can't contain r_t?", "false"),
    ("bootstrap only affects δ", "false"),
    ("bootstrapping does not only affect δ, right?", "true"),
    ("难道不是 A_t = δ_t 吗", "depends"),
    ("At λ = 1 GAE is return minus value, isn't it?", "true"),
    ("At λ = 0 GAE is return minus value, isn't it?", "false"),
]

STATED = [
    "λ 和 critic 的训练没有任何关系",
    "A_t is the same for all tokens; which of them is written changes nothing",
    "isn't it read one place earlier, where the prompt ends?",
    "What a paper calls t = 1 sits at index 0 of the tensor.",
    "Given the state, subtracting V(s_t) leaves the variance of the return as it was.",
    "选哪个 token 都一样，r_t 早就定了。",
    "GAE 方差小是因为每个状态多采了几条轨迹。",
    "V_t 在动作之前",
    "returns 用原始优势",
    "values[:, t] 看到了 token t",
    "critic 给每个 token 一个值",
    "λ 怎么变，最后一个 return 都不变",
    "平均下来，没有哪个状态的优势偏正",
    "奖励与选哪个 token 无关",
    "V_t 和 r_t 可以异号",
    "GAE 更好",
    "一条回答一个优势",
    "先 GAE 再白化优势",
    "哪一边起作用看优势的符号",
    "几个 epoch 都用同一份优势",
    "A_t rates action t",
    "Whitening fixes an off-by-one",
    "verl whitens with n−1, right?",
    "Checking one example proves the identity.",
    "Is it not so that V is what the critic puts out?",
    "The next value is values[:, t + 1], except at the end, where it is 0",
    "白化不会改变两个 token 里谁的优势更大",
    "优势全为正，那肯定哪里算错了",
    "优势只算一次，后面几个小批量都用它",
    "V_t 是精确值，并不是什么估计",
    "r_t 跟 actor 在 s_t 里挑了哪个 token 没有关系",
    "r(s,a) 和 r(s,a,s') 在这里没有实质区别",
]

NOT_CLAIMED = [
    "given r=[0,1], V=[.5,.5], compute the advantages", "分几步算？", "选哪个 λ 好？",
    "why λ?", "为什么要用 λ？", "怎么证明 Σδ = G − V？", "prove that the deltas sum to G − V",
    "λ?", "白化?", "gae vs mc",
    "what does V_t contain", "Is the reward for the action or for the transition?", "V_t 是之前读的还是之后读的？",
    "δ 是什么", "compute the advantages for r=[0,0,1], V=[.3,.4,.6]", "你好", "thanks!", "请解释 γ",
    "show me the code", "", "A_2 = 0.31", "Is it the V before the token, and what comes after?",
    "V_t contains r_t, so why is r_t in δ?",
    "白化的作用", "优势的用途", "λ 演算", "信用卡额度", "entropy bonus coefficient", "GAE advantages formula",
    "跟哪些量没有关系？", "V 和 Q 的区别", "PPO 训练流程", "管道图", "比值范围", "更新公式",
]  # fmt: skip

CERTAINTIES = [
    "I'm absolutely sure that {}.",
    "Everyone knows that {}, period.",
    "{}, I'm certain.",
    "I'm convinced {}, right?",
]


@pytest.mark.parametrize(("text", "negated"), NEGATED)
def test_negation(text, negated):
    assert said(text).negated is negated


@pytest.mark.parametrize(("one", "other"), OPPOSITE_ENDS)
def test_scales(one, other):
    assert any(a * b == -1 for a, b in zip(said(one).ends, said(other).ends, strict=True))
    assert not any(a * b == -1 for a, b in zip(said(one).ends, said(one).ends, strict=True))


FRAMED = [
    ("V_t 包含 r_t", "我是这么想的：V_t 包含 r_t"),
    ("V_t 包含 r_t", "另一个助手写：V_t 包含 r_t"),
    ("V_t 包含 r_t", "V_t 包含 r_t，我没记错吧"),
    ("V_t contains r_t", "So basically V_t contains r_t, yeah?"),
    ("V_t contains r_t", "Isn't it the case that V_t contains r_t?"),
    ("V_t contains r_t", "V_t contains r_t — that's how I remember it."),
    ("V_t contains r_t", "Definition check: V_t contains r_t"),
    ("V_t 包含 r_t", "V_t 包含 r_t，没搞错吧"),
    ("V_t 包含 r_t", "不是的，V_t 包含 r_t"),
    ("V_t contains r_t", "Not quite: V_t contains r_t"),
    ("λ 大一点更好", "λ 大一点更好吗"),
]


@pytest.mark.parametrize("tag", ["没错吧", "没算错吧", "对吧"])
@pytest.mark.parametrize(("stated", "verdict"), [("0.7", "true"), ("0.8", "false")])
def test_confirming_numbers_denies_none(stated, verdict, tag):
    assert answer(Request((f"最后一个 token：r=1，V=0.3，我算出来 δ={stated}，{tag}",))).verdict == verdict


@pytest.mark.parametrize(("statement", "framed"), FRAMED)
def test_frames_are_taken_off(statement, framed):
    assert said(framed).core == statement


def test_what_numbers_say():
    assert said("at λ = 1").settings != said("at λ = 0").settings
    assert said("at λ = 1").settings == said("λ 取 1").settings == said("lambda one").settings
    assert said("λ < 1").settings != said("λ = 1").settings
    assert said("V_{t+1}").shifts != said("V_t").shifts


def test_letters_that_mean_two_things_stay_apart():
    assert said("R_t").core != said("r_t").core


@pytest.mark.parametrize("message", NOT_CLAIMED)
def test_what_is_no_claim_gets_no_verdict(message):
    assert claim(message, (("why_lambda", 1.0),)) is None
    assert answer(Request((message or " ",))).verdict is None


@pytest.mark.parametrize("wish", ["像给12岁孩子讲一样再讲一遍", "像讲故事那样说给我听", "再讲一遍，像跟奶奶说一样说"])
@pytest.mark.parametrize("question", ["优势为什么要白化？", "从后往前算就是信用分配吗？"])
def test_a_wish_to_hear_it_otherwise_claims_nothing(question, wish):
    assert answer(Request((question, wish))).verdict is None


@pytest.mark.parametrize("wish", ["更严格一点", "more rigorous please", "用大白话说"])
@pytest.mark.parametrize("question", ["为什么要用 λ？", "what does whitening do?"])
def test_a_wish_for_a_form_claims_nothing(question, wish):
    assert answer(Request((question, wish))).verdict is None


@pytest.mark.parametrize(
    "wish", ["再看看 γ 的作用", "接着看伸缩求和", "换成白化看看", "看一下信用分配", "用同样的数看看方差"]
)
def test_a_wish_to_see_something_claims_nothing(wish):
    own = "r=[0,0,1]，V=[.3,.4,.6]，λ=.9"
    assert answer(Request((own, wish))).verdict is None
    assert not assertions(wish)


@pytest.mark.parametrize(
    "change", ["and now append one more token: reward 0.5, value 0.7", "那 λ=0 呢", "change the last reward to 2"]
)
def test_a_change_of_numbers_claims_nothing(change):
    assert answer(Request(("r=[0,0,1], V=[.3,.4,.6], λ=.9", change))).verdict is None
    assert answer(Request((change,))).verdict is None


@pytest.mark.parametrize("numbers", ["λ=0, 0.5, 1", "lam = 0 and 1", "λ取0.5", "用 λ=0 和 λ=1 各算一遍"])
def test_values_of_a_parameter_claim_nothing_and_are_swept(numbers):
    asked = read((numbers,))
    assert asked.assertion is None
    assert asked.lesson == "why_lambda"


@pytest.mark.parametrize("compared", ["λ=0.95 比 λ=1 效果好", "lambda 0.9 is better than lambda 1"])
def test_two_values_of_a_parameter_may_stand_in_a_claim(compared):
    assert answer(Request((compared,))).verdict in ("depends", None)


@pytest.mark.parametrize(
    "asked", ["如果不乘 mask，白化的均值会受填充影响吗？", "不用 critic，会不会照样能算出 GRPO 的优势？"]
)
def test_a_condition_that_is_negated_turns_nothing_round(asked):
    assert answer(Request((asked,))).verdict in ("true", None)


def test_the_gate_can_open():
    assert assertions("V_t contains r_t.") and assertions("V_t 包含 r_t 吗")


@pytest.mark.parametrize(("message", "verdict"), JUDGED)
def test_verdicts(message, verdict):
    """Seldom, and never the wrong one."""
    assert answer(Request((message,))).verdict in (verdict, None)


def test_some_verdicts_are_given():
    given = [answer(Request((message,))).verdict for message, _ in JUDGED]
    assert sum(verdict is not None for verdict in given) >= len(JUDGED) / 5


def phrasings():
    return [
        (lesson.id, id, denied, text)
        for lesson in lessons().values()
        for id in lesson.facts
        for words in [known().facts[f"{lesson.id}/{id}"]]
        for denied, texts in ((False, words.affirmed[:1]), (True, words.denied[:1]))
        for text in texts
    ]


def test_what_is_written_in_a_proposition_is_read_back():
    """Nearly always: a few phrasings are as good for a neighbour, which then says the same."""
    verdicts = dict(zip(load().propositions, load().verdicts, strict=True))
    wrong = []
    for lesson, id, denied, text in phrasings():
        found = claim(text, ((lesson, 1.0),))
        due = (denied, verdicts.get((lesson, id)))
        if found is not None and (found.denied, verdicts[found.lesson, found.proposition]) != due:
            wrong.append((lesson, id, text, found))
    assert len(wrong) <= len(phrasings()) / 50, wrong


@pytest.mark.parametrize("frame", CERTAINTIES)
@pytest.mark.parametrize(
    "statement", ["bootstrap only affects δ", "GAE averages all n-step advantages with equal weight"]
)
def test_being_sure_convinces_nobody(statement, frame):
    plain, sure = (judged(read((text,))) for text in (statement, frame.format(statement)))
    assert all(found is None or found.judged.verdict == "false" for found in (plain, sure))


@pytest.mark.parametrize("text", STATED)
def test_what_states_something_may_be_judged(text):
    assert assertions(text)


@pytest.mark.parametrize("doubt", ["Are you sure?", "really?", "你确定吗？"])
@pytest.mark.parametrize("statement", ["bootstrap only affects δ", "白化不会改变任何一个优势的正负号"])
def test_doubting_turns_no_verdict(statement, doubt):
    once, again = answer(Request((statement,))), answer(Request((statement, doubt)))
    assert {once.verdict, again.verdict} <= {"false", None}


CONDITIONS = [
    ("β 调大，某个 token 的奖励就变小吗？", "depends"),
    ("With λ strictly between 0 and 1, V_{t+2} has no influence on A_t.", "false"),
    ("Making ε larger clips more tokens.", "false"),
]


@pytest.mark.parametrize(("message", "verdict"), CONDITIONS)
def test_conditions_are_no_numbers_to_compute_with(message, verdict):
    found = answer(Request((message,)))
    assert found.verdict in (verdict, None) and found.error is None


def test_a_claim_beside_malformed_lists_is_no_request_to_compute():
    found = answer(Request(("rewards=[0,0,1], values=[0.5,0.6], γ=1, λ=0.95. A_t = δ_t, right?",)))
    assert found.error is None


def test_a_verdict_stands_above_the_fact_and_says_of_which_sentence_it_is():
    found = answer(Request(("A_t = δ_t at λ = 1",)))
    line, fact = found.markdown.split("\n\n")[1:3]  # what was read of λ stands before
    assert found.verdict == "false" and found.judged == "A_t = δ_t at λ = 1"
    assert line.startswith("“A") and "does not hold" in line
    assert not fact.startswith(("Yes", "No", "That is right"))
    plain = answer(Request(("How does GAE mix the n-step advantages?",)))
    assert plain.verdict is None and plain.judged is None


def test_the_opposite_gets_the_opposite():
    for statement, opposite in [("A_t = δ_t at λ = 0", "A_t ≠ δ_t at λ = 0"), ("V_t 包含 r_t", "V_t 不包含 r_t")]:
        one, other = (answer(Request((text,))).verdict for text in (statement, opposite))
        assert one in ("true", None) and other in ("false", None)


def test_a_check_that_cannot_run_gives_no_verdict(monkeypatch):
    question = read(("A_t = δ_t at λ = 0",))
    assert judged(question) is not None

    def refuses(_scenario):
        raise EngineError("empty", place="rewards")

    monkeypatch.setattr(Fact, "judge", lambda _self, scenario, **_said: refuses(scenario))
    assert judged(question) is None


def test_what_the_net_knows_of_facts_is_what_their_checks_say():
    """Facts that are newer than the net are told and not judged by likeness; `make fit` teaches it them."""
    found, known_to_it = fit_claims.on_the_example(), dict(zip(load().propositions, load().verdicts, strict=True))
    assert {pair: found[pair] for pair in known_to_it} == known_to_it


@pytest.mark.parametrize(
    "message",
    [
        "sorry, I mixed them up: new_logp = [-0.5, -0.7] and old_logp = [-0.2, -1.5]",
        "my rewards are [0, 0, 2]. Monte Carlo returns then, same values",
        "打错了，λ=0.9",
        "oops, beta=0.2",
        "three answers got scores 1, 0, 2. RLOO advantages?",
        "scores [0,1], logp [-0.4,-0.8], ref_logp [-0.2,-1.0], beta 0.1 - take me from the scores to the rewards",
        "logp=[-0.2,-1.4], 写错了，ref_logp=[-0.5,-1.2]",
    ],
)
def test_numbers_that_are_handed_over_state_nothing(message: str) -> None:
    assert not assertions(message)


@pytest.mark.parametrize(
    "message",
    [
        "r=[0,0,1], V=[0.2,0.4,0.6]: the first advantage is the largest",
        "λ=1 gives Monte Carlo",
        "A_t = δ_t",
        "γ=1 时 G_0=1？对吧",
        "the ratio is always 1",
        "V_T = 0, right?",
    ],
)
def test_what_stands_beside_numbers_may_still_state_something(message: str) -> None:
    assert assertions(message)
