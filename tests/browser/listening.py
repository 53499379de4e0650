"""`python -m tests.browser.listening`: the page without a model and with one that listens, as pictures for the README.

The model is a server on this machine that says what a strong one replied to messages of our own.
"""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

from playwright.sync_api import Browser, sync_playwright

from prompts.model import listen
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.visitor import LOG, Visitor
from tests.prompts.model.recording import MESSAGES, played
from tests.prompts.model.server import serving
from tests.reading.real import labels
from tests.served import served

FOLDER = Path(listen.__file__).parent / "pictures"
NAME = "Strong-8B-Instruct"
ASKED = next(label["q"] for label in labels(MESSAGES) if label["id"] == "own03")
ANSWERED = "document.querySelector('#chat .bot-row').innerText.length"  # characters
SIZE = {"width": 1000, "height": 760}


def shoot(chromium: Browser, folder: Path) -> None:
    """The same message, answered without a model and with one."""
    folder.mkdir(exist_ok=True)
    with serving() as model:
        model.manner, model.reply = "plays", played
        named = {"TELESCOPE_ENDPOINT": model.url, "TELESCOPE_MODEL": NAME}
        for name, settings in {"without": {}, "with": named}.items():
            with mock.patch.dict(os.environ, settings), served("app.py") as address:
                context = chromium.new_context(viewport=SIZE, locale="en-US", color_scheme="light")
                visitor = Visitor(context, address, folder)
                visitor.ask(ASKED)
                visitor.page.wait_for_function(f"{ANSWERED} > 300")
                visitor.settle()
                visitor.page.locator(LOG).evaluate("log => log.scrollTo(0, 0)")
                visitor.shoot(name)
                context.close()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        shoot(opened, FOLDER)
        opened.close()
