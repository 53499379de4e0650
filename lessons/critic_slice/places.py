"""What learners claim of single places: which output is read, what a token moves, how else the slice is written."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import mistakes, quantities
from engine.batches import critic_values
from engine.conventions import VERL_NEW, Rollout, run
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.formulas import squared_error
from engine.ops import Number
from engine.scenario import Scenario
from engine.slices import causal, cut, sees
from engine.world import World, small
from lessons._compare import close
from lessons._fact import Check, Judged, holds

PROMPT, RESPONSE = 4, 3  # tokens
ONES = [1.0] * (PROMPT + RESPONSE)


def _world() -> World:
    return small(lambda _name, x: Fraction(str(x)))


def read_places(length: int = PROMPT + RESPONSE, response: int = RESPONSE) -> list[Any]:
    return list(critic_values([list(range(length))], response)[0])


def moved_by(place: int, outputs: Any = causal) -> list[int]:
    """Which values are others once the token at a place is another."""
    other = [x + float(p == place) for p, x in enumerate(ONES)]
    rows = (cut(outputs(tokens), RESPONSE) for tokens in (ONES, other))
    return [t for t, (a, b) in enumerate(zip(*rows, strict=True)) if a != b]


def _in_both_directions(tokens: Sequence[Number]) -> list[Number]:
    """A stand-in for an encoder: every output is made of all tokens."""
    return [sum(tokens) for _ in tokens]


def _prompt_moves_every_value(_: Scenario) -> Judged:
    moved = moved_by(0)
    return Judged(holds(len(moved) == RESPONSE), {"count": len(moved), "T": RESPONSE})


def _token_moves_only_later_values(_: Scenario) -> Judged:
    moved = moved_by(PROMPT + 1)
    return Judged(holds(moved == [t for t in range(RESPONSE) if t > 1]), {"token": 1, "moved": moved, "T": RESPONSE})


def _encoder_would_do(_: Scenario) -> Judged:
    """The last response token's values under attention in both directions."""
    seen, causally = moved_by(PROMPT + RESPONSE - 1, _in_both_directions), moved_by(PROMPT + RESPONSE - 1)
    return Judged(holds(not seen), {"both": len(seen), "causal": len(causally), "T": RESPONSE})


def _last_outputs_are_the_next_values(_: Scenario) -> Judged:
    outputs = causal(list(range(1, PROMPT + RESPONSE + 1)))
    right, late = cut(outputs, RESPONSE), cut(outputs, RESPONSE, 1)
    return Judged(holds(late[:-1] == right[1:]), {"right": right, "late": late})


def _late_baseline_is_biased(_: Scenario) -> Judged:
    """Σ p ∂log p · baseline over the first token, for a baseline that knows the token and for one that does not."""
    world = _world()
    p = world.chances[0]
    slopes = [1 - p, -p]  # of the log-probabilities of both tokens, by the first one's logit

    def pulled(baselines: list[Any]) -> Any:
        return sum(q * s * b for q, s, b in zip(world.chances, slopes, baselines, strict=True))

    late, right = pulled([world.value((0,)), world.value((1,))]), pulled([world.value(())] * 2)
    return Judged(holds(late != 0 and right == 0), {"late": late, "right": right})


def _critic_adapts(_: Scenario) -> Judged:
    """A critic trained where it knows the token learns Q; what is left of the token's advantage then."""
    world = _world()
    right = [world.q((), a) - world.value(()) for a in range(2)]
    adapted = [world.q((), a) - world.q((), a) for a in range(2)]
    return Judged(holds(adapted == right), {"right": right, "adapted": adapted})


def _only_the_critic_suffers(_: Scenario) -> Judged:
    right = exact_facts(quantities.gae, RUNNING)["advantages"]
    wrong = mistakes.run("values_shift_right", RUNNING).exact["advantages"]
    return Judged(holds(close(right, wrong)), {"right": right[1], "wrong": wrong[1]})


def _inner_prompt_enters_nothing(_: Scenario) -> Judged:
    """Each output in turn is another: does any kept value notice?"""
    outputs = [0.0] * (PROMPT + RESPONSE)
    noticed = [
        p
        for p in range(PROMPT - 1)
        if cut([x + float(i == p) for i, x in enumerate(outputs)], RESPONSE) != cut(outputs, RESPONSE)
    ]
    return Judged(holds(not noticed), {"inner": PROMPT - 1, "noticed": len(noticed), "prompt": PROMPT})


def _last_output_is_the_bootstrap(_: Scenario) -> Judged:
    found = exact_facts(quantities.gae, RUNNING)
    with_it = mistakes.run("bootstrap_after_the_end", RUNNING).exact["deltas"][-1]
    return Judged(
        holds(found["deltas"][-1] == with_it),
        {"delta": found["deltas"][-1], "reward": found["rewards"][-1], "value": found["values"][-1], "other": with_it},
    )


def _cut_off_responses_bootstrap(_: Scenario) -> Judged:
    """A response without an end: every place is a token, and nothing stands behind."""
    rewards, values = [[0.0, 0.0, 0.0]], [[0.5, 0.5, 0.5]]
    last = run(Rollout(rewards, values, [[1, 1, 1]]), VERL_NEW, gamma=1.0, lam=1.0).advantages[0][-1]
    return Judged(holds(close(last, 0.0)), {"last": last, "value": values[0][-1], "reward": rewards[0][-1]})


def _width_is_the_batch_s(_: Scenario) -> Judged:
    """Two rows of one batch, of three and of two real tokens."""
    rows = critic_values([list(range(PROMPT + RESPONSE))] * 2, RESPONSE)
    real = [RESPONSE, RESPONSE - 1]
    widths = [len(row) for row in rows]
    return Judged(holds(widths[0] == widths[1] and real[0] != real[1]), {"real": real, "widths": widths})


def _right_padded_prompts_would_break_it(_: Scenario) -> Judged:
    """A prompt of three and one place of padding, on either side: is the place before the response a real token?"""
    sides = {"left": [0, 1, 1, 1], "right": [1, 1, 1, 0]}
    place = read_places()[0]
    return Judged(
        holds(sides["left"][place] == 1 and sides["right"][place] == 0),
        {"place": place, "left": sides["left"], "right": sides["right"]},
    )


def _spelled(program: Any) -> Check:
    """Another spelling of the slice, run on outputs that say where they stand."""

    def check(_: Scenario) -> Judged:
        other = program(list(range(PROMPT + RESPONSE)))
        return Judged(
            holds(other == read_places()), {"other": other, "slice": read_places(), "prompt": PROMPT, "T": RESPONSE}
        )

    return check


def _first_value_can_be_nought(_: Scenario) -> Judged:
    values = list(RUNNING.rows("values")[0])
    right, without = (
        exact_facts(quantities.gae, RUNNING.merged({"values": row}))["advantages"][0]
        for row in (values, [0.0, *values[1:]])
    )
    return Judged(holds(right == without), {"value": values[0], "right": right, "without": without})


def _shifted_back(_: Scenario) -> Judged:
    right = exact_facts(quantities.gae, RUNNING)["deltas"]
    wrong = mistakes.run("values_shift_left", RUNNING).exact["deltas"]
    return Judged(holds(close(right, wrong)), {"right": right[-1], "wrong": wrong[-1]})


def _drops_the_eos(_: Scenario) -> Judged:
    """A row that ends one place before the batch does: what stands at the place that is dropped."""
    tokens = [*(f"p{i}" for i in range(PROMPT)), "y", "eos", "pad"]
    dropped, kept = tokens[-1], [tokens[p] for p in read_places()]
    return Judged(holds(dropped == "eos"), {"kept": kept.count("eos"), "dropped": tokens.index(dropped), "T": RESPONSE})


def _extra_place_is_for_bos(_: Scenario) -> Judged:
    first = read_places()[0]
    return Judged(holds(first == 0), {"first": first, "prompt": PROMPT})


def _single_token(_: Scenario) -> Judged:
    read = read_places(PROMPT + 1, 1)
    return Judged(holds(read == [PROMPT - 1]), {"read": read, "prompt": PROMPT})


PLACES: dict[str, Check] = {
    "prompt_moves_every_value": _prompt_moves_every_value,
    "changing_a_token_changes_only_later_values": _token_moves_only_later_values,
    "a_bidirectional_critic_could_use_the_slice": _encoder_would_do,
    "last_outputs_are_the_values_of_the_next_states": _last_outputs_are_the_next_values,
    "late_values_bias_the_policy_gradient": _late_baseline_is_biased,
    "a_critic_trained_with_the_shift_makes_up_for_it": _critic_adapts,
    "wrong_slice_hurts_only_the_critic": _only_the_critic_suffers,
    "inner_prompt_outputs_enter_nothing": _inner_prompt_enters_nothing,
    "dropped_output_is_needed_as_bootstrap": _last_output_is_the_bootstrap,
    "verl_bootstraps_cut_off_responses": _cut_off_responses_bootstrap,
    "response_length_is_the_padded_width": _width_is_the_batch_s,
    "slice_needs_prompts_padded_on_the_left": _right_padded_prompts_would_break_it,
    "drop_the_last_then_take_the_last_places_is_the_same": _spelled(lambda row: row[:-1][-RESPONSE:]),
    "trl_cuts_the_same_values": _spelled(lambda row: row[PROMPT - 1 : -1]),
    "from_the_prompts_length_to_the_end_is_the_same": _spelled(lambda row: row[PROMPT:]),
    "first_value_can_be_set_to_zero": _first_value_can_be_nought,
    "values_must_be_shifted_back_before_gae": _shifted_back,
    "minus_one_is_there_to_drop_eos": _drops_the_eos,
    "extra_place_is_for_a_start_token": _extra_place_is_for_bos,
    "single_token_response_has_the_prompts_value": _single_token,
}


def _prediction_needs_the_slice(_: Scenario) -> Judged:
    """With exact values, nothing left to chance: the squared error at each token for the slice and one place late."""
    returns = [Fraction(1), Fraction(4, 5), Fraction(1, 2)]
    late = [*returns[1:], Fraction(0)]
    loss = [sum(squared_error(v, r) for v, r in zip(row, returns, strict=True)) for row in (returns, late)]
    return Judged(holds(loss[0] == 0 and loss[1] > 0), {"right": loss[0], "late": loss[1]})


def _returns_are_cut_too(_: Scenario) -> Judged:
    found = exact_facts(quantities.gae, RUNNING)
    rows = zip(found["returns"], found["advantages"], found["values"], strict=True)
    made = all(close(r, a + v) for r, a, v in rows) and len(found["returns"]) == RUNNING.length
    return Judged(
        holds(not made),
        {"target": found["returns"][0], "advantage": found["advantages"][0], "value": found["values"][0]},
    )


def _rewards_are_cut_alike(_: Scenario) -> Judged:
    """A score at the response's last place, cut with the critic's slice."""
    row = [0.0] * (PROMPT + RESPONSE - 1) + [1.0]
    kept, lost = sum(cut(row, RESPONSE, 1)), sum(cut(row, RESPONSE))
    return Judged(holds(lost == kept), {"score": row[-1], "kept": kept, "left": lost})


def _mask_is_the_last_places(_: Scenario) -> Judged:
    attention = [1] * (PROMPT + RESPONSE - 1) + [0]
    real = RESPONSE - 1
    plain, shifted = sum(cut(attention, RESPONSE, 1)), sum(cut(attention, RESPONSE))
    return Judged(holds(plain == real != shifted), {"real": real, "plain": plain, "shifted": shifted})


def _siblings_share_the_first(_: Scenario) -> Judged:
    """No response token moves the first value."""
    moved = [t for t in range(RESPONSE) if 0 in moved_by(PROMPT + t)]
    return Judged(holds(not moved), {"T": RESPONSE, "moved": len(moved)})


def _common_beginning(_: Scenario) -> Judged:
    """Two responses that part at their last token."""
    one, other = ([*[1.0] * (PROMPT + RESPONSE - 1), last] for last in (1.0, 2.0))
    values = [cut(causal(row), RESPONSE) for row in (one, other)]
    same = sum(a == b for a, b in zip(*values, strict=True))
    return Judged(holds(same == RESPONSE), {"common": RESPONSE - 1, "same": same})


def _score_moves_the_values(_: Scenario) -> Judged:
    more = RUNNING.merged({"scores": [*(RUNNING.scores or ())[:-1], 5.0]})
    before, after = (exact_facts(quantities.gae, own) for own in (RUNNING, more))
    return Judged(
        holds(before["values"] != after["values"]),
        {"value": after["values"][-1], "before": before["deltas"][-1], "after": after["deltas"][-1]},
    )


def _value_is_a_vocabulary_long(_: Scenario) -> Judged:
    """One state: a chance for each word of the vocabulary, one value."""
    world = _world()
    values = {world.value(())}
    return Judged(holds(len(values) == len(world.chances)), {"words": len(world.chances), "values": len(values)})


def _per_sequence(_: Scenario) -> Judged:
    """Newer verl cuts every sequence without its padding: [end − L − 1 : end − 1]; beside the padded row's slice."""
    real = RESPONSE - 1
    tokens = list(range(PROMPT + real))
    own, padded = tokens[len(tokens) - real - 1 : len(tokens) - 1], read_places()[:real]
    return Judged(holds(own == padded), {"own": own, "padded": padded})


def _earlier_tokens_count(_: Scenario) -> Judged:
    row = sees(PROMPT, RESPONSE)[-1]
    return Judged(holds(sum(row) == RESPONSE - 1), {"earlier": RESPONSE - 1, "seen": sum(row)})


PLACES |= {
    "predictions_in_the_update_use_the_same_slice": _prediction_needs_the_slice,
    "returns_need_a_slice_of_their_own": _returns_are_cut_too,
    "rewards_are_cut_with_the_same_slice": _rewards_are_cut_alike,
    "response_mask_is_the_last_places_unshifted": _mask_is_the_last_places,
    "responses_to_one_prompt_share_the_first_value": _siblings_share_the_first,
    "values_agree_as_far_as_the_texts_do": _common_beginning,
    "critic_reads_the_score": _score_moves_the_values,
    "critic_gives_a_number_for_every_word": _value_is_a_vocabulary_long,
    "cutting_each_sequence_without_padding_agrees": _per_sequence,
    "value_depends_on_the_earlier_response_tokens": _earlier_tokens_count,
}
