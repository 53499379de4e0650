"""Those who answer, and the reception before them: each gets their own, the fallen are replaced, nothing raises."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import aclosing

import pytest

from lessons import LANGUAGES
from prompts.staff import NobodyAnsweredError, Staff
from prompts.staff import reception as rooms
from prompts.staff.reception import SAME, Allowance, Reception

HERE = "tests.prompts.test_staff"
ASKED = 40


# ------------------------------------------------------------ what the processes do here


def nothing():
    """What is done first where nothing is to be loaded."""


def pid():
    return os.getpid()


async def counted(most):
    for i in range(most):
        yield i
        await asyncio.sleep(0)


async def endless(file):
    try:
        while True:
            yield 0
            await asyncio.sleep(0.01)
    finally:
        with open(file, "w", encoding="utf-8") as left:
            left.write("stopped")


def fall():
    os._exit(3)


def fault():
    raise RuntimeError("planted")


def no_json():
    return float("nan"), object()


# ------------------------------------------------------------ the pool


@pytest.fixture(scope="module")
def staff():
    found = Staff(2, f"{HERE}:nothing")
    found.start()
    yield found
    found.close()


def test_each_is_answered_with_their_own_by_all_of_them(staff):
    async def asking():
        asked = (staff.run("json:loads", f"[{i}]") for i in range(ASKED))
        return await asyncio.gather(*asked), {await staff.run(f"{HERE}:pid") for _ in range(2)}

    told, _ = asyncio.run(asking())
    assert told == [[i] for i in range(ASKED)]


def test_what_is_asked_at_the_same_time_is_shared_out(staff):
    async def beside():
        async with aclosing(staff.stream(f"{HERE}:endless", os.devnull)) as one:
            await anext(one)
            pids = [await staff.run(f"{HERE}:pid") for _ in range(3)]
            async with aclosing(staff.stream(f"{HERE}:endless", os.devnull)) as other:
                await anext(other)
                return pids, await staff.run(f"{HERE}:pid")

    while not all(hand.ready.wait(60) for hand in staff._hands):
        pass
    pids, _ = asyncio.run(beside())
    assert len(set(pids)) == 1 and os.getpid() not in pids


def test_what_is_yielded_comes_in_order(staff):
    async def asking():
        return [x async for x in staff.stream(f"{HERE}:counted", 20)]

    assert asyncio.run(asking()) == list(range(20))


def test_what_nobody_waits_for_is_stopped(staff, tmp_path):
    async def some():
        async with aclosing(staff.stream(f"{HERE}:endless", str(tmp_path / "left"))) as items:
            await anext(items)

    asyncio.run(some())
    until = time.monotonic() + 60
    while not (tmp_path / "left").exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert (tmp_path / "left").read_text() == "stopped"


@pytest.mark.parametrize("do", ["fault", "no_json", "fall"])
def test_who_falls_over_is_replaced_and_whoever_asked_is_told(staff, do):
    async def asking():
        with pytest.raises(NobodyAnsweredError):
            await staff.run(f"{HERE}:{do}")
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                return await asyncio.gather(*(staff.run("json:loads", "1") for _ in range(8)))
            except NobodyAnsweredError:  # the other one is at the door already
                await asyncio.sleep(0.05)

    assert asyncio.run(asking()) == [1] * 8


# ------------------------------------------------------------ the reception


def test_an_allowance_is_each_visitors_own_and_comes_back():
    clock = [0.0]
    allowance = Allowance(3, 0.5, lambda: clock[0])
    assert [allowance.takes("a") for _ in range(4)] == [True, True, True, False]
    assert allowance.takes("b")
    clock[0] = 2.0
    assert allowance.takes("a") and not allowance.takes("a")


class Nobody:
    """Instead of a staff: whoever is asked falls over after so many items."""

    def __init__(self, after):
        self._after = after

    async def stream(self, *_):
        for i in range(self._after):
            yield i
        raise NobodyAnsweredError

    async def run(self, *_):
        raise NobodyAnsweredError


@pytest.fixture
def said(monkeypatch):
    """What visitors are told beside the page."""
    heard = []
    monkeypatch.setattr(rooms, "_say", heard.append)
    return heard


def everything(telling):
    async def all_of_it():
        return [shown async for shown in telling]

    return asyncio.run(all_of_it())


@pytest.mark.parametrize("after", range(3))
def test_whatever_falls_over_the_page_is_left_as_it_was_and_told(said, after):
    reception = Reception(Nobody(after))
    *before, (log, box, *beside) = everything(reception.telling("a:b")("question"))
    assert before == list(range(after)) and said == ["gone"]
    assert log == SAME and beside == [SAME, SAME] and box["submit_btn"] and not box["stop_btn"] and "value" not in box
    assert asyncio.run(reception.doing("a:b")()) == SAME
    assert asyncio.run(reception.doing("a:b", outputs=2)()) == [SAME, SAME]
    assert set(asyncio.run(reception.touching("a:b")({}))) == {"error"}
    assert asyncio.run(reception.call("ask", {}))["error"]["code"] == "internal"
    assert "/" in asyncio.run(reception.chat("hello"))


def test_who_comes_when_too_many_ask_is_told_so_and_answered_when_they_have_gone(said, staff, monkeypatch):
    monkeypatch.setattr(rooms, "AT_ONCE", 1)
    reception = Reception(staff)
    telling = reception.telling(f"{HERE}:counted")

    async def crowd():
        async with aclosing(telling(3)) as first:
            await anext(first)
            refused = [shown async for shown in telling(3)]
        return refused, [shown async for shown in telling(3)]

    refused, answered = asyncio.run(crowd())
    assert len(refused) == 1 and refused[0][0] == SAME and said == ["busy"]
    assert answered == [0, 1, 2]


def test_who_asks_too_much_is_told_so(said):
    reception = Reception(Nobody(0))
    for _ in range(30):
        everything(reception.telling("a:b")("question"))
    assert said.count("busy") == 10


def test_it_is_said_in_every_language():
    both = rooms._both("busy")
    assert all(rooms.word(language, "page", "busy") in both for language in LANGUAGES)
