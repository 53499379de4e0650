"""One token's clipped objective, stated in numbers, is computed."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES
from prompts.read.clipping import on_one_token
from prompts.tutor import Request, answer

VERDICTS = {
    "A=−2, ratio=1.6, ε=0.2: the objective is −3.2": "true",
    "A=−2, ratio=1.6, ε=0.2: the objective is −2.4": "false",
    "A=3, ratio=1.6, ε=0.2, so the term is 3.6": "true",
    "优势是 −1，比值涨到 1.4，ε=0.2，这一项等于 −1.2": "false",
    "A>0，ratio=1.4，ε=0.1，这一项就是 1.1·A": "true",
    "A<0 而 ratio 涨到 3，ε=0.2，目标会把这一项压在 1.2·A": "false",
    "with ε=0.2, A<0 and ratio 0.7 the token gets no gradient": "true",
    "ratio=1.4, A<0, ε=.2: clipped, no gradient": "false",
    "A negative advantage with ratio 0.6 and eps = 0.2 still gets its gradient": "false",
    "优势为正，比值跌到 0.7，ε=0.2，照样有梯度": "true",
    "优势为正，比值跌到 0.7，ε=0.2，就没有梯度了": "false",
    "if A is negative and the ratio is 1.3, ε=0.2, the min picks the unclipped term": "true",
    "if A is positive and the ratio is 1.1, ε=0.2, it is not clipped": "true",
}
NONE = [
    "A<0，ratio=5，ε=0.2，dual clip 把这一项压在 3·A",
    "ratio=1.3, ε=0.2: clipped",  # of which sign?
    "A>0 and the ratio leaves the range, so the token has no gradient",
    "A<0, ratio=1.5, ε=0.2 and the learning rate is too high, so it is clipped",
    "A>0, ratio=1.4, ε=0.2, the term is 1.2",  # of which advantage?
    "ratio=1.5, A=−1",
    "",
]


@pytest.mark.parametrize("message", VERDICTS)
def test_verdicts(message):
    assert answer(Request((message,))).verdict == VERDICTS[message]


@pytest.mark.parametrize("message", NONE)
def test_what_is_not_wholly_understood(message):
    assert on_one_token(message) is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_shows_both_terms(lang):
    message = "with ε=0.2, A<0 and ratio 0.7 the token gets no gradient"
    page = answer(Request((message,), lang=lang)).markdown.split("\n")[0]
    assert "-0.7" in page and "-0.8" in page
