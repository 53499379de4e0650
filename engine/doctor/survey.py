"""Dumps larger than memory: a verdict on each piece, and what they come to together.

The first piece settles rates that were not given, and the others are held to them. Advantages that were whitened over
all pieces at once are seen for it: the pieces' moments add up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import torch

from engine.doctor.diagnosis import diagnose, whitening_so
from engine.doctor.dumps import Piece, load, plan
from engine.doctor.given import given
from engine.doctor.search import Given
from engine.doctor.verdict import Departure, Verdict
from engine.doctor.whitening import ELSEWHERE, Moments, kinds, together
from engine.errors import EngineError

Listener: TypeAlias = Callable[[int, int, str], None]  # pieces done, of how many, which


@dataclass(frozen=True)
class Found:
    piece: Piece
    verdict: Verdict

    def text(self) -> str:
        """As one line of text, which is how it comes back from another machine."""
        return json.dumps({"piece": asdict(self.piece), "verdict": asdict(self.verdict)})

    @staticmethod
    def of(text: str) -> Found:
        read = json.loads(text)
        own: dict[str, Any] = {name: tuple(x) if isinstance(x, list) else x for name, x in read["verdict"].items()}
        own["departures"] = tuple(Departure(**one) for one in own["departures"])
        own["moments"] = Moments(**own["moments"])
        return Found(Piece(**read["piece"]), Verdict(**own))


@dataclass(frozen=True)
class Survey:
    """The verdicts of all pieces, in their order."""

    found: tuple[Found, ...]

    @property
    def right(self) -> bool:
        return all(one.verdict.right for one in self.found)

    @cached_property
    def departing(self) -> tuple[Found, ...]:
        return tuple(one for one in self.found if not one.verdict.right)

    @cached_property
    def verdict(self) -> Verdict:
        """The first departing piece's; else what is true of all pieces."""
        if self.departing:
            return self.departing[0].verdict
        all_of = [one.verdict for one in self.found]
        names = tuple(n for n in all_of[0].conventions if all(n in one.conventions for one in all_of))
        tokens, rows = sum(one.tokens for one in all_of), sum(one.rows for one in all_of)
        residual = max(one.residual for one in all_of)
        together_with = replace(all_of[0], tokens=tokens, rows=rows, residual=residual, whitening=self._whitening())
        names = whitening_so(names, together_with.whitening)
        elsewhere = together_with.whitening == (ELSEWHERE,)
        decides = tuple(x for x in all_of[0].decides if x != "all_ranks" or elsewhere)
        return replace(together_with, conventions=names or all_of[0].conventions, decides=decides)

    def _whitening(self) -> tuple[str, ...]:
        """Over all pieces, where no piece was whitened by itself."""
        all_of = [one.verdict for one in self.found]
        if any(one.whitening != (ELSEWHERE,) for one in all_of):
            return tuple(x for x in all_of[0].whitening if all(x in one.whitening for one in all_of)) or (ELSEWHERE,)
        moments = together([one.moments for one in all_of])
        lines = [one.moments.line for one in all_of]
        unit = torch.finfo(getattr(torch, all_of[0].dtype)).eps / 2
        found = {kinds(moments, line, unit) for line in lines}
        return found.pop() or (ELSEWHERE,) if len(found) == 1 else (ELSEWHERE,)

    def data(self) -> dict[str, Any]:
        return {
            **self.verdict.data(),
            "pieces": len(self.found),
            "departing_pieces": [asdict(one.piece) for one in self.departing],
        }


def examined(piece: Piece, rates: Given) -> Found:
    """One piece, loaded and looked at."""
    try:
        return Found(piece, diagnose(given(**load(piece)), rates))
    except EngineError as error:
        error.details.setdefault("path", piece.path)
        raise


def nobody(_done: int, _total: int, _piece: str) -> None:
    """The listener that does not listen."""


def survey(path: Path, rates: Given, heard: Listener = nobody, mapped: Any = None) -> Survey:
    """All pieces of a file or a folder. `mapped(pieces, rates)` looks at them elsewhere (engine.doctor.on_ray)."""
    pieces = plan(path)
    if not pieces:
        raise EngineError("doctor_no_lists", path=str(path), known="rewards, values, advantages, returns, mask")
    first = examined(pieces[0], rates)
    found = [first]
    heard(1, len(pieces), pieces[0].path)
    for one in (mapped or _here)(pieces[1:], settled(first.verdict, rates)):
        found.append(one)
        heard(len(found), len(pieces), one.piece.path)
    order = {piece: place for place, piece in enumerate(pieces)}
    return Survey(tuple(sorted(found, key=lambda one: order[one.piece])))


def settled(verdict: Verdict, rates: Given) -> Given:
    if not verdict.right:
        return rates
    return Given(verdict.gamma if rates.gamma is None else rates.gamma, verdict.lam if rates.lam is None else rates.lam)


def _here(pieces: Iterable[Piece], rates: Given) -> Iterator[Found]:
    return (examined(piece, rates) for piece in pieces)
