"""What the checks of claims compute: the running example with some parts changed."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.facts import Program, exact_facts
from engine.scenario import scenario
from lessons._at_hand import at_hand, batch_at_hand


def exact(quantity: str, **changes: Any) -> dict[str, Any]:
    """The facts of a computation on the running example with these parts in the place of its own."""
    return dict(quantities.facts(quantity, at_hand().merged(changes)).exact)


def alone(quantity: str, **given: Any) -> dict[str, Any]:
    """The facts of a computation on nothing but these numbers."""
    return dict(quantities.facts(quantity, scenario(given)).exact)


def whitened(name: str = "advantages", program: Program = quantities.gae, **changes: Any) -> list[Any]:
    """A list of the response at hand, as it comes out when the whole batch's is whitened."""
    batch = batch_at_hand().merged(changes)
    made = exact_facts(program, batch)[name]
    rows = [[float(x) for x in row] for row in (made if batch.batched else [made])]
    found = alone("whiten", advantages=rows)["whitened"]
    return list(found[0] if batch.batched else found)


def gae(**changes: Any) -> dict[str, Any]:
    return exact("gae", **changes)
