"""Thanks, greetings and goodbyes are answered in kind, and with what can be asked."""

from __future__ import annotations

import pytest

from prompts.read.courtesy import courtesy
from prompts.tell.words import word
from prompts.tutor import Request, answer

SAID = [
    ("thanks a lot!", "thanks", "en"), ("好的，谢谢老师", "thanks", "zh"), ("ok, thx", "thanks", "en"),
    ("hello there", "hello", "en"), ("你好！", "hello", "zh"),
    ("good night", "goodbye", "en"), ("再见啦", "goodbye", "zh"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "kind", "language"), SAID)
@pytest.mark.parametrize("before", [(), ("why λ?",)])
def test_it_is_answered_in_kind(message, kind, language, before):
    found = answer(Request((*before, message)))
    assert found.lesson == "out_of_scope"
    assert found.markdown.startswith(word(language, "notes", kind)) or before
    assert word(found.lang, "notes", kind) in found.markdown


@pytest.mark.parametrize(
    "message", ["hi, what is GAE?", "thanks to λ < 1 the variance falls", "你好，什么是白化", "早期 token 的优势"]
)
def test_what_says_more_is_no_courtesy(message):
    assert courtesy(message) == ()
