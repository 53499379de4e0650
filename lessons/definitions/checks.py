"""More of what learners claim about the quantities: which is which, of what, and what their signs mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.example import RUNNING
from engine.facts import Inputs, compute, exact_facts
from engine.proofs.programs import gae
from engine.scenario import Scenario
from engine.world import small
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds

ONE, HALF = Fraction(1), Fraction(1, 2)


def _world() -> dict[str, Any]:
    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        tokens = range(len(world.chances))
        q = [world.q((), token) for token in tokens]
        return {
            "v": world.value(()),
            "q": q,
            "after": [world.value((token,)) for token in tokens],
            "mean_q": sum(p * of_token for p, of_token in zip(world.chances, q, strict=True)),
        }

    return exact_facts(program, Scenario())


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def _value_is_mean_of_q(_: Scenario) -> Judged:
    found = _world()
    return Judged(holds(found["v"] == found["mean_q"]), {"v": found["v"], "q": found["q"]})


def _value_is_the_best_q(_: Scenario) -> Judged:
    found = _world()
    return Judged(holds(found["v"] == max(found["q"])), {"v": found["v"], "best": max(found["q"])})


def _value_depends_on_the_token(_: Scenario) -> Judged:
    """V is one number before the token; Q is one for each choice."""
    found = _world()
    return Judged(holds(found["v"] in found["q"]), {"v": found["v"], "q": found["q"]})


def _compares_with_other_responses(_: Scenario) -> Judged:
    """The same response alone, and beside another in a batch."""
    own = {name: list(map(float, _at()[name])) for name in ("rewards", "values")}
    beside = {name: [row, [5.0] * len(row)] for name, row in own.items()}
    alone = _at()["advantages"][0]
    together = exact_facts(quantities.gae, Scenario(gamma=RUNNING.gamma, lam=RUNNING.lam).merged(beside))
    return Judged(
        holds(alone != together["advantages"][0][0]), {"alone": alone, "beside": together["advantages"][0][0]}
    )


def _positive_means_rewarded(_: Scenario) -> Judged:
    found = _at()
    pairs = list(zip(found["advantages"], found["rewards"], strict=True))
    return Judged(holds(all((a > 0) == (r > 0) for a, r in pairs)), {"a": pairs[0][0], "r": pairs[0][1]})


def _zero_means_worthless(_: Scenario) -> Judged:
    """A response that earns just what was foreseen."""
    rewards, values = [Fraction(0), Fraction(1)], [Fraction(1), Fraction(1)]
    found = gae(rewards, values, Fraction(1), Fraction(19, 20))
    return Judged(holds(found[0] != 0), {"a": found[0], "q": values[0], "v": values[0]})


def _one_value_per_response(_: Scenario) -> Judged:
    values = _at()["values"]
    return Judged(holds(len(set(values)) == 1), {"values": values})


def _needs_a_q_network(_: Scenario) -> Judged:
    used = compute(quantities.gae, RUNNING).used
    return Judged(holds("q" in used), {"values": len(RUNNING.rows("values")[0]), "a": _at()["advantages"][0]})


def _gae_is_the_definition(_: Scenario) -> Judged:
    """Q − V has no λ in it; GAE has."""
    one, half = _at(lam=1.0)["advantages"][0], _at(lam=0.5)["advantages"][0]
    return Judged(holds(one == half), {"one": one, "half": half})


def _rates_the_state(_: Scenario) -> Judged:
    """Two tokens from one state: V is one number, A two."""
    found = _world()
    advantages = [formulas.advantage(q, found["v"]) for q in found["q"]]
    return Judged(holds(len(set(advantages)) == 1), {"a": advantages, "v": found["v"]})


def _delta_is_q_minus_v(_: Scenario) -> Judged:
    """δ with exact values, and Q − V: r + V_{t+1} is Q where the world's rewards are fixed."""

    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        tokens = range(len(world.chances))
        value = world.value(())
        return {
            "deltas": [formulas.td_error(world.rewards[(a,)], value, world.value((a,)), world.gamma) for a in tokens],
            "advantages": [formulas.advantage(world.q((), a), value) for a in tokens],
        }

    exact = exact_facts(program, Scenario())
    off = _at(values=[0.0] * RUNNING.length)["deltas"][0]
    return Judged(
        holds(exact["deltas"] == exact["advantages"] and off == _at()["deltas"][0]),
        {"delta": exact["deltas"][0], "a": exact["advantages"][0], "off": off, "own": _at()["deltas"][0]},
    )


def _value_is_always_a_probability(_: Scenario) -> Judged:
    """One chance of success under three scorings."""
    p = Fraction(3, 10)
    scorings = ((ONE, 0 * ONE), (Fraction(5), -ONE), (0 * ONE, -ONE))
    plain, graded, below = (p * right + (1 - p) * wrong for right, wrong in scorings)
    return Judged(holds(plain == graded == below), {"chance": p, "plain": plain, "graded": graded, "below": below})


def _mean_along_a_response_is_zero(_: Scenario) -> Judged:
    """The mean over the tokens of one response; the mean over the choices in one state."""
    found = _at()["advantages"]
    world = _world()
    choices = [formulas.advantage(q, world["v"]) for q in world["q"]]
    mean = formulas.mean(sum(found), len(found))
    return Judged(holds(mean == 0), {"mean": mean, "choices": choices})


def _changes_with_the_policy(_: Scenario) -> Judged:
    """V of one state under two policies that choose between the same two tokens."""
    q = _world()["q"]
    even, better = ((1 - p) * q[1] + p * q[0] for p in (HALF, Fraction(9, 10)))
    return Judged(holds(even != better), {"even": even, "better": better, "q": q})


def _positive_delta_is_good_news(_: Scenario) -> Judged:
    """The sign of δ, and whether r_t and the new outlook together beat the old one."""
    found = _at()
    after = [*found["values"][1:], 0 * found["values"][0]]
    rows = list(zip(found["rewards"], after, found["values"], found["deltas"], strict=True))
    agree = all((r + v_next > v) == (d > 0) for r, v_next, v, d in rows)
    r, v_next, v, d = rows[0]
    return Judged(holds(agree), {"now": r + v_next, "before": v, "delta": d})


def _advantage_is_relative(_: Scenario) -> Judged:
    """The first V one higher, at λ = 1: what moves."""
    values = [v + float(t == 0) for t, v in enumerate(RUNNING.rows("values")[0])]
    plain, higher = _at(lam=1.0), _at(lam=1.0, values=values)
    moved = {key: higher[name][0] - plain[name][0] for key, name in (("a", "advantages"), ("r", "returns"))}
    return Judged(holds(moved["a"] == -1 and moved["r"] == 0), moved)


MORE: dict[str, Check] = {
    "value_is_the_mean_of_q": _value_is_mean_of_q,
    "value_is_the_best_q": _value_is_the_best_q,
    "value_depends_on_the_chosen_token": _value_depends_on_the_token,
    "advantage_compares_with_other_responses": _compares_with_other_responses,
    "positive_advantage_means_positive_reward": _positive_means_rewarded,
    "zero_advantage_means_worthless": _zero_means_worthless,
    "one_value_per_response": _one_value_per_response,
    "ppo_needs_a_q_network": _needs_a_q_network,
    "gae_is_the_definition_of_the_advantage": _gae_is_the_definition,
    "advantage_rates_the_state": _rates_the_state,
    "delta_is_q_minus_v": _delta_is_q_minus_v,
    "value_is_always_a_probability": _value_is_always_a_probability,
    "advantages_of_a_response_average_to_zero": _mean_along_a_response_is_zero,
    "value_depends_on_the_policy": _changes_with_the_policy,
    "positive_delta_means_better_than_expected": _positive_delta_is_good_news,
    "advantage_is_relative_and_return_absolute": _advantage_is_relative,
}
