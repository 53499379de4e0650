"""Join what compare.py found into the table that is kept beside the engine; fail if something disagrees.

python tests/conformance/table.py engine/CONFORMANCE.md old.json new.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

HEAD = """# Agreement with verl

Written by `make conformance`: the real modules of verl 0.2 and 0.9.1 against Telescope's kernels on {batches} random
batches (right padding, holes, log-ratios beyond ±20, rewards and values of some hundreds, garbage outside the mask; for
the aggregation also a row without a valid token), float64, torch {torch}. The difference is the largest distance of two
outputs, relative where Telescope's is above 1, over all outputs and batches; arrays are compared where the mask is 1,
if nothing else is said.

| verl function | version | batches | max difference | allowed | known differences |
|---|---|---|---|---|---|
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


def disagreeing(found: list[dict[str, object]]) -> list[dict[str, object]]:
    return [entry for entry in found if not float(str(entry["difference"])) <= float(str(entry["tolerance"]))]


def main(target: str, *sources: str) -> int:
    found = [entry for source in sources for entry in json.loads(Path(source).read_text())]
    found.sort(key=lambda entry: (entry["place"], entry["version"]))
    head = HEAD.format(batches=max(int(str(entry["batches"])) for entry in found), torch=torch.__version__)
    Path(target).write_text(head + "\n".join(row(entry) for entry in found) + "\n")
    return len(disagreeing(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
