"""A message taken apart: what is said, and what is only shown."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.read.addressed import addressed
from prompts.read.asking import askings, mood, sentences
from prompts.read.parts import parts, pastes, said, shows

ISSUE = """Ratio stuck at one

Hi, thanks for the great repo! I train a 7B with this script:
```bash
python train.py --lr 1e-6 --clip_eps 0.2
```
and the log says
{'loss': 0.0, 'ratio': 1.0, 'kl': 0.0, 'lr': 1e-06}
[2026-01-02 10:11:12] INFO step 3 done
    advantages = compute_gae(rewards, values)
> you could print the ratio, somebody said

Why does the policy move at all when the ratio is 1?"""


def kinds(message: str) -> list[str]:
    return [part.kind for part in parts(message)]


def test_an_issue_is_taken_apart():
    assert kinds(ISSUE) == ["title", "prose", "code", "prose", "log", "code", "quotation", "prose"]
    assert shows(ISSUE) and pastes(ISSUE)
    assert "clip_eps" not in said(ISSUE) and "'kl'" not in said(ISSUE) and "Why does the policy" in said(ISSUE)


def test_only_what_asks_is_asked():
    found = askings(ISSUE)
    assert [one.text for one in found] == ["Why does the policy move at all when the ratio is 1?"]
    assert not addressed(ISSUE).numeric


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Traceback (most recent call last):", "log"),
        ("step:12 - actor/pg_loss:0.01 - actor/kl_loss:0.002 - critic/vf_loss:0.3", "log"),
        ("/opt/envs/rl/lib/python3.11/site-packages/x/trainer.py:88: UserWarning: low KL", "log"),
        ("--num_generations 8 \\", "code"),
        ("loss = policy_loss.mean() + 0.5 * value_loss.mean()", "code"),
        ("from trl import PPOTrainer", "code"),
        ("$$A_t = \\delta_t + \\gamma\\lambda A_{t+1}$$", "formula"),
        ("| t | r |", "table"),
        ("为什么 loss.backward() 之前要对优势做白化？", "prose"),
        ("I think the ratio should be clipped before it is multiplied", "prose"),
        ("rewards = [0, 0, 1]", "prose"),
        ("V: 0.2, 0.5, 0.7", "prose"),
    ],
)
def test_a_line_is_what_it_looks_like(line: str, kind: str):
    assert kinds(f"有个问题想请教一下大家，先谢谢了。\n{line}\n")[-1] == kind


@pytest.mark.parametrize(
    ("sentence", "wants"),
    [
        ("优势为什么要减均值？", "asks"),
        ("搞不清楚 critic 到底学的是什么", "asks"),
        ("how is the baseline chosen", "asks"),
        ("critic 的目标就是 returns 对吗", "confirms"),
        ("Shouldn't the mask be shifted by one?", "confirms"),
        ("So λ = 1 is plain Monte Carlo, right?", "confirms"),
        ("用 γ=0.9 算一下优势", "wishes"),
        ("compute the advantages", "wishes"),
        ("我觉得这里应该用旧的 log-prob", "claims"),
        ("I believe the ratio is never clipped there", "claims"),
        ("We train on four machines.", "context"),
    ],
)
def test_a_sentence_wants_what_its_shape_says(sentence: str, wants: str):
    assert mood(sentence) == wants


def test_greetings_are_no_sentences():
    assert sentences("大佬您好！请问一下优势怎么算？谢谢") == ("请问一下优势怎么算？",)


def test_where_nothing_asks_the_claim_is_what_is_meant():
    assert [one.mood for one in askings("We log both. I think the two KLs are the same number.")] == ["claims"]


@pytest.mark.parametrize(
    "message",
    [
        "rewards = [0, 0, 1], values = [0.2, 0.5, 0.7], gamma 0.9: compute the advantages",
        "算一下优势：r 是 0、0、1，V 是 0.2、0.5、0.7",
        "check this\n\n| t | r | V | A |\n|---|---|---|---|\n| 0 | 0 | 0.2 | 0.8 |\n| 1 | 1 | 0.5 | 0.5 |",
        "```\nrewards = [0, 0, 1]\nvalues = [0.2, 0.5, 0.7]\n```\nwhat are the returns?",
        "λ = 0.5 呢？",
    ],
)
def test_numbers_are_offered(message: str):
    assert addressed(message).numeric


@pytest.mark.parametrize(
    "message",
    [
        "I set --gamma 0.99 and --lam 0.95 in the config file. " * 4 + "Does the critic need a warm-up?",
        "日志如下：\n{'loss': 0.1, 'kl': -0.02, 'reward': 1.3, 'lr': 1e-6}\n为什么 KL 是负的？",
        "```python\nrewards[-1] += score\nvalues = critic(x)[:, -5:-1]\n```\nIs the slice off by one?",
    ],
)
def test_numbers_are_only_shown(message: str):
    assert not addressed(message).numeric


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_taken_apart_and_nothing_said_is_invented(message: str):
    words = "".join(said(message).split())
    assert set(words) <= set(message) | {""}
    askings(message)
    addressed(message)


@pytest.mark.parametrize(
    "unit", ["> ", "[", "|", "`", "a b ", "为什么？", "- ", "{'a': 1, ", "\n```", "=", "1, ", "<b>"]
)
def test_the_time_grows_with_the_length_alone(unit: str):
    def seconds(n: int) -> float:
        message = (unit * n)[:n]
        started = time.process_time()
        parts.__wrapped__(message)
        return time.process_time() - started

    short, long = min(seconds(2_500) for _ in range(3)), min(seconds(20_000) for _ in range(2))
    assert long < 0.02 or long < 40 * max(short, 1e-3)  # eight times as long


def test_what_is_quoted_asks_nothing():
    message = '以\n"请问1+1=2？"\n"是的，等于2！"\n为例，说明每个量的含义。'
    assert not any("1+1" in one.text for one in askings(message))
    assert sentences('"Is the ratio one at first?"') == ()
