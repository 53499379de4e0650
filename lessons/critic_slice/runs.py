"""What learners claim of running the critic and cutting its outputs: how often, along which axis, with which end."""

from __future__ import annotations

from fractions import Fraction

from engine import sequences
from engine.batches import critic_values
from engine.scenario import Scenario
from engine.slices import causal, cut
from lessons._fact import Check, Judged, holds
from lessons._row import row
from lessons._weighed import weighed
from lessons.critic_slice.places import PROMPT, RESPONSE, moved_by, read_places

HERE = 1  # the response token that is looked at
TOKENS = [float(p + 1) for p in range(PROMPT + RESPONSE)]  # all different
UNSHIFTED = list(range(PROMPT, PROMPT + RESPONSE))  # the places of the last outputs


def _cuts_the_batch(_: Scenario) -> Judged:
    """Two rows in: how many come out, and how wide."""
    width = PROMPT + RESPONSE
    kept = critic_values([list(range(width)), list(range(width))], RESPONSE)
    return Judged(holds(len(kept) < 2), {"rows": len(kept), "width": width, "kept": len(kept[0])})


def _prefixes() -> tuple[list[float], list[float]]:
    """The values of one pass over the whole text, and each prefix run by itself."""
    whole = [float(x) for x in cut(causal(TOKENS), RESPONSE)]
    return whole, [float(causal(TOKENS[: PROMPT + t])[-1]) for t in range(RESPONSE)]


def _once_for_each_token(_: Scenario) -> Judged:
    whole, single = _prefixes()
    return Judged(holds(whole != single), {"whole": whole, "single": single})


def _prefix_alone(_: Scenario) -> Judged:
    whole, single = _prefixes()
    return Judged(holds(whole == single), {"whole": whole, "single": single})


def _eos_has_one(_: Scenario) -> Judged:
    """The last response token's column, and where it is read."""
    places = read_places()
    own = PROMPT + RESPONSE - 1
    return Judged(
        holds(len(places) == RESPONSE and places[-1] == own - 1),
        {"count": len(places), "T": RESPONSE, "own": own, "read": places[-1]},
    )


def _exclusive_end(_: Scenario) -> Judged:
    places, last = read_places(), PROMPT + RESPONSE - 1
    return Judged(holds(last not in places and places[-1] == last - 1), {"places": places, "last": last})


def _start_depends_on_the_response(_: Scenario) -> Judged:
    short, long = (read_places(PROMPT + response, response)[0] for response in (RESPONSE, RESPONSE + 5))
    return Judged(holds(short != long), {"short": short, "long": long, "prompt": PROMPT})


def _serves_as_next(_: Scenario) -> Judged:
    """The next values taken from the one list, beside the outputs at the tokens themselves."""
    outputs = causal(TOKENS)
    following = sequences.next_values(cut(outputs, RESPONSE))[:-1]
    at_tokens = cut(outputs, RESPONSE, 1)[:-1]
    return Judged(holds(following == at_tokens), {"next": following, "at": at_tokens})


def _shifted_mask(_: Scenario) -> Judged:
    """Two tokens and padding: the value read at EOS zeroed, as it should be, and kept, as the shifted mask does."""

    def first(after: str, lam: str) -> Fraction:
        return row(["0", "1", "0"], ["0.5", "0.6", after], lam=lam)["advantages"][0]

    one, half = ([first(after, lam) for after in ("0", "0.8")] for lam in ("1", "0.5"))
    harmless, harmful = one[0] == one[1], half[0] != half[1]
    return Judged("depends" if harmless and harmful else holds(harmless), {"one": one, "half": half})


def _previous_token_moves_it(_: Scenario) -> Judged:
    moved = moved_by(PROMPT + HERE - 1)
    later = moved_by(PROMPT + HERE)
    return Judged(holds(HERE in moved and HERE not in later), {"t": HERE, "previous": moved, "own": later})


def _all_positions(_: Scenario) -> Judged:
    outputs = causal(TOKENS)
    return Judged(
        holds(len(outputs) == PROMPT + RESPONSE),
        {"count": len(outputs), "prompt": PROMPT, "T": RESPONSE, "kept": len(cut(outputs, RESPONSE))},
    )


def _later_pair(_: Scenario) -> Judged:
    """Which states' values the first δ would read in the list that isn't shifted: counted by the tokens they hold."""
    right, late = ([len(TOKENS[: p + 1]) - PROMPT for p in places[:2]] for places in (read_places(), UNSHIFTED))
    return Judged(holds(late == [t + 1 for t in right]), {"right": right, "late": late})


def _prompts_is_lost(_: Scenario) -> Judged:
    own = PROMPT - 1
    return Judged(holds(own not in UNSHIFTED and own in read_places()), {"place": own, "unshifted": UNSHIFTED})


def _last_is_terminal(_: Scenario) -> Judged:
    """How many tokens the last entry's state lacks, shifted and not."""
    lacks = [PROMPT + RESPONSE - 1 - places[-1] for places in (read_places(), UNSHIFTED)]
    return Judged(holds(lacks == [1, 0]), {"shifted": lacks[0], "unshifted": lacks[1]})


def _changes_the_numbers(_: Scenario) -> Judged:
    outputs = causal(TOKENS)
    kept = cut(outputs, RESPONSE)
    return Judged(holds([outputs[p] for p in read_places()] != kept), {"outputs": outputs, "kept": kept})


def _without_padding_is_better(_: Scenario) -> Judged:
    """How many places of a batch are padding: rows of different lengths, and of one length."""
    spared = [sum(max(row) - n for n in row) for row in ([2, 6], [4, 4])]
    return Judged(weighed(spared[0] > 0, spared[1] == 0), {"unequal": spared[0], "equal": spared[1]})


RUNS: dict[str, Check] = {
    "outputs_before_the_slice_cover_prompt_and_response": _all_positions,
    "without_the_shift_delta_reads_later_values": _later_pair,
    "without_the_shift_the_prompts_value_is_lost": _prompts_is_lost,
    "without_the_shift_the_last_entry_is_terminal": _last_is_terminal,
    "slice_changes_the_numbers": _changes_the_numbers,
    "cutting_without_padding_is_better": _without_padding_is_better,
    "slice_cuts_the_batch": _cuts_the_batch,
    "critic_runs_once_for_each_token": _once_for_each_token,
    "prefix_alone_gives_the_same_value": _prefix_alone,
    "eos_has_a_value": _eos_has_one,
    "end_of_the_slice_is_exclusive": _exclusive_end,
    "first_place_depends_on_the_response_length": _start_depends_on_the_response,
    "same_list_serves_as_next_values": _serves_as_next,
    "shifted_mask_is_harmless": _shifted_mask,
    "value_moves_with_the_previous_token": _previous_token_moves_it,
}
