"""axe finds nothing serious on the page's main states; the keyboard comes everywhere and is seen where it is."""

from __future__ import annotations

from importlib.resources import files

import pytest

from lessons._lesson import lessons
from prompts.tell.sections import QUIZ
from prompts.tell.words import word
from tests.browser.test_bench import Bench

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
  .map(({ impact, id, nodes }) => [impact, id, nodes.map(one => one.html.slice(0, 200))])"""
MOST_STOPS = 120  # of the keyboard, from the top of the page to the end of the workbench
# What has the keyboard, and whether that can be seen: by its own outline, or its frame's.
FOCUSED = """() => {
  const at = document.activeElement, seen = (part) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0 || boxShadow !== "none";
  };
  const frames = [at, at.closest("label, #box"), ...at.querySelectorAll(":scope > circle")].filter(Boolean);
  const lit = frames.some(seen) || at.matches(".handle") || at.closest("#box");
  const box = at.closest("#box") && at.localName === "textarea" ? "box" : "";
  return [at.localName, box || at.dataset.at || at.ariaLabel || at.textContent.trim().slice(0, 40), Boolean(lit)];
}"""


def faults(visitor) -> list[list[object]]:
    visitor.page.evaluate(AXE)
    return [one for one in visitor.page.evaluate(RUN) if one[0] in SERIOUS]


def test_axe_is_there_and_can_find_something(visit):
    visitor = visit("en")
    visitor.page.evaluate("document.querySelector('#rooms').insertAdjacentHTML('beforebegin', '<button></button>')")
    assert [id for _, id, _ in faults(visitor)] == ["button-name"]


@pytest.mark.parametrize(
    ("language", "width", "scheme"),
    [("en", 1400, "light"), ("zh", 1400, "dark"), ("zh", 390, "light"), ("en", 390, "dark"), ("zh", 360, "dark")],
)
def test_axe_finds_nothing_serious(visit, language, width, scheme):
    visitor = visit(language, width, scheme)
    found = {"start": faults(visitor)}
    visitor.ask(lessons()["why_lambda"].question[language])
    visitor.unfold()
    found["an answer, unfolded"] = faults(visitor)
    visitor.ask(word(language, "sections", QUIZ))
    found["practice"] = faults(visitor)
    bench = Bench(visitor)
    bench.room.locator("[data-do=rows]").click()
    bench.room.locator("[data-picture=update]").click()
    visitor.settle()
    found["the workbench, on the clip"] = faults(visitor)
    bench.room.locator("[data-do=predict]").select_option("deltas")
    bench.input("deltas.0").fill("7")
    bench.input("deltas.0").press("Enter")
    bench.room.locator("[aria-invalid]").first.wait_for()
    found["the workbench, predicting"] = faults(visitor)
    assert not any(found.values()), found


def test_the_keyboard_comes_everywhere_and_is_seen(visit):
    visitor = visit("en")
    reached = []
    visitor.page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    for _ in range(MOST_STOPS):
        visitor.page.keyboard.press("Tab")
        kind, name, lit = visitor.page.evaluate(FOCUSED)
        if kind == "body":
            break
        assert lit, (kind, name)
        reached.append(name)
    for place in ("rewards.0", "values.0", "deltas.0", "advantages.0", "box"):
        assert place in reached
    assert reached.count("values.0") == 2  # in the table, and in the picture
