"""A picture of a response: its rewards and values, and what is made of them, along the tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import quantities
from engine.scenario import Scenario
from lessons._figure import lanes
from lessons._first import first_response
from lessons._lesson import Shown
from prompts.functions.answered import Drawn
from prompts.functions.asked import DrawScenario
from prompts.functions.given import as_json, in_words, link, own, source
from prompts.tell.draw import drawn
from prompts.tell.figures import picture
from prompts.tell.ground import Grounded, emit
from prompts.tell.values import Values
from prompts.tell.words import word

_LANES = {  # quantity → what is drawn of it
    "gae": ("values", "rewards", "deltas", "advantages", "returns"),
    "reward_to_go": ("rewards", "mc_returns"),
}


def draw(asked: DrawScenario) -> Drawn:
    lang = asked.lang or "en"
    given, origin = own(asked)
    one = first_response(given)
    quantity = "gae" if one.values is not None else "reward_to_go"
    numbers = as_json(quantities.facts(quantity, one).exact)
    title = f"{word(lang, 'drawing', 'title')}{_of_batch(given, lang)}"
    found = picture(lanes(numbers, *_LANES[quantity]), emit(Grounded(title)), Values(lang, one, origin, Shown()))
    return {
        "svg": drawn(found),
        "alt": found.told,
        "numbers": numbers,
        "source": source(drawn),
        "link": link(_question(asked, quantity, given), lang),
    }


def _question(asked: DrawScenario, quantity: str, given: Scenario) -> str:
    numbers: Mapping[str, Any] = asked.scenario or {"gamma": given.gamma, "lam": given.lam}
    return f"compute {quantity}: {in_words(numbers)}"


def _of_batch(given: Scenario, lang: str) -> str:
    if not given.batched:
        return ""
    rows = max(len(given.rows(name)) for name in ("rewards", "values", "scores") if getattr(given, name))
    return f" ({word(lang, 'drawing', 'of_batch').format(rows=rows)})"
