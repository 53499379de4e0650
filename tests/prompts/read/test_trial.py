"""The texts of a run are read exactly as they were typed, in many ways of quoting; the settings by their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.read.quotes import unquoted
from prompts.read.running import wanted_run
from prompts.read.trial import asked

PROMPT, RESPONSE = "What is 2+3?", "It's 5."
PAIRS = ["''", '""', "“”", "‘’", "「」", "『』", "``", "«»", "＂＂", "【】", "《》", "””", "„“"]
WAYS = [
    "run one PPO iteration on the prompt {p} with the response {r}",
    "Run it for real: prompt {p}, response {r}",
    "run {p} → {r} on a language model",
    "run a real iteration on {p} -> {r}, please",
    "Use {r} as the response to the prompt {p} and run one iteration",
    "really run it with question={p} and answer={r}",
    "With {p} as the prompt and {r} as its response, run one iteration.",
    "在{p}→{r}上真跑一遍",
    "在{p}=>{r}上跑一遍",
    "提示是{p}，回答是{r}，跑一轮",
    "用提示{p}和回答{r}真跑一轮",
    "回答用{r}，提示用{p}，在语言模型上跑一遍",
    "把{p}当作提示，{r}当作回答，真的跑一遍",
    "真跑一遍，问题：{p}；答案：{r}",
    "拿{p}和{r}真的跑一轮",
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("way", WAYS)
def test_quoted_texts(way, pair):
    response = RESPONSE.replace("'", "") if pair in ("''", "‘’") else RESPONSE
    p, r = (f"{pair[0]}{text}{pair[1]}" for text in (PROMPT, response))
    found = wanted_run(way.format(p=p, r=r), None)
    assert found is not None
    assert (found.trial.prompt, found.trial.response) == (PROMPT, response)


@pytest.mark.parametrize(
    ("message", "prompt", "response"),
    [
        ("run it on 'What's 2+3?' → '5'", "What's 2+3?", "5"),
        ('run it on the prompt "Say \\"hi\\"" and the response "hi"', 'Say "hi"', "hi"),
        ("在「他说『1+1=?』」→「等于2」上真跑一遍", "他说『1+1=?』", "等于2"),
        ("真跑一遍：提示「 1+1=? 」，回答「２！」", " 1+1=? ", "２！"),
        ("run it for real\nprompt: What is 2+3?\nresponse: 5", PROMPT, "5"),
        ("prompt: What is 2+3? Be brief.\nresponse: It is 5.\nrun it on a model", "What is 2+3? Be brief.", "It is 5."),
        ("Run it for real, prompt: 2+3=?, response: 5, γ = 0.9", "2+3=?", "5"),
        ("提示：1+1=？，回答：等于2，λ=0.5，真跑一遍", "1+1=？", "等于2"),
        ("在 1+1=? → 等于2 上跑一遍", "1+1=?", "等于2"),
        ("run it for real on 2+3=? -> 5 with seed 3", "2+3=?", "5"),
        ("真跑一遍：prompt = 2+3=?；response = 5", "2+3=?", "5"),
        ("run a real iteration on the prompt 'What is 2+3?'", PROMPT, None),
        ("1+1=? 回答 2，在真实模型上跑一轮", "1+1=?", "2"),
        ("在语言模型上跑一遍，回答换成「等于3」", None, "等于3"),
        ("let the model answer 'What is 2+3?' and run one iteration", PROMPT, None),
        ("run '' as the prompt and 'x' as the response on a model", "", "x"),
        ("on the model, run the response 'γ = 0.5' to the prompt '3 epochs?'", "3 epochs?", "γ = 0.5"),
    ],
)
def test_texts_are_cut_where_the_learner_ended_them(message, prompt, response):
    found = wanted_run(message, None)
    assert found is not None
    assert (found.trial.prompt, found.trial.response) == (prompt, response)


@given(st.text(alphabet=st.sampled_from("ab1+=?？。，,.!\n等于 \\$<>|→"), min_size=1, max_size=20))
def test_any_text_between_marks_comes_back(text):
    text = text.replace("\\", "")
    found = asked(f"prompt「{text}」 response「{text[::-1]}」")
    assert (found.trial.prompt, found.trial.response) == (text, text[::-1])


@given(st.text(max_size=60))
def test_any_message_is_read(text):
    read = unquoted(text)
    assert len(read.words) <= len(text) + 8 * len(read.texts) + 8
    asked(text)


RUN = "run it on a language model, "
SETTINGS = [
    ("γ=0.9", {"gamma": 0.9}),
    ("gamma of 0.9 and lambda 0.8", {"gamma": 0.9, "lam": 0.8}),
    ("λ 取 0.8，折扣因子 0.99", {"lam": 0.8, "gamma": 0.99}),
    ("discount factor 0.5", {"gamma": 0.5}),
    ("\\gamma = 0.9, \\lambda = .5", {"gamma": 0.9, "lam": 0.5}),
    ("β = 1/20", {"beta": 0.05}),
    ("kl_coef 0.02", {"beta": 0.02}),
    ("KL 系数设为 5%", {"beta": 0.05}),
    ("ε = 0.1", {"eps": 0.1}),
    ("clip range 0.1", {"eps": 0.1}),
    ("裁剪范围 0.1", {"eps": 0.1}),
    ("eps_low 0.1 and eps_high 0.3", {"eps_low": 0.1, "eps_high": 0.3}),
    ("ε_low = 0.2, ε_high = 0.28", {"eps_low": 0.2, "eps_high": 0.28}),
    ("clip_ratio_low=0.2, clip_ratio_high=0.28", {"eps_low": 0.2, "eps_high": 0.28}),
    ("下界 0.1，上界 0.3", {"eps_low": 0.1, "eps_high": 0.3}),
    ("clip to [0.8, 1.28]", {"eps_low": 0.2, "eps_high": 0.28}),
    ("the estimator k3", {"kl": "k3"}),
    ("KL 用绝对值", {"kl": "abs"}),
    ("low_var_kl", {"kl": "k3"}),
    ("cliprange_value=0.3", {"cliprange_value": 0.3}),
    ("learning rate 1e-5", {"actor_lr": 1e-5, "critic_lr": 1e-5}),
    ("lr 2×10^-5", {"actor_lr": 2e-5, "critic_lr": 2e-5}),
    ("学习率 10⁻⁵", {"actor_lr": 1e-5, "critic_lr": 1e-5}),
    ("actor lr 1e-6, critic lr 1e-4", {"actor_lr": 1e-6, "critic_lr": 1e-4}),
    ("actor 的学习率 1e-6", {"actor_lr": 1e-6}),
    ("actor_lr=1e-6", {"actor_lr": 1e-6}),
    ("a learning rate for the critic of 1e-4", {"critic_lr": 1e-4}),
    ("seed 7", {"seed": 7}),
    ("seed=0", {"seed": 0}),
    ("随机种子 42", {"seed": 42}),
    ("3 epochs", {"epochs": 3}),
    ("three epochs", {"epochs": 3}),
    ("ppo_epochs=3", {"epochs": 3}),
    ("3 个 epoch", {"epochs": 3}),
    ("two iterations", {"iterations": 2}),
    ("只跑一轮", {"iterations": 1}),
    ("三轮迭代", {"iterations": 3}),
    ("3 epochs, 2 iterations, seed 5", {"epochs": 3, "iterations": 2, "seed": 5}),
    ("all layers", {"all_layers": True}),
    ("所有层都更新", {"all_layers": True}),
    ("the last layers only", {}),
    ("score 0.5", {"score": 0.5}),
    ("reward of -1", {"score": -1.0}),
    ("得分 0.5", {"score": 0.5}),
    ("打 0 分", {"score": 0.0}),
    ("let the actor answer by itself", {"sampled": True}),
    ("让它自己回答", {"sampled": True}),
    ("with an untrained critic", {"seeded_head": True}),
    ("价值头随机初始化", {}),
    ("critic 用随机的头", {"seeded_head": True}),
]


@pytest.mark.parametrize(("said", "expected"), SETTINGS)
def test_settings_are_read_by_their_names(said, expected):
    found = wanted_run(RUN + said, None)
    assert found is not None and found.error is None
    assert {**found.trial.given(), **found.params} == expected


@pytest.mark.parametrize("said", ["one PPO iteration", "a step", "一遍", "one iteration"])
def test_one_is_no_setting(said):
    """The first iteration has no KL yet; only "exactly one" leaves out the second."""
    assert asked(f"run {said} on a language model").trial.given() == {}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("99 epochs", "out_of_range"),
        ("seed 2.5", "not_whole"),
        ("lr 5", "out_of_range"),
        ("7 iterations", "out_of_range"),
    ],
)
def test_settings_that_cannot_be_are_refused(said, code):
    found = wanted_run(RUN + said, None)
    assert found is not None and found.error is not None and found.error.code == code
