"""The whole answer as one action, or every token as one: the same objective and gradient, other baselines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, judged

FIRST, SECOND = HALF, (Fraction(1, 4), Fraction(3, 4))  # how likely a one is: at first, and behind a nought or a one
PAID = (Fraction(0), Fraction(1))  # by the second token

Answer = tuple[int, int]


def _chance(token: int, of_one: Fraction) -> Fraction:
    return of_one if token else 1 - of_one


def _expected(of: Callable[[Answer], Fraction]) -> Fraction:
    answers = product((0, 1), repeat=2)
    return sum((_chance(a, FIRST) * _chance(b, SECOND[a]) * of((a, b)) for a, b in answers), Fraction(0))


def _slopes(answer: Answer) -> tuple[list[Fraction], list[Fraction]]:
    """∂log π by the three logits of a one, of the first token and of the second."""
    a, b = answer
    return [a - FIRST, Fraction(0), Fraction(0)], [Fraction(0), *((b - SECOND[i]) * (a == i) for i in (0, 1))]


def _gradient(advantages: Callable[[Answer], tuple[Fraction, Fraction]]) -> list[Fraction]:
    """The expected policy gradient."""

    def part(answer: Answer, i: int) -> Fraction:
        one, other = _slopes(answer)
        first, second = advantages(answer)
        return first * one[i] + second * other[i]

    return [_expected(lambda answer, i=i: part(answer, i)) for i in range(3)]  # type: ignore[misc]


def _same_objective(_: Scenario) -> Judged:
    """The gradient of the mean reward, with one advantage for the answer and with one for each token."""
    prompt, states = _expected(lambda answer: PAID[answer[1]]), SECOND

    def whole(answer: Answer) -> tuple[Fraction, Fraction]:
        return (formulas.advantage(PAID[answer[1]], prompt),) * 2

    def tokens(answer: Answer) -> tuple[Fraction, Fraction]:
        return formulas.advantage(PAID[answer[1]], prompt), formulas.advantage(PAID[answer[1]], states[answer[0]])

    exact = [FIRST * (1 - FIRST) * (states[1] - states[0])]  # of the mean reward itself
    exact += [_chance(i, FIRST) * SECOND[i] * (1 - SECOND[i]) for i in (0, 1)]
    found, other = _gradient(whole), _gradient(tokens)
    return judged(
        found == other == exact and whole((0, 1)) != tokens((0, 1)), prompt=prompt, whole=list(whole((0, 1))),
        state=states[0], tokens=list(tokens((0, 1))), gradient=found,
    )  # fmt: skip


WHOLE_ANSWER: dict[str, Check] = {
    "answer_or_token_may_be_the_action": _same_objective,
}
