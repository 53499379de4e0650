"""A picture of a response: its rewards and values, and what is made of them, along the tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import quantities
from engine.notation import SYMBOLS, show
from engine.scenario import Scenario
from lessons._first import first_response
from prompts.functions.answered import Drawn
from prompts.functions.asked import DrawScenario
from prompts.functions.given import as_json, in_words, link, own, source
from prompts.functions.svg import LONGEST_TOKEN, Lane, svg
from prompts.tell.texts import texts
from prompts.tell.words import word

LONGEST = 24  # tokens that are drawn
_LANES = {  # quantity → what is drawn of it
    "gae": ("values", "rewards", "deltas", "advantages", "returns"),
    "reward_to_go": ("rewards", "mc_returns"),
}
_OF_STATE = ("values", "returns", "mc_returns")


def draw(asked: DrawScenario) -> Drawn:
    lang = asked.lang or "en"
    given, origin = own(asked)
    told = texts(given, origin, lang)
    one = first_response(given.merged({"tokens": told.tokens}) if given.tokens else given)
    quantity = "gae" if one.values is not None else "reward_to_go"
    numbers = as_json(quantities.facts(quantity, one).exact)
    lanes = [Lane(name, numbers[name][:LONGEST], name in _OF_STATE) for name in _LANES[quantity]]
    title = f"{word(lang, 'drawing', 'title')}{_left_out(given, one, lang)}"
    tokens = (one.tokens or ())[:LONGEST]
    alt = "\n".join([title, *_in_words(lanes, tokens, lang)])
    return {
        "svg": svg(lanes, tokens, title, alt),
        "alt": alt,
        "numbers": numbers,
        "source": source(svg),
        "link": link(_question(asked, quantity, given), lang),
    }


def _question(asked: DrawScenario, quantity: str, given: Scenario) -> str:
    numbers: Mapping[str, Any] = asked.scenario or {"gamma": given.gamma, "lam": given.lam}
    return f"compute {quantity}: {in_words(numbers)}"


def _left_out(given: Scenario, one: Scenario, lang: str) -> str:
    """What of the numbers is not drawn."""
    notes = []
    if given.batched:
        rows = max(len(given.rows(name)) for name in ("rewards", "values", "scores") if getattr(given, name))
        notes.append(word(lang, "drawing", "of_batch").format(rows=rows))
    if one.length > LONGEST:
        notes.append(word(lang, "drawing", "shown").format(length=one.length, shown=LONGEST))
    return "".join(f" ({note})" for note in notes)


def _in_words(lanes: list[Lane], tokens: tuple[str, ...], lang: str) -> list[str]:
    """Token by token: what stands at its state, then what it did."""
    lines = []
    for t in range(len(lanes[0].numbers)):
        called = f" “{tokens[t][:LONGEST_TOKEN]}”" if t < len(tokens) else ""
        numbers = ", ".join(
            f"{SYMBOLS[lane.name][1]} = {show(x).text}" for lane in lanes if (x := lane.numbers[t]) is not None
        )
        lines.append(f"{word(lang, 'drawing', 'axis')} {t}{called}: {numbers}")
    return lines
