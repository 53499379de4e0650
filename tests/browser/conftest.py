"""`python app.py` on a free port, and a real Chromium that looks at it and lets nothing out."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.visitor import Visitor, context
from tests.served import served

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


@pytest.fixture(scope="session")
def address():
    with served("app.py") as found:
        yield found


@pytest.fixture(scope="session")
def library():
    """All that lessons say and draw, on two pages."""
    with served("-m", "tests.browser.every_page") as found:
        yield found


@pytest.fixture(scope="module")
def chromium():
    """Module by module: while it is open, its event loop is the thread's, and no other may run."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing: run tests/browser/install.sh, or install Debian's chromium")
    if (
        not shutil.which("fc-list")
        or not subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=True).stdout
    ):
        pytest.fail("no Chinese font: run tests/browser/install.sh, or install Debian's fonts-noto-cjk")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shots(tmp_path_factory):
    kept = os.environ.get("TELESCOPE_SHOTS")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("shots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def visit(chromium, address, shots):
    """Opens the page as a visitor; at the end nothing may have gone wrong in the page or out of the house."""
    visitors = []

    def open_page(language: str = "en", width: int = 1400, scheme: str = "light") -> Visitor:
        visitors.append(Visitor(context(chromium, language, width, scheme), address, shots))
        return visitors[-1]

    yield open_page
    for visitor in visitors:
        visitor.context.close()
        assert not visitor.faults, visitor.faults
