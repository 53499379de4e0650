"""Computations: a quantity, and a misconception run beside the right program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import mistakes, quantities
from engine.errors import EngineError
from engine.facts import Facts, work
from engine.readings.worked import Worked
from engine.scenario import Scenario
from lessons._lesson import lessons
from prompts.functions.answered import Check, Computed, MistakeRun
from prompts.functions.asked import MOST_IN_MIXTURE, ComputeQuantity, RunMistake
from prompts.functions.given import as_json, bounded, in_words, link, own, source, unknown
from prompts.tell.words import word

LONGEST_WORKED = 12  # tokens of a response whose working is shown
SAME = 1e-12
MIXTURE = "nstep_mixture"
UNTOLD = "probabilities"  # no page is about it


def compute(asked: ComputeQuantity) -> Computed:
    lang = asked.lang or "en"
    if asked.quantity == MIXTURE:
        bounded(asked.scenario, MOST_IN_MIXTURE)
    given, origin = own(asked)
    facts = quantities.facts(asked.quantity, given)
    numbers = as_json(facts.exact)
    used = sorted(name for name in facts.used if getattr(given, name) is not None)
    return {
        "quantity": asked.quantity,
        "numbers": numbers,
        "params": {name: as_json(getattr(given, name)) for name in used},
        "whose": {name: origin.get(name, "example") for name in used},
        "checks": checks(facts),
        "working": _working(asked.quantity, given),
        "source": source(quantities.QUANTITIES[asked.quantity]),
        "link": None if asked.quantity == UNTOLD else link(_question(asked, given), lang),
    }


def checks(facts: Facts) -> list[Check]:
    return [{"what": check.what, "residual": check.residual, "ok": check.ok} for check in facts.checks]


def _question(asked: ComputeQuantity, given: Scenario) -> str:
    """What shows these numbers on a page: the quantity by name, on its numbers."""
    numbers = asked.scenario or {name: getattr(given, name) for name in ("gamma", "lam")}
    return f"compute {asked.quantity}: {in_words(numbers)}"


def _working(quantity: str, given: Scenario) -> list[str]:
    longest = max(given.length, len(given.group_rewards or ()))
    if given.batched or given.mask is not None or longest > LONGEST_WORKED:
        return []
    return list(_lines(work(quantities.QUANTITIES[quantity], given)))


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The line of every number that was made."""
    for x in found.values():
        for one in x if isinstance(x, list) else [x]:
            if isinstance(one, Worked) and one.symbol is not None and one.made_from is not None:
                yield one.line("text")


def mistake(asked: RunMistake) -> MistakeRun:
    lang = asked.lang or "en"
    if asked.mistake not in mistakes.MISTAKES:
        raise unknown("mistake", asked.mistake, mistakes.MISTAKES)
    known = mistakes.MISTAKES[asked.mistake]
    given, _ = own(asked)
    for name in known.needs:
        if getattr(given, name) is None:
            raise EngineError("missing", field=name)
    right, wrong = quantities.facts(known.quantity, given), mistakes.run(known.id, given)
    return {
        "mistake": known.id,
        "in_words": word(lang, "causes", known.id),
        "quantity": known.quantity,
        "right": as_json(right.exact),
        "wrong": as_json(wrong.exact),
        "differs": [name for name in right.exact if not _same(right.exact[name], wrong.exact.get(name))],
        "coincides": known.agreement,
        "lesson": known.lesson,
        "source": f"engine.mistakes:{known.id}",
        "link": link(lessons()[known.lesson].question[lang], lang),
    }


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Mapping):
        return isinstance(b, Mapping) and list(a) == list(b) and _same(list(a.values()), list(b.values()))
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_same, a, b))
    return a is b if a is None or b is None else abs(float(a) - float(b)) <= SAME * max(1.0, abs(float(a)))
