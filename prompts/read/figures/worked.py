"""Statements, one after the other: each is given, or follows from what was given before it and is compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from engine.computing import computed
from engine.errors import EngineError
from engine.example import RUNNING
from engine.notation import SYMBOLS, show
from engine.readings.exact import exactly
from engine.readings.worked import Worked as Numbered
from engine.scenario import Scenario, scenario
from engine.statistics import total
from prompts.read.figures.figure import plain
from prompts.read.figures.follows import FOLLOWS
from prompts.read.figures.statements import PARAMETERS, Stated, Subject
from prompts.read.figures.worded import Finding

ROUNDS = 4  # of what follows from what follows
LONGEST = 64  # tokens
_NO_LAMBDA = frozenset(["deltas", "delta_sum", "mc_returns", "mc_advantages", "excess"])
_OF_GROUPS = ("rewards", "scores", "group_rewards")
_SUMS = {"advantages": "advantage_sum", "deltas": "delta_sum"}
_GIVEN = frozenset(["rewards", "values", "scores", "group_rewards", "logp", "ref_logp", "new_logp", "old_logp", "ratio",
                    "kl_values", "k1"])  # fmt: skip


class UnreadError(Exception):
    """Something is neither given nor follows."""


@dataclass(frozen=True)
class _Follows:
    """How a name came about: by which formula, with which numbers, after which others."""

    name: str
    value: Any
    since: frozenset[str]  # which given numbers it was made from
    written: str
    numbered: str
    before: tuple[_Follows, ...]

    @property
    def steps(self) -> tuple[_Follows, ...]:
        return (*dict.fromkeys(step for one in self.before for step in one.steps), self)

    @property
    def line(self) -> str:
        name = f"{_symbol(self.name)}_t = " if self.name in SYMBOLS else ""
        return f"{name}{self.written} = {self.numbered}"


@dataclass
class Worked:
    """What is known so far, and what was found."""

    lists: dict[str, list[float]] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    numbers: dict[str, Fraction] = field(default_factory=dict)  # of one token
    since: dict[str, frozenset[str]] = field(default_factory=dict)  # which given numbers each was made from
    given: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    found: list[Finding] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    method: str | None = None
    shift: int = 0

    def take(self, stated: Stated) -> None:
        subject = stated.subject
        if subject.name in PARAMETERS and stated.figure is not None:
            if stated.relation != "=" or stated.denied:
                raise UnreadError
            self.rates[subject.name] = float(stated.figure.value)
        elif stated.row:
            self._row(subject.name, stated)
        elif self.lists and stated.relation == "?":
            raise UnreadError  # lists have a page of their own
        elif self.lists:
            self._of_list(stated)
        else:
            self._of_token(stated)

    # ---- lists

    def _row(self, name: str, stated: Stated) -> None:
        name = "advantages" if self.method and self.lists else name
        fact = self._fact(name) if self.lists else None
        if fact is None:
            known = "group_rewards" if self.method and name in _OF_GROUPS else name
            if known in self.lists or known not in _GIVEN or not 0 < len(stated.row) <= LONGEST:
                raise UnreadError
            self.lists[known] = [float(x) for x in stated.row]
            return
        if not isinstance(fact, list) or len(fact) != len(stated.row):
            raise UnreadError
        shown = [plain(x) for x in stated.row]
        holds = all(one.agrees(x) for one, x in zip(shown, fact, strict=True))
        self._find(name, _symbol(name), r",\ ".join(one.latex for one in shown), list(fact), stated, holds=holds)

    def _fact(self, name: str) -> Any:
        rates = {"gamma": 1.0, **({"lam": RUNNING.lam} if name in _NO_LAMBDA else {}), **self.rates}
        try:
            base = scenario({**self.lists, **rates})
            return _exact(base, name, self.method)
        except EngineError:
            return None

    def _of_list(self, stated: Stated) -> None:
        subject = stated.subject
        subject = replace(subject, name="advantages") if self.method and subject.name in _OF_GROUPS else subject
        name = _SUMS.get(subject.name, subject.name) if subject.how == "sum" else subject.name
        fact = self.lists.get(name) or self._fact(name)
        if name in self.lists and stated.relation == "=" and stated.other is None:
            raise UnreadError  # that may be a change
        if name != subject.name or not isinstance(fact, list):
            if fact is None or isinstance(fact, list) or subject.at or subject.index is not None:
                raise UnreadError
            self._compare(stated, name, _symbol(name), fact)
            return
        if subject.how in ("sum", "mean"):
            value = total(fact) / (1 if subject.how == "sum" else len(fact))
            sign = r"\sum " if subject.how == "sum" else r"\tfrac{1}{T}\sum "
            self._compare(stated, name, f"{sign}{_symbol(name)}", value)
        elif subject.how in ("largest", "smallest"):
            best = max(fact) if subject.how == "largest" else min(fact)
            self._compare(stated, name, rf"\{'max' if subject.how == 'largest' else 'min'}_t {_symbol(name)}_t", best)
        else:
            for t in self._tokens(subject, len(fact)):
                self._compare(stated, name, f"{_symbol(name)}_{{{t}}}", fact[t])

    def _tokens(self, subject: Subject, length: int) -> list[int]:
        if subject.index is not None:
            at = [subject.index - self.shift]
        elif subject.at:
            at = [t if t >= 0 else length + t for t in subject.at]
        elif subject.how == "every" or length == 1:
            at = list(range(length))
        else:
            raise UnreadError
        if any(not 0 <= t < length for t in at):
            raise UnreadError
        return at

    # ---- numbers of one token

    def _of_token(self, stated: Stated) -> None:
        subject = stated.subject
        name = "objective" if subject.name == "returns" and "ratio" in self.numbers else subject.name
        if subject.how not in ("", "every") or subject.at not in ((), (-1,)) or name in self.given:
            raise UnreadError
        follows = self._following(name)
        if follows is None:
            if stated.relation != "=" or stated.figure is None or stated.denied:
                raise UnreadError  # nor does what is asked follow
            self.numbers[name], self.since[name] = stated.figure.value, frozenset([name])
            self.given.add(name)
            return
        self.used |= follows.since
        if stated.relation == "?":
            self.names.append(name)
            self.found += [Finding(one.line, "", one.value, holds=True) for one in follows.steps]
            return
        self._compare(stated, name, follows.written, follows.value)

    def _following(self, name: str) -> _Follows | None:
        """How a name follows from what was said, a few steps on; None where it does not."""
        numbers = {"gamma": Fraction(1), **{n: Fraction(str(x)) for n, x in self.rates.items()}, **self.numbers}
        made: dict[str, _Follows] = {}
        for _ in range(ROUNDS):
            for target, takes, formula, written in FOLLOWS:
                known = numbers | {n: one.value for n, one in made.items()}
                if target in (known.keys() - {name}) | made.keys() or not {*takes} <= known.keys():
                    continue
                try:
                    value = _exactly(formula, [float(known[one]) for one in takes])
                except (EngineError, ArithmeticError, ValueError):
                    continue
                before = [made[one] for one in takes if one in made]
                since = frozenset().union(*(one.since for one in before), *(self.since.get(n, ()) for n in takes))
                if since or target != name:
                    numbered = _numbered(formula, [known[one] for one in takes])
                    made[target] = _Follows(target, value, since, written, numbered, tuple(before))
        return made.get(name)

    # ---- comparing

    def _compare(self, stated: Stated, name: str, of: str, correct: Any) -> None:
        if stated.other is not None:
            self._beside(stated, name, of, correct)
            return
        if stated.figure is None:
            raise UnreadError
        said = stated.figure
        if stated.relation == "=":
            holds = said.agrees(correct)
        else:
            holds = float(correct) > float(said.value) if stated.relation == ">" else float(correct) < float(said.value)
        shown = said.latex if stated.relation == "=" else f"{stated.relation} {said.latex}"
        self._find(name, of, shown, correct, stated, holds=holds)

    def _beside(self, stated: Stated, name: str, of: str, correct: Any) -> None:
        other = stated.other
        assert other is not None
        fact = self.lists.get(other.name) or (self._fact(other.name) if self.lists else None)
        if not isinstance(fact, list):
            raise UnreadError
        at = self._tokens(other, len(fact))
        if len(at) != 1:
            raise UnreadError
        there = fact[at[0]]
        shown = rf"{stated.relation}\ {_symbol(other.name)}_{{{at[0]}}} = {show(there).latex}"
        holds = correct > there if stated.relation == ">" else correct < there
        self._find(name, of, shown, correct, stated, holds=holds)

    def _find(self, name: str, of: str, shown: str, correct: Any, stated: Stated, *, holds: bool) -> None:
        shown = rf"\ne {shown}" if stated.denied else shown
        self.names.append(name)
        self.found.append(Finding(of, shown, correct, holds != stated.denied))


def _exact(base: Scenario, name: str, method: str | None) -> Any:
    one = computed(base, name, method)
    if one is None or one.name != name or (method and one.quantity != method):
        return None
    return one.facts.exact[name]


def _exactly(formula: Callable[..., Any], numbers: Sequence[float]) -> Any:
    return exactly(lambda number: formula(*map(number, numbers)), len(numbers))


def _numbered(formula: Callable[..., Any], numbers: Sequence[Any]) -> str:
    """The formula with the numbers in it."""
    return exactly(
        lambda lift: str(formula(*(Numbered(lift(float(x))) for x in numbers)).put_in("latex")), len(numbers)
    )


def _symbol(name: str) -> str:
    if name in ("advantage_sum", "delta_sum"):
        return rf"\sum {SYMBOLS[{'advantage_sum': 'advantages', 'delta_sum': 'deltas'}[name]][0]}"
    return SYMBOLS[name][0] if name in SYMBOLS else {"excess": "G_0 - V_0"}.get(name, rf"\mathrm{{{name}}}")


def worked(
    stated: Sequence[Stated], standing: Mapping[str, Any], method: str | None, *, at_the_end: bool = False
) -> Worked | None:
    """Everything, with written subscripts that count from 0; or from 1, where only that makes all of it right."""
    first = _worked(stated, standing, method, 0, at_the_end=at_the_end)
    written = [one.subject.index for one in stated if one.subject.index is not None]
    if (
        not written
        or min(written) < 1
        or (first is not None and (all(x.holds for x in first.found) or not first.lists))
    ):
        return first
    again = _worked(stated, standing, method, 1, at_the_end=at_the_end)
    return again if again is not None and (first is None or all(x.holds for x in again.found)) else first


def _worked(
    stated: Sequence[Stated], standing: Mapping[str, Any], method: str | None, shift: int, *, at_the_end: bool
) -> Worked | None:
    lists = {
        name: list(x) for name, x in standing.items() if isinstance(x, list) and x and isinstance(x[0], float | int)
    }
    rates = {name: float(x) for name, x in standing.items() if name in PARAMETERS and isinstance(x, int | float)}
    beyond = dict.fromkeys(("next values", "next advantages"), Fraction(0)) if at_the_end else {}
    rates = {**({"lam": 1.0} if at_the_end else {}), **rates}  # any λ: there is nothing behind the end
    one = Worked(lists, rates, beyond, dict.fromkeys(beyond, frozenset()), method=method, shift=shift)
    try:
        taken = _of_one_token(stated) if not lists and not any(x.row for x in stated) else stated
        for each in sorted(taken, key=lambda each: each.relation == "?"):
            one.take(each)
    except UnreadError:
        return None
    return one if one.found and one.given <= one.used else None


def _of_one_token(stated: Sequence[Stated]) -> list[Stated]:
    """r_5, V_5, V_6, A_6 are r_t, V_t, V_{t+1}, A_{t+1}."""
    written = sorted({one.subject.index for one in stated if one.subject.index is not None})
    if not written or len(written) > 2 or written[-1] > written[0] + 1:
        return [] if written else list(stated)
    later = written[1] if len(written) == 2 else None
    return [
        replace(one, subject=replace(one.subject, name=f"next {one.subject.name}", index=None))
        if later is not None and one.subject.index == later
        else replace(one, subject=replace(one.subject, index=None))
        for one in stated
    ]
