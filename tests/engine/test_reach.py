"""What moves with what, as the definitions have it: beside the theorems on the sensitivities of A."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.drawn import Where, random_responses
from engine.reach import ABOVE, Cell, Reach
from engine.terms import quantity

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)


def at(name, step=0):
    return quantity(name, lambda _response, t, _k: t + step, f"t{step:+d}" if step else "t")


def settled(cause, effect, **said):
    where = {name: said.pop(name) for name in ("token", "zero", "inner") if name in said}
    return Reach(cause, effect, Where(tuple(said.items()), **where)).settled()


@pytest.mark.parametrize(
    ("cause", "effect", "said", "moves"),
    [
        (Cell("rewards", "t"), at("deltas"), {}, True),
        (Cell("rewards", "t+1"), at("deltas"), {}, False),
        (Cell("values", "t"), at("deltas"), {}, True),
        (Cell("values", "t+1"), at("deltas"), {"gamma": ONE}, True),
        (Cell("values", "t+1"), at("deltas"), {"gamma": ZERO}, False),
        (Cell("rewards", "later"), at("advantages"), {"lam": HALF}, True),
        (Cell("rewards", "earlier"), at("advantages"), {}, False),
        (Cell("values", "later"), at("advantages"), {"lam": HALF}, True),
        (Cell("values", "later"), at("advantages"), {"lam": ONE}, False),  # bootstrap vanishes
        (Cell("values", "later"), at("mc_returns"), {}, False),
        (Cell("values", "t"), at("mc_advantages"), {}, True),
        (Cell("values", "t"), at("returns"), {}, False),  # what A_t loses, + V_t gives back
        (Cell("values", "later"), at("returns"), {"lam": ONE}, False),  # R = G there
        (Cell("rewards", "last"), at("mc_returns"), {}, True),
        (Cell("rewards", "0"), at("mc_returns", 1), {}, False),
        (Cell("deltas", "t"), at("advantages"), {}, True),
        (Cell("deltas", "any"), at("mc_returns"), {}, False),
        (Cell("advantages", "t"), at("returns"), {}, True),
        (Cell("gamma"), at("deltas"), {}, True),
        (Cell("lam"), at("deltas"), {}, False),
        (Cell("lam"), at("advantages"), {}, True),
        (Cell("gamma"), at("mc_returns"), {"token": "last"}, False),  # nothing is behind the last token
    ],
)
def test_what_the_definitions_say(cause, effect, said, moves):
    assert settled(cause, effect, **said) is moves


@pytest.mark.parametrize(
    ("cause", "effect"),
    [
        (Cell("rewards", "later"), at("advantages")),  # not at λ = 0
        (Cell("values", "later"), at("advantages")),  # not at λ = 1
        (Cell("values", "later"), at("returns")),
    ],
)
def test_where_gamma_and_lambda_decide_nothing_is_settled_until_something_is_said(cause, effect):
    assert settled(cause, effect) is None
    assert settled(cause, effect, inner=True) is True


def test_a_witness_shows_it():
    reach = Reach(Cell("values", "t+1"), at("advantages"), Where((("gamma", ONE), ("lam", HALF))))
    before, t, after = reach.witness()
    assert [i for i in range(before.length) if before.lists["values"][i] != after.lists["values"][i]] == [t + 1]
    assert before.lists["advantages"][t] != after.lists["advantages"][t]
    assert before.lists["rewards"] == after.lists["rewards"] and before.rates == after.rates


def test_what_is_moved_stays_moved_and_only_what_is_below_it_follows():
    before, _, after = Reach(Cell("deltas", "t"), at("advantages")).witness()
    changed = {name for name in before.lists if before.lists[name] != after.lists[name]}
    assert changed == {"deltas", "advantages", "returns"}


def test_what_is_outside_the_response_is_not_asked():
    """The token before the first one has no advantage, and the one after the last cannot be moved."""
    assert settled(Cell("rewards", "later"), at("advantages", -1), lam=HALF) is True
    assert settled(Cell("rewards", "t+1"), at("mc_returns"), token="last") is False
    assert settled(Cell("rewards", "t"), at("advantages", -1), token="first") is False


@pytest.mark.parametrize(
    ("place", "tokens"),
    [
        ("t", [2]), ("t+1", [3]), ("t+2", []), ("t-1", [1]), ("t-3", []), ("0", [0]), ("4", []),
        ("last", [3]), ("later", [3]), ("earlier", [0, 1]), ("any", [0, 1, 2, 3]),
    ],
)  # fmt: skip
def test_the_tokens_of_a_place_in_four_seen_from_the_third(place, tokens):
    assert Cell("rewards", place).tokens(2, 4) == tokens


@pytest.mark.parametrize("name", ABOVE)
def test_what_is_named_above_a_quantity_is_all_that_it_is_computed_from(name):
    lists = {"rewards", "values", *ABOVE} - {name}
    for cause in lists:
        if Reach(Cell(cause), at(name), Where(inner=True)).settled():
            assert cause in ABOVE[name]


def test_a_list_that_is_zero_throughout_is_zero_in_every_response():
    responses = random_responses(Where(zero=frozenset({"values"})))
    assert not any(any(response.lists["values"]) for response in responses)
    assert all(response.lists["advantages"][-1] == response.lists["rewards"][-1] for response in responses)
