"""What learners ask to be told of masks: which mean is better, whether to bootstrap, which way a leak goes."""

from __future__ import annotations

from fractions import Fraction

from engine import sequences
from engine.conventions import VERL_NEW, VERL_OLD
from engine.losses import Aggregation, aggregate
from engine.masks import valid as kept
from engine.scenario import Scenario
from engine.statistics import masked_mean
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed
from lessons.padding_mask.leaks import EOS, KEEP, VALUES, as_in, valid

ONE, NONE = Fraction(1), Fraction(0)
BEFORE, AFTER = (Fraction(1, 5), NONE), (NONE, ONE)  # rewards before a cut, and those it cut off
SAID = (Fraction(9, 10), Fraction(3))  # V at the cut, by a critic that is nearly right and by one far off


def _token_mean_is_better(_: Scenario) -> Judged:
    """Each token alike, or each response alike: what a long response and a short one weigh."""
    terms, masks = [[ONE] * 3, [NONE] * 3], [[1, 1, 1], [1, 0, 0]]
    tokens, responses = (
        aggregate(terms, masks, mode) for mode in (Aggregation.TOKEN_MEAN, Aggregation.SEQ_MEAN_TOKEN_MEAN)
    )
    per_token = [responses / 3, (1 - responses) / 1]
    uneven, long_rules = per_token[0] != per_token[1], tokens > responses
    return Judged(
        "depends" if uneven and long_rules else holds(uneven),
        {"tokens": tokens, "responses": responses, "per_token": per_token},
    )


def _bootstrap_is_better(_: Scenario) -> Judged:
    """The first return of a response cut off, with zero at the cut and with two critics' words; the whole one's."""
    true = sequences.mc_returns([*BEFORE, *AFTER], ONE)[0]
    zero, good, bad = (sequences.mc_returns([*BEFORE, v], ONE)[0] for v in (NONE, *SAID))
    helps, hurts = abs(good - true) < abs(zero - true), abs(bad - true) > abs(zero - true)
    return Judged(weighed(helps, hurts), {"true": true, "zero": zero, "good": good, "bad": bad, "cut": len(BEFORE)})


def _one_on_padding(_: Scenario) -> Judged:
    counted = len(kept(list(VALUES), KEEP))
    return Judged(holds(counted == len(KEEP) - EOS - 1), {"counted": counted, "real": EOS + 1, "mask": list(KEEP)})


def _pads_lower_the_masked_mean(_: Scenario) -> Judged:
    few = masked_mean([ONE, ONE, NONE], [1, 1, 0])
    many = masked_mean([ONE, ONE, NONE, NONE, NONE], [1, 1, 0, 0, 0])
    return Judged(holds(many < few), {"few": few, "many": many})


def _leak_raises(_: Scenario) -> Judged:
    """A positive and a negative number left behind the end."""
    clean, up, down = (valid(as_in(VERL_OLD, values=(*VALUES[: EOS + 1], v, "0")))[-1] for v in ("0", "1", "-1"))
    return Judged(holds(up > clean and down > clean), {"clean": clean, "up": up, "down": down})


def _raise_after_the_end(_: Scenario) -> Judged:
    """Whether the last advantage of a finished response has a next value in it."""
    with_next = [as_in(VERL_NEW, values=(*VALUES[: EOS + 1], v, v)).advantages[0][EOS] for v in ("0", "5")]
    return Judged(holds(with_next[0] != with_next[1]), {"before": with_next[0], "after": with_next[1]})


JUDGED: dict[str, Check] = {
    "token_mean_is_better_than_sequence_mean": _token_mean_is_better,
    "bootstrapping_cut_off_responses_is_better": _bootstrap_is_better,
    "mask_is_one_on_padding": _one_on_padding,
    "more_padding_lowers_the_masked_mean": _pads_lower_the_masked_mean,
    "leftover_values_always_raise_the_advantages": _leak_raises,
    "eos_advantage_holds_the_value_after_it": _raise_after_the_end,
}
