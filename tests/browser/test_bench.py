"""The workbench in a real browser: what is typed, moved, chosen and undone, beside the chat and on a phone."""

from __future__ import annotations

import pytest

from engine.scenario import scenario
from prompts.bench import computing, state
from prompts.tell.marks import near
from prompts.tell.words import word
from tests.browser.visitor import Visitor

RUNNING = state.presets()["running"]
PHONES = [360, 390]


class Bench:
    """The workbench of a visitor's page."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.room = self.page.locator("#bench-view .bench")
        self.room.locator("table").wait_for(state="attached")
        if not self.room.is_visible():
            self.page.locator("#room label").nth(1).click()
        self.room.locator("table").wait_for()

    def cell(self, at: str):
        return self.room.locator(f'td[data-at="{at}"] > span')

    def input(self, at: str):
        return self.room.locator(f'input[data-at="{at}"]')

    def shows(self, at: str, number: float) -> None:
        self.page.wait_for_function(
            '([at, text]) => document.querySelector(`td[data-at="${at}"] > span`)?.textContent === text',
            arg=[at, near(number)],
        )

    def told(self, text: str) -> None:
        self.page.wait_for_function(
            "text => document.querySelector('[data-part=told]').textContent.includes(text)", arg=text
        )


def advantages(given) -> tuple[float | None, ...]:
    return computing.computed(given).rows["advantages"].numbers


@pytest.fixture
def bench(visit):
    return Bench(visit("en"))


def test_a_number_typed_moves_what_follows_and_is_taken_back(bench):
    changed = state.edited(RUNNING, {"do": "list", "name": "values", "t": 2, "text": "0.9"})
    bench.shows("advantages.0", advantages(RUNNING)[0])
    bench.input("values.2").fill("0.9")
    bench.shows("advantages.0", advantages(changed)[0])
    assert bench.input("values.2").input_value() == "0.9"
    bench.room.locator("[data-do=undo]").click()
    bench.shows("advantages.0", advantages(RUNNING)[0])
    bench.room.locator("[data-do=redo]").click()
    bench.shows("advantages.0", advantages(changed)[0])


def test_a_slider_moves_the_numbers_and_the_picture(bench):
    before = bench.room.locator("svg.drawing").inner_html()
    bench.room.locator("input[type=range][data-set=lam]").fill("0.5")
    bench.shows("advantages.0", advantages(RUNNING.merged({"lam": 0.5}))[0])
    assert bench.room.locator("svg.drawing").inner_html() != before
    assert bench.room.locator("input.number[data-set=lam]").input_value() == "0.5"


def test_a_preset_stands_and_a_mistake_marks_its_damage(bench):
    bench.room.locator("[data-do=preset]").select_option("padding")
    padding = state.presets()["padding"]
    bench.shows("advantages.0", advantages(padding)[0])
    bench.room.locator("[data-do=mistake]").select_option("mask_ignored_in_recursion")
    bench.room.locator("td.damaged[data-at='advantages.0'] small").wait_for()
    bench.shows("advantages.0", advantages(padding)[0])


def test_what_cannot_be_is_refused_where_it_was_typed(bench):
    bench.input("values.1").fill("abc")
    bench.room.locator("input[data-at='values.1'][aria-invalid]").wait_for()
    assert "values[1]" in bench.room.locator("[data-part=note]").inner_text()
    bench.shows("advantages.0", advantages(RUNNING)[0])


def test_where_a_number_comes_from_is_told_to_the_keyboard(bench):
    bench.input("values.0").focus()
    bench.told("V₀ = 0.2")
    bench.page.keyboard.press("ArrowDown")
    bench.told("δ₀ = r₀ + γ·V₁ - V₀")
    bench.page.keyboard.press("ArrowRight")
    bench.told("δ₁ = r₁ + γ·V₂ - V₁")
    bench.page.keyboard.press("ArrowDown")
    bench.told("engine.formulas.gae_step")
    bench.room.locator(".heard").nth(RUNNING.length - 2).wait_for()
    assert bench.room.locator(".heard").count() == RUNNING.length - 1


def test_chat_and_workbench_are_one_scenario(visit):
    visitor = visit("en")
    bench = Bench(visitor)
    visitor.ask("rewards = [0, 0, 1], values = [0.2, 0.5, 0.7], gamma = 0.9, lam = 0.5: what are the advantages?")
    own = scenario({"rewards": [0, 0, 1], "values": [0.2, 0.5, 0.7], "gamma": 0.9, "lam": 0.5})
    bench.shows("advantages.0", advantages(own)[0])
    bench.input("rewards.2").fill("0.6")
    edited = own.merged({"rewards": (0.0, 0.0, 0.6)})
    bench.shows("advantages.0", advantages(edited)[0])
    visitor.page.wait_for_function(
        "text => document.querySelector('#chat .bot-row').innerText.includes(text)", arg=near(advantages(edited)[0])
    )
    bench.room.locator("[data-do=undo]").click()
    bench.shows("advantages.0", advantages(own)[0])


def test_explain_this_asks_the_chat(visit):
    visitor = visit("en")
    bench = Bench(visitor)
    bench.cell("whitened.0").hover()
    bench.room.locator("[data-do=explain]").click()
    visitor.answered(1)
    assert visitor.asked.first.inner_text().strip().startswith(word("en", "bench", "ask_whitened"))


@pytest.mark.parametrize("width", PHONES)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_phone_shows_it_without_scrolling_sideways(visit, language, width):
    visitor = visit(language, width)
    bench = Bench(visitor)
    for preset in ("running", "long", "padding"):
        bench.room.locator("[data-do=preset]").select_option(preset)
        bench.shows("advantages.0", advantages(state.presets()[preset])[0])
        assert visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        inside = "room => room.getBoundingClientRect().right - innerWidth"
        assert bench.room.evaluate(inside) <= 0
    visitor.shoot(f"bench-{language}-{width}")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_it_speaks_the_visitors_language(visit, language):
    bench = Bench(visit(language))
    other = {"zh": "en", "en": "zh"}[language]
    bench.room.get_by_text(word(language, "bench", "look_running")).wait_for()
    bench.page.locator("#language label").nth(["zh", "en"].index(other)).click()
    bench.room.get_by_text(word(other, "bench", "look_running")).wait_for()


def test_a_row_is_predicted_with_the_keyboard_alone(bench):
    right = computing.computed(RUNNING).rows["deltas"].numbers
    bench.room.locator("[data-do=predict]").select_option("deltas")
    first = bench.input("deltas.0")
    first.wait_for()
    bench.page.wait_for_function("document.activeElement.dataset.at === 'deltas.0'")
    for x in (right[0], right[0]):
        bench.page.keyboard.type(f"{x:.6f}")
        bench.page.keyboard.press("Enter")
    bench.room.locator("td.right input[data-at='deltas.0']").wait_for()
    bench.room.locator("input[data-at='deltas.1'][aria-invalid]").wait_for()
    assert "δ₁" in bench.room.locator("[data-part=note]").inner_text()
    assert bench.room.locator("td[data-at='advantages.0']").count() == 0
    bench.room.locator("[data-do=predict]").select_option("")
    bench.shows("advantages.0", advantages(RUNNING)[0])


def test_a_value_is_dragged_and_one_undo_takes_it_back(visit):
    visitor = visit("en")
    bench = Bench(visitor)
    handle = bench.room.locator('.handle[data-at="values.2"]')
    box = handle.locator("circle").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    bench.page.mouse.move(x, y)
    bench.page.mouse.down()
    for step in range(1, 9):
        bench.page.mouse.move(x, y - 2 * step)
    bench.page.mouse.up()
    bench.page.wait_for_function("+document.querySelector('input[data-at=\"values.2\"]').value > 0.5")
    visitor.settle()
    held = float(bench.input("values.2").input_value())
    changed = state.edited(RUNNING, {"do": "list", "name": "values", "t": 2, "text": str(held)})
    bench.shows("advantages.0", advantages(changed)[0])
    assert float(handle.get_attribute("aria-valuenow")) == held
    bench.room.locator("[data-do=undo]").click()
    bench.shows("advantages.0", advantages(RUNNING)[0])


def test_a_reward_is_moved_with_the_keys_and_the_others_stay(visit):
    visitor = visit("en")
    bench = Bench(visitor)
    rewards = computing.computed(RUNNING).rows["rewards"].numbers
    bench.room.locator('.handle[data-at="rewards.0"]').focus()
    for key in ("ArrowRight", "PageUp", "ArrowUp"):
        bench.page.keyboard.press(key)
        visitor.settle()
    assert bench.page.evaluate("document.activeElement.dataset.at") == "rewards.1"
    own = [rewards[0], round(rewards[1] + 0.11, 2), *rewards[2:]]
    edit = {"do": "list", "name": "rewards", "t": 1, "text": bench.input("rewards.1").input_value()}
    bench.shows("advantages.0", advantages(state.edited(RUNNING, edit))[0])
    assert float(bench.input("rewards.1").input_value()) == pytest.approx(own[1], abs=0.011)
    assert float(bench.input("rewards.5").input_value()) == pytest.approx(rewards[5])


@pytest.mark.parametrize("width", [1400, 390])
def test_a_number_in_an_answer_says_where_it_comes_from(visit, width):
    visitor = visit("en", width)
    visitor.ask("rewards = [0, 0, 1], values = [0.2, 0.5, 0.7], gamma = 0.9, lam = 0.5: what are the advantages?")
    own = scenario({"rewards": [0, 0, 1], "values": [0.2, 0.5, 0.7], "gamma": 0.9, "lam": 0.5})
    cell = visitor.page.locator("#chat td[data-from='advantages.0']").first
    cell.wait_for()
    tip = visitor.page.locator(".origin")
    if width < 600:
        cell.tap()
    else:
        visitor.page.locator("#chat td[data-from][tabindex='0']").first.focus()
        visitor.page.keyboard.press("ArrowRight")
        visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_function("document.querySelector('.origin').textContent.includes('engine.formulas.gae_step')")
    assert tip.locator("p").first.inner_text().startswith("A₀ = δ₀ + γλ·A₁ = ")
    assert repr(advantages(own)[0]) in tip.inner_text()
    visitor.shoot(f"origin-{width}")
    visitor.page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_a_table_of_other_numbers_claims_no_origin(visit):
    visitor = visit("en")
    visitor.ask("What is λ for, and what happens with λ at zero, one half and one?")
    visitor.page.wait_for_timeout(1000)
    assert visitor.page.locator("#chat td[data-from]").count() == 0
