"""Equations are settled as the theorems say; an equation that fails somewhere is found to fail."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine import drawn
from engine.drawn import Where, random_responses
from engine.equalities import Equality, settle
from engine.terms import ahead, minus, number, plus, power, quantity, rate, times, total

GAMMA, LAM, ONE, ZERO = rate("gamma"), rate("lam"), Fraction(1), Fraction(0)


def at(name, step=0):
    return quantity(name, lambda _response, t, _k: t + step, f"t{step:+d}" if step else "t")


def first(name):
    return quantity(name, lambda _response, _t, _k: 0, "0")


r, V, delta, A, R, G = (at(name) for name in ("rewards", "values", "deltas", "advantages", "returns", "mc_returns"))
news = minus(plus(r, times(GAMMA, at("values", 1))), V)
gained = ahead(
    times(
        power(times(GAMMA, LAM), lambda _response, _t, k: k, "k"),
        quantity("deltas", lambda _response, t, k: t + k, "t+k"),
    )
)
excess = minus(first("mc_returns"), first("values"))


@pytest.mark.parametrize(
    ("left", "right", "said", "always", "where"),
    [
        (delta, news, {}, True, ()),
        (A, plus(delta, times(times(GAMMA, LAM), at("advantages", 1))), {}, True, ()),
        (A, gained, {}, True, ()),
        (R, plus(A, V), {}, True, ()),
        (at("mc_advantages"), minus(G, V), {}, True, ()),
        (A, minus(G, V), {}, False, ({"lam": ONE},)),
        (A, minus(G, V), {"lam": ONE}, True, ()),
        (A, delta, {}, False, ({"lam": ZERO},)),
        (A, delta, {"lam": Fraction(1, 2)}, False, ()),
        (R, G, {}, False, ({"lam": ONE},)),
        (total(delta), excess, {}, False, ({"gamma": ONE},)),
        (total(A), excess, {}, False, ({"gamma": ONE, "lam": ZERO},)),
        (delta, minus(r, V), {}, False, ()),
        (A, plus(A, number(Fraction(1, 10**9))), {}, False, ()),
    ],
)
def test_what_the_theorems_say(left, right, said, always, where):
    found = settle(Equality(left, right, Where(tuple(said.items()))))
    assert (found.always, found.where) == (always, where)


def test_before_the_first_token_nothing_is_said():
    assert settle(Equality(at("advantages", -1), at("advantages", -1))).always
    with pytest.raises(drawn.OutsideError):
        Equality(at("values", -1), V).sides(drawn.random_responses(Where())[0])


def test_lengths_and_rates_differ_between_responses():
    responses = drawn.random_responses(Where())
    assert len(responses) == drawn.RESPONSES
    assert len({response.length for response in responses}) == len(drawn.LENGTHS)
    assert len({response.rates["lam"] for response in responses}) > 1
    assert {response.rates["lam"] for response in drawn.random_responses(Where((("lam", ONE),)))} == {ONE}


def test_equations_are_written_with_the_engines_symbols():
    assert Equality(A, gained).latex == r"A_{t} = \sum_{k} \left(\gamma \lambda\right)^{k} \delta_{t+k}"
    assert minus(A, minus(G, V)).latex == r"A_{t} - \left(G_{t} - V_{t}\right)"
    assert times(minus(number(ONE), LAM), V).latex == r"\left(1 - \lambda\right) V_{t}"
    assert power(GAMMA, lambda _response, _t, k: k, "k").latex == r"\gamma^{k}"


def test_an_equality_knows_its_quantities():
    assert Equality(delta, news).quantities == {"deltas", "rewards", "values"}


def test_a_list_that_is_zero_throughout_is_zero_in_every_response():
    responses = random_responses(Where(zero=frozenset({"values"})))
    assert not any(any(response.lists["values"]) for response in responses)
    assert all(response.lists["advantages"][-1] == response.lists["rewards"][-1] for response in responses)
