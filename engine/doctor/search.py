"""Which hypotheses fit a few rows: the projects' recursions, and those with a mistake in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import torch
from torch import Tensor

from engine.doctor import rows
from engine.doctor.fit import SAME, Fit, Link, fits, laid
from engine.doctor.given import Batch
from engine.doctor.recursions import PROJECTS, WRONG, Recursion
from engine.doctor.solving import Rates, descended, rounded, solved

USUAL = Rates(1.0, 1.0, ("gamma", "lam"))
WHOLE_ROWS = 2  # that are not cut, for what looks at all that stood before
USUAL_LINKS = (Link.RAW, Link.WHITENED)
OTHER_RATES = "other_rates"  # than those that were given
OTHER_RATES_ONLY = (  # the right recursion with other rates: where none was given, they are found, and nothing is wrong
    "gamma_lam_swap",
    "gamma_forgotten",
    "mc_for_gae_as_if_lam_were_one",
    "lam_forgotten_leaves_mc",
    "lam_on_values",
    "delta_for_advantage",
    "lam_upside_down",
)


@dataclass(frozen=True)
class Given:
    """The rates that were named, None where they are to be found."""

    gamma: float | None
    lam: float | None

    @property
    def fixed(self) -> frozenset[str]:
        return frozenset(name for name in ("gamma", "lam") if getattr(self, name) is not None)


@dataclass(frozen=True)
class Candidate:
    recursion: Recursion
    rates: Rates
    fit: Fit
    cause: str | None = None

    @property
    def rank(self) -> tuple[int, bool, float]:
        return self.fit.departing, self.fit.link is not Link.RAW, self.fit.off


def projects(part: Batch, given: Given) -> list[Candidate]:
    """Each project's recursion with the rates that suit it best, the best first."""
    found = [_best(part, recursion, given, USUAL_LINKS) for recursion in PROJECTS]
    return sorted(found, key=lambda one: one.rank)  # stable: of equals the likelier stands first


def explaining(part: Batch, given: Given, nearest: Rates) -> Iterator[Candidate]:
    """What gives the numbers of rows that no project gives, the likelier first."""
    ends = rows.cut(part, rows.WINDOW)[0]
    for link in (Link.TARGETS, Link.RETURNS):
        for recursion in PROJECTS:
            near = (nearest, *_of_returns(part, recursion, given)) if link is Link.RETURNS else (nearest,)
            found = _best(ends, recursion, given, (link,), near)
            if found.fit.holds:
                yield replace(found, cause=link.value)
                break
    tried = [one for one in WRONG if given.fixed or one.mistake not in OTHER_RATES_ONLY]
    for recursion in tried:
        yield from islice(_mistaken(part, recursion, given, nearest), 1)
    if given.fixed:
        for recursion in PROJECTS:
            found = _best(ends, recursion, Given(None, None), USUAL_LINKS)
            if found.fit.holds:
                yield replace(found, cause=OTHER_RATES)
                break


def _best(
    part: Batch, recursion: Recursion, given: Given, links: tuple[Link, ...], near: tuple[Rates, ...] = ()
) -> Candidate:
    def fit(gamma: float, lam: float) -> Fit:
        found = fits(part, recursion.run(part, gamma, lam), gamma * lam, links)
        return found[0] if found else Fit(links[0], SAME, 2 * part.tokens, torch.inf)

    assert recursion.convention is not None
    if given.gamma is not None and given.lam is not None:
        rates = [Rates(given.gamma, given.lam)]
    else:
        rates = [*solved(part, recursion.convention, given.gamma, given.lam), *near]
    tried = [Candidate(recursion, one, fit(one.gamma, one.lam)) for one in rates]
    tried = tried or [Candidate(recursion, USUAL, fit(*USUAL[:2]))]
    best = min(tried, key=lambda one: one.rank)
    meant = rounded(best.rates, fit, given.fixed)
    return replace(best, rates=meant, fit=fit(meant.gamma, meant.lam))


def _of_returns(part: Batch, recursion: Recursion, given: Given) -> Iterator[Rates]:
    """Rates that were not given, from returns of which a line is known to have been made."""
    few, seen = rows.cut(part.part(slice(WHOLE_ROWS)), rows.NARROW)
    if part.returns is None or len(given.fixed) == len(Given.__dataclass_fields__):
        return
    own = few.returns[seen] if few.returns is not None else seen

    def residuals(gamma: float, lam: float) -> Tensor:
        returns = recursion.run(few, gamma, lam)[1][seen].double()
        return (laid(returns, own) or SAME)(returns) - own

    yield from descended(residuals, given.gamma, given.lam)


def _mistaken(part: Batch, recursion: Recursion, given: Given, near: Rates) -> Iterator[Candidate]:
    """The mistake with rates under which it holds: those given, or those found."""
    whole = recursion.whole_rows
    on, seen = (part.part(slice(WHOLE_ROWS)), None) if whole else rows.cut(part, rows.WINDOW)

    def fit(gamma: float, lam: float) -> Fit:
        return fits(on, recursion.run(on, gamma, lam), gamma * lam, USUAL_LINKS, seen)[0]

    for rates in _rates(part, recursion, given, near):
        if fit(rates.gamma, rates.lam).holds:
            meant = rounded(rates, fit, given.fixed)
            yield Candidate(recursion, meant, fit(meant.gamma, meant.lam), recursion.mistake)


def _rates(part: Batch, recursion: Recursion, given: Given, near: Rates) -> Iterator[Rates]:
    """Those given; else those that were found for the nearest project, and those to which a descent leads."""
    if given.gamma is not None and given.lam is not None:
        yield Rates(given.gamma, given.lam)
        return
    yield near
    few = part.part(slice(WHOLE_ROWS))
    on, seen = (few, few.mask) if recursion.whole_rows else rows.cut(few, rows.NARROW)
    yield from descended(lambda gamma, lam: _residuals(on, recursion, seen, gamma, lam), given.gamma, given.lam)


def _residuals(part: Batch, recursion: Recursion, seen: Tensor, gamma: float, lam: float) -> Tensor:
    """Of the returns as they are, of the advantages up to a slope and a shift."""
    advantages, returns = (x[seen].double() for x in recursion.run(part, gamma, lam))
    found = []
    if part.returns is not None:
        found.append(returns - part.returns[seen])
    if part.advantages is not None:
        own = part.advantages[seen]
        found.append((laid(advantages, own) or SAME)(advantages) - own)
    return torch.cat(found)
