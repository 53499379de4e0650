"""A conversation as a Jupyter notebook: each answer in words, and a cell that computes its numbers again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pprint import pformat
from typing import Any

from engine.errors import EngineError
from engine.scenario import LISTS, PARAMETERS
from lessons._lesson import lessons
from prompts.answer import Answer
from prompts.taken.dialogue import Exchange
from prompts.taken.recomputed import numbers
from prompts.tell.words import word

OF_STATED = "gae"  # what a page that checks stated numbers computes, where it does not say
WIDTH = 100
IMPORTS = "from prompts.taken.recomputed import numbers"


def notebook(told: Sequence[tuple[Exchange, Answer]], language: str) -> str:
    """As nbformat has it, in its fourth version."""
    cells = [_words(word(language, "taken", "notebook")), _code(IMPORTS)]
    for number, (said, found) in enumerate(told, 1):
        head = word(language, "taken", "question").format(number=number)
        cells.append(_words(f"## {head}\n\n{_quoted(said.question)}\n\n{said.answer}"))
        cells += [_code(source, result) for source, result in _recomputing(found)]
    whole = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [{"id": f"cell-{i}", **cell} for i, cell in enumerate(cells)],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _recomputing(found: Answer) -> Iterator[tuple[str, Any]]:
    """The line that computes an answer's numbers, and what it gives; none where an answer has none."""
    given = {name: _plain(x) for name, x in found.params.items() if name in (*LISTS, *PARAMETERS, "tokens", "prompt")}
    lesson = lessons().get(found.lesson)
    if found.error is not None or lesson is None:
        return
    of = found.quantity or (found.lesson if lesson.audit is None else OF_STATED)
    try:
        result = numbers(of, given)
    except EngineError:  # numbers that are not enough by themselves
        return
    if result:
        yield f"numbers(\n    {of!r},\n{_indented(pformat(given, width=WIDTH, sort_dicts=False))},\n)", result


def _plain(x: Any) -> Any:
    return [_plain(one) for one in x] if isinstance(x, list | tuple) else x


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(source: str, result: Mapping[str, Any] | None = None) -> dict[str, Any]:
    shown = [] if result is None else [_shown(result)]
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "source": _lines(source),
        "outputs": shown,
    }


def _shown(result: Mapping[str, Any]) -> dict[str, Any]:
    text = pformat(result, width=WIDTH, sort_dicts=False)
    return {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
        "data": {"text/plain": _lines(text)},
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
