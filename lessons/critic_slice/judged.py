"""What learners claim of what the slice cuts off, of what each value has seen, and of masking what is left."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from engine.batches import critic_values
from engine.conventions import VERL_NEW, VERL_OLD, Convention, Rollout, Whitening, run
from engine.scenario import Scenario
from engine.slices import causal, cut, sees
from lessons._fact import Check, Judged, holds
from lessons.critic_slice.places import ONES, PROMPT, RESPONSE

WIDTH = PROMPT + RESPONSE


def _places(width: int = WIDTH) -> list[int]:
    return list(critic_values([list(range(width))], RESPONSE)[0])


def _must_be_masked(_: Scenario) -> Judged:
    """A number left behind the end, under a loop that skips masked places and under the older one."""
    zero, one, junk = Fraction(0), Fraction(1), Fraction(5)

    def first(convention: Convention, after: Fraction) -> Fraction:
        rollout = Rollout([[zero, one, zero, zero]], [[zero, zero, after, after]], [[1, 1, 0, 0]])
        plain = replace(convention, whitening=Whitening.NONE)
        return Fraction(run(rollout, plain, gamma=one, lam=Fraction(1, 2)).returns[0][0])

    old, new = ((first(c, zero), first(c, junk)) for c in (VERL_OLD, VERL_NEW))
    matters, idle = old[0] != old[1], new[0] == new[1]
    return Judged("depends" if matters and idle else holds(matters), {"old": list(old), "new": list(new)})


def _drops(_: Scenario) -> Judged:
    dropped = [p for p in range(WIDTH) if p not in _places()]
    expected = [*range(PROMPT - 1), WIDTH - 1]
    return Judged(holds(dropped == expected), {"dropped": dropped, "kept": _places(), "P": PROMPT, "R": RESPONSE})


def _end_drops_the_first(_: Scenario) -> Judged:
    row = list(range(WIDTH))
    left = set(row) - set(row[:-1])
    return Judged(holds(left == {0}), {"left": sorted(left), "last": WIDTH - 1})


def _has_seen_t_tokens(_: Scenario) -> Judged:
    seen = [int(sum(row)) for row in sees(PROMPT, RESPONSE)]
    return Judged(holds(seen == list(range(RESPONSE))), {"seen": seen})


def _last_token_moves(_: Scenario) -> Judged:
    other = [*ONES[:-1], 9.0]
    before, after = (cut(causal(tokens), RESPONSE) for tokens in (ONES, other))
    moved = [t for t, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    return Judged(holds(bool(moved)), {"moved": len(moved), "before": before[-1], "after": after[-1]})


def _longer_prompt(_: Scenario) -> Judged:
    short, long = _places(), _places(WIDTH + 5)
    return Judged(holds(len(long) > len(short)), {"short": len(short), "long": len(long), "first": long[0]})


JUDGED: dict[str, Check] = {
    "values_must_be_masked_after_the_slice": _must_be_masked,
    "slice_drops_the_inner_prompt_and_the_last_output": _drops,
    "minus_one_at_the_end_drops_the_first_output": _end_drops_the_first,
    "value_t_has_seen_t_response_tokens": _has_seen_t_tokens,
    "last_token_moves_a_value": _last_token_moves,
    "longer_prompt_makes_more_values": _longer_prompt,
}
