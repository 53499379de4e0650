"""The kept table of times meets what is asked of the kernel. Nothing is timed here."""

from __future__ import annotations

import operator
from pathlib import Path

import pytest

REPORT = Path(__file__).parents[2] / "engine/kernels/BENCHMARK.md"
ASKED = {"at most": [12, 8.5, 8.5, 1.8, 9.5], "at least": [400, 300, 80, 15, 1500]}


def numbers() -> dict[str, list[float]]:
    """Name → one number per shape, from the table of what is asked."""
    lines = REPORT.read_text(encoding="utf-8").split("What is asked of it:")[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {name: [float(cell) for cell in cells] for name, *cells in rows[2:]}


@pytest.mark.parametrize(
    ("measured", "bound", "holds"),
    [
        ("engine.gae, in units of two clones", "at most", operator.le),
        ("times faster than verl 0.9.1", "at least", operator.ge),
    ],
)
def test_every_multiple_is_met(measured, bound, holds):
    found = numbers()
    assert found[bound] == ASKED[bound]
    assert all(holds(x, limit) for x, limit in zip(found[measured], found[bound], strict=True))
