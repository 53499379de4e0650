"""One runs, one waits, a third is told so; who gives up waiting makes room."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from engine.errors import EngineError
from engine.models.gate import Gate


def _nothing() -> None:
    """Waits patiently."""


def _enters(gate: Gate, waits=_nothing) -> str:
    try:
        with gate.turn(waits):
            return "inside"
    except EngineError as refused:
        return refused.code


def test_one_is_inside_one_waits_a_third_is_refused() -> None:
    gate, waiting = Gate(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        with gate.turn(_nothing):
            second: Future[str] = pool.submit(_enters, gate, waiting.set)
            assert waiting.wait(30)
            assert _enters(gate) == "busy"
            assert not second.done()
        assert second.result() == "inside"
    assert _enters(gate) == "inside"


def test_who_gives_up_waiting_makes_room() -> None:
    gate = Gate()

    def give_up() -> None:
        raise EngineError("stopped")

    with gate.turn(_nothing):
        for _ in range(3):
            assert _enters(gate, give_up) == "stopped"
    assert _enters(gate) == "inside"


def test_who_fails_inside_leaves() -> None:
    gate = Gate()
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), gate.turn(_nothing):
            raise ZeroDivisionError
    with ExitStack() as inside:
        inside.enter_context(gate.turn(_nothing))


def test_gates_of_one_name_let_one_in_at_a_time_as_those_of_two_processes(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first, second, waiting = Gate(named="run"), Gate(named="run"), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        with first.turn(_nothing):
            later = pool.submit(_enters, second, waiting.set)
            assert waiting.wait(30) and not later.done()
        assert later.result() == "inside"
    assert _enters(first) == "inside"


def test_where_no_file_can_be_written_a_gate_counts_its_own(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    assert _enters(Gate(named="run")) == "inside"
