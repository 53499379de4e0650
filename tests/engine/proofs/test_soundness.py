"""The proof language cannot be used wrongly: each wrong use raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import sympy

from engine import formulas
from engine.ops import clip, maximum
from engine.proofs.inductions import backwards, upwards
from engine.proofs.language import (
    GAE_STEP,
    MC_STEP,
    NO_ADVANTAGE_LEFT,
    NO_REWARD_LEFT,
    TD_ERROR,
    A,
    Condition,
    Definition,
    G,
    N,
    T,
    V,
    at_least,
    delta,
    gamma,
    greater,
    j,
    k,
    lam,
    m,
    quantity,
    r,
    t,
)
from engine.proofs.monte_carlo import LAMBDA_IS_ONE, decayed, gae_is_decayed_sum_of_deltas
from engine.proofs.moves import (
    arrange,
    bound,
    bound_by,
    by,
    cancel,
    choose,
    differentiate,
    empty_sum,
    fold,
    hypothesis,
    minimum,
    recall,
    reindex,
    split_first,
    sum_by_terms,
    unfold,
    unfold_at,
    use,
)
from engine.proofs.operators import variance
from engine.proofs.proof import Case, Cases, Induction, Instance, Statement, Theorem
from engine.proofs.refutation import Claim, Counterexample, refute
from engine.proofs.signs import shown
from engine.proofs.steps import Chain, Move, ProofError, Step, chain

ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
x, y = sympy.symbols("x y", real=True)
POSITIVE = Condition(x)


def _raises(make: Callable[[], object], saying: str) -> None:
    with pytest.raises(ProofError, match=saying):
        make()


# ---------------------------------------------------------------- steps and chains


@pytest.mark.parametrize(
    ("before", "move"),
    [
        (A(t), arrange(G(t) - V(t))),  # the conclusion as a rewrite
        (A(t), arrange(delta(t) - gamma * lam * A(t + 1))),  # a wrong sign
        (A(t), Move("unfold", lambda _: delta(t) + lam * A(t + 1), recursions=((GAE_STEP, (t,)),))),  # γ forgotten
        (A(t), Move("unfold", lambda _: delta(t + 1) + gamma * lam * A(t + 2), recursions=((GAE_STEP, (t,)),))),
        (sympy.Sum(delta(k), (k, 0, T - 1)), arrange(sympy.Sum(delta(k), (k, 1, T)))),  # a wrong shift
        (sympy.sqrt(x**2), arrange(x)),
        (x * y, Move("divide", lambda _: x, equations=((x * y, x * x),))),
        (quantity("f")(t), Move("divide", lambda _: ZERO, equations=((x * quantity("f")(t), ZERO),))),  # x may be 0
    ],
)
def test_step_that_does_not_follow(before: sympy.Expr, move: Move) -> None:
    _raises(lambda: chain(before, [move], move.apply(before)), "they differ by")


def test_step_must_change_something() -> None:
    _raises(lambda: chain(x, [cancel()], x), "changes nothing")


def test_chain_must_arrive_and_connect() -> None:
    _raises(lambda: chain(x * (x + 1), [cancel()], x**2), "ends at")
    step = Step(x * (x + 1), x**2 + x, cancel())
    _raises(lambda: Chain(x, x**2 + x, (step,)), "starts from")


# ---------------------------------------------------------------- inequalities


@pytest.mark.parametrize(
    ("before", "move"),
    [
        (x + y, bound(">=", x, "no_condition")),
        (x + y, bound(">=", y, "wrong_direction", Condition(-x))),
        (x + y, bound("<=", y, "wrong_relation", POSITIVE)),
        (x + y, bound(">", y, "not_strict", at_least(x, ZERO))),
        (y + x**2, bound(">", y, "square_may_be_zero")),
        (y + x**2, bound("<=", y, "square_is_not_negative")),
        (y + x**3, bound(">=", y, "odd_power")),
        (sympy.Min(x, y), bound(">=", x, "minimum_is_at_most_each")),
        (sympy.Max(x, y), bound("<=", x, "maximum_is_at_least_each")),
        (sympy.Sum(k * delta(k) ** 2, (k, -3, N)), bound(">=", ZERO, "a_term_is_negative")),
        (sympy.Sum(m * delta(m) ** 2, (m, -3, N)), bound(">=", ZERO, "index_starts_below_its_symbol")),
    ],
)
def test_bound_that_does_not_follow(before: sympy.Expr, move: Move) -> None:
    _raises(lambda: chain(before, [move], move.apply(before)), "not ")


def test_chain_goes_one_way() -> None:
    moves = [bound(">=", y, "down", POSITIVE), bound("<=", y + x, "up", POSITIVE)]
    _raises(lambda: chain(x + y, moves, x + y), "up or down")


def test_chain_of_bounds_is_strict_if_one_step_is() -> None:
    moves = [bound(">", y + x, "one", POSITIVE), bound(">=", y, "two", POSITIVE)]
    assert chain(2 * x + y, moves, y).relation == ">"
    assert chain(x * (x + 1), [cancel()], x**2 + x).relation == "="


def test_inequality_is_not_an_equation() -> None:
    proof = chain(x + y, [bound(">=", y, "dropped", POSITIVE)], y)
    _raises(lambda: Theorem("false", Statement(x + y, y), proof, conditions=(POSITIVE,)), "claimed =")
    _raises(lambda: Theorem("false", Statement(x + y, y, relation=">"), proof, conditions=(POSITIVE,)), "claimed >")
    assert Theorem("true", Statement(x + y, y, relation=">="), proof, conditions=(POSITIVE,))


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (-(x**2), ZERO),  # concave
        (x**2, ONE),  # not flat there
        (x**3, ZERO),  # flat, not convex
        (sympy.exp(x), ZERO),
    ],
)
def test_minimum_needs_convexity_and_flatness(line: sympy.Expr, place: sympy.Expr) -> None:
    _raises(lambda: chain(line, [minimum(x, place)], line.subs(x, place)), "not the minimum")


def test_signs_err_on_the_side_of_no() -> None:
    facts = (greater(x, ONE), greater(y, x))
    assert shown(y, facts, strict=True) and shown((x - 1) * (y - x), facts, strict=True)
    assert shown((1 - x) * (x - y), facts, strict=True) and shown(x**2, (), strict=False)
    assert not shown(x**2, (), strict=True)
    assert not shown((x - 1) * (x - y), facts, strict=False)
    assert not shown(x - 2, facts, strict=False)
    assert not shown(y - 2 * x, facts, strict=False)
    parts = (at_least(x, ZERO), greater(y, ZERO))
    assert shown(x * y + 2 * y**3 + x**2, parts, strict=True) and shown(x * y + 2 * y**3, parts, strict=False)
    assert not shown(x * y + 2 * x**3 + x**2, parts, strict=True)
    assert not shown(x * y + 2 * y**3 - x**2, parts, strict=False)


# ---------------------------------------------------------------- cases and branches


def _absolute(conditions: Sequence[Condition], branch: sympy.Expr) -> Case:
    line = maximum(x, -x)
    return Case(tuple(conditions), chain(line, [choose(branch, line, "branch", *conditions)], branch))


def test_cases_must_leave_nothing_out() -> None:
    def at_least_zero(*cases: tuple[Condition, sympy.Expr]) -> Cases:
        line = maximum(x, -x)
        shown_in = [
            Case((c,), chain(line, [choose(b, line, "branch", c), bound(">=", ZERO, "sign", c)], ZERO))
            for c, b in cases
        ]
        return Cases(tuple(shown_in))

    strict, loose, negative = Condition(x), at_least(x, ZERO), Condition(-x)
    assert at_least_zero((loose, x), (negative, -x)).relation == ">="
    _raises(lambda: at_least_zero((strict, x), (negative, -x)), "leave something out")
    _raises(lambda: at_least_zero((loose, x)), "leave something out")


def test_cases_must_show_the_same() -> None:
    both = (_absolute([at_least(x, ZERO)], x), _absolute([Condition(-x)], -x))
    _raises(lambda: Cases(both), "the same")


def test_branch_must_be_decided() -> None:
    line = clip(x, ZERO, ONE)
    for conditions in ((), (Condition(x),), (Condition(ONE - x),)):
        _raises(lambda c=conditions: chain(line, [choose(x, line, "inside", *c)], x), "they differ")
    assert chain(line, [choose(x, line, "inside", Condition(x), greater(ONE, x))], x)


def test_condition_of_a_case_is_not_the_theorems() -> None:
    proof = chain(maximum(x, y), [choose(x, maximum(x, y), "larger", greater(x, y))], x)
    _raises(lambda: Theorem("false", Statement(maximum(x, y), x), proof), "which is not given")
    _raises(lambda: Theorem("false", Statement(maximum(x, y), x), proof, conditions=(greater(x + 1, y),)), "not given")


def test_derivative_needs_the_branch_all_around() -> None:
    """At x = 0 the branches of max(x, 0) meet: x ≥ 0 does not say what the derivative is, x > 0 does."""
    line = sympy.Derivative(maximum(x, y), x)
    at_edge, inside = at_least(x, y), greater(x, y)
    _raises(lambda: chain(line, [choose(x, maximum(x, y), "larger", at_edge)], ONE), "they differ")
    assert chain(line, [choose(x, maximum(x, y), "larger", inside), differentiate()], ONE)


# ---------------------------------------------------------------- what holds at a point, or for a symbol


def test_equation_at_a_point_does_not_reach_into_a_derivative() -> None:
    f = sympy.Function("f", real=True)(x)
    at_point = (f, ONE)
    line = sympy.Derivative(f, x)
    forced = Move("constant", lambda _: ZERO, equations=(at_point,))
    _raises(lambda: chain(line, [forced], ZERO), "they differ")
    _raises(lambda: chain(line, [use(at_point, "at_this_point")], ZERO), "changes nothing")


def test_derivative_may_not_hide_a_definition() -> None:
    line = sympy.Derivative(A(t) * lam, lam)
    proof = chain(line, [differentiate()], A(t))
    _raises(lambda: Theorem("false", Statement(line, A(t)), proof, (GAE_STEP,)), "leaves out")


def test_division_by_what_may_be_zero() -> None:
    start = x / (x - y) - y / (x - y)
    proof = chain(start, [arrange(ONE)], ONE)
    _raises(lambda: Theorem("false", Statement(start, ONE), proof), "may be 0")
    assert Theorem("true", Statement(start, ONE), proof, conditions=(greater(x, y),))


def test_symbol_cannot_be_what_it_is_assumed_not_to_be() -> None:
    lam_is_zero = (lam, ZERO)
    proof = chain(lam + x, [use(lam_is_zero, "lambda_is_zero")], x)
    _raises(lambda: Theorem("false", Statement(lam + x, x), proof, boundary=(lam_is_zero,)), "cannot be")


# ---------------------------------------------------------------- induction

CLAIM = Statement(decayed(delta, t, T - t), A(t), over=t)
BASE = (empty_sum(), recall(NO_ADVANTAGE_LEFT, "no_advantage_after_the_end"))


def _steps(value: sympy.Expr) -> list[Move]:
    return [split_first(), reindex(1), hypothesis(CLAIM, value), fold(GAE_STEP, t)]


def test_hypothesis_is_the_neighbouring_statement() -> None:
    assert backwards(CLAIM, BASE, _steps(t + 1))
    smuggled = [arrange(A(t), "smuggled")]
    _raises(lambda: backwards(CLAIM, BASE, smuggled), "they differ")
    itself = Move("hypothesis", lambda _: A(t), equations=(CLAIM.equation,))
    _raises(lambda: backwards(CLAIM, BASE, [itself]), "the hypothesis is the statement at")


def test_base_has_no_hypothesis() -> None:
    assumed = Move("hypothesis", lambda _: A(T), equations=(NO_ADVANTAGE_LEFT,))
    _raises(lambda: backwards(CLAIM, [assumed], _steps(t + 1)), "base has no hypothesis")


def test_statement_without_its_boundary() -> None:
    proof = backwards(CLAIM, BASE, _steps(t + 1))
    _raises(lambda: Theorem("false", CLAIM, proof, (GAE_STEP,)), "not all of which is given")
    _raises(lambda: Theorem("false", CLAIM, proof, (), (NO_ADVANTAGE_LEFT,)), "uses a definition")
    assert Theorem("true", CLAIM, proof, (GAE_STEP,), (NO_ADVANTAGE_LEFT,))


def test_induction_covers_every_value() -> None:
    """From base 0 upwards, but the step starts only after 1."""
    statement = Statement(sympy.Sum(ONE, (k, 1, j)), j, over=j)
    base, step = statement.at(ZERO), statement.at(j + 1)
    _raises(
        lambda: Induction(
            statement,
            base=ZERO,
            known=j,
            shown=j + 1,
            base_chain=chain(base[0], [empty_sum()], base[1]),
            step_chain=chain(step[0], [sum_by_terms()], step[1]),
        ),
        "not the first value",
    )


def test_induction_goes_by_one_to_the_variable_itself() -> None:
    parts = backwards(CLAIM, BASE, _steps(t + 1))
    for known, shown_at, saying in (
        (t + 2, t, "step of one"),
        (t + 2, t + 1, "to t itself"),
        (t, t - 1, "to t itself"),
    ):
        _raises(
            lambda known=known, shown_at=shown_at: Induction(
                CLAIM, T, known, shown_at, parts.base_chain, parts.step_chain
            ),
            saying,
        )


def test_what_is_given_for_one_value_is_not_for_all() -> None:
    here = (A(t), ZERO)
    statement = Statement(A(t), ZERO, over=t)
    proof = backwards(
        Statement(A(t) * x, ZERO, over=t),
        [use(NO_ADVANTAGE_LEFT, "end")],
        [use(here, "here")],
    )
    _raises(lambda: Theorem("false", proof.statement, proof, (), (NO_ADVANTAGE_LEFT, here)), "does not hold for all")
    direct = chain(A(t), [use(here, "here")], ZERO)
    _raises(lambda: Theorem("false", statement, direct, boundary=(here,)), "what is to be shown")


# ---------------------------------------------------------------- earlier theorems


def test_theorem_brings_what_it_rests_on() -> None:
    moves = [by(gae_is_decayed_sum_of_deltas(), "sum", solve_for=A(t))]
    proof = chain(A(t), moves, decayed(delta, t, T - t))
    statement = Statement(A(t), decayed(delta, t, T - t))
    _raises(lambda: Theorem("false", statement, proof, (GAE_STEP,)), "not all of which is given")
    _raises(lambda: Theorem("false", statement, proof, (), (NO_ADVANTAGE_LEFT,)), "uses a definition")


def test_theorem_holds_only_where_it_was_shown() -> None:
    theorem = gae_is_decayed_sum_of_deltas()
    _raises(lambda: Instance(theorem, ((t, T + 1),)), "shown up to")
    _raises(lambda: Instance(theorem, ((gamma, ONE),)), "speak of one")
    _raises(lambda: Instance(theorem, ((t, sympy.Rational(1, 2)),)), "cannot be")
    _raises(lambda: Instance(theorem, ((t, k),)).equation, "counted by a sum")


def test_only_a_proved_theorem_is_a_lemma() -> None:
    class Forged:
        relation = "="
        equation = (A(t), ZERO)
        fact = POSITIVE

    proof = chain(A(t), [Move("forged", lambda _: ZERO, lemmas=(Forged(),))], ZERO)
    _raises(lambda: Theorem("false", Statement(A(t), ZERO), proof), "not a proved theorem")


def test_inequality_used_as_a_lemma_keeps_its_direction() -> None:
    square = chain(x**2, [bound(">=", ZERO, "square")], ZERO)
    theorem = Theorem("square", Statement(x**2, ZERO, relation=">="), square)
    at_y = Instance(theorem, ((x, sympy.log(lam)),))
    assert chain(y + sympy.log(lam) ** 2, [bound_by(at_y, ">=", y, "dropped")], y)
    _raises(lambda: chain(y, [bound_by(at_y, ">=", y + sympy.log(lam) ** 2, "added")], y), "not ")


# ---------------------------------------------------------------- operators and counterexamples


def test_variance_needs_a_sum_of_quantities() -> None:
    images = {r: lambda _: ONE, V: lambda _: ONE}
    squared = Definition(G, lambda i: formulas.squared_error(r(i), V(i)), formulas.squared_error)
    shifted = Definition(G, lambda i: formulas.td_error(r(i), x, V(i), gamma), formulas.td_error)
    _raises(lambda: variance(squared, A, images).at(t), "multiplies")
    _raises(lambda: variance(shifted, A, images).at(t), "adds a constant")


def test_counterexample_must_refute() -> None:
    double = Claim("double_is_sum", left=lambda rewards: 2 * rewards[0], right=lambda rewards: rewards[0] + rewards[0])
    _raises(lambda: refute(double, rewards=(1,)), "holds here")
    less = Claim("double_is_more", left=lambda rewards: 2 * rewards[0], right=lambda rewards: rewards[0], relation=">")
    _raises(lambda: refute(less, rewards=(1,)), "holds here")
    found = refute(less, rewards=(-1,))
    _raises(lambda: Counterexample(less, found.inputs, found.left + 1, found.right), "the sides are")


def test_unused_conditions_of_gae_at_lambda_one() -> None:
    """Without λ = 1 the proof that A = G − V does not go through."""
    statement = Statement(A(t), formulas.advantage(G(t), V(t)), over=t)
    steps = [unfold_at(GAE_STEP, t), hypothesis(statement, t + 1), unfold(TD_ERROR), fold(MC_STEP, t)]
    base = [
        use(NO_ADVANTAGE_LEFT, "end"),
        recall(NO_REWARD_LEFT, "end"),
        recall((V(T), ZERO), "end", times=-ONE),
    ]
    _raises(lambda: backwards(statement, base, steps), "the chain ends at")
    assert backwards(statement, base, [steps[0], use(LAMBDA_IS_ONE, "lambda_is_one"), *steps[1:]])


def test_upwards_needs_the_first_value() -> None:
    statement = Statement(N, N + 0 * x, over=N)
    _raises(lambda: upwards(statement, 0, [], []), "not the first value")


def test_cases_point_one_way() -> None:
    up = Case((Condition(x),), chain(y, [bound("<=", y + x, "up", POSITIVE)], y + x))
    down = Case((at_least(-x, ZERO),), chain(y, [bound(">=", y + x, "down", at_least(-x, ZERO))], y + x))
    _raises(lambda: Cases((up, down)), "different directions")


def test_proof_shows_its_statement() -> None:
    proof = chain(x * (x + 1), [cancel()], x**2 + x)
    _raises(lambda: Theorem("false", Statement(x, x**2), proof), "the proof shows")
    step = backwards(CLAIM, BASE, _steps(t + 1)).step_chain
    _raises(lambda: Induction(CLAIM, T, t + 1, t, step, step), "the base shows")


def test_only_an_induction_has_a_hypothesis() -> None:
    proof = chain(CLAIM.left, _steps(t + 1), CLAIM.right)
    _raises(lambda: Theorem("false", CLAIM, proof, (GAE_STEP,)), "only an induction")
