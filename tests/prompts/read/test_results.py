"""Results that are stated beside the numbers they follow from: what is printed is judged true, one digit off false."""

from __future__ import annotations

import pytest

from engine import quantities
from engine.scenario import scenario
from prompts.read.beside import Beside, meaning
from prompts.read.results import statement
from prompts.tutor import Request, answer

GAE = {"rewards": [-0.01, 0.02, -0.03, 0.99], "values": [0.2, 0.35, 0.3, 0.6], "gamma": 0.97, "lam": 0.9}
KL = {"scores": [0, 0, 0, 1], "logp": [-0.5, -0.25, -0.75, -0.1], "ref_logp": [-0.4, -0.5, -0.6, -0.3], "beta": 0.1}
GIVEN = {
    "gae": GAE,
    "kl_rewards": KL,
    "kl_estimators": {"logp": KL["logp"], "ref_logp": KL["ref_logp"]},
    "whiten": {"advantages": [0.1, 0.32, 0.25, -0.1]},
    "reward_to_go": {"rewards": GAE["rewards"], "gamma": 0.9},
    "clip": {"ratio": [1.3, 0.7, 1.1, 0.9], "advantages": [0.5, -0.4, 1.2, 0.3], "eps": 0.2},
    "surrogate": {"new_logp": KL["logp"], "old_logp": KL["ref_logp"], "advantages": [0.5, -0.4, 1.2, 0.3]},
    "value_loss": {
        "vpreds": [0.5, 0.9, 0.4], "old_values": [0.4, 0.5, 0.45], "returns": [1, 0.95, 0.5], "cliprange_value": 0.2,
    },
    "rloo": {"group_rewards": [1, 0, 0.5, 0.25]},
}  # fmt: skip
LISTS = {
    "gae": {
        "deltas": ("TD errors", "deltas", "δ", "TD误差"),
        "advantages": ("GAE advantages", "A", "A_t", "优势"),
        "returns": ("returns", "R", "回报", "the critic targets"),
        "mc_returns": ("Monte Carlo returns", "G", "蒙特卡洛回报"),
        "mc_advantages": ("MC advantages", "G - V", "A^{MC}", "蒙特卡洛优势"),
    },
    "kl_rewards": {"rewards": ("rewards", "r", "token-level rewards", "奖励"), "kl": ("KL", "kld", "KL散度")},
    "kl_estimators": {"k1": ("k1",), "k2": ("k2",), "k3": ("k3",)},
    "whiten": {"whitened": ("whitened advantages", "白化后的优势", "normalized advantages")},
    "reward_to_go": {"mc_returns": ("discounted returns", "reward-to-go", "G", "折扣回报", "returns", "回报")},
    "surrogate": {"ratio": ("ratio", "importance ratios", "比率")},
    "rloo": {"baselines": ("leave-one-out baselines", "留一基线")},
}
NUMBERS = {
    "gae": {"delta_sum": ("the sum of the deltas", "Σδ") if GAE["gamma"] == 1 else ()},
    "whiten": {"mean": ("the mean", "均值"), "std_sample": ("the std", "样本标准差")},
    "clip": {"objective": ("the clipped objective", "裁剪目标"), "clipfrac": ("clipfrac", "裁剪比例")},
    "surrogate": {"surrogate": ("the surrogate", "代理目标")},
    "value_loss": {"vf_loss": ("vf_loss", "value loss", "价值损失")},
}
PHRASES = (
    "{name} = {x}.", "{name}: {x}", "{name} ≈ {x}", "{name} by token = {x}", "{name} are {x}", "{name} 是 {x}。",
    "{name} 算出来是 {x}", "这里 {name} 等于 {x}", "We get {name} = {x} here.", "This gives {name} {x}.",
)  # fmt: skip
DIGITS = 3


def computed(quantity: str) -> dict:
    return dict(quantities.facts(quantity, scenario(GIVEN[quantity])).numbers)


def printed(fact: list[float] | float) -> str:
    return f"[{', '.join(f'{x:.{DIGITS}f}' for x in fact)}]" if isinstance(fact, list) else f"{fact:.{DIGITS}f}"


def one_off(fact: list[float] | float) -> str:
    return printed([*fact[:-1], fact[-1] + 0.1] if isinstance(fact, list) else fact + 0.1)


def cases():
    for kind in (LISTS, NUMBERS):
        for quantity, facts in kind.items():
            for fact, names in facts.items():
                for name in names:
                    yield pytest.param(quantity, fact, name, id=f"{quantity}-{fact}-{name}")


@pytest.mark.parametrize(("quantity", "fact", "name"), list(cases()))
def test_what_is_printed_is_true_and_one_digit_off_is_false(quantity, fact, name):
    right = computed(quantity)[fact]
    for phrase in PHRASES:
        for x, verdict in ((printed(right), "true"), (one_off(right), "false")):
            message = phrase.format(name=name, x=x)
            found = answer(Request((message,), scenario=GIVEN[quantity]))
            assert (found.error, found.verdict) == (None, verdict), message
            assert found.facts[fact] == pytest.approx(right), message
            wrong = f"{fact}[{len(right) - 1}]" if isinstance(right, list) else fact
            assert [m["where"] for m in found.mistakes] == ([] if verdict == "true" else [wrong]), message


# ---------------------------------------------------------------- where the numbers stand


A = quantities.facts("gae", scenario(GAE)).numbers["advantages"]
D = quantities.facts("gae", scenario(GAE)).numbers["deltas"]


def shown(*xs: float) -> str:
    return ", ".join(f"{x:.3f}" for x in xs)


@pytest.mark.parametrize(
    ("message", "verdict", "wrong"),
    [
        (f"A_1..A_4 = [{shown(*A)}]", "true", []),
        (f"A_1, …, A_4 = {shown(*A)}", "true", []),
        (f"A_0 到 A_3 = [{shown(*A)}]", "true", []),
        (f"A_{{0:3}} = [{shown(*A)}]", "true", []),
        (f"A_1-A_4: [{shown(*A)}]", "true", []),
        (f"A_2,3,4 = {shown(*A[1:])}", "true", []),  # from one: the last is the fourth
        (f"A_1,2 = {shown(*A[1:3])}", "true", []),  # from zero, since that is right
        (f"A_1, A_2 = {shown(*A[:2])}", "true", []),  # from one, since that is right
        (f"A_0 = {shown(A[0])}, A_1 = {shown(A[0])}", "false", ["advantages[1]"]),
        (f"delta_3,4 = {shown(*D[2:])} and A_3,4 = {shown(*A[2:])}.", "true", []),
        (f"A_4 = 0.99 - 0.6 = {shown(A[3])}", "true", []),
        (f"A_4 = {shown(A[3] + 0.1)}", "false", ["advantages[3]"]),
        (f"A_7 = {shown(A[3])}", "false", ["advantages[7]"]),
        (f"advantages = [{shown(*A[:2])}, ...]", "true", []),
        (f"advantages = [{shown(A[0])}, ..., {shown(A[3])}]", "true", []),
        (f"advantages = [{shown(A[0])}, ..., {shown(A[3] + 1)}]", "false", ["advantages[3]"]),
        (f"The last delta is only {shown(D[3])}.", "true", []),
        (f"最后一个 δ 是 {shown(D[3] + 0.1)}", "false", ["deltas[3]"]),
        (f"GAE lam=.9: [{shown(*A)}].", "true", []),
        (f"GAE 算出来是 [{shown(*A)}]", "true", []),
        (f"这组奖励和价值给出 [{shown(*A)}]", "true", []),
        (f"returns = A + V by token = [{shown(*(a + v for a, v in zip(A, GAE['values'], strict=True)))}]", "true", []),
        (f"TD errors (gamma=.97) by token 是..！ = [{shown(*D)}]", "true", []),
        (f"advantages = [{shown(*A[:3])}]", "false", ["advantages"]),  # too short
    ],
)
def test_numbers_find_their_tokens(message, verdict, wrong):
    found = answer(Request((message,), scenario=GAE))
    assert (found.error, found.verdict) == (None, verdict)
    assert [m["where"] for m in found.mistakes] == wrong


def test_where_the_text_counts_from_one_the_page_says_so():
    from_one = answer(Request((f"A_1, A_2 = {shown(*A[:2])}",), scenario=GAE))
    from_zero = answer(Request((f"A_0, A_1 = {shown(*A[:2])}",), scenario=GAE))
    assert "count tokens from one" in from_one.markdown
    assert "count tokens from one" not in from_zero.markdown
    chinese = answer(Request((f"A_1, A_2 = {shown(*A[:2])}",), lang="zh", scenario=GAE))
    assert "从一数起" in chinese.markdown


# ---------------------------------------------------------------- inputs in the message itself


@pytest.mark.parametrize(
    ("message", "verdict", "fact"),
    [
        ("mean of [.1,.3,.2,-.1,.05] is .11.", "true", "mean"),
        ("[.1,.3,.2,-.1,.05] 的均值是 0.12", "false", "mean"),
        ("std of [.1,.3,.2,-.1,.05] is .15", "true", "std_sample"),
        ("std of [.1,.3,.2,-.1,.05] is .13", "false", "std_sample"),
        ("[1,2,4] whitens to [-.87,-.22,1.09]", "true", "whitened"),
        ("whitened [1,2,4] = [-.87,-.22,1.19]", "false", "whitened"),
        ("[1,2,4] 白化后是 [-0.87, -0.22, 1.09]", "true", "whitened"),
        ("returns from V=[.5,.6,.7] + A=[.1,.3,.2] = [.6,.9,.9].", "true", "returns"),
        ("rewards [0,0,1] with gamma .9 give returns [.81,.9,1]", "true", "mc_returns"),
        ("std of the advantages [1,2,4] = 1.53, right?", "true", "std_sample"),
        ("[1,2,4] 的标准差是 1.25 对吗？", "false", "std_sample"),
        ("r=[0,0,1], V=[.3,.4,.6], gamma 1: TD errors (one step) = [.1,.2,.5]", "false", "deltas"),
    ],
)
def test_numbers_of_the_message_itself_are_enough(message, verdict, fact):
    found = answer(Request((message,)))
    assert (found.error, found.verdict) == (None, verdict)
    assert fact in found.facts


def test_a_setting_of_the_message_counts_before_the_one_beside_it():
    found = answer(
        Request(
            ("lam=1 gives [.7,.6,.4] = A^MC.",), scenario={"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "lam": 0.95}
        )
    )
    assert (found.verdict, found.params["lam"]) == ("true", 1)


@pytest.mark.parametrize(
    "message",
    [
        "compute A_1..A_4",
        "set A to [1, 2, 3, 4] and whiten",
        "A = [1, 2, 3, 4], what are the returns?",
        "delta 是多少？",
    ],
)
def test_a_request_stays_a_request(message):
    assert answer(Request((message,), scenario=GAE)).verdict is None


def test_a_table_of_results_beside_its_inputs_is_checked():
    table = "| t | δ | A |\n|---|---|---|\n| 0 | 0.1 | 0.651 |\n| 1 | 0.2 | 0.58 |\n| 2 | 0.4 | 0.5 |"
    found = answer(Request((table,), scenario=THREE))
    assert (found.error, found.verdict) == (None, "false")
    assert [m["where"] for m in found.mistakes] == ["advantages[2]"]


def test_a_number_that_is_asked_about_is_no_list():
    assert answer(Request(("why is the first advantage 0.651?",), scenario=THREE)).verdict is None


def test_a_list_to_work_on_is_no_result():
    found = answer(Request(("whiten the advantages [1, 2, 4]",), scenario={"rewards": [0, 0, 1], "values": [0, 1, 2]}))
    assert (found.verdict, found.mistakes) == (None, ())


def test_a_message_of_nothing_but_results_is_not_worked_through():
    message = ", ".join(["A_1 = .5"] * 1500)
    assert statement(message, Beside(THREE)) is None
    assert statement("; ".join(["A_1 = .5"] * 30), Beside(THREE)) is not None


@pytest.mark.parametrize("message", ["delta_1 = .075.", "entropy = 2.34", "mean .0733"])
def test_without_inputs_there_is_no_verdict(message):
    assert answer(Request((message,))).verdict is None


THREE = {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1, "lam": 0.95}
POLICIES = {"old_log_probs": [-1, -2], "new_log_probs": [-0.9, -2.2], "advantages": [1, -1], "eps": 0.2}


@pytest.mark.parametrize(
    ("message", "own", "verdict"),
    [
        ("A_2 = .58, which is what GAE gives for the middle token", THREE, "true"),
        ("delta_t = r_t + gamma V_{t+1} - V_t = [.1,.2,.4]", THREE, "true"),
        ("δ₀ = 0 + 0.4 − 0.3 = 0.1", THREE, "true"),
        ("δ 依次为 0.1、0.2、0.4", THREE, "true"),
        ("第一个 token 的优势是 0.651", THREE, "true"),
        ("第2个token的优势是 0.58", THREE, "true"),
        ("第三个 token 的优势是 0.58", THREE, "false"),
        ("t=1 的 δ 是 0.2", THREE, "true"),
        ("the advantage of token 0 is 0.651", THREE, "true"),
        ("the first advantage is 0.65", THREE, "true"),
        ("the second token's advantage is .68", THREE, "false"),
        ("λ=0: [.1,.2,.4]; λ=1: [.7,.6,.4]", THREE, "true"),
        ("λ=0 时是 [.1,.2,.4]，λ=1 时是 [.7,.6,.5]", THREE, "false"),
        ("用 γ=0.9 的回报是 [0.81, 0.9, 1]", THREE, "true"),
        ("the returns with gamma=.9 are [.81,.9,1.1]", THREE, "false"),
        ("the sum of all deltas is 0.7", THREE, "true"),
        ("优势加起来是 1.631", THREE, "true"),
        ("ratio = exp(new - old) = [1.105, 0.819]", POLICIES, "true"),
        ("pi_old = .368, .135", POLICIES, "true"),
        ("π_new = .407, .112", POLICIES, "false"),
        ("advantages [.651,.58,.4]", THREE, "true"),
        ("请检查优势 [.651,.58,.5]", THREE, "false"),
        ("A_t for t=0,1,2 is 0.651, 0.58, 0.4", THREE, "true"),
        ("the λ-return at t=0 is 0.951", THREE, "true"),
        ("V_0 + A_0 = 0.951", THREE, "true"),
        ('{"deltas": [0.1, 0.2, 0.4], "advantages": [0.651, 0.58, 0.4]}', THREE, "true"),
        ("advantages: tensor([[0.6510, 0.5800, 0.4000]])", THREE, "true"),
        ("V_0 = 0.3", THREE, "true"),
        ("the last reward is 2", THREE, "false"),
        ("A = [0.651, 0.58, 0.4] after whitening", THREE, "false"),
        ("after whitening A = [0.83, 0.28, -1.11]", THREE, "true"),
        ("all Monte Carlo returns are 1", THREE, "true"),
        ("G = 1 everywhere", THREE, "true"),
        ("δ 都是 0.1", THREE, "false"),
        ("whitening turns them into [-0.87, -0.22, 1.09]", {"advantages": [1, 2, 4]}, "true"),
    ],
)
def test_many_ways_to_say_it(message, own, verdict):
    found = answer(Request((message,), scenario=own))
    assert (found.error, found.verdict, found.lesson) == (None, verdict, "audit")


@pytest.mark.parametrize(
    ("messages", "verdict"),
    [
        (("r=[0,0,1], V=[.3,.4,.6], γ=1, λ=.95", "so δ = [.1,.2,.4]"), "true"),
        (("r=[0,0,1], V=[.3,.4,.6], γ=1, λ=.95", "A_1..A_3 = [.651,.58,.5]"), "false"),
        (("奖励 0,0,1，价值 .3,.4,.6，γ=1，λ=.95，算优势", "那 δ_2 = 0.3 了"), "false"),
        (("r=[0,0,1], V=[.3,.4,.6], γ=1, λ=.95", "把奖励改成 [0,0,2]"), None),
    ],
)
def test_numbers_of_an_earlier_turn_are_beside_the_message(messages, verdict):
    assert answer(Request(messages)).verdict == verdict


# ---------------------------------------------------------------- names beside a message


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        ("old_log_probs", "old_logp"), ("log_probs", "logp"), ("ref", "ref_logp"), ("ref_log_prob", "ref_logp"),
        ("token_level_rewards", "rewards"), ("lambda_", "lam"), ("gae_lambda", "lam"), ("vf", "values"), ("λ", "lam"),
        ("vf_preds", "vpreds"), ("奖励", "rewards"), ("response_mask", "mask"), ("kl_coef", "beta"), ("r", "rewards"),
        ("unbiased_std", "std_sample"), ("gibberish", "gibberish"),
    ],
)  # fmt: skip
def test_aliases_beside_a_message(spelt, name):
    assert meaning(spelt) == name


def test_a_scenario_in_other_names_computes():
    own = {"token_level_rewards": [0, 0, 1], "V": [0.3, 0.4, 0.6], "gae_lambda": 0.95, "discount": 1}
    found = answer(Request(("what are the advantages?",), scenario=own))
    assert found.error is None
    assert found.facts["advantages"] == pytest.approx([0.651, 0.58, 0.4])
    pasted = answer(Request(("kld = [.03, ...]",), scenario={"old_log_probs": [-0.1, -0.2], "ref": [-0.13, -0.3]}))
    assert (pasted.verdict, pasted.facts["k1"]) == ("true", pytest.approx([0.03, 0.1]))


def test_kl_given_as_a_list_is_the_list():
    own = {"scores": [0, 1], "kl": [0.1, -0.2], "beta": 0.5}
    found = answer(Request(("rewards = [-0.05, 1.1]",), scenario=own))
    assert (found.verdict, found.params["kl_values"]) == ("true", (0.1, -0.2))


def test_a_name_that_nobody_knows_stays_an_error():
    found = answer(Request(("why λ?",), scenario={"rewards": [0, 1], "population_variant": [1, 2]}))
    assert found.error is not None and found.error["code"] == "unknown_field"


def test_a_parameter_that_was_not_stated_is_none():
    own = {"rewards": [0, 0, 1], "values": [0.5, 0.6, 0.8], "gamma": "not stated", "lam": "未给出"}
    found = answer(Request(("advantages = [0.44, 0.31, 0.27]",), scenario=own))
    assert found.verdict == "false"
    assert {m["cause"] for m in found.mistakes} == {"unreachable"}
