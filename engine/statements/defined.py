"""$names: what a file or a fact has defined, put in their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from engine.statements.reading import read, read_changes
from engine.statements.terms import Change, Defined, Term


class Definitions:
    """Texts by name, those of a fact before those of its file; a term is read when it is asked for.

    Inside a definition its own name means what the next layer has: `sum = "$sum @ {lam = 0}"`.
    """

    def __init__(self, *layers: Mapping[str, str]) -> None:
        self._layers = layers
        self.named = cache(self._named)

    def read(self, text: str) -> Term:
        return _filled(read(text), self.named)

    def changes(self, text: str) -> tuple[Change, ...]:
        return _filled(read_changes(text), self.named)

    def _named(self, name: str) -> Term:
        """What a name is defined as."""
        for k, layer in enumerate(self._layers):
            if name in layer:
                rest = {other: text for other, text in layer.items() if other != name}
                return Definitions(*self._layers[:k], rest, *self._layers[k + 1 :]).read(layer[name])
        raise ValueError(f"${name} is not defined")


def _filled(x: Any, defined: Callable[[str], Term]) -> Any:
    """A term, or several, without any $name."""
    if isinstance(x, Defined):
        return defined(x.name)
    if isinstance(x, tuple):
        return tuple(_filled(one, defined) for one in x)
    if hasattr(x, "__dataclass_fields__"):
        return replace(x, **{part.name: _filled(getattr(x, part.name), defined) for part in fields(x)})
    return x
