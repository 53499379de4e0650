"""Why the critic's outputs are cut one place early: a token's value is read where the token is not yet seen."""

from __future__ import annotations

from typing import Any

from engine import batches, mistakes, quantities
from engine.example import LAM
from engine.facts import Facts, Inputs, compute
from engine.proofs.bellman import exact_value_has_unbiased_delta
from engine.scenario import Scenario, scenario
from engine.slices import cut, sees
from engine.world import in_place, mean_deltas, one_early, one_late, small
from lessons import _twins as twins
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._figure import by_place
from lessons._first import numbers
from lessons._lesson import Shown
from lessons.critic_slice.checks import MORE
from lessons.critic_slice.judged import JUDGED
from lessons.critic_slice.places import PLACES
from lessons.critic_slice.roles import ROLES
from lessons.critic_slice.runs import RUNS
from lessons.critic_slice.tokenizers import TOKENIZERS
from lessons.critic_slice.turns_on import TURNS_ON

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("values_shift_right", "values_shift_left")
PROMPT = 4  # tokens, where the learner gave no prompt
SEEN = 3  # tokens of the map of what each value has seen
PADDED = scenario(
    {
        "rewards": [-0.01, 0.02, 0.99, 0, 0], "values": [0.5, 0.6, 0.9, 0.8, 0.7], "mask": [1, 1, 1, 0, 0],
        "gamma": 1, "lam": LAM,
    }
)  # fmt: skip


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


# ---------------------------------------------------------------- what learners claim


def _seen(length: int = 4, shift: int = 0) -> list[list[Any]]:
    return sees(PROMPT, length, shift)


def _positions(length: int) -> list[Any]:
    return batches.critic_values([list(range(PROMPT + length))], length)[0]


def _value_is_read_before(_: Scenario) -> Judged:
    """No value changes with its own token or a later one."""
    right, late = _seen(), _seen(shift=1)
    blind = all(not seen for t, row in enumerate(right) for seen in row[t:])
    return Judged(holds(blind), {"own": right[1][1], "earlier": right[1][0], "late": late[1][1]})


def _first_value_is_the_prompts(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    position = _positions(own.length)[0]
    return Judged(
        holds(position == PROMPT - 1 and not any(_seen()[0])),
        {"position": position, "prompt": PROMPT, "token": PROMPT},
    )


def _last_output_is_unused(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    last = PROMPT + own.length - 1
    return Judged(holds(last not in _positions(own.length)), {"last": last, "read": _positions(own.length)[-1]})


def _last_outputs_do_as_well(_: Scenario) -> Judged:
    means = _small_world().exact["constants"]
    own = numbers(Scenario())
    right = quantities.facts("gae", own).exact["advantages"][0]
    wrong = mistakes.run("values_shift_right", own).exact["advantages"][0]
    return Judged(
        holds(right == wrong and not any(means["one_late"])),
        {"right": right, "wrong": wrong, "mean": means["one_late"][0]},
    )


def _one_value_for_each_token(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    return Judged(
        holds(len(_positions(own.length)) == own.length),
        {"count": len(_positions(own.length)), "outputs": PROMPT + own.length},
    )


def _second_value_is_read_at_the_first_token(_: Scenario) -> Judged:
    return Judged(
        holds(_positions(2)[1] == PROMPT and _seen()[1][0] == 1), {"position": _positions(2)[1], "prompt": PROMPT}
    )


def _mask_is_shifted_too(_: Scenario) -> Judged:
    right = quantities.facts("masked_gae", PADDED).numbers["advantages"]
    shifted = mistakes.run("mask_shift_keeps_value_after_eos", PADDED).numbers["advantages"]
    return Judged(
        holds(close(right[0], shifted[0])),
        {"right": right[0], "shifted": shifted[0], "after": PADDED.rows("values")[0][3]},
    )


def _delta_is_biased_by_the_slice(_: Scenario) -> Judged:
    means = _small_world().exact["constants"]
    return Judged(holds(any(means["in_place"])), {"right": means["in_place"], "late": means["one_late"]})


def _next_value_is_after_the_token(_: Scenario) -> Judged:
    """V_{t+1} is what the critic says once token t is there."""
    own, following = _seen()[:2]
    return Judged(holds(following[0] == 1 and own[0] == 0), {"own": own[0], "next": following[0]})


FACTS: dict[str, Check] = {
    "value_is_read_before_the_token": _value_is_read_before,
    "first_value_is_the_prompts": _first_value_is_the_prompts,
    "last_output_is_unused": _last_output_is_unused,
    "last_outputs_do_as_well": _last_outputs_do_as_well,
    "one_value_for_each_token": _one_value_for_each_token,
    "second_value_is_read_at_the_first_token": _second_value_is_read_at_the_first_token,
    "mask_is_shifted_with_the_slice": _mask_is_shifted_too,
    "slice_misplaces_the_values": _delta_is_biased_by_the_slice,
    "next_value_is_after_the_token": _next_value_is_after_the_token,
    **MORE,
    **JUDGED,
    **PLACES,
    **ROLES,
    **RUNS,
    **TURNS_ON,
    **TOKENIZERS,
}
