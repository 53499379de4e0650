"""What "it" stands for at the beginning of a message: the subject of the lesson before, spelled out."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NOUNS: Mapping[str, tuple[str, str]] = {
    "whitening": ("whitening", "白化"),
    "why_lambda": ("λ", "λ"),
    "why_gamma": ("γ", "γ"),
    "why_not_delta": ("δ_t", "δ_t"),
    "kl_reward": ("the KL penalty", "KL 惩罚"),
    "critic_target": ("the critic", "critic"),
    "ppo_clip": ("the clip", "裁剪"),
    "bootstrap": ("bootstrapping", "自举"),
    "reference_policy": ("the reference model", "参考模型"),
    "surrogate": ("the surrogate", "代理目标"),
    "group_baselines": ("GRPO", "GRPO"),
    "telescoping": ("the telescoping sum", "伸缩求和"),
    "returns_identity": ("R_t", "R_t"),
    "value_shape": ("V_t", "V_t"),
    "value_includes_reward": ("V_t", "V_t"),
    "padding_mask": ("the mask", "掩码"),
    "mc_vs_gae": ("GAE", "GAE"),
    "gae_mixture": ("GAE", "GAE"),
}
_IT = re.compile(
    r"^(?P<lead>\W{0,4}(?:(?:and|but|so|then|ok|okay|well|hm+|wait|also)\W{1,3}){0,2}(?:(?:is|does|do|can|will) )?)"
    r"(?:it\b|(?:either|both|each|any) of (?:them|these|those|the two)\b"
    r"|(?<=does )that(?= (?:divide|use|need|include|contain|change|depend|apply|count|affect|read|enter|take|work)\b))"
    r"(?!(?: is| was|'s)? (?:really )?(?:true|right|correct|the case|possible|ok|okay|normal|safe|wrong|fair)\b)",
    re.IGNORECASE,
)
_IT_ZH = re.compile(r"^(?P<lead>\W{0,4}(?:(?:那么?|所以|但是?|可是|不过|而且|也就是说)[,，]?){0,2})它(?!们)")


def spelled_out(message: str, lesson: str) -> str | None:
    """The message with the lesson's subject in the place of its first "it"; None where there is none."""
    nouns = _NOUNS.get(lesson)
    if nouns is None:
        return None
    for pattern, noun in zip((_IT, _IT_ZH), nouns, strict=True):
        found = pattern.search(message)
        if found is not None:
            return f"{found['lead']}{noun}{message[found.end() :]}"
    return None
