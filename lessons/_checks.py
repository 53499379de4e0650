"""What the checks of claims compute: the running example with some parts changed."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.facts import exact_facts
from engine.scenario import scenario
from lessons._at_hand import at_hand, batch_at_hand


def exact(quantity: str, **changes: Any) -> dict[str, Any]:
    """The facts of a computation on the running example with these parts in the place of its own."""
    return dict(quantities.facts(quantity, at_hand().merged(changes)).exact)


def alone(quantity: str, **given: Any) -> dict[str, Any]:
    """The facts of a computation on nothing but these numbers."""
    return dict(quantities.facts(quantity, scenario(given)).exact)


def whitened(**changes: Any) -> list[Any]:
    """The advantages of the response at hand, whitened over the whole batch."""
    batch = batch_at_hand().merged(changes)
    made = exact_facts(quantities.gae, batch)["advantages"]
    rows = [[float(x) for x in row] for row in (made if batch.batched else [made])]
    found = alone("whiten", advantages=rows)["whitened"]
    return list(found[0] if batch.batched else found)


def gae(**changes: Any) -> dict[str, Any]:
    return exact("gae", **changes)
