"""The routing: on strangers' messages as good as it was measured, the same every time, not stale, never upset."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons._lesson import OUT_OF_SCOPE
from prompts.read.examples import LESSONS, REGISTERS, Example, fingerprint, questions
from prompts.read.features import CONCEPTS, concepts, spelt
from prompts.read.fit import fit
from prompts.read.lesson import OFFERED, decide, probabilities, rank, ranked
from prompts.read.weights import load, save
from tests.reading.report import Asked, answered, ask, held_out

# Top 1 on held-out messages, in percent; what was measured (READING.md), less three messages of sampling error.
FLOORS = {"textbook": 94, "colloquial": 94, "terse": 95, "typos": 90, "code": 92, "claim": 92}
HOSTILE = [
    "",
    " \n\t ",
    "0123456789" * 20,
    "3.14 2.71 -1e308 1e999 0x7f",
    "🙂" * 500,
    "\u202e\u200b\ufeff\x00\x07",
    "\ud800 lone surrogate",
    "[" * 50_000,
    "a" * 1_000_000,
    "价值" * 500_000,
    "λ " * 300_000,
    "{{7*7}} __import__('os').system('true') <script>alert(1)</script>",
]


@cache
def asked() -> tuple[Asked, ...]:
    return ask(held_out())


def shape(message: str) -> None:
    order = rank(message)
    assert {lesson for lesson, _ in order} == {*load().lessons, OUT_OF_SCOPE}
    scores = [score for _, score in order]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert sum(scores) == pytest.approx(1, abs=1e-5)


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=300))
def test_any_text_has_a_ranking_of_all_lessons(message):
    shape(message)


@pytest.mark.parametrize("message", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_input_is_harmless(message):
    shape(message)


def test_the_same_message_has_the_same_answer():
    messages = [example.text for example in held_out()[:20]]
    assert [rank(m) for m in messages] == [rank(m) for m in messages]


def test_a_decision_offers_the_best_three():
    for example in held_out()[:20]:
        order, decision = rank(example.text), decide(example.text)
        assert decision.lesson == order[0][0]
        assert decision.alternatives == order[:OFFERED]
        assert decision.sure == (order[0][1] - order[1][1] >= load().bar)


@pytest.mark.parametrize("register", REGISTERS)
def test_each_register_of_strangers_is_understood(register):
    own = [a for a in asked() if a.example.register == register]
    assert 100 * np.mean([a.right for a in own]) >= FLOORS[register]
    assert 100 * np.mean([a.offered for a in own]) >= 96


def test_the_scope_is_kept():
    outside = [a for a in asked() if not a.inside]
    inside = [a for a in asked() if a.inside]
    assert np.mean([a.found[0] != OUT_OF_SCOPE for a in outside]) <= 0.085
    assert np.mean([a.found[0] == OUT_OF_SCOPE for a in inside]) <= 0.02


def test_who_is_sure_is_right_and_most_are_sure():
    sure = [a for a in asked() if a.margin >= load().bar]
    assert np.mean([a.right for a in sure]) >= 0.97
    assert len(sure) >= 0.8 * len(asked())


def test_these_measures_can_fail():
    wrong = replace(decide("why λ?"), lesson="whitening")
    example = Example("why λ?", "why_lambda", "en", "terse")
    assert not answered(example, ((wrong.lesson, 0.9), ("variance", 0.1))).right
    assert not answered(example, (("a", 0.4), ("b", 0.3), ("c", 0.2), ("why_lambda", 0.1))).offered


def test_out_of_scope_competes_with_the_best_lesson_alone():
    weights = load()
    between = np.zeros((1, len(weights.lessons) + 1), np.float32)
    between[0, :2], between[0, -1] = 0.5, weights.sharpness[2] - 0.01
    assert ranked(weights, probabilities(weights, between)[0])[0][0] in weights.lessons[:2]


def test_a_long_message_is_read_at_both_ends():
    assert spelt("begin" + "x" * 100_000 + "end").startswith("begin")
    assert spelt("begin" + "x" * 100_000 + "end").endswith("end")


def test_spellings_of_one_concept_are_one_feature():
    assert concepts("λ") == concepts("lambda") == concepts("\\lam") == concepts("lamda")
    assert concepts("advantage") == concepts("优势")
    assert concepts("advantage") != concepts("价值")


SMALL = tuple(
    Example(f"{word} {number} {lesson}", lesson, "en", REGISTERS[number % 6])
    for lesson, word in (("why_lambda", "lambda"), ("whitening", "whiten"), (OUT_OF_SCOPE, "weather"))
    for number in range(30)
)


def test_fitting_twice_gives_the_same_file(tmp_path):
    for name in ("a.npz", "b.npz"):
        save(fit(SMALL), tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert load(tmp_path / "a.npz").lessons == ("whitening", "why_lambda")


def test_the_fingerprint_is_of_the_messages_not_of_their_order():
    before = fingerprint(SMALL, CONCEPTS)
    assert fingerprint(SMALL[::-1], CONCEPTS) == before
    assert fingerprint(SMALL[1:], CONCEPTS) != before
    assert fingerprint((SMALL[0]._replace(text="another"), *SMALL[1:]), CONCEPTS) != before


def test_the_weights_are_fitted_to_the_questions_that_are_here():
    here = questions()
    assert {example.lesson for example in here} == {*load().lessons, OUT_OF_SCOPE}
    assert load().fingerprint == fingerprint(here, CONCEPTS), "stale: run python -m prompts.read.fit"


def test_questions_are_read_with_the_lesson_they_belong_to(tmp_path):
    (tmp_path / "why_lambda").mkdir()
    entry = '[[question]]\ntext = "why λ"\nlang = "en"\nregister = "terse"\n'
    near = '[[near]]\ntext = "why γ"\nlang = "en"\nlesson = "why_gamma"\n'
    (tmp_path / "why_lambda" / "questions.toml").write_text(entry + entry + near, encoding="utf-8")
    assert {(e.text, e.lesson) for e in questions(tmp_path)} == {("why λ", "why_lambda")}
    (tmp_path / "why_gamma").mkdir()
    (tmp_path / "why_gamma" / "questions.toml").write_text(entry.replace("λ", "discounts"), encoding="utf-8")
    assert ("why γ", "why_gamma") in {(e.text, e.lesson) for e in questions(tmp_path)}
    assert LESSONS.is_dir()
