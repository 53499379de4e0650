"""The real loading, writing and checking, with the embedded model: far too small to be shown, and it is not."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.models import checkpoint
from engine.models import writer as models
from engine.models.writer import LanguageModel, named_writer
from lessons._lesson import lessons
from prompts import tutor
from prompts.model import choose, retell
from prompts.model.prompt import prompt
from prompts.model.writer import writer
from prompts.tell.words import word
from prompts.tutor import Request, answer

pytestmark = pytest.mark.model
ROOT = Path(__file__).parents[3]
ASKED = "prove that the deltas sum to G − V"
SHORT = 24  # tokens: the model is real, and slow


@pytest.fixture(scope="module")
def place() -> str:
    return checkpoint.locate()


@pytest.fixture
def named(place, monkeypatch):
    """The embedded model, named as an operator names one."""
    monkeypatch.setenv("TELESCOPE_WRITER", place)
    writer.cache_clear()
    yield writer()
    writer.cache_clear()


def test_it_writes_the_same_again_and_no_more_than_it_may(named):
    stop = threading.Event()
    question = "What is the capital of France?"
    first, second = (named.write(question, 3, stop) for _ in range(2))
    assert first == second and first.text and not first.finished
    longer = named.write(question, SHORT, stop)
    assert longer.text.startswith(first.text) and longer.finished


def test_it_is_loaded_once_and_in_the_precision_it_was_saved_in(named, place):
    before = models._loaded(place)
    named.write("Hello", 1, threading.Event())
    assert models._loaded(place) is before
    assert models._loaded.cache_info().currsize == 1
    assert not before[1].training and not any(weight.requires_grad for weight in before[1].parameters())


def test_a_stop_ends_it(named):
    stop = threading.Event()
    stop.set()
    assert named.write("Hello", SHORT, stop) == ("", False)


def test_a_stop_ends_it_on_the_way(named, place, monkeypatch):
    model = models._loaded(place)[1]
    stop, tokens = threading.Event(), []

    def forward(*inputs, real=model.forward, **options):
        tokens.append(1)
        if len(tokens) == 3:
            stop.set()
        return real(*inputs, **options)

    monkeypatch.setattr(model, "forward", forward)
    assert not named.write("Count as far as you can.", SHORT, stop).finished
    assert len(tokens) == 3


def test_what_is_longer_than_the_model_reads_is_not_begun(named):
    assert named.write("word " * 9000, SHORT, threading.Event()) == ("", False)


@pytest.mark.usefixtures("named")
def test_its_re_telling_of_a_page_is_refused_and_the_page_stands(monkeypatch, caplog):
    monkeypatch.setattr(retell, "LONGEST", SHORT)
    request = Request((ASKED,), style="simple")
    with caplog.at_level("INFO", logger=retell.__name__):
        found = answer(request)
    assert "is not shown" in caplog.text
    monkeypatch.setattr(tutor, "writer", lambda: None)
    assert found.markdown == answer(request).markdown


@pytest.mark.parametrize(
    "page",
    [
        "The forecast was 0.2, the outcome 0.955, so the news is 0.755, which is \\(G_{0} - V_{0}\\).",
        "Seven deltas, and their sum is \\(G_{0} - V_{0}\\): 0.04, 0.045, 0.055, 0.09, 0.13, 0.395 and -0.02.",
    ],
)
def test_what_it_comes_to_an_end_with_is_no_re_telling_either(named, page, monkeypatch):
    monkeypatch.setattr(retell, "LONGEST", 4 * SHORT)
    assert retell.retold(named, page, "simple", "en", threading.Event()) == page


def test_its_choice_of_a_lesson_is_one_of_the_candidates_or_none(named):
    candidates = sorted(lessons())[:3]
    told = choose._told(candidates, "en")
    reply = named.write(prompt("choose", "en", message="why λ?", candidates=told), SHORT, threading.Event()).text
    assert reply and choose.chosen(reply, candidates) in {None, *candidates}


def test_a_place_without_a_model_is_an_error_that_says_so(tmp_path):
    with pytest.raises(EngineError) as found:
        LanguageModel(str(tmp_path)).write("Hello", 1, threading.Event())
    assert (found.value.code, found.value.details["name"]) == ("no_writer", str(tmp_path))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_writer_that_cannot_be_loaded_leaves_the_computed_page_and_says_so(tmp_path, monkeypatch, lang):
    """Its folder is there, and its files are not what they should be."""
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    (tmp_path / "tokenizer.json").write_text("{}")
    asked = Request((ASKED,), lang=lang, style="simple")
    monkeypatch.setattr(tutor, "writer", lambda: None)
    without = answer(asked)
    monkeypatch.setattr(tutor, "writer", lambda: LanguageModel(str(tmp_path)))
    found = answer(asked)
    assert found.error is None and found.facts == without.facts
    said = word(lang, "labels", "not_retold").split("{")[0]
    assert said in found.markdown and said not in without.markdown
    assert found.markdown.startswith(without.markdown.removesuffix(f"{without.end}\n"))
    assert answer(Request((ASKED,), lang=lang)).markdown == answer(Request((ASKED,), lang=lang)).markdown


def test_who_comes_while_another_waits_gets_the_page_as_it_is(named):
    with models.GATE.turn(lambda: None):
        models.GATE._here += 1  # one more is waiting
        try:
            assert named.write("Hello", SHORT, threading.Event()) == ("", False)
        finally:
            models.GATE._here -= 1


@pytest.mark.parametrize("trouble", [RuntimeError("CUDA out of memory"), MemoryError()])
def test_a_machine_without_the_memory_is_an_error_that_says_so(named, monkeypatch, trouble):
    def fail(*_):
        raise trouble

    monkeypatch.setattr(models, "_reply", fail)
    with pytest.raises(EngineError, match="no_writer"):
        named.write("Hello", SHORT, threading.Event())


def test_a_model_without_a_chat_format_is_refused(tmp_path, place):
    for file in Path(place).iterdir():
        if "chat_template" not in file.name and file.name != "tokenizer_config.json":
            (tmp_path / file.name).symlink_to(file)
    settings = Path(place, "tokenizer_config.json").read_text(encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text(settings.replace('"chat_template"', '"no_template"'))
    with pytest.raises(EngineError, match="unsupported_writer"):
        LanguageModel(str(tmp_path)).write("Hello", 1, threading.Event())
    models._loaded.cache_clear()


@pytest.mark.parametrize("name", ["/no/such/folder", "nobody/nothing"])
def test_a_writer_that_is_not_there_is_said_at_the_door_and_pages_are_told_without(name):
    own = {**os.environ, "TELESCOPE_WRITER": name, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "app.py", "ask", ASKED, "--style", "simple"], env=own, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert name in done.stderr and "TELESCOPE_WRITER" in done.stderr
    assert ("Imagine" in done.stdout and "TELESCOPE&#95;WRITER" in done.stdout) or "TELESCOPE_WRITER" in done.stdout


def test_a_hub_name_is_its_own_name(monkeypatch):
    monkeypatch.setenv("TELESCOPE_WRITER", "somebody/some-model")
    monkeypatch.setattr(checkpoint, "_on_hub", lambda name, _absent: name)
    assert named_writer() == LanguageModel("somebody/some-model") and named_writer().name == "somebody/some-model"
