"""What tests/engine alone covers of the engine, and what its proofs cost: `python -m tests.engine.report`.

Writes engine/COVERAGE.md, if every test passes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / "engine/COVERAGE.md"
PROVE = """
import json, time
from engine import proofs
theorems = [proofs.theorem(name) for name in proofs.theorem_names()]
counterexamples = [proofs.counterexample(name) for name in proofs.counterexample_names()]
steps = sum(len(list(theorem.steps())) for theorem in theorems)
print(json.dumps([len(theorems), steps, len(counterexamples), time.process_time()]))
"""


class Proved(NamedTuple):
    theorems: int
    steps: int
    counterexamples: int
    cpu_seconds: float  # of the whole process, imports included


class Covered(NamedTuple):
    """Counts over some files."""

    files: int = 0
    statements: int = 0
    run: int = 0
    branches: int = 0
    taken: int = 0

    def plus(self, summary: Mapping[str, Any]) -> Covered:
        names = ("num_statements", "covered_lines", "num_branches", "covered_branches")
        return Covered(self.files + 1, *(a + summary[name] for a, name in zip(self[1:], names, strict=True)))

    @property
    def row(self) -> list[str]:
        parts = ((self.run, self.statements), (self.taken, self.branches))
        lines, branches = (f"{100 * part / max(whole, 1):.1f} %" for part, whole in parts)
        return [str(self.files), str(self.statements), lines, str(self.branches), branches]


def proved() -> Proved:
    done = subprocess.run([sys.executable, "-c", PROVE], check=True, capture_output=True, text=True, cwd=ROOT)
    return Proved(*json.loads(done.stdout))


def covered() -> dict[str, Mapping[str, Any]]:
    """File → the summary that coverage gives of it."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "coverage.json"
        measured = ["--cov=engine", "--cov-branch", f"--cov-report=json:{found}"]
        spread = [
            "-n",
            "auto",
            "--dist",
            "loadfile",
            "--ignore=tests/engine/test_report.py",
        ]  # it reads what is written
        subprocess.run([sys.executable, "-m", "pytest", "tests/engine", *spread, *measured], check=True, cwd=ROOT)
        files = json.loads(found.read_text(encoding="utf-8"))["files"]
    return {name: file["summary"] for name, file in files.items()}


def by_room(files: Mapping[str, Mapping[str, Any]]) -> dict[str, Covered]:
    """Folder → its counts, and those of all."""
    found: dict[str, Covered] = {}
    for name, summary in sorted(files.items()):
        for room in (str(Path(name).parent), "all"):
            found[room] = found.get(room, Covered()).plus(summary)
    return {**{room: counts for room, counts in found.items() if room != "all"}, "all": found["all"]}


def report(rooms: Mapping[str, Covered], proofs: Proved) -> str:
    head = ["room", "files", "statements", "run", "branches", "taken"]
    return "\n".join(
        [
            "# What the engine's own tests cover, and what its proofs cost",
            "",
            "Written by `make coverage`, which runs `tests/engine` and nothing else.",
            "",
            *_table(head, ([room, *counts.row] for room, counts in rooms.items())),
            "",
            "All theorems proved and all counterexamples run in one fresh process, imports included:",
            "",
            *_table(
                ["theorems", "steps checked", "counterexamples", "CPU seconds"],
                [[*map(str, proofs[:3]), f"{proofs.cpu_seconds:.1f}"]],
            ),
            "",
        ]
    )


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---:"] * len(head), *rows)]


if __name__ == "__main__":
    WRITTEN.write_text(report(by_room(covered()), proved()), encoding="utf-8")
    sys.stdout.write(WRITTEN.read_text(encoding="utf-8"))
