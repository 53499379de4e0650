"""A run on the language model in the chat page: how far it is, how it is stopped, and what it shows."""

from __future__ import annotations

import pytest

from prompts.tell.words import word

pytestmark = [pytest.mark.browser, pytest.mark.model]

LONG = {  # on all layers: longer than it takes to stop it
    "en": "run 4 iterations with 8 epochs and all layers on the language model",
    "zh": "在语言模型上真跑 4 轮迭代，8 个 epoch，所有层",
}
SHORT = {
    "en": "run one PPO iteration on the prompt 'What is 2+3?' with the response '5'",
    "zh": "在「1+1=?」→「等于2」上真跑一遍",
}
STOP = "#box button.stop-button"
PATIENCE = 300_000  # milliseconds: the head may have to be fitted first


def _going(visitor, language):
    beginning = word(language, "progress", "running").split("{")[0].strip()
    visitor.page.locator("#chat .bot-row", has_text=beginning).wait_for(timeout=PATIENCE)


@pytest.mark.parametrize(("language", "width"), [("zh", 390), ("en", 1400)])
def test_a_run_can_be_watched_stopped_and_done(visit, language, width):
    visitor = visit(language, width)
    visitor.box.fill(LONG[language])
    visitor.box.press("Enter")
    _going(visitor, language)
    stop = visitor.page.locator(STOP)
    stop.wait_for()
    visitor.shoot(f"run-going-{width}")

    other = visit(language, width)  # nobody else waits for it
    other.ask(word(language, "followups", "simple"))
    assert visitor.page.locator(STOP).is_visible()

    stop.click()
    stopped = word(language, "progress", "stopped")
    visitor.page.locator("#chat .bot-row", has_text=stopped).wait_for()
    visitor.page.locator("#box button.submit-button").wait_for()
    visitor.shoot(f"run-stopped-{width}")

    visitor.box.fill(SHORT[language])
    visitor.box.press("Enter")
    second = word(language, "observed", "round").format(number=2)
    visitor.page.locator("#chat .bot-row", has_text=second).wait_for(timeout=PATIENCE)
    visitor.settle()
    visitor.shoot(f"run-done-{width}")
    shown = visitor.answers.last.inner_text()
    assert all(name in shown for name in ("old_log_probs", "ref_log_prob", "values", "approx_kl", "pg_clipfrac"))
    assert visitor.page.locator(".katex-error").count() == 0 and "**" not in shown
    assert visitor.overflow() == [0, 0]
    visitor.page.locator("#box button.submit-button").wait_for()
    assert visitor.page.locator(STOP).count() == 0
