"""reference_policy: what moves with which policy, measured, and where the reference is not."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import lessons
from tests.lessons import policies

ID = "reference_policy"


def _shown(**given):
    return lessons()[ID].show(policies.made(given))


def test_the_slopes_by_hand():
    found = _shown().facts.numbers
    ratios = found["ratio"]
    assert found["by_reference"]["kl"] == pytest.approx(-6)
    assert found["by_reference"]["rewards"] == pytest.approx(0.1 * 6)
    assert found["by_new"]["ratio"] == pytest.approx(sum(ratios))
    assert found["by_new"]["objectives"] == pytest.approx(sum(found["objectives"]))
    weights = [sum(0.95**k for k in range(6 - t)) for t in range(6)]  # Σ (γλ)^k over what is left
    assert found["by_reference"]["advantages"] == pytest.approx(0.1 * sum(weights))


def test_what_the_reference_does_not_enter_has_no_slope_by_it():
    for given in policies.MOVED.values():
        found = lessons()[ID].show(policies.made(given)).facts.numbers
        assert found["by_reference"]["ratio"] == 0
        assert found["by_reference"].get("objectives", 0) == 0
        assert found["by_new"]["kl"] == 0
        assert found["by_new"].get("advantages", 0) == 0
        assert found["by_old"]["kl_in_loss"] == 0


def test_the_mistake_is_the_transcripts():
    """004-q3-07: the mean of ρA with the reference below is 0.0751, with the old policy 0.0733."""
    given = {
        "old_logp": [-0.12, -0.08, -0.15, -0.10, -0.05, -0.02],
        "ref_logp": [-0.15, -0.10, -0.18, -0.12, -0.08, -0.03],
        "advantages": [0.13, 0.10, 0.08, 0.05, 0.03, 0.05],
    }
    shown = _shown(**given)
    right, wrong = (
        sum(facts.numbers["objectives"]) / 6 for facts in (shown.facts, shown.mistakes["ratio_to_reference"])
    )
    assert (right, wrong) == (pytest.approx(0.0733, abs=5e-5), pytest.approx(0.07514, abs=5e-6))


@pytest.mark.parametrize("given", [{"old_logp": [-1, -2], "advantages": [1, 2]}, {"ref_logp": [-1, -2]}])
def test_what_cannot_be_computed_is_an_error(given):
    with pytest.raises(EngineError, match="missing"):
        _shown(**given)


def test_scores_count_and_not_the_rewards_that_were_made_of_them():
    found = _shown(**RUNNING.merged({"rewards": [-0.01, -0.005, 0.005, -0.01, -0.02, 0.995]}).given()).facts.numbers
    assert found["by_reference"]["rewards"] == pytest.approx(0.6)


def test_pages():
    policies.check_pages(ID, policies.MOVED)


def test_propositions():
    policies.check_propositions(ID)
