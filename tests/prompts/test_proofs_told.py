"""Conditions, sums and ends of decimals, as a teacher writes them; base cases that begin and end as the statement."""

from __future__ import annotations

import mpmath
import pytest
import sympy

from engine.notation import show
from engine.proofs import theorem
from engine.proofs.clipping import ABOVE, BAD, BELOW, GOOD
from engine.proofs.groups import epsilon
from engine.proofs.language import Condition, N, T, gamma, greater, lam
from engine.proofs.latex import latex
from engine.proofs.proof import Induction
from lessons._lesson import LANGUAGES
from prompts.tell.proofs import conditions, proof

WRITTEN = {
    r"A > 0": GOOD,
    r"A < 0": BAD,
    r"\rho > 1 + \varepsilon_{\mathrm{high}}": ABOVE,
    r"\rho < 1 - \varepsilon_{\mathrm{low}}": BELOW,
    r"N > 1": greater(N, sympy.Integer(1)),
    r"\gamma \lambda < 1": greater(sympy.Integer(1), gamma * lam),
    r"N \ge 1": Condition(N - 1, strict=False),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_a_condition_says_what_it_is_about(written):
    assert conditions([WRITTEN[written]]) == written


def test_an_epsilon_stands_behind_what_it_is_added_to():
    assert latex(epsilon + 1) == r"1 + \varepsilon" and latex(1 - epsilon) == r"1 - \varepsilon"


def test_a_decimal_that_ends_is_equal_and_not_about():
    with mpmath.workdps(50):
        assert show(mpmath.exp(0)).sign == show(mpmath.mpf("0.3")).sign == show(mpmath.mpf(0)).sign == "="
        assert show(mpmath.exp(1)).sign == show(mpmath.mpf(2) / 3).sign == "≈"


@pytest.mark.parametrize("name", ["telescoping", "gae_is_decayed_sum_of_deltas", "gae_lambda_one_is_monte_carlo"])
def test_a_base_case_goes_from_the_left_of_the_statement_to_its_right(name):
    induction = theorem(name).proof
    assert isinstance(induction, Induction)
    base = induction.base_chain
    assert (base.start, base.goal) == induction.statement.at(T)


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_the_response_goes_on_the_base_is_a_stop(language):
    told = {name: proof(theorem(name), language) for name in ("n_step_advantage_is_sum_of_deltas", "telescoping")}
    stopped = {"zh": "一步也没走", "en": "no step is taken"}[language]
    assert stopped in told["n_step_advantage_is_sum_of_deltas"] and stopped not in told["telescoping"]
