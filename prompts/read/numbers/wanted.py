"""Which computation a message wants, from its words and from the numbers that are there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompts.read.characters import clean
from prompts.read.numbers.model import Numbers
from prompts.read.numbers.words import CLIP, GROUP, MC, VALUE_LOSS, WHITEN

NSTEP = re.compile(
    r"n[- ]?steps?\b|n ?步|\d[- ]?steps?\b|\d ?步|mixture|mixure|混合|加权|weights?\b|权重|一步.{0,12}两步|one-step.{0,20}two-step",
    re.IGNORECASE | re.ASCII,
)
RLOO = re.compile(r"rlo{1,3}|leave[- ]one|留一", re.IGNORECASE | re.ASCII)
GRPO = re.compile(r"grpo|group[- ]?(?:relative|norm)|组内标准化|组内归一", re.IGNORECASE | re.ASCII)
GAE = re.compile(r"\bgae|优势|advantage|advantge|\badv|λ|\blam", re.IGNORECASE | re.ASCII)
LEAK = re.compile(
    r"unmasked|without (?:the |a )?mask|no mask|不加掩码|不加mask|没加mask|没有掩码|不用掩码|不带掩码|leak|skew|漏|污染|影响|compare|对比|比较|\bvs\b|go in",
    re.IGNORECASE | re.ASCII,
)
PIPELINE = re.compile(
    r"一路|从头|流水线|全过程|全部|pipeline|all the way|every (?:token-level )?list|from scratch|每一步|advantages?|优势|returns?|回报",
    re.IGNORECASE | re.ASCII,
)
SURROGATE_ONLY = re.compile(
    r"surrogate|surogate|代理目标|替代目标|cpi\b|未裁剪|unclipped|不裁剪|没裁剪|no clip|without clip",
    re.IGNORECASE | re.ASCII,
)
COMPUTE = re.compile(r"comput|calculat|work out|all the way|算|求|从头|一路", re.IGNORECASE | re.ASCII)

_FACTS = (
    ("deltas", r"δ|\bdeltas?\b|\bdetlas?\b|td[- ]?(?:error|residual|误差|残差)s?|时序差分"),
    ("whitened", r"whitened|白化后"),
    ("mc_advantages", r"(?:mc|monte[- ]carlo) ?adv\w*|蒙特卡[洛罗]优势"),
    ("mc_returns", r"(?:mc|monte[- ]carlo) ?returns?|蒙特卡[洛罗]回报|rewards?-to-go"),
    ("advantages", r"\badv(?:s|antages?)?\b|优势"),
    ("returns", r"\breturns?\b|回报"),
    ("rewards", r"\brewards?\b|奖励"),
    ("kl", r"\bkls?\b"),
    ("ratio", r"\bratios?\b|比率|比值"),
    ("objective", r"clipped objective|裁剪目标|\bobjective\b"),
    ("clipfrac", r"clip ?frac\w*|裁剪比例"),
    ("surrogate", r"surrogate|代理目标"),
    ("vf_loss", r"value loss|vf_?loss|价值损失"),
    ("std_sample", r"\bstd\b|标准差"),
    ("mean", r"\bmean\b|均值"),
    ("weights", r"\bweights?\b|权重"),
    ("baselines", r"\bbaselines?\b|基线"),
)
_ONLY = re.compile(
    r"(?:\bjust|\bonly|\bsolely|\bnothing but|只(?:要(?![^.。\n]{0,40}就)|需要|需|想要|想看|看|给|算|输出|列|求)|仅(?:要|需|给|看|输出)|就(?:要|给|看)|光要)(?:[^,.;。?!\n]{0,24})",
    re.IGNORECASE | re.ASCII,
)
_ALSO_ONLY = re.compile(r"([^,.;。?!\n]{0,20})(?:\bonly\b|就行|就好|就可以|即可|就够)", re.IGNORECASE | re.ASCII)


def wanted_quantity(text: str, numbers: Numbers) -> str | None:
    """The row of the contract's quantities table, or None when there is nothing to compute with."""
    words = clean(text)
    given = {name for name, value in numbers.params.items() if isinstance(value, list)}
    if not given - {"lams", "tokens", "mask"} and not numbers.claimed:
        return None
    return next((quantity for quantity in _candidates(words, given, set(numbers.params), set(numbers.claimed))), None)


def _candidates(words: str, given: set[str], params: set[str], claimed: set[str]) -> Iterable[str]:
    yield from _policy_and_value(words, given, params)
    yield from _groups(words, given)
    yield from _kl(words, given)
    yield from _advantages(words, given, params)
    if "advantages" in given:
        yield "whiten"
    if "whitened" in claimed:
        yield "whiten"
    if "rewards" in given:
        yield "reward_to_go" if "values" not in given and not GAE.search(words) else "mc" if MC.search(words) else "gae"
    if "values" in given and GAE.search(words):
        yield "gae"


def _policy_and_value(words: str, given: set[str], params: set[str]) -> Iterable[str]:
    if "vpreds" in given or ("old_values" in given and VALUE_LOSS.search(words)):
        yield "value_loss"
    ratios = "ratio" in given or {"new_logp", "old_logp"} <= given or ("new_logp" in given and "advantages" in given)
    if ratios and "rewards" not in given:
        ranged = params & {"eps", "eps_low", "eps_high"}
        plain = SURROGATE_ONLY.search(words) and not (
            ranged and re.search(r"clipped|裁剪目标|裁剪后", re.sub("unclipped|未裁剪", "", words))
        )
        yield (
            "surrogate"
            if "new_logp" in given and (plain or not (ranged or CLIP.search(words.replace("ratio", ""))))
            else "clip"
        )


def _groups(words: str, given: set[str]) -> Iterable[str]:
    if "group_rewards" in given or (given & {"rewards", "scores"} and "values" not in given and GROUP.search(words)):
        yield "rloo" if RLOO.search(words) and not GRPO.search(words) else "grpo"


def _kl(words: str, given: set[str]) -> Iterable[str]:
    policies = {"logp", "ref_logp"} <= given or "kl_values" in given
    if "scores" in given and policies:
        yield "pipeline" if "values" in given else "kl_rewards"
    if {"logp", "ref_logp"} <= given:
        yield "kl_estimators"
    if "scores" in given and (given & {"logp", "ref_logp"} or COMPUTE.search(words)):
        yield "pipeline" if "values" in given or PIPELINE.search(words) else "kl_rewards"


def _advantages(words: str, given: set[str], params: set[str]) -> Iterable[str]:
    if not {"rewards", "values"} <= given:
        return
    if "mask" in given:
        yield "padding_leak" if LEAK.search(words) else "masked_gae"
    if "lams" in params:
        yield "lambda_sweep"
    if NSTEP.search(words):
        yield "nstep_mixture"
    if MC.search(words) and not re.search(r"\bgae\b|λ|\blam|广义", words, re.IGNORECASE | re.ASCII):
        yield "mc"
    yield "gae"


def wanted_facts(text: str) -> tuple[str, ...]:
    """The facts that are asked for alone: "just the deltas" → ("deltas",); empty when nothing is singled out."""
    words = clean(text)
    singled = [m.group() for m in _ONLY.finditer(words)] + [m[1] for m in _ALSO_ONLY.finditer(words)]
    return tuple(
        fact for fact, pattern in _FACTS if any(re.search(pattern, part, re.IGNORECASE | re.ASCII) for part in singled)
    )
