"""The first response of a scenario alone, whatever the scenario's shape."""

from __future__ import annotations

from engine import quantities
from engine.example import RUNNING
from engine.scenario import Scenario, scenario
from lessons._fact import Judged, holds
from lessons._first import first_response, numbers, on_own, worked
from tests.lessons.judging import shapes


def test_padding_holes_and_other_rows_are_left_out():
    assert first_response(shapes()["padded"]).rewards == (0, 1)
    assert first_response(shapes()["hole"]).values == (0.2, 0.3, 0.4)
    assert first_response(shapes()["left_padded"]).rewards == (0, 1)
    assert first_response(shapes()["batch"]).values == (0.3, 0.4, 0.6)
    assert first_response(shapes()["batch_padded"]).mask is None


def test_tokens_go_with_their_numbers():
    masked = RUNNING.merged({"mask": [1, 1, 0, 1, 1, 0]})
    assert first_response(masked).tokens == ("是", "的", "等于", "2")


def test_a_plain_response_is_itself():
    assert first_response(RUNNING) is RUNNING
    assert numbers(RUNNING) is RUNNING


def test_a_claim_is_tried_on_the_running_example_where_numbers_are_missing():
    assert numbers(RUNNING.merged({}).model_copy(update={"values": None})) is RUNNING


def test_holes_leave_no_lines_whose_numbers_would_not_be_the_tables():
    assert worked(quantities.gae, shapes()["hole"]) == {}
    assert len(worked(quantities.gae, shapes()["padded"])["advantages"]) == 2


def _rises(own: Scenario) -> Judged:
    values = own.rows("values")[0]
    return Judged(holds(values[0] <= values[-1]), {"first": values[0]})


def test_a_claim_is_tried_on_the_learners_numbers_where_they_show_what_the_example_shows():
    shown = {"rewards": [0, 1], "values": [0.3, 0.4], "gamma": 1, "lam": 0.5}
    check = on_own(_rises)
    assert check(scenario(shown)).found == {"first": 0.3, "own": True}
    assert check(RUNNING).found == {"first": 0.2, "own": False}
    falling, single = ({**shown, "values": [0.4, 0.3]}, {**shown, "rewards": [1], "values": [0.3]})
    for given in (falling, single):
        assert check(scenario(given)) == Judged("true", {"first": 0.2, "own": False})
    idle = scenario({**shown, "lam": 0})
    assert check(idle).found["own"] and not on_own(_rises, decayed=True)(idle).found["own"]


def test_a_claim_that_is_not_computed_on_so_long_a_response_is_tried_on_the_running_example():
    def mixed(own: Scenario) -> Judged:
        found = quantities.facts("nstep_mixture", own).exact
        return Judged(holds(found["mixture"] == found["advantages"]), {"length": own.length})

    assert on_own(mixed)(shapes()["very_long"]).found == {"length": RUNNING.length, "own": False}
