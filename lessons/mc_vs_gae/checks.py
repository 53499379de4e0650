"""More of what learners claim of return minus value beside GAE: signs, what lies between, what the two share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds

ONE, HALF = Fraction(1), Fraction(1, 2)


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def _mc(rewards: list[Fraction], values: list[Fraction], gamma: Fraction = ONE) -> list[Fraction]:
    return sequences.mc_advantages(sequences.mc_returns(rewards, gamma), values)


def _needs_no_gamma(_: Scenario) -> Judged:
    one, half = _at(gamma=1.0)["mc_advantages"][0], _at(gamma=0.5)["mc_advantages"][0]
    return Judged(holds(one == half), {"one": one, "half": half})


def _gap_is_largest_at_first(_: Scenario) -> Judged:
    """Two surprises of opposite sign: the gap is not largest where most is still to come."""
    rewards, values = [0 * ONE, ONE, -ONE], [0 * ONE] * 3
    gaps = [m - a for m, a in zip(_mc(rewards, values), gae(rewards, values, ONE, HALF), strict=True)]
    return Judged(holds(abs(gaps[0]) == max(map(abs, gaps))), {"r": rewards, "gaps": gaps})


def _outcome_return_is_level(_: Scenario) -> Judged:
    theorem("outcome_return_is_the_same_at_every_token")
    found = sequences.mc_returns([0 * ONE, 0 * ONE, ONE], ONE)
    return Judged(holds(len(set(found)) == 1), {"g": found})


def _return_alone_is_it(_: Scenario) -> Judged:
    found = _at()
    return Judged(
        holds(found["mc_returns"] == found["mc_advantages"]),
        {"g": found["mc_returns"][0], "v": found["values"][0], "a": found["mc_advantages"][0]},
    )


def _nearer_as_lambda_rises(_: Scenario) -> Judged:
    gaps = []
    for lam in (0.9, 0.99, 0.999):
        found = _at(lam=lam)
        gaps.append(abs(found["mc_advantages"][0] - found["advantages"][0]))
    return Judged(holds(gaps[0] > gaps[1] > gaps[2]), {"gaps": [round(float(g), 6) for g in gaps]})


def _no_values_make_them_equal(_: Scenario) -> Judged:
    found = _at(values=[0.0] * RUNNING.length)
    return Judged(
        holds(close(found["advantages"], found["mc_advantages"])),
        {"gae": found["advantages"][0], "mc": found["mc_advantages"][0]},
    )


def _one_token_makes_them_equal(_: Scenario) -> Judged:
    r, v = [ONE], [HALF]
    found = {lam: gae(r, v, ONE, lam)[0] for lam in (0 * ONE, HALF, ONE)}
    mc = _mc(r, v)[0]
    return Judged(holds(set(found.values()) == {mc}), {"gae": found[HALF], "mc": mc})


def _same_sign(_: Scenario) -> Judged:
    rewards, values = [0 * ONE, 0 * ONE], [HALF, 2 * ONE]
    a, mc = gae(rewards, values, ONE, HALF)[0], _mc(rewards, values)[0]
    return Judged(holds(a * mc >= 0), {"v": values, "gae": a, "mc": mc})


def _lies_between(_: Scenario) -> Judged:
    """Later surprises that cancel in full, not half way."""
    rewards, values = [0 * ONE] * 3, [0 * ONE, 0 * ONE, ONE]
    ends = [gae(rewards, values, ONE, lam)[0] for lam in (0 * ONE, ONE)]
    middle = gae(rewards, values, ONE, HALF)[0]
    return Judged(holds(min(ends) <= middle <= max(ends)), {"delta": ends[0], "mc": ends[1], "half": middle})


def _gae_ignores_later_rewards(_: Scenario) -> Judged:
    rewards = [float(r) for r in _at()["rewards"]]
    before, after = _at()["advantages"][0], _at(scores=None, rewards=[*rewards[:-1], rewards[-1] + 1])["advantages"][0]
    return Judged(holds(before == after), {"before": before, "after": after})


def _means_agree_with_the_return(_: Scenario) -> Judged:
    """Over two responses that begin alike and end by a coin, with an exact critic."""
    values = [HALF, HALF]
    ends = [[0 * ONE, ONE], [0 * ONE, 0 * ONE]]
    mc = sum(_mc(r, values)[0] for r in ends) / 2
    found = sum(gae(r, values, ONE, HALF)[0] for r in ends) / 2
    return Judged(holds(mc == found), {"mc": mc, "gae": found})


def _same_for_all_tokens(_: Scenario) -> Judged:
    """One return for every token, and each less its own V."""
    values = [HALF, Fraction(3, 4), ONE]
    found = _mc([0 * ONE, 0 * ONE, ONE], values)
    return Judged(holds(len(set(found)) == 1), {"v": values, "adv": found})


def _offset_of_the_critic_is_shared(_: Scenario) -> Judged:
    """All values one higher: by how much each kind of first advantage moves."""
    higher = _at(values=[v + 1 for v in RUNNING.rows("values")[0]])
    plain = _at()
    gae_moved, mc_moved = (higher[name][0] - plain[name][0] for name in ("advantages", "mc_advantages"))
    return Judged(holds(gae_moved == mc_moved), {"gae": gae_moved, "mc": mc_moved})


def _returns_differ_like_advantages(_: Scenario) -> Judged:
    """G − R against (G − V) − A."""
    found = _at()
    gap = [g - r for g, r in zip(found["mc_returns"], found["returns"], strict=True)]
    other = [m - a for m, a in zip(found["mc_advantages"], found["advantages"], strict=True)]
    return Judged(holds(close(gap, other)), {"returns": gap[0], "advantages": other[0]})


MORE: dict[str, Check] = {
    "monte_carlo_advantage_ignores_gamma": _needs_no_gamma,
    "gap_is_always_largest_at_the_first_token": _gap_is_largest_at_first,
    "outcome_reward_gives_one_return_to_all_tokens": _outcome_return_is_level,
    "return_alone_is_the_monte_carlo_advantage": _return_alone_is_it,
    "gae_nears_monte_carlo_as_lambda_nears_one": _nearer_as_lambda_rises,
    "zero_values_make_gae_monte_carlo": _no_values_make_them_equal,
    "single_token_makes_both_equal": _one_token_makes_them_equal,
    "monte_carlo_and_gae_share_the_sign": _same_sign,
    "gae_lies_between_delta_and_monte_carlo": _lies_between,
    "gae_ignores_rewards_after_the_next_value": _gae_ignores_later_rewards,
    "exact_critic_gives_both_the_same_mean": _means_agree_with_the_return,
    "monte_carlo_gives_all_tokens_one_advantage": _same_for_all_tokens,
    "constant_critic_error_moves_both_alike": _offset_of_the_critic_is_shared,
    "returns_differ_by_the_gap_of_advantages": _returns_differ_like_advantages,
}
