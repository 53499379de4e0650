"""What the engine refuses, as a code and its data. The words are another room's."""

from __future__ import annotations

from typing import Any


class EngineError(ValueError):
    """An input for which the asked quantity does not exist."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details
