"""What learners claim of the return itself: what it is made of, what it is not, what is taken off it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from engine import mistakes, quantities, world
from engine.chance import spread, walk, wild_critic
from engine.example import RUNNING
from engine.facts import compute, exact_facts
from engine.proofs import theorem
from engine.readings.exact import rational
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._first import on_own
from lessons._row import fraction, moved, row, total

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")
HALF = "0.5"
ODDS, ENDS = (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(0))


@cache
def _spread(name: str) -> dict[str, Any]:
    """Mean and variance of A_0 at λ = ½ and 1."""
    worlds = {"exact": walk(4, step=0.25, first=1), "off": walk(4, step=0.25, error=0.5, fade=0.5, first=1)}
    found = worlds.get(name, wild_critic(swing=0.5))
    return dict(compute(spread(found, (0.5, 1.0)), Scenario()).exact)


def _unbiased_but_noisy(_: Scenario) -> Judged:
    plain, off = _spread("exact"), _spread("off")
    return Judged(
        holds(off["mean"][1] == plain["mean"][1] != off["mean"][0] and plain["variance"][1] > plain["variance"][0]),
        {"truth": plain["mean"][1], "mc": off["mean"][1], "gae": off["mean"][0], "mc_var": plain["variance"][1],
         "gae_var": plain["variance"][0]},
    )  # fmt: skip


def _always_noisier(_: Scenario) -> Judged:
    """Every response earns the same, but the critic swings after the first token."""
    found = _spread("wild")
    return Judged(
        holds(found["variance"][1] >= found["variance"][0]),
        {"mc": found["variance"][1], "gae": found["variance"][0]},
    )


def _forwards_without_the_rest(_: Scenario) -> Judged:
    """The first G when only the last reward is another."""
    before, after = (row((*REWARDS[:2], last), VALUES)["mc_returns"][0] for last in ("1", "0"))
    return Judged(holds(before == after), {"before": before, "after": after})


def _return_contains_values(_: Scenario) -> Judged:
    before, after = (row(REWARDS, values)["mc_returns"] for values in (VALUES, ("9", "9", "9")))
    return Judged(holds(before != after), {"before": before[0], "after": after[0]})


def _returns_less_values_is_gae(_: Scenario) -> Judged:
    found = gae()
    less = [r - v for r, v in zip(found["returns"], found["values"], strict=True)]
    return Judged(
        holds(close(less, found["advantages"])), {"less": less[0], "a": found["advantages"][0], "lam": at_hand().lam}
    )


def _returns_less_values_is_mc(_: Scenario) -> Judged:
    one, below = gae(lam=1.0), gae()
    same = [close(x["returns"], x["mc_returns"]) for x in (one, below)]
    return Judged(
        "depends" if same == [True, False] else holds(all(same)),
        {"one": one["advantages"][0], "below": below["advantages"][0], "mc": one["mc_advantages"][0],
         "lam": RUNNING.lam},
    )  # fmt: skip


def _return_contains_kl(_: Scenario) -> Judged:
    with_kl, without = exact("mc")["mc_returns"][0], exact("mc", beta=0.0)["mc_returns"][0]
    return Judged(holds(with_kl != without), {"with_kl": with_kl, "without": without, "beta": at_hand().beta})


def _reward_less_value(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    wrong = moved(found["rewards"], found["values"])
    return Judged(holds(wrong == found["mc_advantages"]), {"wrong": wrong, "mc": found["mc_advantages"]})


def _score_less_value(_: Scenario) -> Judged:
    """The score less each V: on an outcome reward without discount, and with KL costs on the way."""
    bare, paid = row(("0", "0", "1"), VALUES), row(("-0.1", "-0.1", "1"), VALUES)
    simple = [1 - v for v in bare["values"]]
    same = [simple == x["mc_advantages"] for x in (bare, paid)]
    return Judged(
        "depends" if same == [True, False] else holds(all(same)),
        {"simple": simple, "paid": paid["mc_advantages"]},
    )


def _past_rewards_enter(_: Scenario) -> Judged:
    before, after = (row((first, *REWARDS[1:]), VALUES)["mc_returns"] for first in ("0.2", "5"))
    change = moved(after, before)
    return Judged(holds(any(change[1:])), {"moved": change})


def _discounted_from_the_start(_: Scenario) -> Judged:
    right = exact("mc", gamma=0.9)["mc_returns"]
    wrong = mistakes.run("gamma_from_the_start", RUNNING.merged({"gamma": 0.9})).exact["mc_returns"]
    return Judged(holds(close(right, wrong)), {"right": right[1], "wrong": wrong[1]})


def _zero_values(_: Scenario) -> Judged:
    found = row(REWARDS, (0, 0, 0))
    return Judged(
        holds(found["mc_advantages"] == found["mc_returns"]),
        {"a": found["mc_advantages"], "g": found["mc_returns"]},
    )


def _baseline_steadies(_: Scenario) -> Judged:
    """The variance of the first logit's gradient, with V taken off and without."""

    def variance(baseline: Fraction) -> Fraction:
        slopes = [((a == 0) - ODDS[0]) * (ENDS[a] + 4 - baseline) for a in range(2)]
        mean = sum(p * s for p, s in zip(ODDS, slopes, strict=True))
        return sum((p * (s - mean) ** 2 for p, s in zip(ODDS, slopes, strict=True)), Fraction(0))

    value = sum((p * (e + 4) for p, e in zip(ODDS, ENDS, strict=True)), Fraction(0))
    return Judged(
        holds(variance(value) < variance(Fraction(0))),
        {"with_v": variance(value), "without": variance(Fraction(0)), "v": value},
    )


def _baseline_of_the_action(_: Scenario) -> Judged:
    """E[∇log π · b] with a b that knows the token, and with one that does not."""

    def mean(baseline: tuple[Fraction, ...]) -> Fraction:
        return sum((p * ((a == 0) - ODDS[0]) * baseline[a] for a, p in enumerate(ODDS)), Fraction(0))

    level, own = mean((Fraction(1, 2),) * 2), mean(ENDS)
    return Judged(holds(level == own == 0), {"level": level, "own": own})


def _mean_is_zero(_: Scenario) -> Judged:
    small = world.small(lambda _name, x: rational(x))

    def excess(response: world.Path) -> Any:
        rewards = [fraction(str(r)) for r in small.rewards_along(response)]
        return total(rewards) - fraction(str(small.value(())))

    mean = small.expected(excess)
    best = max(excess(response) for response in small.responses)
    return Judged(holds(mean == 0), {"mean": mean, "best": best})


def _estimates_q_less_v(_: Scenario) -> Judged:
    """E[G | s, a] − V against Q − V for the first token."""
    small = world.small(lambda _name, x: rational(x))
    mean = small.expected(lambda response: total([fraction(str(r)) for r in small.rewards_along(response)]), (0,))
    value, q = small.value(()), small.q((), 0)
    return Judged(holds(mean - value == q - value), {"mc": mean - value, "true": q - value})


def _v_is_absent(_: Scenario) -> Judged:
    before, after = (row(REWARDS, (first, *VALUES[1:]))["mc_advantages"][0] for first in (VALUES[0], "1.5"))
    return Judged(holds(before == after), {"before": before, "after": after})


def _is_sum_of_deltas(_: Scenario) -> Judged:
    theorem("telescoping")
    found = row(REWARDS, VALUES, gamma="0.9")
    summed = total(found["deltas"], "0.9")
    return Judged(holds(summed == found["mc_advantages"][0]), {"sum": summed, "mc": found["mc_advantages"][0]})


def _is_delta(own: Scenario) -> Judged:
    found = exact_facts(quantities.gae, own)
    return Judged(
        holds(close(found["mc_advantages"], found["deltas"])),
        {"mc": found["mc_advantages"][0], "delta": found["deltas"][0], "last": found["deltas"][-1]},
    )


def _one_sign(_: Scenario) -> Judged:
    """A score of one and of zero, V between them."""
    good, bad = (row(("0", "0", score), VALUES)["mc_advantages"] for score in ("1", "0"))
    return Judged(holds(min(good) > 0 > max(bad)), {"good": good, "bad": bad})


def _success_is_good_everywhere(_: Scenario) -> Judged:
    found = row(("0", "0", "1"), ("0.75", "0.25", "0.5"), lam="0.25")
    return Judged(holds(min(found["advantages"]) >= 0), {"a": found["advantages"], "mc": found["mc_advantages"]})


def _whole_return_for_all(_: Scenario) -> Judged:
    late, early = row(("0", "0", "1"), VALUES), row(("0.5", "0", "1"), VALUES)
    same = [len(set(x["mc_returns"])) == 1 for x in (late, early)]
    return Judged(
        "depends" if same == [True, False] else holds(all(same)),
        {"late": late["mc_returns"], "early": early["mc_returns"]},
    )


RETURNS: dict[str, Check] = {
    "monte_carlo_is_unbiased_but_noisy": _unbiased_but_noisy,
    "monte_carlo_always_varies_more": _always_noisier,
    "return_can_be_had_before_the_end": _forwards_without_the_rest,
    "monte_carlo_return_contains_values": _return_contains_values,
    "verl_returns_less_values_is_raw_gae": _returns_less_values_is_gae,
    "verl_returns_less_values_is_monte_carlo": _returns_less_values_is_mc,
    "monte_carlo_return_contains_the_kl": _return_contains_kl,
    "reward_less_value_is_monte_carlo": _reward_less_value,
    "score_less_value_is_monte_carlo": _score_less_value,
    "past_rewards_enter_the_return": _past_rewards_enter,
    "returns_are_discounted_from_the_first_token": _discounted_from_the_start,
    "zero_values_leave_the_plain_return": _zero_values,
    "baseline_lowers_the_variance": _baseline_steadies,
    "baseline_may_depend_on_the_action": _baseline_of_the_action,
    "monte_carlo_advantage_averages_to_zero": _mean_is_zero,
    "monte_carlo_estimates_q_less_v": _estimates_q_less_v,
    "monte_carlo_is_unbiased_since_v_is_absent": _v_is_absent,
    "monte_carlo_is_the_sum_of_deltas": _is_sum_of_deltas,
    "monte_carlo_is_delta": on_own(_is_delta),
    "outcome_gives_monte_carlo_one_sign": _one_sign,
    "success_makes_every_gae_advantage_positive": _success_is_good_everywhere,
    "whole_return_serves_every_token": _whole_return_for_all,
}
