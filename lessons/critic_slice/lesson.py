"""Why the critic's outputs are cut one place early: a token's value is read where the token is not yet seen."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.facts import Facts, Inputs, compute
from engine.proofs.bellman import exact_value_has_unbiased_delta
from engine.scenario import Scenario
from engine.slices import cut, sees
from engine.world import in_place, mean_deltas, one_early, one_late, small
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import by_place
from lessons._lesson import Shown
from lessons.critic_slice.tokenizers import TOKENIZERS
from lessons.critic_slice.versions import VERSIONS

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("values_shift_right", "values_shift_left")
PROMPT = 4  # tokens, where the learner gave no prompt
SEEN = 3  # tokens of the map of what each value has seen


def show(scenario: Scenario) -> Shown:
    facts = compute(reading, scenario).beside(_small_world()).beside(_what_is_seen())
    seen = facts.numbers["grid"]
    return Shown(
        facts=facts,
        proofs={"unbiased": exact_value_has_unbiased_delta()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={name: by_place(seen[which], "a", "values") for name, which in (("seen", "right"), ("late", "late"))},
        twins=(twins.critic_slice,),
    )


def reading(x: Inputs) -> dict[str, Any]:
    """Where each value is read: the slice, run on a batch of outputs that each say where they stand."""
    found = quantities.gae(x)
    prompt, length = _prompt_length(x.scenario), x.scenario.length
    everywhere = tuple(float(p) for p in range(prompt + length))
    outputs = x.series("positions", (everywhere,) * len(x.scenario.rows("values")))
    return {
        **found,
        "positions": x.on.critic_values(outputs, length),
        "late_positions": x.on.everywhere(lambda row: cut(row, length, 1), outputs),
        "prompt_length": prompt,
        "last_position": prompt + length - 1,
    }


def _prompt_length(own: Scenario) -> int:
    """Each character of the prompt is taken for a token."""
    return len(own.prompt) if own.prompt else PROMPT


def _small_world() -> Facts:
    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        orders = {"in_place": in_place, "one_late": one_late, "one_early": one_early}
        return {name: mean_deltas(world, order) for name, order in orders.items()}

    return compute(program, Scenario()).under("constants")


def _what_is_seen() -> Facts:
    """Which response tokens change which value, under the slice and under the last outputs."""

    def program(_: Inputs) -> dict[str, Any]:
        return {"right": sees(PROMPT, SEEN), "late": sees(PROMPT, SEEN, 1)}

    return compute(program, Scenario()).under("grid")


FACTS: dict[str, Check] = {**VERSIONS, **TOKENIZERS}
