"""The theorems and the refuted claims, found by walking this folder: each module lists its own by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.proofs.proof import Theorem
    from engine.proofs.refutation import Counterexample


@cache
def _listed(listing: str) -> Mapping[str, Callable[[], Any]]:
    """What all modules list under THEOREMS, or COUNTEREXAMPLES; a name may stand in one module only."""
    found: dict[str, Callable[[], Any]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        contents = vars(import_module(f"{__name__}.{module.name}"))
        if listing not in contents:
            continue  # a part of the proof language
        for name, make in contents[listing].items():
            if name in found:
                raise ValueError(f"two {listing} are called {name}")
            found[name] = make
    return found


def theorem_names() -> tuple[str, ...]:
    return tuple(_listed("THEOREMS"))


def counterexample_names() -> tuple[str, ...]:
    return tuple(_listed("COUNTEREXAMPLES"))


def maker(name: str) -> Callable[[], Theorem]:
    """Which function proves the theorem of this name."""
    return _listed("THEOREMS")[name]


@cache
def theorem(name: str) -> Theorem:
    """The theorem of this name, proved once per process."""
    return _listed("THEOREMS")[name]()


@cache
def counterexample(name: str) -> Counterexample:
    """The refuted claim of this name, run once per process."""
    return _listed("COUNTEREXAMPLES")[name]()
