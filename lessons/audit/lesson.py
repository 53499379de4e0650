"""Numbers that someone states, checked one by one, and the program with a mistake that gives the wrong ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import audits, quantities
from engine.audits import Audited, Checked, Claim
from engine.example import RUNNING
from engine.facts import Facts, compute, work
from engine.mistakes import MISTAKES
from engine.notation import Symbol
from engine.notation import show as written
from engine.proofs import theorem
from engine.readings.worked import Worked
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._lesson import Shown
from lessons._twin import Function
from lessons.audit.audited import AUDITED

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
FACTS: dict[str, Check] = AUDITED  # the other facts are claimed in facts.toml


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
