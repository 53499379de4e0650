"""Conversations as learners have them: shorter and other tellings, what comes next, ways in."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES, lessons
from prompts.answer import Answer
from prompts.tell.words import word
from prompts.tutor import Request, answer

OWN = "rewards=[0,0,1], values=[0.3,0.4,0.6], gamma=1, lam=0.95"
ASKED = {"zh": f"{OWN}，求优势", "en": f"{OWN}: advantages by GAE?"}
UNCLEAR = {"zh": "还是不懂", "en": "still not clear"}
REFUSES = ("nothing else", "我只讲")


def told(*messages: str) -> Answer:
    found = answer(Request(messages))
    assert found.error is None, found.error
    return found


@pytest.mark.parametrize("wish", ["another example", "other numbers", "换组数", "再举一个例子"])
def test_another_example_has_other_numbers(wish):
    first = told("what is GAE?", "give me an example").markdown
    assert told("what is GAE?", "give me an example", wish).markdown != first


@pytest.mark.parametrize("wish", ["太长了，一句话", "tl;dr", "简短点", "too long, one sentence"])
@pytest.mark.parametrize("id", ["value_includes_reward", "bootstrap", "surrogate", "whitening"])
def test_in_brief_only_the_opening_is_told(id, wish):
    lang = "zh" if "短" in wish or "长" in wish else "en"
    found = told(lessons()[id].question[lang], wish)
    opening = found.markdown.partition("###")[0].strip()
    assert found.lesson == id
    assert 0 < len(opening) < 420 and "\n" not in opening, opening


def test_in_brief_a_computation_keeps_its_numbers():
    found = told(ASKED["en"], "shorter").markdown
    assert "[0.651, 0.58, 0.4]" in found and "|" not in found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", ["value_includes_reward", "ppo_clip", "audit"])
def test_whoever_does_not_understand_is_told_otherwise_and_never_the_same(id, lang):
    messages, pages = [lessons()[id].question[lang]], []
    for _ in range(8):
        found = told(*messages)
        assert found.lesson == id
        pages.append(found.markdown.partition("###")[0] + found.form)
        if word(lang, "notes", "all_told") in found.markdown:
            break
        messages.append(UNCLEAR[lang])
    assert word(lang, "notes", "all_told") in found.markdown
    assert len({*pages}) == len(pages)
    assert len(found.followups) == 3 and not {*found.followups} & {*told(messages[0]).followups}


@pytest.mark.parametrize(("thanks", "lang"), [("谢谢老师", "zh"), ("thanks a lot!", "en")])
def test_thanks_are_answered_with_what_comes_next(thanks, lang):
    asked = lessons()["why_lambda"]
    found = told(asked.question[lang], thanks)
    assert found.lesson == "out_of_scope" and found.lang == lang
    assert found.followups[0] == lessons()[asked.next[0]].question[lang]
    assert not any(words in found.markdown for words in REFUSES)


@pytest.mark.parametrize(("wish", "lang"), [("next", "en"), ("继续", "zh"), ("下一个", "zh")])
def test_next_goes_on_to_the_first_question_and_never_back(wish, lang):
    messages, seen = [lessons()["why_lambda"].question[lang]], []
    for _ in range(5):
        found = told(*messages)
        seen.append(found.lesson)
        messages.append(wish)
    assert seen[:2] == ["why_lambda", lessons()["why_lambda"].next[0]]
    assert len({*seen}) == len(seen)


WAYS_IN = [
    *("hi", "你好", "help", "帮助", "what can you do", "你能做什么"),
    *("I'm new to RL, where do I start?", "从哪开始学"),
]


@pytest.mark.parametrize("message", WAYS_IN)
def test_a_newcomer_finds_a_way_in(message):
    found = told(message)
    assert not any(words in found.markdown for words in REFUSES)
    assert len(found.followups) == 3
    assert all(told(question).markdown != found.markdown for question in found.followups)


def test_what_lies_outside_is_still_said_to():
    assert "nothing else" in told("write me a poem about the sea").markdown
    assert "nothing else" in told("what is GAE?", "who won the match yesterday?").markdown


def test_a_word_or_two_of_english_changes_no_language():
    assert told("γ 是做什么的？", "next").lang == "zh"
    assert told("γ 是做什么的？", "ok").lang == "zh"


def test_numbers_in_a_story_are_no_request():
    """Lists that do not fit together are an error for who wants them computed, and for nobody else."""
    lists = "action_mask = [1, 1, 1, 0]\nrewards[j, :4][-1]"
    story = (
        "我在读别人的实现，有一点没有看懂：如果最后一个有效位置多数了一位，"
        f"奖励会不会落到 mask 以外的地方，从而没有任何 token 用得上它？\n{lists}"
    )
    told = answer(Request((story,)))
    assert (told.error, told.quantity, told.form) == (None, None, "plain")
    wanted = answer(Request(("rewards=[0, 0, 1], values=[.5, .6], γ=1: compute the advantages",)))
    assert wanted.error is not None


def test_the_surrogate_of_the_old_policy_alone_is_that_before_the_update():
    message = "old_log_probs=[-.2, -.4, -.1], advantages=[.3, -.1, .2]，代入代理目标，给出每一项"
    found = answer(Request((message,)))
    assert (found.error, found.quantity) == (None, "surrogate")
    assert found.facts["ratio"] == [1, 1, 1]
    assert found.facts["terms"] == pytest.approx([0.3, -0.1, 0.2])


def test_mangled_chinese_is_answered_in_chinese():
    asked = "为什么 PPO 里第一步的 ratio 恰好等于一？"
    mangled = asked.encode().decode("cp1252", "ignore")
    assert mangled != asked
    found, plain = answer(Request((mangled,))), answer(Request((asked,)))
    assert found.lang == "zh"
    assert found.lesson == plain.lesson


def test_what_is_judged_is_not_outside():
    for message in ("PPO is on-policy.", "λ=0 时优势就是 δ", "bootstrap 是不是自启动？"):
        found = answer(Request((message,)))
        assert found.verdict is None or found.lesson != "out_of_scope"
