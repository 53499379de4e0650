"""What each quantity is: sample, expectation or estimate, of what, given what."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.definitions import FIRST, definitions
from engine.facts import Facts, Inputs, compute
from engine.notation import show as written
from engine.proofs.monte_carlo import gae_is_decayed_sum_of_deltas
from engine.proofs.programs import gae
from engine.proofs.returns import advantage_plus_value_is_lambda_return
from engine.scenario import Scenario
from engine.world import World, small
from lessons import _twins as twins
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._figure import lanes
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.definitions.checks import MORE
from lessons.definitions.claimed import CHECKS
from lessons.definitions.judged import JUDGED
from lessons.definitions.meanings import MEANINGS
from lessons.definitions.recursion import RECURSION
from lessons.definitions.slopes import SLOPES
from lessons.definitions.turns_on import TURNS_ON
from lessons.definitions.whole import WHOLE
from lessons.definitions.whole_answer import WHOLE_ANSWER

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("mc_for_returns", "advantage_sum_for_delta_sum", "delta_for_advantage", "mc_for_gae_as_if_lam_were_one")
LAMS = (0.0, 0.5, 1.0)


def show(scenario: Scenario) -> Shown:
    own = quantities.facts("gae", first_response(scenario))
    return Shown(
        facts=quantities.facts("gae", scenario).beside(_small_world()),
        work=worked(quantities.gae, scenario),
        proofs={"decayed": gae_is_decayed_sum_of_deltas(), "target": advantage_plus_value_is_lambda_return()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={"whose": lanes(own.numbers, "mc_returns", "values", "returns", "rewards", "deltas", "advantages")},
        twins=(twins.gae,),
        formulas={
            f"{name}_{counting}": formula
            for counting, first in FIRST.items()
            for name, formula in definitions(first).items()
        },
    )


def _small_world() -> Facts:
    """V, Q and A of a world that can be counted through, beside what samples of them are."""

    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        value, q = world.value(()), [world.q((), token) for token in range(len(world.chances))]
        returns = [sequences.mc_returns(world.rewards_along(response), world.gamma)[0] for response in world.responses]
        return {
            "responses": len(world.responses),
            "value": value,
            "q": q,
            "advantage": [formulas.advantage(of_token, value) for of_token in q],
            "mean_advantage": sum(p * (of_token - value) for p, of_token in zip(world.chances, q, strict=True)),
            "sampled_returns": returns,
            "sampled_advantages": [formulas.advantage(g, value) for g in returns],
            "mean_estimates": {written(lam).text: _mean_estimates(world, x.number("lam", lam)) for lam in LAMS},
        }

    return compute(program, Scenario()).under("constants")


def _mean_estimates(world: World, lam: Any) -> list[Any]:
    """The mean of the estimated A_0 over the responses that begin with each token."""
    return [
        world.expected(lambda path: gae(world.rewards_along(path), world.values_along(path), world.gamma, lam)[0], (a,))
        for a in range(len(world.chances))
    ]


# ---------------------------------------------------------------- what learners claim


def _world() -> dict[str, Any]:
    return dict(_small_world().exact["constants"])


def _at(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _advantage_is_q_minus_v(_: Scenario) -> Judged:
    """By definition; and what GAE estimates with exact values is that, in the mean and for every λ."""
    found = _world()
    estimates = found["mean_estimates"].values()
    same = all(close(row, found["advantage"]) for row in estimates)
    return Judged(holds(same), {"q": found["q"][0], "v": found["value"], "a": found["advantage"][0]})


def _advantage_is_return_minus_value_by_definition(_: Scenario) -> Judged:
    found = _world()
    count = len(found["sampled_advantages"]) // len(found["q"])
    samples = found["sampled_advantages"][:count]  # of the responses that begin with the first token
    return Judged(
        holds(all(a == found["advantage"][0] for a in samples)),
        {"samples": samples, "a": found["advantage"][0], "mean": sum(samples) / count},
    )


def _code_computes_q_minus_v(_: Scenario) -> Judged:
    return _advantage_is_return_minus_value_by_definition(Scenario())


def _only_what_is_still_to_come(_: Scenario) -> Judged:
    """An earlier reward changes no later return."""
    before, after = _at(Scenario()), _at(Scenario(), rewards=[5.0, *map(float, _at(Scenario())["rewards"][1:])])
    same = close(before["mc_returns"][1:], after["mc_returns"][1:])
    return Judged(holds(same), {"whole": before["mc_returns"][0], "rest": before["mc_returns"][1]})


def _value_is_expected_return(_: Scenario) -> Judged:
    found = _world()
    mean = sum(found["sampled_returns"]) / found["responses"]  # all responses are equally likely there
    return Judged(holds(close(mean, found["value"])), {"v": found["value"], "samples": found["sampled_returns"]})


def _return_counts_from_its_token(_: Scenario) -> Judged:
    before = _at(Scenario())
    more = _at(Scenario(), rewards=[*map(float, before["rewards"][:2]), 1.0, *map(float, before["rewards"][3:])])
    return Judged(
        holds([close(more["mc_returns"][t], before["mc_returns"][t]) for t in (2, 3)] == [False, True]),
        {"before": before["mc_returns"][2], "after": more["mc_returns"][2], "next": more["mc_returns"][3]},
    )


def _return_is_the_actual_sum(_: Scenario) -> Judged:
    half, one = _at(Scenario(), lam=0.5), _at(Scenario(), lam=1.0)
    at_one, at_half = (close(found["returns"], found["mc_returns"]) for found in (one, half))
    return Judged(
        "depends" if at_one and not at_half else holds(at_one),
        {"actual": one["mc_returns"][0], "half": half["returns"][0], "one": one["returns"][0]},
    )


def _gae_is_decayed_sum(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    found, decay = _at(own), (own.gamma or 0.0) * (own.lam or 0.0)
    total = sum(decay**k * float(delta) for k, delta in enumerate(found["deltas"]))
    return Judged(holds(close(total, found["advantages"][0])), {"a": found["advantages"][0], "last": own.length - 1})


def _reward_and_return_are_one(_: Scenario) -> Judged:
    found = _at(Scenario())
    return Judged(
        holds(found["rewards"] == found["mc_returns"]),
        {"reward": found["rewards"][0], "g": found["mc_returns"][0]},
    )


def _mean_advantage_is_zero(_: Scenario) -> Judged:
    found = _world()
    return Judged(holds(found["mean_advantage"] == 0), {"a": found["advantage"], "mean": found["mean_advantage"]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "advantage_is_q_minus_v": _advantage_is_q_minus_v,
    "advantage_is_return_minus_value_by_definition": _advantage_is_return_minus_value_by_definition,
    "code_computes_q_minus_v": _code_computes_q_minus_v,
    "only_what_is_still_to_come": _only_what_is_still_to_come,
    "value_is_expected_return": _value_is_expected_return,
    "return_counts_from_its_token": _return_counts_from_its_token,
    "return_is_the_actual_sum": _return_is_the_actual_sum,
    "gae_is_decayed_sum_of_deltas": _gae_is_decayed_sum,
    "reward_and_return_are_one": _reward_and_return_are_one,
    "mean_advantage_is_zero": _mean_advantage_is_zero,
    **MORE,
    **JUDGED,
    **MEANINGS,
    **RECURSION,
    **SLOPES,
    **TURNS_ON,
    **WHOLE,
    **WHOLE_ANSWER,
}
