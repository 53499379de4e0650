"""What worked examples are of: what goes in, what comes out, and the programs that make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.facts import quick_facts
from engine.mistakes import MISTAKES
from engine.quantities import QUANTITIES
from engine.scenario import Scenario


@dataclass(frozen=True)
class Kind:
    quantities: tuple[str, ...]
    given: tuple[tuple[str, str], ...]  # (head, parameter)
    results: tuple[tuple[str, str], ...]  # (head, fact)
    scalars: tuple[str, ...] = ()
    needed: int = 1  # how many result columns at least


def _same(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, name) for name in names)


KINDS: Mapping[str, Kind] = {
    "gae": Kind(("gae",), _same("rewards", "values"), _same("deltas", "advantages", "returns")),
    "gae_from_scores": Kind(
        ("gae", "kl_rewards"), (("scores", "scores"), ("logp", "logp"), ("ref_logp", "ref_logp"), ("values", "values")),
        _same("kl", "rewards", "deltas", "advantages", "returns"), needed=3,
    ),
    "kl_rewards": Kind(("kl_rewards",), (("scores", "scores"), ("kl", "kl_values")), _same("rewards")),
    "mc": Kind(("mc",), _same("rewards", "values"), _same("mc_returns", "mc_advantages")),
    "reward_to_go": Kind(("reward_to_go",), _same("rewards"), _same("mc_returns")),
    "whiten": Kind(("whiten",), (("advantages_given", "advantages"),), _same("whitened"), ("mean", "std_sample")),
    "gae_whitened": Kind(
        ("gae", "whiten"), _same("rewards", "values"), _same("deltas", "advantages", "whitened", "returns"), needed=3,
    ),
    "grpo": Kind(("grpo",), _same("group_rewards"), (("grpo_advantages", "advantages"),)),
    "rloo": Kind(("rloo",), _same("group_rewards"), (("baselines", "baselines"), ("rloo_advantages", "advantages"))),
    "surrogate": Kind(
        ("surrogate",), (("new_logp", "new_logp"), ("old_logp", "old_logp"), ("advantages_given", "advantages")),
        _same("ratio", "terms"), ("surrogate",), needed=2,
    ),
    "clip": Kind(
        ("clip",), (("ratio", "ratio"), ("advantages_given", "advantages")),
        (("terms", "unclipped"), ("clipped", "clipped"), ("objective_terms", "objective_terms")),
        ("objective", "clipfrac"), needed=3,
    ),
    "value_loss": Kind(
        ("value_loss",), (("vpreds", "vpreds"), ("old_values", "old_values"), ("returns_given", "returns")),
        _same("vpred_clipped", "max_sq_err"), ("vf_loss",), needed=2,
    ),
    "kl_estimators": Kind(("kl_estimators",), _same("logp", "ref_logp"), _same("k1", "k2", "k3"), needed=2),
}  # fmt: skip


def facts(shape: Kind, own: Scenario, mistake: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for quantity in shape.quantities:
        program = QUANTITIES[quantity] if mistake is None else MISTAKES[mistake].on(quantity)
        found = {**quick_facts(program, own), **found}
    return found


def written(x: Any, digits: int) -> list[str]:
    return [number(y, digits) for y in (x if isinstance(x, list) else [x])]


def number(x: float, digits: int) -> str:
    text = f"{round(x + (1e-12 if x > 0 else -1e-12), digits):.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text
