"""What is taken away: the conversation as it was, a notebook that computes it again, and who wishes for it."""

from __future__ import annotations

import asyncio
import json
import re
from ast import literal_eval
from datetime import datetime
from pathlib import Path

import pytest

from engine.scenario import scenario
from lessons._lesson import LANGUAGES, lessons
from prompts.chat import tell
from prompts.read.conversation import turns
from prompts.taken.dialogue import as_markdown, dialogue, exchanges
from prompts.taken.files import as_dialogue, as_notebook, as_numbers, clock
from prompts.taken.wish import wishes_to_keep
from prompts.tell.learner_text import verbatim
from prompts.tutor import Request, answer

HERE = Path(__file__).parent
WHEN = datetime(2026, 1, 6, 15, 24, 38)
DRAWING = '<div><svg class="drawing"><title>回报与价值</title><desc>0.5</desc><text>0.5</text></svg></div>'
TABLE = "| t | V |\n| ---: | ---: |\n| 0 | 0.5 |"
CONVERSATIONS = {
    "zh": [
        {"role": "user", "content": verbatim("为什么 *λ*？\n第二行 <b>")},
        {
            "role": "assistant",
            "content": '<div class="read">\n\n读到：\\(r\\) = [0, 1]（你给的）。\n\n</div>\n\n'
            "因为 \\(\\lambda\\) 有用。\n\n"
            f"<details><summary>图</summary>\n\n{DRAWING}\n\n{TABLE}\n\n</details>",
        },
        {"role": "user", "content": "谢谢"},
        {"role": "assistant", "content": "| t |\n| ---: |\n| 0 |"},
    ],
    "en": [
        {"role": "user", "content": verbatim("why *λ*?")},
        {"role": "assistant", "content": "Because."},
        {"role": "assistant", "content": "And: so."},
        {"role": "user", "content": "unanswered"},
    ],
}


def everything(telling):
    async def all_of_it():
        return [shown async for shown in telling]

    return asyncio.run(all_of_it())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conversation_has_the_form_that_was_asked_for(language):
    expected = (HERE / f"dialogue_{language}.md").read_text(encoding="utf-8")
    assert dialogue(CONVERSATIONS[language], WHEN, language) == expected
    file = as_dialogue(CONVERSATIONS[language], WHEN, language)
    assert file == {"name": "telescope_20260106_152438.md", "text": expected}
    assert dialogue(CONVERSATIONS[language][:2], WHEN, language) != expected


def test_nothing_of_a_page_is_left_out_and_no_markup_of_it_stays():
    for id in ("why_lambda", "telescoping"):
        *_, conversation = everything(tell(lessons()[id].question["en"], []))
        content = conversation[-1]["content"]
        told = as_markdown(content)
        assert "<svg" not in told and "<details" not in told and "<div" not in told
        words = [
            line
            for line in re.sub("<svg.*?</svg>", "<", content, flags=re.DOTALL).splitlines()
            if line.strip() and "<" not in line
        ]
        assert len(words) > 20 and not [line for line in words if line not in told]


MESSAGES = (
    "rewards 0, 0, 1, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages",
    "why λ?",
    "thanks",
    "check: rewards = [0, 1], values = [0.5, 0.5], gamma = 1, lam = 1, returns = [1, 1]",
    "run it on the language model",
)


def test_a_notebook_computes_its_answers_again():
    conversation = [
        turn
        for message in MESSAGES
        for turn in ({"role": "user", "content": verbatim(message)}, {"role": "assistant", "content": "…"})
    ]
    file = as_notebook(conversation, WHEN, "en")
    book = json.loads(file["text"])
    assert file["name"].endswith(".ipynb") and (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    setting: dict[str, object] = {}
    run = []
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and cell["outputs"]:
            run.append(eval(source, setting))  # noqa: S307  our own cells
            shown = "".join(cell["outputs"][0]["data"]["text/plain"])
            assert literal_eval(shown) == run[-1]
        elif cell["cell_type"] == "code":
            exec(source, setting)  # noqa: S102
        assert cell.keys() - {"outputs", "execution_count"} == {"id", "cell_type", "metadata", "source"}
    first = answer(Request(MESSAGES[:1])).facts
    assert run[0]["advantages"] == first["advantages"] and run[0]["deltas"] == first["deltas"]
    assert len(run) >= 3


def test_the_numbers_are_taken_as_ask_takes_them():
    file = as_numbers('{"rewards":[0,1],"values":[0.5,0.5]}', WHEN)
    assert json.loads(file["text"]) == {"rewards": [0, 1], "values": [0.5, 0.5]}
    assert scenario(json.loads(as_numbers("", WHEN)["text"])).length == 6


@pytest.mark.parametrize("ahead", [480, -300, 0, None, 10**9, "x"])
def test_the_clock_is_the_visitors_where_it_is_known(ahead):
    shown = clock(ahead).utcoffset()
    assert shown is not None and shown.total_seconds() == 60 * (ahead if ahead in (480, -300) else 0)


def test_who_wishes_to_keep_the_conversation():
    for message in (
        "将上述对话保存为markdown文件。\n格式如下：\n# Chat Dialogue Log",
        "请把以上对话导出",
        "把这次聊天（我问的和你答的，不含推导）写成一个 Markdown 文件",
        "save this conversation as Markdown",
        "Could you export our chat?",
    ):
        assert wishes_to_keep(message), message
    for message in (
        "how do I save the conversation?",
        "do you save my conversation?",
        "保存 log_probs 的时候",
        "对话模板（chat template）写入 prompt 之后 mask 从哪里开始",
        "why does PPO keep the old policy?",
        "为什么要保存旧策略的对数概率",
        "how is a chat template applied",
        "你会保存对话吗",
    ):
        assert not wishes_to_keep(message), message


def test_exchanges_begin_with_questions():
    found = list(exchanges(turns([{"role": "assistant", "content": "hello"}, *CONVERSATIONS["en"]])))
    assert [one.question for one in found] == ["", "why *λ*?", "unanswered"]
