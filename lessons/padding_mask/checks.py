"""More of what learners claim about masks: means, scores in the padding, other rows, holes, what zeroing can do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import conventions, quantities
from engine.batches import masked_mean, surrogates
from engine.conventions import OPENRLHF, TRL_LATER, VERL_NEW, VERL_OLD, Convention, Kept, Rollout, Whitening
from engine.facts import exact_facts
from engine.losses import Aggregation, aggregate
from engine.masks import zeroed
from engine.mistakes import MISTAKES
from engine.rewards import place_score
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds

REWARDS, VALUES, KEEP = ("0", "0", "1", "0", "0"), ("0.5", "0.6", "0.9", "0.8", "0.7"), (1, 1, 1, 0, 0)
HOLE = (("0", "0", "0", "1"), ("0.2", "0.3", "0.9", "0.4"), (1, 1, 0, 1))
LAST = 2
UNMASKED = replace(VERL_OLD, values=Kept.AS_GIVEN)


def _row(numbers: Any) -> list[Fraction]:
    return [Fraction(x) for x in numbers]


def _run(
    convention: Convention, rewards: Any = REWARDS, values: Any = VALUES, keep: Any = KEEP, lam: str = "0.9"
) -> list[Any]:
    """One response's raw advantages as a project has them."""
    rollout = Rollout([_row(rewards)], [_row(values)], [list(keep)])
    plain = replace(convention, whitening=Whitening.NONE)
    return list(conventions.run(rollout, plain, gamma=Fraction(1), lam=Fraction(lam)).advantages[0])


def _mean_counts_padding(_: Scenario) -> Judged:
    own = scenario({"ratio": [1, 1, 1], "advantages": [1, 3, 9], "mask": [1, 1, 0]})
    right = exact_facts(quantities.surrogate, own)["surrogate"]
    wrong = exact_facts(MISTAKES["mask_mean_over_padded_length"].program, own)["surrogate"]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _more_padding_changes(_: Scenario) -> Judged:
    short = _run(VERL_NEW)[: LAST + 1]
    longer = _run(VERL_NEW, (*REWARDS, "0", "0"), (*VALUES, "3", "4"), (*KEEP, 0, 0))[: LAST + 1]
    return Judged(holds(short != longer), {"short": short[0], "longer": longer[0]})


def _later_trl_scores_in_the_padding(_: Scenario) -> Judged:
    verl, trl = (place_score(1, KEEP, placement=c.placement).index(1) for c in (VERL_NEW, TRL_LATER))
    return Judged(holds(bool(KEEP[verl]) and not KEEP[trl]), {"last": LAST, "verl": verl, "trl": trl})


def _openrlhf_is_safe(_: Scenario) -> Judged:
    clean = _run(OPENRLHF, values=zeroed(_row(VALUES), KEEP))[: LAST + 1]
    dirty = _run(OPENRLHF)[: LAST + 1]
    return Judged(holds(clean == dirty), {"clean": clean, "dirty": dirty})


def _junk_rewards_leak(_: Scenario) -> Judged:
    """A reward left in the padding, V being zero there."""
    values = zeroed(_row(VALUES), KEEP)
    clean, dirty = (_run(UNMASKED, (*REWARDS[:3], junk, "0"), values)[: LAST + 1] for junk in ("0", "5"))
    safe = _run(VERL_NEW, (*REWARDS[:3], "5", "0"), values)[: LAST + 1]
    return Judged(holds(clean != dirty), {"clean": clean[-1], "dirty": dirty[-1], "safe": safe[-1]})


def _junk_advantages_reach_the_actor(_: Scenario) -> Judged:
    """The mean over valid tokens, with two different numbers in the padding."""
    ones, mask = [[Fraction(1)] * 3], [[1, 1, 0]]
    means = [masked_mean(surrogates(ones, [_row(("1", "3", junk))], mask), mask) for junk in ("0", "99")]
    return Judged(holds(means[0] != means[1]), {"zero": means[0], "junk": means[1]})


def _another_rows_padding_counts(_: Scenario) -> Judged:
    rewards, values = [_row(REWARDS), _row(REWARDS)], [_row(VALUES), _row(VALUES)]
    plain = replace(VERL_NEW, whitening=Whitening.NONE)
    found = [
        conventions.run(Rollout(rewards, values, [list(KEEP), other]), plain, gamma=Fraction(1), lam=Fraction("0.9"))
        for other in ([1, 1, 1, 1, 1], [1, 0, 0, 0, 0])
    ]
    one, two = (run.advantages[0][0] for run in found)
    return Judged(holds(one != two), {"one": one, "two": two})


def _projects_agree_on_holes(_: Scenario) -> Judged:
    verl, openrlhf = _run(VERL_NEW, *HOLE)[0], _run(OPENRLHF, *HOLE)[0]
    return Judged(holds(verl == openrlhf), {"verl": verl, "openrlhf": openrlhf})


def _zeroing_is_enough(_: Scenario) -> Judged:
    """V set to 0 outside the mask, the loop running through: behind the end, and in a hole."""
    values = zeroed(_row(VALUES), KEEP)
    behind = _run(UNMASKED, values=values)[: LAST + 1] == _run(VERL_NEW)[: LAST + 1]
    rewards, hole, keep = HOLE
    inside = _run(UNMASKED, rewards, zeroed(_row(hole), keep), keep)[0]
    right = _run(VERL_NEW, *HOLE)[0]
    return Judged(
        "depends" if behind and inside != right else holds(behind),
        {"hole": inside, "right": right, "lam": Fraction("0.9")},
    )


def _old_verl_takes_value_after_eos(_: Scenario) -> Judged:
    old, new = _run(VERL_OLD)[LAST], _run(VERL_NEW)[LAST]
    return Judged(holds(old != new), {"old": old, "new": new, "after": Fraction(VALUES[LAST + 1])})


def _whole_row_of_padding(_: Scenario) -> Judged:
    """What stands where nothing counts, whatever was there before."""
    found = _run(VERL_NEW, keep=(1, 1, 0, 0, 0))
    return Judged(holds(any(found[2:])), {"valid": found[:2], "outside": found[2:]})


def _token_mean_is_fair_to_responses(_: Scenario) -> Judged:
    """A long response with a loss of 1 at each token, a short one with 4."""
    terms, masks = [_row(("1", "1", "1")), _row(("4", "0", "0"))], [[1, 1, 1], [1, 0, 0]]
    by_token, by_response = (
        aggregate(terms, masks, mode) for mode in (Aggregation.TOKEN_MEAN, Aggregation.SEQ_MEAN_TOKEN_MEAN)
    )
    return Judged(holds(by_token == by_response), {"tokens": by_token, "responses": by_response})


def _next_value_comes_from_a_pad(_: Scenario) -> Judged:
    """What the last valid δ takes for the next value, in verl as it is."""
    last = _run(VERL_NEW, lam="0")[LAST]
    alone = Fraction(REWARDS[LAST]) - Fraction(VALUES[LAST])
    return Judged(holds(last != alone), {"delta": last, "after": Fraction(VALUES[LAST + 1])})


def _returns_need_the_mask(_: Scenario) -> Judged:
    """R of the last valid token, V after the end left standing and not."""
    leaked, right = (a[LAST] + Fraction(VALUES[LAST]) for a in (_run(UNMASKED), _run(VERL_NEW)))
    return Judged(holds(leaked == right), {"leaked": leaked, "right": right})


MORE: dict[str, Check] = {
    "loss_mean_counts_padded_positions": _mean_counts_padding,
    "more_padding_changes_the_advantages": _more_padding_changes,
    "later_trl_puts_the_score_in_the_padding": _later_trl_scores_in_the_padding,
    "openrlhf_keeps_garbage_out": _openrlhf_is_safe,
    "junk_rewards_in_padding_leak_too": _junk_rewards_leak,
    "junk_advantages_in_padding_reach_the_actor": _junk_advantages_reach_the_actor,
    "padding_of_another_row_changes_raw_advantages": _another_rows_padding_counts,
    "all_projects_agree_on_holes": _projects_agree_on_holes,
    "zeroing_the_values_is_enough": _zeroing_is_enough,
    "old_verl_bootstraps_from_the_value_after_eos": _old_verl_takes_value_after_eos,
    "masked_positions_have_advantages_of_their_own": _whole_row_of_padding,
    "token_mean_weighs_responses_equally": _token_mean_is_fair_to_responses,
    "last_token_takes_its_next_value_from_a_pad": _next_value_comes_from_a_pad,
    "only_advantages_suffer_from_padding": _returns_need_the_mask,
}
