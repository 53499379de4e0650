"""The exact facts of one response by their names."""

from __future__ import annotations

from typing import Any

from engine.computing import computed
from engine.scenario import Scenario

RATES = ("gamma", "lam")


class NotThereError(Exception):
    """A number that the response does not have."""


class Own:
    """The facts of one response, each computed when it is asked for."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    def __getattr__(self, name: str) -> Any:
        given = getattr(self._scenario, name, None) if name != "kl" else None  # the estimator's name
        if name in RATES:
            return given
        if given is None:
            found = computed(self._scenario, name)
            given = found.facts.exact[name] if found is not None and found.name == name else None
        if isinstance(given, tuple | list) and given and isinstance(given[0], tuple | list):
            given = given[0] if len(given) == 1 else None
        if given is None:
            raise NotThereError(name)
        return list(given) if isinstance(given, tuple) else given
