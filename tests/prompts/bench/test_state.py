"""The scenario under the learner's hand: what an edit changes, what it leaves, what is refused."""

from __future__ import annotations

import json

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import PER_TOKEN
from prompts.bench.computing import computed
from prompts.bench.state import LISTS, edited, opened, presets, written

HALF = {"do": "list", "t": 2, "text": "-0.5"}


@pytest.mark.parametrize("name", presets())
def test_a_preset_comes_back_from_its_text(name):
    assert opened(written(presets()[name])) == presets()[name]


def test_nothing_written_is_the_running_example():
    assert opened("") == presets()["running"] == RUNNING
    assert written(RUNNING) == ""


def test_what_nobody_typed_is_not_said_to_be_given():
    assert json.loads(written(RUNNING.merged({"lam": 0.5}))) == {"lam": 0.5}
    said = json.loads(written(edited(RUNNING, {**HALF, "name": "values"})))
    assert not said.keys() & {"vpreds", "group_rewards", "kl_values"}
    assert opened(written(edited(RUNNING, {**HALF, "name": "values"}))).values[2] == -0.5


def test_results_that_were_given_do_not_outlive_an_edit():
    given = opened('{"rewards": [0, 1], "values": [0, 0], "advantages": [9, 9]}')
    assert edited(given, {"do": "list", "name": "values", "t": 0, "text": "1"}).advantages is None


def test_settings_alone_are_of_the_running_example():
    assert opened('{"lam": 0.5}') == RUNNING.merged({"lam": 0.5})


def test_of_a_batch_the_first_response_is_taken():
    found = opened(json.dumps({"rewards": [[0, 1], [2, 3]], "values": [[1, 1], [2, 2]], "gamma": 0.9}))
    assert (found.rewards, found.values, found.gamma, found.lam) == ((0, 1), (1, 1), 0.9, RUNNING.lam)


@pytest.mark.parametrize("name", sorted({*LISTS} - {"mask"}))
def test_a_number_typed_stands_and_changes_no_other_of_its_list(name):
    found = getattr(edited(RUNNING, {**HALF, "name": name}), name)
    before = computed(RUNNING).rows["rewards"].numbers if name == "rewards" else getattr(RUNNING, name)
    assert found == pytest.approx((*before[:2], -0.5, *before[3:]))


def test_what_is_typed_stands_instead_of_what_it_was_made_from():
    by_hand = edited(RUNNING, {**HALF, "name": "rewards"})
    assert by_hand.scores is by_hand.kl_values is None
    assert edited(RUNNING, {**HALF, "name": "logp"}).kl_values is None
    without_reference = edited(RUNNING, {**HALF, "name": "kl_values"})
    assert without_reference.ref_logp is None
    assert edited(without_reference, {**HALF, "name": "logp"}).kl_values == without_reference.kl_values


@pytest.mark.parametrize("text", ["1 2 3", "1, 2, 3", "1\t2\t3", "1、2，3", "１；２；３"])
def test_several_numbers_pasted_fill_the_places_after(text):
    assert edited(RUNNING, {"do": "list", "name": "values", "t": 3, "text": text}).values[3:] == (1, 2, 3)


@pytest.mark.parametrize(("typed", "number"), [("−0.5", -0.5), ("０．５", 0.5), (" .5 ", 0.5), ("1e-3", 0.001)])
def test_signs_and_digits_of_any_keyboard_are_read(typed, number):
    assert edited(RUNNING, {"do": "list", "name": "values", "t": 0, "text": typed}).values[0] == number


def test_a_response_grows_and_shrinks_with_all_its_lists():
    longer = edited(RUNNING, {"do": "longer"})
    assert {len(getattr(longer, name)) for name in PER_TOKEN if getattr(longer, name)} == {RUNNING.length + 1}
    again = edited(longer, {"do": "shorter"})
    assert [getattr(again, name) for name in LISTS] == [getattr(RUNNING, name) for name in LISTS]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        ({"do": "list", "name": "rewards", "t": 0, "text": "abc"}, "word_in_list"),
        ({"do": "list", "name": "rewards", "t": 0, "text": ""}, "not_a_number"),
        ({"do": "list", "name": "rewards", "t": 0, "text": "inf"}, "not_finite"),
        ({"do": "list", "name": "rewards", "t": 99, "text": "1"}, "no_such_position"),
        ({"do": "list", "name": "values", "t": 5, "text": "1 2"}, "no_such_position"),
        ({"do": "list", "name": "logp", "t": 0, "text": "0.1"}, "positive_logp"),
        ({"do": "list", "name": "mask", "t": 0, "text": "2"}, "mask_not_binary"),
        ({"do": "list", "name": "mask", "t": 0, "text": "0 0 0 0 0 0"}, "nothing_valid"),
        ({"do": "set", "name": "gamma", "text": "1.5"}, "out_of_range"),
        ({"do": "set", "name": "prompt", "text": "1"}, "not_an_object"),
        ({"do": "list", "name": "values", "t": 0, "text": "1" * 9999}, "too_much_text"),
        ("nothing", "not_an_object"),
        ({"do": "list", "name": "rewards", "t": "0", "text": 1}, "not_an_object"),
    ],
)
def test_what_cannot_be_is_refused(edit, code):
    with pytest.raises(EngineError) as refused:
        edited(RUNNING, edit)
    assert refused.value.code == code


@pytest.mark.parametrize("text", ["{", "[1]", "5", None, 7, "[" * 100_000, '{"rewards": "x"}', '{"rewards": [NaN]}'])
def test_text_that_is_no_scenario_is_nothing(text):
    assert opened(text) == RUNNING


def test_the_last_token_stays():
    one = opened('{"rewards": [1], "values": [0]}')
    with pytest.raises(EngineError):
        edited(one, {"do": "shorter"})
