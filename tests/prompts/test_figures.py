"""Figures: every lesson's, on learners' scenarios of all shapes; what is drawn is what was computed, nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._figure import Figure, over_tokens
from lessons._lesson import LANGUAGES, lessons
from prompts.read import completed
from prompts.tell.draw import COLOURS, drawn
from prompts.tell.figures import beside, picture
from prompts.tell.page import Telling, compose
from prompts.tell.values import Values
from prompts.tutor import Request, answer
from tests.lessons.everywhere import SCENARIOS

DRAWING = sorted(id for id, lesson in lessons().items() if "figure_" in (lesson.folder / "en.md").read_text())
NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
SHAPES = ("the running example", "one token", "many tokens", "a hole", "a padded batch", "with tokens")
LARGEST = 100_000  # characters that a figure may add to a page
NOTHING_TO_SEE = {"audit", "out_of_scope"}


def telling(lesson, language, given, form="full"):
    complete, origin = completed(scenario(given))
    return Telling(language, form, complete, origin, lesson.show(complete), without=("model",))


def told(id, given):
    """The page and its pictures by language; none where the lesson cannot be shown on these numbers."""
    try:
        return {language: _told(lessons()[id], telling(lessons()[id], language, given)) for language in LANGUAGES}
    except EngineError:
        return {}


def _told(lesson, one):
    page = compose(lesson, one)
    return page.markdown, page.pictures


def heights(trace):
    """The numbers that a trace draws."""
    found = trace["z"] if "z" in trace else trace["y"]
    return [x for row in found for x in (row if isinstance(row, list) else [row]) if x is not None]


def computed(figure):
    return [x for row in figure.series.values() for x in row if x is not None]


def test_every_lesson_with_something_to_look_at_has_a_figure():
    assert set(lessons()) - set(DRAWING) == NOTHING_TO_SEE


@pytest.mark.parametrize("id", DRAWING)
def test_what_is_drawn_is_what_was_computed(id):
    for name in SHAPES:
        for page, figures in told(id, SCENARIOS[name]).values():
            assert len(beside(page, figures)) == 2 * len(figures) + 1
            for one in figures:
                plot = json.loads(drawn(one))
                numbers = [x for trace in plot["data"] for x in heights(trace)]
                known = computed(one.figure)
                if one.figure.kind == "waterfall":
                    assert one.figure.start + sum(known) == pytest.approx(one.figure.end)
                    known += [one.figure.start, one.figure.end]
                if one.figure.kind == "timeline":
                    continue
                assert sorted(numbers) == sorted(known), (name, one.title)
                assert len(json.dumps(plot)) < LARGEST, (name, one.title)


@pytest.mark.parametrize("id", DRAWING)
def test_the_words_of_a_figure_are_for_both_languages_and_for_a_drawing(id):
    pages = told(id, {})
    zh, en = ({x for one in figures for x in NUMERAL.findall(one.markdown)} for _, figures in pages.values())
    assert zh == en and pages
    for _, figures in pages.values():
        for one in figures:
            texts = (one.title, *one.names.values(), *one.places)
            assert not any(mark in text for text in texts for mark in ("\\", "$", "**")), texts
            assert one.title and one.caption.startswith(f"<strong>{one.title}</strong> ")
            assert len({one.names[key] for key in one.figure.series}) == len(one.figure.series)


@pytest.mark.parametrize("id", ["credit_assignment", "token_pipeline", "telescoping", "why_lambda"])
def test_a_long_response_makes_no_heavy_drawing(id):
    for _, figures in told(id, SCENARIOS["very many tokens"]).values():
        assert figures and all(len(drawn(one)) < LARGEST for one in figures)


def test_a_drawing_follows_the_numbers():
    lesson = lessons()["whitening"]
    one, other = (drawn(compose(lesson, telling(lesson, "en", {"lam": lam})).pictures[0]) for lam in (0.5, 0.6))
    assert one != other


def test_a_learners_token_is_no_markup_in_a_drawing():
    lesson = lessons()["whitening"]
    given = {"rewards": [0, 1], "values": [0.1, 0.2], "tokens": ["<b>x</b>", "<a href='javascript:alert(1)'>"]}
    ticks = json.loads(drawn(compose(lesson, telling(lesson, "en", given)).pictures[0]))["layout"]["xaxis"]["ticktext"]
    assert all(tick.count("<") == tick.count("<br>") == 1 for tick in ticks)


def test_a_figure_without_words_is_no_figure():
    lesson = lessons()["whitening"]
    one = telling(lesson, "en", {})
    extra = replace(one.shown, figures={"unheard_of": next(iter(one.shown.figures.values()))})
    with pytest.raises(KeyError):
        compose(lesson, replace(one, shown=extra))


def test_a_page_that_lost_a_figure_is_noticed():
    page, figures = told("whitening", {})["en"]
    with pytest.raises(AssertionError):
        beside(page.replace(figures[0].caption, ""), figures)


def test_the_mask_leaves_gaps_and_a_long_matrix_its_ends():
    complete, origin = completed(scenario(SCENARIOS["the running example"]))
    values = Values("en", complete, origin, lessons()["whitening"].show(complete))
    gap = over_tokens("lines", {"values": (0.5, None, 0.25)}, "values")
    assert json.loads(drawn(picture(gap, "Title\nSeen.", values)))["data"][0]["y"] == [0.5, None, 0.25]
    rows = {str(i): tuple(float(i * j) for j in range(100)) for i in range(100)}
    large = picture(Figure("heat", tuple(range(100)), rows, "rewards", "advantages"), "Title\nSeen.", values).figure
    assert len(large.x) == len(large.series) == 24 and large.series["99"][-1] == 99.0 * 99.0


def test_the_terminal_tells_what_a_figure_shows():
    found = answer(Request(("why λ?",), style="full"))
    assert found.figures and all(one.caption in found.markdown and one.data in found.markdown for one in found.figures)
    assert "figures" not in json.loads(found.json())


# ------------------------------------------------------------ colours


def brightness(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted(map(brightness, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["#ffffff", "#0f172a"])
def test_every_colour_stands_out_from_the_page(ground):
    assert all(contrast(colour, ground) >= 3 for colour in COLOURS)
    assert contrast("#e5e5e5", "#ffffff") < 3
