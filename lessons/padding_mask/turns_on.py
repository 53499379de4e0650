"""What turns on the loop, the version, λ or the averaging where people ask of padding without saying which."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import Any

from engine import formulas, sequences
from engine.conventions import OPENRLHF, TRL, TRL_LATER, VERL_NEW, VERL_OLD, Convention, Rollout, run
from engine.losses import Aggregation, aggregate
from engine.rewards import place_score
from engine.scenario import Scenario
from engine.statistics import masked_mean
from lessons._fact import Check, Judged
from lessons._row import fraction, moved
from lessons._trials import judged
from lessons.padding_mask.counted import HOLE
from lessons.padding_mask.leaks import EOS, KEEP, LAM, REWARDS, UNMASKED, VALUES, as_in, leak, valid

ONE = Fraction(1)
CLEAN, AFTER = (*VALUES[: EOS + 1], "0", "0"), "0.8"
DIRTY = (*VALUES[: EOS + 1], AFTER, "0")


def _first(convention: Convention, **changes: Any) -> list[Fraction]:
    """The first advantage with nothing behind EOS, and with junk there."""
    return [Fraction(valid(as_in(convention, values=values, **changes))[0]) for values in (CLEAN, DIRTY)]


def _pollution() -> dict[str, list[Fraction]]:
    return {"bare": _first(UNMASKED), "cancelled": _first(UNMASKED, lam="1"), "masked": _first(VERL_NEW)}


def _after_eos(_: Scenario) -> Judged:
    found = _pollution()
    return judged([clean != dirty for clean, dirty in found.values()], lam=fraction(LAM), one=ONE, **found)


def _always_after_eos(_: Scenario) -> Judged:
    found = _pollution()
    return judged(all(clean != dirty for clean, dirty in found.values()), one=ONE, **found)


def _value_behind_eos(_: Scenario) -> Judged:
    old, new = (valid(as_in(c, values=DIRTY))[EOS] for c in (VERL_OLD, VERL_NEW))
    alone = fraction("1") - fraction(VALUES[EOS])
    return judged([old != alone, new != alone], after=fraction(AFTER), old=old, new=new)


def _zero_on_pads(_: Scenario) -> Judged:
    rewards, values = (list(map(float, row)) for row in (REWARDS, VALUES))
    found = run(Rollout([rewards], [values], [list(KEEP)]), VERL_NEW, gamma=1.0, lam=float(LAM))
    raw, white = round(found.advantages[0][-1], 6), round(float(found.normalised[0][-1]), 6)
    return judged([raw == 0, white == 0], raw=raw, white=white)


def _reaches_the_first(_: Scenario) -> Judged:
    found = {
        name: moved(*(valid(as_in(UNMASKED, values=values, lam=lam)) for values in (DIRTY, CLEAN)))
        for name, lam in (("zero", "0"), ("between", LAM), ("one", "1"))
    }
    return judged([by[0] != 0 for by in found.values()], after=fraction(AFTER), lam=fraction(LAM), **found)


def _raises(_: Scenario) -> Judged:
    clean, up, down = (valid(as_in(UNMASKED, values=(*VALUES[: EOS + 1], v, "0")))[-1] for v in ("0", "1", "-1"))
    return judged([up > clean, down > clean], clean=clean, up=up, down=down)


def _rewards_outside(_: Scenario) -> Judged:
    projects = {"old": VERL_OLD, "new": VERL_NEW, "openrlhf": OPENRLHF}
    found = {
        name: [as_in(c, **{**HOLE, "rewards": ("0", "0", r, "1")}).advantages[0][0] for r in ("0", "7")]
        for name, c in projects.items()
    }
    return judged([without != with_it for without, with_it in found.values()], **found)


def _value_in_a_hole(_: Scenario) -> Judged:
    found = {
        name: [as_in(c, **{**HOLE, "values": ("0.2", "0.3", v, "0.4")}).advantages[0][0] for v in ("0.9", "3")]
        for name, c in (("bare", UNMASKED), ("new", VERL_NEW))
    }
    return judged([before != after for before, after in found.values()], **found)


def _long_weighs_more(_: Scenario) -> Judged:
    """The share of a long response beside a short one, by the way the loss is averaged."""
    masks, terms = [[1, 1, 1], [1, 0, 0]], [[ONE] * 3, [Fraction(0)] * 3]
    tokens, responses = (
        Fraction(aggregate(terms, masks, mode)) for mode in (Aggregation.TOKEN_MEAN, Aggregation.SEQ_MEAN_TOKEN_MEAN)
    )
    found = {"tokens": tokens, "responses": responses, "long": sum(masks[0]), "short": sum(masks[1])}
    return judged([share > 1 - share for share in (tokens, responses)], **found)


def _trl_scores(_: Scenario) -> Judged:
    early, later = (place_score(1, KEEP, placement=c.placement).index(1) for c in (TRL, TRL_LATER))
    return judged([early == EOS, later == EOS], end=EOS, early=early, later=later)


def _shifted_mask(_: Scenario) -> Judged:
    default, below = leak(AFTER, lam="1"), leak(AFTER)
    return judged([any(default), any(below)], default=default, below=below, lam=fraction(LAM), one=ONE)


def _last_column(_: Scenario) -> Judged:
    full, padded = (place_score(1, keep, placement=VERL_NEW.placement)[-1] for keep in ((1,) * len(KEEP), KEEP))
    return judged([full == 1, padded == 1], full=full, padded=padded)


def _nan_in_padding(_: Scenario) -> Judged:
    clean, dirty = ([1.0, 3.0, behind] for behind in (0.0, float("nan")))
    keep = (1, 1, 0)
    multiplied = sum(x * m for x, m in zip(dirty, keep, strict=True))
    safe = masked_mean(dirty, keep)
    return judged([isnan(multiplied), isnan(safe)], safe=safe, clean=masked_mean(clean, keep))


def _padding_in_the_mean(_: Scenario) -> Judged:
    row = [ONE, Fraction(1, 2), *[Fraction(0)] * 2]
    masked, plain = (masked_mean(row, keep) for keep in ((1, 1, 0, 0), (1,) * 4))
    alone = masked_mean(row[:2], (1, 1))
    return judged([masked != alone, plain != alone], masked=masked, plain=plain)


def _cut() -> dict[str, Any]:
    """What is left to earn behind the last token of a response that was finished, and of one cut off before it."""
    returns = sequences.mc_returns([Fraction(0), Fraction(0), ONE, Fraction(0)], ONE)
    return {"done": returns[-1], "missed": returns[2]}


def _ends_in_eos(_: Scenario) -> Judged:
    found = _cut()
    return judged([left == 0 for left in found.values()], **found)


def _always_eos(_: Scenario) -> Judged:
    found = _cut()
    return judged(not any(found.values()), **found)


def _zero_underrates(_: Scenario) -> Judged:
    value, none = Fraction(1, 2), Fraction(0)
    more, cost = Fraction(3, 4), Fraction(-1, 4)
    right, due, low = (formulas.td_error(none, value, after, ONE) for after in (more, cost, none))
    return judged([low < right, low < due], more=more, right=right, low=low, cost=cost, due=due, high=low)


TURNS: dict[str, Check] = {
    "what_stands_after_eos_matters": _after_eos,
    "garbage_after_eos_always_pollutes": _always_after_eos,
    "the_last_token_uses_the_value_behind_eos": _value_behind_eos,
    "the_padding_has_zero_advantages": _zero_on_pads,
    "the_leak_reaches_the_first_token": _reaches_the_first,
    "the_leak_raises_the_advantages": _raises,
    "rewards_outside_the_mask_count": _rewards_outside,
    "a_value_inside_a_hole_matters": _value_in_a_hole,
    "long_responses_weigh_more_in_the_loss": _long_weighs_more,
    "trl_scores_the_last_real_token": _trl_scores,
    "the_shifted_value_mask_does_harm": _shifted_mask,
    "the_score_is_in_the_last_column": _last_column,
    "a_nan_in_the_padding_spoils_the_mean": _nan_in_padding,
    "padding_moves_the_mean": _padding_in_the_mean,
    "the_last_real_token_is_eos": _ends_in_eos,
    "every_response_has_an_eos": _always_eos,
    "zero_at_a_cut_underrates_the_response": _zero_underrates,
}
