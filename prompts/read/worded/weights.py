"""Weights: of the n-step advantages in GAE, of δ and of a reward in an earlier advantage or return; the horizon."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.example import RUNNING
from engine.notation import show
from prompts.read.worded.figure import Figure, figures, without
from prompts.read.worded.finding import Finding, Read, one, row
from prompts.read.worded.place import ZH, Place, how, places, spans
from prompts.read.worded.settings import Given
from prompts.read.worded.weight_words import (
    ADVANTAGE,
    ALONE,
    AT_END,
    DELTA,
    FORM,
    HALF,
    HORIZON,
    LATER,
    LEFT,
    LONG,
    MIXED,
    MOST,
    N_STEP,
    NEXT,
    OVER,
    RETURN,
    REWARD,
    SO_MANY_WEIGHTS,
    STEPS_ZH,
    THE_LONGEST,
    WEIGHT,
)

LONGEST = 200  # tokens
POWERS = 8


def weights(own: Given, standing: Mapping[str, Any]) -> Read | None:
    """Of n-step advantages, of δ, of a reward: whichever the sentence speaks of."""
    del standing
    own = replace(own, body=HALF.sub(lambda m: f"{m['worth'] or m['zh']}0.5", own.body))
    if own.lists and "rewards" in own.lists:
        return None
    for read, lesson in _READERS:
        found = read(own)
        if found:
            return Read(found, lesson)
    return None


def _rates(own: Given) -> tuple[Fraction, Fraction | None]:
    return own.numbers.get("gamma", Fraction(str(RUNNING.gamma))), own.numbers.get("lam")


def _clean(body: str) -> list[Figure] | None:
    """The figures of what is left, if nothing else is."""
    stated = figures(body)
    left = without(body, [(x.start, x.end) for x in stated])
    return None if re.search(r"\d", left) or any(x.both or x.times for x in stated) else stated


def _horizon(own: Given) -> list[Finding] | None:
    if not HORIZON.search(own.body):
        return None
    gamma, lam = own.numbers.get("gamma"), own.numbers.get("lam")
    form = FORM.search(own.body)
    body = re.sub(r"(?<=\d) ?(?:个|步|tokens?|steps?)", " ", FORM.sub(" ", own.body))
    of = form["of"].replace(" ", "") if form else "γλ" if gamma and lam else "γ" if gamma else "λ"
    rate = {"γ": gamma, "λ": lam}.get(of, (1 if gamma is None else gamma) * lam if lam is not None else None)
    stated = _clean(body)
    if rate is None or rate >= 1 or not stated or len(stated) != 1:
        return None
    letters = {"γ": r"\gamma", "λ": r"\lambda"}.get(of, r"\gamma\lambda")
    return one(rf"\frac{{1}}{{1-{letters}}}", formulas.horizon(rate), stated)


def _of_n_steps(own: Given) -> list[Finding] | None:
    _, lam = _rates(own)
    body = STEPS_ZH.sub(lambda m: re.sub(r"[一-鿿]", lambda c: str(ZH.get(c[0], c[0])), m[0]), own.body)
    speaks = (
        any(x.lastgroup != "g" for x in LEFT.finditer(body))
        or N_STEP.search(body)
        or THE_LONGEST.search(body)
        or (re.search(r"\bGAE\b|n[- ]?(?:step|步)|混合", body) and not DELTA.search(body))
    )
    if (
        lam is None
        or OVER.search(body)
        or not WEIGHT.search(body)
        or not speaks
        or REWARD.search(body)
        or DELTA.search(body)
    ):
        return None
    left = list(LEFT.finditer(body))
    left = left[:1] if left and left[0].lastgroup != "g" else [x for x in left if x.lastgroup != "g"][:1] or left[:1]
    length = int(left[0][left[0].lastgroup or 0]) if left else None
    if length is not None and not 0 < length <= LONGEST:
        return None
    body = without(body, [x.span() for x in left])
    mentioned = list(N_STEP.finditer(body))
    steps = [int(n) for x in mentioned for n in re.findall(r"\d+", x["ns"])]
    body = without(body, [x.span() for x in mentioned])
    said = THE_LONGEST.search(body)
    if said:
        if length is None:
            return None
        steps, body = [*steps, length], without(body, [said.span()])
    several = how(body)
    kinds = {kind for kind, _, _ in several}
    body = without(body, [(a, b) for _, a, b in several])
    body = re.sub(r"(?<=\d) ?(?:个)(?= ?(?:权重|weights))", " ", body)
    if length is not None:
        body = re.sub(rf"(?<![\d.]){length}(?= *{SO_MANY_WEIGHTS})", " ", body)
    stated = _clean(body)
    if stated is None or any(n < 1 or (length is not None and n > length) for n in steps):
        return None
    return _weighed(lam, length, steps, kinds, stated, most=MOST.search(own.body) is not None)


def _weighed(
    lam: Fraction, length: int | None, steps: Sequence[int], kinds: set[str], stated: Sequence[Figure], *, most: bool
) -> list[Finding] | None:
    whole = sequences.mixture_weights(length, lam) if length else None
    stated = [_exactly_meant(figure, lam) for figure in stated]
    own = [whole[n - 1] if whole else formulas.mixture_weight(n, lam) for n in steps]
    listed = [show(w).latex for w in whole] if whole and len(whole) <= 8 else []
    added, among = " + ".join(listed), r",\ ".join(listed)
    if "sum" in kinds and stated:
        return one(r"\sum_n w_n", sum(whole), stated, added) if whole and not steps else None
    if most and len(steps) == 1 and not stated:
        return [
            Finding(
                f"w_{{{steps[0]}}}", r"> \tfrac{1}{2}", own[0], own[0] > Fraction(1, 2), _weight(lam, steps[0], length)
            )
        ]
    if kinds & {"largest", "smallest"} and whole:
        best = max(whole) if "largest" in kinds else min(whole)
        name = rf"\{'max' if 'largest' in kinds else 'min'}_n w_n"
        if stated and not steps:
            return one(name, best, stated, f"{name[:4]}({among})" if among else "")
        if steps and not stated:
            return [
                Finding(
                    name,
                    f"w_{{{steps[0]}}} = {show(own[0]).latex}",
                    best,
                    own[0] == best,
                    f"{name[:4]}({among})" if among else "",
                )
            ]
        return None
    if len(steps) == len(stated) == 1:
        return one(f"w_{{{steps[0]}}}", own[0], stated, _weight(lam, steps[0], length))
    if len(steps) == len(stated) > 1:
        return row("w_n", own, stated)
    if not steps and whole and len(stated) == len(whole):
        return row("w_n", whole, stated)
    return None


def _exactly_meant(figure: Figure, lam: Fraction) -> Figure:
    """What is 1 − λ or a power of λ is no rounded number."""
    powers = {1 - lam, *(lam**n for n in range(1, POWERS))}
    return replace(figure, decimals=None) if figure.value in powers and not figure.about else figure


def _weight(lam: Fraction, n: int, length: int | None) -> str:
    """How the weight of the n-step advantage is made, with its numbers."""
    rest, power = show(1 - lam).latex, rf"{show(lam).latex}^{{{n - 1}}}"
    return power if n == length else rf"{rest} \cdot {power}"


def _of_deltas(own: Given) -> list[Finding] | None:
    gamma, lam = _rates(own)
    body = own.body
    if lam is None or not WEIGHT.search(body) or not DELTA.search(body) or REWARD.search(body) or own.unnamed:
        return None
    named = list(DELTA.finditer(body))
    later = list(LATER.finditer(body))
    offsets = [int(x["k"] or 0) for x in named if "t" in x.group() and x.group().startswith("δ") and x.group() != "δ"]
    offsets = (
        offsets or [int(x["a"] or x["n"] or x["m"] or x["p"]) for x in later] or ([1] if NEXT.search(body) else [])
    )
    body = without(body, [x.span() for x in (*named, *later, *ADVANTAGE.finditer(body))])
    between = _between(places(body))
    if between is not None and not later and not any("t" in x.group() for x in named):
        offsets, body = [between], without(body, spans(places(body)))
    stated = _clean(without(body, [(a, b) for _, a, b in how(body)]))
    if not stated or any(x.value > 1 for x in stated):
        return None
    offsets = offsets or list(range(len(stated)))
    if len(offsets) != len(stated) or max(offsets) > LONGEST:
        return None
    own_weights = [formulas.discounted(Fraction(1), gamma * lam, k) for k in offsets]
    if len(stated) == 1:
        return one(rf"(\gamma\lambda)^{{{offsets[0]}}}", own_weights[0], stated)
    return row(r"(\gamma\lambda)^k", own_weights, stated)


def _between(said: Sequence[Place]) -> int | None:
    """From the last token to the third from the end."""
    at = [x.at[0] for x in said if len(x.at) == 1]
    return abs(at[0] - at[1]) if len(at) == len(said) == 2 and (at[0] < 0) == (at[1] < 0) else None


def _of_reward(own: Given) -> list[Finding] | None:
    """What of a reward reaches a token so many places before it."""
    gamma, lam = own.numbers.get("gamma"), own.numbers.get("lam")
    body, amount = own.body, own.at_the_end
    spoken = list(REWARD.finditer(body))
    alone = ALONE.search(body) is not None
    if not (spoken or amount is not None) or not (WEIGHT.search(body) or alone) or own.everywhere is not None:
        return None
    advantage, back = list(ADVANTAGE.finditer(body)), list(RETURN.finditer(body))
    rate = _rate(gamma, lam, to_advantage=bool(advantage), to_return=bool(back))
    if rate is None:
        return None
    letters, value = rate
    body = without(body, [x.span() for x in (*spoken, *advantage, *back)])
    apart = _apart(body, advantage or back, last=bool(AT_END.search(body) or amount is not None))
    if apart is None:
        return None
    steps, body = apart
    stated = _clean(without(body, [(a, b) for _, a, b in how(body)]))
    amounts = {Fraction(x["en"] or x["zh"]) for x in spoken if x["en"] or x["zh"]} or {Fraction(1)}
    if not stated or len(stated) > 3 or not 0 <= steps <= 10_000 or len(amounts) > 1:
        return None
    whole = amounts.pop()
    if any(x.value > whole for x in stated):
        return None
    written = rf"{letters}^{{{steps}}}"
    of = written if whole == 1 else rf"{written} \cdot {show(whole).latex}"
    return one(of, formulas.discounted(whole, value, steps), stated)


def _rate(
    gamma: Fraction | None, lam: Fraction | None, *, to_advantage: bool, to_return: bool
) -> tuple[str, Fraction] | None:
    if to_advantage and not to_return and lam is not None:
        return r"(\gamma\lambda)", (1 if gamma is None else gamma) * lam
    if not to_advantage and gamma is not None and (lam is None or lam == 1):
        return r"\gamma", gamma
    return None


def _apart(body: str, target: Sequence[re.Match[str]], *, last: bool) -> tuple[int, str] | None:
    """How many tokens lie between the two, and the words without what says so."""
    later = list(LATER.finditer(body))
    if len(later) == 1:
        return int(later[0]["a"] or later[0]["n"] or later[0]["m"] or later[0]["p"]), without(body, [later[0].span()])
    left = list(LEFT.finditer(body))
    if len(left) != 1 or not last or later:
        return None
    length = int(left[0][left[0].lastgroup or 0])
    body = without(body, [left[0].span()])
    said = places(body)
    at = {t for one_place in said for t in one_place.at}
    index = {int(x["i"]) for x in target if x["i"] and x["i"].isdecimal()}
    earlier = {t for t in at if t >= 0} | index
    if len(earlier) != 1:
        return None
    return length - 1 - earlier.pop(), without(body, spans(said))


def _mixture(own: Given) -> list[Finding] | None:
    """A^(1) = .2 and A^(2) = .6, and no more tokens: what they are mixed to."""
    _, lam = _rates(own)
    body = STEPS_ZH.sub(lambda m: re.sub(r"[一-鿿]", lambda c: str(ZH.get(c[0], c[0])), m[0]), own.body)
    long = list(LONG.finditer(body))
    if lam is None or len(long) < 2 or [int(x["n"] or x["m"]) for x in long] != list(range(1, len(long) + 1)):
        return None
    body = without(body, [x.span() for x in long])
    left = list(LEFT.finditer(body))
    length = int(left[0][left[0].lastgroup or 0]) if len(left) == 1 else None
    body = without(body, [x.span() for x in left])
    stated = _clean(re.sub(rf"(?<![\d.]){len(long)} ?(?:步|steps?|tokens?)", " ", body))
    if length != len(long) or not MIXED.search(body) or not stated or len(stated) != 1:
        return None
    shares = sequences.mixture_weights(length, lam)
    parts = [Fraction(x["x"] or x["y"]) for x in long]
    return one(r"\sum_n w_n A^{(n)}", sum(w * x for w, x in zip(shares, parts, strict=True)), stated)


_READERS = (
    (_horizon, "why_lambda"),
    (_mixture, "gae_mixture"),
    (_of_n_steps, "gae_mixture"),
    (_of_deltas, "why_lambda"),
    (_of_reward, "credit_assignment"),
)
