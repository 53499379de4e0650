"""δ is the first piece of news that a token causes; the advantage also hears the later ones."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from engine import mistakes, quantities, sequences
from engine.chance import blind, spread, walk
from engine.facts import Facts, Inputs, compute
from engine.proofs.monte_carlo import gae_is_decayed_sum_of_deltas, gae_lambda_zero_is_td_error
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import first_of, over_tokens
from lessons._first import numbers, on_own, worked
from lessons._lesson import Shown
from lessons.why_not_delta.carried import CARRIED
from lessons.why_not_delta.checks import MORE
from lessons.why_not_delta.compared import COMPARED
from lessons.why_not_delta.grid import GRID
from lessons.why_not_delta.likely import LIKELY
from lessons.why_not_delta.stated import STATED
from lessons.why_not_delta.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ()
MISTAKES = (
    "delta_for_advantage",
    "bootstrap_forgotten",
    "bootstrap_next_value_forgotten",
    "value_reward_left_out",
)
TOKENS, STEP, OFF, FADE = 6, 0.25, 0.5, 0.5  # of the small world
LAMS = (0.0, 1.0)  # δ, and return minus value


def show(scenario: Scenario) -> Shown:
    facts = compute(heard, scenario)
    return Shown(
        facts=facts.beside(worlds().under("constants")),
        work=worked(quantities.gae, scenario),
        proofs={"sum": gae_is_decayed_sum_of_deltas(), "zero": gae_lambda_zero_is_td_error()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"thrown_away": over_tokens("together", first_of(facts.numbers, "deltas", "advantages"), "number")},
        twins=(twins.gae,),
    )


def heard(x: Inputs) -> dict[str, Any]:
    """GAE, and what every token's advantage has beyond its own δ."""
    found = quantities.gae(x)
    return {**found, "later": x.on.advantages_of(found["advantages"], found["deltas"], x.mask)}


@cache
def worlds() -> Facts:
    """Token 0 is known to be good; what δ and G − V say of it, over all ways to go on, with three critics."""
    critics = {
        "exact": walk(TOKENS, step=STEP, first=1),
        "wrong": walk(TOKENS, step=STEP, error=OFF, fade=FADE, first=1),
        "blind": blind(walk(TOKENS, step=STEP, first=1)),
    }
    found = [compute(spread(world, LAMS), Scenario()).under(name) for name, world in critics.items()]
    truth = compute(lambda x: {"truth": x.number("step", STEP), "tokens": TOKENS}, Scenario())
    return truth.beside(found[0]).beside(found[1]).beside(found[2])


# ---------------------------------------------------------------- what learners claim


def _gae(rewards: tuple[float, ...], values: tuple[float, ...], lam: float) -> tuple[list[Any], list[Any]]:
    """δ and A, exactly, at γ = 1."""
    r, v = [Fraction(x) for x in rewards], [Fraction(x) for x in values]
    return sequences.deltas(r, v, Fraction(1)), gae(r, v, Fraction(1), Fraction(lam))


def _at(scenario: Scenario, **changes: float | list[float]) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _equal(own: Scenario) -> Judged:
    """It is at λ = 0 and at the last token, and elsewhere it is not."""
    here, zero = _at(own), _at(own, lam=0.0)
    always, never = here["advantages"] == here["deltas"], zero["advantages"] != zero["deltas"]
    return Judged(
        holds(always) if always or never else "depends",
        {"delta": here["deltas"][0], "advantage": here["advantages"][0], "zero": zero["advantages"][0],
         "last": here["advantages"][-1], "last_delta": here["deltas"][-1]},
    )  # fmt: skip


def _by_definition(_: Scenario) -> Judged:
    found = worlds().exact
    return Judged(
        holds(found["wrong"]["mean"][0] == found["truth"]),
        {"truth": found["truth"], "delta": found["wrong"]["mean"][0]},
    )


def _zero_reward_zero_delta(_: Scenario) -> Judged:
    delta, _a = _gae((0, 1), (0.5, 0.75), 1)
    return Judged(holds(delta[0] == 0), {"r": [0, 1], "v": [0.5, 0.75], "delta": delta[0]})


def _last_is_delta(scenario: Scenario) -> Judged:
    found = _at(scenario)
    return Judged(
        holds(found["advantages"][-1] == found["deltas"][-1]),
        {"advantage": found["advantages"][-1], "delta": found["deltas"][-1]},
    )


def _weighed_by_gamma_lambda(scenario: Scenario) -> Judged:
    """The theorem, and the sum written out on the learner's numbers."""
    gae_is_decayed_sum_of_deltas()
    own = numbers(scenario)
    found = _at(own)
    weight = Fraction(repr(own.gamma)) * Fraction(repr(own.lam))
    total = sequences.discounted_sum([Fraction(x) for x in map(float, found["deltas"])], weight)
    return Judged(
        holds(abs(float(total) - float(found["advantages"][0])) < 1e-9),
        {"weight": weight, "advantage": found["advantages"][0]},
    )


def _moves_with_a_later_reward(_: Scenario) -> Judged:
    before, after = _gae((0, 0, 1), (0.5, 0.5, 0.75), 1), _gae((0, 0, 2), (0.5, 0.5, 0.75), 1)
    return Judged(
        holds(before[0][0] != after[0][0]),
        {"delta": before[0][0], "before": before[1][0], "after": after[1][0]},
    )


def _exact_is_unbiased(_: Scenario) -> Judged:
    found = worlds().exact
    mean, variance = (found["exact"][name][0] for name in ("mean", "variance"))
    return Judged(holds(mean == found["truth"]), {"truth": found["truth"], "mean": mean, "variance": variance})


def _always_unbiased(_: Scenario) -> Judged:
    found = worlds().exact
    means = {name: found[name]["mean"][0] for name in ("wrong", "blind")}
    return Judged(holds(all(mean == found["truth"] for mean in means.values())), {"truth": found["truth"], **means})


def _positive_means_positive(_: Scenario) -> Judged:
    delta, advantage = _gae((0, 0), (0.25, 0.75), 1)
    return Judged(
        holds(advantage[0] > 0), {"r": [0, 0], "v": [0.25, 0.75], "delta": delta[0], "advantage": advantage[0]}
    )


def _sum_of_rewards(own: Scenario) -> Judged:
    right, wrong = _at(own)["advantages"][0], mistakes.run("bootstrap_forgotten", own).exact["advantages"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _later_only_noise(_: Scenario) -> Judged:
    """With an exact critic the mean does not need them; with another it does."""
    found = worlds().exact
    idle = found["exact"]["mean"][0] == found["exact"]["mean"][1]
    needed = found["wrong"]["mean"][0] != found["truth"] == found["wrong"]["mean"][1]
    return Judged(
        "depends" if idle and needed else holds(idle),
        {"truth": found["truth"], "noise": found["exact"]["variance"][1], "delta": found["wrong"]["mean"][0],
         "mc": found["wrong"]["mean"][1]},
    )  # fmt: skip


def _sparse_means_zero(_: Scenario) -> Judged:
    moving, _a = _gae((0, 0, 1), (0.25, 0.5, 0.75), 1)
    flat, _a = _gae((0, 0, 1), (0.5, 0.5, 0.5), 1)
    return Judged(
        holds(not any(moving[:-1])),
        {"r": [0, 0, 1], "v": [0.25, 0.5, 0.75], "moving": moving, "level": [0.5, 0.5, 0.5], "flat": flat},
    )


def _only_the_critics_error(_: Scenario) -> Judged:
    """The critic is exact, and yet δ tells a good first token from a bad one."""
    good = worlds().exact["exact"]["mean"][0]
    bad = compute(spread(walk(TOKENS, step=STEP, first=-1), LAMS), Scenario()).exact["mean"][0]
    return Judged(holds(good == bad), {"good": good, "bad": bad})


FACTS: dict[str, Check] = {
    "advantage_equals_delta": on_own(_equal),
    "advantage_is_delta_by_definition": _by_definition,
    "zero_reward_means_zero_delta": _zero_reward_zero_delta,
    "last_advantage_is_its_delta": _last_is_delta,
    "later_deltas_weigh_gamma_lambda": _weighed_by_gamma_lambda,
    "delta_moves_with_a_later_reward": _moves_with_a_later_reward,
    "exact_critic_makes_delta_unbiased": _exact_is_unbiased,
    "delta_is_unbiased_whatever_the_critic": _always_unbiased,
    "positive_delta_means_positive_advantage": _positive_means_positive,
    "advantage_is_decayed_sum_of_rewards": on_own(_sum_of_rewards),
    "later_deltas_are_only_noise": _later_only_noise,
    "sparse_reward_leaves_deltas_zero": _sparse_means_zero,
    "delta_is_only_the_critics_error": _only_the_critics_error,
    **MORE,
    **COMPARED,
    **LIKELY,
    **STATED,
    **GRID,
    **TURNS,
    **CARRIED,
}
