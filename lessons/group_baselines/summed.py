"""What is summed before a group is compared, who is in the group, and what the losses are divided by."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import groups
from engine.losses import Aggregation, aggregate
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

LENGTHS = ((1, 4), (1, 8))  # of two responses: the second grows
LONGEST = 8
RIGHT, TIDY = (1, 0, 1, 0), (0, 1, 0, 1)  # of four answers to one prompt: two scores that weigh each other out
HARD, EASY = (1, 0, 0, 0), (1, 1, 0, 0)
PROMPTS, SHUFFLED = ("a", "a", "b", "b"), (0, 2, 1, 3)
SCORES = (1, 0, 4, 2)


def _short(xs: Sequence[object]) -> list[float]:
    return [round(float(x), 4) + 0.0 for x in xs]  # type: ignore[arg-type]


def _weight(lengths: Sequence[int], mode: Aggregation) -> float:
    """What a loss of one, at the first response's first token, adds to the whole."""
    masks = [[int(t < length) for t in range(LONGEST)] for length in lengths]
    terms = [[Fraction(int(i == t == 0)) for t in range(LONGEST)] for i in range(len(lengths))]
    return round(float(aggregate(terms, masks, mode, horizon=LONGEST)), 4)


def _constant_divisor(_: Scenario) -> Judged:
    by_constant, by_tokens = (
        [_weight(lengths, mode) for lengths in LENGTHS]
        for mode in (Aggregation.SEQ_MEAN_TOKEN_SUM_NORM, Aggregation.TOKEN_MEAN)
    )
    return Judged(
        holds(by_constant[0] == by_constant[1] and by_tokens[0] != by_tokens[1]),
        {"grown": [lengths[1] for lengths in LENGTHS], "constant": by_constant[0], "tokens": by_tokens},
    )


def _sum_of_scores(_: Scenario) -> Judged:
    """Either score alone tells the answers apart; their sum is the same for all."""
    together = [a + b for a, b in zip(RIGHT, TIDY, strict=True)]
    found = {name: _short(groups.grpo(row, [0] * 4)) for name, row in (("right", RIGHT), ("all", together))}
    return Judged(
        holds(any(found["right"]) and not any(found["all"])),
        {"first": RIGHT, "second": TIDY, "together": together, "alone": found["right"], "found": found["all"]},
    )


def _by_prompt(_: Scenario) -> Judged:
    """The answers in another order: compared by their prompt, and by the places they now stand at."""
    scores, names = [SCORES[i] for i in SHUFFLED], [PROMPTS[i] for i in SHUFFLED]
    straight = _short(groups.grpo(SCORES, PROMPTS))
    back = [SHUFFLED.index(i) for i in range(len(SCORES))]
    named, placed = (_short(groups.grpo(scores, by)) for by in (names, PROMPTS))
    named, placed = [named[i] for i in back], [placed[i] for i in back]
    return Judged(
        holds(close(named, straight) and not close(placed, straight)),
        {"scores": SCORES, "straight": straight, "placed": placed},
    )


def _no_common_factor(_: Scenario) -> Judged:
    """What the two groups' advantages are multiplied by when the division is left out."""
    factors = [float(groups.mean_centred(s, [0] * 4)[0]) / float(groups.grpo(s, [0] * 4)[0]) for s in (HARD, EASY)]
    return Judged(holds(not close(*factors)), {"hard": HARD, "easy": EASY, "factors": [round(f, 4) for f in factors]})


def _over_tokens(_: Scenario) -> Judged:
    """A right answer and a wrong one, and the mean of their advantages over tokens when either is the longer."""
    advantages = groups.grpo((1, 0), [0, 0])

    def mean(lengths: Sequence[int]) -> float:
        masks = [[int(t < length) for t in range(LONGEST)] for length in lengths]
        return round(float(aggregate(groups.share(advantages, masks), masks, Aggregation.TOKEN_MEAN)), 4) + 0.0

    right, wrong, alike = (mean(lengths) for lengths in ((6, 2), (2, 6), (4, 4)))
    return Judged(
        holds(right > 0 > wrong and alike == 0),
        {"advantages": _short(advantages), "long": 6, "short": 2, "right": right, "wrong": wrong, "alike": alike},
    )


SUMMED: dict[str, Check] = {
    "dr_grpo_divides_by_a_constant_length": _constant_divisor,
    "summed_scores_count_by_their_spread_in_the_group": _sum_of_scores,
    "groups_are_formed_by_prompt_before_shuffling": _by_prompt,
    "dropping_the_std_is_no_common_factor": _no_common_factor,
    "mean_advantage_over_tokens_follows_the_lengths": _over_tokens,
}
