"""What else learners state of masks: what they count, what they leave alone, and what is better left out."""

from __future__ import annotations

from fractions import Fraction

from engine.batches import kl_penalties, token_rewards
from engine.conventions import OPENRLHF, VERL_NEW, VERL_OLD, Convention
from engine.errors import EngineError
from engine.losses import Aggregation, aggregate, surrogates
from engine.masks import last_valid, zeroed
from engine.masks import valid as kept
from engine.proofs.programs import mean
from engine.scenario import Scenario
from engine.statistics import masked_mean, whiten
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row
from lessons._weighed import weighed
from lessons.padding_mask.counted import HOLE
from lessons.padding_mask.leaks import EOS, KEEP, UNMASKED, VALUES, as_in, valid

ONE, NONE = Fraction(1), Fraction(0)
EVERYWHERE = (1,) * len(KEEP)


def _pads_in_the_loss(_: Scenario) -> Judged:
    """The terms that the policy's loss has, place by place."""
    terms = surrogates([ONE] * len(KEEP), as_in(VERL_NEW).advantages[0], KEEP)
    counted = [t for t, term in enumerate(terms) if term is not None]
    return Judged(holds(len(counted) == len(KEEP)), {"counted": counted, "mask": list(KEEP)})


def _pads_in_whitening(_: Scenario) -> Judged:
    """The mean that whitening takes off, over the valid ones and over all."""
    advantages = list(as_in(UNMASKED).advantages[0])
    masked, everywhere = masked_mean(advantages, KEEP), mean(advantages)
    return Judged(holds(masked == everywhere), {"masked": masked, "everywhere": everywhere})


def _sum_counts(_: Scenario) -> Judged:
    return Judged(holds(sum(KEEP) == EOS + 1), {"mask": list(KEEP), "sum": sum(KEEP), "end": EOS})


def _has_to_be_shifted(_: Scenario) -> Judged:
    """The last valid advantage with the values' mask moved by one, and with it in its place."""
    shifted, right = (valid(as_in(c))[-1] for c in (VERL_OLD, VERL_NEW))
    return Judged(holds(shifted == row(["1"], [VALUES[EOS]])["advantages"][0]), {"shifted": shifted, "right": right})


def _all_end_together(_: Scenario) -> Judged:
    ends = [last_valid(mask) for mask in (KEEP, EVERYWHERE)]
    return Judged(holds(len(set(ends)) == 1), {"ends": ends, "columns": len(KEEP)})


def _rewards_are_zero(_: Scenario) -> Judged:
    mask = [[1, 1, 0]]
    kl = kl_penalties([[-1.0, -1.0, -1.0]], [[-2.0, -1.5, -9.0]], mask, kind="k1")
    rewards = token_rewards([[0.0, 1.0, 0.0]], kl, mask, beta=0.5)[0]
    return Judged(holds(float(rewards[2]) == 0), {"pad": float(rewards[2]), "first": float(rewards[0])})


def _one_can_be_whitened(_: Scenario) -> Judged:
    """A sample variance takes two numbers at least."""
    try:
        whiten([ONE, NONE], (1, 0))
    except EngineError:
        return Judged("false", {"count": 1})
    return Judged("true", {"count": 1})


def _masked_has_no_gradient(_: Scenario) -> Judged:
    """The objective with the ratio of a masked token moved, and of a valid one."""

    def objective(place: int) -> Fraction:
        ratios = [ONE + (t == place) for t in range(len(KEEP))]
        terms = surrogates(ratios, as_in(VERL_NEW).advantages[0], KEEP)
        return Fraction(aggregate([zeroed(terms, KEEP)], [KEEP], Aggregation.TOKEN_MEAN))

    plain, masked, real = (objective(place) for place in (-1, EOS + 1, 0))
    return Judged(holds(masked == plain != real), {"plain": plain, "masked": masked, "real": real})


def _ones_are_none(_: Scenario) -> Judged:
    masked, bare = (list(as_in(c, keep=EVERYWHERE).advantages[0]) for c in (VERL_NEW, UNMASKED))
    return Judged(holds(masked == bare), {"masked": masked[0], "bare": bare[0]})


def _full_row(_: Scenario) -> Judged:
    """A response that fills its row, and one that has stopped before."""
    full, short = (len(kept(VALUES, mask)) for mask in (EVERYWHERE, KEEP))
    return Judged(holds(short < full == len(VALUES)), {"columns": len(VALUES), "full": full, "short": short})


def _ones_over_pads(_: Scenario) -> Judged:
    """The mean of the same advantages, under their mask and under ones."""
    advantages = list(as_in(UNMASKED).advantages[0])
    masked, everywhere = (masked_mean(advantages, mask) for mask in (KEEP, EVERYWHERE))
    return Judged(holds(masked != everywhere), {"masked": masked, "everywhere": everywhere})


def _pads_in_the_mean_kl(_: Scenario) -> Judged:
    kl = [fraction(x) for x in ("0.1", "0.3", "0.2", "5", "7")]
    masked, everywhere = masked_mean(kl, KEEP), mean(kl)
    return Judged(holds(masked == everywhere), {"masked": masked, "everywhere": everywhere})


def _valid_values_change(_: Scenario) -> Judged:
    values = [fraction(v) for v in VALUES]
    before, after = values[: EOS + 1], zeroed(values, KEEP)[: EOS + 1]
    return Judged(holds(before != after), {"before": before, "after": after})


def _drop_the_cut_off(_: Scenario) -> Judged:
    """A response on its way to the full score, cut off without it; and masked as a whole, so that nothing is learnt."""
    values = ["0.5"] * 4
    whole, cut = (row(rewards, values)["advantages"][0] for rewards in ([0, 0, 0, 1], [0, 0, 0, 0]))
    left = kept(surrogates([ONE] * 4, [cut] * 4, (0,) * 4), (0,) * 4)
    return Judged(weighed(cut < 0 < whole, not left), {"whole": whole, "cut": cut, "left": len(left)})


def _first(convention: Convention, hole: bool) -> Fraction:
    return Fraction(as_in(convention, **HOLE).advantages[0][0] if hole else as_in(convention).advantages[0][0])


def _inside_is_better(_: Scenario) -> Judged:
    """The mask in the recursion, and values zeroed before a plain loop: with a hole, and with padding at the end."""
    holes, tails = ([_first(c, hole) for c in (VERL_NEW, OPENRLHF)] for hole in (True, False))
    return Judged(weighed(holes[0] != holes[1], tails[0] == tails[1]), {"holes": holes, "tails": tails})


def _zero_by_itself(_: Scenario) -> Judged:
    """What the critic says behind the end, before any mask."""
    said = [fraction(v) for v in VALUES[EOS + 1 :]]
    return Judged(holds(not any(said)), {"said": said, "masked": zeroed(VALUES, KEEP)[EOS + 1 :]})


STATED: dict[str, Check] = {
    "critic_outputs_zero_after_eos_by_itself": _zero_by_itself,
    "padded_positions_enter_the_policy_loss": _pads_in_the_loss,
    "whitening_counts_the_padding": _pads_in_whitening,
    "sum_of_the_mask_is_the_number_of_tokens": _sum_counts,
    "value_mask_has_to_be_shifted": _has_to_be_shifted,
    "every_response_ends_in_the_last_column": _all_end_together,
    "rewards_are_zero_in_the_padding": _rewards_are_zero,
    "one_valid_token_can_be_whitened": _one_can_be_whitened,
    "masked_tokens_have_no_gradient": _masked_has_no_gradient,
    "a_mask_of_ones_is_like_no_mask": _ones_are_none,
    "mean_kl_counts_the_padding": _pads_in_the_mean_kl,
    "masking_changes_the_valid_values": _valid_values_change,
    "masking_cut_off_responses_is_better": _drop_the_cut_off,
    "mask_in_the_recursion_is_better_than_zeroed_values": _inside_is_better,
    "a_response_cut_at_the_limit_has_a_mask_of_ones": _full_row,
    "ones_over_the_padding_let_it_count": _ones_over_pads,
}
