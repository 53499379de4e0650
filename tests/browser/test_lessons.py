"""Every lesson as the chat shows it: formulas that KaTeX reads, no raw markup, figures, the first screen of a phone."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES, lessons
from tests.browser.every_page import DRAWINGS, WIDE
from tests.browser.visitor import PROSE

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
PHONES = (PHONE, {"width": 360, "height": 780})
PATIENCE = 300_000  # milliseconds
COUNT = len(lessons()) * len(LANGUAGES)
# What is wrong in each answer, by its number.
WRONG = r"""(prose) => {
  const seen = eval(prose);
  const found = {};
  [...document.querySelectorAll("#chat .bot-row")].forEach((row, i) => {
    const said = [...row.querySelectorAll(".md")].map(seen).join(" ");
    const raw = said.match(/\\[()[\]]|\$|\\[a-z]+|\*\*|__i18n__|&#\d+;/g) || [];
    const errors = [...row.querySelectorAll(".katex-error")].map(error => error.title);
    if (raw.length || errors.length) found[i] = { raw: [...new Set(raw)], errors };
  });
  return found;
}"""
# How far below the question what is shown at first ends, in each answer: the line with the names of the rest.
DEPTHS = """() => {
  const rows = [...document.querySelectorAll("#chat .message-row")];
  return rows.filter(row => row.matches(".bot-row")).map(row => {
    const top = rows[rows.indexOf(row) - 1].getBoundingClientRect().top;
    const texts = [...row.querySelectorAll(".md p")];
    const names = texts.find(part => part.textContent.split(" · ").length > 3) || texts[0];
    return names.getBoundingClientRect().bottom - top;
  });
}"""
# What is wider than its place in each answer, folded or not, by the answer's number.
OVERHANG = """() => {
  const found = {};
  document.querySelectorAll("#chat details").forEach(folded => { folded.open = true; });
  [...document.querySelectorAll("#chat .bot-row")].forEach((row, i) => {
    const parts = [...row.querySelectorAll(".md :is(table, pre, .katex-display, p, li)")];
    const wide = parts.filter(part => part.scrollWidth > part.clientWidth);
    if (wide.length) found[i] = wide.map(part => [part.tagName, part.textContent.slice(0, 80)]);
  });
  return found;
}"""
# How large each word of a drawing is written, in pixels.
LETTERS = """words => words.map(
  word => parseFloat(getComputedStyle(word).fontSize) * word.getScreenCTM().a)"""
SMALLEST = 10.99
PAGES = """() => ["html", "#chat [role=log]"].map(name => document.querySelector(name)).map(
  part => part.scrollWidth - part.clientWidth)"""


@pytest.fixture(scope="module")
def read(chromium, library):
    """The texts on a phone, rendered."""
    page = chromium.new_page(viewport=PHONE)
    page.goto(library)
    page.wait_for_function(
        "count => document.querySelectorAll('#chat .bot-row').length === count"
        " && document.querySelectorAll('#chat .katex-error').length > 0",
        arg=COUNT + 1,
        timeout=PATIENCE,
    )
    yield page
    page.close()


def test_every_formula_is_rendered_and_no_markup_is_left(read):
    found = read.evaluate(WRONG, PROSE)
    spoiled = found.pop(str(COUNT))
    assert found == {}
    assert spoiled["errors"] and {"**", "$"} <= set(spoiled["raw"])
    assert read.locator("#chat .katex").count() > 1000


def test_a_phones_screen_and_a_half_hold_all_that_is_shown_at_first(read, visit):
    visitor = visit("en", PHONE["width"])
    visitor.ask(lessons()["telescoping"].question["en"])
    top = visitor.asked.last.bounding_box()["y"]
    room = visitor.page.locator("#box").bounding_box()["y"] - top
    named = [f"{id}.{language}" for id in lessons() for language in LANGUAGES]
    depths = dict(zip(named, read.evaluate(DEPTHS), strict=False))
    assert len(depths) == COUNT
    assert {name: depth for name, depth in depths.items() if depth > 1.5 * room} == {}
    assert sum(depth > room for depth in depths.values()) < COUNT / 2


@pytest.mark.parametrize("size", PHONES, ids=str)
def test_nothing_of_any_page_or_proof_has_to_be_pushed_sideways(read, size):
    read.set_viewport_size(size)
    found = read.evaluate(OVERHANG)
    assert {part for part, _ in found.pop(str(COUNT))} >= set(WIDE)
    named = [f"{id}.{language}" for id in lessons() for language in LANGUAGES]
    assert {named[int(i)]: wide for i, wide in found.items()} == {}
    assert read.evaluate(PAGES) == [0, 0]


@pytest.mark.parametrize("size", PHONES, ids=str)
def test_every_picture_is_drawn_on_a_phone_and_named(chromium, library, size):
    page, width = chromium.new_page(viewport=size), size["width"]
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{library}/{DRAWINGS}")
    page.wait_for_function("document.querySelector('#chat svg.drawing[role]')", timeout=PATIENCE)
    drawings = page.locator("#chat svg.drawing").all()
    assert len(drawings) >= page.locator("#chat .user-row").count() > len(lessons()) / 2
    for drawing in drawings:
        assert drawing.get_attribute("role") == "img" and drawing.locator("> title").text_content()
        words = drawing.locator("text").all_text_contents()
        assert words and not any(mark in "".join(words) for mark in ("\\", "$", "<", "undefined", "NaN"))
        box = drawing.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert min(drawing.locator("text").evaluate_all(LETTERS)) >= SMALLEST
    assert not faults
    page.close()
