"""What learners claim of δ on average: its mean, its noise, when it is the advantage, what a critic does to it."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import formulas
from engine.chance import blind, one_coin, spread, walk
from engine.facts import compute, exact_facts
from engine.one_token import OneToken, outlook
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._row import moved, row

HALF = "0.5"
CHOICE = OneToken(probabilities=(0.5, 0.25, 0.25), rewards=(0.0, 0.5, 0.0), next_values=(1.0, 0.0, 0.5))
GOOD = walk(4, step=0.25, first=1)
LAMS = (0.0, 0.5, 1.0)


@cache
def _worlds() -> dict[str, dict[str, Any]]:
    """Mean and variance of A_0 after a good first token, at λ = 0, ½ and 1, with an exact critic and a blind one."""
    worlds = {"exact": GOOD, "blind": blind(GOOD)}
    return {name: dict(compute(spread(world, LAMS), Scenario()).exact) for name, world in worlds.items()}


def _mean_is_zero(_: Scenario) -> Judged:
    found = exact_facts(outlook(CHOICE), Scenario())
    return Judged(holds(found["mean_delta"] == 0), {"deltas": found["deltas"], "mean": found["mean_delta"]})


def _always_zero(_: Scenario) -> Judged:
    found = exact_facts(outlook(CHOICE), Scenario())
    return Judged(holds(not any(found["deltas"])), {"deltas": found["deltas"], "mean": found["mean_delta"]})


def _q_less_v(_: Scenario) -> Judged:
    """δ of every choice beside Q − V, the critic exact; and with a critic that is off."""
    found = exact_facts(outlook(CHOICE), Scenario())
    q = [formulas.mc_step(r, v, 1) for r, v in zip(found["earned"], found["after"], strict=True)]
    true = [formulas.advantage(x, found["value"]) for x in q]
    wrong = [formulas.advantage(x, found["value"] + 1) for x in q]
    return Judged(holds(found["deltas"] == true), {"true": true, "deltas": found["deltas"], "wrong": wrong})


def _less_variance_more_bias(_: Scenario) -> Judged:
    """δ against G − V: variance with an exact critic, mean with a blind one."""
    exact, unseeing = _worlds()["exact"], _worlds()["blind"]
    quieter = exact["variance"][0] < exact["variance"][2]
    biased = unseeing["mean"][0] != exact["mean"][0] == unseeing["mean"][2]
    return Judged(
        holds(quieter and biased),
        {"delta_variance": exact["variance"][0], "mc_variance": exact["variance"][2], "truth": exact["mean"][0],
         "delta_mean": unseeing["mean"][0], "mc_mean": unseeing["mean"][2]},
    )  # fmt: skip


def _nothing_left_to_chance(_: Scenario) -> Judged:
    """One way to go, and V what it will earn from there."""
    rewards = ("0.25", "0", "1")
    found = row(rewards, ("1.25", "1", "1"))
    return Judged(holds(not any(found["deltas"])), {"v": found["values"], "deltas": found["deltas"]})


def _gae_always_better(_: Scenario) -> Judged:
    found = _worlds()["exact"]
    same = found["mean"][0] == found["mean"][1]
    return Judged(
        holds(not (same and found["variance"][0] < found["variance"][1])),
        {"mean": found["mean"][0], "delta": found["variance"][0], "gae": found["variance"][1],
         "lam": LAMS[1]},
    )  # fmt: skip


def _delta_always_better(_: Scenario) -> Judged:
    found, truth = _worlds()["blind"], _worlds()["exact"]["mean"][0]
    errors = [abs(mean - truth) for mean in found["mean"]]
    return Judged(holds(errors[0] <= errors[2]), {"truth": truth, "delta": found["mean"][0], "mc": found["mean"][2]})


def _any_lambda_unbiased(_: Scenario) -> Judged:
    found = _worlds()["exact"]["mean"]
    return Judged(holds(len(set(found)) == 1), {"means": found, "lams": LAMS})


def _blind_critic_gives_no_signal(_: Scenario) -> Judged:
    """A reward at the end alone before a critic that says the same everywhere: δ and A before the end."""
    found = row(("0", "0", "1"), (HALF, HALF, HALF), lam="0.5")
    return Judged(
        holds(not any(found["deltas"][:-1]) and all(found["advantages"])),
        {"deltas": found["deltas"], "a": found["advantages"]},
    )


def _scores_reach_every_delta(_: Scenario) -> Judged:
    """The same values before a good ending and a bad one."""
    world = one_coin(3)
    good, bad = (row(rewards, values)["deltas"] for rewards, values in zip(world.rewards, world.values, strict=True))
    return Judged(holds(all(moved(good, bad))), {"good": good, "bad": bad})


LIKELY: dict[str, Check] = {
    "exact_critic_makes_mean_delta_zero": _mean_is_zero,
    "exact_critic_makes_every_delta_zero": _always_zero,
    "exact_critic_makes_delta_q_minus_v": _q_less_v,
    "delta_has_less_variance_and_more_bias": _less_variance_more_bias,
    "certain_world_has_zero_deltas": _nothing_left_to_chance,
    "gae_always_beats_delta": _gae_always_better,
    "delta_always_beats_gae": _delta_always_better,
    "exact_critic_makes_every_lambda_unbiased": _any_lambda_unbiased,
    "level_critic_leaves_early_deltas_without_signal": _blind_critic_gives_no_signal,
    "final_score_enters_every_delta": _scores_reach_every_delta,
}
