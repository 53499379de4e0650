"""`make screenshots`: what a visitor sees, as pictures in .screenshots/, to be looked at.

The start, the workbench, and ten answers as they come and unfolded; in each language, on a desk and a phone,
light and dark.
LESSONS="why_lambda whitening" takes only those.
"""

from __future__ import annotations

import os
from itertools import product

from playwright.sync_api import sync_playwright

from lessons._lesson import LANGUAGES, lessons
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.test_bench import Bench
from tests.browser.visitor import LOG, Visitor, context
from tests.served import ROOT, served

FOLDER = ROOT / ".screenshots"
TEN = (
    "index_conventions", "telescoping", "why_lambda", "advantage_inputs", "critic_slice", "padding_mask",
    "token_pipeline", "whitening", "ppo_clip", "reference_policy",
)  # fmt: skip
WIDTHS = (1400, 390)
SCHEMES = ("light", "dark")
AROUND = 400  # pixels of the page above and below the conversation
TALLEST = 12_000


def main() -> None:
    chosen = os.environ.get("LESSONS", "").split() or TEN
    FOLDER.mkdir(exist_ok=True)
    with served("app.py") as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for language, width, scheme in product(LANGUAGES, WIDTHS, SCHEMES):
            opened = context(chromium, language, width, scheme)
            visitor = Visitor(opened, address, FOLDER)
            visitor.shoot(f"start-{language}-{width}-{scheme}")
            _shoot_bench(visitor, f"bench-{language}-{width}-{scheme}")
            for id in chosen:
                _shoot(visitor, id, language, f"{id}-{language}-{width}-{scheme}")
            opened.close()
        chromium.close()


def _shoot_bench(visitor: Visitor, name: str) -> None:
    """The workbench as it is found, broken, and predicted."""
    bench = Bench(visitor)
    for do, chosen in (("", ""), ("mistake", "delta_for_advantage"), ("predict", "advantages")):
        if do:
            bench.room.locator(f"[data-do={do}]").select_option(chosen)
            visitor.settle()
        visitor.shoot(f"{name}-{do or 'found'}")
    visitor.page.reload()
    visitor.settle()


def _shoot(visitor: Visitor, id: str, language: str, name: str) -> None:
    visitor.page.locator("#new").click()
    visitor.settle()
    visitor.ask(lessons()[id].question[language])
    visitor.shoot(name)
    visitor.unfold()
    size = visitor.page.viewport_size
    assert size
    tall = min(TALLEST, visitor.page.locator(LOG).evaluate("log => log.scrollHeight") + AROUND)
    visitor.page.set_viewport_size({**size, "height": tall})
    visitor.settle()
    visitor.shoot(f"{name}-unfolded")
    visitor.page.set_viewport_size(size)


if __name__ == "__main__":
    main()
