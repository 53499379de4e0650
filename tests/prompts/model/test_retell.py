"""The tutor with a writer: what it may say is shown, what it may not is not, and without one nothing changes."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from prompts import tutor
from prompts.chat import once
from prompts.model.retell import purpose, told_again
from prompts.model.writer import writer
from prompts.tell.words import word
from prompts.tutor import Request, answer
from tests.prompts.model.fake import Fake

ROOT = Path(__file__).parents[3]
ASKED = {"en": "prove that the deltas sum to G − V", "zh": "怎么证明 Σδ = G − V？"}


@pytest.fixture
def with_writer(monkeypatch):
    """A conversation answered with this writer, and without any."""

    def both(fake, request):
        monkeypatch.setattr(tutor, "writer", lambda: None)
        without = answer(request)
        monkeypatch.setattr(tutor, "writer", lambda: fake)
        return answer(request), without

    return both


def body(found):
    """The page without the names of its sections, and without its figures: they stay as they are."""
    page = found.markdown.removesuffix(f"{found.end}\n") + "\n\n"
    for drawn in found.figures:
        assert drawn.markdown in page
        page = page.replace(f"{drawn.markdown}\n\n", "")
    return page


def in_other_words(page):
    return page.replace("Imagine", "Picture").replace("想象", "设想").strip()


@pytest.mark.parametrize("lang", ASKED)
def test_an_accepted_re_telling_stands_in_the_place_of_the_page(with_writer, lang):
    asked = Request((ASKED[lang],), lang=lang, style="simple")
    page = body(answer(asked))
    told = in_other_words(page)
    fake = Fake(told)
    found, without = with_writer(fake, asked)
    assert body(found).startswith(told) and body(found) != body(without)
    assert word(lang, "labels", "retold").split("{")[0] in body(found) and "nobody" in body(found)
    assert found.end and found.markdown.endswith(f"{found.end}\n")
    assert replace(found, markdown="", seconds=0) == replace(without, markdown="", seconds=0)
    assert page.strip() in fake.asked[0]


@pytest.mark.parametrize("reply", ["", "It is 0.755.", "Sure! Here it is: 42", "\\(V_{0}\\)" * 50])
def test_a_refused_re_telling_leaves_the_page_as_it_was_computed(with_writer, reply):
    found, without = with_writer(Fake(reply), Request((ASKED["en"],), style="simple"))
    assert found.markdown == without.markdown


@pytest.mark.parametrize("before", ["", "Here is the page:\n\n"])
def test_a_copy_is_no_re_telling(with_writer, before):
    asked = Request((ASKED["en"],), style="simple")
    found, without = with_writer(Fake(before + body(answer(asked))), asked)
    assert found.markdown == without.markdown


def test_an_unfinished_re_telling_is_refused(with_writer):
    asked = Request((ASKED["en"],), style="simple")
    told = in_other_words(body(answer(asked)))
    found, without = with_writer(Fake(told, finished=False), asked)
    assert found.markdown == without.markdown
    asked.stop.set()
    found, without = with_writer(Fake(told), asked)
    assert found.markdown == without.markdown


@pytest.mark.parametrize(
    "request_",
    [
        Request((ASKED["en"],)),
        Request((ASKED["en"],), style="rigorous"),
        Request(("hello there, explain it simply",)),
        Request((ASKED["en"],), style="simple", scenario={"rewards": [1], "values": [1, 2]}),
    ],
    ids=["plain", "rigorous", "out of scope", "error"],
)
def test_a_writer_that_is_not_needed_is_not_asked(with_writer, request_):
    fake = Fake()
    found, without = with_writer(fake, request_)
    assert fake.asked == [] and found.markdown == without.markdown


@pytest.mark.parametrize("judged", [{"verdict": "false"}, {"mistakes": ({"where": "returns"},)}])
def test_a_verdict_is_never_put_into_other_words(judged):
    fake = Fake()
    found = replace(answer(Request((ASKED["en"],), style="simple")), **judged)
    assert told_again(fake, found, "simply", threading.Event()) is found and fake.asked == []


@pytest.mark.parametrize(
    ("message", "form", "expected"),
    [
        ("explain it as to a child", "simple", "simple"),
        ("another metaphor please", "simple", "metaphor"),
        ("换个比喻再讲一遍", "simple", "metaphor"),
        ("像给小孩讲那样解释一下。", "simple", "simple"),
        ("another metaphor please", "plain", None),
    ],
)
def test_which_re_telling_is_wanted(message, form, expected):
    assert purpose(message, form) == expected


def test_a_learner_who_moves_on_stops_the_writing(monkeypatch):
    import asyncio

    seen = []
    monkeypatch.setattr("prompts.chat.answer", lambda request: seen.append(request) or answer(request))
    assert asyncio.run(once(ASKED["en"]))
    assert seen[0].stop.is_set()


def test_without_the_variable_nobody_writes_and_nothing_is_loaded(monkeypatch):
    program = (
        "import sys; from prompts.model import writer; from prompts.tutor import Request, answer;"
        f"answer(Request(({ASKED['en']!r},), style='simple'));"
        "sys.exit(writer() is not None or 'transformers' in sys.modules)"
    )
    monkeypatch.delenv("TELESCOPE_WRITER", raising=False)
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


def test_a_writer_is_chosen_once(monkeypatch, tmp_path):
    writer.cache_clear()
    monkeypatch.setenv("TELESCOPE_WRITER", str(tmp_path))
    chosen = writer()
    monkeypatch.delenv("TELESCOPE_WRITER")
    assert chosen is writer() and chosen.name == tmp_path.name
    writer.cache_clear()
    assert writer() is None
