"""Requests for a run on the language model are heard, whatever their words; talk about running is none."""

from __future__ import annotations

import pytest

from engine.models.trial import Trial
from prompts.read.examples import questions
from prompts.read.running import wanted_run

ASKED = [
    "run it on a language model",
    "Run a real PPO iteration",
    "run one PPO iteration on the prompt 'What is 2+3?' with the response '5'",
    "Please run two iterations for real.",
    "Can you actually run this?",
    "could you run one step on your embedded model, please?",
    "Let's do a real run",
    "do it live, on the small model",
    "Now run the whole thing on an actual LLM",
    "I'd like to see it run on a real model",
    "Try this on a tiny language model.",
    "How about running it on SmolLM?",
    "Using γ = 0.9 and three epochs, run PPO for one step",
    "Take 'What is 1+1?' as the prompt and '2' as the response and run one iteration",
    'Feed "2+2=?" → "4" through one PPO update',
    "prompt: 3+4=?\nresponse: 7\nrun it for real",
    "Show me what all four put out on a real model",
    "Give me a real run with seed 3",
    "rerun the iteration with all layers",
    "execute one PPO step on the model",
    "Go ahead and run an iteration with lr 1e-5",
    "Why don't you run it on the language model?",
    "let the model answer 'What is 3+4?' itself and run one iteration",
    "Train on '1+1=?' → '2' for one PPO step",
    "Run PPO once on a real language model and show every tensor",
    "在语言模型上跑一遍",
    "能不能在真的模型上跑一下？",
    "真跑一轮给我看",
    "在「1+1=?」→「等于2」上真跑一遍",
    "用一个小的语言模型实际跑一轮",
    "请在你的模型上执行一次迭代",
    "跑一轮 PPO 看看",
    "帮我跑一次 PPO 迭代，γ 取 0.9",
    "拿“2+3=?”和“5”真的跑一轮",
    "实际运行一遍，看看每个角色输出什么",
    "别光讲例子，真刀真枪跑一遍",
    "提示是“请问1+1=2？”，回答是“是的”，跑一轮",
    "可以用真实的模型算一遍吗？",
    "想看真的跑一次的数",
    "就用 SmolLM 跑一步，全部层都更新",
    "对「3+4=?」「7」做一次 PPO 更新",
    "让模型自己回答“3+4等于几”，然后真跑一轮",
    "执行两轮迭代，种子 7",
    "在真实模型上演示一次",
    "来一轮真的 PPO",
    "用语言模型跑跑看",
    "实跑一遍，用 k3",
    "能真的训练一步吗？看看 ratio 怎么变",
    "来个真实的：提示“9-4=?”，回答“5”",
    "上真模型",
    "现场跑一次给我看",
    "请实际执行一轮 PPO 迭代",
    "把这个例子喂给语言模型，走一轮 PPO",
    "Could we see this on a live LLM?",
    "Let's actually train for one step",
    "can you do a live demo on the embedded model",
]
NOT_ASKED = [
    "How do I run PPO on a language model?",
    "What happens when you run PPO on a language model?",
    "Why does verl run the reference model at every step?",
    "Which models run in one PPO iteration?",
    "I ran one iteration on Qwen and the KL was 0.3. Is that normal?",
    "Don't run it on a model, just explain it.",
    "Do you run it on a real model?",
    "Walk me through one PPO iteration",
    "Show me one PPO iteration with these numbers: rewards [0, 1], values [0.5, 0.5]",
    "In PPO the actor is run on the prompt first",
    "Is the critic a language model?",
    "Show me how to run one iteration on a real model",
    "The running example, please",
    "Give me the code that runs one iteration on a language model",
    "Run GAE on rewards [0,0,1] and values [0.1,0.2,0.3]",
    "Run the numbers: what is R for γ = 0.9?",
    "Should the reference be run before the actor?",
    "What does the actor put out in one PPO iteration?",
    "怎么在语言模型上跑 PPO？",
    "在语言模型上跑 PPO 和在游戏里有什么区别？",
    "我在 Qwen 模型上跑了一轮，KL 是 0.3，正常吗？",
    "先不要在模型上跑，讲清楚就行",
    "跑一轮 PPO 需要几个模型？",
    "verl 是在语言模型上跑的吗？",
    "一轮 PPO 里四个模型各输出什么？",
    "为什么每一步都要跑一次参考模型？",
    "走一遍 PPO 的流程",
    "用 rewards [0, 1]、values [0.5, 0.5] 做一次 GAE",
    "critic 要跑几遍？",
    "把例子再算一遍",
    "打分给的是“这一手”，书里说是“从这里走到那里”，第 t 个字的奖励算字的还是算那一步的？",
    "真实训练里 KL 一般多大？",
    "我用自己的模型跑了三轮，KL 爆炸怎么办",
    "模型上线后还要 critic 吗",
    "can a language model run on a CPU?",
    "what would a real run look like?",
    "换成 λ=0.5 再算一遍",
    "真的算一下 R_3",
    "真实训练一步要多少显存？",
    "在 verl 里跑一轮 PPO 会用到哪些模型",
    "训练一步后 KL 是多少",
    "run this code for me",
    "actor 在采样时跑的是哪个模型？",
]


@pytest.mark.parametrize("message", ASKED)
def test_a_request_is_heard(message):
    assert wanted_run(message, None) is not None


@pytest.mark.parametrize("message", NOT_ASKED)
def test_what_only_speaks_of_running_is_no_request(message):
    assert wanted_run(message, None, on_the_loop=True) is None


def test_no_question_of_the_lessons_runs_the_model_unasked():
    asked = [example.text for example in questions()]
    assert len(asked) > 1000
    assert [text for text in asked if wanted_run(text, None) is not None] == []


@pytest.mark.parametrize(
    "message", ["run it", "please run it now", "Go ahead and run that", "跑一下吧", "那就跑起来看看"]
)
def test_a_bare_wish_is_one_beside_the_loop(message):
    assert wanted_run(message, None, on_the_loop=True) is not None
    assert wanted_run(message, None) is None


BEFORE = Trial(prompt="1+1=?", response="2", seed=1)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("again with seed 3", Trial(prompt="1+1=?", response="2", seed=3)),
        ("and with all layers?", Trial(prompt="1+1=?", response="2", seed=1, all_layers=True)),
        ("换成回答「3」", Trial(prompt="1+1=?", response="3", seed=1)),
        ("再跑一遍", BEFORE),
        ("once more", BEFORE),
        ("what if the response is '3'?", Trial(prompt="1+1=?", response="3", seed=1)),
        ("now prompt '2+2=?' and response '4'", Trial(prompt="2+2=?", response="4", seed=1)),
        ("让它自己回答", Trial(prompt="1+1=?", sampled=True, seed=1)),
        ("学习率改成 1e-6", Trial(prompt="1+1=?", response="2", seed=1, actor_lr=1e-6, critic_lr=1e-6)),
    ],
)
def test_after_a_run_a_change_asks_for_it_again(message, expected):
    found = wanted_run(message, BEFORE)
    assert found is not None and found.trial == expected
    assert wanted_run(message, None) is None or "跑" in message


@pytest.mark.parametrize(
    "message",
    [
        "why is the KL zero?",
        "What is γ?",
        "为什么 KL 是零？",
        "thanks",
        "谢谢",
        "ok",
        "ε 是什么？",
        "how is γ = 0.9 used?",
    ],
)
def test_after_a_run_a_question_is_a_question(message):
    assert wanted_run(message, BEFORE) is None
