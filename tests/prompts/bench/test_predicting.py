"""A row is hidden and typed: cells are judged at their digits, mistakes known again by their numbers."""

from __future__ import annotations

import pytest

from engine.mistakes import MISTAKES
from lessons._lesson import LANGUAGES
from prompts.bench import computing, predicting, state
from prompts.bench.page import shown
from prompts.bench.provenance import working
from prompts.tell.marks import near
from prompts.tell.words import word

PRESETS = state.presets()


def typed(numbers, digits: int = 6) -> dict[str, str]:
    return {str(t): f"{x:.{digits}f}" for t, x in enumerate(numbers) if x is not None}


def guess(row: str, texts: dict[str, str], name: str = "running", language: str = "en"):
    sent = {"text": state.written(PRESETS[name]), "language": language, "hidden": row, "guesses": texts}
    return shown(sent)["parts"]


def judged(row: str, texts: dict[str, str], name: str = "running") -> predicting.Guessed:
    given = PRESETS[name]
    return predicting.guessed(row, {int(t): text for t, text in texts.items()}, computing.computed(given), given)


@pytest.mark.parametrize("row", predicting.HIDEABLE)
@pytest.mark.parametrize("name", ["running", "padding", "hole", "dense"])
def test_nothing_on_the_page_gives_a_hidden_number_away(name, row):
    sent = {"text": state.written(PRESETS[name]), "language": "en", "hidden": row, "picture": "sweep"}
    page = shown(sent)
    hidden = set(predicting.hidden_with(row))
    assert page["picture"] == "flow"
    for other in hidden:
        assert f'data-at="{other}.0" class="computed' not in page["parts"]["table"]
    assert word("en", "bench", "picture_flow") in page["parts"]["drawing"]
    told = working(sent)["told"]
    for t, x in enumerate(computing.computed(PRESETS[name]).rows[row].numbers):
        if x is not None and abs(x) > 1:
            assert repr(x) not in "".join(told[f"{row}.{t}"])


@pytest.mark.parametrize("row", predicting.HIDEABLE)
@pytest.mark.parametrize("digits", [3, 6])
def test_the_right_numbers_are_right_at_any_digits(row, digits):
    numbers = computing.computed(PRESETS["running"]).rows[row].numbers
    found = judged(row, typed(numbers, digits))
    assert not found.places("wrong") and not found.causes
    assert len(found.places("right")) == len(numbers)
    assert word("en", "bench", "predict_done").partition("{")[0] in guess(row, typed(numbers, digits))["note"]


@pytest.mark.parametrize("name", ["running", "padding", "dense"])
def test_every_mistake_is_known_again_by_the_numbers_it_gives(name):
    known = 0
    for mistake in computing.breakable(PRESETS[name]):
        rows = computing.computed(PRESETS[name], mistake=mistake.id).rows
        for row in predicting.HIDEABLE:
            if not any(map(rows[row].damaged, range(len(rows[row].numbers)))):
                continue
            numbers = [
                None if right is None else x for right, x in zip(rows[row].numbers, rows[row].mistaken, strict=True)
            ]
            found = judged(row, typed(numbers, 9), name)
            if found.places("wrong"):
                known += 1
                assert mistake.id in found.causes
    assert known > 5


def test_a_slip_has_no_idea_behind_it_and_a_half_typed_row_may_have():
    rows = computing.computed(PRESETS["running"], mistake="delta_for_advantage").rows
    wrong = typed(rows["advantages"].mistaken)
    assert "delta_for_advantage" in judged("advantages", {"0": wrong["0"], "1": wrong["1"]}).causes
    assert judged("advantages", {**wrong, "0": "7"}).causes == ()
    note = guess("advantages", {**wrong, "0": "7"})["note"]
    assert word("en", "bench", "predict_unknown") in note


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_names_the_place_and_the_idea(language):
    rows = computing.computed(PRESETS["running"], mistake="delta_for_advantage").rows
    page = guess("advantages", {"0": near(rows["advantages"].mistaken[0])}, language=language)
    assert "A₀" in page["note"]
    assert word(language, "causes", "delta_for_advantage") in page["note"]
    assert page["table"].count('aria-invalid="true"') == 1


def test_too_few_digits_are_asked_to_be_more():
    right = computing.computed(PRESETS["running"]).rows["deltas"].numbers[0]
    assert judged("deltas", {"0": f"{right:.1f}"}).cells[0].outcome == "coarse"
    assert judged("deltas", {"0": f"{right:.2f}"}).cells[0].outcome == "right"


@pytest.mark.parametrize("text", ["nan", "inf", "-", "<b>", "1e999", "½", "９", "1/0"])
def test_what_is_no_number_is_not_judged_and_no_markup(text):
    page = guess("deltas", {"0": text, "-1": "0", "99": "0", "x": "0"})
    assert "<b>" not in page["table"]


def test_a_row_that_is_not_there_is_not_hidden():
    assert MISTAKES and "data-guess" not in shown({"text": '{"rewards": [0, 1]}', "hidden": "deltas"})["parts"]["table"]
