"""The iterations on the language model as a page tells them: their own numbers, or honestly none."""

from __future__ import annotations

import re

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.models.observed import Observed
from engine.models.progress import Progress
from engine.models.runs import observed
from engine.models.trial import Trial
from engine.notation import show
from lessons._lesson import LANGUAGES, Shown
from prompts import tutor
from prompts.tell.blocks import Blocks
from prompts.tell.forms import FORMS
from prompts.tell.ground import emit, release
from prompts.tell.observed import BY_PPO, BY_ROLES, DIGITS, progress, told
from prompts.tell.values import Values
from prompts.tell.words import words
from prompts.tutor import Request, answer


def blocks(shown, language="en"):
    return Blocks(Values(language, RUNNING, {}, shown))


def page(found, language):
    return release(emit(told(found, language)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "reason",
    [
        EngineError("no_model", name="a/b", reason="OSError"),
        EngineError("missing_package", package="x", command="y"),
        EngineError("disk_full", path="/x", needed=1),
        EngineError("cache_unwritable", path="/x", reason="y"),
    ],
    ids=lambda error: error.code,
)
def test_without_a_model_the_page_says_so(reason, language):
    text = release(emit(blocks(Shown(run=reason), language).iteration()))
    assert text.startswith(words(language)["observed"]["absent"].split("{")[0])
    assert "|" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["busy", "stopped"])
def test_where_nothing_is_missing_no_model_is_missed(code, language):
    assert page(EngineError(code), language) == words(language)["errors"][code]


def test_both_languages_have_the_same_words():
    for section in ("observed", "progress"):
        zh, en = (words(language)[section] for language in LANGUAGES)
        assert zh.keys() == en.keys()
        assert all(set(re.findall(r"{\w+}", zh[key])) == set(re.findall(r"{\w+}", en[key])) for key in zh)


def test_a_page_without_a_run_cannot_tell_one():
    with pytest.raises(AssertionError):
        blocks(Shown()).iteration()
    assert all("model" not in blocks for blocks in FORMS.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", ["wait", "convert", "load", "train_head", "sample", "rollout", "critic", "actor"])
def test_every_stage_of_a_run_has_words(stage, language):
    line = progress(Progress(stage, 1, 3, 2), language)
    assert "{" not in line and "2" in line
    assert ("1/3" in line) is (stage not in ("wait", "load"))


@pytest.mark.model
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_shows_every_field_token_and_number(language):
    found = observed(RUNNING)
    assert isinstance(found, Observed)
    text = page(found, language)
    for round_ in found.rounds:
        assert all(f"`{name}`" in text for name in [*(field.name for field in found.fields), *round_.steps])
        for name in (*BY_ROLES, *BY_PPO):
            assert all(show(x, DIGITS).text in text for x in round_.facts.numbers[name])
        assert all(show(x, DIGITS).text in text for x in round_.entropies)
    assert all(show(place.output, DIGITS).text in text for place in found.rounds[0].places)
    assert "/root" not in text and found.model in text.replace("&#45;", "-")


@pytest.mark.model
@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_are_said(language):
    trial = Trial(prompt="What is 2+3?", seed=9, epochs=1, iterations=1, actor_lr=3e-6, all_layers=False, score=0.5)
    found = observed(RUNNING.merged({"gamma": 0.9, "lam": 0.7, "eps_low": 0.1, "eps_high": 0.3, "kl": "k2"}), trial)
    text = page(found, language)
    for said in (r"\gamma = 0.9", r"\lambda = 0.7", "= 0.1", "= 0.3", "k2", "3×10⁻⁶", "9", "0.5"):
        assert said in text
    assert words(language)["observed"]["with_score"].format(score=0.5) in text
    for key in ("with_seed", "drawn", "last"):
        assert words(language)["observed"][key] in text
    assert words(language)["observed"]["later"] not in text


@pytest.mark.parametrize(("message", "absent"), [("四个模型各输出什么？", False), ("在语言模型上跑一遍", True)])
def test_the_iteration_is_told_where_it_was_asked_for(monkeypatch, message, absent):
    no_model = EngineError("no_model", name="a/b", reason="OSError")
    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", lambda *_: no_model)
    found = answer(Request(("一轮 PPO 里，四个模型各输出什么？", message)))
    assert found.lesson == "ppo_loop" and found.error is None
    assert (words("zh")["observed"]["absent"].split("{")[0] in found.markdown) is absent
    assert "model" not in found.facts


@pytest.mark.parametrize(
    ("messages", "prompt", "response", "gamma"),
    [
        (["run one PPO iteration on the prompt 'What is 2+3?' with the response '5'"], "What is 2+3?", "5", 1),
        (["γ=0.5, why λ?", "在「1+1=?」→「等于2」上真跑一遍"], "1+1=?", "等于2", 0.5),
        (["run it on a model with γ = 0.8", "and with the response '3'?"], None, "3", 0.8),
        (["在语言模型上跑一遍，γ 取 0.8", "γ=0.6 再跑"], None, None, 0.6),
    ],
)
def test_what_is_run_is_what_was_said(monkeypatch, messages, prompt, response, gamma):
    heard = []

    def run(scenario, trial, _listener):
        heard.append((scenario.gamma, trial))
        return EngineError("stopped")

    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", run)
    found = answer(Request(tuple(messages)))
    assert found.lesson == "ppo_loop" and found.verdict is None and found.error is None
    ((used, trial),) = heard
    assert (used, trial.prompt, trial.response) == (gamma, prompt, response)
    assert found.params["gamma"] == gamma


@pytest.mark.parametrize("code", ["no_rule", "text_too_long", "diverged", "empty_text"])
def test_what_cannot_be_run_as_asked_is_an_error_and_no_other_page(monkeypatch, code):
    details = {"prompt": "x", "places": 300, "limit": 256, "field": "prompt"}
    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", lambda *_: EngineError(code, **details))
    found = answer(Request(("run it on a language model",)))
    assert found.error["code"] == code and found.markdown.strip() == found.error["message"]


def test_params_are_those_of_the_run(monkeypatch):
    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", lambda *_: EngineError("busy"))
    params = answer(Request(("run it on a language model with γ=0.5, seed 3",))).params
    assert params["gamma"] == 0.5 and params["run"] == {"seed": 3} and "values" not in params


@pytest.mark.parametrize("style", ["simple", "rigorous"])
def test_a_run_is_a_run_in_every_style(monkeypatch, style):
    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", lambda *_: EngineError("stopped"))
    found = answer(Request(("run it on a language model",), style=style))
    assert words("en")["errors"]["stopped"] in found.markdown


@pytest.mark.parametrize(
    "message", ["run it on a real model with 99 epochs", "真跑一遍，γ = 3", "跑一轮 PPO，种子 2.5"]
)
def test_settings_that_cannot_be_are_an_error(message):
    assert answer(Request((message,))).error["code"] in ("out_of_range", "not_whole")


def test_a_run_that_nobody_waits_for_is_ended(monkeypatch):
    def run(_scenario, _trial, listener):
        with pytest.raises(EngineError) as ended:
            listener(Progress("critic", 0, 1))
        return ended.value

    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", run)
    request = Request(("run it on a language model",))
    request.stop.set()
    assert words("en")["errors"]["stopped"] in answer(request).markdown


def test_no_writer_has_a_part_in_a_run(monkeypatch):
    monkeypatch.setattr("lessons.ppo_loop.lesson.observed", lambda *_: EngineError("stopped"))
    monkeypatch.setattr(tutor, "writer", object)  # which could write nothing
    assert answer(Request(("run it on a language model, as to a child",))).error is None


@pytest.mark.model
def test_what_was_run_is_among_the_facts():
    found = answer(Request(("一轮 PPO 里，四个模型各输出什么？", "在语言模型上跑一遍")))
    assert found.form == "example" and found.facts["model"]["later"]
    assert "iteration.kl" in {check["what"] for check in found.checks}
    assert found.json()
