"""What is so of whitening in one case and not in another: by the batch's mean and spread, its size, the project."""

from __future__ import annotations

from typing import Any

import torch

from engine import formulas, statistics
from engine.conventions import OPENRLHF, TEXTBOOK, TRL_LATER, VERL_NEW, Convention, Rollout, run
from engine.scenario import Scenario
from engine.statistics import WHITENING_EPSILON
from lessons._fact import Check, Judged, holds
from lessons._trials import HALF, ONE, judged, outcome, trial
from lessons.whitening.checks import SMALL
from lessons.whitening.further import MASK, ROWS, _short, _white

OWN = 0.2  # an advantage, beside lower ones and beside higher ones
LOW, HIGH = [OWN, -0.4, 0.0, -0.2], [OWN, 0.9, 0.6, 0.4]
GIVEN = [1.0, 2.0, 4.0]


def _first(advantages: list[float]) -> float:
    return _short(_white(advantages))[0]


def _found() -> dict[str, Any]:
    return {"own": OWN, "low": _first(LOW), "high": _first(HIGH), "low_mean": round(sum(LOW) / len(LOW), 4),
            "high_mean": round(sum(HIGH) / len(HIGH), 4)}  # fmt: skip


def _stays_positive(_: Scenario) -> Judged:
    return judged([_first(row) > 0 for row in (LOW, HIGH)], **_found())


def _below_turns(_: Scenario) -> Judged:
    """A positive advantage below the batch's mean."""
    return Judged(holds(_first(HIGH) < 0), _found())


def _zero_is_pushed_down(_: Scenario) -> Judged:
    rows = [[0.0, 1.0, 2.0], [0.0, -1.0, -2.0]]
    found = [_first(row) for row in rows]
    return judged([x < 0 for x in found], good=rows[0], bad=rows[1], down=found[0], up=found[1])


def _by_project(convention: Convention, given: list[float]) -> list[float]:
    rollout = Rollout(rewards=[given], values=[[0.0] * len(given)], mask=[[1] * len(given)])
    return _short(run(rollout, convention, gamma=0.0, lam=0.0).normalised[0])


def _variances() -> dict[str, Any]:
    return {"given": GIVEN, "verl": _by_project(VERL_NEW, GIVEN)[0], "openrlhf": _by_project(OPENRLHF, GIVEN)[0],
            "sample": _first(GIVEN)}  # fmt: skip


def _is_sample(_: Scenario) -> Judged:
    found = _variances()
    return judged([found[name] == found["sample"] for name in ("verl", "openrlhf")], **found)


def _is_sample_everywhere(_: Scenario) -> Judged:
    found = _variances()
    return Judged(holds(found["verl"] == found["openrlhf"] == found["sample"]), found)


def _minibatch_is_centred(_: Scenario) -> Judged:
    """The mean of a batch's first half: the halves whitened one by one, and the batch as a whole."""
    apart, whole = _short(_white(ROWS[0])), _short(_white(ROWS)[0])
    means = [round(sum(row) / len(row), 4) + 0.0 for row in (apart, whole)]
    return judged([mean == 0 for mean in means], rows=ROWS, apart=means[0], whole=means[1])


def _rewards_whitened(_: Scenario) -> Judged:
    """What enters GAE: the rewards divided by their deviation, as TRL's switch has it, and as they are."""
    given = [0.0, 0.0, 1.0]
    option = _short(statistics.whiten(given, [1] * 3, shift_mean=False))
    verl = _short(run(Rollout([given], [[0.0] * 3], [[1] * 3]), VERL_NEW, gamma=1.0, lam=1.0).rewards[0])
    return judged([row != given for row in (option, verl)], given=given, option=option, verl=verl)


def _padding(_: Scenario) -> Judged:
    """What stands behind the end of a response of three tokens when the projects are through."""
    rewards, values = (torch.tensor([row], dtype=torch.float64) for row in ([*GIVEN, 0.0], [0.0, 0.0, 0.0, 9.0]))
    rollout = Rollout(rewards, values, torch.tensor([MASK]))
    trl, verl = (_short(run(rollout, c, gamma=0.0, lam=0.0).normalised[0])[-1] for c in (TRL_LATER, VERL_NEW))
    return judged([x == 0 for x in (trl, verl)], trl=trl, verl=verl)


def _response_sum(_: Scenario) -> Judged:
    own, among = (round(sum(map(float, row)), 4) + 0.0 for row in (_white(ROWS[0]), _white(ROWS)[0]))
    return judged([total == 0 for total in (own, among)], rows=ROWS, own=own, among=among)


def _bessel(_: Scenario) -> Judged:
    """By how much the two deviations differ, for three tokens and for a thousand."""
    counts = [3, 1000]
    shares = []
    for count in counts:
        given, mask = [float(t % 7) for t in range(count)], [1] * count
        sample, whole = (float(statistics.masked_variance(given, mask, sample=kind)) for kind in (True, False))
        shares.append(round((sample / whole) ** 0.5 - 1, 5))
    return judged([share > 0.01 for share in shares], counts=counts, shares=shares)


def _epsilon(_: Scenario) -> Judged:
    """The largest of a few tiny advantages and of a few ordinary ones, with ε and without it."""
    ends = []
    for given in (SMALL, GIVEN):
        mean, variance = sum(given) / 3, float(statistics.masked_variance(given, [1] * 3))
        ends.append([round(formulas.whiten(given[-1], mean, variance, eps), 4) for eps in (0.0, WHITENING_EPSILON)])
    return judged([a != b for a, b in ends], small=SMALL[-1], tiny=ends[0], usual=ends[1])


def _mostly_negative(_: Scenario) -> Judged:
    rows = [[1, 1, 1, 9], [9, 9, 9, 1]]
    found = [_short(_white(row)) for row in rows]
    shares = [sum(x < 0 for x in row) for row in found]
    return judged([2 * n > len(row) for n, row in zip(shares, rows, strict=True)], high=rows[0], low=rows[1],
                  many=found[0], few=found[1])  # fmt: skip


def _gaps_grow(_: Scenario) -> Judged:
    near, far = [0.01, 0.02, 0.03], [10, 20, 30]
    before = [round(row[1] - row[0], 4) for row in (near, far)]
    after = [round(float(w[1] - w[0]), 4) for w in (_white(near), _white(far))]
    return judged([b > a for a, b in zip(before, after, strict=True)], before=before, after=after)


def _is_whitened(_: Scenario) -> Judged:
    """What the actor is given in verl, and where nothing is switched on."""
    verl, bare = _by_project(VERL_NEW, GIVEN), _by_project(TEXTBOOK, GIVEN)
    return judged([row != GIVEN for row in (verl, bare)], given=GIVEN, verl=verl, bare=bare)


def _reward_level(_: Scenario) -> Judged:
    """One more on the last reward only, and one more on each: γ = λ = 1, values kept."""
    values = [HALF, HALF / 2, ONE]
    own = trial(outcome(3), values).advantages
    raised = [trial(outcome(3, 2), values).advantages, trial([r + 1 for r in outcome(3)], values).advantages]
    before, last, each = (_short(_white([float(a) for a in row])) for row in (own, *raised))
    return judged([row != before for row in (each, last)], before=before, last=last, each=each)


def _above_one(_: Scenario) -> Judged:
    lone, even = _short(_white([1, 1, 1, 9]))[-1], _short(_white([0, 1]))[-1]
    return judged([x > 1 for x in (lone, even)], lone=lone, even=even)


def _bad_response(_: Scenario) -> Judged:
    """Two responses of which the first has the lower mean: whether all its tokens come out negative."""
    near, wide = [[1, 2], [4, 5]], [[1, 5], [4, 6]]
    found = [_short(_white(rows)[0]) for rows in (near, wide)]
    return judged([max(row) < 0 for row in found], near=found[0], wide=found[1])


TURNS_ON: dict[str, Check] = {
    "this_positive_advantage_stays_positive": _stays_positive,
    "positive_below_the_mean_turns_negative": _below_turns,
    "token_at_zero_is_pushed_down": _zero_is_pushed_down,
    "variance_is_the_samples": _is_sample,
    "variance_is_the_samples_in_every_project": _is_sample_everywhere,
    "each_minibatch_has_mean_zero": _minibatch_is_centred,
    "rewards_are_whitened": _rewards_whitened,
    "padding_is_zero_after_whitening": _padding,
    "response_sums_to_zero": _response_sum,
    "bessel_makes_a_difference": _bessel,
    "epsilon_makes_a_difference": _epsilon,
    "most_tokens_end_up_negative": _mostly_negative,
    "gaps_grow": _gaps_grow,
    "advantages_are_whitened": _is_whitened,
    "a_constant_on_the_rewards_changes_the_whitened": _reward_level,
    "whitened_advantage_is_above_one": _above_one,
    "bad_responses_tokens_all_come_out_negative": _bad_response,
}
