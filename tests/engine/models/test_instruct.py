"""A language model that writes, on one made here: what it is given, where it runs, and when it stops."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from engine.models.writer import Draft, LanguageModel, named_writer

from engine.errors import EngineError
from engine.kernels.device import default_device
from engine.models import checkpoint, writer
from tests.engine.models import tiny

LONGEST = 8


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """The writer of one test is not the next one's, nor is its device."""
    for kept in (writer._loaded, default_device):
        kept.cache_clear()
    yield
    for kept in (writer._loaded, default_device):
        kept.cache_clear()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.saved(tmp_path_factory.mktemp("writer"))


def wrote(place: Path, longest: int = LONGEST, prompt: str = "Hello", *, stopped: bool = False) -> Draft:
    stop = threading.Event()
    if stopped:
        stop.set()
    return LanguageModel(str(place)).write(prompt, longest, stop)


def first_token(place: Path) -> int:
    """What it writes first, which is its likeliest."""
    tokenizer, model = writer._loaded(str(place))
    turns = [{"role": "user", "content": "Hello"}]
    asked = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    with torch.no_grad():
        return int(model(**asked).logits[0, -1].argmax())


def test_it_writes_the_same_again_and_no_more_than_it_may(place: Path) -> None:
    assert wrote(place) == wrote(place)
    short, long = wrote(place, 2), wrote(place, 4)
    assert not short.finished and not long.finished


@pytest.mark.parametrize("several", [False, True])
def test_it_has_finished_where_it_came_to_an_end_of_its_own(tmp_path: Path, several: bool) -> None:
    """Here the token that it writes first is its end, or one of its ends."""
    home = tiny.saved(tmp_path)
    first = first_token(home)
    writer._loaded.cache_clear()
    tiny.end_with(home, [2 if first != 2 else 1, first] if several else first)
    assert wrote(home).finished


def test_a_stop_before_it_and_a_prompt_that_is_too_long_begin_nothing(place: Path) -> None:
    assert wrote(place, stopped=True) == ("", False)
    assert wrote(place, prompt="x" * tiny.PLACES) == ("", False)
    assert wrote(place, longest=tiny.PLACES) == ("", False)


def test_a_stop_on_the_way_ends_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = writer._loaded(str(place))[1]
    stop, tokens = threading.Event(), []

    def forward(*inputs, real=model.forward, **options):
        tokens.append(1)
        if len(tokens) == 3:
            stop.set()
        return real(*inputs, **options)

    monkeypatch.setattr(model, "forward", forward)
    assert not LanguageModel(str(place)).write("Hello", LONGEST, stop).finished
    assert len(tokens) == 3


def test_who_waits_may_give_up_and_who_comes_after_is_not_served(place: Path) -> None:
    with writer.GATE.turn(lambda: None):
        assert wrote(place, stopped=True) == ("", False)  # waits, looks, and goes
        writer.GATE._here += 1  # somebody waits
        try:
            assert wrote(place) == ("", False)
        finally:
            writer.GATE._here -= 1


def test_who_waits_is_served_when_the_writer_is_free(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one before is only done when the next has looked in vain."""
    alone = wrote(place)
    stop = threading.Event()
    looked = threading.Event()
    monkeypatch.setattr(stop, "is_set", lambda: looked.set() or False)
    found: list[Draft] = []
    with writer.GATE.turn(lambda: None):
        waiting = threading.Thread(target=lambda: found.append(LanguageModel(str(place)).write("Hello", LONGEST, stop)))
        waiting.start()
        assert looked.wait(30)
    waiting.join(60)
    assert found == [alone]


# ---------------------------------------------------------------- where it runs


def test_it_runs_where_the_environment_says(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)  # which the named device goes before
    monkeypatch.setenv("TELESCOPE_DEVICE", "cpu")
    assert wrote(place).text == wrote(place).text
    assert writer._loaded(str(place))[1].device.type == "cpu"


def test_a_device_that_is_not_there_is_said_before_anything_is_loaded(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELESCOPE_DEVICE", "no_such_device")
    with pytest.raises(EngineError) as found:
        wrote(place)
    assert (found.value.code, found.value.details["device"]) == ("no_such_device", "no_such_device")


# ---------------------------------------------------------------- what cannot write


def test_a_model_without_a_chat_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="unsupported_writer"):
        wrote(tiny.saved(tmp_path, chat=None))


def test_a_place_without_a_model_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as found:
        wrote(tmp_path)
    assert (found.value.code, found.value.details["name"]) == ("no_writer", str(tmp_path))


@pytest.mark.parametrize("trouble", [RuntimeError("out of memory"), MemoryError()])
def test_a_machine_that_cannot_run_it_is_an_error_that_says_so(
    place: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def fail(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(writer, "_reply", fail)
    with pytest.raises(EngineError, match="no_writer") as found:
        wrote(place)
    assert found.value.details["reason"]


# ---------------------------------------------------------------- which one


def test_only_a_named_model_writes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(writer.VARIABLE, raising=False)
    assert named_writer() is None
    monkeypatch.setenv(writer.VARIABLE, str(place))
    assert named_writer() == LanguageModel(str(place)) and named_writer().name == place.name


def test_a_hub_name_is_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(writer.VARIABLE, "somebody/some-model")
    monkeypatch.setattr(checkpoint, "_on_hub", lambda name, _absent: name)
    assert named_writer() == LanguageModel("somebody/some-model") and named_writer().name == "somebody/some-model"
