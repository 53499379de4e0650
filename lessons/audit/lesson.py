"""Numbers that someone states, checked one by one, and the program with a mistake that gives the wrong ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import audits, quantities
from engine.audits import Audited, Checked, Claim
from engine.example import LAM, RUNNING
from engine.facts import Facts, compute, work
from engine.mistakes import MISTAKES
from engine.notation import Symbol
from engine.notation import show as written
from engine.proofs import theorem
from engine.reachable import reachable
from engine.readings.worked import Worked
from engine.scenario import Scenario, scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._lesson import Shown
from lessons._twin import Function
from lessons.audit.between import BETWEEN
from lessons.audit.checks import MORE
from lessons.audit.further import FURTHER
from lessons.audit.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ()
LONGEST_WORKED = 24  # tokens
PLANTED, DIGITS = "mc_for_gae_as_if_lam_were_one", 3  # what the page shows when there is nothing to check
PARAMETERS = {name: f"{Symbol(name).latex} = {written(getattr(RUNNING, name)).latex}" for name in ("gamma", "lam")}
TWINS: Mapping[str, Function] = {  # quantity → what makes its numbers
    **dict.fromkeys(("gae", "masked_gae", "padding_leak", "lambda_sweep"), twins.gae),
    "nstep_mixture": twins.mixture,
    "mc": twins.monte_carlo,
    "reward_to_go": twins.returns_to_go,
    "kl_rewards": twins.kl_rewards,
    "kl_estimators": twins.estimators,
    "pipeline": twins.pipeline,
    "whiten": twins.whiten,
    "surrogate": twins.surrogate,
    "clip": twins.clip,
    "value_loss": twins.value_loss,
    **dict.fromkeys(("grpo", "rloo"), twins.groups),
    "probabilities": twins.probabilities,
}
BACKWARDS = ("gae", "masked_gae", "pipeline", "mc", "reward_to_go")  # quantities with lists made from their end
FROM_THE_END = ("advantages", "returns", "mc_returns", "mc_advantages")


def show(_: Scenario) -> Shown:
    """Nothing was stated: an audit of the running example with a mistake planted in it."""
    wrong = compute(MISTAKES[PLANTED].program, RUNNING)
    stated = [round(x, DIGITS) for x in wrong.numbers["advantages"]]
    found = audits.audit(RUNNING, [Claim("advantages", stated, DIGITS)], "gae")
    facts = quantities.facts("gae", RUNNING).under("counterexample")
    return Shown(
        facts=facts,
        work=_settling(RUNNING, found),
        proofs={
            "reach": theorem("reward_reaches_back_with_gamma_lambda"),
            "later": theorem("later_advantages_ignore_reward"),
        },
        mistakes={PLANTED: wrong},
        twins=_made_by(found),
        audited=replace(found, planted=True),
        formulas=PARAMETERS,
    )


def audit(given: Scenario, claims: Sequence[Claim], quantity: str | None, *, free: frozenset[str]) -> Shown:
    own, follows = audits.separated(given)
    stated = [*claims, *(claim for claim in follows if claim.name not in {c.name for c in claims})]
    if not stated:
        return show(own)
    found = audits.audit(own, stated, quantity, free=free)
    return Shown(
        facts=_together(found),
        work=_settling(own, found),
        mistakes=_wrong(own, found),
        twins=_made_by(found),
        audited=found,
    )


def _settling(own: Scenario, found: Audited) -> Mapping[str, Any]:
    """The working of the number that went wrong first, where it is one of a single short response."""
    if not found.wrong or found.wrong[0].cause == audits.COUNT or own.batched or own.mask is not None:
        return {}
    if found.wrong[0].where.partition("[")[0] not in found.computations:  # the text itself has all of it
        return {}
    origin = _origin(found)
    name, _, place = origin.where.partition("[")
    quantity = found.computations[name]
    if not audits.computable(quantity, own) or own.length > LONGEST_WORKED:
        return {}
    lines = work(quantities.QUANTITIES[quantity], own)[name]
    if isinstance(lines, list) and place.removesuffix("]").isdecimal():
        key = "first_wrong" if origin is found.wrong[0] else "last_wrong"
        return {key: lines[int(place.removesuffix("]"))]}
    return {"first_wrong": lines} if isinstance(lines, Worked) else {}


def _origin(found: Audited) -> Checked:
    """Where the error begins: at the first wrong number, in a list that is made from its end at its last."""
    first = found.wrong[0]
    name, _, _ = first.where.partition("[")
    if name not in FROM_THE_END or found.computations[name] not in BACKWARDS:
        return first
    return [x for x in found.wrong if x.where.partition("[")[0] == name and x.correct is not None][-1]


def _made_by(found: Audited) -> tuple[Function, ...]:
    """What makes the numbers that were checked."""
    return tuple(dict.fromkeys(TWINS[quantity] for quantity in found.computations.values()))


def _together(found: Audited) -> Facts | None:
    """What the right programs give."""
    if not found.facts:
        return None
    facts = found.facts[0]
    for other in found.facts[1:]:
        facts = facts.beside(other)
    return facts


def _wrong(own: Scenario, found: Audited) -> dict[str, Facts]:
    """The programs with the mistakes that were found, run as they are."""
    causes = dict.fromkeys(x.cause for x in found.wrong if x.cause in MISTAKES)
    return {id: compute(MISTAKES[id].program, own) for id in causes if id and _can_run(id, own)}


def _can_run(id: str, own: Scenario) -> bool:
    return MISTAKES[id].possible(own) and audits.computable(MISTAKES[id].quantity, own)


# ---------------------------------------------------------------- what learners claim


VALUES = (0.5, 0.6, 0.9)
THREE: dict[str, Any] = {"rewards": [0.0, 0.0, 1.0], "values": VALUES, "gamma": 1.0}


def _gae(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", scenario({**THREE, "lam": LAM, **changes})).exact)


def _equal_returns_need_lambda_one(_: Scenario) -> Judged:
    """All returns equal the outcome at λ = 1; below it only if every later δ is 0."""
    theorem("lambda_return_is_monte_carlo_if_later_deltas_vanish")
    usual, special = _gae(), _gae(values=[0.5, 1.0, 1.0])
    return Judged(
        "depends",
        {
            "lam": LAM,
            "first": usual["returns"][0],
            "special": special["returns"][0],
            "one": _gae(lam=1.0)["returns"][0],
        },
    )


def _consistent_means_right(_: Scenario) -> Judged:
    """Wrong advantages, and returns that are their sum with the values."""
    right = _gae()
    stated = [0.5, 0.4, 0.1]
    claims = [
        Claim("advantages", stated, DIGITS),
        Claim("returns", [a + v for a, v in zip(stated, VALUES, strict=True)], DIGITS),
    ]
    found = audits.audit(scenario({**THREE, "lam": LAM}), claims, "gae")
    return Judged(holds(not found.wrong), {"stated": stated[0], "right": right["advantages"][0]})


def _three_equal_steps(_: Scenario) -> Judged:
    found = quantities.facts("whiten", scenario({"advantages": [1, 2, 3]})).exact
    return Judged(
        holds(abs(float(found["whitened_population"][2]) - 1.2247) < 1e-4),
        {"sample": found["whitened"][2], "population": found["whitened_population"][2]},
    )


def _advantages_add_up_to_excess(_: Scenario) -> Judged:
    found = _gae()
    return Judged(
        holds(found["advantage_sum"] == found["excess"]),
        {"advantages": found["advantage_sum"], "deltas": found["delta_sum"], "excess": found["excess"]},
    )


def _last_needs_no_parameters(_: Scenario) -> Judged:
    ends = [_gae(gamma=gamma, lam=lam)["advantages"][-1] for gamma in (0.0, 0.5, 1.0) for lam in (0.0, 0.5, 1.0)]
    return Judged(holds(len(set(ends)) == 1), {"last": ends[0], "reward": 1, "value": VALUES[-1]})


def _anything_is_reachable(_: Scenario) -> Judged:
    """Learners' own numbers: transcript 004."""
    rewards = [-0.0003, -0.0002, -0.0003, -0.0002, -0.0003, 0.9999]
    values, stated = [0.82, 0.85, 0.88, 0.90, 0.92, 0.95], [0.13, 0.10, 0.08, 0.05, 0.03, 0.05]
    return Judged(holds(reachable(rewards, values, stated, 0.005)), {"stated": stated})


def _errors_run_backwards(_: Scenario) -> Judged:
    """A reward that is off by one in the middle."""
    right, wrong = _gae()["advantages"], _gae(rewards=[0.0, 1.0, 1.0])["advantages"]
    moved = [a != b for a, b in zip(right, wrong, strict=True)]
    return Judged(holds(moved == [True, True, False]), {"before": right[0], "after": wrong[0], "last": right[2]})


def _rounding_is_harmless(_: Scenario) -> Judged:
    """A chain that rounds every step to one decimal, against one that rounds the result."""
    right = _gae()["advantages"]
    chain = [0.1]
    for delta in (0.3, 0.1):
        chain.insert(0, round(delta + LAM * chain[0], 1))
    same = round(float(right[0]), 1) == chain[0] and round(float(right[0]), 3) == chain[0]
    return Judged(holds(same), {"rounded": chain[0], "right": right[0]})


FACTS: dict[str, Check] = {
    "equal_returns_need_lambda_one": _equal_returns_need_lambda_one,
    "consistent_means_right": _consistent_means_right,
    "three_equal_steps_are_population": _three_equal_steps,
    "advantages_add_up_to_excess": _advantages_add_up_to_excess,
    "last_advantage_needs_no_parameters": _last_needs_no_parameters,
    "anything_is_reachable": _anything_is_reachable,
    "errors_run_backwards": _errors_run_backwards,
    "rounding_on_the_way_is_harmless": _rounding_is_harmless,
    **MORE,
    **FURTHER,
    **BETWEEN,
    **TURNS,
}
