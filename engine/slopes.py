"""How a fact moves with a list that goes in: tensors are differentiated, exact numbers are moved a little both ways.

A slope is a program like any other, so `facts.compute` runs both and compares.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import torch

from engine import kernels
from engine.facts import Inputs, Program
from engine.masks import valid
from engine.mistakes.mistake import reading
from engine.statistics import total

STEP = Fraction(1, 10**20)


def own_slopes(program: Program, fact: str, of: str) -> Program:
    """∂fact_t/∂of_t at every token, for a fact whose token t depends on the list's token t alone."""
    return lambda x: {"slopes": _by_token(program, x, (fact,), of)[fact]}


def total_slopes(program: Program, facts: tuple[str, ...], of: str) -> Program:
    """For each fact: how the sum of it over all real tokens moves when all of the list moves together."""
    return lambda x: {fact: _total(x, found) for fact, found in _by_token(program, x, facts, of).items()}


def _by_token(program: Program, x: Inputs, facts: tuple[str, ...], of: str) -> dict[str, Any]:
    return (_differentiated if x.on is kernels else _moved)(program, x, facts, of)


def _differentiated(program: Program, x: Inputs, facts: tuple[str, ...], of: str) -> dict[str, torch.Tensor]:
    """For each fact the gradient of its sum over the real tokens."""
    moving = x[of].clone().requires_grad_()
    found = reading(**{of: lambda _: moving})(program)(x)

    def gradient(fact: torch.Tensor) -> torch.Tensor:
        kept = torch.where(x.mask.bool(), fact, torch.zeros_like(fact)).sum()
        if not kept.requires_grad:
            return torch.zeros_like(moving)
        (slopes,) = torch.autograd.grad(kept, moving, retain_graph=True, allow_unused=True)
        return torch.zeros_like(moving) if slopes is None else slopes

    return {fact: gradient(found[fact]) for fact in facts}


def _moved(program: Program, x: Inputs, facts: tuple[str, ...], of: str) -> dict[str, list[list[Any]]]:
    """For each fact half the difference of its numbers a step further and a step back, over the step."""

    def after(step: Any) -> dict[str, Any]:
        return reading(**{of: lambda y: [[number + step for number in row] for row in y[of]]})(program)(x)

    step = _like(x[of][0][0])
    further, back = after(step), after(-step)

    def slopes(fact: str) -> list[list[Any]]:
        rows = zip(further[fact], back[fact], x.mask, strict=True)
        return [[(b - a) / (2 * step) if m else 0 for b, a, m in zip(*row, strict=True)] for row in rows]

    return {fact: slopes(fact) for fact in facts}


def _like(number: Any) -> Any:
    """The step as a number of the same kind."""
    return STEP if isinstance(number, Fraction) else number * 0 + 1 / (number * 0 + STEP.denominator)


def _total(x: Inputs, by_token: Any) -> Any:
    if x.on is kernels:
        return torch.where(x.mask.bool(), by_token, torch.zeros_like(by_token)).sum()
    return total([total(valid(row, mask)) for row, mask in zip(by_token, x.mask, strict=True)])
