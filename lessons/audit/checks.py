"""More of what learners claim when they check numbers: what a check proves, and what it lets through."""

from __future__ import annotations

from typing import Any

from engine import audits, formulas, mistakes, quantities
from engine.audits import Claim
from engine.example import BOTH, LAM, RUNNING
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds

THREE: dict[str, Any] = {"rewards": [0.0, 0.0, 1.0], "values": [0.5, 0.6, 0.9], "gamma": 1.0, "lam": LAM}
CLOSE = 1e-9


def _gae(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", scenario({**THREE, **changes})).exact)


def _floats(xs: Any) -> list[float]:
    return [round(float(x), 4) for x in xs]


def _whitened(advantages: list[float]) -> list[float]:
    return _floats(quantities.facts("whiten", scenario({"advantages": advantages})).exact["whitened"])


def _whitened_sum(_: Scenario) -> Judged:
    found = [a for row in quantities.facts("whiten", BOTH).exact["whitened"] for a in row]
    total = abs(round(float(sum(found)), 9))
    return Judged(holds(total < CLOSE), {"first": found[0], "last": found[-1], "total": total})


def _equal_advantages(_: Scenario) -> Judged:
    """An honest computation whose advantages are all the same."""
    found = _gae(values=[0.5, 0.5, 0.5], lam=1.0)["advantages"]
    return Judged(holds(len(set(found)) > 1), {"v": [0.5, 0.5, 0.5], "a": found})


def _right_end(_: Scenario) -> Judged:
    right, wrong = _gae()["advantages"], _gae(lam=1.0)["advantages"]
    return Judged(holds(right[-1] != wrong[-1]), {"last": right[-1], "right": right[0], "wrong": wrong[0]})


def _rounded(_: Scenario) -> Judged:
    right = _gae()["advantages"]
    stated = [round(float(a), 2) for a in right]
    found = audits.audit(scenario(THREE), [Claim("advantages", stated, 2)], "gae")
    return Judged(holds(bool(found.wrong)), {"stated": stated, "right": right})


def _agreement_proves(_: Scenario) -> Judged:
    """A program that forgets γ, on an example whose γ is 1, and on another."""
    wrong = MISTAKES["gamma_forgotten"].program
    agree = compute(wrong, RUNNING).exact["advantages"][0] == quantities.facts("gae", RUNNING).exact["advantages"][0]
    other = RUNNING.merged({"gamma": 0.9})
    right, found = (f["advantages"][0] for f in (quantities.facts("gae", other).exact, compute(wrong, other).exact))
    return Judged(holds(not (agree and right != found)), {"gamma": 0.9, "right": right, "wrong": found})


def _rewards_settle(_: Scenario) -> Judged:
    one, other = (_gae(values=values)["advantages"] for values in (THREE["values"], [0.1, 0.2, 0.3]))
    return Judged(holds(one == other), {"r": THREE["rewards"], "one": one, "other": other})


def _delta_sum_proves(_: Scenario) -> Judged:
    """A middle value that is wrong leaves the sum as it was."""
    right, wrong = _gae(), _gae(values=[0.5, 0.8, 0.9])
    same = right["delta_sum"] == wrong["delta_sum"] and right["deltas"] != wrong["deltas"]
    return Judged(holds(not same), {"right": right["deltas"], "wrong": wrong["deltas"], "sum": right["delta_sum"]})


def _raw_from_whitened(_: Scenario) -> Judged:
    given = ([1.0, 2.0, 4.0], [11.0, 21.0, 41.0])
    found = [_whitened(row) for row in given]
    return Judged(holds(found[0] != found[1]), {"one": given[0], "other": given[1], "whitened": found[0]})


def _reward_from_delta(_: Scenario) -> Judged:
    found = quantities.facts("gae", RUNNING).exact
    t = 1
    back = found["deltas"][t] - formulas.td_error(0, found["values"][t], found["values"][t + 1], 1)
    return Judged(
        holds(back == found["rewards"][t]),
        {"delta": found["deltas"][t], "value": found["values"][t], "after": found["values"][t + 1], "reward": back},
    )


def _one_wrong_all_wrong(_: Scenario) -> Judged:
    """The first reward is wrong: no other advantage is touched."""
    right, wrong = _gae()["advantages"], _gae(rewards=[0.5, 0.0, 1.0])["advantages"]
    return Judged(holds(all(a != b for a, b in zip(right, wrong, strict=True))), {"right": right, "wrong": wrong})


def _numbers_name_the_mistake(_: Scenario) -> Judged:
    """On the running example λ forgotten has numbers of its own; on one token all agree with the right ones."""
    alone = scenario({"rewards": [1], "values": [0.5], "gamma": 1, "lam": LAM})
    names = ("lam_forgotten_leaves_mc", "delta_for_advantage")
    many = [mistakes.run(id, RUNNING).exact["advantages"][0] for id in names]
    one = [mistakes.run(id, alone).exact["advantages"][0] for id in names]
    return Judged(
        "depends" if many[0] != many[1] and one[0] == one[1] else holds(many[0] != many[1]),
        {"mc": many[0], "delta": many[1], "alone": one[0]},
    )


def _always_name_the_mistake(_: Scenario) -> Judged:
    """On one token two mistakes leave the same number."""
    found = _numbers_name_the_mistake(RUNNING)
    return Judged(holds(found.verdict == "true"), found.found)


def _mean_proves_the_raw(_: Scenario) -> Judged:
    """The right advantages and those of another λ: both have mean zero once whitened."""
    right, wrong = (_floats(_gae(lam=lam)["advantages"]) for lam in (LAM, LAM / 2))
    sums = [abs(round(sum(_whitened(row)), 2)) for row in (right, wrong)]
    return Judged(holds(any(sums) or right == wrong), {"right": right, "wrong": wrong, "sum": sums[0]})


MORE: dict[str, Check] = {
    "whitened_advantages_sum_to_zero": _whitened_sum,
    "equal_advantages_prove_a_mistake": _equal_advantages,
    "right_last_number_proves_the_rest": _right_end,
    "rounded_numbers_are_errors": _rounded,
    "agreement_proves_the_program": _agreement_proves,
    "rewards_alone_settle_advantages": _rewards_settle,
    "delta_sum_proves_the_deltas": _delta_sum_proves,
    "raw_advantages_follow_from_whitened": _raw_from_whitened,
    "reward_follows_from_delta_and_values": _reward_from_delta,
    "one_wrong_number_spoils_all": _one_wrong_all_wrong,
    "numbers_name_the_mistake": _numbers_name_the_mistake,
    "whitened_mean_zero_proves_the_raw_advantages": _mean_proves_the_raw,
    "the_cause_always_follows_from_the_numbers": _always_name_the_mistake,
}
