"""The clipped objective in its sign cases: where its gradient is 0, where it is not, and what the dual clip adds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sympy

from engine import formulas
from engine.ops import Number, clip, maximum, minimum, where
from engine.proofs.language import Condition, greater
from engine.proofs.moves import arrange, bound, choose, differentiate
from engine.proofs.proof import Case, Cases, Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import Move, chain

ZERO = sympy.Integer(0)
rho = sympy.Symbol("ratio", positive=True)
adv = sympy.Symbol("advantage", real=True)
low, high = sympy.symbols("eps_low eps_high", nonnegative=True)
floor = sympy.Symbol("floor", positive=True)  # how many times a negative advantage the dual clip allows

OBJECTIVE = formulas.ppo_objective(rho, adv, low, high)
DUAL = formulas.dual_clip_objective(rho, adv, low, high, floor)
SURROGATE = formulas.surrogate_term(rho, adv)
CLIPPED = clip(rho, 1 - low, 1 + high)
UPPER, LOWER = (1 + high) * adv, (1 - low) * adv  # the surrogate at the edges

GOOD, BAD = Condition(adv), Condition(-adv)
ABOVE, UNDER_UPPER = greater(rho, 1 + high), greater(1 + high, rho)
BELOW, OVER_LOWER = greater(1 - low, rho), greater(rho, 1 - low)
BEYOND_FLOOR, UNDER_FLOOR = greater(rho, floor), greater(floor, rho)


def _loosely(condition: Condition) -> Condition:
    return Condition(condition.expression, strict=False)


def _at_upper_edge(*conditions: Condition) -> list[Move]:
    return [
        choose(1 + high, CLIPPED, "ratio_is_clipped_to_upper_edge", *conditions),
        choose(UPPER, minimum(SURROGATE, UPPER), "clipped_term_is_lower", *conditions),
    ]


def _at_lower_edge(*conditions: Condition) -> list[Move]:
    return [
        choose(1 - low, CLIPPED, "ratio_is_clipped_to_lower_edge", *conditions),
        choose(LOWER, minimum(SURROGATE, LOWER), "clipped_term_is_lower", *conditions),
    ]


def _unclipped(*conditions: Condition) -> list[Move]:
    return [choose(SURROGATE, OBJECTIVE, "surrogate_is_lower", *conditions)]


# ---------------------------------------------------------------- the objective


@cache
def clipped_objective_in_four_cases() -> Theorem:
    """min(ρ, 1 + ε_high) A for A ≥ 0, max(ρ, 1 − ε_low) A for A < 0: only one edge counts for each sign."""
    goal = where(adv < 0, maximum(rho, 1 - low) * adv, minimum(rho, 1 + high) * adv)
    cases = []
    for conditions, moves in (
        ((_loosely(GOOD), _loosely(ABOVE)), _at_upper_edge),
        ((_loosely(GOOD), UNDER_UPPER), _unclipped),
        ((BAD, _loosely(BELOW)), _at_lower_edge),
        ((BAD, OVER_LOWER), _unclipped),
    ):
        steps = [*moves(*conditions), arrange(goal, "one_edge_for_each_sign", *conditions)]
        cases.append(Case(conditions, chain(OBJECTIVE, steps, goal)))
    return Theorem("clipped_objective_in_four_cases", Statement(OBJECTIVE, goal), Cases(tuple(cases)))


@cache
def clipped_objective_is_pessimistic() -> Theorem:
    """The clipped objective is never above the surrogate."""
    proof = chain(OBJECTIVE, [bound("<=", SURROGATE, "minimum_is_at_most_each")], SURROGATE)
    return Theorem("clipped_objective_is_pessimistic", Statement(OBJECTIVE, SURROGATE, relation="<="), proof)


# ---------------------------------------------------------------- its gradient


def _gradient(
    name: str, objective: sympy.Expr, goal: sympy.Expr, conditions: tuple[Condition, ...], moves: Sequence[Move]
) -> Theorem:
    start = sympy.Derivative(objective, rho)
    proof = chain(start, [*moves, differentiate()], goal)
    return Theorem(name, Statement(start, goal), proof, conditions=conditions)


@cache
def gradient_is_zero_for_good_token_above() -> Theorem:
    """A > 0 and ρ > 1 + ε: the token has been raised far enough."""
    given = (GOOD, ABOVE)
    return _gradient("gradient_is_zero_for_good_token_above", OBJECTIVE, ZERO, given, _at_upper_edge(*given))


@cache
def gradient_is_advantage_for_good_token_below_upper_edge() -> Theorem:
    """A > 0 and ρ < 1 + ε, also far below 1 − ε: the token is still raised."""
    given = (GOOD, UNDER_UPPER)
    return _gradient("gradient_is_advantage_for_good_token_below_upper_edge", OBJECTIVE, adv, given, _unclipped(*given))


@cache
def gradient_is_zero_for_bad_token_below() -> Theorem:
    """A < 0 and ρ < 1 − ε: the token has been lowered far enough."""
    given = (BAD, BELOW)
    return _gradient("gradient_is_zero_for_bad_token_below", OBJECTIVE, ZERO, given, _at_lower_edge(*given))


@cache
def gradient_is_advantage_for_bad_token_above_lower_edge() -> Theorem:
    """A < 0 and ρ > 1 − ε, also far above 1 + ε: the token is still lowered."""
    given = (BAD, OVER_LOWER)
    return _gradient("gradient_is_advantage_for_bad_token_above_lower_edge", OBJECTIVE, adv, given, _unclipped(*given))


# ---------------------------------------------------------------- the dual clip

_ON_BAD_TOKENS = maximum(OBJECTIVE, floor * adv)


@cache
def dual_clip_leaves_good_tokens_alone() -> Theorem:
    given = _loosely(GOOD)
    proof = chain(DUAL, [choose(OBJECTIVE, DUAL, "advantage_is_not_negative", given)], OBJECTIVE)
    return Theorem("dual_clip_leaves_good_tokens_alone", Statement(DUAL, OBJECTIVE), proof, conditions=(given,))


@cache
def dual_clip_bounds_bad_tokens() -> Theorem:
    """For A < 0 the objective stays at or above floor · A, however large ρ is."""
    proof = chain(
        DUAL,
        [
            choose(_ON_BAD_TOKENS, DUAL, "advantage_is_negative", BAD),
            bound(">=", floor * adv, "maximum_is_at_least_each"),
        ],
        floor * adv,
    )
    return Theorem("dual_clip_bounds_bad_tokens", Statement(DUAL, floor * adv, relation=">="), proof, conditions=(BAD,))


@cache
def dual_clip_gradient_is_zero_beyond_floor() -> Theorem:
    """A < 0 and ρ > floor: what the clip left unbounded has no gradient any more."""
    given = (BAD, BEYOND_FLOOR)
    moves = [
        choose(_ON_BAD_TOKENS, DUAL, "advantage_is_negative", *given),
        choose(floor * adv, _ON_BAD_TOKENS, "floor_is_higher", *given),
    ]
    return _gradient("dual_clip_gradient_is_zero_beyond_floor", DUAL, ZERO, given, moves)


@cache
def dual_clip_gradient_is_advantage_between_edge_and_floor() -> Theorem:
    """A < 0 and 1 − ε < ρ < floor: as without the dual clip."""
    given = (BAD, OVER_LOWER, UNDER_FLOOR)
    moves = [
        choose(_ON_BAD_TOKENS, DUAL, "advantage_is_negative", *given),
        *_unclipped(*given),
        choose(SURROGATE, maximum(SURROGATE, floor * adv), "surrogate_is_higher", *given),
    ]
    return _gradient("dual_clip_gradient_is_advantage_between_edge_and_floor", DUAL, adv, given, moves)


# ---------------------------------------------------------------- what does not hold


def _objective(ratio: Number, advantages: Sequence[Number], eps: Number) -> Number:
    return formulas.ppo_objective(ratio, advantages[0], eps, eps)


@cache
def gradient_is_zero_wherever_ratio_is_outside() -> Counterexample:
    """The claim that outside [1 − ε, 1 + ε] the objective no longer moves: run at two ratios, both below, A > 0."""
    claim = Claim(
        "gradient_is_zero_wherever_ratio_is_outside",
        left=lambda ratio, advantages, eps: _objective(ratio[0], advantages, eps),
        right=lambda ratio, advantages, eps: _objective(ratio[1], advantages, eps),
    )
    return refute(claim, ratio=(0.5, 0.6), advantages=(1,), eps=0.2)


@cache
def clip_bounds_the_objective() -> Counterexample:
    """The claim that clipping keeps the objective of a bad token at or above (1 + ε) A."""
    claim = Claim(
        "clip_bounds_the_objective",
        left=lambda ratio, advantages, eps: _objective(ratio[0], advantages, eps),
        right=lambda ratio, advantages, eps: formulas.surrogate_term(1 + eps, advantages[0]),  # noqa: ARG005
        relation=">=",
    )
    return refute(claim, ratio=(10,), advantages=(-1,), eps=0.2)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        clipped_objective_in_four_cases,
        clipped_objective_is_pessimistic,
        gradient_is_zero_for_good_token_above,
        gradient_is_advantage_for_good_token_below_upper_edge,
        gradient_is_zero_for_bad_token_below,
        gradient_is_advantage_for_bad_token_above_lower_edge,
        dual_clip_leaves_good_tokens_alone,
        dual_clip_bounds_bad_tokens,
        dual_clip_gradient_is_zero_beyond_floor,
        dual_clip_gradient_is_advantage_between_edge_and_floor,
    )
}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (gradient_is_zero_wherever_ratio_is_outside, clip_bounds_the_objective)
}
