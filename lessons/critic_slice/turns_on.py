"""What is said of the slice without the condition it turns on: versions, padding, lengths, which token."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import sequences
from engine.conventions import VERL_NEW, VERL_OLD, Convention, Rollout, Whitening, run
from engine.scenario import Scenario
from engine.slices import causal, cut, sees
from lessons._fact import Check, Judged
from lessons._trials import judged, rational
from lessons._turns import always
from lessons.critic_slice.places import ONES, PROMPT, RESPONSE, moved_by, read_places
from lessons.critic_slice.runs import RUNS

OUTPUTS = rational(["1/2", "3/5", "4/5"])  # of the critic, at three places of a row
ENDED, FULL = [1, 1, 0], [1, 1, 1]


def _kept(convention: Convention, mask: list[int]) -> list[Fraction]:
    """The values that the recursion of this version is given."""
    rollout = Rollout([rational([0, 1, 0])], [OUTPUTS], [mask])
    plain = replace(convention, whitening=Whitening.NONE)
    return list(run(rollout, plain, gamma=Fraction(1), lam=Fraction(1)).values[0])


def _after_eos(_: Scenario) -> Judged:
    old, new = (_kept(version, ENDED)[-1] for version in (VERL_OLD, VERL_NEW))
    return judged([v != 0 for v in (old, new)], old=old, new=new)


def _only_the_old_keeps_it(_: Scenario) -> Judged:
    old, new = (_kept(version, ENDED)[-1] for version in (VERL_OLD, VERL_NEW))
    return judged(old != 0 and new == 0, old=old, new=new)


def _mask_is_shifted(_: Scenario) -> Judged:
    """How many values each version leaves of a response of two tokens in a wider row."""
    counts = [sum(v != 0 for v in _kept(version, ENDED)) for version in (VERL_OLD, VERL_NEW)]
    return judged([n > sum(ENDED) for n in counts], old=counts[0], new=counts[1], tokens=sum(ENDED))


def _versions_agree(_: Scenario) -> Judged:
    found: dict[str, Any] = {}
    for name, mask in (("full", FULL), ("ended", ENDED)):
        found[name] = [_kept(version, mask)[-1] for version in (VERL_OLD, VERL_NEW)]
    return judged([old == new for old, new in found.values()], **found)


def _fits_padded_prompts(_: Scenario) -> Judged:
    """A prompt with one place of padding on either side: what stands where the first value is read."""
    left, right = [0, *[1] * (PROMPT - 1)], [*[1] * (PROMPT - 1), 0]
    place = read_places()[0]
    return judged([row[place] == 1 for row in (left, right)], place=place, left=left, right=right)


def _last_column(_: Scenario) -> Judged:
    """Which column the last real token has: in a row that it fills, and in one that ends earlier."""
    last = [sum(mask) - 1 for mask in (FULL, ENDED)]
    return judged([t == len(FULL) - 1 for t in last], column=len(FULL) - 1, full=last[0], ended=last[1])


def _count_the_tokens(_: Scenario) -> Judged:
    counts = [sum(mask) for mask in (FULL, ENDED)]
    return judged([n == len(OUTPUTS) for n in counts], columns=len(OUTPUTS), full=counts[0], ended=counts[1])


def _late_of_the_same_shape(_: Scenario) -> Judged:
    outputs = causal(list(range(1, PROMPT + RESPONSE + 1)))
    right, late = cut(outputs, RESPONSE), cut(outputs, RESPONSE, 1)
    return judged(len(late) == len(right) and late[:-1] == sequences.next_values(right)[:-1], right=right, late=late)


def _causal_sees_later(_: Scenario) -> Judged:
    """The places whose output is another once the last token is another."""
    moved = moved_by(PROMPT + RESPONSE - 1)
    return judged(bool(moved), moved=len(moved), count=RESPONSE)


def _sees_its_own(_: Scenario) -> Judged:
    """The first place whose output is another once the token there is."""
    before, after = (causal([x + float(p == PROMPT) * by for p, x in enumerate(ONES)]) for by in (0, 1))
    first = next(p for p, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
    return judged(first == PROMPT, place=PROMPT, first=first)


def _token_changes_values(_: Scenario) -> Judged:
    """An earlier response token, and the last."""
    early, last = moved_by(PROMPT), moved_by(PROMPT + RESPONSE - 1)
    return judged([bool(moved) for moved in (early, last)], early=len(early), last=len(last), count=RESPONSE)


def _has_seen_the_response(_: Scenario) -> Judged:
    seen = [int(sum(row)) for row in sees(PROMPT, RESPONSE)]
    return judged([n > 0 for n in seen], seen=seen)


def _harmless_at_one(scenario: Scenario) -> Judged:
    found = RUNS["shifted_mask_is_harmless"](scenario).found
    return judged(found["one"][0] == found["one"][1], **found)


def _harmless_below(scenario: Scenario) -> Judged:
    found = RUNS["shifted_mask_is_harmless"](scenario).found
    return judged(found["half"][0] == found["half"][1], **found)


TURNS_ON: dict[str, Check] = {
    "value_after_eos_is_kept": _after_eos,
    "only_old_verl_keeps_the_value_after_eos": _only_the_old_keeps_it,
    "verls_value_mask_is_shifted": _mask_is_shifted,
    "old_and_new_verl_have_the_same_values": _versions_agree,
    "slice_fits_padded_prompts": _fits_padded_prompts,
    "last_column_is_the_last_tokens_value": _last_column,
    "values_are_as_many_as_real_tokens": _count_the_tokens,
    "every_version_keeps_the_value_after_eos": always(_after_eos),
    "every_token_changes_some_value": always(_token_changes_values),
    "every_value_has_seen_the_response": always(_has_seen_the_response),
    "last_column_is_always_the_last_tokens_value": always(_last_column),
    "shifted_mask_is_harmless_at_lambda_one": _harmless_at_one,
    "shifted_mask_is_harmless_below_lambda_one": _harmless_below,
    "last_outputs_have_the_shape_and_come_late": _late_of_the_same_shape,
    "a_causal_output_sees_later_tokens": _causal_sees_later,
    "an_output_sees_the_token_at_its_own_place": _sees_its_own,
    "changing_a_token_changes_the_values": _token_changes_values,
    "values_have_seen_response_tokens": _has_seen_the_response,
}
