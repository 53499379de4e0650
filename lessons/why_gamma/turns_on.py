"""What is said of γ without the condition it turns on: its own size, the sign of what is to come, lengths, the goal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, Trial, apart, default, judged, outcome, rewarded, trial
from lessons._turns import always, either_way
from lessons.why_gamma.checks import MORE

SHORT, LONG = 3, 30
LOW = Fraction("0.9")
SIGNS = (("prize", 1), ("fine", -1))


def _row(rewards: Sequence[Fraction], gamma: Fraction = ONE) -> Trial:
    return trial(rewards, [0] * len(rewards), 1, gamma)


def _ends(gamma: Fraction) -> list[Fraction]:
    """What one more point counts in the first return, when it comes at once and when it comes last."""
    own = _row(outcome(SHORT, 0), gamma)
    return [rewarded(own, k).mc_returns[0] - own.mc_returns[0] for k in (0, -1)]


def _far_counts_less(_: Scenario) -> Judged:
    one, half = _ends(ONE), _ends(HALF)
    return judged([far < near for near, far in (one, half)], one=one, half=half, gamma=HALF)


def _early_hears_less(_: Scenario) -> Judged:
    one, half = (_row(outcome(SHORT), gamma).mc_returns for gamma in (ONE, HALF))
    return judged([g[0] < g[-1] for g in (one, half)], one=one, half=half, gamma=HALF)


def _prefers_short(_: Scenario) -> Judged:
    """Answers of two lengths that end with a prize; and with a fine."""
    found = {}
    for name, score in (("prize", 1), ("fine", -1)):
        found[name] = [_row(outcome(n, score), HALF).mc_returns[0] for n in (2, 4)]
    return judged([short > long for short, long in found.values()], gamma=HALF, **found)


def _one_return_for_all(_: Scenario) -> Judged:
    level, sloped = (_row(outcome(SHORT), gamma).mc_returns for gamma in (ONE, HALF))
    paid = _row([ONE] * SHORT).mc_returns
    return judged([len(set(g)) == 1 for g in (level, sloped, paid)], level=level, sloped=sloped, paid=paid, gamma=HALF)


def _plain_sum(_: Scenario) -> Judged:
    rewards = [ONE] * SHORT
    one, half = (_row(rewards, gamma).mc_returns[0] for gamma in (ONE, HALF))
    return judged([g == sum(rewards) for g in (one, half)], total=sum(rewards), one=one, half=half, gamma=HALF)


def _biased(_: Scenario) -> Judged:
    """Against the plain sum of rewards; and against what is discounted itself."""
    plain, own = (_row(outcome(SHORT), gamma).mc_returns[0] for gamma in (ONE, HALF))
    aims = {"plain": plain, "discounted": formulas.discounted(ONE, HALF, SHORT - 1)}
    return judged([own != aim for aim in aims.values()], gamma=HALF, own=own, **aims)


def _reorders(_: Scenario) -> Judged:
    """Two answers of one length; a short one that scores less and a long one that scores more."""
    same = [_row(outcome(SHORT, score), LOW).mc_returns[0] for score in (HALF, ONE)]
    other = [_row(outcome(n, score), LOW).mc_returns[0] for n, score in ((SHORT, HALF), (LONG, ONE))]
    found = {"same": [float(g) for g in same], "other": [round(float(g), 4) for g in other]}
    return judged([worse > better for worse, better in (same, other)], gamma=LOW, **found)


def _longer_returns_less(_: Scenario) -> Judged:
    one, low = ([_row(outcome(n), gamma).mc_returns[0] for n in (SHORT, LONG)] for gamma in (ONE, LOW))
    found = {"one": one, "low": [round(float(g), 4) for g in low]}
    return judged([long < short for short, long in (one, low)], short=SHORT, long=LONG, gamma=LOW, **found)


def _always_smaller_return(_: Scenario) -> Judged:
    found = {name: [_row(outcome(SHORT, score), g).mc_returns[0] for g in (ONE, HALF)] for name, score in SIGNS}
    return judged(all(less < plain for plain, less in found.values()), gamma=HALF, **found)


def _always_smaller_advantage(_: Scenario) -> Judged:
    found = {name: [_row(outcome(SHORT, score), g).advantages[0] for g in (ONE, HALF)] for name, score in SIGNS}
    return judged(all(less < plain for plain, less in found.values()), gamma=HALF, **found)


def _moves_every_delta(_: Scenario) -> Judged:
    one, half = (trial(outcome(SHORT), [HALF] * SHORT, 1, gamma).deltas for gamma in (ONE, HALF))
    moves = apart(half, one)
    return judged(all(moves), moves=moves, gamma=HALF)


def _moves_every_advantage(_: Scenario) -> Judged:
    one, half = (trial(outcome(SHORT), [HALF] * SHORT, 1, gamma).advantages for gamma in (ONE, HALF))
    moves = apart(half, one)
    return judged(all(moves), moves=moves, gamma=HALF)


def _one_is_right(_: Scenario) -> Judged:
    """Where responses end and the score is what counts; and where rewards go on without an end."""
    ends, paid = ([_row(rewards(n)).mc_returns[0] for n in (SHORT, LONG)] for rewards in (outcome, _paid))
    settings = [default(project, "gamma") for project in ("verl", "trl", "openrlhf")]
    return judged([len(set(g)) == 1 for g in (ends, paid)], ends=ends, paid=paid, defaults=settings)


def _paid(length: int) -> list[Fraction]:
    return [ONE] * length


def _horizon(_: Scenario) -> Judged:
    """What is left of a final point at the start: of a short answer, and of one many times the horizon."""
    short, long, gamma = 10, 1000, Fraction("0.99")
    near, far = (float(_row(outcome(n), gamma).mc_returns[0]) for n in (short, long))
    return judged(
        [left > HALF for left in (near, far)],
        gamma=gamma, short=short, long=long, near=round(near, 4), far=round(far, 6),
    )  # fmt: skip


TURNS_ON: dict[str, Check] = {
    "a_far_reward_counts_less": _far_counts_less,
    "early_tokens_hear_less_of_the_score": _early_hears_less,
    "discounting_favours_short_answers": _prefers_short,
    "every_token_has_the_same_return": _one_return_for_all,
    "the_return_is_a_plain_sum": _plain_sum,
    "a_discount_brings_bias": _biased,
    "gamma_reorders_the_answers": _reorders,
    "longer_answers_return_less": _longer_returns_less,
    "a_far_reward_always_counts_less": always(_far_counts_less),
    "distance_matters_or_not_by_gamma": either_way(_far_counts_less),
    "early_tokens_always_hear_less": always(_early_hears_less),
    "discounting_always_favours_short_answers": always(_prefers_short),
    "every_token_always_has_the_same_return": always(_one_return_for_all),
    "the_return_is_always_a_plain_sum": always(_plain_sum),
    "longer_answers_always_return_less": always(_longer_returns_less),
    "the_horizon_covers_the_response": _horizon,
    "gamma_099_is_always_as_good_as_one": always(MORE["gamma_099_is_as_good_as_one"]),
    "smaller_gamma_always_means_smaller_return": _always_smaller_return,
    "smaller_gamma_always_means_smaller_advantage": _always_smaller_advantage,
    "gamma_moves_every_delta": _moves_every_delta,
    "gamma_moves_every_advantage": _moves_every_advantage,
    "gamma_one_is_right": _one_is_right,
}
