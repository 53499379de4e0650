"""What is told of one response clause by clause: lists that are given, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from prompts.read.worded.basis import LONGEST, Basis, known
from prompts.read.worded.clause_words import (
    APPOSED,
    BARE,
    CONTRAST,
    COUNTED,
    CUT,
    DISCOUNTED,
    EACH_ONE,
    HELD,
    LARGER,
    LIST,
    LONGER,
    MERELY,
    OF_OTHERS,
    PRODUCT,
    ROUND,
    SAME_AGAIN,
    SMALLER,
    SO_MANY,
    SPOKEN,
    TOKEN,
    UNKNOWN,
)
from prompts.read.worded.figure import U, blank, figures, without
from prompts.read.worded.finding import Finding, Read, row
from prompts.read.worded.groups import _plain
from prompts.read.worded.naming import QUANTITIES, WHOLE, Named, named
from prompts.read.worded.place import how, places, spans
from prompts.read.worded.sequence import LESSONS, SAME, SIGN, TESTS, THAN, UNDER, clause_read
from prompts.read.worded.settings import all_the_same, numbers_of, only_at_the_end

MOST = 8  # lists, and clauses that state something
LONGEST_ASIDE = 32  # characters of a clause that says nothing of numbers


@dataclass(frozen=True)
class _State:
    basis: Basis
    target: Named | None
    found: tuple[Finding, ...]
    shift: int
    told: tuple[str, ...] = ()  # clauses that say nothing of numbers


def clauses(text: str, standing: Mapping[str, Any] | None = None) -> Read | None:
    """Every list and number is given, or follows from what was given before it; None where one does neither.

    A message without lists may speak of one token of the `standing` ones: so the second δ is negative?
    """
    if UNKNOWN.search(text):
        return None
    shortest = BARE.sub(lambda m: f"{m['head']}[{', '.join(re.findall(rf'-?{U}', m['row']))}]", text)
    rows: list[tuple[Fraction, ...]] = []

    def held(found: re.Match[str]) -> str:
        rows.append(tuple(Fraction(x) for x in re.findall(rf"-?{U}", found["row"])))
        return f"{HELD}{len(rows) - 1} "

    body = LIST.sub(held, ROUND.sub(lambda m: f"[{m['row']}]", shortest))
    if len(rows) > MOST or any(len(r) > LONGEST for r in rows):
        return None
    own = _spoken(body, rows)
    start = own or _standing(body, standing or {})
    if start is None:
        return None
    basis, body = start
    parts = [part for part in CUT.split(MERELY.sub(" ", APPOSED.sub(r" = \g<x> ", body))) if part.strip()]
    for shift in (0, 1):
        read = _read(_State(basis, None, (), shift), parts, rows)
        if read is None or (shift and not (_may_shift(parts) and all(x.holds for x in read.found))):
            continue
        if all(x.holds for x in read.found) or shift or not _may_shift(parts):
            return _judged(read, of_standing=own is None)
        wrong = read
        again = _read(_State(basis, None, (), 1), parts, rows)
        read = again if again is not None and all(x.holds for x in again.found) else wrong
        return _judged(read, of_standing=own is None)
    return None


def _judged(read: _State, *, of_standing: bool) -> Read | None:
    if not read.found or read.target is None:
        return None
    if any(len(part.strip()) > LONGEST_ASIDE for part in read.told):
        return None
    added = any(r"\sum_t A" in x.of for x in read.found)
    return Read([*read.found], "advantage_sum" if added else LESSONS[read.target.name], read.shift == 1, of_standing)


def _may_shift(parts: Sequence[str]) -> bool:
    indices = [t for part in parts for x in named(part) if x.place is not None and x.place.written for t in x.place.at]
    return bool(indices) and min(indices) > 0


def _spoken(body: str, rows: Sequence[tuple[Fraction, ...]]) -> tuple[Basis, str] | None:
    """V = 0 everywhere, only the last reward is 1, 4 tokens: lists that are told in words."""
    everywhere, body = all_the_same(body)
    at_the_end, body = only_at_the_end(body)
    lengths = {len(r) for r in rows}
    if everywhere is None and at_the_end is None:
        return (Basis({}), body) if rows else None
    counted = list(LONGER.finditer(body))
    lengths |= {int(found["n"]) for found in counted}
    length = lengths.pop() if len(lengths) == 1 else 0
    if not 0 < length <= LONGEST:
        return None
    body = without(body, [found.span() for found in counted])
    lists: dict[str, tuple[Fraction, ...]] = {}
    if everywhere is not None:
        lists["values"] = (everywhere,) * length
    if at_the_end is not None:
        lists["rewards"] = (*(Fraction(0) for _ in range(length - 1)), at_the_end)
    return Basis(lists), body


def _standing(body: str, standing: Mapping[str, Any]) -> tuple[Basis, str] | None:
    """The lists that were spoken of before, for a message on the sign or the size of a token of them."""
    says = any(words.search(body) for words in (SIGN, THAN, UNDER, LARGER, SMALLER))
    of_a_token = says and (places(body) or any(x.place is not None for x in named(body)))
    basis = known(standing) if of_a_token else None
    return (basis, body) if basis is not None else None


def _read(state: _State, parts: Sequence[str], rows: Sequence[tuple[Fraction, ...]]) -> _State | None:
    for part in parts:
        after = _clause(state, part, rows)
        if after is None or len(after.found) > 4 * MOST:
            return None
        state = after
    return state if state.basis.lists and state.basis.sound else None


def _clause(state: _State, part: str, rows: Sequence[tuple[Fraction, ...]]) -> _State | None:
    if CONTRAST.search(part):
        return state
    basis, body = _set(state.basis, part)
    if basis is None:
        return None
    state = replace(state, basis=basis)
    body = _without_length(body, basis.length)
    among = named(body)
    target = next((x for x in among if x.name in QUANTITIES), None)
    lists = list(TOKEN.finditer(body))
    if lists:
        return _lists(state, body, among, lists, rows)
    plain = without(body, [(x.start, x.end) for x in among])
    rest = without(plain, [*spans(places(plain)), *((a, b) for _, a, b in how(plain))])
    says = bool(re.search(r"\d", rest) or SIGN.search(rest) or _compares(rest))
    if not says:
        remembered = (
            target if target is not None and len([x for x in among if x.name in QUANTITIES]) == 1 else state.target
        )
        quiet = SPOKEN.search(part) or not part.strip()
        return replace(state, target=remembered, told=state.told if quiet else (*state.told, part))
    target = target or (None if state.target is None else replace(state.target, index="", start=0, end=0))
    if target is None or not basis.sound or OF_OTHERS.search(rest):
        return None
    if target.name == "deltas" and basis.discount != 1 and DISCOUNTED.search(body):
        return None
    if target.name in WHOLE and any(kind in ("sum", "mean") for kind, _, _ in how(plain)):
        return None
    found = _counted(basis, target, body) or _both(basis, target, body) or clause_read(basis, body, target, state.shift)
    return replace(state, found=(*state.found, *found), target=target) if found else None


def _without_length(body: str, length: int) -> str:
    """Three advantages of three tokens: how many there are says nothing new."""
    said = [found.span("n") for found in SO_MANY.finditer(body) if int(found["n"]) == length]
    return without(body, said)


def _compares(rest: str) -> bool:
    return any(words.search(rest) for words in (THAN, UNDER, LARGER, SMALLER)) or (
        SAME.search(rest) is not None and "=" not in rest
    )


def _set(basis: Basis, part: str) -> tuple[Basis | None, str]:
    """γ and λ from here on."""
    product = PRODUCT.search(part)
    if product:
        part = blank(part, *product.span())
        basis = replace(basis, product=Fraction(product["x"]))
    numbers, body = numbers_of(part)
    if set(numbers) - {"gamma", "lam"}:
        return None, body
    if any(not 0 <= x <= 1 for x in numbers.values()):
        return None, body
    return replace(basis, gamma=numbers.get("gamma", basis.gamma), lam=numbers.get("lam", basis.lam)), body


def _lists(
    state: _State,
    body: str,
    among: Sequence[Named],
    lists: Sequence[re.Match[str]],
    rows: Sequence[tuple[Fraction, ...]],
) -> _State | None:
    """Each list with the name before it: given, or one that follows."""
    left = without(body, [*((x.start, x.end) for x in among), *(x.span() for x in lists)])
    if state.basis.lists and not state.basis.sound:
        return None
    if re.search(r"\d", left) or _compares(left):
        return None
    before = 0
    for held in lists:
        near = _meant(body, [x for x in among if before <= x.start and x.end <= held.start()])
        of = near[-1] if near else state.target
        before = held.end()
        if of is None or len(near) > 1 or of.index not in ("", "t"):
            return None
        row_ = rows[int(held["k"])]
        name = "mc_advantages" if of.name == "excess" else of.name
        fact = state.basis.derived(name)
        if fact is not None:
            if len(fact) != len(row_):
                return None
            of = replace(of, name=name)
            found = row(of.letter, list(fact), [_plain(x) for x in row_])
            state = replace(state, found=(*state.found, *found), target=of)
        elif name in state.basis.lists or name in ("excess", "weighted_deltas", "mc_advantages"):
            return None
        else:
            state = replace(
                state, basis=state.basis.having(name, row_), target=of if name in QUANTITIES else state.target
            )
    return state


def _meant(body: str, near: Sequence[Named]) -> Sequence[Named]:
    """A = G − V = […]: two names of the same."""
    alike = len(near) == 2 and SAME_AGAIN.fullmatch(body[near[0].end : near[1].start]) is not None
    return near[1:] if alike else near


def _counted(basis: Basis, target: Named, body: str) -> list[Finding] | None:
    """Two of the three δ are negative."""
    fact = basis.of(target.name)
    body = EACH_ONE.sub("1 of", body)
    said = COUNTED.search(body)
    if fact is None or said is None:
        return None
    body = blank(body, *said.span())
    body = without(body, [(x.start, x.end) for x in named(body)])
    signs = list(SIGN.finditer(body))
    whole = said["n"] or said["nz"]
    if len(signs) != 1 or re.search(r"\d", without(body, [signs[0].span()])) or (whole and int(whole) != len(fact)):
        return None
    test, shown = TESTS[signs[0].lastgroup or ""]
    there, stated = sum(1 for x in fact if test(x)), said["a"] or said["az"]
    return [Finding(rf"\#\{{t : {target.letter}_t {shown}\}}", stated, there, there == int(stated))]


def _both(basis: Basis, target: Named, body: str) -> list[Finding] | None:
    """The second return, 1.5, is larger than the first, 1.4 · of two advantages the first is larger."""
    fact = basis.of(target.name)
    more, less = THAN.search(body) or LARGER.search(body), UNDER.search(body) or SMALLER.search(body)
    if fact is None or bool(more) == bool(less):
        return None
    among = [x for x in named(body) if x.place is not None]
    rest = without(body, [(x.start, x.end) for x in named(body)])
    at = [(x.place.among(len(fact)), x.end) for x in among if x.place is not None] + [
        (x.among(len(fact)), x.end) for x in places(rest)
    ]
    if any(len(t) != 1 for t, _ in at):
        return None
    at.sort(key=lambda one: one[1])
    rest = without(rest, spans(places(rest)))
    said = figures(rest)
    where = [t[0] for t, _ in at]
    letter = target.letter
    if len(where) == 1 and len(fact) == 2 and not said and (LARGER.search(body) or SMALLER.search(body)):
        best = max(fact) if more else min(fact)
        side = "max" if more else "min"
        return [Finding(rf"\{side}_t {letter}_t", f"{letter}_{{{where[0]}}}", best, fact[where[0]] == best)]
    if len(where) != 2 or len(said) != 2 or where[0] == where[1] or any(x.relation for x in said):
        return None
    ends = [end for _, end in at]
    if not (ends[0] <= said[0].start < ends[1] <= said[1].start):
        return None
    found = [
        Finding(f"{letter}_{{{t}}}", x.shown, fact[t], x.agrees(fact[t])) for t, x in zip(where, said, strict=True)
    ]
    first, second = fact[where[0]], fact[where[1]]
    shown = f"{'>' if more else '<'}\\ {letter}_{{{where[1]}}}"
    return [*found, Finding(f"{letter}_{{{where[0]}}}", shown, first, first > second if more else first < second)]
