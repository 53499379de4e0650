"""What answers need, loaded before anybody asks: one after the other, so that nothing is loaded twice."""

import sys

from lessons._lesson import lessons
from prompts import box, visit
from prompts.bench import page, provenance
from prompts.functions import facts, numbers, pages, verdicts
from prompts.model import why_nobody
from prompts.read import e5, encoder

ROOMS = (box, visit, page, provenance, facts, numbers, pages, verdicts)


def load() -> None:
    sys.stderr.write(why_nobody() or "")
    lessons()
    encoder.meaning("λ")
    e5.place("λ")
