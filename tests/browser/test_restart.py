"""The server is killed in the middle of an answer and started again: the conversation is still there, and goes on."""

from __future__ import annotations

import pytest

from tests.browser.visitor import Visitor, context
from tests.served import free_port, served

pytestmark = pytest.mark.browser

OWN = "rewards 0, 0, 1, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages"


def test_a_conversation_outlives_the_server(chromium, shots):
    port = free_port()
    with served("app.py", port=port) as address:
        visitor = Visitor(context(chromium, "en", 1400, "light"), address, shots)
        visitor.ask(OWN)
        numbers = visitor.scenario()
        visitor.box.fill("prove that the deltas sum to G − V")
        visitor.box.press("Enter")
        visitor.asked.nth(1).wait_for()
    with served("app.py", port=port):
        visitor.page.reload()
        visitor.answered(1)
        assert visitor.asked.first.locator(".md").inner_text().strip() == OWN
        assert "0.95" in visitor.answers.first.inner_text() and visitor.scenario() == numbers
        visitor.ask("what is γ for?")
        assert visitor.box.is_enabled() and len(visitor.answers.last.inner_text()) > 200
        visitor.context.close()
    assert not visitor.faults
