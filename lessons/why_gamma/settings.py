"""What projects set γ to, as their configurations have it, and what the engine takes."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import ONE, default, judged, outcome, trial

PROJECTS = ("verl", "trl", "openrlhf")


def _above_one(_: Scenario) -> Judged:
    gamma, steps = Fraction(11, 10), 100
    try:
        RUNNING.merged({"gamma": float(gamma)})
        accepted = True
    except EngineError:
        accepted = False
    worth = round(float(formulas.discounted(ONE, gamma, steps)), 1)
    return judged(accepted or worth < 1, gamma=gamma, steps=steps, worth=worth)


def _frameworks(_: Scenario) -> Judged:
    gammas = [default(project, "gamma") for project in PROJECTS]
    found = gae(gamma=gammas[0])["mc_returns"][0]
    return judged(all(gamma == 1 for gamma in gammas) and found == sum(gae()["rewards"]), g=found)


def _both_default(_: Scenario) -> Judged:
    gamma, lam = (default("verl", name) for name in ("gamma", "lam"))
    own = gae(gamma=gamma, lam=lam)
    same = own["returns"][0] == sum(own["rewards"])
    return judged(gamma == lam == 1 and same, gamma=gamma, lam=lam, g=own["returns"][0])


def _one_is_right(_: Scenario) -> Judged:
    """Where responses end and the score is what counts; and where rewards go on without an end."""
    lengths = (3, 30)
    ends, paid = (
        [trial(rewards(n), [0] * n).mc_returns[0] for n in lengths] for rewards in (outcome, lambda n: [ONE] * n)
    )
    defaults = [default(project, "gamma") for project in PROJECTS]
    return judged([len(set(g)) == 1 for g in (ends, paid)], ends=ends, paid=paid, defaults=defaults)


def _learned(_: Scenario) -> Judged:
    """Learned it would stand in no configuration."""
    settings = {project: default(project, "gamma") for project in PROJECTS}
    return judged(not settings, **settings)


SETTINGS: dict[str, Check] = {
    "gamma_may_be_above_one": _above_one,
    "rlhf_frameworks_default_to_gamma_one": _frameworks,
    "verl_defaults_both_to_one": _both_default,
    "gamma_one_is_right": _one_is_right,
    "gamma_is_learned": _learned,
}
