"""What learners claim of whose outputs are shifted, and of what the shift is good for."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.batches import critic_values
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from engine.slices import causal, cut, sees
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.critic_slice.places import PROMPT, RESPONSE


def _quirk_of_verl(_: Scenario) -> Judged:
    """The spellings of three projects on outputs that say where they stand."""
    row = list(range(PROMPT + RESPONSE))
    verl, openrlhf, trl = row[-RESPONSE - 1 : -1], row[:-1][-RESPONSE:], row[PROMPT - 1 : -1]
    return Judged(holds(not verl == openrlhf == trl), {"places": verl, "unshifted": row[-RESPONSE:]})


def _first_token_has_none(_: Scenario) -> Judged:
    read = critic_values([list(range(PROMPT + RESPONSE))], RESPONSE)[0]
    return Judged(holds(len(read) < RESPONSE), {"count": len(read), "T": RESPONSE, "first": read[0]})


def _reward_model_reads_earlier(_: Scenario) -> Judged:
    """What the output at the last place has seen, beside the last value."""
    last, value = sees(PROMPT, RESPONSE, 1)[-1], sees(PROMPT, RESPONSE)[-1]
    return Judged(holds(sum(last) == sum(value)), {"score": sum(last), "value": sum(value), "T": RESPONSE})


def _unshifted_is_q(_: Scenario) -> Judged:
    """At the token itself the output knows state and token, and nothing later."""
    rows = sees(PROMPT, RESPONSE, 1)
    knows = all(row[t] == 1 and not any(row[t + 1 :]) for t, row in enumerate(rows))
    return Judged(holds(knows), {"own": rows[1][1], "later": rows[1][2]})


def _harmless_undiscounted(_: Scenario) -> Judged:
    own = RUNNING.merged({"gamma": 1.0})
    right, wrong = exact_facts(quantities.gae, own)["deltas"], mistakes.run("values_shift_right", own).exact["deltas"]
    return Judged(holds(close(right, wrong)), {"right": right[-1], "wrong": wrong[-1]})


def _prompts_value_untrained(_: Scenario) -> Judged:
    """The value loss with another prediction at the first place only."""

    def loss(first: float) -> Any:
        return exact_facts(quantities.value_loss, RUNNING.merged({"vpreds": [first, *RUNNING.rows("vpreds")[0][1:]]}))[
            "vf_loss"
        ]

    near, far = loss(0.8), loss(0.1)
    return Judged(holds(near == far), {"near": near, "far": far})


def _one_shape(_: Scenario) -> Judged:
    outputs = causal([1.0] * (PROMPT + RESPONSE))
    values, predicting = cut(outputs, RESPONSE), list(range(PROMPT - 1, PROMPT + RESPONSE - 1))
    return Judged(holds(len(values) == len(predicting)), {"values": len(values), "logps": len(predicting)})


ROLES: dict[str, Check] = {
    "the_shift_is_a_quirk_of_verl": _quirk_of_verl,
    "first_response_token_has_no_value": _first_token_has_none,
    "reward_model_is_read_before_the_last_token": _reward_model_reads_earlier,
    "unshifted_outputs_could_serve_as_q": _unshifted_is_q,
    "the_shift_is_harmless_without_a_discount": _harmless_undiscounted,
    "the_prompts_value_is_not_trained": _prompts_value_untrained,
    "values_and_log_probs_have_one_shape": _one_shape,
}
