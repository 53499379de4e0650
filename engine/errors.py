"""What can be wrong with a request, as data: a code and the details. Another room puts it into words."""

from __future__ import annotations

from typing import Any


class EngineError(ValueError):
    """A request that cannot be computed as asked."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(f"{code}: " + ", ".join(f"{name}={value!r}" for name, value in details.items()))
        self.code = code
        self.details = details
