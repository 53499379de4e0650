"""From a batch to a verdict: hypotheses are tried on a few rows, and the one that fits is verified on all of them.

Rows in which it fails join the few, and the search goes on, so that what is said holds for the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from engine.conventions import Whitening
from engine.doctor import rows
from engine.doctor.fit import SAME, Link
from engine.doctor.given import Batch
from engine.doctor.outside import narrowed
from engine.doctor.recursions import BY_NAME, PROJECTS
from engine.doctor.search import Candidate, Given, explaining, projects
from engine.doctor.verdict import Departure, Outcome, Verdict
from engine.doctor.whitening import ELSEWHERE, ENOUGH, POPULATION, SAMPLE, kinds, line_of
from engine.doctor.whole import Whole, verified

ROUNDS = 4  # of widening the rows that are looked at
FEW = 4  # departing rows on which mistakes are tried
UNEASY = 0.12  # of what is allowed, root mean square: more than rounding leaves, so that mistakes are tried as well
CLEARLY = 4.0  # times nearer
CHECKED = 3  # of the mistakes that fit the few, those that are run on all
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Seen:
    """A hypothesis beside the whole batch, and the ways of whitening that its line is of."""

    candidate: Candidate
    whole: Whole
    kinds: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return self.whole.departing == 0


def diagnose(batch: Batch, given: Given) -> Verdict:
    with torch.no_grad():
        chosen = rows.telling(batch)
        part = batch.part(chosen)
        found = projects(part, given)
        for _ in range(ROUNDS):
            if not found[0].fit.holds:
                break
            seen = _seen(batch, found[0])
            if seen.fits:
                return _settled(batch, part, given, found, seen)
            chosen = torch.unique(torch.cat([chosen, rows.of(seen.whole.rows, batch, FEW)]))
            part = batch.part(chosen)
            found = projects(part, given)
        return _departing(batch, given, found[0])


def _seen(batch: Batch, candidate: Candidate) -> Seen:
    fit = candidate.fit
    whole = verified(batch, candidate.recursion, candidate.rates, fit.link, fit.line)
    if fit.link is Link.RAW:
        return Seen(candidate, whole, ("none",))
    return Seen(candidate, whole, kinds(whole.moments, whole.moments.line, batch.unit))


def _settled(batch: Batch, part: Batch, given: Given, found: list[Candidate], seen: Seen) -> Verdict:
    """A project's recursion gives all numbers: its whitening may still be nobody's."""
    own = found[0]
    wrong_kind = [kind for kind in seen.kinds if kind not in ("none", SAMPLE, POPULATION)]
    if not seen.kinds and seen.whole.moments.count < ENOUGH:
        return _departing(batch, given, own)
    if wrong_kind:
        return _wrongly_whitened(batch, given, own, seen, wrong_kind)
    if own.fit.off > UNEASY:
        nearer = _nearer(part, given, own)
        if nearer is not None:
            return _departing(batch, given, own, nearer)
    same = [one for one in found if one.fit.holds and one.fit.link is own.fit.link and _agree(one, own)]
    names = _names(same, seen.kinds)
    if not names:  # no project with this recursion whitens so
        return _wrongly_whitened(batch, given, own, seen, ["whiten_population"])
    names = narrowed(part, names, own, seen.whole.moments.line)
    recursions = {one.recursion for one in same}
    flawed = PROJECTS[0] not in recursions
    flaws = tuple(dict.fromkeys(one.mistake for one in PROJECTS if one in recursions and one.mistake))
    verdict = _verdict(batch, given, "follows", names, seen)
    return replace(
        verdict,
        masked=None if len(recursions) > 1 else not flawed,
        others=flaws if flawed else (),
        decides=_decides(batch, verdict, len(recursions)),
    )


def _agree(one: Candidate, other: Candidate) -> bool:
    return (one.rates.gamma, one.rates.lam) == (other.rates.gamma, other.rates.lam)


def _names(same: list[Candidate], found: tuple[str, ...]) -> tuple[str, ...]:
    """The conventions with one of these recursions that whiten like this."""
    return whitening_so(tuple(dict.fromkeys(name for one in same for name in one.recursion.names)), found)


def whitening_so(names: tuple[str, ...], found: tuple[str, ...]) -> tuple[str, ...]:
    """Of conventions, those that whiten in one of these ways. Before whitening, all of them."""
    ways = {Whitening.SAMPLE: SAMPLE, Whitening.POPULATION: POPULATION}
    if "none" in found:
        return names
    whitens = [name for name in names if BY_NAME[name].whitening is not Whitening.NONE]
    anyhow = not found or found == (ELSEWHERE,)
    return tuple(name for name in whitens if anyhow or ways[BY_NAME[name].whitening] in found)


def _nearer(part: Batch, given: Given, own: Candidate) -> Candidate | None:
    """Where the type is coarse: a mistake that is much nearer to the numbers than what rounding would excuse."""
    found = min(explaining(part, given, own.rates), key=lambda one: one.fit.off, default=None)
    return found if found is not None and found.fit.off * CLEARLY < own.fit.off else None


def _wrongly_whitened(batch: Batch, given: Given, own: Candidate, seen: Seen, causes: list[str]) -> Verdict:
    due = verified(batch, own.recursion, own.rates, own.fit.link, line_of(SAMPLE, seen.whole.moments))
    return _told(batch, given, own, due, seen, causes[0], tuple(causes[1:]))


# ---------------------------------------------------------------- where no project's numbers stand


def _departing(batch: Batch, given: Given, nearest: Candidate, nearer: Candidate | None = None) -> Verdict:
    own = _seen(batch, nearest)
    marked = own.whole.rows if own.whole.departing else torch.ones_like(own.whole.rows)
    some = rows.of(marked, batch, FEW)
    part = batch.part(some)
    holding = [nearer] if nearer is not None else list(explaining(part, given, nearest.rates))
    whole_batch = bool(marked.all())
    departing = batch if whole_batch else _only(batch, marked)
    proved = list(_proved(departing, holding[:CHECKED]))
    if not proved:
        due = _due(batch, nearest, own)
        return _told(batch, given, nearest, due, own, UNKNOWN, ())
    best = proved[0]
    right = Candidate(PROJECTS[0], best.candidate.rates, nearest.fit)
    if best.candidate.recursion.convention is not None:
        right = replace(right, recursion=best.candidate.recursion)
    elif not whole_batch:
        right = replace(right, recursion=nearest.recursion)
    if best.candidate.cause == "other_rates" and given.gamma is not None and given.lam is not None:
        right = replace(right, rates=best.candidate.rates._replace(gamma=given.gamma, lam=given.lam))
    link = _plain(best.candidate.fit.link)
    already = own if whole_batch and link is Link.RAW else best  # what of the right numbers has been seen
    due = _due(batch, replace(right, fit=replace(right.fit, link=link)), already)
    others = tuple(dict.fromkeys(str(one.candidate.cause) for one in proved[1:]))
    return _told(batch, given, best.candidate, due, best, str(best.candidate.cause), others)


def _plain(link: Link) -> Link:
    """How the lists would come from A and R if nothing were wrong with them."""
    return Link.RAW if link in (Link.RAW, Link.TARGETS, Link.RETURNS) else Link.WHITENED


def _only(batch: Batch, marked: Tensor) -> Batch:
    """The marked rows of a batch."""

    def taken(x: Tensor | None) -> Tensor | None:
        return None if x is None else x[marked]

    lists = (taken(batch.advantages), taken(batch.returns), batch.dtype)
    return Batch(batch.rewards[marked], batch.values[marked], batch.mask[marked], *lists)


def _proved(batch: Batch, holding: list[Candidate]) -> Iterator[Seen]:
    """Those that give every number of all departing rows; of whitened ones, by their own mean and deviation."""
    for one in holding:
        seen = _seen(batch, one)
        if seen.fits and (seen.kinds or seen.whole.moments.count >= ENOUGH):
            yield seen


def _due(batch: Batch, right: Candidate, seen: Seen) -> Whole:
    """The batch beside the right numbers; whitened, where it is, by their own mean and deviation."""
    link = right.fit.link
    same = (right.recursion, right.rates, link) == (seen.candidate.recursion, seen.candidate.rates, link)
    if link is not Link.WHITENED:
        return (
            seen.whole
            if same and seen.candidate.fit.link is link
            else verified(batch, right.recursion, right.rates, link, SAME)
        )
    if same and not seen.kinds and seen.whole.moments.count >= ENOUGH:  # by other tokens' mean and deviation
        return seen.whole
    moments = verified(batch, right.recursion, right.rates, link, seen.candidate.fit.line).moments
    kind = seen.kinds[0] if seen.kinds and seen.kinds[0] in (SAMPLE, POPULATION) else SAMPLE
    return verified(batch, right.recursion, right.rates, link, line_of(kind, moments))


def _told(  # noqa: PLR0913  (what is right, what is there, and why)
    batch: Batch, given: Given, own: Candidate, due: Whole, seen: Seen, cause: str, others: tuple[str, ...]
) -> Verdict:
    departures = tuple(Departure(one.name, one.row, one.token, one.stated, one.correct, cause) for one in due.first)
    names = own.recursion.names or PROJECTS[0].names
    verdict = _verdict(batch, given, "departs", names, replace(seen, candidate=own))
    return replace(
        verdict,
        cause=cause,
        others=tuple(other for other in others if other != cause),
        departures=departures,
        departing=due.departing,
        departing_rows=int(due.rows.sum()),
        residual=due.residual if cause == UNKNOWN else seen.whole.residual,
        decides=_missing(batch) if cause == UNKNOWN else (),
    )


# ---------------------------------------------------------------- the value


def _verdict(batch: Batch, given: Given, outcome: Outcome, names: tuple[str, ...], seen: Seen) -> Verdict:
    rates = seen.candidate.rates
    whitening = seen.kinds or (ELSEWHERE,)
    return Verdict(
        outcome=outcome,
        conventions=names,
        gamma=None if "gamma" in rates.open else rates.gamma,
        lam=None if "lam" in rates.open else rates.lam,
        product=rates.gamma * rates.lam,
        found=tuple(name for name in ("gamma", "lam") if name not in given.fixed),
        whitening=whitening,
        masked=None,
        cause=None,
        others=(),
        departures=(),
        departing=0,
        departing_rows=0,
        tokens=batch.tokens,
        rows=batch.mask.shape[0],
        residual=seen.whole.residual,
        tolerance=seen.whole.tolerance,
        dtype=str(batch.dtype).removeprefix("torch."),
        decides=(),
        moments=seen.whole.moments,
    )


def _decides(batch: Batch, verdict: Verdict, recursions: int) -> tuple[str, ...]:
    found = []
    if recursions > 1:
        found.append("padding" if batch.whole else "outside")
    if len(verdict.conventions) > 1 and verdict.whitening == ("none",):
        found.append("whitened")
    if len(verdict.whitening) > 1:
        found.append("fewer")
    if verdict.whitening == (ELSEWHERE,):
        found.append("all_ranks")
    if verdict.gamma is None or verdict.lam is None:
        found.append("rates")
    return tuple(found)


def _missing(batch: Batch) -> tuple[str, ...]:
    """What was not given and would tell more."""
    found = []
    if batch.returns is None:
        found.append("returns")
    if batch.whole:
        found.append("mask")
    return tuple(found) or ("one_row",)
