"""The reward by a rule: does the response end with the number that the prompt asks for?"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from operator import add, mul, sub

from engine.errors import EngineError

RIGHT, WRONG = 1.0, 0.0
_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    **dict.fromkeys("+＋", add),
    **dict.fromkeys("-−－", sub),
    **dict.fromkeys("*×·", mul),
    **dict.fromkeys("/÷", lambda a, b: a / b),
}
_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_QUESTION = re.compile(rf"({_NUMBER})\s*([{re.escape(''.join(_OPERATIONS))}])\s*({_NUMBER})")
_ANSWER = re.compile(rf"[-−]?{_NUMBER}")


def expected_answer(prompt: str) -> Fraction:
    """The value of the first `a op b` in the prompt."""
    found = _QUESTION.search(prompt)
    if found is None:
        raise EngineError("no_rule", prompt=prompt)
    left, operation, right = Fraction(found[1]), found[2], Fraction(found[3])
    if right == 0 and operation in "/÷":
        raise EngineError("no_rule", prompt=prompt)
    return _OPERATIONS[operation](left, right)


def rule_score(prompt: str, response: str) -> float:
    """RIGHT if the last number of the response is the answer, else WRONG."""
    wanted = expected_answer(prompt)
    stated = _ANSWER.findall(response)
    return RIGHT if stated and Fraction(stated[-1].replace("−", "-")) == wanted else WRONG
