"""How well pasted numbers are audited: the generated cases through the tutor, and the figures by layout and kind."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prompts.tutor import Request, answer
from tests.audit.generate import Case, case

HERE = Path(__file__).resolve().parents[2] / "lessons/audit/AUDITS.md"
CASES = 3000


@dataclass(frozen=True)
class Outcome:
    case: Case
    found: tuple[dict[str, Any], ...]
    audited: bool  # whether it was taken for numbers to check at all, without an error

    @property
    def right(self) -> bool:
        """Nothing is wrong and nothing is accused, or the first wrong cell is the first that is named."""
        return self.audited and self.case.first == (self.found[0]["where"] if self.found else None)

    @property
    def cause(self) -> bool:
        return self.right and self.case.first is not None and self.found[0]["cause"] in self.case.causes


def outcome(one: Case) -> Outcome:
    made = answer(Request((one.message,)))
    audited = made.lesson == "audit" and made.error is None and bool(made.verdict)
    return Outcome(one, tuple(dict(x) for x in made.mistakes), audited)


@dataclass(frozen=True)
class Figures:
    wrong: int
    first: int
    causes: int
    right: int
    accused: int
    unread: int  # of the right ones


def figures(outcomes: Iterable[Outcome]) -> Figures:
    every = list(outcomes)
    wrong = [x for x in every if x.case.first is not None]
    right = [x for x in every if x.case.first is None]
    return Figures(
        len(wrong), sum(x.right for x in wrong), sum(x.cause for x in wrong),
        len(right), sum(bool(x.found) for x in right), sum(not x.audited for x in right),
    )  # fmt: skip


def _row(name: str, x: Figures) -> str:
    def share(a: int, b: int) -> str:
        return f"{100 * a / b:.1f}" if b else ""

    cells = (
        x.wrong,
        share(x.first, x.wrong),
        share(x.causes, x.wrong),
        x.right,
        share(x.accused, x.right),
        share(x.unread, x.right),
    )
    return f"| {name} | {' | '.join(map(str, cells))} |"


def table(title: str, outcomes: Sequence[Outcome], by: Callable[[Case], str]) -> str:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[by(one.case)].append(one)
    head = f"| {title} | with a mistake | first found % | cause % | right | accused % | not audited % |"
    return "\n".join(
        [head, "|---|---:|---:|---:|---:|---:|---:|", *(_row(k, figures(groups[k])) for k in sorted(groups))]
    )


def report(outcomes: Sequence[Outcome]) -> str:
    total = table("all", outcomes, lambda c: "held out" if c.held_out else "looked at")
    parts = [
        "# Audits of pasted numbers\n\nMade by `make audits`: seeded cases of `tests/audit`, in both languages.",
        f"{len(outcomes)} cases. *Held out*: layouts that were not looked at while the reading was made.",
        total,
        table("layout", outcomes, lambda c: c.layout + (" (held out)" if c.held_out else "")),
        table("quantity", outcomes, lambda c: c.kind),
        table("planted", outcomes, lambda c: c.planted or "nothing"),
        table("digits", outcomes, lambda c: str(c.digits)),
        table("language", outcomes, lambda c: c.language),
        table("γ and λ", outcomes, lambda c: "said" if c.said else "left to be solved for"),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    HERE.write_text(report([outcome(case(seed)) for seed in range(count)]), "utf-8")


if __name__ == "__main__":
    main()
