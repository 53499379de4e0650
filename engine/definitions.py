"""Every token-level quantity by its definition, as LaTeX, for tokens that are counted from 0 or from 1.

The sums are made of the engine's own formulas, in symbols; only how far a sum runs depends on the counting.
"""

from __future__ import annotations

import sympy

from engine import formulas
from engine.notation import SYMBOLS
from engine.proofs.language import TD_ERROR, A, G, T, V, beta, delta, gamma, k, lam, quantity, r, t
from engine.proofs.latex import latex

SCORE, KL = quantity("scores"), quantity("kl")
FIRST = {"tensor": 0, "paper": 1}  # the index of the first token


def definitions(first: int) -> dict[str, str]:
    """name → symbol = definition, where the tokens are t = first … T − 1 + first."""
    left = T - t + first  # how many tokens there are from t on
    state = rf"s_t = \left(x, a_{{{first}}}, \ldots, a_{{t-1}}\right)"
    rewards_to_come = _sum(gamma**k * r(t + k), left)
    news_to_come = _sum((gamma * lam) ** k * delta(t + k), left)
    symbol = {name: f"{SYMBOLS[name][0]}" for name in ("true_values", "action_values", "true_advantages")}
    return {
        "state": state,
        "rewards": _equal(r(t), formulas.token_reward(SCORE(t), KL(t), beta)),
        "mc_returns": _equal(G(t), rewards_to_come),
        "true_values": rf"{symbol['true_values']}(s_t) = {_expected('s_t')}",
        "action_values": rf"{symbol['action_values']}(s_t, a_t) = {_expected('s_t, a_t')}",
        "true_advantages": (
            rf"{symbol['true_advantages']}(s_t, a_t) = "
            rf"{symbol['action_values']}(s_t, a_t) - {symbol['true_values']}(s_t)"
        ),
        "values": rf"{latex(V(t))} \approx {symbol['true_values']}(s_t)",
        "deltas": _equal(*TD_ERROR.at(t)),
        "advantages": _equal(A(t), news_to_come),
        "returns": f"{SYMBOLS['returns'][0]}_t = {latex(formulas.critic_target(A(t), V(t)))}",
    }


def _sum(term: sympy.Expr, count: sympy.Expr) -> sympy.Expr:
    return sympy.Sum(term, (k, 0, count - 1))


def _equal(left: sympy.Expr, right: sympy.Expr) -> str:
    return f"{latex(left)} = {latex(right)}"


def _expected(given: str) -> str:
    """The return's expectation."""
    return rf"\mathbb{{E}}_{{\pi}}\left[{latex(G(t))} \mid {given}\right]"
