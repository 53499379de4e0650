"""What stands after EOS: how it gets into the advantages, and what keeps it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine import conventions, formulas, losses, mistakes, quantities, statistics
from engine.conventions import OPENRLHF, VERL_NEW, VERL_OLD, Convention, Outcome, Rollout, Whitening
from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute, exact_facts, work
from engine.masks import last_valid, one_more, zeroed
from engine.mistakes.padding import AFTER_EOS
from engine.proofs import counterexample, theorem
from engine.readings.exact import Exact, exactly, rational
from engine.scenario import PER_TOKEN, Scenario
from engine.scenario import scenario as validated
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, first_of, lanes, over_tokens
from lessons._first import first_response
from lessons._lesson import Shown
from lessons.padding_mask.checks import MORE
from lessons.padding_mask.claimed import CHECKS
from lessons.padding_mask.counted import COUNTED
from lessons.padding_mask.ends import ENDS
from lessons.padding_mask.judged import JUDGED
from lessons.padding_mask.leaks import LEAKS
from lessons.padding_mask.spans import SPANS
from lessons.padding_mask.stated import STATED
from lessons.padding_mask.stops import STOPPED
from lessons.padding_mask.turns_on import TURNS
from lessons.padding_mask.units import UNITS

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


# ---------------------------------------------------------------- what learners claim

REWARDS, VALUES, KEEP = (0.0, 0.0, 1.0, 0.0, 0.0), (0.5, 0.6, 0.9, 0.8, 0.7), (1, 1, 1, 0, 0)
ZEROED = (0.5, 0.6, 0.9, 0.0, 0.0)
EOS = last_valid(KEEP)


def _as_in(
    convention: Convention,
    values: Sequence[float] = VALUES,
    lam: float = 0.9,
    rewards: Sequence[float] = REWARDS,
    keep: Sequence[int] = KEEP,
) -> Outcome:
    """A padded response under one project's convention, exactly."""
    rollout = Rollout([[rational(r) for r in rewards]], [[rational(v) for v in values]], [list(keep)])
    return conventions.run(rollout, _plain(convention), gamma=rational(1.0), lam=rational(lam))


UNMASKED = replace(VERL_OLD, values=conventions.Kept.AS_GIVEN)


def _valid(found: Outcome) -> list[Exact]:
    return list(found.advantages[0][: EOS + 1])


def _garbage_leaks(_: Scenario) -> Judged:
    clean, dirty = _valid(_as_in(UNMASKED, ZEROED)), _valid(_as_in(UNMASKED))
    return Judged(holds(clean != dirty), {"values": VALUES, "clean": clean, "dirty": dirty})


def _loss_mask_is_enough(_: Scenario) -> Judged:
    clean, dirty = _valid(_as_in(UNMASKED, ZEROED)), _valid(_as_in(UNMASKED))
    found = counterexample("value_after_end_is_harmless")
    return Judged(holds(found.left == found.right and clean == dirty), {"clean": clean, "dirty": dirty})


def _harmless_at_one(_: Scenario) -> Judged:
    theorem("leftover_value_is_harmless_at_lambda_one")
    clean, dirty = _valid(_as_in(UNMASKED, ZEROED, lam=1.0)), _valid(_as_in(UNMASKED, lam=1.0))
    return Judged(holds(clean == dirty), {"clean": clean, "dirty": dirty})


def _only_the_last(_: Scenario) -> Judged:
    pairs = zip(_valid(_as_in(UNMASKED, ZEROED)), _valid(_as_in(UNMASKED)), strict=True)
    off = [formulas.advantage(dirty, clean) for clean, dirty in pairs]
    return Judged(holds(not any(off[:-1])), {"off": off})


def _eos_is_inside(_: Scenario) -> Judged:
    """What the actor is told about EOS, inside the mask and outside."""
    without = (1, 1, 0, 0, 0)
    advantages = _as_in(VERL_NEW).advantages[0]
    ratio = [rational(1.0)] * len(KEEP)
    inside, outside = (losses.surrogates(ratio, advantages, keep)[EOS] for keep in (KEEP, without))
    return Judged(holds(inside is not None and outside is None), {"inside": inside})


def _before_is_after(_: Scenario) -> Judged:
    """V zeroed before the recursion, A zeroed after it."""
    before = _valid(_as_in(UNMASKED, zeroed(VALUES, KEEP)))
    after = zeroed(_as_in(UNMASKED).advantages[0], KEEP)[: EOS + 1]
    return Judged(holds(before == after), {"before": before, "after": after})


def _new_verl_is_safe(_: Scenario) -> Judged:
    clean, dirty = _valid(_as_in(VERL_NEW, ZEROED)), _valid(_as_in(VERL_NEW))
    return Judged(holds(clean == dirty), {"clean": clean, "dirty": dirty})


def _shifted_mask_clears(_: Scenario) -> Judged:
    kept = zeroed(VALUES, one_more(KEEP))
    right, wrong = _valid(_as_in(VERL_NEW)), _valid(_as_in(VERL_OLD))
    return Judged(
        holds(kept == zeroed(VALUES, KEEP)),
        {"kept": kept, "after": kept[EOS + 1], "right": right[-1], "wrong": wrong[-1], "lam": rational(0.9)},
    )


def _old_recursion_reads_no_mask(_: Scenario) -> Judged:
    """Whether verl's old recursion gives the same for two masks, the values being given."""
    one, other = (_as_in(UNMASKED, keep=keep).advantages[0] for keep in (KEEP, (1, 1, 0, 0, 0)))
    new, cut = (_as_in(VERL_NEW, keep=keep).advantages[0] for keep in (KEEP, (1, 1, 0, 0, 0)))
    return Judged(holds(one == other and new != cut), {"old": one[0], "new": new[0], "cut": cut[0]})


def _holes_decay(_: Scenario) -> Judged:
    found = compute(_hole, HOLE).exact
    skipped, decayed = found["hole_skipped"], found["hole_decayed"]
    return Judged("depends" if skipped != decayed else "true", {"skipped": skipped[0], "decayed": decayed[0]})


def _padding_is_zero_after_whitening(_: Scenario) -> Judged:
    def program(lift: Any) -> Any:
        advantages = [lift(float(a)) for a in _as_in(VERL_OLD).advantages[0]]
        mean, variance = statistics.masked_mean(advantages, KEEP), statistics.masked_variance(advantages, KEEP)
        return [formulas.whiten(a, mean, variance, lift(1e-8)) for a in advantages]

    found = exactly(program, len(KEEP))
    return Judged(holds(not any(found[EOS + 1 :])), {"outside": found[EOS + 1], "last": found[EOS + 2]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "garbage_after_eos_pollutes": _garbage_leaks,
    "masking_the_loss_is_enough": _loss_mask_is_enough,
    "padding_is_harmless_at_lambda_one": _harmless_at_one,
    "only_the_last_advantage_is_off": _only_the_last,
    "eos_is_inside_the_mask": _eos_is_inside,
    "masking_before_equals_masking_after": _before_is_after,
    "new_verl_keeps_garbage_out": _new_verl_is_safe,
    "shifted_mask_clears_values_after_eos": _shifted_mask_clears,
    "eos_mask_only_enters_whitening": _old_recursion_reads_no_mask,
    "masked_tokens_inside_decay": _holes_decay,
    "padding_is_zero_after_whitening": _padding_is_zero_after_whitening,
    **MORE,
    **JUDGED,
    **LEAKS,
    **COUNTED,
    **ENDS,
    **STATED,
    **STOPPED,
    **TURNS,
    **SPANS,
    **UNITS,
}
