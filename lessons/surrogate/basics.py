"""What is said of ρA first: what goes into it and what does not, how large ρ can be, whose numbers it is made of."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import Any

from engine import drift, formulas, quantities
from engine.facts import compute
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE, PAIR, TAKEN
from lessons._weighed import weighed

ONE = Fraction(1)


def _found(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("surrogate", TAKEN.merged(changes)).exact)


def _own() -> list[float]:
    return list(TAKEN.rows("advantages")[0])


def _slopes(**changes: Any) -> list[float]:
    program = own_slopes(quantities.surrogate, "terms", "new_logp")
    return [float(s) for s in compute(program, TAKEN.merged(changes)).exact["slopes"]]


def _rewards_only_by_advantages(_: Scenario) -> Judged:
    """Other rewards with the advantages kept, and with the advantages made of them."""
    once, twice = ([[k * s for s in row] for row in PAIR.rows("scores")] for k in (1, 2))
    own = quantities.facts("surrogate", PAIR).numbers["whitened"]

    def value(**changes: Any) -> Any:
        return quantities.facts("surrogate", PAIR.merged(changes)).exact["surrogate"]

    kept = [value(advantages=own, scores=s) for s in (once, twice)]
    through = [value(scores=s) for s in (once, twice)]
    return Judged(
        holds(kept[0] == kept[1] and through[0] != through[1]),
        {"kept": round(float(kept[0]), 4), "again": round(float(kept[1]), 4), "through": round(float(through[1]), 4)},
    )


def _reads_reference(_: Scenario) -> Judged:
    """Another reference, the advantages kept."""
    moved = [x - 0.5 for x in TAKEN.rows("ref_logp")[0]]
    one, other = (_found(advantages=_own(), ref_logp=ref)["surrogate"] for ref in (TAKEN.ref_logp, moved))
    return Judged(holds(one != other), {"one": round(float(one), 4), "other": round(float(other), 4)})


def _at_most_one(_: Scenario) -> Judged:
    found = [float(r) for r in _found()["ratio"]]
    return Judged(holds(max(found) <= 1), {"most": round(max(found), 4), "least": round(min(found), 4)})


def _log_below_zero(_: Scenario) -> Judged:
    old, new = Fraction(1, 2), Fraction(1, 4)
    found = log(new) - log(old)
    return Judged(holds(found < 0), {"old": old, "new": new, "log": round(found, 4), "ratio": new / old})


def _old_moves_along(_: Scenario) -> Judged:
    """Two mini-steps, each of which makes the token likelier by a fifth: the ratio that the second one reads."""
    step, old = Fraction(6, 5), Fraction(1, 2)
    fixed, following = step * step * old / old, step * step * old / (step * old)
    found = formulas.ratio(log(step * step * old), log(old))
    return Judged(holds(close(found, following)), {"step": step, "found": fixed, "other": following})


def _mean_alone_trains(_: Scenario) -> Judged:
    """Another new policy for the same tokens: the mean of A, and that of ρA."""

    def mean(changes: dict[str, Any]) -> float:
        found = quantities.facts("gae", EXAMPLE.merged(changes)).numbers["advantages"]
        return float(sum(found) / len(found))

    policies = [{"new_logp": row} for row in (EXAMPLE.old_logp, EXAMPLE.new_logp)]
    of_raw = [quantities.facts("surrogate", EXAMPLE.merged(p)).numbers["surrogate"] for p in policies]
    plain, weighed_means = [mean(p) for p in policies], of_raw
    return Judged(
        holds(plain[0] != plain[1]),
        {"mean": round(plain[0], 4), "first": round(weighed_means[0], 4), "later": round(weighed_means[1], 4)},
    )


def _slope_by_advantage(_: Scenario) -> Judged:
    once, twice = (_slopes(new_logp=TAKEN.old_logp, advantages=[k * a for a in _own()])[0] for k in (1, 2))
    return Judged(holds(close(twice, 2 * once)), {"once": round(once, 4), "twice": round(twice, 4)})


def _same_policy(_: Scenario) -> Judged:
    """Three words: the sampled one is as likely as before, the others are not."""
    old, new = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(2, 5), Fraction(1, 10))
    ratios = [b / a for a, b in zip(old, new, strict=True)]
    return Judged(holds(ratios[0] != 1 or old == new), {"ratio": ratios[0], "others": ratios[1:]})


def _actors_own(_: Scenario) -> Judged:
    """Another critic's numbers, and another actor's."""
    own = _found()["ratio"][0]
    critic = _found(values=[v + 0.1 for row in PAIR.rows("values") for v in row])["ratio"][0]
    actor = _found(new_logp=[x - 0.1 for x in TAKEN.rows("new_logp")[0]])["ratio"][0]
    return Judged(
        holds(own == critic and own != actor),
        {"own": round(float(own), 4), "critic": round(float(critic), 4), "actor": round(float(actor), 4)},
    )


def _sum_to_one(_: Scenario) -> Judged:
    found = _found(new_logp=TAKEN.old_logp)["ratio"]
    return Judged(holds(sum(found) == 1), {"count": len(found), "sum": round(float(sum(found)))})


def _slope_by_ratio(_: Scenario) -> Judged:
    """Tokens with one and the same advantage: whether the one with the larger ratio has the larger slope."""
    ratios = [float(r) for r in _found()["ratio"]]
    slopes = _slopes(advantages=[1.0] * TAKEN.length)
    by_ratio, by_slope = (sorted(range(len(row)), key=row.__getitem__) for row in (ratios, slopes))
    low, high = by_ratio[0], by_ratio[-1]
    return Judged(
        holds(by_ratio == by_slope),
        {"low": round(ratios[low], 4), "small": round(slopes[low], 4), "high": round(ratios[high], 4),
         "large": round(slopes[high], 4)},
    )  # fmt: skip


def _factor(_: Scenario) -> Judged:
    """A token that becomes twice as likely."""
    old, new = Fraction(1, 5), Fraction(2, 5)
    found = formulas.ratio(log(new), log(old))
    return Judged(holds(close(found, new / old)), {"old": old, "new": new, "ratio": new / old})


def _is_trpos(_: Scenario) -> Judged:
    """Near the old policy promise and truth go together; the policy that the promise likes best earns less."""
    old = Fraction(3, 4)
    near = Fraction(5, 8)
    far = max((Fraction(k, 8) for k in range(1, 9)), key=lambda p: drift.promised(old, p))
    return Judged(
        weighed(drift.promised(old, near) > 0 and drift.earned(old, near) > 0, drift.earned(old, far) < 0),
        {"promised": drift.promised(old, far), "earned": drift.earned(old, far), "old": old, "far": far},
    )


def _compares_tokens(_: Scenario) -> Judged:
    """The first token's probability now and before, beside its neighbour's before."""
    new, old = TAKEN.rows("new_logp")[0], TAKEN.rows("old_logp")[0]
    found, other = float(_found()["ratio"][0]), formulas.ratio(new[0], old[1])
    return Judged(holds(close(found, other)), {"found": round(found, 4), "other": round(float(other), 4)})


BASICS: dict[str, Check] = {
    "is_trpos_objective": _is_trpos,
    "ratio_compares_two_different_tokens": _compares_tokens,
    "rewards_enter_only_through_advantages": _rewards_only_by_advantages,
    "reference_enters_the_surrogate": _reads_reference,
    "ratio_is_at_most_one": _at_most_one,
    "log_ratio_can_be_negative": _log_below_zero,
    "old_policy_moves_with_every_mini_step": _old_moves_along,
    "mean_advantage_alone_trains": _mean_alone_trains,
    "slope_is_proportional_to_the_advantage": _slope_by_advantage,
    "ratio_one_means_equal_policies": _same_policy,
    "ratio_is_made_by_the_actor": _actors_own,
    "ratios_sum_to_one": _sum_to_one,
    "larger_ratio_larger_gradient": _slope_by_ratio,
    "ratio_two_means_twice_as_likely": _factor,
}
