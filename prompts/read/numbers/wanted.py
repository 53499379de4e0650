"""Which computation a message wants, from its words and from the numbers that are there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompts.read.characters import clean
from prompts.read.numbers.cues import CUES, FACTS, says
from prompts.read.numbers.model import Numbers


def wanted_quantity(text: str, numbers: Numbers) -> str | None:
    """The row of the contract's quantities table, or None when there is nothing to compute with."""
    words = clean(text)
    given = {name for name, value in numbers.params.items() if isinstance(value, list)}
    if not given - {"lams", "tokens", "mask"} and not numbers.claimed:
        return None
    return next((quantity for quantity in _candidates(words, given, set(numbers.params), set(numbers.claimed))), None)


_METHODS = {
    "grpo": "grpo", "rloo": "rloo", "mc": "mc", "gae": "plain_gae", "masked_gae": "plain_gae", "clip": "clip",
    "surrogate": "surrogate_only", "nstep_mixture": "nstep", "whiten": "whiten",
}  # fmt: skip


def names_method(text: str, quantity: str | None) -> bool:
    """Whether a message calls a computation by its name."""
    return quantity in _METHODS and says(_METHODS[str(quantity)], clean(text))


def calls_a_method(text: str) -> bool:
    """Whether words call any computation by its name."""
    return any(names_method(text, quantity) for quantity in _METHODS)


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
        yield (
            "reward_to_go" if "values" not in given and not says("gae", words) else "mc" if says("mc", words) else "gae"
        )
    if "values" in given and says("gae", words):
        yield "gae"


def _policy_and_value(words: str, given: set[str], params: set[str]) -> Iterable[str]:
    if "vpreds" in given or ("old_values" in given and says("value_loss", words)):
        yield "value_loss"
    ratios = "ratio" in given or {"new_logp", "old_logp"} <= given or ("new_logp" in given and "advantages" in given)
    if ratios and "rewards" not in given:
        ranged = params & {"eps", "eps_low", "eps_high"}
        plain = says("surrogate_only", words) and not (
            ranged and re.search(r"clipped|裁剪目标|裁剪后", re.sub("unclipped|未裁剪", "", words))
        )
        yield (
            "surrogate"
            if "new_logp" in given and (plain or not (ranged or says("clip", words.replace("ratio", ""))))
            else "clip"
        )


def _groups(words: str, given: set[str]) -> Iterable[str]:
    if "group_rewards" in given or (given & {"rewards", "scores"} and "values" not in given and says("group", words)):
        yield "rloo" if says("rloo", words) and not says("grpo", words) else "grpo"


def _kl(words: str, given: set[str]) -> Iterable[str]:
    policies = {"logp", "ref_logp"} <= given or "kl_values" in given
    if "scores" in given and policies:
        yield "pipeline" if "values" in given else "kl_rewards"
    if {"logp", "ref_logp"} <= given:
        yield "kl_estimators"
    if "scores" in given and (given & {"logp", "ref_logp"} or says("compute", words)):
        yield "pipeline" if "values" in given or says("pipeline", words) else "kl_rewards"


def _advantages(words: str, given: set[str], params: set[str]) -> Iterable[str]:
    if not {"rewards", "values"} <= given:
        return
    if "mask" in given:
        yield "padding_leak" if says("leak", words) else "masked_gae"
    if "lams" in params:
        yield "lambda_sweep"
    if says("nstep", words):
        yield "nstep_mixture"
    if _plain_returns(words):
        yield "mc"
    yield "gae"


def _plain_returns(words: str) -> bool:
    """Whether the plain advantage G − V is wanted: Monte Carlo named without GAE, or G − V outside of an identity."""
    kept = CUES["declined"].sub("", words)
    difference = says("return_minus_value", kept) and not (FACTS["deltas"].search(kept) or says("summed_up", kept))
    return (says("mc", kept) or difference) and not says("gae_too", kept)


def wanted_facts(text: str) -> tuple[str, ...]:
    """The facts that are asked for alone: "just the deltas" → ("deltas",); empty when nothing is singled out."""
    words = clean(text)
    singled = [m.group() for m in CUES["only"].finditer(words)] + [m[1] for m in CUES["also_only"].finditer(words)]
    return tuple(fact for fact, pattern in FACTS.items() if any(pattern.search(part) for part in singled))
