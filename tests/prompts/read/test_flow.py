"""Statements about what is computed from what: read as a whole, decided by tracing, told with what was moved."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES
from prompts.read.flow import Flowing, flowing
from prompts.read.relation import relation
from prompts.tell.flows import verdict
from prompts.tutor import Request, answer

VERDICTS = {
    "values are computed from returns": "false",
    "values aren't computed from returns": "true",
    "ref_log_prob 变了，优势不变": "depends",
    "token 奖励给定后，换参考模型不会改变优势": "true",
    "token 奖励给定后，换参考模型会改变优势": "false",
    "With rewards given, the advantages don't depend on ref_log_prob.": "true",
    "With rewards given, the advantages depend on ref_log_prob.": "false",
    "GAE needs the clip range.": "false",
    "GAE doesn't need the clip range.": "true",
    "returns 取决于 critic": "depends",
    "λ=1 时 returns 不取决于 critic": "true",
    "λ=1 时 returns 取决于 critic": "false",
    "The reference can affect the advantages.": "true",
    "The reference always affects the advantages.": "false",
    "vf_loss 用到 ref_log_prob": "false",
    "vf_loss 不用 ref_log_prob": "true",
    "advantages 是由 rewards 和 values 算出来的": "true",
    "Advantages can be computed without the new policy's log-probs.": "true",
    "没有 π_new 就算不出 advantages": "false",
    "The score enters every token's δ.": "false",
    "clip_ratio 影响策略损失": "true",
    "改 clip_ratio 会改变 returns": "false",
    "pg_loss depends on the ratio": "true",
    "token_level_rewards 不随 γ 变": "true",
    "Changing γ changes the returns.": "true",
    "每个 token 的优势都由打分直接算出，奖励并不参与": "false",
    "优势由 rewards 和 values 算出，clip_ratio 并不参与": "true",
    "compute_values 得等奖励模型的打分": "false",
    "算 values 不用等 token_level_rewards": "true",
    "values 要等 advantages 算出来之后才有": "false",
    "returns 要等 advantages 算出来之后才有": "true",
    "scores -> rewards -> advantages -> returns": "true",
    "scores -> advantages -> rewards -> returns": "false",
    "First the rewards, then the advantages, then the returns.": "true",
    "First the returns, then the rewards, then the advantages.": "false",
    "先有 rewards，再算 advantages": "true",
    "先算 advantages，再有 rewards": "false",
    "β=0 时，参考模型不影响 returns": "true",
    "β=0 时，参考模型影响 returns": "false",
    "参考模型会影响 returns": "depends",
    "With KL in the reward the reference affects the returns.": "true",
    "With KL in the reward the reference doesn't affect the returns.": "false",
    "vpreds 变了，advantages 也变": "false",
    "vpreds 变了，advantages 不变": "true",
    "vpreds 变了，vf_loss 也变": "true",
    "Changing the new policy's log-probs changes the advantages.": "false",
    "Changing the new policy's log-probs changes the policy loss.": "true",
    "In GRPO the advantages depend on the critic.": "false",
    "GRPO 的优势不取决于 critic": "true",
    "in GRPO the returns are values + advantages": "false",
    "GRPO's advantages depend on λ.": "false",
    "The Monte Carlo advantage depends on λ.": "false",
    "The Monte Carlo advantage needs later values.": "false",
    "MC 优势里没有后面的 V": "true",
    "r_0 改了，A_3 也变": "false",
    "r_0 改了，A_3 不变": "true",
    "vf_loss 里有 ratio": "false",
    "The value loss doesn't contain the ratio.": "true",
    "The policy loss reads the returns.": "false",
    "pg_loss 用到白化后的优势": "true",
    "the KL penalty needs the values": "false",
    "算 KL 惩罚用到 ref_log_prob": "true",
    "只有 values 就能算优势": "false",
    "Rewards and values are enough for the advantages, the rest is γ and λ.": "true",
    "优势只取决于 values": "false",
    "γ affects token_level_rewards": "false",
    "λ 不影响 token_level_scores": "true",
    "Advantages and returns both change when the rewards change.": "true",
    "ε 影响 vf_loss": "false",
    "ε does not affect the advantages": "true",
}
UNREAD = (
    "V_t contains r_t",
    "the advantages change more when the rewards change",
    "优势里哪一项最大",
    "rewards can be recovered from the deltas and the values",
    "r_t in the papers is the reward",
    "the response changes the world",
)


@pytest.mark.parametrize(("text", "due"), VERDICTS.items())
def test_a_statement_is_traced(text, due):
    stated = relation(text)
    assert stated is not None, text
    if isinstance(stated.relation, Flowing):
        assert verdict(stated.relation) == due
    assert answer(Request((text,))).verdict in (due, None)


@pytest.mark.parametrize("text", UNREAD)
def test_what_is_half_understood_is_left(text):
    assert flowing(text) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", list(VERDICTS))
def test_the_page_tells_what_was_moved(text, language):
    page = answer(Request((text,), lang=language)).markdown
    stated = relation(text)
    if stated is not None and isinstance(stated.relation, Flowing):
        assert (
            stated is None
            or ("重算" if language == "zh" else "run again") in page
            or not answer(Request((text,))).verdict
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_what_was_held(language):
    page = answer(Request(("you can get advantages from the values alone",), lang=language)).markdown
    assert ("按住 `values`" if language == "zh" else "with `values` held") in page


def test_clauses_go_on_from_the_one_before():
    subject = flowing("values are computed from the rewards, don't affect the returns")
    assert subject is not None and {pair.cause.name for pair in subject.traced} == {"rewards", "values"}
    stated = flowing("优势由 rewards 和 values 算出, clip_ratio 并不参与")
    assert stated is not None and len(stated.traced) == 3


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("changing the reference log-probs after the rewards are fixed still changes the advantages", "false"),
        ("changing the reference log-probs once the rewards are fixed does not change the advantages", "true"),
        ("with the values fixed, changing λ changes the deltas", "false"),
        ("with the deltas fixed, changing λ changes the advantages", "true"),
    ],
)
def test_what_is_held_may_be_said_anywhere(message: str, verdict: str) -> None:
    assert answer(Request((message,))).verdict in (verdict, None)


def test_what_nothing_moves_is_told_once() -> None:
    page = answer(Request(("values 得等 returns 算出来之后才有，是从 returns 反推出来的",))).markdown
    assert page.count("一次也没变过") == 1
