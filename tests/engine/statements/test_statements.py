"""Statements: what is written is read back, a false one is refuted by a witness, and numbers are the engine's own."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.statements import terms as ir
from engine.statements.defined import Definitions
from engine.statements.evaluating import changed, holds, value
from engine.statements.given import EMPTY, given
from engine.statements.names import IN_SHORT
from engine.statements.reading import read, read_changes
from engine.statements.settle import Held, Parted, Proved, Refuted, settle, settle_for_all
from engine.statements.text import latex, line, write

HERE = given(RUNNING)
TRUE = (  # for every response
    "A_t = delta_t + gamma * lam * A_{t+1}",
    "R_t = A_t + V_t",
    "discounted(delta, gamma) = G_0 - V_0",
    "all k in 1..last: discounted(delta, gamma) @ {V_k += 1} = discounted(delta, gamma)",
    "A = mc_advantages where lam = 1",
    "A = delta where lam = 0",
    "all k in 0..last: (G @ {V_k += 5}) = G",
    "R = G or lam < 1",
    "not (R != G and lam = 1)",
    "[x * 2 for x in A] = 2 * A = A + A",
    "A_last = r_last - V_last",
    "flat(A) = A",
    "sum([A_k @ {r *= 2, V *= 2} - 2 * A_k for k in 0..last]) = 0",
    "V_0 of small_world(chance = 9/10)[0] = sum([9/10, 1/10] * [small_q(a, chance = 9/10) for a in 0..1])",
    "V_0 of small_world(gamma = 1/2)[0] = mean([G_0 of s for s in small_world(gamma = 1/2)])",
)
FALSE = (
    "sum(delta) = G_0 - V_0",
    "A = mc_advantages",
    "V_{t+1} <= V_t",
    "A_0 @ {V_1 += 1} = A_0 @ {lam = 1}",
    "R_t = A_t",
    "some k in 0..last: A_k > A_k",
)
DEPTH, DRAWN = 4, 300


@pytest.mark.parametrize("text", TRUE)
def test_what_always_holds_held_on_all_that_were_drawn(text):
    found = settle_for_all(read(text))
    assert found.verdict == "unknown" and isinstance(found.witness, Held) and found.witness.count > 10


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_refuted_and_the_witness_refutes_it(text):
    found = settle_for_all(read(text))
    assert found.verdict == "false" and isinstance(found.witness, Refuted)
    assert not holds(read(text), found.witness.here)


def test_only_a_theorem_makes_it_true_for_all():
    found = settle_for_all(read("discounted(delta, gamma) = G_0 - V_0"), ("telescoping",))
    assert found.verdict == "true" and found.witness == Proved(("telescoping",))
    with pytest.raises(KeyError):
        settle_for_all(read("A_0 = A_0"), ("no_such_theorem",))


def test_a_theorem_does_not_save_what_is_refuted():
    assert settle_for_all(read("sum(delta) = G_0 - V_0"), ("telescoping",)).verdict == "false"


def test_what_depends_names_the_setting_that_parts_it():
    settings = [changed(HERE, read_changes(text)) for text in ("lam = 1", "lam = 1/2", "lam = 1, gamma = 0.9")]
    found = settle((read("A_0 = G_0 - V_0"),), settings)
    assert found.verdict == "depends" and found.witness == Parted((0, 0), (0, 1))
    assert settle((read("A_0 = G_0 - V_0"),), settings[::2]).verdict == "true"
    assert settle((read("A_0 = G_0 - V_0"),), settings[1:2]).verdict == "false"


@pytest.mark.parametrize("program", ["gae", "kl_rewards", "whiten", "clip", "value_loss", "nstep_mixture", "grpo"])
def test_a_quantity_is_what_the_pipeline_computes(program):
    example = RUNNING.merged({"old_logp": RUNNING.logp})
    facts = quantities.facts(program, example)
    for name, expected in facts.exact.items():
        found = value(ir.Part(ir.Name(program), name), given(example))
        assert _same(found, expected), name


def _same(a, b):
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return a == b or abs(a - b) < 1e-30


@pytest.mark.parametrize(
    "text",
    [
        "A_t = B_t", "sum(delta", "A_0 +", "nonsense(A) = 1", "A_0 = 1 where foo = 2", "deltas where deltas = 1", "",
        "[k for k in 0..3", "x + 1", "all r in 0..3: A_r = 1", "A_0 = 1 1", "{V_0 = 1}", "$x(", "A ? 1",
    ],
)  # fmt: skip
def test_what_is_unknown_or_unreadable_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        read(text)


def test_definitions_are_put_in_their_places():
    definitions = Definitions(
        {"sum": "$sum @ {lam = 0}", "good": "{r = [0, 1], V = [$half, $half]}"},
        {"sum": "sum(A)", "half": "1/2", "twice(x)": "2 * x"},
    )
    assert write(definitions.read("$sum of $good")) == "sum(A) @ {lam = 0} of {r = [0, 1], V = [1 / 2, 1 / 2]}"
    assert value(definitions.read("$twice($half + 1)"), HERE) == 3
    for text, wrong in (("$other", "not defined"), ("$twice", "takes 1"), ("$half(1)", "takes 0")):
        with pytest.raises(ValueError, match=wrong):
            definitions.read(text)
    with pytest.raises(ValueError, match="not defined"):
        Definitions({"a": "$b", "b": "$a"}).read("$a")


def test_a_change_is_of_the_situation_as_it_was():
    swapped = changed(HERE, read_changes("V_1 = V_2, V_2 = V_1"))
    before, after = HERE.value("values"), swapped.value("values")
    assert after == [before[0], before[2], before[1], *before[3:]]
    assert value(read("V_0 of {r = delta, V = [V_1 - 1 for k in 0..last]}"), HERE) == before[1] - 1
    assert value(read("gamma of {r = [1]}"), HERE) == 1


def test_what_is_missing_is_named():
    with pytest.raises(EngineError, match="scores"):
        value(read("score_0 of {r = [1]}"), HERE)


def test_it_is_said_in_both_languages_and_in_latex():
    term = read("A_t = G_t - V_t where lam = 1, gamma = 1")
    assert line(term, "zh") == "A_t = G_t − V_t，当 λ = 1、γ = 1"
    assert line(term, "en") == "A_t = G_t − V_t where λ = 1, γ = 1"
    assert latex(term) == r"A_{t} = G_{t} - V_{t} \quad \left(\lambda = 1, \gamma = 1\right)"
    assert line(read("V_{t+1} >= 0 or not all k: A_k = 1/2"), "zh") == "V_{t+1} ≥ 0 或 并非 (对所有 k: A_k = 1 / 2)"


@pytest.mark.parametrize("text", [*TRUE, *FALSE, "moments(walk(6), [0, 1]).mean[1:]", "-(-A_0)^2 - (1 - 2)"])
def test_the_canonical_text_is_read_back(text):
    assert read(write(read(text))) == read(text)


def test_any_statement_is_read_back_from_its_canonical_text():
    chance = random.Random(1)
    for _ in range(DRAWN):
        term = _drawn(chance, DEPTH, ("k",))
        assert read(write(term), frozenset({"k"})) == term, write(term)


def _drawn(chance: random.Random, depth: int, bound: tuple[str, ...]) -> ir.Term:
    """Any term, at random."""

    def inner(*more: str) -> ir.Term:
        return _drawn(chance, depth - 1, (*bound, *more))

    quantity = chance.choice(sorted(IN_SHORT))
    leaves = (
        lambda: ir.Number(Fraction(chance.randint(0, 99), chance.choice((1, 4, 10)))),
        lambda: ir.Name(chance.choice((quantity, "gamma", *bound))),
        lambda: ir.Place(quantity, ir.Name("last")),
    )
    if depth == 0:
        return chance.choice(leaves)()
    new = f"v{depth}"
    changes = (ir.Change("lam", None, "=", inner()), ir.Change("values", ir.Number(Fraction(0)), "+=", inner()))
    return chance.choice(
        (
            *leaves,
            lambda: ir.Place(quantity, inner()),
            lambda: ir.Item(inner(), inner()),
            lambda: ir.Slice(inner(), chance.choice((None, inner())), chance.choice((None, inner()))),
            lambda: ir.Call("max", (inner(), inner())),
            lambda: ir.Call("walk", (inner(),), (("step", inner()),)),
            lambda: ir.Minus(inner()),
            lambda: ir.Binary(inner(), chance.choice(("+", "-", "*", "/", "^", "++", "..")), inner()),
            lambda: ir.Relation(inner(), ((chance.choice(("=", "<", "!=", "~", "in")), inner()), ("<=", inner()))),
            lambda: ir.Not(inner()),
            lambda: ir.Joined(chance.choice(("and", "or")), (inner(), inner(), inner())),
            lambda: ir.Quantified(chance.choice(("all", "some")), new, chance.choice((None, inner())), inner(new)),
            lambda: ir.ListOf((inner(), inner())),
            lambda: ir.Each(inner(new), (ir.Loop(new, inner()),), chance.choice((None, inner(new)))),
            lambda: ir.Situation((ir.Change("rewards", None, "=", inner()),)),
            lambda: ir.Changed(inner(), changes[: chance.randint(1, 2)]),
            lambda: ir.Of(inner(), inner()),
        )
    )()


def test_an_empty_response_has_its_rates():
    assert (EMPTY.value("gamma"), EMPTY.value("lam")) == (1, 1)


def test_fractions_and_numbers_of_50_digits_are_reckoned_together():
    assert holds(
        read("1/2 - exp(0) = -1/2 and (1/2) / exp(0) = 1/2 < exp(0) and exp(0) > 1/2 and 1/2 != exp(1)"), EMPTY
    )
