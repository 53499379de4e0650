"""Pictures: every lesson's, on learners' scenarios of all shapes; what is drawn is what was computed, and is told."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._figure import Figure, by_place, lanes, over_tokens
from lessons._lesson import LANGUAGES, Shown, lessons
from prompts.chat import drawn as with_drawings
from prompts.read import completed, looked_at
from prompts.tell import marks
from prompts.tell.draw import COLOURS, drawn
from prompts.tell.figures import MOST, drawn_into, picture
from prompts.tell.marks import DEEPEST, FALLING, FONT, OTHERS, RISING, STATE, TOKEN, WIDTH, near, wide
from prompts.tell.page import Telling, compose
from prompts.tell.values import Values
from prompts.tutor import Request, answer
from tests.lessons.everywhere import SCENARIOS

DRAWING = sorted(id for id, lesson in lessons().items() if "figure_" in (lesson.folder / "en.md").read_text())
NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:×10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?")
SHAPES = ("the running example", "one token", "very many tokens", "a hole", "a padded batch", "with tokens")
LARGEST = 40_000  # characters that a picture may add to a page
NOTHING_TO_SEE = {"audit", "out_of_scope"}
PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("<b>x</b>", "]]></desc><i>a</i>", "$$x$$", "\\(y\\)", "**z**", "‮\x00\ud800")


def telling(lesson, language, given, form="full"):
    complete, origin = completed(scenario(given))
    own = looked_at(lesson, complete, origin)
    return Telling(language, form, own, origin, lesson.show(own), without=("model",))


def told(id, given):
    """The page and its pictures by language; none where the lesson cannot be shown on these numbers."""
    try:
        pages = {language: compose(lessons()[id], telling(lessons()[id], language, given)) for language in LANGUAGES}
    except EngineError:
        return {}
    return {language: (page.markdown, page.pictures) for language, page in pages.items()}


def one(figure, tokens=None, language="en"):
    """A figure of no lesson, with words of its own."""
    rows = next(iter(figure.series.values()))
    given = {"rewards": [0] * len(rows), "values": [0] * len(rows), **({"tokens": tokens} if tokens else {})}
    complete, origin = completed(scenario(given))
    return picture(figure, "Title\nSeen.", Values(language, complete, origin, Shown()))


def texts(svg):
    """Every word of a drawing with the place of its first letter and of its last."""
    found = []

    def walk(node, down):
        moved = re.fullmatch(r"translate\(0 (.+)\)", node.get("transform", "translate(0 0)"))
        down += float(moved[1])
        if node.tag == f"{SVG}text":
            said = (node.text or "") + "".join(child.tail or "" for child in node)
            middle, width = float(node.get("x")), wide(said)
            left = {"start": middle, "end": middle - width}.get(node.get("text-anchor"), middle - width / 2)
            found.append((said, left, left + width, round(down + float(node.get("y")), 1)))
        for child in node:
            walk(child, down)

    walk(ElementTree.fromstring(svg), 0)
    return found


def value(numeral):
    mantissa, _, exponent = numeral.partition("×10")
    return float(f"{mantissa}e{exponent.translate(PLAIN) or 0}")


def numbers_in(figure):
    """What a picture writes of a figure; of curves, their scales alone."""
    cells = [x for row in figure.series.values() for x in row]
    ends = [figure.start, figure.end] if figure.kind == "waterfall" else []
    return {near(x) for x in (*cells, *ends) if x is not None}


@cache
def every_picture(shape):
    pages = [told(id, SCENARIOS[shape]) for id in DRAWING]
    return [found for by_language in pages for _, pictures in by_language.values() for found in pictures]


def test_every_lesson_with_something_to_look_at_has_a_picture_along_the_time_axis():
    assert set(lessons()) - set(DRAWING) == NOTHING_TO_SEE
    assert all(any(one.figure.over_time for one in told(id, {})["en"][1]) for id in DRAWING)


def test_what_is_about_a_batch_is_drawn_for_both_responses():
    about = {"whitening", "group_baselines", "ppo_clip", "surrogate", "ppo_loop", "token_pipeline"}
    both = {id for id in DRAWING if any(found.beneath for found in told(id, {})["en"][1])}
    assert both == about
    for found in (found for id in both for found in told(id, {})["en"][1] if found.beneath):
        written = [said for said, *_ in texts(drawn(found))]
        assert {"Yes", "2", "No", "3"} <= {*written} and numbers_in(found.beneath.figure) <= {*written, "0"}
        assert "“Yes”" in found.told and "“No”" in found.told and found.beneath.data in found.data


@pytest.mark.parametrize("shape", SHAPES)
def test_a_picture_says_in_words_and_as_a_table_all_that_it_shows(shape):
    for found in every_picture(shape):
        svg = ElementTree.fromstring(drawn(found))
        assert svg.find(f"{SVG}title").text == found.title and svg.get("role") == "img"
        assert svg.find(f"{SVG}desc").text == found.told
        written = {said for said, *_ in texts(drawn(found)) if NUMBER.fullmatch(said)}
        for numbers in (set(NUMBER.findall(found.told)), set(NUMBER.findall(unescape(found.data)))):
            assert written - set(found.tokens) <= numbers | {near(value(x)) for x in numbers}
        if found.figure.kind != "lines":
            assert numbers_in(found.figure) <= written | {"0"}
        assert len(drawn(found)) < LARGEST, found.title


@pytest.mark.parametrize("shape", SHAPES)
def test_all_words_have_their_room_on_a_narrow_phone(shape):
    for found in every_picture(shape):
        lines = defaultdict(list)
        for said, left, right, y in texts(drawn(found)):
            assert left > -2 and right < WIDTH + 2, (found.title, said)
            lines[y].append((left, right, said))
        for line in lines.values():
            for (_, end, before), (start, _, after) in pairwise(sorted(line)):
                assert end <= start + 2, (found.title, before, after)


def test_words_are_large_enough():
    sizes = re.findall(r'font-size="([\d.]+)"', "".join(map(drawn, every_picture(SHAPES[0]))))
    assert set(sizes) == {str(FONT)} and FONT >= 11


def test_crowded_words_would_be_noticed(monkeypatch):
    monkeypatch.setattr("prompts.tell.axis.LOWER", 0)
    crowded = one(over_tokens("together", {"values": (-0.1234,) * MOST}, "values"))
    line = sorted((left, right) for said, left, right, _ in texts(drawn(crowded)) if said == near(-0.1234))
    assert any(end > start for (_, end), (start, _) in pairwise(line))


@pytest.mark.parametrize("id", DRAWING)
def test_the_words_of_a_picture_are_for_both_languages_and_for_a_drawing(id):
    pages = told(id, {})
    zh, en = ({x for found in pictures for x in NUMERAL.findall(found.markdown)} for _, pictures in pages.values())
    assert zh == en and pages
    for _, pictures in pages.values():
        for found in pictures:
            said = (found.title, *found.names.values(), *found.places)
            assert not any(mark in text for text in said for mark in ("\\", "$", "**")), said
            assert found.title and found.caption.startswith(f"<strong>{found.title}</strong> ")
            assert len({found.names[key] for key in found.figure.series}) == len(found.figure.series)


@pytest.mark.parametrize("kind", ["lanes", "together", "matrix", "waterfall"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_response_shows_its_ends_and_says_how_many_it_leaves_out(kind, language):
    row = tuple(t / 100 for t in range(300))
    name = "values" if kind != "matrix" else "0"
    found = one(
        Figure(kind, tuple(range(300)), {name: row}, "token", "values", "mc_returns", 0.0, sum(row)), None, language
    )
    assert found.figure.x == (0, 1, 2, 3, 297, 298, 299) and found.gap == 4
    assert "293" in found.left_out and found.left_out in found.told and found.left_out in found.data
    assert found.left_out in {said for said, *_ in texts(drawn(found))}
    assert {"s₀", "s₃", "s₂₉₇", "s₃₀₀"} <= {said for said, *_ in texts(drawn(found))}


def test_a_matrix_shows_the_corners_and_curves_every_so_many_places():
    large = one(by_place([[float(i * j) for j in range(100)] for i in range(100)], "rewards", "advantages"))
    assert len(large.figure.x) == len(large.figure.series) == MOST - 1 and large.figure.series["99"][-1] == 99.0 * 99.0
    curve = one(Figure("lines", tuple(range(101)), {"values": tuple(map(float, range(101)))}, "lam", "values"))
    assert curve.figure.x == tuple(range(0, 101, 5)) and not curve.left_out


def test_one_token_has_a_picture():
    found = one(lanes({"values": [0.5], "rewards": [-1.0]}, "values", "rewards"), ["yes"])
    assert {"s₀", "s₁", "yes", "0.5", "-1"} <= {said for said, *_ in texts(drawn(found))}
    assert "0 “yes”: V" in found.told


def test_a_state_stands_before_its_token():
    found = texts(drawn(one(lanes({"values": [0.25, 0.5], "rewards": [1.0, 2.0]}, "values", "rewards"))))
    at = {said: (left + right) / 2 for said, left, right, _ in found}
    assert at["s₀"] == at["0.25"] < at["a₀"] == at["1"] < at["s₁"] == at["0.5"] < at["a₁"] == at["2"] < at["s₂"]


def test_the_mask_leaves_gaps():
    gap = one(over_tokens("together", {"values": (0.5, None, 0.25)}, "values"))
    assert drawn(gap).count("<path d") == 2  # the time axis and zero; no curve over the hole
    assert "–" in gap.told and "–" in gap.data


def test_what_is_left_out_of_a_waterfall_is_no_step():
    steps = (1.0,) * 300
    found = one(Figure("waterfall", tuple(range(300)), {"values": steps}, "token", "values", "mc_returns", 5.0, 305.0))
    assert {"5", "305"} <= {said for said, *_ in texts(drawn(found))}


def test_a_learners_token_is_never_markup():
    given = {"rewards": [0] * len(HOSTILE), "values": [0.1] * len(HOSTILE), "tokens": list(HOSTILE)}
    for id in ("whitening", "telescoping", "credit_assignment"):
        for _, pictures in told(id, given).values():
            for found in pictures:
                svg = drawn(found)
                allowed = ("svg", "g", "title", "desc", "path", "circle", "rect", "text")
                assert {node.tag for node in ElementTree.fromstring(svg).iter()} <= {SVG + tag for tag in allowed}
                assert not re.search(r"\$\$|\\\(|\*\*|<script|\n\n", svg)
                assert "]]></desc><i>a</i>" in unescape(svg)


def test_a_drawing_follows_the_numbers():
    lesson = lessons()["whitening"]
    before, after = (drawn(compose(lesson, telling(lesson, "en", {"lam": lam})).pictures[0]) for lam in (0.5, 0.6))
    assert before != after


def test_a_page_holds_its_drawings_between_their_words_and_their_numbers():
    page, pictures = told("why_lambda", {})["en"]
    shown = with_drawings(page, pictures)
    for found in pictures:
        assert shown.index(found.caption) < shown.index(drawn(found)) < shown.index(found.data)
    with pytest.raises(AssertionError):
        drawn_into(page.replace(pictures[0].caption, ""), pictures, {})


def test_a_figure_without_words_is_no_figure():
    lesson = lessons()["whitening"]
    found = telling(lesson, "en", {})
    extra = replace(found.shown, figures={"unheard_of": next(iter(found.shown.figures.values()))})
    with pytest.raises(KeyError):
        compose(lesson, replace(found, shown=extra))


def test_the_terminal_tells_what_a_picture_shows():
    found = answer(Request(("why λ?",), style="full"))
    assert found.figures and all(one.caption in found.markdown and one.data in found.markdown for one in found.figures)
    assert "figures" not in json.loads(found.json()) and "<svg" not in found.markdown


# ------------------------------------------------------------ colours

PAGES = {"light": ("#ffffff", "#1f2937"), "dark": ("#0f172a", "#f1f5f9")}  # what is behind, what words are written in


def parts(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def brightness(rgb):
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (x / 255 for x in rgb))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted(map(brightness, (one, other)))
    return (high + 0.05) / (low + 0.05)


def over(colour, ground, share):
    return [share * x + (1 - share) * y for x, y in zip(parts(colour), parts(ground), strict=True)]


@pytest.mark.parametrize("page", PAGES)
def test_every_sign_stands_out_from_the_page(page):
    ground = parts(PAGES[page][0])
    for colour in {STATE, TOKEN, RISING, FALLING, marks.FAINT, *OTHERS, *COLOURS.values()}:
        assert contrast(parts(colour), ground) >= 3, colour
    assert contrast(parts("#94a3b8"), parts("#ffffff")) < 3


@pytest.mark.parametrize("page", PAGES)
def test_numbers_can_be_read_on_the_deepest_cells(page):
    ground, ink = PAGES[page]
    for colour in (RISING, FALLING):
        assert contrast(over(colour, ground, DEEPEST), parts(ink)) >= 4.5, colour
    assert contrast(over(RISING, "#0f172a", 1), parts("#f1f5f9")) < 4.5
