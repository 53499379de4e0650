"""What the lessons about policies, groups and audits are put through: learners' scenarios of all shapes, all forms."""

from __future__ import annotations

import re
from typing import Any

from engine.scenario import Scenario, scenario
from lessons._lesson import Shown, lessons
from prompts.read import completed
from prompts.tell.forms import WHOLE
from prompts.tell.page import Telling, render
from prompts.tell.templates import reason
from prompts.tell.values import Values

NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
CHINESE = re.compile(r"[㐀-鿿]")
OPPOSITE = {"true": "false", "false": "true", "depends": "depends"}


def _varied(length: int, low: float = -0.4) -> list[float]:
    return [((7 * t) % 11) / 10 + low for t in range(length)]


def _logps(length: int, shift: int = 0) -> list[float]:
    return [-((5 * t + shift) % 9 + 1) / 10 for t in range(length)]


def _moved(length: int, **more: Any) -> dict[str, Any]:
    policies = {"new_logp": _logps(length), "old_logp": _logps(length, 2), "ref_logp": _logps(length, 4)}
    return {**policies, "advantages": _varied(length), **more}


ROWS = {
    "new_logp": [_logps(3), _logps(3, 1)],
    "old_logp": [_logps(3, 2), _logps(3, 3)],
    "ref_logp": [_logps(3, 4), _logps(3, 5)],
    "advantages": [[0.5, -0.5, 0.2], [0.3, 0.1, -1]],
}
MOVED: dict[str, dict[str, Any]] = {  # a policy that was updated, or is about to be
    "the running example": {},
    "one token": _moved(1),
    "two tokens": _moved(2, eps=0.1),
    "sixty-four tokens": _moved(64),
    "five hundred tokens": _moved(500),
    "no advantage": _moved(3, advantages=[0, 0, 0]),
    "bad tokens": _moved(4, advantages=[-1, -2, -0.5, -3]),
    "far away": {"new_logp": [-0.1, -9], "old_logp": [-5, -0.1], "advantages": [-1, 1], "ref_logp": [-1, -1]},
    "padding": _moved(3, mask=[1, 1, 0]),
    "one real token": _moved(3, mask=[0, 1, 0]),
    "a hole": _moved(4, mask=[1, 0, 1, 1]),
    "a batch": ROWS,
    "a padded batch": {**ROWS, "mask": [[1, 1, 1], [1, 1, 0]]},
    "not yet moved": {"old_logp": [-0.12, -0.08], "ref_logp": [-0.15, -0.1], "advantages": [0.13, 0.1]},
    "from rewards": {
        "logp": [-1, -2, -0.5],
        "new_logp": [-1.1, -1.7, -0.5],
        "ref_logp": [-1.2, -2.1, -0.4],
        "rewards": [0, -0.1, 1],
        "values": [0.5, 0.6, 0.9],
        "gamma": 0.9,
        "lam": 0.5,
    },
    "from scores": {
        "logp": [-1, -2, -0.5],
        "new_logp": [-1.1, -1.7, -0.5],
        "ref_logp": [-1.2, -2.1, -0.4],
        "scores": [0, 0, 1],
        "values": [0.5, 0.6, 0.9],
        "beta": 0.05,
        "kl": "k3",
    },
    "asymmetric": _moved(5, eps_low=0.2, eps_high=0.28),
    "no range": _moved(3, eps=0),
    "tokens": {**_moved(2), "tokens": ["<b>", "|c|"], "prompt": "1+1=?"},
}
RATIOS: dict[str, dict[str, Any]] = {
    "ratios": {"ratio": [0.7, 1, 1.5], "advantages": [1, 1, -1]},
    "one ratio": {"ratio": [40], "advantages": [-1], "eps": 0.2},
    "ratios of a batch": {"ratio": [[0.7, 1], [1.3, 2]], "advantages": [[1, -1], [-1, 0]]},
}
REWARDED: dict[str, dict[str, Any]] = {  # no policy at all
    "rewards and values": {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6]},
    "one reward": {"rewards": [1], "values": [0.5]},
    "a padded response": {"rewards": [0, 1, 5], "values": [0.5, 0.6, 9], "mask": [1, 1, 0]},
    "rewards of a batch": {"rewards": [[0, 1], [1, 0]], "values": [[0.2, 0.3], [0.4, 0.1]]},
    "only rewards": {"rewards": [0, 0, 1]},
    "only values": {"values": [0, 0, 1]},
    "a group": {"group_rewards": [1, 0, 0, 1]},
    "five hundred rewards": {"rewards": _varied(500), "values": _varied(500)},
}
ALL = {**MOVED, **RATIOS, **REWARDED}


def made(given: dict[str, Any]) -> Scenario:
    return completed(scenario(given))[0]


def check_pages(id: str, cases: dict[str, dict[str, Any]]) -> None:
    """Every form can be told in both languages with the same numerals."""
    lesson = lessons()[id]
    for name, given in cases.items():
        complete, origin = completed(scenario(given))
        shown = lesson.show(complete)
        for form in WHOLE:
            zh, en = (
                set(NUMERAL.findall(render(lesson, Telling(language, form, complete, origin, shown))))
                for language in ("zh", "en")
            )
            assert zh == en, (name, form, zh ^ en)


def check_propositions(id: str) -> None:
    """Some verdict on everything, its opposite if denied, and words for it."""
    lesson = lessons()[id]
    for case, given in ALL.items():
        complete, origin = completed(scenario(given))
        for name, proposition in lesson.facts.items():
            judged = proposition.judge(complete, denied=False)
            assert proposition.judge(complete, denied=True).verdict == OPPOSITE[judged.verdict]
            zh, en = (
                set(NUMERAL.findall(because(proposition.because[language], language, judged.found, complete, origin)))
                for language in ("zh", "en")
            )
            assert zh == en, (case, name, zh ^ en)


def because(text: str, language: str, found: Any, complete: Scenario, origin: Any) -> str:
    return reason(text, found, Values(language, complete, origin, Shown()))
