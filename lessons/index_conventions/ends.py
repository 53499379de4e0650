"""What learners claim of the ends of the lists: the first state, the last token, padding, limits of sums, exponents."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.masks import last_valid
from engine.rewards import place_score
from engine.scenario import Scenario
from engine.slices import sees
from lessons._fact import Check, Judged, holds
from lessons.index_conventions.steps import HALF, HERE, ONE, PROMPT, RESPONSE, example, moved


def _terminal_in_one_based(_: Scenario) -> Judged:
    """The states named from 1: what stands behind the last token, and its name."""
    values = dict(enumerate([*example()["values"], 0], start=1))
    name = max(values)
    return Judged(
        holds(name == RUNNING.length + 1 and values[name] == 0), {"T": RUNNING.length, "name": name, "v": values[name]}
    )


def _first_state_is_the_prompt(_: Scenario) -> Judged:
    """How many response tokens the first value has seen."""
    seen = sees(PROMPT, RESPONSE)[0]
    return Judged(holds(not any(seen)), {"seen": sum(seen), "prompt": PROMPT})


def _first_delta_reads_the_prompts(_: Scenario) -> Judged:
    touching = [t for t in range(RUNNING.length) if 0 in moved("deltas", "values", t)]
    return Judged(holds(touching == [0, 1]), {"indices": touching})


def _last_delta_reads_one(_: Scenario) -> Judged:
    last = RUNNING.length - 1
    touching = [t for t in range(RUNNING.length) if last in moved("deltas", "values", t)]
    return Judged(holds(touching == [last]), {"last": last, "count": len(touching)})


def _position_in_the_sequence(_: Scenario) -> Judged:
    whole = list(range(PROMPT + RESPONSE))
    responses = whole[-RESPONSE:]
    return Judged(
        holds(all(responses[t] == PROMPT + t for t in range(RESPONSE))),
        {"prompt": PROMPT, "places": responses, "T": RESPONSE},
    )


def _states_and_tokens(_: Scenario) -> Judged:
    tokens = RUNNING.tokens or ()
    states = [tokens[:t] for t in range(len(tokens) + 1)]
    return Judged(
        holds(len(states) == len(tokens) + 1),
        {"states": len(states), "tokens": len(tokens), "values": len(example()["values"])},
    )


def _score_at_minus_one(_: Scenario) -> Judged:
    mask = [1, 1, 0]
    placed = place_score(ONE, mask)
    return Judged(holds(placed[-1] == 1), {"mask": mask, "placed": placed})


def _last_is_mask_sum_less_one(_: Scenario) -> Judged:
    masks = [[1, 1, 0], [1, 0, 0], [1, 1, 1]]
    found = [last_valid(mask) for mask in masks]
    return Judged(
        holds(found == [sum(mask) - 1 for mask in masks]), {"sums": [sum(mask) for mask in masks], "last": found}
    )


def _last_reward_exponent(_: Scenario) -> Judged:
    """How much of the last reward reaches the first return at γ = ½, beside γ to the T − 1."""
    one = sequences.mc_returns([Fraction(0), Fraction(0), ONE], HALF)[0]
    return Judged(
        holds(one == HALF ** (RESPONSE - 1)), {"gamma": HALF, "T": RESPONSE, "reaches": one, "other": HALF**RESPONSE}
    )


def _terms_left(_: Scenario) -> Judged:
    """How many rewards A_t can feel."""
    felt = [sum(t in moved("advantages", "rewards", k) for k in range(RUNNING.length)) for t in range(RUNNING.length)]
    return Judged(
        holds(felt == [RUNNING.length - t for t in range(RUNNING.length)]), {"T": RUNNING.length, "terms": felt}
    )


def _first_reward_is_nought(_: Scenario) -> Judged:
    found = exact_facts(quantities.kl_rewards, RUNNING)
    return Judged(holds(found["rewards"][0] == 0), {"kl": found["kl"][0], "reward": found["rewards"][0]})


def _one_token(_: Scenario) -> Judged:
    own = Scenario(gamma=1.0, lam=0.95).merged({"rewards": [1.0], "values": [0.25]})
    found = exact_facts(quantities.gae, own)
    same = found["deltas"][0] == found["advantages"][0] == found["rewards"][0] - found["values"][0]
    return Judged(holds(same), {"r": ONE, "v": found["values"][0], "delta": found["deltas"][0]})


def _all_move_alike(_: Scenario) -> Judged:
    """Every list named from 1, and all but V: δ of the token that is looked at."""
    found = example()
    t = HERE + 1
    r = dict(enumerate(found["rewards"], start=1))
    named, kept = (dict(enumerate([*found["values"], 0], start=start)) for start in (1, 0))
    same, mixed = (formulas.td_error(r[t], v[t], v[t + 1], ONE) for v in (named, kept))
    return Judged(holds(same == found["deltas"][HERE] != mixed), {"t": t, "same": same, "mixed": mixed})


def _only_the_reward(_: Scenario) -> Judged:
    """The book's names: rewards one later; and V one later with them."""
    found = example()
    rewards, v = dict(enumerate(found["rewards"], start=1)), found["values"]
    right = formulas.td_error(rewards[HERE + 1], v[HERE], v[HERE + 1], ONE)
    both = formulas.td_error(rewards[HERE + 1], v[HERE + 1], v[HERE + 2], ONE)
    return Judged(holds(right == found["deltas"][HERE] != both), {"t": HERE, "right": right, "both": both})


ENDS: dict[str, Check] = {
    "papers_shift_applies_to_every_list": _all_move_alike,
    "only_the_reward_is_renamed_in_sutton": _only_the_reward,
    "terminal_value_is_named_after_the_last_plus_one": _terminal_in_one_based,
    "first_state_is_the_bare_prompt": _first_state_is_the_prompt,
    "last_delta_reads_one_value": _last_delta_reads_one,
    "score_is_always_at_the_last_column": _score_at_minus_one,
    "last_token_is_at_mask_sum_less_one": _last_is_mask_sum_less_one,
    "last_reward_is_discounted_once_less_than_length": _last_reward_exponent,
    "advantage_has_as_many_terms_as_tokens_left": _terms_left,
    "first_reward_is_zero": _first_reward_is_nought,
    "single_token_has_delta_reward_less_value": _one_token,
    "states_are_one_more_than_tokens": _states_and_tokens,
    "response_token_stands_at_prompt_length_plus_index": _position_in_the_sequence,
    "first_delta_reads_the_prompts_value": _first_delta_reads_the_prompts,
}
