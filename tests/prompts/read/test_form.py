"""The form an answer is wanted in, from the words of the message."""

from __future__ import annotations

import pytest

from prompts.read.form import form


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("explain it like I'm 12", "simple"),
        ("Explain like I’m five", "simple"),
        ("as if I were twelve", "simple"),
        ("在语言模型上跑一遍", None),  # running.py hears it
        ("I'm stuck at token 12", None),
        ("what does the reward model run on?", None),
    ],
)
def test_a_wish_is_read(message, wish):
    assert form(message) == wish
