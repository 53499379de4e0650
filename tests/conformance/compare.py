"""Run every shared function of one verl version and of Telescope on the same random batches.

    python tests/conformance/compare.py 0.9.1 agreement.json

The version is the one on PYTHONPATH. In float64, so that formulas are compared and not roundings.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import torch
from torch import Tensor

from tests.conformance import cases_advantages, cases_doctor, cases_losses, cases_rewards
from tests.conformance.batches import Batch, random_batch
from tests.conformance.case import NEW, OLD, Case, Verl

BATCHES = 200
CASES = [*cases_rewards.CASES, *cases_advantages.CASES, *cases_losses.CASES]


def difference(theirs: Tensor, ours: Tensor) -> float:
    """The largest distance, relative where ours is above 1; infinite if one is not a number or of another shape."""
    if theirs.shape != ours.shape:
        return float("inf")
    gap = (theirs - ours).abs() / ours.abs().clamp(min=1)
    return float(gap.nan_to_num(nan=float("inf")).max())


def load(version: str) -> Verl:
    core = importlib.import_module("verl.trainer.ppo.core_algos")
    functional = importlib.import_module("verl.utils.torch_functional")
    if version == OLD:
        return Verl(version, core, functional, trainer=importlib.import_module("verl.trainer.ppo.ray_trainer"))
    return Verl(version, core, functional, actor_config=importlib.import_module("verl.workers.config").ActorConfig)


def compare(case: Case, verl: Verl, batches: list[Batch]) -> dict[str, object]:
    fitting = [b for b in batches if case.applies(b)]
    gaps = [
        difference(torch.as_tensor(theirs), ours)
        for b in fitting
        for theirs, ours in zip(case.theirs(verl, b), case.ours(b), strict=True)
    ]
    return {
        "function": case.function,
        "version": verl.version,
        "batches": len(fitting),
        "difference": max(gaps),
        "tolerance": case.allowed(verl.version),
        "note": case.remarks(verl.version),
    }


def main(version: str, target: str) -> None:
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    assert version in (OLD, NEW), version
    verl = load(version)
    batches = [random_batch(seed) for seed in range(BATCHES)]
    cases = [(place, case) for place, case in enumerate(CASES) if version in case.versions]
    found = [{"place": place} | compare(case, verl, batches) for place, case in cases]
    found.append({"doctor": cases_doctor.verdicts(verl, batches)})
    Path(target).write_text(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
