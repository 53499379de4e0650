"""Claims tried on the learner's own response: only where their reason speaks of it, with its own numbers."""

from __future__ import annotations

import pytest

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._at_hand import at_hand
from lessons._fact import Judged, holds
from lessons._lesson import LANGUAGES, Shown, lessons
from lessons._tried import TOLD_OF_ANY, tried
from prompts.read import completed
from prompts.tell.templates import reason
from prompts.tell.values import Values
from prompts.tell.words import word

OWN, ORIGIN = completed(scenario({"scores": [0, 0, 0, 2], "logp": [-0.5, -0.2, -0.1, -1], "beta": 0.2,
                                  "ref_logp": [-0.4, -0.4, -0.2, -0.5], "values": [0.5, 0.7, 0.9, 1.2]}))  # fmt: skip
TOLD = {
    f"{lesson.id}/{one.id}": one
    for lesson in lessons().values()
    for one in lesson.facts.values()
    if TOLD_OF_ANY in "".join(one.because.values())
}


def test_most_reasons_that_can_be_told_of_any_response_are_told_of_the_learners():
    own = [one.check(OWN).found["learners"] for one in TOLD.values()]
    assert len(TOLD) > 80 and sum(own) > 0.8 * len(own)
    assert not any(one.check(RUNNING).found["learners"] for one in TOLD.values())


@pytest.mark.parametrize("name", TOLD)
def test_a_reason_says_whose_numbers_it_tells(name):
    for given, origin in ((OWN, ORIGIN), completed(scenario({}))):
        found = TOLD[name].check(given).found
        key = "tried_on_own" if found["learners"] else "tried_on_example"
        for language in LANGUAGES:
            told = reason(TOLD[name].because[language], found, Values(language, given, origin, Shown()))
            assert word(language, "labels", key) in told.lower()


def _first_delta(_):
    delta = quantities.facts("gae", at_hand()).exact["deltas"][0]
    return Judged(holds(True), {"delta": delta})


@pytest.mark.parametrize("length", [*range(1, 8), 65])
def test_every_reason_can_be_told_of_a_response_of_any_length(length):
    given, _ = completed(
        scenario({"rewards": [0.5] * length, "values": ([0.2, -1, 0.4, 1, 0.7, -0.3, 0.9] * 10)[:length]})
    )
    assert all(one.check(given).verdict for one in TOLD.values())


def test_a_check_computes_on_the_response_at_hand_and_leaves_it():
    found = tried(_first_delta)(OWN).found
    assert found["learners"] and found["delta"] == quantities.facts("gae", OWN).exact["deltas"][0]
    assert at_hand() == RUNNING


def test_what_does_not_read_the_response_or_misses_a_list_is_told_of_the_running_example():
    def kl_of_the_response(_):
        if at_hand().ref_logp is None:
            raise EngineError("missing", field="ref_logp")
        return Judged(holds(True), {"kl": at_hand().ref_logp})

    bare = scenario({"rewards": [1, 2, 3, 4], "values": [1, 1, 1, 1]})
    short = scenario({"rewards": [1, 2, 3], "values": [1, 1, 1]})
    assert not tried(lambda _: Judged(holds(True), {"x": 1}))(OWN).found["learners"]
    assert not tried(kl_of_the_response)(bare).found["learners"]
    assert not tried(_first_delta)(short).found["learners"]
    assert tried(lambda _: Judged(holds(at_hand() == RUNNING), {"x": at_hand().length}))(bare).verdict == "true"
    assert at_hand() == RUNNING
