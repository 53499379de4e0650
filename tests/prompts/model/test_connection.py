"""The three ways to have a model: what a real server does to them, and what nobody ever gets to see."""

from __future__ import annotations

import logging
import threading
import traceback

import pytest

from engine.errors import EngineError
from engine.models.gate import Gate
from engine.models.instruct import Draft
from prompts.model import connection as ways
from prompts.model.connection import Connection, NoReplyError, connected, named
from prompts.model.connection import connection as limits
from prompts.model.connection.endpoint import HUGGING_FACE, Endpoint, address
from prompts.model.connection.tokens import estimated
from prompts.model.reply import Heard
from tests.prompts.model.server import ANSWER, serving

SCHEMA = Heard.model_json_schema()
TURNS = [{"role": "system", "content": "Reply in JSON."}, {"role": "user", "content": "λ?"}]
KEY = "a-key-that-nobody-sees"
SOON = 0.3  # seconds: long enough for a server on this machine, where it means to answer


@pytest.fixture
def server():
    with serving() as one:
        yield one


def model(server, **given):
    return Connection(Endpoint(address(server.url), "some-model", KEY), Gate(**given))


def asked(of, turns=TURNS, schema=SCHEMA, stop=None, seconds=60.0):
    return of.complete(turns, schema, 100, stop or threading.Event(), seconds)


# ---------------------------------------------------------------- a server, well-behaved or not


def test_a_good_server_streams_and_counts(server):
    assert asked(model(server)) == (ANSWER, 123)
    path, headers, body = server.asked[0]
    assert path == "/v1/chat/completions" and headers["Authorization"] == f"Bearer {KEY}"
    assert body["messages"] == TURNS and body["model"] == "some-model" and body["max_tokens"] == 100
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA and body["stream"] is True


def test_what_does_not_stream_is_read_too_and_its_tokens_estimated(server):
    server.manner = "at_once"
    sent = "".join(turn["content"] for turn in TURNS)
    assert asked(model(server)) == (ANSWER, estimated(sent) + estimated(ANSWER))


def test_who_thinks_aloud_is_waited_for(server):
    server.manner = "thinks"
    assert asked(model(server), seconds=SOON).text == ANSWER


def test_a_server_that_knows_no_schema_is_asked_without_once_and_for_all(server):
    server.manner = "no_schema"
    one = model(server)
    assert asked(one).text == ANSWER
    assert asked(one, [*TURNS, {"role": "user", "content": "again"}]).text == ANSWER
    assert ["response_format" in body for _, _, body in server.asked] == [True, False, False]


REFUSED = {
    "rude": "refused",
    "error_inside": "refused",
    "elsewhere": "refused",
    "broken": "broken",
    "compressed": "unfinished",
    "no_text": None,
    "hangs_up": "unreachable",
    "cut_short": "unfinished",
    "endless_line": "endless",
    "endless_text": "endless",
}


@pytest.mark.parametrize("manner", REFUSED)
def test_bad_manners_are_no_reply(server, manner):
    server.manner = manner
    if REFUSED[manner] is None:
        assert asked(model(server)).text == ""
        return
    with pytest.raises(NoReplyError) as found:
        asked(model(server))
    assert found.value.why == REFUSED[manner]
    assert len(server.asked) == 1  # nobody was followed elsewhere


@pytest.mark.parametrize("manner", ["slow", "stops_talking"])
def test_who_waits_in_vain_goes_on_without(server, manner, monkeypatch):
    monkeypatch.setattr(limits, "WHOLE", 2 * SOON)
    server.manner = manner
    with pytest.raises(NoReplyError, match="late"):
        asked(model(server), seconds=SOON)


def test_a_stop_ends_it_at_once(server):
    server.manner, stop = "slow", threading.Event()
    stop.set()
    with pytest.raises(NoReplyError, match="stopped"):
        asked(model(server), stop=stop)


def test_after_some_vain_attempts_nobody_waits_for_a_while(server, monkeypatch):
    server.manner = "rude"
    one = model(server)
    for text in "abc":
        with pytest.raises(NoReplyError, match="refused"):
            asked(one, [{"role": "user", "content": text}])
    server.manner = "good"
    with pytest.raises(NoReplyError, match="resting"):
        asked(one)
    monkeypatch.setattr(limits.time, "monotonic", lambda now=limits.time.monotonic: now() + limits.RESTS)
    assert asked(one).text == ANSWER


def test_nobody_there_is_no_reply():
    with serving() as gone:
        url = gone.url
    with pytest.raises(NoReplyError, match="unreachable"):
        asked(Connection(Endpoint(url, "m", KEY), Gate()))


@pytest.mark.parametrize("manner", sorted(REFUSED))
def test_the_key_is_never_seen(server, manner, caplog):
    server.manner = manner
    one = model(server)
    caplog.set_level(logging.DEBUG)
    try:
        asked(one)
        told = ""
    except NoReplyError:
        told = traceback.format_exc()
    assert KEY not in told + caplog.text + repr(one) + one.name
    assert any(KEY in headers.get("Authorization", "") for _, headers, _ in server.asked)  # it was sent


# ---------------------------------------------------------------- limits of every way


class Source:
    """It writes when it is let."""

    name = "somebody"

    def __init__(self, finished: bool = True) -> None:
        self.finished, self.count = finished, 0
        self.let, self.within = threading.Event(), threading.Event()

    def write(self, turns, _schema, _longest, stop, begun):
        self.count += 1
        self.within.set()
        while not self.let.wait(0.01):
            if stop.is_set():
                raise NoReplyError("stopped")
        begun()
        return Draft(turns[-1]["content"], self.finished, 7)


def test_what_was_answered_is_not_asked_again():
    source = Source()
    source.let.set()
    one = Connection(source, Gate())
    assert asked(one) == ("λ?", 7)
    assert asked(one) == ("λ?", 0)  # and costs nothing
    assert source.count == 1
    assert asked(one, [{"role": "user", "content": "γ?"}]) == ("γ?", 7)


def test_it_remembers_the_last_ones(monkeypatch):
    monkeypatch.setattr(limits, "REMEMBERED", 2)
    source = Source()
    source.let.set()
    one = Connection(source, Gate())
    for text in "abca":
        asked(one, [{"role": "user", "content": text}])
    assert source.count == 4


def test_what_has_no_end_of_its_own_is_not_kept():
    source = Source(finished=False)
    source.let.set()
    one = Connection(source, Gate())
    for _ in range(2):
        with pytest.raises(NoReplyError, match="unfinished"):
            asked(one)
    assert source.count == 2


def test_who_waits_too_long_goes_and_leaves_the_place():
    source = Source()
    one = Connection(source, Gate(inside=1, waiting=1))
    first = threading.Thread(target=asked, args=(one,))
    first.start()
    assert source.within.wait(30)
    for text in "abc":  # each has the one place to wait in, for a while
        with pytest.raises(NoReplyError, match=r"late|busy"):
            asked(one, [{"role": "user", "content": text}], seconds=0.0)
    source.let.set()
    first.join(30)
    assert source.count == 1


def test_where_enough_wait_one_more_is_told_so():
    one = Connection(Source(), Gate(inside=1, waiting=0))
    with one.gate.turn(lambda: None), pytest.raises(NoReplyError, match="busy"):
        asked(one)


def test_two_are_served_at_once_where_two_may_be():
    source = Source()
    one = Connection(source, Gate(inside=2, waiting=0))
    threads = [threading.Thread(target=asked, args=(one, [{"role": "user", "content": text}])) for text in "ab"]
    for thread in threads:
        thread.start()
    source.let.set()
    for thread in threads:
        thread.join(30)
    assert source.count == 2


# ---------------------------------------------------------------- which one


def test_nobody_is_named():
    assert named({}) is None and named({"TELESCOPE_KEY": "k", "HF_TOKEN": "h"}) is None


def test_an_address_is_asked_and_the_hubs_token_goes_to_the_hub_alone():
    given = {"TELESCOPE_ENDPOINT": "http://localhost:8080/v1/", "HF_TOKEN": "h", "TELESCOPE_MODEL": "org/name"}
    elsewhere = named(given)
    assert (elsewhere.source.url, elsewhere.source._key, elsewhere.name) == (
        "http://localhost:8080/v1",
        None,
        "org/name",
    )
    assert named(given | {"TELESCOPE_KEY": "k"}).source._key == "k"
    at_hub = named(given | {"TELESCOPE_ENDPOINT": HUGGING_FACE})
    assert at_hub.source._key == "h" and at_hub.source.url.startswith("https://")


@pytest.mark.parametrize("variable", ["TELESCOPE_MODEL", "TELESCOPE_WRITER"])
def test_a_model_on_this_machine_is_named_as_it_is_now_and_as_it_was_before(variable, tmp_path):
    assert named({variable: str(tmp_path)}).name == tmp_path.name


@pytest.mark.parametrize(
    "place",
    ["localhost:8080", "ftp://x/v1", "http://", "http://me:secret@host/v1", "https://h/v1?key=secret", "http://[x"],
)
def test_what_is_no_address_is_refused_and_not_repeated(place):
    with pytest.raises(EngineError) as found:
        named({"TELESCOPE_ENDPOINT": place})
    assert found.value.code == "bad_endpoint" and "secret" not in str(found.value)


@pytest.mark.parametrize("key", ["line\nbreak", "nicht-äscii"])
def test_a_key_that_could_not_be_sent_is_refused_and_not_repeated(key):
    with pytest.raises(EngineError, match="bad_key") as found:
        named({"TELESCOPE_ENDPOINT": "http://localhost/v1", "TELESCOPE_KEY": key})
    assert key not in str(found.value)


def test_the_environment_is_read_once_and_an_error_is_kept(monkeypatch):
    connected.cache_clear()
    monkeypatch.setenv(ways.ENDPOINT, "nowhere")
    try:
        assert isinstance(connected(), EngineError) and connected() is connected()
    finally:
        connected.cache_clear()
