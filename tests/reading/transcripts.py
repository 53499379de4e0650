"""Statements of real conversations against the verdicts of an audit: `python -m tests.reading.transcripts file.jsonl`.

The file has a line for each statement, with `kind`, `claim` and `verdict` (right, partly, wrong). A conceptual one is
put to the tutor as it stands. Partly right is met by any verdict but a plain yes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from prompts.tutor import Request, answer

MET = {"right": {"true"}, "wrong": {"false"}, "partly": {"depends", "false"}}


def outcome(due: str, found: str | None) -> str:
    if found is None:
        return "none"
    return "met" if found in MET[due] else "missed"


def counted(lines: list[str]) -> Counter[tuple[str, str]]:
    """How many statements of each verdict due are met, missed, or given none."""
    entries = [json.loads(line) for line in lines]
    return Counter(
        (entry["verdict"], outcome(entry["verdict"], answer(Request((entry["claim"],))).verdict))
        for entry in entries
        if entry["kind"] == "conceptual" and entry["verdict"] in MET
    )


if __name__ == "__main__":
    found = counted(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    sys.stdout.writelines(f"{due}: {how} {count}\n" for (due, how), count in sorted(found.items()))
