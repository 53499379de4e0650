"""Steps of the reading that an answer can do without: a fault of ours in one never costs the answer.

The step is skipped, which is as if it had found nothing, logged and counted.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from engine.errors import EngineError

_LOG = logging.getLogger(__name__)
FAULTS: Counter[str] = Counter()  # of each step since the program started
STEPS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}  # each step, and what it finds of nothing

P = ParamSpec("P")
T = TypeVar("T")


def step(nothing: Callable[..., Any]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Marks a step. `nothing`, called as the step is, says what it would have found of nothing."""

    def marked(run: Callable[P, T]) -> Callable[P, T]:
        name = f"{run.__module__}.{run.__qualname__}"

        @wraps(run)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return run(*args, **kwargs)
            except EngineError:
                raise  # said to the learner
            except Exception:  # noqa: BLE001  whatever it is, the other steps go on
                _LOG.exception("skipped %s", name)
                FAULTS[name] += 1
                return cast(T, nothing(*args, **kwargs))

        STEPS[name] = guarded, nothing
        return guarded

    return marked


def finds_none(*_: object, **__: object) -> None:
    """Nothing, of a step that finds something or None."""
