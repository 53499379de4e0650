"""What stands after EOS: how it gets into the advantages, and what keeps it out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import conventions, mistakes, quantities
from engine.conventions import OPENRLHF, VERL_NEW, Convention, Rollout, Whitening
from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute, exact_facts, work
from engine.masks import last_valid
from engine.mistakes.padding import AFTER_EOS
from engine.proofs import counterexample, theorem
from engine.scenario import PER_TOKEN, Scenario
from engine.scenario import scenario as validated
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure, first_of, lanes, over_tokens
from lessons._first import first_response
from lessons._lesson import Shown
from lessons.padding_mask.means import MEANS
from lessons.padding_mask.projects import PROJECTS
from lessons.padding_mask.spans import SPANS

QUANTITIES: tuple[str, ...] = ("masked_gae", "padding_leak")
AFTER_THE_END = (0.8, 0.7)  # what the critic says at two positions of padding, where the learner has none
MISTAKES = ("mask_ignored_in_recursion", "mask_shift_keeps_value_after_eos", "mask_holes_are_steps")
HOLE = validated(
    {"rewards": [0, 0, 0, 1], "values": [0.2, 0.3, 0.9, 0.4], "mask": [1, 1, 0, 1], "gamma": 1, "lam": 0.9}
)


def show(scenario: Scenario) -> Shown:
    if scenario.values is None:
        raise EngineError("missing", field="values")
    seen = laid_out(scenario)
    facts = compute(quantities.gae if scenario.mask is None else three_ways, scenario)
    facts = facts.beside(compute(at_the_ends, _one_row(seen))).beside(_constants(scenario, seen))
    ids = ("bootstrap_after_the_end", "value_reward_dropped", *(MISTAKES if scenario.mask else ()))
    return Shown(
        facts=facts,
        work=_worked(_one_row(seen)),
        proofs={
            "leak": theorem("leftover_value_leaks_back"),
            "harmless": theorem("leftover_value_is_harmless_at_lambda_one"),
        },
        counterexamples={"harmless": counterexample("value_after_end_is_harmless")},
        mistakes={id: mistakes.run(id, scenario) for id in ids},
        figures={"kept": _kept(_one_row(seen)), "leak": _leak(_one_row(seen))},
        twins=(twins.masked_gae, twins.gae),
    )


def _kept(row: Scenario) -> Figure:
    return lanes(compute(three_ways, row).numbers, "values_as_given", "rewards_as_given", "mask")


def _leak(row: Scenario) -> Figure:
    return over_tokens("together", first_of(compute(three_ways, row).numbers, "masked", "unmasked"), "advantages")


def laid_out(scenario: Scenario) -> Scenario:
    """The scenario, if its mask leaves positions out; else its first response with padding behind it."""
    if scenario.mask is not None and any(0 in row for row in scenario.rows("mask")):
        return scenario
    own = first_response(scenario)
    rewards = exact_facts(lambda x: {"rewards": quantities.rewards(x)}, own)["rewards"]
    padding = [0.0] * len(AFTER_THE_END)
    return validated({
        "rewards": [*(float(r) for r in rewards), *padding],
        "values": [*own.rows("values")[0], *AFTER_THE_END],
        "mask": [*([1.0] * own.length), *padding],
        "gamma": scenario.gamma,
        "lam": scenario.lam,
    })  # fmt: skip


def _one_row(seen: Scenario) -> Scenario:
    """The first response that has something masked out."""
    if not seen.batched:
        return seen
    row = next(i for i, keep in enumerate(seen.rows("mask")) if 0 in keep)
    return seen.merged({name: seen.rows(name)[row] for name in PER_TOKEN if getattr(seen, name) is not None})


def three_ways(x: Inputs) -> dict[str, Any]:
    """A with the mask respected, without a mask, and with verl's old mask that keeps one value more."""
    rewards, values, mask = quantities.rewards(x), x["values"], x["mask"]
    rollout = Rollout(rewards, values, mask)
    shifted = conventions.run(rollout, _plain(AFTER_EOS), gamma=x["gamma"], lam=x["lam"]).advantages
    found = quantities.padding_leak(x)
    return {
        **found,
        "mask": mask,
        "rewards_as_given": rewards,
        "values_as_given": values,
        "shifted": shifted,
        "leak": x.on.advantages_of(found["unmasked"], found["masked"], mask),
        "shifted_leak": x.on.advantages_of(shifted, found["masked"], mask),
    }


def _plain(convention: Convention) -> Convention:
    return replace(convention, whitening=Whitening.NONE)


def at_the_ends(x: Inputs) -> dict[str, Any]:
    """One response: its last token's advantage each way, what got into it and into the first token's."""
    keep = x.scenario.rows("mask")[0]
    first, last = keep.index(1.0), last_valid(keep)
    found = {name: batch[0] for name, batch in three_ways(x).items() if name in _BY_TOKEN}
    after = len(keep) - 1 - last
    return {
        "last": last,
        "after": after,
        "holes": sum(1 for m in keep[first:last] if not m),
        "masked_out": sum(1 for m in keep if not m),
        "masked_last": found["masked"][last],
        "unmasked_last": found["unmasked"][last],
        "shifted_last": found["shifted"][last],
        "leak_last": found["leak"][last],
        "leak_first": found["leak"][first],
        "shifted_leak_last": found["shifted_leak"][last],
        "value_after": found["values_as_given"][last + 1] if after else 0 * found["values_as_given"][last],
    }


_BY_TOKEN = ("masked", "unmasked", "shifted", "leak", "shifted_leak", "values_as_given")


def _constants(scenario: Scenario, seen: Scenario) -> Facts:
    """What the lesson lays out itself: a hole, and padding behind a response that has none."""
    hole = compute(_hole, HOLE)
    return (hole if seen is scenario else hole.beside(compute(three_ways, seen))).under("constants")


def _hole(x: Inputs) -> dict[str, Any]:
    rollout = Rollout(x["rewards"], x["values"], x["mask"])
    skipped, decayed = (
        conventions.run(rollout, _plain(convention), gamma=x["gamma"], lam=x["lam"]).advantages
        for convention in (VERL_NEW, OPENRLHF)
    )
    return {"hole_mask": x["mask"], "hole_skipped": skipped, "hole_decayed": decayed}


def _worked(seen: Scenario) -> dict[str, Any]:
    """The lines with and without a mask; none where the response is not padded on the right."""
    keep = list(seen.rows("mask")[0])
    if keep != sorted(keep, reverse=True):
        return {}
    rewards = exact_facts(three_ways, seen)["rewards_as_given"]
    through = validated({
        "rewards": [float(r) for r in rewards],
        "values": seen.values,
        "gamma": seen.gamma,
        "lam": seen.lam,
    })  # fmt: skip
    right, wrong = work(quantities.gae, first_response(seen)), work(quantities.gae, through)
    return {"masked": right["advantages"], "unmasked_delta": wrong["deltas"], "unmasked": wrong["advantages"]}


FACTS: dict[str, Check] = {**PROJECTS, **MEANS, **SPANS}
