"""A message that asks for a project's own code: which lesson's numbers stand beside it."""

from __future__ import annotations

import re
from dataclasses import replace

from lessons._lesson import OUT_OF_SCOPE
from prompts.read import Question
from prompts.read.asking import sentences
from prompts.read.understanding import PATH
from prompts.tell.forms import THEIRS
from prompts.tell.theirs import Theirs, asked

CODE = re.compile(r"\b(?:source|code|implementation)\b|源码|源代码|代码|实现", re.IGNORECASE)
LESSONS = {  # topic → the lesson whose numbers it is about
    "gae": "token_pipeline",
    "returns": "returns_identity",
    "whitening": "whitening",
    "grpo": "group_baselines",
    "estimators": "group_baselines",
    "value_loss": "critic_target",
    "policy_loss": "ppo_clip",
    "aggregation": "ppo_clip",
    "kl_in_reward": "kl_reward",
    "kl_estimators": "kl_reward",
    "kl_in_loss": "reference_policy",
    "score": "reward_owner",
    "critic_slice": "critic_slice",
    "values_mask": "padding_mask",
    "loop": "ppo_loop",
    "old_log_probs": "ppo_loop",
    "defaults": "why_lambda",
}
USUAL = "gae"
BRIEF = 80  # characters of a message that is about one thing; in a longer one the very sentence names both


def of_a_project(question: Question, message: str) -> tuple[Question, Theirs | None]:
    """The question as one for a project's code, where it is that: the form, and the lesson where none was read."""
    text = PATH.sub(" ", message)
    said = (text,) if len(text) <= BRIEF else sentences(text)
    found = next(filter(None, (asked(one) for one in said if CODE.search(one))), None)
    if found is None or not _asks(question, found):
        return question, None
    lesson = question.lesson
    if lesson == OUT_OF_SCOPE:
        found = replace(found, topic=found.topic or USUAL)
        lesson = LESSONS[found.topic or USUAL]
    return replace(question, lesson=lesson, form=THEIRS, sure=True, error=None), found


def _asks(question: Question, found: Theirs) -> bool:
    if question.quantity is not None or question.claims_something:
        return False
    named = found.topic is not None and question.lesson == OUT_OF_SCOPE
    return question.form == "code" or named
