"""The chat page without a browser: pieces of a page, shapes of a history, words, and what hostile payloads do."""

from __future__ import annotations

import asyncio
import contextlib
import html
import itertools
import json
import re
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import NAMES, texts
from engine.errors import EngineError
from engine.example import RUNNING
from engine.models.progress import Progress
from lessons._lesson import LANGUAGES, lessons
from prompts import chat, tutor
from prompts.box import on_message, on_moved
from prompts.read.conversation import LONGEST_HISTORY, questions, taken_back, turns
from prompts.tell.draw import drawn
from prompts.tell.learner_text import plain, quoted, typed, verbatim
from prompts.tell.observed import progress
from prompts.tell.paragraphs import paragraphs, whole
from prompts.tell.sections import QUIZ
from prompts.tell.words import word
from prompts.tutor import LONGEST_MESSAGE, Request, answer
from prompts.visit import on_address, opened_in, preferred

ROOT = Path(__file__).parent.parent
theorem = settings(derandomize=True, deadline=None)
AT_REST = (RUNNING.gamma, RUNNING.lam)

# ------------------------------------------------------------ pieces of a page

BLOCKS = (
    "A paragraph with \\(\\gamma\\) and `code`.",
    "$$\\frac{1}{2}$$",
    "$$a\n\n= b \\\\(c)$$",
    "```python\nx = 1\n\n\nprice = '$$' + r'\\('\n```",
    "~~~\n```\n\n~~~",
    "| a | b |\n| --- | ---: |\n| \\(x\\) | 1 |",
    "1. A reason.\n\n   $$= c$$",
    "- one\n- two",
    "<details>\n<summary>More</summary>\n\nInside.\n\n<details>\n\n$$d$$\n\n</details>\n\n</details>",
    "### A heading",
    "A delimiter in code: `\\(` and `$$`.",
)


@theorem
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8))
def test_a_page_is_cut_between_its_blocks_and_nowhere_else(blocks):
    pieces = paragraphs("\n\n".join(blocks) + "\n")
    assert [piece.strip() for piece in pieces] == blocks


@theorem
@given(
    st.text(alphabet="a $\\()`~<>\n|-1.", max_size=60)
    | st.lists(st.sampled_from((*BLOCKS, "$$", "\\(", "```", "<details>"))).map("\n\n".join)
)
def test_joined_pieces_are_the_page_and_all_but_an_open_end_are_whole(text):
    pieces = paragraphs(text)
    assert "".join(pieces) == text
    assert all(whole(piece) for piece in pieces[:-1])
    assert all(piece.endswith("\n\n") for piece in pieces[:-1])


@pytest.mark.parametrize("opened", ["$$x", "\\(x", "```\nx", "<details>\n\nx", "`a` \\(b\\) $$"])
def test_what_is_left_open_is_not_whole(opened):
    assert not whole(opened)


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


def told(message, history=(), numbers=AT_REST):
    return everything(chat.tell(message, list(history), *numbers))


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch):
    monkeypatch.setattr(chat, "PAUSE", 0)


def test_an_answer_grows_by_paragraphs_up_to_the_tutors_page():
    question = "prove that the deltas sum to G − V"
    frames = told(question)
    assert frames[0] == [{"role": "user", "content": question}]
    growing = [frame[-1]["content"] for frame in frames[1:]]
    assert len(growing) > 10 and all(map(whole, growing))
    for earlier, later in itertools.pairwise(growing):
        assert later.startswith(earlier)
    found = answer(Request((question,)))
    assert growing[-1].startswith(found.markdown.removesuffix(f"{found.end}\n"))
    unfolding = [section for section in found.closed if section.id != QUIZ]
    assert all(section.folded in growing[-1] for section in unfolding if not section.pictures)
    pictures = [*found.figures, *(one for section in unfolding for one in section.pictures)]
    assert pictures and all(f"{one.caption}\n\n<div>{drawn(one)}</div>" in growing[-1] for one in pictures)


def test_answers_stay_in_the_conversation_and_nothing_else_does():
    conversation = told("prove that the deltas sum to G − V")[-1]
    assert turns(conversation) == [{"role": turn["role"], "content": turn["content"]} for turn in conversation]
    assert told(" ", conversation)[-1] == turns(conversation)
    odd = [{"type": "component", "component": "html", "value": "<b>", "props": {}}, {"file": {"path": "/etc/passwd"}}]
    assert turns([{"role": "assistant", "content": ["a", *odd, "b"]}])[0]["content"] == "a\n\nb"
    assert turns([{"role": "user", "content": ["a", *odd]}])[0]["content"] == "a"


def test_the_next_questions_are_chips_and_not_a_list_as_well():
    last = told("hello")[-1][-1]
    assert [option["value"] for option in last["options"]] == list(answer(Request(("hello",))).followups)
    assert all(option["value"] not in last["content"] for option in last["options"])


def test_the_tutor_hears_all_of_the_learners_turns(monkeypatch):
    heard = []
    monkeypatch.setattr(chat, "answer", lambda request: heard.append(request) or tutor.answer(request))
    told("and <that>?", told("why *λ*?")[-1])
    assert heard[-1].messages == ("why *λ*?", "and <that>?")
    assert heard[-1].scenario is None


def test_moved_sliders_reach_the_tutor_and_only_they():
    assert chat.moved(*AT_REST) is None
    assert chat.moved(0.5, RUNNING.lam) == {"gamma": 0.5}
    conversation = told("prove that the deltas sum to G − V")[-1]
    again = everything(chat.recompute(conversation, 0.5, RUNNING.lam))[-1]
    assert len(again) == len(conversation) and again[0] == conversation[0]
    assert r"\gamma = 0.5" in again[-1]["content"]
    before, after = (re.findall(r"<svg.*?</svg>", shown[-1]["content"], re.DOTALL) for shown in (conversation, again))
    assert len(before) == len(after) == 1 and before != after
    assert everything(chat.recompute([], 0.5, 0.5)) == [[]]


def test_a_blank_message_changes_nothing():
    before = told("hello")[-1]
    assert told(" \n", before) == [turns(before)]


def test_a_message_that_is_too_long_is_refused_and_not_repeated_at_length():
    conversation = told("x" * (LONGEST_MESSAGE + 5000))[-1]
    assert len(conversation[0]["content"]) < 1000
    assert str(LONGEST_MESSAGE) in conversation[-1]["content"]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(json_values, histories, json_values, json_values)
def test_no_payload_raises_and_what_is_said_is_json(message, history, gamma, lam):
    for conversation in told(message, history if isinstance(history, list) else [], (gamma, lam)):
        json.dumps(conversation, allow_nan=False).encode()
        assert all(turn["content"] for turn in conversation)


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
    monkeypatch.setattr(chat, "LOOKS", 0.01)
    return ended


def test_a_run_says_how_far_it_is_and_ends_with_whoever_listens(slow_run):
    async def some_of_it():
        seen = []
        async with contextlib.aclosing(chat.tell(RUN, [], *AT_REST)) as telling:
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
        telling = chat.tell(RUN, [], *AT_REST)
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
        async with contextlib.aclosing(chat.tell(RUN, [], *AT_REST)) as telling:
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
        async with contextlib.aclosing(on_message(RUN, [], *AT_REST)) as shown:
            async for conversation, box in shown:
                seen.append((chat.is_progress(conversation[-1]), box))
                if len(seen) == 4:
                    return seen

    first, second, *later = asyncio.run(boxes())
    assert first == (False, {"__type__": "update", "value": ""})
    assert second == (True, {"__type__": "update", "submit_btn": False, "stop_btn": True})
    assert all(box == {"__type__": "update"} for _, box in later)
    assert slow_run.wait(30)


def test_after_an_answer_the_box_is_as_it_was():
    for telling in (on_message("hello", [], *AT_REST), on_moved(told("hello")[-1], *AT_REST)):
        merged = {}
        for _, box in everything(telling):
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
    assert opened_in({"lang": "zh"}, "en") == "zh"
    assert opened_in({"lang": "xx"}, "zh") == opened_in({}, "zh") == "zh"


def test_an_address_may_bring_a_question():
    assert everything(on_address({}, [], *AT_REST)) == everything(on_address({"q": ""}, [], *AT_REST)) == []
    last, _ = everything(on_address({"q": "hello <b>"}, [], *AT_REST))[-1]
    assert [turn["role"] for turn in last] == ["user", "assistant"] and "<b>" not in last[0]["content"]


def test_every_language_names_itself():
    assert set(NAMES) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_page_is_there_and_used(language, monkeypatch):
    asked = set()
    monkeypatch.setattr("app.word", lambda _language, _section, key: asked.add(key) or key)
    assert texts(language)
    words = tomllib.loads((ROOT / f"prompts/tell/words/{language}.toml").read_text(encoding="utf-8"))
    assert asked == set(words["page"]) - {"language"}


@pytest.fixture(scope="module")
def opened():
    """What building the page loads, and its events that tell answers."""
    told_of = "[[e.concurrency_limit, e.preprocess] for e in app.page().fns.values() if e.concurrency_id == 'tell']"
    return json.loads(_run(f"import app, json, sys; print(json.dumps([{told_of}, sorted(sys.modules)]))"))


def test_every_telling_event_is_bounded_and_takes_payloads_as_they_come(opened):
    """Gradio's own preprocessing raises at odd payloads; the tutor answers them."""
    events, _ = opened
    assert len(events) >= 5
    assert all(limit and not preprocess for limit, preprocess in events)


def test_the_terminal_never_waits_for_gradio(opened):
    loaded = _run("import app, sys; app.main(['ask', 'λ?']); print(*sys.modules)").split()
    assert "prompts.tutor" in loaded and "gradio" not in loaded
    assert "gradio" in opened[1]


def _run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    ).stdout
