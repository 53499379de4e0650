"""More of what learners claim of γ: its special values, what it is counted from, how strongly it bites."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas, quantities, sequences
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._first import numbers

ONE, HALF, NEARLY = Fraction(1), Fraction(1, 2), Fraction(99, 100)
SHORT, LONG = 10, 1000  # tokens
CLOSE = 1e-9


def _at(**changes: Any) -> Mapping[str, Any]:
    return quantities.facts("gae", at_hand().merged(changes)).exact


def _weight(gamma: Fraction, steps: int) -> float:
    return round(float(formulas.discounted(ONE, gamma, steps)), 6)


def _zero_is_own(_: Scenario) -> Judged:
    found = _at(gamma=0.0)
    same = all(a == r - v for a, r, v in zip(found["advantages"], found["rewards"], found["values"], strict=True))
    return Judged(
        holds(same), {"reward": found["rewards"][0], "value": found["values"][0], "advantage": found["advantages"][0]}
    )


def _default_below_one(given: Scenario) -> Judged:
    """With verl's default the return is the plain sum of the rewards."""
    found = quantities.facts("gae", numbers(given).merged({"gamma": 1.0})).exact
    plain = sum(float(r) for r in found["rewards"])
    return Judged(holds(abs(float(found["mc_returns"][0]) - plain) > CLOSE), {"return": found["mc_returns"][0]})


def _only_variance(_: Scenario) -> Judged:
    """A certain outcome has no variance, and γ changes what it is worth."""
    whole, less = (sequences.mc_returns([Fraction(0), ONE], gamma)[0] for gamma in (ONE, HALF))
    return Judged(holds(whole == less), {"whole": whole, "gamma": HALF, "less": less})


def _from_the_start(_: Scenario) -> Judged:
    given = scenario({"rewards": [0, 0, 1], "values": [0.5, 0.5, 0.5], "gamma": 0.5, "lam": 1})
    right = quantities.facts("mc", given).exact["mc_returns"]
    wrong = compute(MISTAKES["gamma_from_the_start"].program, given).exact["mc_returns"]
    return Judged(holds(right == wrong), {"gamma": HALF, "right": right, "wrong": wrong})


def _discounts_the_past(_: Scenario) -> Judged:
    """Whether a return moves with an earlier reward at all."""
    before, after = (sequences.mc_returns([Fraction(first), ONE, ONE], HALF)[1] for first in (0, 8))
    return Judged(holds(before != after), {"before": before, "after": after, "earlier": 8})


def _chance_to_go_on(_: Scenario) -> Judged:
    """Undiscounted, but going on only with probability γ: counted by where it stops."""
    rewards = [ONE, Fraction(2), Fraction(4)]
    discounted = sequences.mc_returns(rewards, HALF)[0]
    stops = [(HALF**k) * (HALF if k < len(rewards) - 1 else ONE) for k in range(len(rewards))]
    stopping = sum(p * sum(rewards[: k + 1]) for k, p in enumerate(stops))
    return Judged(
        holds(discounted == stopping),
        {"rewards": rewards, "gamma": HALF, "discounted": discounted, "stopping": stopping},
    )


def _nearly_one(_: Scenario) -> Judged:
    near, far = _weight(NEARLY, SHORT), _weight(NEARLY, LONG)
    return Judged(
        "depends" if near > HALF > far else holds(far > HALF),
        {"gamma": NEARLY, "few": SHORT, "near": near, "many": LONG, "far": far},
    )


def _per_response(_: Scenario) -> Judged:
    """The same score behind two tokens and behind four."""
    short, long = (sequences.mc_returns([Fraction(0)] * (n - 1) + [ONE], HALF)[0] for n in (2, 4))
    return Judged(holds(short == long == HALF), {"gamma": HALF, "few": 2, "many": 4, "short": short, "long": long})


def _early_hear_less(_: Scenario) -> Judged:
    theorem("outcome_reward_reaches_back_discounted")
    returns = sequences.mc_returns([Fraction(0)] * 3 + [ONE], HALF)
    return Judged(holds(returns == sorted(returns) and returns[0] < returns[-1]), {"gamma": HALF, "returns": returns})


def _order_of_answers(_: Scenario) -> Judged:
    """A short answer of a lower score, and a long one of a higher: γ decides between them."""

    def worth(score: Fraction, tokens: int, gamma: Fraction) -> Any:
        return formulas.discounted(score, gamma, tokens - 1)

    level = [worth(Fraction(4, 5), 3, ONE), worth(ONE, 30, ONE)]
    below = [round(float(x), 4) for x in (worth(Fraction(4, 5), 3, Fraction(9, 10)), worth(ONE, 30, Fraction(9, 10)))]
    return Judged(
        holds(level[0] < level[1] and below[0] > below[1]), {"level": level, "gamma": Fraction(9, 10), "below": below}
    )


def _on_next_value(_: Scenario) -> Judged:
    """How far δ_0 moves when V_1, or V_0, or r_0 is one higher, with γ at one half."""
    base = (Fraction(0), Fraction(1, 2), Fraction(1, 2))
    before = formulas.td_error(*base, HALF)

    def moved_by(place: int) -> Fraction:
        r, v, following = (x + (i == place) for i, x in enumerate(base))
        return formulas.td_error(r, v, following, HALF) - before

    moved = [moved_by(place) for place in range(3)]
    return Judged(
        holds(moved == [1, -1, HALF]), {"gamma": HALF, "reward": moved[0], "own": moved[1], "following": moved[2]}
    )


def _kl_is_discounted(_: Scenario) -> Judged:
    """A penalty on the last token, seen from the first."""
    seen = sequences.mc_returns([Fraction(0), Fraction(0), Fraction(-1)], HALF)[0]
    return Judged(holds(seen != -1), {"gamma": HALF, "penalty": Fraction(-1), "seen": seen})


MORE: dict[str, Check] = {
    "gamma_zero_leaves_the_own_reward": _zero_is_own,
    "verl_default_gamma_is_below_one": _default_below_one,
    "gamma_is_only_a_variance_trick": _only_variance,
    "gamma_counts_from_the_start": _from_the_start,
    "gamma_discounts_earlier_rewards": _discounts_the_past,
    "gamma_is_a_chance_to_go_on": _chance_to_go_on,
    "gamma_099_is_as_good_as_one": _nearly_one,
    "gamma_is_applied_once_per_response": _per_response,
    "early_tokens_hear_less_below_one": _early_hear_less,
    "gamma_can_reverse_which_answer_is_better": _order_of_answers,
    "gamma_stands_on_the_next_value_in_delta": _on_next_value,
    "penalties_are_discounted_too": _kl_is_discounted,
}
