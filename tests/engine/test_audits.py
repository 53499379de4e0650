"""Audits: what is right passes at the digits shown, what is changed is found, what a wrong program gives is traced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import audits, quantities
from engine.audits import Claim, audit
from engine.facts import quick_facts
from engine.mistakes import MISTAKES, run
from engine.scenario import scenario
from tests.engine.situations import situation

BASE = scenario({"rewards": [0, 0, 1], "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 0.95})
RIGHT = quantities.facts("gae", BASE).numbers
ADVANTAGES, RETURNS = [0.47525, 0.395, 0.1], [0.97525, 0.995, 1.0]


@given(st.integers(0, 40), st.integers(2, 6))
def test_computed_numbers_pass_at_any_number_of_digits(seed, decimals):
    facts = quantities.facts("masked_gae", situation(seed)).numbers
    claims = [
        Claim(name, [None if x is None else round(x, decimals) for x in facts[name]], decimals)
        for name in ("deltas", "advantages", "returns")
    ]
    found = audit(situation(seed), claims, "masked_gae")
    assert found.checked and not found.wrong and not found.unchecked


@given(st.integers(0, 40), st.sampled_from(["deltas", "advantages", "returns"]), st.integers(0, 2))
def test_the_one_changed_number_is_found(seed, name, place):
    facts = quantities.facts("masked_gae", situation(seed)).numbers
    kept = [t for t, x in enumerate(facts[name]) if x is not None]
    stated = [x if t != kept[place] else x + 0.5 for t, x in enumerate(facts[name])]
    (wrong,) = audit(situation(seed), [Claim(name, stated, 6)], "masked_gae").wrong
    assert wrong.where == f"{name}[{kept[place]}]" and wrong.cause
    assert wrong.correct == pytest.approx(facts[name][kept[place]])


def traceable():
    for id, mistake in MISTAKES.items():
        for given_up in ((), ("advantages",), ("advantages", "rewards")):
            base = situation(3).merged(dict.fromkeys(given_up))
            if mistake.quantity in ("gae", "whiten", "kl_rewards") and mistake.possible(base):
                yield id, base
                break


@pytest.mark.parametrize(("id", "base"), [*traceable()], ids=lambda x: x if isinstance(x, str) else "")
def test_what_a_wrong_program_prints_is_traced_to_a_program(id, base):
    quantity = MISTAKES[id].quantity
    wrong, correct = run(id, base).numbers, quantities.facts(quantity, base).numbers
    lists = [name for name in ("deltas", "advantages", "returns", "rewards", "whitened") if name in wrong]
    stated = [Claim(name, wrong[name], 9) for name in lists if getattr(base, name, None) is None and name in correct]
    assert {number.cause for number in audit(base, stated, quantity).wrong} <= set(MISTAKES)


def test_most_mistakes_can_be_traced():
    assert len([*traceable()]) > 25


def test_a_list_of_another_length_is_a_count():
    (wrong,) = audit(BASE, [Claim("advantages", [0.475, 0.395], 3)]).wrong
    assert (wrong.where, wrong.stated, wrong.correct, wrong.cause) == ("advantages", 2.0, 3, audits.COUNT)


@pytest.mark.parametrize(("index", "cause"), [(0, None), (2, audits.UNKNOWN), (5, audits.COUNT)])
def test_one_number_of_a_list(index, cause):
    found = audit(BASE, [Claim("advantages", 0.47525, 5, index=index)])
    assert found.checked[0].where == f"advantages[{index}]"
    assert (found.checked[0].cause is None) == (cause is None)
    assert cause in (None, audits.COUNT) or found.checked[0].cause in {*MISTAKES, audits.UNKNOWN}


def test_what_cannot_be_computed_is_left_unchecked():
    found = audit(scenario({"values": [0.5, 0.6], "gamma": 1, "lam": 1}), [Claim("advantages", [0.1, 0.2], 1)])
    assert not found.checked and found.unchecked == ("advantages",)


def test_without_numbers_to_compute_from_nothing_is_checked_either_way():
    assert audit(scenario({}), []).checked == ()
    assert not audits.computable("gae", scenario({}))
    assert audits.computable("gae", BASE)


def test_stated_deltas_alone_are_what_advantages_are_made_of():
    base = scenario({"gamma": 1, "lam": 0.95})
    claims = [Claim("deltas", [0.1, 0.3, 0.1], 1), Claim("advantages", ADVANTAGES, 5)]
    assert not audit(base, claims).wrong
    assert audit(base, [claims[0], Claim("advantages", [0.5, 0.395, 0.1], 5)]).wrong


def test_stated_k1_alone_is_what_k3_is_made_of():
    claims = [Claim("k1", [0.1, -0.2], 1), Claim("k3", [0.0048, 0.0214], 4)]
    assert not audit(scenario({}), claims).wrong
    assert audit(scenario({}), [claims[0], Claim("k3", [0.0052, 0.0214], 4)]).wrong


def test_a_sweep_is_checked_by_lambda():
    base = BASE.merged({"lams": [0.0, 1.0]})
    right = {"0": [0.1, 0.3, 0.1], "1": [0.5, 0.4, 0.1]}
    assert not audit(base, [Claim("sweep", right, 1)], "lambda_sweep").wrong
    (wrong,) = audit(base, [Claim("sweep", {**right, "1": [0.5, 0.4, 0.3]}, 1)], "lambda_sweep").wrong
    assert wrong.where == "sweep[1][2]"


def test_one_row_stated_as_a_batch_is_that_row():
    assert not audit(BASE, [Claim("advantages", [ADVANTAGES], 5)]).wrong


def test_padding_may_be_left_out_of_a_stated_list():
    base = scenario({**BASE.given(), "rewards": [0, 0, 1, 7], "values": [0.5, 0.6, 0.9, 7], "mask": [1, 1, 1, 0]})
    assert not audit(base, [Claim("advantages", ADVANTAGES, 5)], "masked_gae").wrong
    assert len(audit(base, [Claim("advantages", [0.1, *ADVANTAGES[1:]], 5)], "masked_gae").wrong) == 1


def test_returns_without_values_are_monte_carlo():
    base = scenario({"rewards": [0, 0, 1], "gamma": 0.5})
    assert not audit(base, [Claim("returns", [0.25, 0.5, 1.0], 2)]).wrong


def test_the_order_is_that_of_the_text():
    claims = [Claim("advantages", [9, 9, 9], 1, places=(3, 4, 5)), Claim("returns", [9, 9, 9], 1, places=(0, 1, 2))]
    assert [x.where for x in audit(BASE, claims).wrong][:3] == ["returns[0]", "returns[1]", "returns[2]"]


@pytest.mark.parametrize(
    ("free", "cause"), [(frozenset({"gamma", "lam"}), audits.UNREACHABLE), (frozenset({"lam"}), audits.UNKNOWN)]
)
def test_numbers_that_no_parameters_give(free, cause):
    wrong = audit(BASE, [Claim("advantages", [5.0, -7.0, 3.0], 2)], "gae", free=free).wrong
    assert {x.cause for x in wrong} == {cause}


def test_lists_that_follow_from_others_are_claims():
    own, found = audits.separated(scenario({**BASE.given(), "advantages": [0.475, 0.5, 0.1], "returns": RETURNS}))
    assert own.advantages is own.returns is None
    assert [claim.name for claim in found] == ["advantages", "returns"]
    assert [x.where for x in audit(own, found).wrong] == ["advantages[1]"]


@pytest.mark.parametrize(("stated", "decimals"), [(1.0, 1), (0.25, 2), ([0.5, 0.125], 3), ({"0": [1.5]}, 1), ([], 1)])
def test_decimals_of_bare_numbers(stated, decimals):
    assert audits.decimals(stated) == decimals


def test_a_number_is_shown_as_it_was_written():
    (found,) = audit(BASE, [Claim("advantages", 0.1, 3, index=2)]).checked
    assert (found.shown, found.right) == ("0.100", True)


def test_a_list_in_brackets_of_its_own_and_a_number_in_brackets_are_read():
    nested = audit(BASE, [Claim("advantages", [[0.47525, 0.395, 0.1]], 5)]).checked
    assert [x.where for x in nested] == [f"advantages[{t}]" for t in range(len(nested))]
    (single,) = audit(BASE, [Claim("delta_sum", [0.5], 1)]).checked
    assert single.where == "delta_sum"


def test_decimals_of_what_was_not_stated():
    assert audits.decimals([None, 0.25]) == 2


def test_a_sweep_that_a_wrong_program_gives_is_traced_to_it():
    base = BASE.merged({"lams": [0.0, 0.5]})
    wrong = quick_facts(MISTAKES["bootstrap_forgotten"].on("lambda_sweep"), base)["sweep"]
    stated = {lam: [round(float(x), 5) for x in row] for lam, row in wrong.items()}
    found = audit(base, [Claim("sweep", stated, 5)], "lambda_sweep").wrong
    assert {x.cause for x in found} == {"bootstrap_forgotten"}


def test_a_wrong_number_of_tokens_is_a_wrong_count():
    (found,) = audit(BASE, [Claim("T", 4, 0)], "gae").checked
    assert (found.correct, found.cause) == (3, audits.COUNT)


def test_whether_parameters_give_a_masked_list_is_not_asked():
    base = scenario({**BASE.given(), "rewards": [0, 0, 1, 7], "values": [0.5, 0.6, 0.9, 7], "mask": [1, 1, 1, 0]})
    free = frozenset({"gamma", "lam"})
    wrong = audit(base, [Claim("advantages", [5.0, -7.0, 3.0], 2)], "masked_gae", free=free).wrong
    assert {x.cause for x in wrong} == {audits.UNKNOWN}
