"""What a language model's text is in the words of reinforcement learning, and what three of its numbers speak of."""

from __future__ import annotations

from engine import quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario, scenario
from engine.world import Path, small
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row

RESPONSE: Path = (0, 0)  # in the small world
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


def _one_stretch(_: Scenario) -> Judged:
    """From every state of a response on: what is expected, what came, the difference; and the mean of what comes."""
    world = small(lambda _name, x: fraction(x))
    rewards, values = world.rewards_along(RESPONSE), world.values_along(RESPONSE)
    found = row(rewards, values)

    def mean(t: int) -> object:
        return world.expected(lambda path: sum(world.rewards_along(path)[t:]), RESPONSE[:t])

    foreseen = all(mean(t) == values[t] for t in range(len(values)))
    apart = [g - v for g, v in zip(found["mc_returns"], found["values"], strict=True)]
    return Judged(
        holds(foreseen and apart == found["advantages"]),
        {"v": found["values"], "g": found["mc_returns"], "a": found["advantages"]},
    )


WHOLE: dict[str, Check] = {
    "token_is_action_prefix_is_state_response_is_episode": _token_prefix_response,
    "value_return_and_advantage_speak_of_one_stretch": _one_stretch,
}
