"""A pasted answer, sentence by sentence: the facts beside it, and what in it contradicts itself."""

import pytest

from engine.claims import Claim
from prompts.read.told_beside import opposed, told_beside, two_numbers
from prompts.tutor import Request, answer

ANSWERS = {
    "en": """Please check this answer. GAE runs backwards, from the last token to the first, as each advantage needs the
next one. The critic reads V_t before token t is written. After whitening the advantages have mean zero and standard
deviation one over the valid tokens of the batch. At lambda = 1 the GAE advantage {equals} the return minus the value.
The reference policy is only used for the KL penalty and never appears in the ratio. {again}
## Rewards and values
The table is as follows: I like tables, and this sentence is about nothing at all, really.""",
    "zh": """请看看这段回答。GAE 要从最后一个 token 往前算，因为每个优势都要用到后一个优势。
critic 的 V_t 是写第 t 个 token 之前的估值，这时还不知道会写哪个 token。
白化之后，一批里有效 token 的优势均值为零、标准差为一。
λ = 1 时 GAE 优势{equals}回报减价值。参考模型只用来算 KL 惩罚，不出现在比率里。
算 return 时用的是白化之前的优势，白化后的只给 actor 用。critic 要拟合的目标是 returns。{again}
在 verl 里，填充位由 response_mask 去掉，均值和方差只用有效 token 来算，所以填充不会影响白化的结果。
优势为正的 token 概率会被抬高，优势为负的会被压低，而比率超出裁剪区间之后就不再得到好处。
每一步更新之前都要重新采样，旧策略的对数概率也要重新算一遍。
学习率、批次大小和训练轮数按常用的设置就好，这里不再多说，具体数值可以在配置文件里看到，需要时再调整。
另外，日志里会记下每一步的得分、KL 和回答长度，训练时可以随时打开来看，出了问题也方便往回查。
第一次跑的时候建议先用小模型试一遍流程。模型的检查点每隔几百步存一次，磁盘要留够。""",
}
EQUALS = {"en": ("equals", "does not equal"), "zh": ("等于", "不等于")}
WHOLE = {
    "en": "At lambda = 1 the GAE advantage does not equal the return minus the value.",
    "zh": "λ = 1 时 GAE 优势不等于回报减价值。",
}


def _text(language, again=""):
    return ANSWERS[language].format(equals=EQUALS[language][0], again=again)


@pytest.mark.parametrize("language", ANSWERS)
def test_sentences_stand_beside_the_facts_that_they_are_about(language):
    found = told_beside(_text(language))
    facts = {one.fact.partition("/")[0] for one in found}
    assert len(found) >= 3 and {"whitening", "reference_policy"} <= facts
    assert not any("##" in one.sentence or "学习率" in one.sentence or "tables" in one.sentence for one in found)
    assert all(one.sentence in _text(language).replace("\n", " ") or language == "en" for one in found)
    assert not opposed(found)


@pytest.mark.parametrize("language", ANSWERS)
def test_what_is_said_and_denied_is_shown(language):
    message = _text(language, WHOLE[language])
    ((one, other),) = opposed(told_beside(message))
    assert one.states.id == other.states.id == "mc_vs_gae/lambda_one_is_monte_carlo"
    shown = next(x.text for x in answer(Request((message,))).closed if x.id == "sentences")
    assert shown.index(WHOLE[language].split("=")[1][:8]) < shown.index("- “", shown.index("\n- “") + 9)


def test_a_short_message_is_no_answer_of_somebody():
    assert told_beside("Does GAE run backwards? The critic reads V_t before token t is written.") == ()


def test_two_numbers_of_one_quantity_and_place():
    whole, again = Claim("advantages", [0.475, 0.385, None], 3), Claim("advantages", 0.395, 3, index=1)
    assert two_numbers([whole, again]) == (("advantages", 1, "0.385", "0.395"),)
    assert two_numbers([whole, Claim("advantages", 0.39, 2, index=1), Claim("deltas", 0.9, 1, index=1)]) == ()
    message = "Check: r = [0, 0, 1], V = [0.5, 0.6, 0.9], γ=1, λ=0.95. A_2 = 0.1, A_1 = 0.395, A = [0.475, 0.385, 0.1]"
    shown = next(x.text for x in answer(Request((message,))).closed if x.id == "sentences")
    assert "0.395" in shown and "0.385" in shown
