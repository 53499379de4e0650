"""Where the lessons about the policy start: whose log-probabilities the ratio is of, and how many tokens count."""

from __future__ import annotations

from itertools import chain
from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.example import BOTH, RUNNING
from engine.facts import Inputs
from engine.scenario import LOG_PROBABILITIES, PARAMETERS, PER_TOKEN, Scenario
from engine.scenario import scenario as validated


def started(scenario: Scenario) -> Scenario:
    """The policy that wrote the response under one name. Without a new policy nothing has been updated yet."""
    if scenario.ratio is not None:
        return scenario
    old = scenario.old_logp if scenario.old_logp is not None else scenario.logp
    if old is None:
        raise EngineError("missing", field="old_logp")
    return scenario.merged({"old_logp": old, "new_logp": old if scenario.new_logp is None else scenario.new_logp})


EXAMPLE = started(RUNNING)
PAIR = started(BOTH)


def _taken() -> Scenario:
    """All tokens of both responses in one row, with the advantages that the actor gets."""
    numbers = quantities.facts("surrogate", PAIR).numbers
    lists = {"advantages": numbers["whitened"], **{name: PAIR.rows(name) for name in LOG_PROBABILITIES}}
    rates = {name: getattr(PAIR, name) for name in PARAMETERS}
    return validated({**rates, **{name: [*chain(*rows)] for name, rows in lists.items()}})


TAKEN = _taken()


def moved(scenario: Scenario) -> Scenario:
    """The learner's numbers where a policy has moved on them, else the running example's: what a claim is tried on."""
    both = scenario.new_logp is not None and (scenario.old_logp is not None or scenario.logp is not None)
    rewarded = scenario.values is not None and (scenario.rewards is not None or scenario.scores is not None)
    return started(scenario) if both and (scenario.advantages is not None or rewarded) else EXAMPLE


def policies(x: Inputs) -> dict[str, Any]:
    """The log-probabilities, where the ratio was not given outright."""
    return {} if x.has("ratio") else {"old_logp": x["old_logp"], "new_logp": x["new_logp"]}


def tokens(scenario: Scenario) -> int:
    """Real tokens in the whole batch: what every mean is taken over."""
    if scenario.mask is not None:
        return int(sum(map(sum, scenario.rows("mask"))))
    series = next(name for name in PER_TOKEN if getattr(scenario, name) is not None)
    return scenario.length * len(scenario.rows(series))


def first(found: Any) -> Any:
    """The first real token's number, whether there is one response or more."""
    return next(x for x in (found[0] if isinstance(found[0], list) else found) if x is not None)
