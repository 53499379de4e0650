"""What turns on β, λ or the critic where people ask of the pipeline's lists without saying which."""

from __future__ import annotations

from typing import Any

from engine import groups
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import alone, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, revalued, rewarded, trial
from lessons.token_pipeline.effects import BETA, pipeline, three

NO_BETA = 0.0
LEVEL = ("1/2", "1/2", "1/2")
OUTCOME = [0.0, 0.0, 1.0]


def _lifted(lam: Any) -> list[Any]:
    """By how much the advantages rise with one more point at the end."""
    own = trial(outcome(3), LEVEL, lam)
    return apart(rewarded(own, -1).advantages, own.advantages)


def _rewards() -> dict[str, Any]:
    return {"free": pipeline(beta=NO_BETA)["rewards"], "charged": pipeline()["rewards"]}


def _with_another_reference(name: str) -> list[list[Any]]:
    """The first of a list under the reference as it is and another, with KL in the reward and with none."""
    other = {"ref_logp": [x - 1 for x in RUNNING.rows("ref_logp")[0]], "kl_values": None}
    return [[pipeline(beta=beta, **changes)[name][0] for changes in ({}, other)] for beta in (RUNNING.beta, NO_BETA)]


def _same_numbers(_: Scenario) -> Judged:
    found, scores = _rewards(), RUNNING.rows("scores")[0]
    return judged([close(rewards, scores) for rewards in found.values()], none=NO_BETA, beta=RUNNING.beta, **found)


def _always_the_same(_: Scenario) -> Judged:
    found = _rewards()
    return judged(close(found["free"], found["charged"]), beta=RUNNING.beta, **found)


def _kl_in_advantages(_: Scenario) -> Judged:
    charged, free = _with_another_reference("advantages")
    found = {"charged": charged[0], "free": free[0]}
    return judged([a != b for a, b in (charged, free)], beta=RUNNING.beta, none=NO_BETA, **found)


def _first_is_lifted(_: Scenario) -> Judged:
    lams = [NONE, HALF, ONE]
    lifted = [_lifted(lam) for lam in lams]
    return judged([by[0] > 0 for by in lifted], lams=lams, first=[by[0] for by in lifted], last=lifted[0][-1])


def _fades(_: Scenario) -> Judged:
    fading, level = _lifted(HALF), _lifted(ONE)
    return judged([by[0] < by[-1] for by in (fading, level)], half=HALF, one=ONE, fading=fading, level=level)


def _above_the_values(_: Scenario) -> Judged:
    values = ["1/4", "1/2", "3/4"]
    good, bad = (trial(outcome(3, score), values) for score in (1, 0))
    cases = [all(r > v for r, v in zip(one.returns, one.values, strict=True)) for one in (good, bad)]
    return judged(cases, values=good.values, good=good.returns, bad=bad.returns)


def _right_is_positive(_: Scenario) -> Judged:
    doubted, overrated = (three(OUTCOME, values=[v] * 3)["advantages"] for v in (0.5, 1.5))
    return judged([min(a) > 0 for a in (doubted, overrated)], doubted=doubted, overrated=overrated)


def _wrong_is_negative(_: Scenario) -> Judged:
    trusted, feared = (three([0.0] * 3, values=[v] * 3)["advantages"] for v in (0.5, -0.5))
    return judged([max(a) < 0 for a in (trusted, feared)], trusted=trusted, feared=feared)


def _last_is_largest(_: Scenario) -> Judged:
    late, early = (three(OUTCOME, values=v)["advantages"] for v in ([0.25, 0.25, 0.25], [0.25, 0.75, 1.0]))
    return judged([max(a) == a[-1] for a in (late, early)], late=late, early=early)


def _beta_lowers(_: Scenario) -> Judged:
    twice = pipeline(beta=2 * float(BETA))["rewards"]
    found = pipeline()
    moved = apart(twice, found["rewards"])
    return judged([by < 0 for by in moved], kl=found["kl"], moved=moved)


def _reference(_: Scenario) -> Judged:
    charged, free = _with_another_reference("rewards")
    cases = [a != b for a, b in (charged, free)]
    return judged(cases, beta=RUNNING.beta, none=NO_BETA, charged=charged, free=free)


def _beta_and_values(_: Scenario) -> Judged:
    found, other = pipeline(), pipeline(beta=NO_BETA)
    return Judged(
        holds(found["rewards"] == other["rewards"] or found["values"] != other["values"]),
        {"rewards": found["rewards"], "other": other["rewards"], "values": found["values"]},
    )


def _whitened_returns(_: Scenario) -> Judged:
    wrong, right = (round(float(whitened(name)[0]), 6) for name in ("returns", "advantages"))
    return Judged(holds(wrong == right), {"wrong": wrong, "right": right})


def _one_for_all(_: Scenario) -> Judged:
    """GAE along a response, and what a response in a group is given."""
    told = pipeline()["advantages"]
    number = alone("grpo", group_rewards=[0, 0, 1])["advantages"][-1]
    row = [round(float(a), 6) for a in groups.share([number], [[1] * len(told)])[0]]
    return judged([len(set(told)) == 1, len(set(row)) == 1], gae=told, grpo=row)


def _spoils_earlier(_: Scenario) -> Judged:
    moved = []
    for lam in (HALF, ONE):
        own = trial(outcome(3), LEVEL, lam)
        moved.append(apart(revalued(own, 1).advantages, own.advantages))
    return judged([by[0] != 0 for by in moved], by=ONE, half=HALF, one=ONE, spread=moved[0], kept=moved[1])


def _beta_and_advantages(_: Scenario) -> Judged:
    found: dict[str, Any] = {}
    for name, way, kl in (("costs", "down", 0.25), ("gains", "up", -0.25)):
        given = {"scores": OUTCOME, "kl_values": [kl] * 3, "values": [0.5] * 3, "gamma": 1, "lam": 0.5}
        before, after = (alone("pipeline", **given, beta=beta)["advantages"][0] for beta in (0.5, 1.0))
        found |= {name: given["kl_values"], way: after - before}
    return judged([found[way] < 0 for way in ("down", "up")], **found)


def _below_the_values(scenario: Scenario) -> Judged:
    found = _above_the_values(scenario).found
    pairs = list(zip(found["bad"], found["values"], strict=True))
    return judged(all(r < v for r, v in pairs), **found)


def _kl_takes_the_reference(_: Scenario) -> Judged:
    (before, after), _free = _with_another_reference("rewards")
    return judged(before != after, beta=RUNNING.beta, before=before, after=after)


TURNS: dict[str, Check] = {
    "rewards_and_scores_hold_the_same_numbers": _same_numbers,
    "rewards_always_equal_the_scores": _always_the_same,
    "kl_bears_on_the_advantages": _kl_in_advantages,
    "a_higher_score_moves_the_first_advantage": _first_is_lifted,
    "the_score_fades_on_its_way_back": _fades,
    "returns_exceed_the_values": _above_the_values,
    "a_right_answer_has_positive_advantages": _right_is_positive,
    "a_wrong_answer_has_negative_advantages": _wrong_is_negative,
    "the_last_advantage_is_the_largest": _last_is_largest,
    "a_larger_beta_lowers_the_reward": _beta_lowers,
    "rewards_need_the_reference_model": _reference,
    "beta_changes_this_batchs_values": _beta_and_values,
    "advantages_are_whitened_returns": _whitened_returns,
    "all_tokens_have_the_same_advantage": _one_for_all,
    "one_wrong_value_spoils_earlier_advantages": _spoils_earlier,
    "a_larger_beta_lowers_the_advantages": _beta_and_advantages,
    "returns_can_fall_below_the_values": _below_the_values,
    "kl_in_the_reward_takes_the_reference": _kl_takes_the_reference,
}
