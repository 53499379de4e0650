"""Why a number is wrong: a program for the whole sheet, rounding on the way, a slip, or rates that do not exist."""

from __future__ import annotations

from engine.audits import ROUNDED, UNKNOWN, UNREACHABLE, Claim, audit
from engine.facts import quick_facts
from engine.mistakes import MISTAKES
from engine.quantities import QUANTITIES
from engine.rates import agreement, fitted
from engine.scenario import scenario

LISTS = {"rewards": [0, 0.1, -0.2, 0.3, 1], "values": [0.31, 0.42, 0.2, 0.55, 0.6]}
BASE = scenario({**LISTS, "gamma": 0.9, "lam": 0.8})
RIGHT = quick_facts(QUANTITIES["gae"], BASE)


def _claims(facts, digits, *names):
    return [Claim(name, [round(x, digits) for x in facts[name]], digits) for name in names]


def _causes(claims, base=BASE, free=frozenset()):
    return {x.where: x.cause for x in audit(base, claims, free=free).wrong}


def test_one_program_is_named_for_all_that_it_changes():
    wrong = quick_facts(MISTAKES["gamma_forgotten"].on("gae"), BASE)
    found = _causes(_claims(wrong, 4, "deltas", "advantages", "returns"))
    assert len(found) > 8 and {*found.values()} == {"gamma_forgotten"}


def test_a_chain_of_rounded_numbers_is_rounding_and_a_slip_is_not():
    chain: list[float] = []
    for delta in reversed(RIGHT["deltas"]):
        chain.insert(0, round(round(delta, 2) + 0.72 * (chain[0] if chain else 0.0), 2))
    found = _causes([*_claims(RIGHT, 2, "deltas"), Claim("advantages", chain, 2)])
    assert found and {*found.values()} == {ROUNDED}
    slipped = [*chain[:2], chain[2] + 0.05, *chain[3:]]
    assert _causes([*_claims(RIGHT, 2, "deltas"), Claim("advantages", slipped, 2)])["advantages[2]"] == UNKNOWN


def test_a_program_that_gives_the_numbers_as_they_stand_is_named_with_few_digits_only():
    base = scenario({"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 1, "lam": 0.95})
    found = audit(base, [Claim("advantages", [0.7, 0.6, 0.4], 1)]).wrong
    assert [(x.where, x.cause) for x in found] == [
        (f"advantages[{t}]", "mc_for_gae_as_if_lam_were_one") for t in range(2)
    ]
    assert float(found[0].correct) == 0.651
    assert not audit(base, [Claim("advantages", [0.65, 0.58, 0.4], 2)]).wrong


def test_each_number_is_judged_at_its_own_digits():
    claim = Claim("deltas", [0.1, 0.3, 0.1], 2, shown=(2, 1, 1))
    base = scenario({"rewards": [0, 0, 1.04], "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 1})
    assert not audit(base, [claim]).wrong
    assert [x.where for x in audit(base, [Claim("deltas", [0.1, 0.3, 0.1], 2)]).wrong] == ["deltas[2]"]


def test_rates_that_nobody_stated_are_those_that_fit():
    claims = _claims(RIGHT, 4, "advantages", "returns")
    rates = fitted(scenario(LISTS), claims, ("gamma", "lam"))
    assert rates == {"gamma": 0.9, "lam": 0.8}
    right, total = agreement(BASE, claims)
    assert right == total == 10


def test_numbers_that_no_rates_give_are_unreachable_and_one_slip_is_not():
    free = frozenset({"gamma", "lam"})
    assert {*_causes([Claim("advantages", [5.0, -7.0, 9.0, 3.0, 0.4], 2)], free=free).values()} == {UNREACHABLE}
    stated = [round(x, 4) for x in RIGHT["advantages"]]
    stated[1] += 0.3
    assert _causes([Claim("advantages", stated, 4)], free=free) == {"advantages[1]": UNKNOWN}
