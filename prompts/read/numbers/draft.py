"""What is being put together from one message."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from prompts.read.numbers.cues import SCALARS, says
from prompts.read.numbers.grouping import Group
from prompts.read.numbers.model import Unnamed


@dataclass
class Draft:
    """Params and claims in the making; mutable, and never seen outside of one reading."""

    text: str
    params: dict[str, Any] = field(default_factory=dict)
    claimed: dict[str, Any] = field(default_factory=dict)
    unnamed: list[Unnamed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    elements: dict[str, dict[int, Any]] = field(default_factory=dict)  # r_0 = …, r_1 = …
    fills: dict[str, tuple[str, float]] = field(default_factory=dict)  # name → ("last" or "all", number)
    bare: set[str] = field(default_factory=set)  # lists that came as one number
    length: int | None = None

    @cached_property
    def audit(self) -> bool:
        return says("audit", self.text)

    def lists(self) -> set[str]:
        """The names that were given as lists."""
        return {name for name, value in self.params.items() if isinstance(value, list)}

    def give(self, name: str, value: Any, group: Group | None) -> None:
        """The first list of a name counts, before single numbers; a second one stands apart with its name."""
        if name in self.bare and isinstance(value, list):
            self.bare.discard(name)
            self.params[name] = value
        elif name in self.params and name not in SCALARS and group is not None:
            self.unnamed.append(Unnamed(as_list(value), group.start, group.end, name))
        else:
            self.params[name] = value


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
