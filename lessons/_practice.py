"""What a lesson asks of its learners: practice.toml, where it is there.

number = 15                                   the lesson's own, in the name of each exercise
[[asks]]                                      numbers that are asked for (engine/exercise.py: Ask)
true = ["q_knows_the_token", …]               facts that can be picked out as true
[false]                                       among statements that their checks find false, put into words
value_is_the_best_q.zh = "…"   value_is_the_best_q.en = "…"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.exercise import Ask, Drill
from engine.mistakes import MISTAKES
from lessons._fact import Fact

FILE = "practice.toml"


@dataclass(frozen=True)
class Practice:
    drill: Drill
    false: Mapping[str, Mapping[str, str]]  # fact → a statement that its check finds false, by language


def practice(folder: Path, facts: Mapping[str, Fact], languages: tuple[str, ...]) -> Practice | None:
    """The practice of a lesson; a mistake or a fact that is not there raises ValueError."""
    path = folder / FILE
    if not path.is_file():
        return None
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    asks = tuple(_ask(one) for one in table.get("asks", ()))
    false, true = table.get("false", {}), tuple(table.get("true", ()))
    unknown = {id for ask in asks for id in ask.mistakes} - set(MISTAKES) | ({*false, *true} - set(facts))
    if unknown or any(set(words) != set(languages) for words in false.values()):
        raise ValueError(f"{path}: {sorted(unknown) or 'a statement is not there in every language'}")
    return Practice(Drill(table["number"], asks, tuple(false), true), false)


def _ask(table: Mapping[str, Any]) -> Ask:
    read: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in table.items()}
    return Ask(**read)
