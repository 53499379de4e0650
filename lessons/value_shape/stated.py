"""What else learners state of value curves: what shapes them, where right answers lie, and which curve is better."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine import sequences
from engine.example import RUNNING
from engine.proofs.programs import mean
from engine.scenario import Scenario
from engine.world import Path, World, small
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row
from lessons._weighed import weighed

ONE, NONE, HALF, TENTH = Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 10)
GAINS, COSTS = (TENTH, TENTH, TENTH), (-TENTH, -TENTH, -TENTH)
OUTCOME = {(0,): NONE, (1,): NONE, (0, 0): ONE, (0, 1): ONE, (1, 0): ONE, (1, 1): NONE}  # two tokens, pass or fail


def undiscounted(*rewards: Fraction) -> list[Any]:
    """V where nothing is left to chance, undiscounted."""
    return list(sequences.mc_returns(list(rewards), ONE))


def pass_or_fail(chance: Fraction = HALF) -> World:
    return World((chance, 1 - chance), OUTCOME, ONE)


def _by_lambda(_: Scenario) -> Judged:
    """The targets that λ makes of rewards and exact values, at either end of λ."""
    values = undiscounted(*GAINS)
    found = [[v + a for v, a in zip(values, row(GAINS, values, lam=lam)["advantages"], strict=True)] for lam in (0, 1)]
    return Judged(holds(found[0] != found[1]), {"none": found[0], "full": found[1], "v": values})


def _what_remains(_: Scenario) -> Judged:
    """The mean of the rewards still to come, over all ways to go on, beside V."""
    world = small(lambda _name, x: fraction(x))
    ahead = [world.expected(_left(world, len(s)), given=s) for s in ((), (0,), (1,))]
    values = [world.value(s) for s in ((), (0,), (1,))]
    return Judged(holds(ahead == values), {"ahead": ahead, "v": values})


def _left(world: World, t: int) -> Callable[[Path], Any]:
    """What a response earns from a token on."""
    return lambda response: sum(world.rewards_along(response)[t:])


def _step_is_the_reward(_: Scenario) -> Judged:
    rewards = (HALF, TENTH, ONE)
    values = undiscounted(*rewards)
    drops = [a - b for a, b in pairwise(values)]
    return Judged(holds(drops == list(rewards[:-1])), {"v": values, "drops": drops, "rewards": list(rewards)})


def _rises_by_the_reward(_: Scenario) -> Judged:
    rewards = (HALF, TENTH, ONE)
    values = undiscounted(*rewards)
    rises = [b - a for a, b in pairwise(values)]
    return Judged(holds(rises == list(rewards[:-1])), {"v": values, "rises": rises, "rewards": list(rewards)})


def _right_is_higher(_: Scenario) -> Judged:
    """The values along a response that passes and one that fails."""
    world = pass_or_fail()
    right, wrong = world.values_along((1, 0)), world.values_along((1, 1))
    return Judged(holds(all(a > b for a, b in zip(right, wrong, strict=True))), {"right": right, "wrong": wrong})


def _last_is_the_score(_: Scenario) -> Judged:
    """V before the last token, and the scores that the last token may bring."""
    world = pass_or_fail()
    value, scores = world.value((1,)), [OUTCOME[(1, a)] for a in range(2)]
    return Judged(holds(all(s == value for s in scores)), {"v": value, "scores": scores})


def _comes_nearer(_: Scenario) -> Judged:
    """How far V is from the score in the end, on average, before each token."""
    world = pass_or_fail()
    off = [world.expected(_off(world, t)) for t in range(2)]
    return Judged(holds(off[1] < off[0]), {"off": off})


def _off(world: World, t: int) -> Callable[[Path], Any]:
    return lambda response: abs(world.values_along(response)[t] - OUTCOME[response])


def _guarantees(_: Scenario) -> Judged:
    """A chance of success of nine in ten, and the lowest score that can still come."""
    world = pass_or_fail(Fraction(9, 10))
    value, worst = world.value((1,)), min(OUTCOME[(1, a)] for a in range(2))
    return Judged(holds(worst == 1), {"v": value, "worst": worst})


def _mean_zero(_: Scenario) -> Judged:
    values = [fraction(v) for v in RUNNING.rows("values")[0]]
    return Judged(holds(mean(values) == 0), {"mean": mean(values)})


def _smoothed(curve: list[Fraction]) -> list[Fraction]:
    """Every inner point the mean of itself and its neighbours."""
    inner = [mean(curve[t - 1 : t + 2]) for t in range(1, len(curve) - 1)]
    return [curve[0], *inner, curve[-1]]


def _error(curve: list[Fraction], truth: list[Fraction]) -> Fraction:
    return Fraction(mean([abs(a - b) for a, b in zip(curve, truth, strict=True)]))


def _smooth_is_better(_: Scenario) -> Judged:
    """Smoothing takes noise out of a level curve, and blurs the leap of a decisive token."""
    level, leap = [HALF] * 6, [HALF] * 3 + [ONE] * 3
    noisy = [HALF + TENTH * (-1) ** t for t in range(6)]
    noise, calm = _error(noisy, level), _error(_smoothed(noisy), level)
    sharp, blurred = _error(leap, leap), _error(_smoothed(leap), leap)
    return Judged(
        weighed(calm < noise, blurred > sharp), {"noise": noise, "calm": calm, "sharp": sharp, "blurred": blurred}
    )


def _higher_is_better(_: Scenario) -> Judged:
    """A policy that passes more often; and a critic that promises too much about one that passes."""
    weak, strong = (pass_or_fail(c).value(()) for c in (Fraction(1, 4), Fraction(3, 4)))
    promised = [Fraction(3, 2)] * 3
    advantages = row((NONE, NONE, ONE), promised)["advantages"]
    return Judged(
        weighed(strong > weak, max(advantages) < 0),
        {"weak": weak, "strong": strong, "promised": promised[0], "a": advantages},
    )


def _more_to_pay(_: Scenario) -> Judged:
    """The same score after few and after many tokens, each with a cost."""
    few, many = (undiscounted(*[-TENTH] * n, ONE)[0] for n in (2, 8))
    return Judged(holds(many < few), {"few": few, "many": many, "short": 2, "long": 8})


def _kl_leaves_it(_: Scenario) -> Judged:
    with_kl, without = (exact("reward_to_go", beta=beta)["mc_returns"] for beta in (RUNNING.beta, 0.0))
    return Judged(holds(close(with_kl, without)), {"with_kl": with_kl[0], "without": without[0]})


def _no_surprise(_: Scenario) -> Judged:
    rewards = (*COSTS, ONE)
    found = row(rewards, undiscounted(*rewards))["deltas"]
    return Judged(holds(not any(found)), {"deltas": found})


def _cost_reaches_back(_: Scenario) -> Judged:
    """One cost in the middle: which values it lowers."""
    plain, charged = undiscounted(NONE, NONE, NONE, ONE), undiscounted(NONE, -TENTH, NONE, ONE)
    moved = [t for t, (a, b) in enumerate(zip(plain, charged, strict=True)) if a != b]
    return Judged(holds(moved == [0, 1] and charged[0] < plain[0]), {"at": 1, "moved": moved})


def _critic_is_exact(_: Scenario) -> Judged:
    """Two critics on one response: the curve changes, and what really came does not."""
    found = gae()
    other = gae(values=[float(v) + 0.5 for v in found["values"]])
    same = close(found["mc_returns"], other["mc_returns"])
    return Judged(
        holds(close(found["values"], other["values"])),
        {"one": found["values"][0], "other": other["values"][0], "g": other["mc_returns"][0] if same else None},
    )


STATED: dict[str, Check] = {
    "lambda_shapes_the_exact_values": _by_lambda,
    "value_is_the_sum_of_what_remains": _what_remains,
    "the_step_down_is_the_expected_reward": _step_is_the_reward,
    "value_rises_by_the_reward_received": _rises_by_the_reward,
    "a_right_answer_has_higher_values_everywhere": _right_is_higher,
    "last_value_equals_the_score": _last_is_the_score,
    "values_approach_the_final_score_on_average": _comes_nearer,
    "a_high_value_guarantees_success": _guarantees,
    "values_have_mean_zero": _mean_zero,
    "a_smooth_value_curve_is_better": _smooth_is_better,
    "higher_values_are_better": _higher_is_better,
    "more_tokens_to_come_lower_the_value_under_kl": _more_to_pay,
    "kl_leaves_the_value_curve_alone": _kl_leaves_it,
    "without_chance_exact_values_have_zero_deltas": _no_surprise,
    "a_cost_lowers_the_values_before_it_only": _cost_reaches_back,
    "the_critics_curve_is_the_exact_one": _critic_is_exact,
}
