"""More of what learners claim about the slice: what it keeps, what it counts from, what a place off does."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.batches import critic_values
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario
from engine.slices import sees
from engine.world import in_place, mean_deltas, one_early, small
from lessons._fact import Check, Judged, holds

PROMPT, RESPONSE = 4, 3  # tokens


def _positions(prompt: int, length: int) -> list[Any]:
    """Where the values of a response are read, the prompt's first token being at 0."""
    return list(critic_values([list(range(prompt + length))], length)[0])


def _keeps_every_prompt_value(_: Scenario) -> Judged:
    read = _positions(PROMPT, RESPONSE)
    of_prompt = [p for p in read if p < PROMPT]
    return Judged(holds(len(of_prompt) == PROMPT), {"prompt": PROMPT, "count": len(of_prompt), "read": len(read)})


def _one_number_per_response(_: Scenario) -> Judged:
    read = _positions(PROMPT, RESPONSE)
    return Judged(holds(len(read) == 1), {"count": len(read), "outputs": PROMPT + RESPONSE})


def _as_the_log_probabilities(_: Scenario) -> Judged:
    """A token's logits stand one place before it."""
    predicting = [PROMPT + t - 1 for t in range(RESPONSE)]
    read = _positions(PROMPT, RESPONSE)
    return Judged(holds(read == predicting), {"values": read, "logits": predicting})


def _last_value_has_seen_everything(_: Scenario) -> Judged:
    seen = sees(PROMPT, RESPONSE)[-1]
    return Judged(holds(all(seen)), {"seen": sum(seen), "T": RESPONSE})


def _one_pass_shows_later_tokens(_: Scenario) -> Judged:
    later = [seen for t, row in enumerate(sees(PROMPT, RESPONSE)) for seen in row[t:]]
    return Judged(holds(any(later)), {"later": sum(later), "pairs": len(later)})


def _two_early_does_as_well(_: Scenario) -> Judged:
    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        return {"right": mean_deltas(world, in_place), "early": mean_deltas(world, one_early)}

    found = exact_facts(program, Scenario())
    return Judged(holds(not any(found["early"])), {"right": found["right"], "early": found["early"]})


def _counts_from_the_start(_: Scenario) -> Judged:
    """The places counted from the end, for two prompts."""
    short, long = ([p - prompt - RESPONSE for p in _positions(prompt, RESPONSE)] for prompt in (PROMPT, 9 * PROMPT))
    return Judged(holds(short != long), {"short": PROMPT, "long": 9 * PROMPT, "places": short})


def _removes_padding(_: Scenario) -> Judged:
    """A row whose last token is padding keeps its width."""
    mask = [1] * (RESPONSE - 1) + [0]
    kept = len(_positions(PROMPT, RESPONSE))
    return Judged(holds(kept == sum(mask)), {"kept": kept, "valid": sum(mask)})


def _late_is_harmless_at_one(_: Scenario) -> Judged:
    own = RUNNING.merged({"lam": 1.0})
    right = exact_facts(quantities.gae, own)["advantages"][0]
    wrong = mistakes.run("values_shift_right", own).exact["advantages"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _from_prompts_end(_: Scenario) -> Judged:
    """The slice by negative indices, and by places counted from the start."""
    outputs = list(range(PROMPT + RESPONSE))
    spelled = outputs[PROMPT - 1 : PROMPT + RESPONSE - 1]
    return Judged(holds(_positions(PROMPT, RESPONSE) == spelled), {"places": spelled, "prompt": PROMPT, "T": RESPONSE})


def _needs_a_prompt(_: Scenario) -> Judged:
    """With one prompt token there is a place for V_0; how many places are before it."""
    read = _positions(1, RESPONSE)
    return Judged(holds(read[0] != 0), {"first": read[0], "count": len(read)})


def _width_is_one_more(_: Scenario) -> Judged:
    """−T−1 sounds like T + 1 entries; the end takes one off."""
    count = len(_positions(PROMPT, RESPONSE))
    return Judged(holds(count == RESPONSE + 1), {"T": RESPONSE, "count": count})


MORE: dict[str, Check] = {
    "slice_keeps_values_of_all_prompt_tokens": _keeps_every_prompt_value,
    "critic_gives_one_number_per_response": _one_number_per_response,
    "values_are_cut_like_log_probabilities": _as_the_log_probabilities,
    "last_value_has_seen_the_whole_answer": _last_value_has_seen_everything,
    "one_pass_lets_values_see_later_tokens": _one_pass_shows_later_tokens,
    "cutting_one_place_earlier_still_works": _two_early_does_as_well,
    "slice_depends_on_the_prompt_length": _counts_from_the_start,
    "slice_removes_the_padding": _removes_padding,
    "late_values_are_harmless_at_lambda_one": _late_is_harmless_at_one,
    "slice_runs_from_the_prompts_last_place": _from_prompts_end,
    "slice_fails_for_a_prompt_of_one_token": _needs_a_prompt,
    "slice_has_one_value_too_many": _width_is_one_more,
}
