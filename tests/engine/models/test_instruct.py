"""A language model that answers, on one made here: what it is given, where it runs, and when it stops."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from engine.errors import EngineError
from engine.kernels.device import default_device
from engine.models import checkpoint, instruct
from engine.models.instruct import NOTHING, Draft, LanguageModel, named
from tests.engine.models import tiny

LONGEST = 8


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """The writer of one test is not the next one's, nor is its device."""
    for kept in (instruct._loaded, default_device):
        kept.cache_clear()
    yield
    for kept in (instruct._loaded, default_device):
        kept.cache_clear()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.saved(tmp_path_factory.mktemp("writer"))


def wrote(place: Path, longest: int = LONGEST, prompt: str = "Hello", *, stopped: bool = False) -> Draft:
    stop = threading.Event()
    if stopped:
        stop.set()
    return write(place, longest, stop, prompt)


def write(place: Path, longest: int, stop: threading.Event, prompt: str = "Hello") -> Draft:
    return LanguageModel(str(place)).write([{"role": "user", "content": prompt}], None, longest, stop, lambda: None)


def first_token(place: Path) -> int:
    """What it writes first, which is its likeliest."""
    tokenizer, model = instruct._loaded(str(place))
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
    instruct._loaded.cache_clear()
    tiny.end_with(home, [2 if first != 2 else 1, first] if several else first)
    assert wrote(home).finished


def test_a_stop_before_it_and_a_prompt_that_is_too_long_begin_nothing(place: Path) -> None:
    assert wrote(place, stopped=True) == NOTHING
    assert wrote(place, prompt="x" * tiny.PLACES) == NOTHING
    assert wrote(place, longest=tiny.PLACES) == NOTHING


def test_a_stop_on_the_way_ends_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = instruct._loaded(str(place))[1]
    stop, tokens = threading.Event(), []

    def forward(*inputs, real=model.forward, **options):
        tokens.append(1)
        if len(tokens) == 3:
            stop.set()
        return real(*inputs, **options)

    monkeypatch.setattr(model, "forward", forward)
    assert not write(place, LONGEST, stop).finished
    assert len(tokens) == 3


def test_it_says_when_it_begins_and_how_many_tokens_it_took(place: Path) -> None:
    begun: list[int] = []
    turns = [{"role": "user", "content": "Hello"}]
    draft = LanguageModel(str(place)).write(turns, None, 3, threading.Event(), lambda: begun.append(1))
    asked = instruct._loaded(str(place))[0].apply_chat_template(turns, add_generation_prompt=True, return_dict=True)
    assert len(begun) == 3 and draft.tokens == len(asked["input_ids"]) + 3


def test_several_turns_are_read(place: Path) -> None:
    turns = [{"role": "system", "content": "x"}, {"role": "user", "content": "Hello"}]
    alone = LanguageModel(str(place)).write(turns[1:], None, 1, threading.Event(), lambda: None)
    assert LanguageModel(str(place)).write(turns, None, 1, threading.Event(), lambda: None).tokens > alone.tokens


def test_where_a_gpu_is_lent_the_writing_is_handed_over_as_plain_data(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is handed to another process must be such that it can be sent there."""
    (tmp_path / "spaces.py").write_text(
        "import pickle\nlent = []\n"
        "def GPU(duration):\n"
        "    def lend(does):\n"
        "        def call(*given):\n"
        "            lent.append(duration)\n"
        "            return pickle.loads(pickle.dumps(does(*pickle.loads(pickle.dumps(given)))))\n"
        "        return call\n"
        "    return lend\n"
    )
    alone = wrote(place)
    monkeypatch.syspath_prepend(str(tmp_path))
    instruct._on_shared_gpu.cache_clear()
    try:
        assert wrote(place) == alone
        assert wrote(place, stopped=True) == NOTHING
        assert sys.modules["spaces"].lent == [instruct.GPU_SECONDS]
    finally:
        instruct._on_shared_gpu.cache_clear()
        sys.modules.pop("spaces", None)


# ---------------------------------------------------------------- where it runs


def test_it_runs_where_the_environment_says(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)  # which the named device goes before
    monkeypatch.setenv("TELESCOPE_DEVICE", "cpu")
    assert wrote(place).text == wrote(place).text
    assert instruct._loaded(str(place))[1].device.type == "cpu"


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

    monkeypatch.setattr(instruct, "_reply", fail)
    with pytest.raises(EngineError, match="no_writer") as found:
        wrote(place)
    assert found.value.details["reason"]


# ---------------------------------------------------------------- which one


def test_a_directory_is_named_by_its_own_name(place: Path) -> None:
    assert named(str(place)) == LanguageModel(str(place)) and named(str(place)).name == place.name


def test_a_hub_name_is_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "_on_hub", lambda name, _absent: name)
    assert named("somebody/some-model").name == "somebody/some-model"
