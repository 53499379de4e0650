"""What is no relation between numbers: which states a text goes through, and what GAE is computed from."""

from __future__ import annotations

from fractions import Fraction

from engine import quantities
from engine.example import RUNNING
from engine.facts import compute, exact_facts
from engine.scenario import Scenario, scenario
from engine.world import small
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds

TWO = ((("0", "1"), ("0.5", "0.75")), (("0", "5"), ("0.25", "2")))  # rewards and values of two responses


def _token_prefix_response(_: Scenario) -> Judged:
    """State and action put together are the next state; the numbers of one response stay when another is beside it."""
    tokens, prompt = list(RUNNING.tokens or ()), [str(RUNNING.prompt)]
    states = [prompt + tokens[:t] for t in range(len(tokens) + 1)]
    goes_on = all([*states[t], tokens[t]] == states[t + 1] for t in range(len(tokens)))
    rewards, values = ([[float(x) for x in response[part]] for response in TWO] for part in (0, 1))
    alone, beside = (
        exact_facts(quantities.gae, scenario({"rewards": r, "values": v, "gamma": 1, "lam": 0.5}))["advantages"]
        for r, v in ((rewards[0], values[0]), (rewards, values))
    )
    own = len(exact_facts(quantities.gae, RUNNING)["advantages"]) == len(tokens)
    return Judged(
        holds(goes_on and alone == beside[0] and own),
        {"actions": len(tokens), "first": len(states[0]) - 1, "last": len(states[-2]) - 1, "a": alone[0]},
    )


def _next_state_is_random(_: Scenario) -> Judged:
    """The states that follow one state and one token, over all responses."""
    state, token = (0,), 1
    responses = small(lambda _name, x: Fraction(str(x))).responses
    following = {path[:2] for path in responses if path[:2] == (*state, token)}
    return Judged(holds(len(following) > 1), {"count": len(following), "held": len(max(following))})


def _needs_a_q_network(_: Scenario) -> Judged:
    used, found = compute(quantities.gae, RUNNING).used, exact_facts(quantities.gae, at_hand())
    return Judged(holds("q" in used), {"values": RUNNING.length, "a": found["advantages"][0]})


CHECKS: dict[str, Check] = {
    "token_is_action_prefix_is_state_response_is_episode": _token_prefix_response,
    "next_state_is_random_given_the_token": _next_state_is_random,
    "ppo_needs_a_q_network": _needs_a_q_network,
}
