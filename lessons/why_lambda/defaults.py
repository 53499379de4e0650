"""What projects ship with, as their configurations have it: no relation between quantities."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import default, judged

PROJECTS = ("verl", "trl", "openrlhf")


def _is(of: str) -> Check:
    def check(_: Scenario) -> Judged:
        found = {project: Fraction(str(default(project, "lam"))) for project in PROJECTS}
        return judged([lam == Fraction(of) for lam in found.values()], **found)

    return check


def _trl_is_one(_: Scenario) -> Judged:
    trl, verl = (gae(gamma=1.0, lam=default(name, "lam"))["advantages"][0] for name in ("trl", "verl"))
    return judged(default("trl", "lam") == 1, trl=trl, verl=verl)


def _verl_is_monte_carlo(_: Scenario) -> Judged:
    found = gae(gamma=default("verl", "gamma"), lam=default("verl", "lam"))
    return judged(found["advantages"] == found["mc_advantages"], a=found["advantages"], mc=found["mc_advantages"])


def _learned(_: Scenario) -> Judged:
    """Learned it would stand in no configuration."""
    settings = {project: default(project, "lam") for project in ("verl", "trl")}
    return judged(not settings, **settings)


FACTS: dict[str, Check] = {
    "default_lambda_is_one": _is("1"),
    "default_lambda_is_095": _is("0.95"),
    "trl_default_lambda_is_one": _trl_is_one,
    "verl_default_gives_return_minus_value": _verl_is_monte_carlo,
    "lambda_is_learned": _learned,
}
