"""The clipped value loss: an upper bound of the plain squared error, and where its gradient is 0."""

from __future__ import annotations

from functools import cache

import sympy

from engine import formulas
from engine.ops import maximum
from engine.proofs.language import at_least, greater
from engine.proofs.moves import bound, choose, differentiate
from engine.proofs.proof import Case, Cases, Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.steps import chain

ZERO = sympy.Integer(0)
vpred, old_v, target = sympy.symbols("vpred old_value return", real=True)
width = sympy.Symbol("cliprange_value", nonnegative=True)

PLAIN = formulas.squared_error(vpred, target)
CLIPPED_PREDICTION = formulas.clip_value(vpred, old_v, width)
CLIPPED = formulas.squared_error(CLIPPED_PREDICTION, target)
LARGER = formulas.value_error(vpred, old_v, target, width)
UPPER_EDGE = formulas.squared_error(old_v + width, target)


@cache
def clipped_value_error_is_upper_bound() -> Theorem:
    """max(plain, clipped) ≥ plain, whichever of the two is larger."""
    cases = (
        Case(
            (at_least(PLAIN, CLIPPED),),
            chain(LARGER, [choose(PLAIN, LARGER, "plain_error_is_larger", at_least(PLAIN, CLIPPED))], PLAIN),
        ),
        Case(
            (greater(CLIPPED, PLAIN),),
            chain(
                LARGER,
                [
                    choose(CLIPPED, LARGER, "clipped_error_is_larger", greater(CLIPPED, PLAIN)),
                    bound(">=", PLAIN, "this_is_the_case", greater(CLIPPED, PLAIN)),
                ],
                PLAIN,
            ),
        ),
    )
    return Theorem("clipped_value_error_is_upper_bound", Statement(LARGER, PLAIN, relation=">="), Cases(cases))


@cache
def value_clip_does_nothing_near_old_value() -> Theorem:
    """Within the clip range of the old value the error is the plain one."""
    given = (at_least(vpred, old_v - width), at_least(old_v + width, vpred))
    proof = chain(LARGER, [choose(vpred, CLIPPED_PREDICTION, "prediction_is_not_clipped", *given)], PLAIN)
    return Theorem("value_clip_does_nothing_near_old_value", Statement(LARGER, PLAIN), proof, conditions=given)


@cache
def value_gradient_is_zero_when_clip_decides() -> Theorem:
    """No gradient where the prediction has left its range and the error at the edge is the larger one."""
    beyond, edge_is_larger = greater(vpred, old_v + width), greater(UPPER_EDGE, PLAIN)
    start = sympy.Derivative(LARGER, vpred)
    proof = chain(
        start,
        [
            choose(old_v + width, CLIPPED_PREDICTION, "prediction_is_clipped_to_upper_edge", beyond),
            choose(UPPER_EDGE, maximum(PLAIN, UPPER_EDGE), "clipped_error_is_larger", edge_is_larger),
            differentiate(),
        ],
        ZERO,
    )
    return Theorem(
        "value_gradient_is_zero_when_clip_decides",
        Statement(start, ZERO),
        proof,
        conditions=(beyond, edge_is_larger),
    )


@cache
def value_clip_lowers_the_loss() -> Counterexample:
    """The claim that clipping the value makes its loss smaller: it never does, and here makes it larger."""
    claim = Claim(
        "value_clip_lowers_the_loss",
        left=lambda vpreds, old_values, returns, cliprange_value: formulas.value_error(
            vpreds[0], old_values[0], returns[0], cliprange_value
        ),
        right=lambda vpreds, returns, **_: formulas.squared_error(vpreds[0], returns[0]),
        relation="<=",
    )
    return refute(claim, vpreds=(1,), old_values=(0.5,), returns=(1,), cliprange_value=0.2)


THEOREMS = {
    theorem.__name__: theorem
    for theorem in (
        clipped_value_error_is_upper_bound,
        value_clip_does_nothing_near_old_value,
        value_gradient_is_zero_when_clip_decides,
    )
}
COUNTEREXAMPLES = {"value_clip_lowers_the_loss": value_clip_lowers_the_loss}
