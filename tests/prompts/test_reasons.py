"""Every theorem can be told: each reason has words in both languages, each line prints."""

from __future__ import annotations

import pytest

from engine import proofs
from engine.proofs.latex import latex
from lessons._lesson import LANGUAGES
from prompts.tell.proofs import counterexample, proof, statement
from prompts.tell.words import words


@pytest.mark.parametrize("name", proofs.theorem_names())
def test_a_theorem_can_be_told(name):
    theorem = proofs.theorem(name)
    for language in LANGUAGES:
        assert {step.move.reason for step in theorem.steps()} <= set(words(language)["reasons"])
        assert proof(theorem, language)
    assert statement(theorem)
    for step in theorem.steps():
        assert "None" not in latex(step.after)


@pytest.mark.parametrize("name", proofs.counterexample_names())
def test_a_counterexample_can_be_told(name):
    assert counterexample(proofs.counterexample(name))


def test_no_reason_is_left_over():
    used = {step.move.reason for name in proofs.theorem_names() for step in proofs.theorem(name).steps()}
    # "rising": the hypothesis of an induction that counts up. The others: telescoping for a learner's own length.
    written_out = {"hypothesis_rising", "write_out", "values_cancel", "value_after_the_end", "unfold_deltas"}
    for language in LANGUAGES:
        assert set(words(language)["reasons"]) <= used | written_out
