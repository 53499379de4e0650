"""How a model listens and speaks, measured without one: `make reading PROMPTS=out.jsonl REAL=messages.jsonl` writes
what it would be asked, `make reading REPLIES=in.jsonl REAL=messages.jsonl` measures with what it replied elsewhere.

Replies may lead to more questions: with both, PROMPTS gets those that REPLIES does not answer yet. OPENINGS=out.jsonl
writes the openings, to be read one by one.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from lessons._lesson import OUT_OF_SCOPE
from prompts import tutor
from prompts.answer import Answer
from prompts.model import Listened, listened
from prompts.model.calls import Result
from prompts.model.candidates import NAMES
from prompts.read import read
from prompts.read.nearest import Near
from prompts.read.understanding import told
from prompts.tutor import Request, answer
from tests.reading import real
from tests.reading.recorded import Recorded, recorded
from tests.reading.tables import share, table

SECOND = "compared: "  # what a second look said
WRITTEN = Path(tutor.__file__).with_name("model") / "LISTENING.md"


@dataclass(frozen=True)
class Heard:
    """A labelled message, answered with a model or without."""

    label: Mapping[str, Any]
    answer: Answer
    heard: Listened

    @property
    def told(self) -> tuple[str, ...]:
        """The facts that open the answer, in their order."""
        if self.heard.said:
            return tuple(near.fact for one in self.heard.said for near in one.facts)
        return tuple(near.fact for point in self.heard.question.points for near in told(point))

    @property
    def dropped(self) -> list[tuple[str, str]]:
        report = self.heard.report or {"dropped": []}
        return [(one["field"], one["why"]) for one in report["dropped"]]


def hear(label: Mapping[str, Any], model: Recorded | None) -> Heard:
    messages = tuple(label.get("messages") or [label["q"]])
    kept = []

    def keeping(*given: Any) -> Listened:
        kept.append(listened(*given))
        return kept[-1]

    with mock.patch.object(tutor, "connected", lambda: model), mock.patch.object(tutor, "listened", keeping):
        found = answer(Request(messages))
    return Heard(label, found, kept[0] if kept else Listened(read(messages)))


def figures(found: Sequence[Heard], points: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What can be counted of them; what an opening says is read by people."""
    makes = [(one, {*points[one.label["id"]]}) for one in found if points.get(one.label["id"])]
    due = [one for one in found if one.label.get("verdict_due")]
    given = [one for one in found if one.answer.verdict is not None]
    labelled = [one for one in given if one.label.get("verdict") is not None]
    placed = [one for one in found if one.label.get("lessons")]
    outside = [one for one in placed if one.label["lessons"][0] == OUT_OF_SCOPE]
    inside = [one for one in placed if OUT_OF_SCOPE not in one.label["lessons"]]
    pasted = [one for one in found if "numbers" in one.label]
    asked = [one.heard.report for one in found if one.heard.report is not None]
    drops = [drop for one in found for drop in one.dropped]
    tokens = sorted(report["tokens"] for report in asked) or [0]
    return {
        "lesson acceptable": share(one.answer.lesson in one.label["lessons"] for one in placed),
        "near the subject declined": share(one.answer.lesson == OUT_OF_SCOPE for one in outside),
        "declined where nothing else is right": share(
            one.answer.lesson == OUT_OF_SCOPE for one in outside if one.label["lessons"] == [OUT_OF_SCOPE]
        ),
        "in the subject refused": share(one.answer.lesson == OUT_OF_SCOPE for one in inside),
        "a fact that makes the point is told first": share(bool({*one.told[:1]} & facts) for one, facts in makes),
        "is told": share(bool({*one.told} & facts) for one, facts in makes),
        "numbers as they were given": share(taken(one) == lists(one.label["numbers"]) for one in pasted),
        "verdicts given": str(len(given)),
        "of verdicts due right": share(_right(one) for one in due),
        "of verdicts given, labelled, wrong": share(not _right(one) for one in labelled),
        "openings in its words": str(sum(bool(one.heard.said) for one in found)),
        "sentences proposed": str(sum(report["sentences"] for report in asked)),
        "thrown out by the lock's own check": str(sum(map(_own_check, drops))),
        "thrown out by the second look": str(
            sum(field == "opening" and why.startswith(SECOND) for field, why in drops)
        ),
        "verdicts thrown out by it": str(sum(field == "judged" and why.startswith(SECOND) for field, why in drops)),
        "shown in its words": str(sum(said.own for one in found for said in one.heard.said)),
        "shown as the fact itself": str(sum(not said.own for one in found for said in one.heard.said)),
        "openings without a second look": str(drops.count(("opening", "not compared"))),
        "asked of it": str(len(asked)),
        "not heard": str(sum(report["failed"] is not None for report in asked)),
        "calls, tokens in all": f"{sum(r['calls'] for r in asked)}, {sum(tokens)}",
        "tokens a message: mean, half, nine tenths, most": f"{sum(tokens) // len(tokens)}, {_below(tokens, 0.5)}, "
        f"{_below(tokens, 0.9)}, {tokens[-1]}",
    }


def _below(sorted_tokens: Sequence[int], part: float) -> int:
    return sorted_tokens[int(part * (len(sorted_tokens) - 1))]


def taken(one: Heard) -> dict[str, list[float]]:
    """The numbers that the answer takes for the learner's."""
    used = one.answer.params
    return lists({name: used[name] for name, whose in used["from"].items() if whose == "learner" and name in NAMES})


def lists(numbers: Mapping[str, Any]) -> dict[str, list[float]]:
    return {name: list(map(float, x if isinstance(x, list | tuple) else [x])) for name, x in numbers.items()}


def _own_check(drop: tuple[str, str]) -> bool:
    return (
        drop[0] == "opening" and not drop[1].startswith(SECOND) and drop[1] not in ("not compared", "too little left")
    )


def _right(one: Heard) -> bool:
    verdict = one.answer.verdict
    return verdict == one.label.get("verdict") or verdict in (one.label.get("verdict_also_ok") or ())


def report(files: Sequence[str], model: Recorded) -> str:
    lines = [
        "# How a model listens and speaks: measured",
        "",
        "Written by `make reading REPLIES=replies.jsonl REAL=messages.jsonl`: replies that a model gave elsewhere,",
        "taken as if they had been live. Figures in percent where nothing else is said.",
    ]
    for file in files:
        labels, points = real.labels(Path(file)), real.points(Path(file))
        without = figures([hear(label, None) for label in labels], points)
        found = [hear(label, model) for label in labels]
        within = figures(found, points)
        rows = [[name, without[name], within[name]] for name in within]
        thrown = Counter(drop for one in found for drop in one.dropped)
        drops = [[field, why, str(count)] for (field, why), count in thrown.most_common()]
        lines += ["", f"## {Path(file).stem}: {len(labels)} messages", ""]
        lines += [
            table(["", "without a model", f"with {model.name}"], rows),
            "",
            "What was dropped of its replies:",
            "",
        ]
        lines += [table(["field", "why", "times"], drops)]
        _write_openings(found)
    return "\n".join(lines) + "\n"


def _write_openings(found: Sequence[Heard]) -> None:
    """What was said, for people to read: kept nowhere here."""
    file = os.environ.get("OPENINGS")
    if file:
        with Path(file).open("a", encoding="utf-8") as out:
            for one in found:
                opening = [{"say": said.text, "facts": [*map(told_as, said.marks)]} for said in one.heard.said]
                told_of = {"id": one.label["id"], "verdict": one.answer.verdict, "judged": one.answer.judged}
                line = told_of | {"lesson": one.answer.lesson, "opening": opening, "dropped": one.dropped}
                line["shown"] = one.answer.markdown
                out.write(json.dumps(line, ensure_ascii=False) + "\n")


def told_as(mark: Near | Result) -> str:
    return mark.text if isinstance(mark, Result) else mark.fact


def measure(files: Sequence[str], prompts: str | None, replies: str | None) -> None:
    """Write what is still to be asked, and the report where there are replies."""
    model = recorded(Path(replies) if replies else None)
    if replies:
        WRITTEN.write_text(report(files, model), encoding="utf-8")
    else:
        for label in (label for file in files for label in real.labels(Path(file))):
            hear(label, model)
    if prompts:
        model.write(Path(prompts))
