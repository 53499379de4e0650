"""An unknown that was solved for, on a page: where it holds, the polynomial, a small table, what was found put back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.facts import work
from engine.notation import DIGITS, SYMBOLS, Symbol, show
from engine.solving import Goal, Rates, Solved, evaluated
from engine.spans import Point, Span
from prompts.tell.ground import Grounded
from prompts.tell.markdown import cell, inline, table, worked
from prompts.tell.words import word

IS, ABOUT = "=", r"\approx"
UP_TO, FROM = r"\le", r"\ge"
SIGNS = {"=": "=", "<": "<", ">": ">", "<=": r"\le", ">=": r"\ge"}
TOTALS = {
    "excess": "G_0 - V_0",
    "advantage_sum": r"\textstyle\sum A_t",
    "delta_sum": r"\textstyle\sum \gamma^t \delta_t",
}
FEW = 3  # digits, where these are enough
MOST_TERMS = 7  # of a polynomial that is written out
STEPS = 4  # of the unknown from end to end
MOST_GOALS = 3  # each with a line of its own


def told(found: Solved | Rates, here: str, language: str) -> Grounded:
    """`here` says whose numbers they are that stand beside the unknown."""
    parts = _of_rates(found, here, language) if isinstance(found, Rates) else _of_one(found, here, language)
    return Grounded("\n\n".join(part for part in parts if part))


def proof(found: Solved | Rates, language: str) -> tuple[Mapping[str, Any], ...]:
    """The polynomials, and what was counted of their roots."""
    if isinstance(found, Rates):
        said = "proof_polygon" if found.found else "proof_no_rates"
        return ({"statement": _RECURSION, "reason": word(language, "solved", said), "checked": True},)
    lines = [(_polynomial(found, k), "proof_polynomial") for k in range(len(found.polynomials))]
    lines.append(
        (_joined(found.found, found) if found.found else _goals(found), "proof_found" if found.found else "proof_none")
    )
    return tuple({"statement": text, "reason": word(language, "solved", key), "checked": True} for text, key in lines)


# ---------------------------------------------------------------- one unknown


def _of_one(found: Solved, here: str, language: str) -> Iterator[str]:
    def say(key: str, **inside: str) -> str:
        return word(language, "solved", key).format(**{name: inline(x) for name, x in inside.items()})

    unknown, number, goal = _unknown(found), _number(found.goals[0]), _goals(found)
    within = _within(found)
    end = say("within", bounds=within) if within else say("anywhere")
    lead = {"goal": goal, "unknown": unknown, "number": number}
    if not found.depends:
        yield say("independent", value=_equal(evaluated(found.polynomials[0], Fraction(0))), **lead)
    elif found.exact:
        points = all(span.single for span in found.exact)
        key = "everywhere" if _whole(found) else ("one" if len(found.exact) == 1 else "several") if points else "where"
        yield say(key, at=_joined(found.exact, found), **lead) + (end if points and not _whole(found) else "")
    elif found.rounded:
        yield say("only_rounded", at=_joined(found.rounded, found), **lead)
    elif found.range is not None and len(found.goals) == 1:
        (least, at_least), (greatest, at_greatest) = found.range
        values = {"least": show(least).latex, "greatest": show(greatest).latex}
        places = {"at_least": f"{unknown} {_equal(at_least)}", "at_greatest": f"{unknown} {_equal(at_greatest)}"}
        yield say("none", **lead, **values, **places)
    else:
        yield say("never", **lead) + end
    if found.exact and found.rounded != found.exact and all(goal.decimals for goal in found.goals):
        yield say("digits", at=_joined(found.rounded, found))
    yield here
    if found.depends:
        yield say("working", **lead)
        yield worked([_polynomial(found, k) for k in range(min(len(found.goals), MOST_GOALS))])
        yield _table(found)
        yield from _back(found, say("back"))


def _back(found: Solved, lead: str) -> Iterator[str]:
    """The working of the number, with what was found in its place."""
    goal = found.goals[0]
    if found.value is None or goal.index is None or not goal.value:  # what is put back is a float: 0 comes out as noise
        return
    try:
        lines = work(quantities.gae, found.put)[goal.fact]
    except EngineError:
        return
    line = lines[goal.index]
    if line.made_from is not None:
        yield lead
        yield worked([line.line("latex")])


def _table(found: Solved) -> str:
    """The number beside the unknown, from end to end; where there are none, around what was found."""
    low, high = found.unknown.bounds
    marks = [end.value for span in found.found for end in (span.low, span.high) if end is not None]
    given = _given(found)
    if low is not None and high is not None:
        marks += [low + (high - low) * k / STEPS for k in range(STEPS + 1)]
    elif low is not None:
        marks += [low, *([given, 2 * given] if given is not None else [])]
    else:
        marks += [x + step for x in marks[:1] for step in (-1, 1)] + ([given] if given is not None else [])
    heads = [inline(_unknown(found)), *(inline(_number(goal)) for goal in found.goals[:MOST_GOALS])]
    body = [
        [cell(x, _digits(x, found)), *(cell(evaluated(p, x)) for p in found.polynomials[:MOST_GOALS])]
        for x in sorted(set(marks))
    ]
    return table(heads, body)


def _given(found: Solved) -> Fraction | None:
    """What stood in the unknown's place."""
    name, index = found.unknown.name, found.unknown.index
    x = getattr(found.given, name) if index is None else found.given.rows(name)[0][index]
    return None if x is None else Fraction(repr(x))


# ---------------------------------------------------------------- γ and λ

_RECURSION = r"A_t = r_t + \gamma V_{t+1} - V_t + \gamma\lambda A_{t+1}"


def _of_rates(found: Rates, here: str, language: str) -> Iterator[str]:
    def say(key: str, **inside: str) -> str:
        return word(language, "solved", key).format(**{name: inline(x) for name, x in inside.items()})

    if not found.corners:
        yield say("no_rates", recursion=_RECURSION)
        return
    bounds = {"gamma": _between(r"\gamma", found.gamma), "lam": _between(r"\lambda", found.lam)}
    if found.found is None:
        yield say("rates_open", **bounds)
        return
    gamma, lam = found.found
    yield say("rates", at=rf"\gamma {_equal(gamma)},\ \lambda {_equal(lam)}")
    yield say("rates_bounds", **bounds)
    yield here
    made = found.facts.exact["advantages"]
    heads = [inline("t"), inline("A_t"), say("stated")]
    pairs = zip(made, found.stated, strict=True)
    yield table(heads, [[str(t), cell(x, DIGITS), f"{own:.{found.decimals}f}"] for t, (x, own) in enumerate(pairs)])
    yield say("back")
    yield worked([line.line("latex") for line in work(quantities.gae, found.put)["advantages"][:1]])


def _between(symbol: str, ends: tuple[Fraction, Fraction]) -> str:
    low, high = ends
    return f"{symbol} {_equal(low)}" if low == high else rf"{show(low).latex} \le {symbol} \le {show(high).latex}"


# ---------------------------------------------------------------- in symbols


def _within(found: Solved) -> str:
    """What can be taken for the unknown, where that is not every number."""
    low, high = found.unknown.bounds
    if low is None:
        return ""
    return rf"{show(low).latex} \le {_unknown(found)}" + ("" if high is None else rf" \le {show(high).latex}")


def _unknown(found: Solved) -> str:
    if found.unknown.index is None:
        return SYMBOLS[found.unknown.name][0]
    return Symbol(found.unknown.name, found.unknown.index).latex


def _number(goal: Goal) -> str:
    return TOTALS[goal.fact] if goal.index is None else Symbol(goal.fact, goal.index).latex


def _goals(found: Solved) -> str:
    typed = [f"{_number(g)} {SIGNS[g.relation]} {float(g.value):.{g.decimals}f}" for g in found.goals]
    return r",\ ".join(typed)


def _polynomial(found: Solved, k: int) -> str:
    """number = the polynomial in the unknown, its first terms where there are many."""
    coefficients = [Fraction(int(c.p), int(c.q)) for c in reversed(found.polynomials[k].all_coeffs())]
    shown = [(n, show(c)) for n, c in enumerate(coefficients) if c]
    exact = all(one.exact for _, one in shown) and len(shown) <= MOST_TERMS
    terms = [_term(one.latex, _unknown(found), n) for n, one in shown[:MOST_TERMS]] or ["0"]
    text = " + ".join([*terms, *([r"\cdots"] if len(shown) > MOST_TERMS else [])]).replace("+ -", "- ")
    return f"{_number(found.goals[k])} {IS if exact else ABOUT} {text}"


def _term(coefficient: str, unknown: str, power: int) -> str:
    if power == 0:
        return coefficient
    factor = {"1": "", "-1": "-"}.get(coefficient, coefficient + " ")
    raised = unknown if power == 1 else rf"{unknown}^{{{power}}}"
    return factor + raised


def _joined(spans: Sequence[Span], found: Solved) -> str:
    return r",\ ".join(_span(span, found) for span in spans)


def _span(span: Span, found: Solved) -> str:
    unknown = _unknown(found)
    if span.single and span.low is not None:
        return f"{unknown} {_about(span.low, found)}"
    low = "" if span.low is None else f"{_end(span.low)} {UP_TO if span.with_low else '<'} "
    high = "" if span.high is None else f" {UP_TO if span.with_high else '<'} {_end(span.high)}"
    if low and not high and span.low is not None:
        return f"{unknown} {FROM if span.with_low else '>'} {_end(span.low)}"
    return f"{low}{unknown}{high}"


def _end(point: Point) -> str:
    return show(point.value, DIGITS).latex


def _about(point: Point, found: Solved) -> str:
    shown = show(point.value, _digits(point.value, found))
    return f"{IS if shown.exact and point.exact else ABOUT} {shown.latex}"


def _equal(x: Any) -> str:
    shown = show(x)
    return f"{IS if shown.exact else ABOUT} {shown.latex}"


def _digits(x: Fraction, found: Solved) -> int:
    """As few as still give what was asked for, at the digits that were typed."""
    for digits in range(FEW, DIGITS):
        short = Fraction(show(x, digits).mantissa) * Fraction(10) ** (show(x, digits).exponent or 0)
        if short == x or (any(goal.relation == "=" for goal in found.goals) and _inside(short, found)):
            return digits
    return DIGITS


def _inside(x: Fraction, found: Solved) -> bool:
    if not all(goal.decimals for goal in found.goals):
        return False
    return any(
        (span.low is None or span.low.value < x) and (span.high is None or x < span.high.value)
        for span in found.rounded
    )


def _whole(found: Solved) -> bool:
    """Whether nothing that can be taken is left out."""
    low, high = found.unknown.bounds
    span = found.exact[0]
    ends = (span.low and span.low.value, span.high and span.high.value)
    return ends == (low, high) and span.with_low and span.with_high
