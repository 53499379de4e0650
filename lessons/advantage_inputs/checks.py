"""Claims of what is no number: what the recursion looks at, the text it belongs to, and how projects compute it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import conventions, quantities
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Convention, Kept, Rollout, Whitening
from engine.example import RUNNING
from engine.facts import compute, exact_facts
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged, holds
from lessons.advantage_inputs.inputs import rewards_held

INPUTS = {"rewards", "values", "gamma", "lam"}


def _read() -> frozenset[str]:
    """What the trace of the recursion shows to have been read, the rewards being given."""
    return frozenset(compute(quantities.gae, rewards_held(RUNNING)).used)


def _recursion_reads_four(_: Scenario) -> Judged:
    return Judged(holds(_read() == INPUTS), {"count": len(_read()), "offered": len(rewards_held(RUNNING).given())})


def _q_network(_: Scenario) -> Judged:
    """What has been read by the time the advantages stand there."""
    return Judged(holds(not _read() <= INPUTS), {"count": len(_read()), "a": gae()["advantages"][0]})


def _first(scenario: Scenario) -> Any:
    return exact_facts(quantities.gae, scenario)["advantages"][0]


def _words_do_not_matter(_: Scenario) -> Judged:
    """The same rewards and values for other tokens with other probabilities."""
    held = rewards_held(RUNNING)
    other = held.merged({"tokens": [f"{token}!" for token in held.tokens or ()], "logp": [[-3.0] * held.length]})
    return Judged(holds(_first(held) == _first(other)), {"one": _first(held), "other": _first(other)})


def _prompt_enters(_: Scenario) -> Judged:
    """The same rewards and values behind another prompt."""
    one, other = (gae(prompt=text)["advantages"][0] for text in ("?", "a much longer prompt"))
    return Judged(holds(one != other), {"one": one, "other": other})


def _prompt_tokens_have_some(_: Scenario) -> Judged:
    """How many advantages there are, and how many characters the prompt has besides."""
    count = len(gae()["advantages"])
    return Judged(
        holds(count > RUNNING.length), {"count": count, "T": RUNNING.length, "prompt": len(RUNNING.prompt or "")}
    )


def _advantages(convention: Convention, rewards: str, values: str, mask: Sequence[int]) -> list[Any]:
    """Of one response, before whitening, with λ at one half."""
    rollout = Rollout([_exact(rewards)], [_exact(values)], [list(mask)])
    bare = replace(convention, whitening=Whitening.NONE)
    return list(conventions.run(rollout, bare, gamma=Fraction(1), lam=Fraction(1, 2)).advantages[0])


def _exact(numbers: str) -> list[Fraction]:
    return [Fraction(x) for x in numbers.split()]


def _mask_enters(_: Scenario) -> Judged:
    """verl's old recursion and its new one, under two masks."""
    old, new = (
        [
            _advantages(replace(one, values=Kept.AS_GIVEN), "0 0 0 1", "0.2 0.3 0.9 0.4", mask)[0]
            for mask in ([1, 1, 1, 1], [1, 1, 0, 1])
        ]
        for one in (VERL_OLD, VERL_NEW)
    )
    enters = [old[0] != old[1], new[0] != new[1]]
    return Judged("depends" if enters == [False, True] else holds(all(enters)), {"old": old, "new": new})


def _same_inputs_elsewhere(_: Scenario) -> Judged:
    """A full row through four projects."""
    found = [_advantages(one, "0.2 0 1", "0.5 0.25 0.75", [1, 1, 1]) for one in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)]
    return Judged(holds(all(x == found[0] for x in found)), {"count": len(found), "a": found[0]})


FACTS: dict[str, Check] = {
    "recursion_reads_rewards_values_gamma_lambda": _recursion_reads_four,
    "advantages_need_a_q_network": _q_network,
    "same_rewards_and_values_same_advantages": _words_do_not_matter,
    "prompt_is_a_direct_input": _prompt_enters,
    "prompt_is_an_argument": _prompt_enters,
    "prompt_tokens_have_advantages": _prompt_tokens_have_some,
    "mask_enters_the_recursion": _mask_enters,
    "projects_read_the_same_inputs": _same_inputs_elsewhere,
}
