"""What the losses are divided by: how much a token, and a response, adds to the whole."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.losses import Aggregation, aggregate
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import judged

LONG, SHORT = 4, 1  # tokens of two responses
GROWN = (4, 8)  # of a response beside one of a single token


def _weights(lengths: Sequence[int], mode: Aggregation) -> list[Fraction]:
    """What a loss of one at a response's first token adds, response by response."""
    longest = max(*lengths, *GROWN)
    masks = [[int(t < length) for t in range(longest)] for length in lengths]

    def whole(response: int) -> Fraction:
        terms = [[Fraction(row == response and t == 0) for t in range(longest)] for row in range(len(lengths))]
        return Fraction(aggregate(terms, masks, mode, horizon=longest))

    return [whole(response) for response in range(len(lengths))]


def _by_response(_: Scenario) -> Judged:
    long, short = _weights((LONG, SHORT), Aggregation.SEQ_MEAN_TOKEN_MEAN)
    return Judged(holds(long < short), {"long": long, "short": short, "count": LONG})


def _by_token(_: Scenario) -> Judged:
    long, short = _weights((LONG, SHORT), Aggregation.TOKEN_MEAN)
    return Judged(holds(long == short), {"long": long, "short": short})


def _shares(mode: Aggregation) -> list[Fraction]:
    """Of the whole of a response."""
    return [length * weight for length, weight in zip((LONG, SHORT), _weights((LONG, SHORT), mode), strict=True)]


def _long_weighs_more(_: Scenario) -> Judged:
    token, response = (_shares(mode) for mode in (Aggregation.TOKEN_MEAN, Aggregation.SEQ_MEAN_TOKEN_MEAN))
    return judged([long > short for long, short in (token, response)], length=LONG, token=token, response=response)


def _long_always_weighs_more(_: Scenario) -> Judged:
    response = _shares(Aggregation.SEQ_MEAN_TOKEN_MEAN)
    return Judged(holds(response[0] > response[1]), {"length": LONG, "response": response})


def _constant_divisor(_: Scenario) -> Judged:
    by_constant, by_tokens = (
        [round(float(_weights((SHORT, length), mode)[0]), 4) for length in GROWN]
        for mode in (Aggregation.SEQ_MEAN_TOKEN_SUM_NORM, Aggregation.TOKEN_MEAN)
    )
    return Judged(
        holds(by_constant[0] == by_constant[1] and by_tokens[0] != by_tokens[1]),
        {"grown": list(GROWN), "constant": by_constant[0], "tokens": by_tokens},
    )


WEIGHTS: dict[str, Check] = {
    "sequence_mean_gives_tokens_of_long_responses_less": _by_response,
    "token_mean_weighs_all_tokens_alike": _by_token,
    "long_responses_weigh_more": _long_weighs_more,
    "long_responses_always_weigh_more": _long_always_weighs_more,
    "dr_grpo_divides_by_a_constant_length": _constant_divisor,
}
