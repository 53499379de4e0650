"""The chat page in a real browser: answers are rendered, errors leave it alive, nothing leaves the house."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request

import pytest

from lessons._lesson import LANGUAGES, lessons
from prompts.functions.given import link
from prompts.tell.words import word
from prompts.tutor import LONGEST_MESSAGE
from prompts.visit import starts
from tests.browser.visitor import SHORTLY

pytestmark = pytest.mark.browser

QUESTIONS = {"zh": "怎么证明 Σδ = G − V？", "en": "Prove that the deltas sum to G − V."}
OUTSIDE = "http://192.0.2.1"  # an address that belongs to no one
HOSTILE = (
    f"![x]({OUTSIDE}/a.png) <img src={OUTSIDE}/b.png onerror=alert(1)> [l](javascript:alert(1))\n"
    f"{OUTSIDE} www.example.com\n"
    "1. $$\\frac{1}{2}$$ \\(x\\) **b** | a | `c` </s> %%%LATEX_BLOCK_0%%%\n\n# no heading\n\n    no code"
)


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_is_answered_and_rendered(visit, language, width):
    visitor = visit(language, width)
    visitor.shoot(f"start-{language}-{width}")
    visitor.ask(QUESTIONS[language])
    visitor.shoot(f"answer-{language}-{width}")
    answer = visitor.answers.last
    assert answer.locator(".katex-display").count() > 5
    assert answer.locator("table, pre, ol").count() >= 3
    assert answer.locator(".katex-error").count() == 0
    assert not visitor.raw_frames()
    answer.locator("p").first.evaluate("p => { p.textContent = '$$x$$'; }")
    visitor.page.wait_for_function("window.rawFrames.length > 0")
    assert word(language, "headings", "why") in answer.inner_text()
    assert "__i18n__" not in visitor.page.locator("body").inner_text()
    assert visitor.overflow() == [0, 0]
    assert visitor.box.is_enabled() and visitor.box.input_value() == ""


@pytest.mark.parametrize("width", [1400, 390])
def test_a_section_unfolds_in_place_and_its_picture_with_it(visit, width):
    visitor = visit("en", width)
    visitor.ask(lessons()["why_lambda"].question["en"])
    before = visitor.asked.count()
    picture = visitor.page.locator("#chat svg.drawing").first
    assert not picture.is_visible()
    folds = visitor.answers.last.locator(".md > details")
    assert folds.count() > 5 and visitor.answers.last.locator("details[open]").count() == 0
    meaning = visitor.answers.last.locator("summary", has_text=word("en", "headings", "why"))
    meaning.click()
    assert visitor.answers.last.locator("details[open] table").first.is_visible()
    visitor.answers.last.locator("summary", has_text=word("en", "headings", "picture")).first.click()
    assert picture.is_visible() and picture.bounding_box()["height"] > 100
    assert picture.get_attribute("role") == "img" and picture.locator("> title").text_content()
    visitor.shoot(f"unfolded-{width}")
    assert visitor.asked.count() == before and visitor.overflow() == [0, 0]


def test_a_new_answer_begins_where_the_learner_looks(visit):
    visitor = visit("en", 390)
    visitor.ask(QUESTIONS["en"])
    visitor.ask(QUESTIONS["en"])
    top = visitor.page.locator("#chat [role=log]").bounding_box()["y"]
    assert 0 <= visitor.asked.last.bounding_box()["y"] - top <= 40


@pytest.mark.parametrize("width", [1400, 390])
def test_errors_and_markup_leave_the_page_alive(visit, width):
    visitor = visit("en", width)
    visitor.ask("x" * (LONGEST_MESSAGE + 5000))
    assert str(LONGEST_MESSAGE) in visitor.answers.last.inner_text()
    visitor.shoot(f"too-long-{width}")
    visitor.ask(HOSTILE)
    visitor.shoot(f"hostile-{width}")
    typed = visitor.asked.last.locator(".md")
    assert typed.inner_text().strip() == HOSTILE
    assert typed.locator("img, a, .katex, code, strong, table, ol, ul, h1, pre").count() == 0
    assert visitor.overflow() == [0, 0]
    visitor.ask(QUESTIONS["en"])
    assert visitor.answers.last.locator(".katex-display").count() > 5


def test_whatever_a_program_sends_the_page_stays_alive(visit, address):
    visitor = visit()
    for data in ([7], [{"text": "x"}], [], [None, None], ["x" * 2_000_000]):
        said = called(address, data)
        assert said.startswith(("event: complete", "event: error")), said
    for message, expected in ((None, word("en", "errors", "no_message")), (QUESTIONS["zh"], r"\sum")):
        assert expected in json.loads(called(address, [message]).partition("data: ")[2])[0]
    visitor.ask(QUESTIONS["en"])
    assert visitor.answers.last.locator(".katex").count() > 0


def called(address: str, data: list[object]) -> str:
    """What the API says to this payload."""
    try:
        with post(f"{address}/gradio_api/call/chat", json.dumps({"data": data}).encode()) as started:
            event = json.load(started)["event_id"]
        with urllib.request.urlopen(f"{address}/gradio_api/call/chat/{event}", timeout=60) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refused:
        return f"event: error {refused.code}"


def post(url: str, body: bytes, kind: str = "application/json"):
    return urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": kind}), timeout=60)


def test_the_language_switch_renders_the_interface_anew(visit):
    visitor = visit("zh")
    for language in ("en", "zh"):
        visitor.speak(language)
        shown = visitor.page.locator("body").inner_text()
        for key in ("tagline", "welcome", "keep", "new"):
            assert word(language, "page", key) in shown
        begun = [one["display_text"] for one in starts(language)]
        assert visitor.page.locator("#chat .example").all_inner_texts() == begun
        assert visitor.page.evaluate("document.documentElement.lang").startswith(language)
        send = visitor.page.locator("#box .submit-button")
        assert send.get_attribute("aria-label") == word(language, "page", "send")
    visitor.ask(QUESTIONS["zh"])
    assert visitor.answers.last.locator(".md").get_attribute("lang") == "zh-CN"
    visitor.speak("en")
    assert visitor.asked.last.locator(".md").inner_text().strip() == QUESTIONS["zh"]
    assert word("en", "headings", "why") in visitor.answers.last.inner_text()
    assert visitor.answers.last.locator(".md").get_attribute("lang") == "en"
    visitor.page.reload()
    visitor.placeholder(word("en", "page", "placeholder"))


def test_chips_ask(visit):
    visitor = visit("en", 390)
    visitor.page.locator("#chat .example").first.click()
    visitor.answered(1)
    assert visitor.asked.first.locator(".md").inner_text().strip() == starts("en")[0]["text"]
    assert visitor.page.evaluate("document.activeElement.matches('.user-row')")
    visitor.ask("hello")
    visitor.shoot("chips-390")
    question = visitor.options.first.inner_text()
    visitor.options.first.click()
    visitor.answered(3)
    assert visitor.asked.last.locator(".md").inner_text().strip() == question
    assert visitor.answers.count() == 3


OWN = "rewards 0, 0, 1, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages"


def test_a_conversation_stays_in_the_browser_until_it_is_deleted(visit):
    visitor = visit("en", 390)
    visitor.ask("why_λ *x* <b>?")
    visitor.page.locator("#new").click()
    visitor.settle()
    visitor.ask(OWN)
    numbers = visitor.scenario()
    assert numbers["rewards"] == [0, 0, 1] and numbers["lam"] == 0.95
    visitor.page.reload()
    visitor.answered(1)
    assert visitor.asked.last.locator(".md").inner_text().strip() == OWN and visitor.scenario() == numbers
    visitor.page.locator("#keep > button").click()
    visitor.settle()
    kept = visitor.page.locator("#conversations li")
    kept.nth(1).wait_for()
    assert kept.count() == 2
    kept.last.locator("button").first.click()
    visitor.settle()
    assert visitor.asked.last.locator(".md").inner_text().strip() == "why_λ *x* <b>?" and not visitor.scenario()
    visitor.shoot("kept-390")
    kept.first.locator("button").last.click()
    visitor.settle()
    kept.nth(1).wait_for(state="detached")
    assert kept.count() == 1 and visitor.overflow() == [0, 0]


def test_without_storage_the_page_works(visit):
    visitor = visit("en")
    visitor.page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new Error('blocked'); } });"
    )
    visitor.page.reload()
    visitor.settle()
    visitor.ask(QUESTIONS["en"])
    visitor.page.locator("#keep > button").click()
    visitor.settle()
    assert word("en", "page", "not_kept") in visitor.page.locator("#conversations").inner_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conversation_is_taken_away(visit, language):
    visitor = visit(language)
    visitor.ask(QUESTIONS[language])
    with visitor.page.expect_download() as asked_for:
        visitor.ask({"zh": "将上述对话保存为 markdown", "en": "save this conversation as Markdown"}[language])
    visitor.page.locator("#keep > button").click()
    with visitor.page.expect_download() as clicked:
        visitor.page.locator("#take button").first.click()
    told = []
    for download in (asked_for.value, clicked.value):
        assert re.fullmatch(r"telescope_\d{8}_\d{6}\.md", download.suggested_filename)
        told.append(download.path().read_text(encoding="utf-8"))
    first = word(language, "taken", "user") + QUESTIONS[language]
    assert all(text.startswith("# Chat Dialogue Log\n\n## ") and first in text for text in told)
    assert told[1].count("\n### " + word(language, "taken", "question").split("{")[0]) == 2


def test_what_is_copied_is_markdown_without_the_drawings_source(visit):
    visitor = visit("en")
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.ask(QUESTIONS["en"])
    visitor.page.locator("#chat .message-buttons-left button").first.click()
    visitor.page.wait_for_timeout(SHORTLY)
    copied = visitor.page.evaluate("navigator.clipboard.readText()")
    assert r"\(" in copied and "$$" in copied and "#### " in copied
    assert "<svg" not in copied and "<details" not in copied


def test_a_question_is_edited_as_it_was_typed(visit):
    visitor = visit("en")
    visitor.ask("why_λ *x* <b>?")
    visitor.ask("hello")
    visitor.page.locator("#chat button[title=Edit]").first.click()
    editing = visitor.page.locator("#chat .user-row textarea")
    assert editing.input_value() == "why_λ *x* <b>?"
    editing.fill("why _γ_?")
    visitor.page.locator("#chat button[title=Submit]").click()
    visitor.page.wait_for_timeout(SHORTLY)
    visitor.settle()
    assert visitor.asked.locator(".md").all_inner_texts() == ["why _γ_?"] and visitor.answers.count() == 1


def test_a_link_brings_the_numbers(visit):
    visitor = visit("en")
    visitor.ask(OWN)
    visitor.page.locator("#keep > button").click()
    visitor.page.locator("#link").click()
    field = visitor.page.locator("#address textarea, #address input")
    field.wait_for()
    visitor.settle()
    address = field.input_value()
    assert address.startswith(visitor.address)
    shown = visitor.answers.last.inner_text()
    other = visit("zh")
    other.page.goto(address)
    other.answered(1)
    assert other.answers.last.inner_text() == shown and other.scenario() == visitor.scenario()


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 420)])
def test_on_a_low_screen_the_box_is_seen(visit, width, height):
    visitor = visit("en", width)
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.ask("x " * 9000)
    seen = visitor.page.locator("#box").bounding_box()
    assert seen["y"] + seen["height"] <= height
    assert visitor.answers.last.bounding_box()["y"] < height


def test_figures_stay_in_the_conversation(visit):
    visitor = visit("en", 390)
    visitor.ask(QUESTIONS["en"])
    first = visitor.drawn()
    visitor.ask("What is λ for?")
    visitor.shoot("figures-390")
    assert len(visitor.drawn()) > len(first) == 1 and visitor.drawn()[0] == first[0]
    assert visitor.overflow() == [0, 0]
    visitor.page.get_by_role("log").get_by_role("button", name="Undo").click()
    visitor.settle()
    assert visitor.drawn() == first


def test_retry_undo_and_new(visit):
    visitor = visit("en")
    visitor.ask("hello")
    visitor.ask(QUESTIONS["en"])
    visitor.page.get_by_role("button", name="Retry").click()
    visitor.page.wait_for_timeout(SHORTLY)
    visitor.answered(2)
    assert visitor.asked.count() == 2
    visitor.page.get_by_role("log").get_by_role("button", name="Undo").click()
    visitor.settle()
    assert visitor.asked.count() == visitor.answers.count() == 1
    assert visitor.box.input_value() == QUESTIONS["en"]
    assert visitor.box.evaluate("box => box === document.activeElement")
    visitor.page.locator("#new").click()
    visitor.settle()
    assert visitor.asked.count() == 0
    assert visitor.page.locator("#chat .example").count() > 0


def test_a_new_conversation_stops_the_answer_being_told(visit):
    visitor = visit("en")
    visitor.box.fill(QUESTIONS["en"])
    visitor.box.press("Enter")
    visitor.answers.first.wait_for()
    visitor.page.locator("#new").click()
    visitor.settle()
    assert visitor.asked.count() == 0


def test_the_keyboard_is_enough(visit):
    visitor = visit("en")
    assert visitor.box.evaluate("box => box === document.activeElement")
    visitor.page.keyboard.type("first")
    visitor.page.keyboard.press("Shift+Enter")
    visitor.page.keyboard.type("second")
    assert visitor.box.input_value() == "first\nsecond"
    visitor.page.keyboard.press("Enter")
    visitor.answered(1)
    assert visitor.asked.last.locator(".md").inner_text().strip() == "first\nsecond"
    visitor.page.locator("#language input").first.focus()
    visitor.page.keyboard.press("Space")
    visitor.placeholder(word(LANGUAGES[0], "page", "placeholder"))


LEGIBLE = 4.5  # WCAG AA
CONTRAST = """part => {
  const parse = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const light = (rgb) => { const [r, g, b] = rgb.map(x => x / 255).map(
    x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  let behind = part;
  while (behind.parentElement && parse(getComputedStyle(behind).backgroundColor).a < 1) behind = behind.parentElement;
  const written = getComputedStyle(part)[part.ownerSVGElement ? "fill" : "color"];
  const [a, b] = [written, getComputedStyle(behind).backgroundColor].map(c => light(parse(c).rgb));
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}"""


OPACITY = """part => {
  let found = 1;
  for (let at = part; at; at = at.parentElement) found *= parseFloat(getComputedStyle(at).opacity);
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes_are_legible(visit, scheme):
    visitor = visit("zh", 1400, scheme)
    visitor.ask(QUESTIONS["zh"])
    visitor.unfold()
    visitor.shoot(f"scheme-{scheme}")
    for part in (
        "#title p",
        "#chat .user-row p",
        "#chat .bot-row p",
        "#chat td",
        "#chat .katex",
        "#chat pre code",
        "#chat svg.drawing text",
        "#new",
    ):
        assert visitor.page.locator(part).first.evaluate(CONTRAST) >= LEGIBLE, part
        assert visitor.page.locator(part).first.evaluate(OPACITY) == 1, part


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("/gradio_api/file=/etc/passwd", (403, 404)),
        ("/gradio_api/file=app.py", (403, 404)),
        ("/gradio_api/file=..%2f..%2fetc%2fpasswd", (403, 404)),
        ("/monitoring", (401, 403, 404)),
    ],
)
def test_nothing_of_the_house_is_served(address, path, refused):
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(address + path, timeout=30)
    assert error.value.code in refused
    error.value.close()


def test_nothing_can_be_uploaded(address):
    body = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc\r\n--b--\r\n'
    with pytest.raises(urllib.error.HTTPError) as error:
        post(f"{address}/gradio_api/upload", body, "multipart/form-data; boundary=b")
    assert error.value.code == 413
    error.value.close()


@pytest.mark.parametrize("width", [1400, 390])
def test_a_link_opens_the_page_that_answers_its_question(visit, width):
    visitor = visit("zh", width)
    visitor.page.goto(f"{visitor.address}/{link('Why <b> and λ & γ?', 'en')}")
    visitor.answered(1)
    visitor.page.wait_for_function("document.documentElement.lang === 'en'")
    assert visitor.asked.last.locator(".md").inner_text().strip() == "Why <b> and λ & γ?"
    assert visitor.answers.last.locator(".katex").count() > 0
    assert visitor.box.is_enabled() and visitor.box.input_value() == ""
    visitor.shoot(f"opened-{width}")
    visitor.ask(QUESTIONS["en"])
    assert visitor.answers.count() == 2


def test_a_link_without_a_question_opens_the_beginning(visit):
    visitor = visit("en")
    visitor.page.goto(f"{visitor.address}/?lang=zh&q=")
    visitor.placeholder(word("zh", "page", "placeholder"))
    visitor.settle()
    assert visitor.asked.count() == visitor.answers.count() == 0


PASTED = """Is this right? gamma = 1, lambda = 0.95, <b>see</b> $r$ and \\(V\\)

| t | r | V | A_t |
|---|---|---|-----|
| 0 | 0 | 0.5 | 0.45 |
| 1 | 1 | 0.6 | 0.4 |
"""


def test_a_pasted_text_is_marked_where_its_numbers_stand(visit):
    visitor = visit("en", 390)
    visitor.ask(PASTED)
    answer = visitor.answers.last
    fold = answer.locator("details", has=visitor.page.get_by_text(word("en", "headings", "pasted"), exact=True))
    fold.locator("summary").first.click()
    wrong, right = fold.locator("table span.wrong"), fold.locator("table span.right")
    assert (wrong.count(), right.count()) == (1, 1)
    assert wrong.inner_text().split() == ["✗", "→", "0.48"] and right.inner_text().strip() == "✓"
    colours = {one.evaluate("e => getComputedStyle(e).color") for one in (wrong, right, fold.locator("pre").first)}
    assert len(colours) == 3
    assert "<b>see</b> $r$ and \\(V\\)" in fold.locator("pre.pasted").first.inner_text()
    visitor.shoot("pasted-en-390")
    assert visitor.overflow() == [0, 0] and not visitor.raw_frames()
