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
_SYMBOLS = ("T", "t", "n", "k", "m", "N")
_SMALL = ("epsilon", "eps", "eps_low", "eps_high", "cliprange_value")


# How the quantities that only proofs speak of are written; {0}, {1} are their arguments.
_PATTERNS = {
    "probabilities": r"\pi({0})",
    "ref_probabilities": r"\pi_{{\mathrm{{ref}}}}({0})",
    "new_logp": r"\log\pi_{{{0}}}",
    "reward_of_token": "r({0})",
    "value_after_token": "V({0})",
    "return_of_token": "R({0})",
    "value_without_reward_after_token": r"\tilde V({0})",
    "expected_next_reward": r"\bar r({0})",
    "leaky_advantages": r"\tilde A_{{{0}}}",
    "leaky_deltas": r"\tilde\delta_{{{0}}}",
    "unmasked_values": r"\tilde V_{{{0}}}",
    "n_step_returns": "G_{{{0}:{1}}}",
    "n_step_advantages": "A^{{({0})}}",
    "advantages_by_reward": r"\frac{{\partial A_{{{0}}}}}{{\partial r_k}}",
    "deltas_by_reward": r"\frac{{\partial \delta_{{{0}}}}}{{\partial r_k}}",
    "advantages_by_value": r"\frac{{\partial A_{{{0}}}}}{{\partial V_k}}",
    "deltas_by_value": r"\frac{{\partial \delta_{{{0}}}}}{{\partial V_k}}",
    "advantage_variances": r"\operatorname{{Var}} A_{{{0}}}",
    "delta_variances": r"\operatorname{{Var}} \delta_{{{0}}}",
    "reward_variances": r"\operatorname{{Var}} r_{{{0}}}",
    "advantage_biases": r"\operatorname{{bias}} A_{{{0}}}",
    "delta_biases": r"\operatorname{{bias}} \delta_{{{0}}}",
    "samples": "x_{{{0}}}",
}
_OF_THETA = {"probabilities": r"\pi_{{{1}}}({0})"}  # where the parameters are an argument as well
_LETTERS = {
    "epsilon": r"\varepsilon",
    "theta": r"\theta",
    "floor": r"c_{\mathrm{dual}}",
    "group_mean": r"\mu",
    "group_std": r"\sigma",
    "outcome": "s",
    "advantage": "A",
    "other_advantage": "A'",
    "whitened_advantage": r"\hat A",
    "value": "V",
    "old_value": r"V^{\mathrm{old}}",
    "vpred": r"V^{\mathrm{new}}",
    "value_after_end": r"V_{\mathrm{end}}",
    "value_without_reward": r"\tilde V",
    "return": "R",
    "reward_variance": r"\sigma_r^2",
    "slope": "c",
    "shift": "d",
}


class _Printer(LatexPrinter):  # type: ignore[misc]
    def _print_AppliedUndef(self, expression: AppliedUndef, exp: str | None = None) -> str:  # noqa: N802
        name = expression.func.__name__
        arguments = [self._print(argument) for argument in expression.args]
        patterns = _OF_THETA if len(arguments) > 1 and name in _OF_THETA else _PATTERNS
        written = patterns[name].format(*arguments) if name in patterns else f"{SYMBOLS[name][0]}_{{{arguments[0]}}}"
        return written if exp is None else rf"\left({written}\right)^{{{exp}}}"

    _print_Function = _print_AppliedUndef  # noqa: N815

    def _print_Min(self, expression: sympy.Min, exp: str | None = None) -> str:  # noqa: N802
        """The critic's clipped value has a symbol of its own."""
        named = {symbol.name for symbol in expression.free_symbols}
        if not (expression.has(sympy.Max) and {"vpred", "old_value", "cliprange_value"} <= named):
            return str(super()._hprint_variadic_function(expression, exp))
        written = SYMBOLS["vpred_clipped"][0]
        return written if exp is None else rf"\left({written}\right)^{{{exp}}}"

    def _print_constant(self, expression: sympy.Expr) -> str:
        return rf"\operatorname{{sg}}\left({self._print(expression.args[0])}\right)"

    def _print_Symbol(self, expression: sympy.Symbol, style: str = "plain") -> str:  # noqa: N802, ARG002
        name = expression.name
        return _LETTERS[name] if name in _LETTERS else SYMBOLS[name][0] if name in SYMBOLS else name

    def _print_Piecewise(self, expression: sympy.Piecewise) -> str:  # noqa: N802
        """Its conditions without words, which would be of one language: of two pieces the last has the opposite one."""
        pieces = [(value, condition) for value, condition in expression.args]
        (_, before), (last, otherwise) = pieces[0], pieces[-1]
        if len(pieces) == 2 and otherwise == sympy.true:
            pieces[-1] = (last, sympy.Not(before))
        rows = [rf"{self._print(value)} & {self._print(condition)}" for value, condition in pieces]
        return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"

    def _as_ordered_terms(self, expression: sympy.Expr, order: Any = None) -> list[sympy.Expr]:  # noqa: ARG002
        return sorted(expression.args, key=_place)


def is_small(term: sympy.Expr) -> bool:
    """An ε, which stands behind what it is added to: 1 + ε, σ + ε."""
    size = -term if term.could_extract_minus_sign() else term
    return bool(size.is_Symbol and size.name in _SMALL)


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
        is_small(term),
        term.is_number,
        min(ranks, default=-1),
        min(tokens, default=-1),
        sympy.default_sort_key(term),
    )


@lru_cache(maxsize=8192)  # theorems are made once a process, their lines printed on every page
def latex(expression: sympy.Expr) -> str:
    return str(_Printer({"fold_short_frac": False}).doprint(sympy.powsimp(expression)))
