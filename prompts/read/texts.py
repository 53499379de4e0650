"""A response that a message quotes beside its numbers, cut into tokens as a real tokenizer cuts it."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.errors import EngineError
from engine.models.tokens import display_pieces
from engine.scenario import PER_TOKEN
from prompts.read.numbers import Numbers
from prompts.read.trial import asked

_NUMBER = re.compile(r"[\d.,\s]+")  # advantages 2, 4, 9 → mean 5: no prompt
_LIST = re.compile(r"\[\s*[-+−.\d]")  # r = [0, 1], V = [0.2, 0.6] => A = [0.8, 0.4]: neither prompt nor response
LONGEST = 6000  # characters of a message
CUT_DIFFERS = "cut_differs"  # the note where the tokens are not as many as the numbers


def with_tokens(numbers: Numbers, message: str) -> Numbers:
    """The numbers with the tokens they stand for, where the response is quoted and none were listed."""
    lengths = {len(x) for name, x in numbers.params.items() if name in PER_TOKEN and isinstance(x, list)}
    if len(lengths) != 1 or "tokens" in numbers.params or len(message) > LONGEST:
        return numbers
    found = asked(message)
    written, response = found.trial.prompt or "-", found.trial.response
    if not found.named or not response or _NUMBER.fullmatch(written) or _LIST.search(f"{written} {response}"):
        return numbers
    try:
        labels = [_visible(piece.label) for piece in display_pieces(response)]
    except EngineError:  # no tokenizer here: the numbers stand without their tokens
        return numbers
    if len(labels) not in lengths:
        return replace(numbers, notes=(*numbers.notes, CUT_DIFFERS))
    prompt = {} if found.trial.prompt is None else {"prompt": found.trial.prompt}
    return replace(numbers, params={**numbers.params, "tokens": labels, **prompt})


def _visible(label: str) -> str:
    """A token that is nothing but a blank or a line break, written out."""
    return label if label.strip() else label.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥")
