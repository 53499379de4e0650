"""Return minus value beside GAE: the first is the second at λ = 1, token by token."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.chance import spread, walk
from engine.facts import Facts, Inputs, compute
from engine.proofs.monte_carlo import gae_is_monte_carlo_at_any_lambda, gae_lambda_one_is_monte_carlo
from engine.proofs.programs import expected, gae
from engine.proofs.returns import monte_carlo_exceeds_lambda_return_by_later_deltas
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import first_of, over_tokens
from lessons._first import numbers, on_own, worked
from lessons._lesson import Shown
from lessons.mc_vs_gae.apart import APART
from lessons.mc_vs_gae.baselines import BASELINES
from lessons.mc_vs_gae.checks import MORE
from lessons.mc_vs_gae.grid import GRID
from lessons.mc_vs_gae.returns import RETURNS
from lessons.mc_vs_gae.stated import STATED
from lessons.mc_vs_gae.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ("gae", "mc", "reward_to_go")
MISTAKES = ("mc_for_gae_as_if_lam_were_one", "delta_for_advantage", "bootstrap_forgotten")
OFF, STEP, FADE = 0.5, 0.25, 0.5  # a small world: how far the critic is off, how far a token moves the outlook


def show(scenario: Scenario) -> Shown:
    if scenario.values is None:
        return Shown(
            facts=quantities.facts("reward_to_go", scenario),
            work=worked(quantities.reward_to_go, scenario),
            twins=(twins.returns_to_go,),
        )
    facts = compute(side_by_side, scenario)
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={"one": gae_lambda_one_is_monte_carlo(), "gap": monte_carlo_exceeds_lambda_return_by_later_deltas()},
        counterexamples={"any": gae_is_monte_carlo_at_any_lambda()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"both": over_tokens("together", first_of(facts.numbers, "mc_advantages", "advantages"), "advantages")},
        twins=(twins.monte_carlo,),
    )


def side_by_side(x: Inputs) -> dict[str, Any]:
    """Both ways, and at every token what the first has over the second."""
    found = quantities.gae(x)
    return {**found, "gap": x.on.advantages_of(found["mc_advantages"], found["advantages"], x.mask)}


# ---------------------------------------------------------------- what learners claim


def _at(scenario: Scenario, **changes: float | list[float]) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _one_is_monte_carlo(scenario: Scenario) -> Judged:
    gae_lambda_one_is_monte_carlo()
    found = quantities.facts("gae", numbers(scenario).merged({"lam": 1.0})).numbers
    same = all(abs(a - b) < 1e-9 for a, b in zip(found["advantages"], found["mc_advantages"], strict=True))
    return Judged(holds(same), {"gae": found["advantages"][0], "mc": found["mc_advantages"][0]})


def _same_at_every_lambda(_: Scenario) -> Judged:
    found = gae_is_monte_carlo_at_any_lambda()
    given = dict(found.inputs)
    return Judged(
        holds(found.left == found.right),
        {"gae": found.left, "mc": found.right, "r": given["rewards"], "v": given["values"],
         "gamma": given["gamma"], "lam": given["lam"]},
    )  # fmt: skip


def _zero_is_monte_carlo(_: Scenario) -> Judged:
    found = _at(at_hand(), lam=0.0)
    return Judged(
        holds(found["advantages"] == found["mc_advantages"]),
        {"gae": found["advantages"][0], "delta": found["deltas"][0], "mc": found["mc_advantages"][0]},
    )


def _same_at_the_last_token(scenario: Scenario) -> Judged:
    ends = [[_at(scenario, lam=lam)[name][-1] for name in ("advantages", "mc_advantages")] for lam in (0.0, 0.5, 1.0)]
    return Judged(holds(all(a == b for a, b in ends)), {"both": ends[0][0]})


def _differ_by_a_constant(own: Scenario) -> Judged:
    gap = compute(side_by_side, own).exact["gap"]
    return Judged(holds(len(set(gap)) == 1), {"first": gap[0], "second": gap[1]})


def _moved(scenario: Scenario, t: int) -> tuple[Any, Any]:
    """The first token's Monte Carlo advantage, as it is and with V_t one higher."""
    own = numbers(scenario)
    higher = [v + float(i == t) for i, v in enumerate(own.rows("values")[0])]
    return _at(own)["mc_advantages"][0], _at(own, values=higher)["mc_advantages"][0]


def _needs_no_value(scenario: Scenario) -> Judged:
    before, after = _moved(scenario, 0)
    return Judged(holds(before == after), {"before": before, "after": after})


def _no_later_value(scenario: Scenario) -> Judged:
    later = range(1, numbers(scenario).length)
    pairs = [_moved(scenario, t) for t in later]
    return Judged(holds(all(abs(a - b) < 1e-9 for a, b in pairs)), {"before": _at(scenario)["mc_advantages"][0]})


def _needs_later_rewards(_: Scenario) -> Judged:
    rewards = (0.0, 0.0, 1.0)
    whole = sequences.mc_returns([Fraction(r) for r in rewards], Fraction(1))
    cut = sequences.mc_returns([Fraction(r) for r in rewards[:-1]], Fraction(1))
    return Judged(holds(whole[0] != cut[0]), {"whole": whole[0], "cut": cut[0]})


def _gae_is_always_smaller(_: Scenario) -> Judged:
    r, v, gamma, lam = [Fraction(0), Fraction(0)], [Fraction(0), Fraction(1, 2)], Fraction(1), Fraction(1, 2)
    found, mc = gae(r, v, gamma, lam)[0], sequences.mc_advantages(sequences.mc_returns(r, gamma), v)[0]
    return Judged(holds(found <= mc or abs(found) <= abs(mc)), {"gae": found, "mc": mc})


def _baseline_biases(_: Scenario) -> Judged:
    """Σ p(a) ∂log p(a)/∂logit · V, which is what V_t adds to the mean gradient."""
    p, value = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], Fraction(3, 4)

    def mean_slope(logit: int) -> Fraction:
        return Fraction(expected(p, lambda a: ((a == logit) - p[logit]) * value))

    added = [mean_slope(logit) for logit in range(len(p))]
    return Judged(holds(any(added)), {"added": added[0], "p": p})


@cache
def _worlds() -> dict[str, Facts]:
    """A_0 over every way that six tokens can go, the first one given, at λ = 0, ½ and 1."""
    critics = {"exact": 0.0, "wrong": OFF, "far_off": 2 * OFF}
    return {
        name: compute(spread(walk(6, step=STEP, error=off, fade=FADE, first=1), (0.0, 0.5, 1.0)), Scenario())
        for name, off in critics.items()
    }


def _exact_critic_makes_them_equal(_: Scenario) -> Judged:
    found = _worlds()["exact"].exact
    return Judged(
        holds(found["variance"][1] == found["variance"][2]),
        {"mean": found["mean"][2], "gae": found["variance"][1], "mc": found["variance"][2]},
    )


def _only_gae_is_biased(_: Scenario) -> Judged:
    true, found = _worlds()["exact"].exact["mean"][0], _worlds()["wrong"].exact["mean"]
    return Judged(holds(found[1] != true and found[2] == true), {"true": true, "half": found[1], "one": found[2]})


def _gae_is_always_better(_: Scenario) -> Judged:
    """Squared error about the token's true advantage: bias squared and variance."""
    true = _worlds()["exact"].exact["mean"][0]
    errors = {
        name: [
            formulas.squared_error(mean, true) + variance
            for mean, variance in zip(world.exact["mean"], world.exact["variance"], strict=True)
        ]
        for name, world in _worlds().items()
    }
    return Judged(
        holds(all(row[0] <= row[2] for row in errors.values())),
        {"exact_gae": errors["exact"][0], "exact_mc": errors["exact"][2], "wrong_gae": errors["far_off"][0],
         "wrong_mc": errors["far_off"][2]},
    )  # fmt: skip


def _verl_gives_return_minus_value(scenario: Scenario) -> Judged:
    found = _at(scenario, gamma=1.0, lam=1.0)
    same = all(abs(a - b) < 1e-9 for a, b in zip(found["advantages"], found["mc_advantages"], strict=True))
    return Judged(holds(same), {"gae": found["advantages"][0], "mc": found["mc_advantages"][0]})


FACTS: dict[str, Check] = {
    "lambda_one_is_monte_carlo": _one_is_monte_carlo,
    "same_at_every_lambda": _same_at_every_lambda,
    "lambda_zero_is_monte_carlo": _zero_is_monte_carlo,
    "same_at_the_last_token": _same_at_the_last_token,
    "differ_by_a_constant": on_own(_differ_by_a_constant),
    "monte_carlo_needs_no_critic": _needs_no_value,
    "monte_carlo_uses_no_later_value": _no_later_value,
    "monte_carlo_needs_all_later_rewards": _needs_later_rewards,
    "gae_is_always_smaller": _gae_is_always_smaller,
    "baseline_biases_the_gradient": _baseline_biases,
    "exact_critic_makes_them_equal": _exact_critic_makes_them_equal,
    "only_gae_is_biased_by_a_wrong_critic": _only_gae_is_biased,
    "gae_is_always_better": _gae_is_always_better,
    "verl_default_is_return_minus_value": _verl_gives_return_minus_value,
    **MORE,
    **APART,
    **RETURNS,
    **STATED,
    **GRID,
    **TURNS,
    **BASELINES,
}
