"""Numbers handed over for the subject that is being spoken of: do it with …, the same for …, 同样的事，换成 …"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prompts.read.leaning import says_little
from prompts.read.numbers import Numbers

_THE_SAME = re.compile(
    r"\b(?:do|repeat|redo|run|show|try|see|work|compute|calculate|explain|check|verify|test|confirm)"
    r" (?:it|this|that|the same(?: thing)?|so)"
    r"(?: again| out| all)?(?: (?:with|for|on|using|but)\b|\s*[:：,—-])"
    r"|\b(?:the )?same (?:thing|again|question|story|page|but|with|for|on|using)\b|\bthe same\W{0,3}$"
    r"|\bredo\b|\brepeat (?:with|for|on|using)\b"
    r"|同样(?:的(?:事|问题|内容|道理|讲解|东西|一课)?|地?(?:算|做|讲|来|看|用|拿))|照样|照着?(?:上面|刚才|这个)?(?:算|做|讲|来)"
    r"|(?:再|也)(?:用|拿|按)|一样(?:地|的)?(?:算|做|讲|来)|重(?:新)?(?:算|做|讲|来)|(?:验证|检验|核实|试)(?:一)?下",
    re.IGNORECASE,
)
# What a lesson is shown on, where rewards and values are not enough for it.
_ENOUGH: Mapping[str, tuple[frozenset[str], ...]] = {
    "kl_reward": (frozenset(["logp", "ref_logp"]), frozenset(["scores", "kl_values"])),
    "reference_policy": (frozenset(["logp", "ref_logp"]), frozenset(["scores", "kl_values"])),
    "ppo_clip": (frozenset(["new_logp", "old_logp", "advantages"]), frozenset(["ratio", "advantages"])),
    "surrogate": (frozenset(["new_logp", "old_logp", "advantages"]), frozenset(["ratio", "advantages"])),
    "group_baselines": (frozenset(["group_rewards"]),),
}
_ESTIMATOR = re.compile(
    r"\W*(?:(?:and|now|then|ok|with|那|再|换|用)\W*){0,2}(?:k[123]|low_var_kl|mse|abs)"
    r"\s*(?:呢|please|instead|then|now)?\W*$",
    re.IGNORECASE,
)
_OF_REWARDS = frozenset(["mc_vs_gae", "value_includes_reward", "value_shape", "variance", "why_gamma"])
_BACKWARDS = (frozenset(["rewards", "values"]), frozenset(["scores", "values"]), frozenset(["advantages"]))
_CALLED = {"kl_reward": "scores", "group_baselines": "group_rewards"}  # what learners call rewards there


def names_an_estimator(message: str) -> bool:
    """Whether a message is hardly more than the name of a KL estimator: k2? · and k3"""
    return _ESTIMATOR.match(message) is not None


def wants_the_same(message: str) -> bool:
    """Whether a message wants what was told once more, with something else."""
    return _THE_SAME.search(message) is not None


def hands_it_over(numbers: Numbers, message: str) -> bool:
    """Whether a message wants what was told once more, with the lists that it brings, and says little else."""
    lists = [x for x in (*numbers.params.values(), *numbers.claimed.values()) if isinstance(x, list)]
    return bool(lists) and says_little(_THE_SAME.sub(" ", numbers.unspent)) and wants_the_same(message)


def lacks(lesson: str, given: Mapping[str, Any]) -> bool:
    """Whether a lesson cannot be shown on these numbers."""
    enough = _ENOUGH.get(lesson, _BACKWARDS)
    return lesson not in _OF_REWARDS and not any(need <= given.keys() for need in enough)


def as_called(numbers: Numbers, lesson: str) -> Numbers:
    """The rewards that are handed over, under the name that they have in the lesson."""
    name = _CALLED.get(lesson)
    stated = {**numbers.params, **{k: x for k, x in numbers.claimed.items() if k == "rewards"}}
    if name is None or "rewards" not in stated or name in stated:
        return numbers
    return replace(
        numbers,
        params={name if k == "rewards" else k: x for k, x in stated.items()},
        claimed={k: x for k, x in numbers.claimed.items() if k != "rewards"},
        edits=tuple(replace(edit, target=name) if edit.target == "rewards" else edit for edit in numbers.edits),
    )
