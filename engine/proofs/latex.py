"""Expressions as LaTeX, in the order a teacher writes them: r_t + γV_{t+1} − V_t."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter

from engine.notation import SYMBOLS

# What stands first in a sum: news, whole sums, rewards, returns, advantages, values; then plain symbols, then numbers.
_QUANTITIES = ("deltas", "Sum", "scores", "rewards", "mc_returns", "returns", "advantages", "values", "kl")
_SYMBOLS = ("T", "t", "n", "k")


class _Printer(LatexPrinter):  # type: ignore[misc]
    def _print_AppliedUndef(self, expression: AppliedUndef, exp: str | None = None) -> str:  # noqa: N802
        letter = SYMBOLS[expression.func.__name__][0]
        index = ",".join(self._print(argument) for argument in expression.args)
        written = letter.replace("□", index) if "□" in letter else f"{letter}_{{{index}}}"
        return written if exp is None else f"{written}^{{{exp}}}"

    _print_Function = _print_AppliedUndef  # noqa: N815

    def _print_Symbol(self, expression: sympy.Symbol, style: str = "plain") -> str:  # noqa: N802, ARG002
        return SYMBOLS[expression.name][0] if expression.name in SYMBOLS else expression.name

    def _as_ordered_terms(self, expression: sympy.Expr, order: Any = None) -> list[sympy.Expr]:  # noqa: ARG002
        return sorted(expression.args, key=_place)


def _place(term: sympy.Expr) -> tuple[Any, ...]:
    """Where a term stands in its sum; what is subtracted comes after what is added, later tokens after earlier ones."""
    functions = term.atoms(AppliedUndef)
    names = ["Sum"] if term.has(sympy.Sum) else [f.func.__name__ for f in functions]
    ranks = [_QUANTITIES.index(name) for name in names if name in _QUANTITIES]
    if not ranks:
        ranks = [len(_QUANTITIES) + _SYMBOLS.index(s.name) for s in term.free_symbols if s.name in _SYMBOLS]
    tokens = [int(index) for f in functions for index in f.args if index.is_Integer]
    return (
        term.could_extract_minus_sign(),
        term.is_number,
        min(ranks, default=-1),
        min(tokens, default=-1),
        sympy.default_sort_key(term),
    )


@lru_cache(maxsize=8192)  # theorems are made once a process, their lines printed on every page
def latex(expression: sympy.Expr) -> str:
    return str(_Printer({"fold_short_frac": False}).doprint(sympy.powsimp(expression)))
