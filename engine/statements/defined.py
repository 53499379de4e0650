"""$names: what a file or a fact has defined, put in their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from engine.statements.reading import read, read_changes
from engine.statements.terms import Change, Defined, Name, Term


class Definitions:
    """Texts by name, those of a fact before those of its file; a term is read when it is asked for.

    Inside a definition its own name means what the next layer has: `sum = "$sum @ {lam = 0}"`. A definition can have
    parameters: `"twice(x)" = "2 * x"`, used as $twice(A_0).
    """

    def __init__(self, *layers: Mapping[str, str]) -> None:
        self._layers = layers
        self._named = cache(self._find)

    def read(self, text: str, parameters: tuple[str, ...] = ()) -> Term:
        return self._filled(read(text, frozenset(parameters)))

    def changes(self, text: str) -> tuple[Change, ...]:
        return self._filled(read_changes(text))

    def _find(self, name: str) -> tuple[tuple[str, ...], Term]:
        """The parameters of a definition, and what it says."""
        for k, layer in enumerate(self._layers):
            for head, text in layer.items():
                own, _, inside = head.partition("(")
                if own == name:
                    parameters = tuple(one.strip() for one in inside.rstrip(")").split(",")) if inside else ()
                    rest = {other: said for other, said in layer.items() if other != head}
                    return parameters, Definitions(*self._layers[:k], rest, *self._layers[k + 1 :]).read(
                        text, parameters
                    )
        raise ValueError(f"${name} is not defined")

    def _filled(self, x: Any) -> Any:
        """A term, or several, without any $name."""
        return _put(x, lambda one: self._defined(one) if isinstance(one, Defined) else None)

    def _defined(self, one: Defined) -> Term:
        parameters, term = self._named(one.name)
        if len(parameters) != len(one.arguments):
            raise ValueError(f"${one.name} takes {len(parameters)}, not {len(one.arguments)}")
        given = dict(zip(parameters, self._filled(one.arguments), strict=True))
        return _put(term, lambda name: given.get(name.name) if isinstance(name, Name) else None) if given else term


def _put(x: Any, instead: Callable[[Any], Term | None]) -> Any:
    """A term, or several, with other terms in the places of some of its parts."""
    found = instead(x)
    if found is not None:
        return found
    if isinstance(x, tuple):
        return tuple(_put(one, instead) for one in x)
    if hasattr(x, "__dataclass_fields__"):
        return replace(x, **{part.name: _put(getattr(x, part.name), instead) for part in fields(x)})
    return x
