"""What is computed from what: one iteration of PPO as a composition of the real programs, traced by moving a quantity.

A quantity depends on another if it is ever another number after the other was moved and everything that is computed
from it was computed anew. What is held keeps its numbers. Nobody wrote down which arrow there is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from engine import kernels, sequences
from engine.losses import Clip

Estimator: TypeAlias = Literal["gae", "mc", "grpo"]
ROWS, LENGTH, DRAWS = 4, 5, 3
_AT_THE_END = torch.eye(LENGTH)[-1].double()  # a response is scored once
_STEP = 0.0625
_CHANGED = 1e-9  # far above rounding, far below any effect

# What no program computes: what the models say, and the parameters.
MODELS = ("scores", "old_logp", "ref_logp", "values", "new_logp", "vpreds")
PARAMETERS = ("beta", "gamma", "lam", "eps", "cliprange_value")
INPUTS = (*MODELS, *PARAMETERS)


@dataclass(frozen=True)
class Cell:
    """A quantity at some tokens, seen from token t: at t, t+1, …, the first, the last, any later, any earlier, any."""

    name: str
    place: str = "any"

    def tokens(self, t: int, length: int) -> list[int]:
        if self.place.startswith("t"):
            return [i for i in [t + int(self.place[1:] or 0)] if 0 <= i < length]
        if self.place.isdigit():
            return [i for i in [int(self.place)] if i < length]
        ranges = {"last": range(length - 1, length), "later": range(t + 1, length), "earlier": range(t)}
        return list(ranges.get(self.place, range(length)))


@dataclass(frozen=True)
class Setting:
    """How the iteration runs; None is any value strictly between 0 and 1."""

    gamma: float | None = None
    lam: float | None = None
    beta: float | None = None
    in_reward: bool = True  # the KL is taken off the scores
    in_loss: bool = False  # it is a term of the actor's loss
    estimator: Estimator = "gae"


AS_USUAL = Setting()
Values: TypeAlias = dict[str, Any]
Step: TypeAlias = Callable[[Mapping[str, Any], Setting], Tensor]


def _mask(x: Mapping[str, Any]) -> Tensor:
    return torch.ones_like(x["values"])


def _by_column(found: list[Any]) -> Tensor:
    return torch.stack(found, dim=1)


def _columns(x: Tensor) -> list[Tensor]:
    return list(x.unbind(dim=1))


def _rewards(x: Mapping[str, Any], how: Setting) -> Tensor:
    beta = x["beta"] if how.in_reward else 0.0
    return kernels.token_rewards(x["scores"], x["kl"], _mask(x), beta=beta)


def _advantages(x: Mapping[str, Any], how: Setting) -> Tensor:
    if how.estimator == "mc":
        return kernels.advantages_of(x["mc_returns"], x["values"])
    if how.estimator == "grpo":
        totals = x["rewards"].sum(dim=1)
        return kernels.grpo(totals, kernels.same_group(totals))[:, None] * _mask(x)
    return _by_column(sequences.gae_advantages(_columns(x["deltas"]), x["gamma"], x["lam"]))


def _returns(x: Mapping[str, Any], how: Setting) -> Tensor:
    if how.estimator == "grpo":
        return x["advantages"] * 1.0
    return kernels.critic_targets(x["advantages"], x["values"])


def _policy_loss(x: Mapping[str, Any], how: Setting) -> Tensor:
    terms = kernels.policy_losses(x["ratio"], x["whitened"], _mask(x), clip=Clip(x["eps"], x["eps"]))
    loss = kernels.masked_mean(terms, _mask(x))
    return loss + x["beta"] * kernels.masked_mean(x["kl_in_loss"], _mask(x)) if how.in_loss else loss


def _value_loss(x: Mapping[str, Any], _: Setting) -> Tensor:
    errors = kernels.value_losses(x["vpreds"], x["values"], x["returns"], _mask(x), cliprange=x["cliprange_value"])
    return kernels.masked_mean(errors, _mask(x))


# In the order in which they are computed.
STEPS: Mapping[str, Step] = {
    "kl": lambda x, _: kernels.kl_penalties(x["old_logp"], x["ref_logp"], _mask(x)),
    "rewards": _rewards,
    "deltas": lambda x, _: kernels.td_errors(x["rewards"], x["values"], gamma=x["gamma"]),
    "mc_returns": lambda x, _: _by_column(sequences.mc_returns(_columns(x["rewards"]), x["gamma"])),
    "mc_advantages": lambda x, _: kernels.advantages_of(x["mc_returns"], x["values"]),
    "advantages": _advantages,
    "returns": _returns,
    "whitened": lambda x, _: kernels.whiten(x["advantages"], _mask(x)),
    "ratio": lambda x, _: kernels.ratios(x["new_logp"], x["old_logp"], _mask(x)),
    "kl_in_loss": lambda x, _: kernels.kl_penalties(x["new_logp"], x["ref_logp"], _mask(x), kind="k2"),
    "policy_loss": _policy_loss,
    "value_loss": _value_loss,
}
QUANTITIES = (*INPUTS, *STEPS)
WITHIN = frozenset(
    {"kl", "kl_in_loss", "deltas", "mc_returns", "whitened"}
)  # what a program makes on its way and hands to none


@dataclass(frozen=True)
class Moved:
    """A number that became another one, and where."""

    before: float
    after: float
    token: int | None  # None for a number that belongs to no token


@dataclass(frozen=True)
class Flow:
    """That one quantity moves another, both seen from token t, while some are held."""

    cause: Cell
    effect: Cell
    held: frozenset[str] = frozenset()
    setting: Setting = AS_USUAL

    def witness(self) -> Moved | None:
        """The first change that is seen; None where nothing ever moves it."""
        return _witness(self)

    def at(self, **changed: Any) -> Flow:
        return replace(self, setting=replace(self.setting, **changed))

    @property
    def directly(self) -> Flow:
        """The same with every other list held: whether the effect's own program is given the cause."""
        return replace(self, held=frozenset(QUANTITIES) - {self.cause.name, self.effect.name} - WITHIN)


def sufficient(known: frozenset[str], effect: str, setting: Setting = AS_USUAL) -> bool:
    """Whether the effect is settled once these and the parameters are: nothing else moves it."""
    return all(flow.witness() is None for flow in beside(known, effect, setting))


def beside(known: frozenset[str], effect: str, setting: Setting = AS_USUAL) -> list[Flow]:
    """What else might move the effect while these and the parameters are held."""
    held = known | {*PARAMETERS}
    return [Flow(Cell(name), Cell(effect), held, setting) for name in MODELS if name not in held]


@lru_cache(maxsize=4096)
def _witness(flow: Flow) -> Moved | None:
    return next(_changes(flow), None)


def _changes(flow: Flow) -> Iterator[Moved]:
    for draw in range(DRAWS):
        before = _baseline(draw, flow.setting)
        fixed = {name: before[name] for name in flow.held}
        for moved, tokens in _movements(flow, before):
            after = _computed({**before, **fixed, **moved}, flow.setting, frozenset({*INPUTS, *flow.held, *moved}))
            yield from _differences(before[flow.effect.name], after[flow.effect.name], tokens)


def _movements(flow: Flow, before: Mapping[str, Any]) -> Iterator[tuple[Values, tuple[int, ...]]]:
    """The cause, moved at one of its tokens in the first response, and the tokens from which that is what it says."""
    found, tokens = before[flow.cause.name], _standpoints(flow.effect)
    if not isinstance(found, Tensor) or found.ndim < 2:
        yield {flow.cause.name: found + _STEP}, tokens
        return
    seen: dict[int, list[int]] = {}
    for t in tokens:
        for token in flow.cause.tokens(t, LENGTH):
            if flow.cause.name == "scores" and token < LENGTH - 1:
                continue
            seen.setdefault(token, []).append(t)
    for token, standpoints in seen.items():
        moved = found.clone()
        moved[0, token] += _STEP
        yield {flow.cause.name: moved}, tuple(standpoints)


def _standpoints(effect: Cell) -> tuple[int, ...]:
    """The tokens that t may be: all of them where the effect is said of no token in particular."""
    named = {"last": (LENGTH - 1,), "first": (0,)}
    return named.get(effect.place, (int(effect.place),) if effect.place.isdigit() else tuple(range(LENGTH)))


def _differences(before: Any, after: Any, tokens: tuple[int, ...]) -> Iterator[Moved]:
    if not isinstance(before, Tensor) or before.ndim < 2:
        if abs(float(before - after)) > _CHANGED:
            yield Moved(float(before), float(after), None)
        return
    for t in tokens:
        if abs(float(before[0, t] - after[0, t])) > _CHANGED:
            yield Moved(float(before[0, t]), float(after[0, t]), t)


@cache
def _baseline(seed: int, how: Setting) -> Values:
    return _computed(_drawn(seed, how), how)


def _computed(inputs: Mapping[str, Any], how: Setting, fixed: frozenset[str] = frozenset()) -> Values:
    """Everything from the inputs, but for what is fixed."""
    found = dict(inputs)
    for name, step in STEPS.items():
        if name not in fixed:
            found[name] = step(found, how)
    return found


def _drawn(seed: int, how: Setting) -> Values:
    """What the models say and the parameters, at random."""
    chance = random.Random(seed)

    def rows(low: float, high: float) -> Tensor:
        return torch.tensor([[chance.uniform(low, high) for _ in range(LENGTH)] for _ in range(ROWS)]).double()

    old = rows(-3.0, -0.1)
    values = rows(-2.0, 2.0)
    found: Values = {
        "scores": rows(-2.0, 2.0) * _AT_THE_END,
        "old_logp": old,
        "ref_logp": rows(-3.0, -0.1),
        "values": values,
        "new_logp": old + rows(-0.3, 0.2),
        "vpreds": values + rows(-0.5, 0.5),
    }
    for name in ("beta", "gamma", "lam"):
        said = getattr(how, name)
        drawn = chance.uniform(0.2, 0.9)
        found[name] = drawn if said is None else said
    return {**found, "eps": 0.1, "cliprange_value": 0.2}
