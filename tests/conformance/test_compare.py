"""The comparison notices what it is there for. No verl needed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from engine.kernels import statistics
from tests.conformance.batches import random_batch
from tests.conformance.case import NEW, OLD, Case, Verl, with_gradient
from tests.conformance.compare import CASES, compare, difference
from tests.conformance.table import disagreeing, row

BATCHES = [random_batch(seed) for seed in range(12)]


def _case(theirs: object, **choices: object) -> Case:
    return Case("a", theirs, lambda b: [statistics.masked_mean(b.advantages, b.mask)], **choices)


def test_a_wrong_mean_disagrees() -> None:
    def padded(_: Verl, b):  # the mean over padding too
        return [b.advantages.mean()]

    def right(_: Verl, b):
        return [(b.advantages * b.mask).sum() / b.mask.sum()]

    found = [compare(_case(theirs, tolerance=1e-5), Verl(OLD, None, None), BATCHES) for theirs in (padded, right)]
    assert disagreeing(found) == found[:1]


def test_not_a_number_disagrees() -> None:
    nan = torch.tensor([float("nan")])
    assert difference(nan, torch.ones(1)) == math.inf
    assert difference(torch.ones(1), nan) == math.inf
    assert disagreeing([{"difference": math.nan, "tolerance": 1}])


def test_another_shape_disagrees() -> None:
    assert difference(torch.ones(2, 1), torch.ones(2, 3)) == math.inf
    assert difference(torch.ones(2, 3), torch.ones(2, 3)) == 0


def test_an_output_left_out_is_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        compare(_case(lambda _verl, b: [b.mask.sum()] * 2), Verl(OLD, None, None), BATCHES)


def test_only_the_later_version_is_allowed_its_count() -> None:
    case = _case(None, divides_by_count=True)
    assert case.allowed(OLD) < case.allowed(NEW)
    assert not case.remarks(OLD) and "count" in case.remarks(NEW)


def test_the_committed_table_is_complete_and_agrees() -> None:
    lines = (Path(__file__).parents[2] / "engine/CONFORMANCE.md").read_text(encoding="utf-8").splitlines()
    cells = [line.strip("|").split(" | ") for line in lines if line.startswith("| `")]
    assert {(function.strip(" `"), version) for function, version, *_ in cells} == {
        (case.function, version) for case in CASES for version in case.versions
    }
    assert all(float(gap) <= float(allowed) for _, _, _, gap, allowed, _ in cells)


def test_a_row_says_what_was_found() -> None:
    entry = {"function": "f", "version": OLD, "batches": 7, "difference": 2.5e-9, "tolerance": 1e-7, "note": "n"}
    assert row(entry) == "| `f` | 0.2 | 7 | 2.5e-09 | 1e-07 | n |"


def test_the_batches_are_what_they_say() -> None:
    assert any(b.holes for b in BATCHES) and any((b.mask == 0).any() for b in BATCHES)
    assert any(((b.new - b.old).abs() > 20).any() for b in BATCHES)
    for b in BATCHES:
        assert b.mask.sum() > 1
        assert (torch.bincount(b.groups) > 1).all()
        assert torch.equal(b.placed.sum(dim=1), b.scores)
        assert not (b.placed * (1 - b.mask)).any()


def test_with_gradient_gives_the_derivative() -> None:
    value, gradient = with_gradient(lambda x: x**2, torch.tensor([3.0]))
    assert (float(value), float(gradient)) == (9, 6)
