"""What a message states in numbers, and what it is to be checked on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.audits import Claim


@dataclass(frozen=True)
class Statement:
    """The numbers to compute from, as they were given, and what is stated of them, in the order of the text."""

    given: Mapping[str, Any]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    quantity: str | None = None  # which computation is meant, where several have what is stated
    solved: tuple[str, ...] = ()  # rates that nobody stated, as they fit the stated numbers
    denied: bool = False  # the message says that they are wrong: 这是算错了吧
    pasted: str = ""  # the text in which they have their places
