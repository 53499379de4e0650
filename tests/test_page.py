"""The chat page without a browser: pieces of a page, shapes of a history, words, and what hostile payloads do."""

from __future__ import annotations

import asyncio
import contextlib
import html
import itertools
import json
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import NAMES, texts
from engine.errors import EngineError
from engine.models.progress import Progress
from lessons._lesson import LANGUAGES, lessons
from prompts import beside, chat, tutor, watched
from prompts.box import SAME, on_again, on_chip, on_edited, on_message
from prompts.dressed import named, opened_in, preferred
from prompts.read.conversation import LONGEST_HISTORY, questions, taken_back, turns
from prompts.read.language import language
from prompts.taken.files import on_take
from prompts.tell.draw import drawn
from prompts.tell.learner_text import plain, quoted, typed, verbatim
from prompts.tell.observed import progress
from prompts.tell.sections import QUIZ
from prompts.tell.words import word
from prompts.tutor import LONGEST_MESSAGE, Request, answer
from prompts.visit import on_address, to_share
from tests.paragraphs import paragraphs, whole

ROOT = Path(__file__).parent.parent
theorem = settings(derandomize=True, deadline=None)
NUMBERS = "rewards 0, 0, 1, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages"

# ------------------------------------------------------------ pages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", sorted(lessons()))
def test_every_lesson_is_told_in_whole_pieces(lesson, language):
    told = answer(Request((lessons()[lesson].question[language],), lang=language)).markdown
    assert all(whole(piece) for piece in paragraphs(told))


# ------------------------------------------------------------ what the learner typed


@theorem
@given(st.text(max_size=80))
def test_what_was_typed_comes_back_from_what_is_shown(text):
    assert typed(verbatim(text)) == plain(text)


@theorem
@given(st.text(alphabet="<>&`*_[]()|~#\\$@!:/.w1a \n\t-+=%", max_size=40))
def test_nothing_typed_is_shown_as_markup(text):
    shown = verbatim(text)
    bare = shown.replace("&#", "")
    assert not set("<>`*_[]|~\\$@\n\t") & set(bare)
    assert "://" not in shown and "www." not in shown and not shown.startswith(("-", "+", "="))


@theorem
@given(st.text(alphabet="\\$()[] x", max_size=20))
def test_an_echo_opens_no_formula_even_where_a_browser_has_decoded_it(text):
    decoded = html.unescape(quoted(text))
    assert not any(delimiter in decoded for delimiter in ("$$", "\\(", "\\)"))


def test_ordinary_questions_are_shown_as_they_are():
    for lesson in lessons().values():
        for question in lesson.question.values():
            assert typed(verbatim(question)) == question


# ------------------------------------------------------------ history


def test_a_history_is_the_same_from_the_page_and_from_a_program():
    from_page = [
        {"role": "user", "content": [{"text": "why &#96;λ&#96;?", "type": "text"}], "metadata": None, "options": None},
        {"role": "assistant", "content": [{"text": "because", "type": "text"}], "options": [{"value": "and γ?"}]},
    ]
    from_program = [{"role": "user", "content": "why `λ`?"}, {"role": "assistant", "content": "because"}]
    assert questions(turns(from_page)) == questions(turns(from_program)) == ("why `λ`?",)
    assert taken_back(turns(from_page)) == ([], "why `λ`?")


def test_taking_back_undoes_one_question_with_all_its_answers():
    conversation = turns(
        [{"role": role, "content": role} for role in ("user", "assistant", "user", "assistant", "assistant")]
    )
    assert taken_back(conversation) == (conversation[:2], "user")
    assert taken_back([]) == ([], None)
    assert taken_back(turns([{"role": "assistant", "content": "hello"}])) == ([], None)


def test_a_history_is_bounded():
    assert len(turns([{"role": "user", "content": str(i)} for i in range(LONGEST_HISTORY * 3)])) == LONGEST_HISTORY


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "text", "type", "file", "path"]), inner, max_size=3)
    ),
    max_leaves=12,
)
histories = json_values | st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"]) | json_values, "content": json_values}
    ),
    max_size=4,
)


@theorem
@given(histories)
def test_any_history_reads_as_turns_of_text(history):
    for turn in turns(history):
        assert turn["role"] in ("user", "assistant") and turn["content"] and isinstance(turn["content"], str)


# ------------------------------------------------------------ the conversation


def everything(telling):
    async def all_of_it():
        return [shown async for shown in telling]

    return asyncio.run(all_of_it())


def told(message, history=(), scenario=""):
    return everything(chat.tell(message, list(history), scenario))


def test_what_is_ready_is_shown_at_once():
    question = "prove that the deltas sum to G − V"
    first, last = told(question)
    assert first == [{"role": "user", "content": question}]
    page, found = last[-1]["content"], answer(Request((question,)))
    assert page.startswith(chat.together(found.markdown.removesuffix(f"{found.end}\n")))
    unfolding = [section for section in found.closed if section.id != QUIZ]
    assert all(chat.together(section.folded) in page for section in unfolding if not section.pictures)
    pictures = [*found.figures, *(one for section in unfolding for one in section.pictures)]
    assert pictures and all(f"{one.caption}\n\n<div>{drawn(one)}</div>" in page for one in pictures)


def test_the_numbers_that_were_taken_stand_apart_and_can_be_taken_back():
    last = told(NUMBERS)[-1][-1]
    read, _, rest = last["content"].partition("</div>")
    assert read.startswith('<div class="read">') and "0.95" in read and "advantages" in rest
    back = word("en", "taken", "example")
    assert back in [option["value"] for option in last["options"]]
    assert "read" not in told("why λ?")[-1][-1]["content"].partition("\n")[0]
    shown = everything(on_chip(back, told(NUMBERS)[-1], beside.as_text(beside.said([NUMBERS]))))
    conversation, _, scenario, _ = shown[-1]
    assert scenario == "" and len(conversation) == 2
    assert 'class="read"' not in conversation[-1]["content"]


def test_answers_stay_in_the_conversation_and_nothing_else_does():
    conversation = told("prove that the deltas sum to G − V")[-1]
    assert turns(conversation) == [{"role": turn["role"], "content": turn["content"]} for turn in conversation]
    assert told(" ", conversation)[-1] == turns(conversation)
    odd = [{"type": "component", "component": "html", "value": "<b>", "props": {}}, {"file": {"path": "/etc/passwd"}}]
    assert turns([{"role": "assistant", "content": ["a", *odd, "b"]}])[0]["content"] == "a\n\nb"
    assert turns([{"role": "user", "content": ["a", *odd]}])[0]["content"] == "a"


def test_the_next_questions_are_chips_and_not_a_list_as_well():
    last = told("hello")[-1][-1]
    assert [option["value"] for option in last["options"]] == [*answer(Request(("hello",))).followups, "quiz me"]
    assert all(option["value"] not in last["content"] for option in last["options"])


def test_the_tutor_hears_all_of_the_learners_turns(monkeypatch):
    heard = []
    monkeypatch.setattr(chat, "answer", lambda request: heard.append(request) or tutor.answer(request))
    told("and <that>?", told("why *λ*?")[-1])
    assert heard[-1].messages == ("why *λ*?", "and <that>?")
    assert heard[-1].scenario is None


def test_edited_numbers_replace_those_of_the_messages_and_a_later_message_theirs():
    conversation = told(NUMBERS)[-1]
    edited = beside.as_text({**beside.said([NUMBERS]), "lam": 0.5})
    again = everything(chat.retell(conversation, edited))[-1]
    assert len(again) == len(conversation) and again[0] == conversation[0]
    assert r"\lambda = 0.5" in again[-1]["content"] and r"\lambda = 0.95" not in again[-1]["content"]
    later = told("and with lambda 0.25?", again, edited)[-1][-1]["content"]
    assert r"\lambda = 0.25" in later and "0.7" in later
    assert r"\lambda = 0.5" in told("why?", again, edited)[-1][-1]["content"]
    assert everything(chat.retell([], edited)) == [[]]


def test_every_answer_is_told_in_another_language_and_its_question_stays():
    conversation = told("why λ?", told(NUMBERS)[-1])[-1]
    other = asyncio.run(chat.reword(conversation, "", "zh"))
    assert [turn["content"] for turn in other[::2]] == [turn["content"] for turn in conversation[::2]]
    assert all(language(turn["content"]) == "zh" for turn in other[1::2])
    assert all(language(turn["content"]) == "en" for turn in conversation[1::2])
    again = everything(chat.retell(other, '{"lam":0.5}'))[-1]
    assert language(again[-1]["content"]) == "zh"


def test_an_edited_question_takes_back_what_was_said_after_it():
    conversation = told("why λ?", told("why γ?")[-1])[-1]
    shown = everything(on_edited(0, "hello", conversation))
    last = next(history for history, *_ in reversed(shown) if isinstance(history, list))
    assert questions(last) == ("hello",) and len(last) == 2


def test_a_blank_message_changes_nothing():
    before = told("hello")[-1]
    assert told(" \n", before) == [turns(before)]


def test_a_message_that_is_too_long_is_refused_and_not_repeated_at_length():
    conversation = told("x" * (LONGEST_MESSAGE + 5000))[-1]
    assert len(conversation[0]["content"]) < 1000
    assert str(LONGEST_MESSAGE) in conversation[-1]["content"]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(json_values, histories, json_values | st.sampled_from(['{"lam":', '{"lam":2}', '{"rewards":[1]}']))
def test_no_payload_raises_and_what_is_said_is_json(message, history, scenario):
    for telling in (on_message(message, history, scenario), on_edited(history, message, history, scenario)):
        for shown in everything(telling):
            json.dumps(shown, allow_nan=False).encode()
    for kind in ("dialogue", "notebook", "scenario"):
        assert json.loads(on_take(kind, history, scenario, message, message))["name"].startswith("telescope_")


@pytest.mark.parametrize("message", [None, 7, [], {"text": "x"}, "\ud800", "\x00", "<script>", "%%%LATEX_BLOCK_0%%%"])
def test_one_answer_for_a_program_never_raises(message):
    assert asyncio.run(chat.once(message)).encode()


# ------------------------------------------------------------ a run on the language model


RUN = "run it on a language model"
FAR = [Progress("load", 0, 1), Progress("critic", 1, 3), Progress("actor", 2, 3, 2)]


@pytest.fixture
def slow_run(monkeypatch):
    """A run that says how far it is and goes on until nobody wants it."""
    ended = threading.Event()

    def run(_scenario, _trial, listener):
        try:
            for found in itertools.cycle(FAR):
                listener(found)
                time.sleep(0.01)
        except EngineError as stopped:
            ended.set()
            return stopped

    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", run)
    monkeypatch.setattr(watched, "LOOKS", 0.01)
    return ended


def test_a_run_says_how_far_it_is_and_ends_with_whoever_listens(slow_run):
    async def some_of_it():
        seen = []
        async with contextlib.aclosing(chat.tell(RUN, [])) as telling:
            async for conversation in telling:
                if chat.is_progress(conversation[-1]):
                    seen.append(conversation[-1]["content"])
                if len(set(seen)) == 2:
                    return seen

    seen = asyncio.run(some_of_it())
    assert set(seen) <= {progress(found, "en") for found in FAR}
    assert slow_run.wait(30)


def test_a_cancelled_answer_ends_its_run(slow_run):
    async def cancelled():
        telling = chat.tell(RUN, [])
        await anext(telling)
        waiting = asyncio.ensure_future(anext(telling))
        await asyncio.sleep(0.2)
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            while True:
                await waiting
                waiting = asyncio.ensure_future(anext(telling))
                waiting.cancel()

    asyncio.run(cancelled())
    assert slow_run.wait(30)


def test_other_answers_do_not_wait_for_a_run(slow_run):
    async def beside():
        async with contextlib.aclosing(chat.tell(RUN, [])) as telling:
            await anext(telling)
            await anext(telling)
            return await chat.once("why λ?")

    assert len(asyncio.run(beside())) > 500
    assert slow_run.wait(30)


@pytest.mark.parametrize(("question", "language"), [(RUN, "en"), ("在语言模型上跑一遍", "zh")])
def test_a_stopped_run_is_said_to_be_stopped(question, language):
    asked = {"role": "user", "content": question}
    going = {"role": "assistant", "content": progress(FAR[1], language)}
    for history in ([asked], [asked, going]):
        conversation = chat.stopped(history)
        assert [turn["role"] for turn in conversation] == ["user", "assistant"]
        assert conversation[-1]["content"] == word(language, "progress", "stopped")
    answered = {"role": "assistant", "content": "an answer"}
    assert chat.stopped([asked, answered]) == [asked, answered]
    assert chat.stopped([]) == []


def test_while_a_run_goes_on_the_box_has_a_button_that_stops_it(slow_run):
    async def boxes():
        seen = []
        async with contextlib.aclosing(on_message(RUN, [])) as shown:
            async for conversation, box, *_ in shown:
                seen.append((chat.is_progress(conversation[-1]), box))
                if len(seen) == 4:
                    return seen

    first, second, *later = asyncio.run(boxes())
    assert first == (False, {"__type__": "update", "value": "", "submit_btn": True, "stop_btn": False})
    assert second == (True, {"__type__": "update", "submit_btn": False, "stop_btn": True})
    assert all(box == {"__type__": "update"} for _, box in later)
    assert slow_run.wait(30)


def test_after_an_answer_the_box_is_as_it_was():
    for telling in (on_message("hello", []), on_again(told("hello")[-1])):
        merged = {}
        for _, box, *_ in everything(telling):
            merged |= box
        assert merged.get("submit_btn", True) and not merged.get("stop_btn", False)


# ------------------------------------------------------------ the interface


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-US,en;q=0.9,zh;q=0.8", "en"),
        ("fr-FR,fr;q=0.9,zh-TW;q=0.5", "zh"),
        ("fr", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_the_page_opens_in_the_browsers_language(header, language):
    assert preferred(header) == language


def test_an_address_may_name_the_language():
    assert opened_in({"lang": "zh"}, "en", "en") == "zh"
    assert opened_in({"lang": "xx"}, "zh", "en") == opened_in({}, None, "zh") == opened_in({}, 7, "zh") == "zh"


def test_a_link_asks_the_same_on_the_same_numbers():
    conversation, edited = told(NUMBERS)[-1], '{"rewards":[0,1],"values":[0.5,0.5],"lam":0.5}'
    address = dict(parse_qsl(to_share(conversation, edited, "en").removeprefix("?")))
    *_, (shown, _, scenario, _) = everything(on_address(address, [], ""))
    assert scenario == edited and address["lang"] == "en"
    assert shown == everything(chat.retell(conversation, edited))[-1]
    many = json.dumps({"rewards": [0.5] * 2000, "values": [0.5] * 2000})
    assert to_share(conversation, many, "zh") == word("zh", "taken", "too_long")


def test_an_address_may_bring_a_question():
    assert everything(on_address({}, [], "")) == everything(on_address({"q": "", "s": "no"}, [], "")) == [(SAME,) * 4]
    (_, _, scenario, _) = everything(on_address({"s": '{"lam":0.5}'}, [], ""))[-1]
    assert scenario == '{"lam":0.5}'
    last, *_ = everything(on_address({"q": "hello <b>"}, [], ""))[-2]
    assert [turn["role"] for turn in last] == ["user", "assistant"] and "<b>" not in last[0]["content"]


@pytest.mark.parametrize("known", LANGUAGES)
def test_a_link_to_the_page_shows_our_own_card(known):
    cards = '<meta property="og:title" content="Gradio" />\n<meta\n property="og:image"\n content="x" />'
    theirs = f'<html\n lang="en"><head>{cards}'
    page = named(theirs, known)
    assert "Gradio" not in page and "og:image" not in page and f'lang="{known}' in page
    assert word(known, "page", "tagline") in html.unescape(page) and page.count("og:title") == 1


def test_every_language_names_itself():
    assert set(NAMES) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_page_is_there_and_used(language, monkeypatch):
    asked = set()
    monkeypatch.setattr("app.word", lambda _language, _section, key: asked.add(key) or key)
    assert texts(language)
    words = tomllib.loads((ROOT / f"prompts/tell/words/{language}.toml").read_text(encoding="utf-8"))
    assert asked >= set(words["page"]) & asked and not asked - set(words["page"])


@pytest.fixture(scope="module")
def opened():
    """What building the page loads, and its events that tell answers."""
    told_of = "[[e.concurrency_limit, e.preprocess] for e in demo.fns.values() if e.concurrency_id == 'tell']"
    made = "from prompts.staff import Staff; from prompts.staff.reception import Reception; import app, json, sys"
    made += "; demo = app.page(Reception(Staff(1)))"
    return json.loads(_run(f"{made}; print(json.dumps([{told_of}, sorted(sys.modules)]))"))


def test_every_telling_event_takes_payloads_as_they_come_and_is_bounded_by_the_reception(opened):
    """Gradio's own preprocessing raises at odd payloads; the tutor answers them. Its own queue refuses impolitely."""
    events, _ = opened
    assert len(events) >= 5
    assert not any(limit or preprocess for limit, preprocess in events)


def test_the_terminal_never_waits_for_gradio_and_the_page_not_for_the_tutor(opened):
    loaded = _run("import app, sys; app.main(['ask', 'λ?']); print(*sys.modules)").split()
    assert "prompts.tutor" in loaded and "gradio" not in loaded
    assert "gradio" in opened[1] and not {"torch", "sympy", "engine", "prompts.tutor"} & set(opened[1])


def _run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    ).stdout
