"""What is no relation between numbers: how the identity is proved."""

from __future__ import annotations

from engine.proofs import theorem
from engine.proofs.proof import Induction
from engine.scenario import Scenario
from engine.sequences import discounted_sum
from lessons._fact import Check, Judged
from lessons._trials import HALF, judged, trial


def _by_induction(_: Scenario) -> Judged:
    found, proof = trial((0, "1/8", 0, 1), ("1/4", "1/2", "3/8", "3/4"), gamma=HALF), theorem("telescoping").proof
    if not isinstance(proof, Induction):
        return judged(False, sum=found.excess, excess=found.excess, steps=0)
    return judged(True, sum=discounted_sum(found.deltas, HALF), excess=found.excess, steps=len(proof.step_chain.steps))


FACTS: dict[str, Check] = {"the_identity_is_proved_by_induction": _by_induction}
