"""Numbers as a learner may type them: what a help page shows and offers to click."""

from __future__ import annotations

from functools import cache

from engine.notation import show
from prompts.read.fresh import drawn

TOKENS = 3


@cache
def sample() -> str:
    nothing = [0.0] * TOKENS
    found = drawn({"rewards": nothing, "values": nothing}, frozenset(), seed=1)
    lists = ", ".join(f"{name} = [{', '.join(show(x).text for x in found[name])}]" for name in ("rewards", "values"))
    return f"{lists}, γ = {show(found['gamma']).text}, λ = {show(found['lam']).text}"
