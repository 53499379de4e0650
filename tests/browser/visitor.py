"""A visitor of the page: what they do, and what they can see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Locator

from lessons._lesson import LANGUAGES
from prompts.tell.words import word

SHORTLY = 150  # milliseconds
LOG = "#chat [role=log]"
PROSE = """(part) => {
  const copy = part.cloneNode(true);
  for (const other of copy.querySelectorAll(".katex, pre, code, svg, style")) other.remove();
  return copy.textContent;
}"""
# Notes every frame in which something that should have been rendered stands raw in an answer.
WATCH = r"""(prose) => {
  window.rawFrames = [];
  const seen = eval(prose);
  const look = () => {
    for (const bot of document.querySelectorAll("#chat .bot-row .md")) {
      const raw = /\\[()]|\$\$|\\frac|\\begin|\*\*|__i18n__/.exec(seen(bot));
      if (raw) window.rawFrames.push(raw[0]);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def context(chromium: Browser, language: str, width: int, scheme: str) -> BrowserContext:
    """A visitor's browser: its language, its width in pixels, light or dark."""
    locale = {"zh": "zh-CN", "en": "en-US"}[language]
    size = {"width": width, "height": 844 if width < 600 else 900}
    return chromium.new_context(viewport=size, locale=locale, color_scheme=scheme, has_touch=width < 600)


class Visitor:
    def __init__(self, context: BrowserContext, address: str, shots: Path) -> None:
        self.context, self.address, self.shots = context, address, shots
        self.faults: list[str] = []
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        self.page.on("request", self._note)
        self.page.goto(address)
        self.box.wait_for()
        self.page.wait_for_function("document.documentElement.lang !== '' && document.querySelector('#chat .example')")
        self.settle()
        self.page.evaluate(WATCH, PROSE)

    def _note(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != urlsplit(self.address).hostname:
            self.faults.append(f"request to {request.url}")

    @property
    def box(self) -> Locator:
        return self.page.locator("#box textarea")

    @property
    def asked(self) -> Locator:
        return self.page.locator("#chat .user-row")

    @property
    def answers(self) -> Locator:
        return self.page.locator("#chat .bot-row")

    @property
    def options(self) -> Locator:
        return self.page.locator("#chat .option")

    def ask(self, question: str) -> None:
        before = self.asked.count()
        self.box.fill(question)
        self.box.press("Enter")
        self.answered(before + 1)

    def answered(self, count: int) -> None:
        self.answers.nth(count - 1).wait_for()
        self.settle()

    def placeholder(self, text: str) -> None:
        """Until the interface has come round to another language."""
        self.page.wait_for_function("text => document.querySelector('#box textarea')?.placeholder === text", arg=text)

    def speak(self, language: str) -> None:
        """The switch, as a hand uses it: where something lies over it, this fails."""
        self.page.locator("#language label").nth(LANGUAGES.index(language)).click()
        self.placeholder(word(language, "page", "placeholder"))
        self.settle()

    def scenario(self) -> dict[str, Any]:
        """The numbers beside the conversation."""
        return json.loads(self.page.locator("#scenario textarea").input_value() or "{}")

    def settle(self) -> None:
        """Until nothing has changed for a while."""
        seen, steady = None, 0
        while steady < 3:
            self.page.wait_for_timeout(SHORTLY)
            now = self.page.locator("body").inner_text()
            seen, steady = now, steady + 1 if now == seen else 0

    def drawn(self) -> list[str]:
        """What every picture shows, folded or not, in its own words."""
        return self.page.locator("#chat svg.drawing > desc").all_text_contents()

    def unfold(self) -> None:
        self.page.evaluate("document.querySelectorAll('#chat .md > details').forEach(one => { one.open = true; })")
        self.settle()

    def raw_frames(self) -> list[str]:
        return self.page.evaluate("window.rawFrames")

    def overflow(self) -> list[int]:
        """By how much the page and the conversation are wider than what shows of them."""
        excess = "part => part.scrollWidth - part.clientWidth"
        return [self.page.locator(part).evaluate(excess) for part in ("html", LOG)]

    def shoot(self, name: str) -> None:
        self.page.screenshot(path=self.shots / f"{name}.png")
