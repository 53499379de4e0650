"""Which inputs the advantages read: each moved alone, once with the rewards held, once with the rewards made anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import quantities
from engine.facts import Facts, Inputs, compute, exact_facts
from engine.masks import last_valid
from engine.mistakes.mistake import each, reading
from engine.ops import Number
from engine.scenario import Scenario

LONGEST_MAP = 24  # tokens
LISTS = ("rewards", "values", "scores", "logp", "ref_logp", "kl_values", "new_logp")
FACTORS = ("gamma", "lam", "beta")


def has_rewards(scenario: Scenario) -> bool:
    has_kl = scenario.kl_values is not None or scenario.ref_logp is not None
    return scenario.rewards is not None or (scenario.scores is not None and has_kl)


def rewards_held(scenario: Scenario) -> Scenario:
    """The scenario with its token rewards given, whatever they were made from."""
    found = exact_facts(lambda x: {"rewards": quantities.rewards(x)}, scenario)["rewards"]
    return scenario.merged({"rewards": _without_gaps(found)})


def _without_gaps(x: Any) -> Any:
    """Floats, and 0 where the mask leaves nothing."""
    return [_without_gaps(y) for y in x] if isinstance(x, list) else 0.0 if x is None else float(x)


def _one_less(name: str) -> Callable[[Inputs], Any]:
    return lambda x: x.on.everywhere(lambda row: [number - 1 for number in row], x[name])


def _halved(name: str) -> Callable[[Inputs], Any]:
    return lambda x: x[name] * x.number(name, 0.5)


MOVES: Mapping[str, Callable[[Inputs], Any]] = {
    **{name: _one_less(name) for name in LISTS},
    **{name: _halved(name) for name in FACTORS},
}


def influence(x: Inputs) -> dict[str, Any]:
    """How far the first response's A move in all, when one input alone is moved: lists by one, factors to half.

    Of the mask the last one is taken away; what counts is how far the A of the tokens before it move.
    """
    before = quantities.advantages(x)
    moved = {}
    for name, move in MOVES.items():
        if x.has(name) and not (name == "kl_values" and x.has("logp", "ref_logp")):  # they would not be read
            after = reading(**{name: move})(_advantages)(x)["advantages"]
            moved[name] = _size(x, x.on.advantages_of(after, before, x.mask), x.mask)
    shorter = _without_the_last(x)
    if shorter is not None:
        after, _ = x.on.gae(quantities.rewards(x), x["values"], shorter, gamma=x["gamma"], lam=x["lam"])
        moved["mask"] = _size(x, x.on.advantages_of(after, before, shorter), shorter)
    return moved


def _without_the_last(x: Inputs) -> Any:
    """The mask with the first response's last token masked as well; None where that has no other."""
    every = tuple((1.0,) * len(row) for row in x.scenario.rows("values"))
    first, *others = x.scenario.rows("mask") if x.has("mask") else every
    if sum(first) <= 1:
        return None
    end = last_valid(first)
    return x.series("mask", ((*first[:end], 0.0, *first[end + 1 :]), *others))


def _advantages(x: Inputs) -> dict[str, Any]:
    return {"advantages": quantities.advantages(x)}


def _size(x: Inputs, batch: Any, mask: Any) -> Number:
    return x.on.total(each(x.on, abs, mask, batch), mask)[0]


def traced(scenario: Scenario) -> Facts:
    """What moves the advantages with the rewards held, and what does through the rewards."""
    direct = compute(influence, rewards_held(scenario)).under("direct")
    return direct if scenario.rewards is not None else direct.beside(compute(influence, scenario).under("through"))


def maps(x: Inputs) -> dict[str, Any]:
    """∂A_t/∂r_k and ∂A_t/∂V_k, row by row of A: A is linear in both, so a step of one is the derivative."""
    by_reward, by_value = _columns(x, "rewards"), _columns(x, "values")
    return {
        "by_reward": _turned(by_reward),
        "by_value": _turned(by_value),
        "first_by_reward": [[column[0] for column in by_reward]],
        "first_by_value": [[column[0] for column in by_value]],
    }


def _columns(x: Inputs, name: str) -> list[list[Number]]:
    """For every k, how all A move when x_k is one higher."""
    before = quantities.advantages(x)
    columns = []
    for k in range(x.scenario.length):
        after = reading(**{name: _raised(name, k)})(_advantages)(x)["advantages"]
        columns.append(list(x.on.advantages_of(after, before, x.mask)[0]))
    return columns


def _raised(name: str, k: int) -> Callable[[Inputs], Any]:
    return lambda x: x.on.everywhere(lambda row: [v + (1 if t == k else 0) for t, v in enumerate(row)], x[name])


def _turned(columns: list[list[Number]]) -> list[list[Number]]:
    return [list(row) for row in zip(*columns, strict=True)]
