"""Which series of a sheet are what the rest is computed from, and which are stated results, once their names are settled."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

POLICY = frozenset(["ratio", "new_logp"])
ALWAYS = frozenset(
    ["scores", "ref_logp", "values", "mask", "new_logp", "old_logp", "vpreds", "old_values", "group_rewards", "logp"]
)
CLIPPING = frozenset(["clipped", "objective_terms", "objective", "clipfrac"])
GROUPED = frozenset(["advantages", "baselines", "centered", "advantages_population"])
_KL_FACTS = frozenset(["k1", "k2", "k3", "abs"])


@dataclass(frozen=True)
class Roles:
    """Parameter ← series, fact ← series; by the names that the series were read under."""

    given: dict[str, str]
    claimed: dict[str, str]

    @property
    def checks(self) -> bool:
        return bool(self.given) and bool(self.claimed)


def roles(names: Collection[str], single: Collection[str], *, clips: bool) -> Roles:
    """names: of the series; single: results that are one number each; clips: whether an ε is set."""
    has = set(names)
    given = {name: name for name in has & ALWAYS}
    claimed: dict[str, str] = {}
    if "group_rewards" in has:
        return Roles({"group_rewards": "group_rewards"}, {n: n for n in has & GROUPED})
    both = {"logp", "ref_logp"} <= has or {"old_logp", "ref_logp"} <= has
    penalised = "scores" in has and ("kl" in has or both)
    rewarded = "rewards" in has or penalised
    grounded = rewarded and "values" in has
    losing = "vpreds" in has and "returns" in has
    if "rewards" in has:
        (claimed if penalised else given)["rewards"] = "rewards"
    if "kl" in has and both:
        claimed["kl" if penalised else "k1"] = "kl"
    elif "kl" in has and penalised:
        given["kl_values"] = "kl"
    if "advantages" in has:
        alone = not grounded and not (
            ("deltas" in has or rewarded) and "values" not in has and not has & (POLICY | {"whitened"})
        )
        (given if alone else claimed)["advantages"] = "advantages"
    if "returns" in has:
        (given if losing and not grounded else claimed)["returns"] = "returns"
    if "ratio" in has:
        (claimed if "new_logp" in has and has & {"old_logp", "logp"} else given)["ratio"] = "ratio"
    for name in has - ALWAYS - {"rewards", "kl", "advantages", "returns", "ratio"}:
        claimed[name] = name
    clips = clips and not grounded or bool((has | set(single)) & CLIPPING)
    for one, other in (("terms", "unclipped"), ("unclipped", "terms")):
        if one in claimed and clips == (one == "terms"):
            claimed[other] = claimed.pop(one)
    if not has & {"values"} and rewarded and not has & {"deltas"} and "returns" in claimed and "advantages" not in has:
        claimed["mc_returns"] = claimed.pop("returns") if "mc_returns" not in claimed else claimed["mc_returns"]
    return Roles(given, claimed)
