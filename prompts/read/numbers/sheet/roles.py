"""Which series of a sheet the rest is computed from, and which are stated results, once their names are settled."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

POLICY = frozenset(["ratio", "new_logp"])
ALWAYS = frozenset(
    ["scores", "ref_logp", "values", "mask", "new_logp", "old_logp", "vpreds", "old_values", "group_rewards", "logp"]
)
CLIPPING = frozenset(["clipped", "objective_terms", "objective", "clipfrac"])
GROUPED = frozenset(["advantages", "baselines", "centered", "advantages_population"])
_PARAMETERS = {"kl": "kl_values"}


@dataclass(frozen=True)
class Roles:
    """Parameter ← series, fact ← series; by the names that the series were read under."""

    given: dict[str, str]
    claimed: dict[str, str]


def roles(names: Collection[str], single: Collection[str], *, clips: bool) -> Roles:
    """names: of the series; single: results that are one number each; clips: whether an ε is set."""
    has = frozenset(names)
    if "group_rewards" in has:
        return Roles({"group_rewards": "group_rewards"}, {n: n for n in has & GROUPED})
    given = _given(has)
    claimed = {name: name for name in has - {*given.values()}}
    if "kl" in claimed and "scores" not in has:
        claimed["k1"] = claimed.pop("kl")
    grounded = _rewarded(has) and "values" in has
    clips = (clips and not grounded) or bool((has | {*single}) & CLIPPING)
    for one, other in (("terms", "unclipped"), ("unclipped", "terms")):
        if one in claimed and clips == (one == "terms"):
            claimed[other] = claimed.pop(one)
    if _rewarded(has) and not has & {"values", "deltas", "advantages", "mc_returns"} and "returns" in claimed:
        claimed["mc_returns"] = claimed.pop("returns")
    return Roles(given, claimed)


def _policies(has: frozenset[str]) -> bool:
    """Whether the policy's probabilities stand beside the reference's."""
    return "ref_logp" in has and bool(has & {"logp", "old_logp"})


def _penalised(has: frozenset[str]) -> bool:
    return "scores" in has and ("kl" in has or _policies(has))


def _rewarded(has: frozenset[str]) -> bool:
    return "rewards" in has or _penalised(has)


def _given(has: frozenset[str]) -> dict[str, str]:
    """What the rest is computed from: what follows from nothing else that is there."""
    grounded = _rewarded(has) and "values" in has
    bare = ("deltas" in has or _rewarded(has)) and "values" not in has and not has & (POLICY | {"whitened"})
    follows = {
        "rewards": _penalised(has),
        "kl": _policies(has) or not _penalised(has),
        "advantages": grounded or bare,
        "returns": not {"vpreds", "returns"} <= has or grounded,
        "ratio": "new_logp" in has and bool(has & {"old_logp", "logp"}),
    }
    own = {name for name, does in follows.items() if name in has and not does}
    return {_PARAMETERS.get(name, name): name for name in (has & ALWAYS) | own}
