"""Three policies, the current, the old and the reference: which formula reads which, shown by slopes that are zero."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Facts, Inputs, Program, compute
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario
from engine.slopes import total_slopes
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, lanes
from lessons._first import worked
from lessons._lesson import Shown
from lessons._policies import first, started
from lessons.reference_policy.checks import CHECKS

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("ratio_to_reference", "ratio_upside_down", "ratio_without_exp")
POLICIES = {"by_new": "new_logp", "by_old": "old_logp", "by_reference": "ref_logp"}


def show(scenario: Scenario) -> Shown:
    own = three(scenario)
    made = compute(rollout, own)
    actor = handed_over(own, made)
    facts, slopes = compute(update, actor).beside(made), {}
    for by, policy in POLICIES.items():
        slopes[by] = _slopes(update, actor, policy).beside(_slopes(rollout, own, policy))
        facts = facts.beside(slopes[by].under(by))
    return Shown(
        facts=facts,
        work={**worked(rollout, own), **worked(update, actor)},
        proofs={"one": theorem("ratio_is_one_at_first_step"), "in_loss": theorem("k2_gradient_is_log_ratio")},
        mistakes={id: compute(MISTAKES[id].change(update), actor) for id in MISTAKEN},
        figures={"along": _along(facts), "slopes": _figure(slopes)},
        twins=(twins.two_policies,),
    )


def three(scenario: Scenario) -> Scenario:
    """The three policies by their names; what the KL makes is made here, from scores where there are any."""
    if scenario.ref_logp is None:
        raise EngineError("missing", field="ref_logp")
    own = started(scenario.merged({"ratio": None}))
    made = {"logp": None, "kl_values": None} | ({"rewards": None} if own.scores is not None else {})
    return own.merged(made)


def rollout(x: Inputs) -> dict[str, Any]:
    """What is computed once, before any update, as far as the numbers reach: KL, rewards, advantages, targets."""
    found = {"ref_logp": x["ref_logp"], "old_logp": x["old_logp"], "kl": quantities.kl(x)}
    if not x.has("scores") and not x.has("rewards"):
        return found
    found["rewards"] = quantities.rewards(x)
    if x.has("values"):
        advantages, returns = x.on.gae(found["rewards"], x["values"], x.mask, gamma=x["gamma"], lam=x["lam"])
        found |= {"advantages": advantages, "returns": returns}
    return found


def update(x: Inputs) -> dict[str, Any]:
    """What every update computes; the advantages come as numbers. The last is there only if the loss has a KL."""
    found = {"new_logp": x["new_logp"], "ratio": x.on.ratios(x["new_logp"], x["old_logp"], x.mask)}
    if x.has("advantages"):
        found["objectives"] = x.on.surrogates(found["ratio"], x["advantages"], x.mask)
    return {**found, "kl_in_loss": x.on.kl_penalties(x["new_logp"], x["ref_logp"], x.mask, kind="k2")}


def handed_over(own: Scenario, made: Facts) -> Scenario:
    """The scenario of the update: the advantages are what the rollout's stage found."""
    if "advantages" not in made.numbers:
        return own
    found = made.numbers["advantages"]
    rows = found if isinstance(found[0], list) else [found]
    return own.merged({"advantages": [[0.0 if a is None else a for a in row] for row in rows]})


def _slopes(program: Program, own: Scenario, policy: str) -> Facts:
    """How the sum of every fact moves when all log-probabilities of one policy rise together."""
    names = tuple(name for name in compute(program, own).numbers if name not in POLICIES.values())
    return compute(total_slopes(program, names, policy), own)


def _along(facts: Facts) -> Figure:
    return lanes(facts.numbers, "ref_logp", "old_logp", "kl", "new_logp", "ratio")


def _figure(slopes: dict[str, Facts]) -> Figure:
    names = tuple(slopes["by_new"].numbers)
    return Figure(
        "matrix",
        x=names,
        series={by: tuple(found.numbers[name] for name in names) for by, found in slopes.items()},
        x_name="formula",
        y_name="policy",
    )


# ---------------------------------------------------------------- what learners claim


def _numbers(scenario: Scenario) -> Scenario:
    """The learner's numbers where all three policies and a scored response are there, else the running example's."""
    old = scenario.old_logp is not None or scenario.logp is not None
    policies = old and scenario.ref_logp is not None and scenario.new_logp is not None
    return three(scenario if policies and scenario.scores is not None and scenario.values is not None else RUNNING)


def _slope(scenario: Scenario, name: str, by: str) -> Any:
    return _slopes(update, handed_over(scenario, compute(rollout, scenario)), POLICIES[by]).exact[name]


def _ratio_uses_reference(scenario: Scenario) -> Judged:
    own = _numbers(scenario)
    right = compute(update, own).exact["ratio"]
    wrong = compute(MISTAKES["ratio_to_reference"].change(update), own).exact["ratio"]
    slope = _slope(own, "ratio", "by_reference")
    return Judged(holds(slope != 0), {"slope": slope, "right": first(right), "wrong": first(wrong)})


def _only_in_kl(scenario: Scenario) -> Judged:
    own = _numbers(scenario)
    direct = [_slope(own, name, "by_reference") for name in ("ratio", "objectives")]
    return Judged(holds(not any(direct)), {"ratio": direct[0], "objective": direct[1]})


def _clip_ties_to_reference(scenario: Scenario) -> Judged:
    own = _numbers(scenario)
    slopes = [_slope(own, "ratio", by) for by in ("by_reference", "by_old")]
    return Judged(holds(slopes[0] != 0), {"ref": slopes[0], "old": slopes[1]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "ratio_uses_reference": _ratio_uses_reference,
    "reference_only_in_kl": _only_in_kl,
    "clip_ties_to_reference": _clip_ties_to_reference,
}
