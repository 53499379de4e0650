"""How advantages and returns may have been made: as the projects make them, or with one of the mistakes in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from torch import Tensor

from engine import formulas, kernels
from engine.conventions import CONVENTIONS, TRL, TRL_LATER, VERL_NEW, VERL_OLD, Convention, Kept, Masked, keep
from engine.doctor.given import Batch
from engine.facts import Inputs, Program
from engine.mistakes import MISTAKES
from engine.scenario import Scenario

Pair: TypeAlias = tuple[Tensor, Tensor]  # advantages, not whitened, and returns

_OF_NO_TENSOR = ("advantage_sum_for_delta_sum",)  # a total is misnamed, the lists are right
_WHOLE_ROWS = ("index_runs_forwards", "gamma_from_the_start", "mc_whole_return_everywhere")


@dataclass(frozen=True)
class Recursion:
    name: str
    run: Callable[[Batch, float, float], Pair]
    mistake: str | None = None  # what it comes to where it differs from the recursion over the valid tokens alone
    names: tuple[str, ...] = ()  # of the conventions that have it
    convention: Convention | None = None
    whole_rows: bool = False  # a token's number depends on what stands before it


def followed(batch: Batch, convention: Convention, gamma: float, lam: float) -> Pair:
    """engine.conventions.run by the fast kernels: its advantages, not whitened, and its returns."""
    rewards = keep(batch.rewards, batch.mask, convention.rewards)
    values = keep(batch.values, batch.mask, convention.values)
    steps = convention.masked is Masked.STEP
    advantages, returns = kernels.gae(rewards, values, None if steps else batch.mask, gamma=gamma, lam=lam)
    if convention.masked is Masked.CARRIED and not batch.whole:
        advantages = kernels.carried(advantages, batch.mask)
        returns = formulas.critic_target(advantages, values)
    return advantages, returns


def _by(convention: Convention, mistake: str | None, *names: str) -> Recursion:
    return Recursion(
        names[0],
        lambda batch, gamma, lam: followed(batch, convention, gamma, lam),
        mistake,
        names,
        convention,
    )


# Inside the mask there are as many recursions as ways to treat what is outside of it. The likelier stands first.
PROJECTS = (
    _by(replace(VERL_NEW, masked=Masked.NOTHING, values=Kept.RESPONSE), None, "verl_new", "textbook"),
    _by(TRL, "mask_holes_are_steps", "trl", "openrlhf"),
    _by(VERL_OLD, "mask_shift_keeps_value_after_eos", "verl_old"),
    _by(replace(VERL_OLD, values=Kept.AS_GIVEN), "mask_ignored_in_recursion", "verl_old"),
    _by(TRL_LATER, "mask_shift_keeps_value_after_eos", "trl_later"),
)
BY_NAME: Mapping[str, Convention] = {convention.name: convention for convention in CONVENTIONS}


# ---------------------------------------------------------------- with a mistake


@dataclass(frozen=True)
class OfTensors(Inputs):
    """A batch as the programs of engine.mistakes read one."""

    tensors: Mapping[str, Any] = field(kw_only=True)

    def has(self, *names: str) -> bool:
        return all(name in self.tensors for name in names)

    def __getitem__(self, name: str) -> Any:
        return self.tensors[name]

    @property
    def mask(self) -> Any:
        return self.tensors["mask"]


def _gae(x: Inputs) -> dict[str, Any]:
    advantages, returns = x.on.gae(x["rewards"], x["values"], x.mask, gamma=x["gamma"], lam=x["lam"])
    return {"rewards": x["rewards"], "values": x["values"], "advantages": advantages, "returns": returns}


def _monte_carlo(x: Inputs) -> dict[str, Any]:
    returns = x.on.mc_returns(x["rewards"], x.mask, gamma=x["gamma"])
    return {"advantages": x.on.advantages_of(returns, x["values"], x.mask), "returns": returns}


def _running(program: Program) -> Callable[[Batch, float, float], Pair]:
    def run(batch: Batch, gamma: float, lam: float) -> Pair:
        tensors = {
            "rewards": batch.rewards,
            "values": batch.values,
            "mask": batch.mask.to(batch.rewards.dtype),
            "gamma": gamma,
            "lam": lam,
        }
        found = program(
            OfTensors(Scenario(), kernels, number=lambda _, x: x, series=lambda name, _: tensors[name], tensors=tensors)
        )
        return found["advantages"], found["returns"]

    return run


def _wrong() -> list[Recursion]:
    found = []
    for mistake in MISTAKES.values():
        if mistake.lesson == "whitening" or mistake.id in _OF_NO_TENSOR:
            continue
        if mistake.quantity in ("gae", "masked_gae", "mc"):
            right = _monte_carlo if mistake.quantity == "mc" else _gae
            whole = mistake.id in _WHOLE_ROWS
            found.append(Recursion(mistake.id, _running(mistake.change(right)), mistake.id, whole_rows=whole))
    return found


WRONG: tuple[Recursion, ...] = tuple(_wrong())
