"""What learners claim of what raises what, of signs and sizes, and of what a state and a transition are."""

from __future__ import annotations

from fractions import Fraction

from engine import quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from engine.slices import sees
from engine.world import World
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import row
from lessons.definitions.meanings import HALF, LATER, ONE, of_example, world_with

PROMPT, RESPONSE = 4, 3  # tokens
LAM = Fraction(str(RUNNING.lam))


def _sum_is_discounted(_: Scenario) -> Judged:
    """The first V of the small world at γ = ½, and the mean sum of its rewards without a discount."""
    plain = world_with(HALF)
    halved = World(plain.chances, plain.rewards, HALF)
    undiscounted = halved.expected(lambda path: sum(halved.rewards_along(path)))
    discounted = halved.expected(lambda path: row(halved.rewards_along(path), [0, 0], gamma="0.5")["mc_returns"][0])
    value = halved.value(())
    return Judged(
        holds(value == discounted != undiscounted), {"gamma": HALF, "value": value, "undiscounted": undiscounted}
    )


def _raised_value(t: int, by: float = 1.0) -> list[float]:
    return [v + by * float(i == t) for i, v in enumerate(RUNNING.rows("values")[0])]


def _own_value_lowers(_: Scenario) -> Judged:
    before, after = of_example()["advantages"][0], of_example(values=_raised_value(0))["advantages"][0]
    return Judged(holds(after < before), {"before": before, "after": after})


def _next_value_raises(_: Scenario) -> Judged:
    before, after = of_example()["deltas"][0], of_example(values=_raised_value(1))["deltas"][0]
    return Judged(holds(after > before), {"before": before, "after": after})


def _state_is_the_last_token(_: Scenario) -> Judged:
    """How many of the response tokens before it the last value reacts to."""
    seen = int(sum(sees(PROMPT, RESPONSE)[-1]))
    return Judged(holds(seen == 1), {"seen": seen, "before": RESPONSE - 1})


def _next_state_is_random(_: Scenario) -> Judged:
    """The states that follow one state and one token, over all responses."""
    state, token = (0,), 1
    following = {path[:2] for path in world_with(HALF).responses if path[:2] == (*state, token)}
    return Judged(holds(len(following) > 1), {"count": len(following), "held": len(max(following))})


def _never_negative(_: Scenario) -> Judged:
    found = exact_facts(quantities.kl_rewards, RUNNING)
    lowest = min(found["rewards"])
    t = list(found["rewards"]).index(lowest)
    return Judged(holds(lowest >= 0), {"t": t, "kl": found["kl"][t], "reward": lowest})


def _q_at_the_end(_: Scenario) -> Judged:
    world = world_with(HALF)
    q, paid = ([f((0,), a) for a in range(2)] for f in (world.q, lambda path, a: world.rewards[(*path, a)]))
    return Judged(holds(q == paid), {"q": q, "paid": paid})


def _never_above_q(_: Scenario) -> Judged:
    world = world_with(HALF)
    q = [world.q((), a) for a in range(2)]
    return Judged(holds(all(world.value(()) <= x for x in q)), {"q": q, "v": world.value(())})


def _larger_return_larger_advantage(_: Scenario) -> Judged:
    """Two tokens of one response: the larger return where more had been foreseen."""
    found = row(["0.2", "1"], ["1.1", "0.5"])
    returns, advantages = found["returns"], found["advantages"]
    return Judged(
        holds((returns[0] > returns[1]) == (advantages[0] > advantages[1])),
        {"returns": returns, "values": found["values"], "advantages": advantages},
    )


def _positive(_: Scenario) -> Judged:
    """The exact first V where a score is to come, and where only KL is."""
    paid, costs = (row(rewards, ["0", "0"])["mc_returns"][0] for rewards in (["-0.1", "1"], ["-0.1", "-0.1"]))
    above, below = paid > 0, costs < 0
    return Judged("depends" if above and below else holds(above), {"paid": paid, "costs": costs})


def _own_delta_counts_once(_: Scenario) -> Judged:
    """By how much the first advantage moves with one more paid at its own token, and at the next."""
    rewards = [float(r) for r in of_example()["rewards"]]

    def lifted(t: int) -> Fraction:
        more = [r + float(i == t) for i, r in enumerate(rewards)]
        after = of_example(scores=None, rewards=more)["advantages"][0]
        return Fraction(after) - Fraction(of_example(scores=None, rewards=rewards)["advantages"][0])

    own, following = lifted(0), lifted(1)
    return Judged(holds(close(own, ONE) and close(following, LAM)), {"own": own, "next": following, "last": LATER})


def _advantage_never_negative(_: Scenario) -> Judged:
    world = world_with(HALF)
    advantages = [world.q((), a) - world.value(()) for a in range(2)]
    return Judged(holds(min(advantages) >= 0), {"a": advantages})


def _one_return_at_the_end(_: Scenario) -> Judged:
    returns = of_example()["returns"]
    return Judged(
        holds(sum(bool(r) for r in returns) == 1), {"count": len(returns), "first": returns[0], "last": returns[-1]}
    )


def _baseline(_: Scenario) -> Judged:
    """λ = 1: what stands between the return and the advantage."""
    found = of_example(lam=1.0)
    between = [g - a for g, a in zip(found["mc_returns"], found["advantages"], strict=True)]
    return Judged(
        holds(close(between, found["values"])),
        {"g": found["mc_returns"][0], "a": found["advantages"][0], "between": between[0], "v": found["values"][0]},
    )


def _state_and_action(_: Scenario) -> Judged:
    """The advantages of both tokens in one state, and of one token in two states."""
    world = world_with(HALF)
    here, there = ([world.q(state, a) - world.value(state) for a in range(2)] for state in ((0,), (1,)))
    return Judged(holds(here[0] != here[1] and here[0] != there[0]), {"actions": here, "states": [here[0], there[0]]})


def _one_response(_: Scenario) -> Judged:
    """Two rows: does the last token of the first see anything of the second, and is its next value zero."""
    rest = {"gamma": 1.0, "lam": 0.95, "values": [[0.5, 0.5], [0.25, 0.5]]}
    batch = exact_facts(quantities.gae, Scenario().merged({**rest, "rewards": [[0.0, 1.0], [0.0, 1.0]]}))
    last, reward, value = (batch[name][0][-1] for name in ("deltas", "rewards", "values"))
    return Judged(holds(last == reward - value), {"delta": last, "reward": reward, "v": value})


def _return_is_discounted(_: Scenario) -> Judged:
    rewards = ["0", "0", "1"]
    half, plain = (row(rewards, rewards, gamma=gamma)["mc_returns"][0] for gamma in ("0.5", "1"))
    return Judged(holds(half != plain), {"gamma": HALF, "half": half, "plain": plain})


def _critic_is_exact(_: Scenario) -> Judged:
    """A critic that says the same everywhere, beside the exact values of the small world's states."""
    world = world_with(HALF)
    exact = [world.value(state) for state in ((), (0,), (1,))]
    return Judged(holds(all(v == HALF for v in exact)), {"said": HALF, "exact": exact})


SLOPES: dict[str, Check] = {
    "advantage_takes_state_and_action": _state_and_action,
    "an_episode_is_one_response": _one_response,
    "return_is_discounted": _return_is_discounted,
    "critic_output_is_the_true_value": _critic_is_exact,
    "advantage_is_never_negative": _advantage_never_negative,
    "only_the_last_token_has_a_return": _one_return_at_the_end,
    "baseline_is_the_value": _baseline,
    "value_sum_is_discounted": _sum_is_discounted,
    "higher_own_value_lowers_the_advantage": _own_value_lowers,
    "higher_next_value_raises_delta": _next_value_raises,
    "state_is_the_last_token": _state_is_the_last_token,
    "next_state_is_random_given_the_token": _next_state_is_random,
    "reward_is_never_negative": _never_negative,
    "q_of_the_last_token_is_its_reward": _q_at_the_end,
    "value_never_exceeds_q": _never_above_q,
    "larger_return_means_larger_advantage": _larger_return_larger_advantage,
    "value_is_positive": _positive,
    "own_delta_has_weight_one": _own_delta_counts_once,
}
