"""Join what compare.py found into the table that is kept beside the engine; fail if something disagrees.

python tests/conformance/table.py engine/CONFORMANCE.md old.json new.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

from tests.conformance.cases_doctor import TOKENS

HEAD = """# Agreement with verl

Written by `make conformance`: the real modules of verl 0.2 and 0.9.1 against Telescope's kernels on {batches} random
batches (right padding, holes, log-ratios beyond ±20, rewards and values of some hundreds, garbage outside the mask; for
the aggregation also a row without a valid token), float64, torch {torch}. The difference is the largest distance of two
outputs, relative where Telescope's is above 1, over all outputs and batches; arrays are compared where the mask is 1,
if nothing else is said.

| verl function | version | batches | max difference | allowed | known differences |
|---|---|---|---|---|---|
"""

DOCTOR = """
## The doctor on verl's tensors

`engine.doctor` is given what verl's `compute_gae_advantage_return` took and returned, on those of the batches that have
{tokens} tokens or more and γ above 0; γ and λ with them, if nothing else is said. Named means: the version is among the
conventions told, with its γ and λ, where nothing was changed; the mistake, where one was planted.

| what the doctor is given | version | due | named | batches |
|---|---|---|---|---|
"""


def row(found: dict[str, object]) -> str:
    cells = [
        f"`{found['function']}`",
        f"{found['version']}",
        f"{found['batches']}",
        f"{found['difference']:.1e}",
        f"{found['tolerance']:.0e}",
        f"{found['note']}",
    ]
    return "| " + " | ".join(cells) + " |"


def doctor_row(found: dict[str, object]) -> str:
    due = f"`{found['cause']}`" if found["cause"] else "follows"
    return f"| {found['what']} | {found['version']} | {due} | {found['named']} | {found['batches']} |"


def disagreeing(found: list[dict[str, object]]) -> list[dict[str, object]]:
    return [entry for entry in found if not float(str(entry["difference"])) <= float(str(entry["tolerance"]))]


def main(target: str, *sources: str) -> int:
    read = [entry for source in sources for entry in json.loads(Path(source).read_text())]
    found = [entry for entry in read if "function" in entry]
    told = [verdict for entry in read for verdict in entry.get("doctor", [])]
    found.sort(key=lambda entry: (entry["place"], entry["version"]))
    head = HEAD.format(batches=max(int(str(entry["batches"])) for entry in found), torch=torch.__version__)
    told.sort(key=lambda entry: str(entry["what"]))
    doctor = DOCTOR.format(tokens=TOKENS) + "\n".join(doctor_row(entry) for entry in told)
    Path(target).write_text(head + "\n".join(row(entry) for entry in found) + "\n" + doctor + "\n")
    return len(disagreeing(found)) + sum(entry["named"] != entry["batches"] for entry in told)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
