"""What the workbench shows: the engine's numbers, their lines, the damage of a mistake, in both languages."""

from __future__ import annotations

import re

import pytest

from engine import quantities
from engine.mistakes import MISTAKES
from engine.scenario import Scenario
from lessons._lesson import LANGUAGES
from prompts.bench import computing, pictures, state
from prompts.bench.names import moved_by
from prompts.bench.page import shown
from prompts.bench.provenance import working
from prompts.tell.marks import near

PRESETS = state.presets()
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def request(name: str, **more: object) -> dict[str, object]:
    return {"text": state.written(PRESETS[name]), "language": "en", **more}


def nudged(given: Scenario, name: str) -> Scenario:
    """The scenario with one of its parts moved a little, at its first real token."""
    if name in state.SETTINGS:
        return state.edited(given, {"do": "set", "name": name, "text": str(getattr(given, name) * 0.8 + 0.07)})
    row = getattr(given, name) or (1.0,) * given.length
    number = 1 - row[1] if name == "mask" else row[1] - 0.07
    return state.edited(given, {"do": "list", "name": name, "t": 1, "text": str(number)})


def moved(one: computing.Computed, other: computing.Computed) -> set[str]:
    return {name for name in one.rows if name in other.rows and one.rows[name].numbers != other.rows[name].numbers}


@pytest.mark.parametrize("name", PRESETS)
def test_the_rows_are_the_engines_numbers(name):
    rows = computing.computed(PRESETS[name]).rows
    facts = quantities.facts("gae", PRESETS[name]).numbers
    for fact in ("deltas", "advantages", "returns", "mc_returns"):
        assert list(rows[fact].numbers) == facts[fact]


@pytest.mark.parametrize("name", ["running", "sparse", "dense"])
@pytest.mark.parametrize("part", [*state.SETTINGS, *state.LISTS])
def test_what_is_said_to_move_moves_and_nothing_else(name, part):
    given = PRESETS[name]
    before = computing.computed(given, update=True)
    told = set(moved_by(part, given, before.rows))
    if part in state.SETTINGS or getattr(given, part) is not None or part == "mask":
        after = nudged(given, part)
        found = moved(before, computing.computed(after, update=True)) - {"kl", part}
        assert found <= told
        assert told - found <= {"kl_values", "clipped", "objective_terms", "unclipped"} or part == "mask"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_picture_and_every_word_is_there(name, language):
    for kind in pictures.kinds(PRESETS[name]):
        found = shown(request(name, language=language, picture=kind))
        assert found["picture"] == kind
        assert "<svg" in found["parts"]["drawing"]
        assert not found["parts"]["note"]
        told = working(request(name, language=language, picture=kind))
        assert told["asks"]


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "hole"])
def test_a_computed_number_has_the_line_that_makes_it(name):
    told = working(request(name, picture="update"))["told"]
    update = computing.can_update(PRESETS[name])
    for row in computing.computed(PRESETS[name], update=update).rows.values():
        for t, x in enumerate(row.numbers):
            if x is None or (row.name == "rewards" and PRESETS[name].rewards):
                continue
            line, *more = told[f"{row.name}.{t}"]
            result = (
                re.split(r"[=≈] ", line)[-1].replace("×10", "e").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))
            )
            assert float(result) == pytest.approx(x, rel=1e-5, abs=1e-9)
            assert any(repr(x) in one for one in more)


@pytest.mark.parametrize("name", ["running", "padding", "hole"])
def test_a_mistake_marks_what_it_changes_and_leaves_the_right_numbers(name):
    right = computing.computed(PRESETS[name], update=True)
    damaging = 0
    for mistake in computing.breakable(PRESETS[name], update=True):
        found = computing.computed(PRESETS[name], update=True, mistake=mistake.id)
        assert {row.name: row.numbers for row in found.rows.values()} == {
            row.name: row.numbers for row in right.rows.values()
        }
        page = shown(request(name, mistake=mistake.id, picture="update"))["parts"]
        assert ("✗" in page["table"]) == bool(found.damage)
        assert page["note"].startswith("<p>✗" if found.damage else "<p>✓")
        damaging += bool(found.damage)
    assert damaging > len(MISTAKES) / 4


def test_a_wrong_number_stands_below_the_right_one():
    page = shown(request("running", mistake="delta_for_advantage"))["parts"]["table"]
    row = computing.computed(PRESETS["running"], mistake="delta_for_advantage").rows["advantages"]
    assert f"<span>{near(row.numbers[0])}</span><small>✗ {near(row.mistaken[0])}</small>" in page


def test_an_edit_changes_what_follows():
    edit = {"do": "list", "name": "rewards", "t": 0, "text": "1"}
    before, after = shown(request("sparse")), shown(request("sparse", edits=[edit]))
    assert before["parts"]["table"] != after["parts"]["table"]
    given = state.opened(after["text"])
    assert near(quantities.facts("gae", given).numbers["mc_returns"][0]) in after["parts"]["table"]


@pytest.mark.parametrize(
    "sent",
    [None, 5, [], {}, {"text": 5}, {"edits": 5}, {"edits": [None]}, {"language": "xx", "picture": [], "mistake": "x"}],
)
def test_nothing_that_is_sent_in_raises(sent):
    assert {"parts", "error"} & shown(sent).keys()
    assert "told" in working(sent)


def test_a_refusal_names_the_cell_and_what_to_do():
    edit = {"do": "list", "name": "logp", "t": 3, "text": "0.5"}
    assert "logp[3]" in shown(request("running", edits=[edit]))["error"]


def test_what_a_learner_types_is_no_markup():
    edit = {"do": "token", "t": 0, "text": '"><img src=x onerror=alert(1)>'}
    found = shown(request("running", edits=[edit]))
    assert "<img" not in "".join(found["parts"].values())


def test_rewards_alone_show_their_return():
    found = shown({"text": '{"rewards": [0, 1], "gamma": 0.5}', "language": "en"})
    assert near(0.5) in found["parts"]["table"]
    assert "<svg" in found["parts"]["drawing"]


def test_of_several_responses_it_is_said_which_one_is_shown():
    batch = '{"rewards": [[0, 1], [1, 0]], "values": [[0, 0], [0, 0]]}'
    assert shown({"text": batch, "language": "en"})["parts"]["note"]
    edit = {"do": "list", "name": "rewards", "t": 0, "text": "1"}
    alone = shown({"text": batch, "language": "en", "edits": [edit]})["text"]
    assert not shown({"text": alone, "language": "en"})["parts"]["note"]
