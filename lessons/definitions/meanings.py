"""What learners take the words to mean: sample or mean, of what, over what, and what follows from the definitions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from engine.world import World, small
from lessons._at_hand import at_hand
from lessons._checks import whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds

ONE, HALF = Fraction(1), Fraction(1, 2)
LATER, EARLIER = RUNNING.length - 1, 0


def world_with(chance: Fraction = HALF) -> World:
    plain = small(lambda _name, x: Fraction(str(x)))
    return World((chance, 1 - chance), plain.rewards, plain.gamma)


def of_example(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def paid(t: int) -> dict[str, Any]:
    """The example with one more paid at t."""
    rewards = [float(r) + float(i == t) for i, r in enumerate(of_example()["rewards"])]
    return of_example(scores=None, rewards=rewards)


def _sampled(world: World) -> list[Any]:
    return [sum(world.rewards_along(path)) for path in world.responses]


def _return_is_a_sample(_: Scenario) -> Judged:
    world = world_with()
    sampled = _sampled(world)
    return Judged(holds(len(set(sampled)) > 1 and world.value(()) not in sampled), {"g": sampled, "v": world.value(())})


def _score_is_the_reward(_: Scenario) -> Judged:
    found = exact_facts(quantities.kl_rewards, RUNNING)
    score = Fraction(str(RUNNING.rows("scores")[0][-1]))
    return Judged(
        holds(found["rewards"][-1] == score), {"score": score, "reward": found["rewards"][-1], "kl": found["kl"][-1]}
    )


def _reward_is_an_expectation(_: Scenario) -> Judged:
    """What was paid along each response, beside the mean."""
    world = world_with()
    paid = [world.rewards[(a,)] for a in range(2)]
    mean = sum(p * r for p, r in zip(world.chances, paid, strict=True))
    return Judged(holds(all(r == mean for r in paid)), {"paid": paid, "mean": mean})


def _return_less_value(_: Scenario) -> Judged:
    found = of_example()
    rows = zip(found["returns"], found["values"], found["advantages"], strict=True)
    same = all(close(formulas.advantage(r, v), a) for r, v, a in rows)
    return Judged(holds(same), {"r": found["returns"][0], "v": found["values"][0], "a": found["advantages"][0]})


def _better_than_average(_: Scenario) -> Judged:
    world = world_with()
    q = [world.q((), a) for a in range(2)]
    return Judged(
        holds(all((x > world.value(())) == (formulas.advantage(x, world.value(())) > 0) for x in q)),
        {"q": q, "v": world.value(()), "a": [x - world.value(()) for x in q]},
    )


def _certain_token(_: Scenario) -> Judged:
    world = world_with(ONE)
    a = formulas.advantage(world.q((), 0), world.value(()))
    return Judged(holds(a == 0), {"q": world.q((), 0), "v": world.value(()), "a": a})


def _mean_return_is_q(_: Scenario) -> Judged:
    world = world_with()
    mean = world.expected(lambda path: sum(world.rewards_along(path)), (0,))
    return Judged(holds(mean == world.q((), 0)), {"mean": mean, "q": world.q((), 0), "v": world.value(())})


def _mean_delta_is_the_advantage(_: Scenario) -> Judged:
    world = world_with()
    v = world.value(())
    deltas = [formulas.td_error(world.rewards[(a,)], v, world.value((a,)), ONE) for a in range(2)]
    advantages = [formulas.advantage(world.q((), a), v) for a in range(2)]
    return Judged(holds(deltas == advantages), {"delta": deltas, "a": advantages})


def _action_is_the_response(_: Scenario) -> Judged:
    own = RUNNING.merged({"old_logp": RUNNING.logp})
    ratios = exact_facts(quantities.surrogate, own)["ratio"]
    return Judged(holds(len(ratios) == 1), {"count": len(ratios), "T": RUNNING.length})


def _values_from_rewards(_: Scenario) -> Judged:
    before, after = of_example(), paid(EARLIER)
    return Judged(
        holds(before["values"] != after["values"]),
        {"v": after["values"][0], "before": before["mc_returns"][0], "after": after["mc_returns"][0]},
    )


def _known_at_its_token(_: Scenario) -> Judged:
    before, after = of_example()["mc_returns"][0], paid(LATER)["mc_returns"][0]
    return Judged(holds(before == after), {"before": before, "after": after})


def _is_whitened(_: Scenario) -> Judged:
    found = exact_facts(quantities.pipeline, RUNNING)
    mean = formulas.mean(sum(found["advantages"]), len(found["advantages"]))
    return Judged(holds(mean == 0), {"mean": mean, "raw": found["advantages"][0], "whitened": float(whitened()[0])})


def _within_one(_: Scenario) -> Judged:
    advantage = exact_facts(quantities.gae, RUNNING.merged({"scores": [*(RUNNING.scores or ())[:-1], 5.0]}))[
        "advantages"
    ][-1]
    return Judged(holds(-1 <= advantage <= 1), {"score": 5, "a": advantage})


def _first_return_is_the_score(_: Scenario) -> Judged:
    score = Fraction(str(RUNNING.rows("scores")[0][-1]))
    free, paying = of_example(beta=0.0)["mc_returns"][0], of_example()["mc_returns"][0]
    return Judged(
        "depends" if free == score != paying else holds(paying == score),
        {"score": score, "free": free, "paying": paying},
    )


def _over_prompts(_: Scenario) -> Judged:
    """Two states of one world, each with its own mean."""
    world = world_with()
    values = [world.value((a,)) for a in range(2)]
    return Judged(holds(values[0] == values[1]), {"values": values})


def _score_so_far(_: Scenario) -> Judged:
    world = world_with()
    so_far, ahead = world.rewards[(0,)], world.value((0,))
    return Judged(holds(so_far == ahead), {"so_far": so_far, "ahead": ahead})


def _best_policy_has_none(_: Scenario) -> Judged:
    world = world_with(ONE)  # always the better word
    advantages = [formulas.advantage(world.q((), a), world.value(())) for a in range(2)]
    return Judged(holds(max(advantages) <= 0), {"a": advantages})


def _q_follows_later_policy(_: Scenario) -> Judged:
    """The same first token, two policies afterwards."""
    found = [world_with(p).q((), 0) for p in (HALF, Fraction(9, 10))]
    return Judged(holds(found[0] != found[1]), {"even": found[0], "better": found[1]})


def _immediate_and_long_term(_: Scenario) -> Judged:
    before, after = of_example(), paid(LATER)
    return Judged(
        holds(before["rewards"][0] == after["rewards"][0] and before["mc_returns"][0] != after["mc_returns"][0]),
        {"r": after["rewards"][0], "before": before["mc_returns"][0], "after": after["mc_returns"][0]},
    )


MEANINGS: dict[str, Check] = {
    "return_is_a_sample_and_value_a_mean": _return_is_a_sample,
    "score_and_reward_are_one": _score_is_the_reward,
    "reward_is_an_expectation": _reward_is_an_expectation,
    "returns_less_values_are_the_advantages": _return_less_value,
    "positive_advantage_means_better_than_the_policys_average": _better_than_average,
    "a_certain_token_has_no_advantage": _certain_token,
    "mean_return_given_the_token_is_q": _mean_return_is_q,
    "mean_delta_given_the_token_is_the_advantage": _mean_delta_is_the_advantage,
    "action_is_the_whole_response": _action_is_the_response,
    "values_are_computed_from_the_rewards": _values_from_rewards,
    "return_is_known_when_its_token_is_written": _known_at_its_token,
    "advantages_have_mean_zero_by_definition": _is_whitened,
    "advantages_lie_between_minus_one_and_one": _within_one,
    "first_return_is_the_score": _first_return_is_the_score,
    "values_expectation_is_over_prompts": _over_prompts,
    "value_is_the_score_of_the_text_so_far": _score_so_far,
    "best_policy_has_no_positive_advantage": _best_policy_has_none,
    "q_depends_on_the_policy_afterwards": _q_follows_later_policy,
    "reward_is_immediate_and_value_long_term": _immediate_and_long_term,
}
