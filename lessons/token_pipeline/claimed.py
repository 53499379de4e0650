"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import exact, gae
from lessons._fact import Check, Judged, holds
from lessons._row import fraction
from lessons._trials import judged
from lessons.token_pipeline.effects import pipeline, three


def _middle_rewards_are_zero(_: Scenario) -> Judged:
    return Judged(
        "depends",
        {"beta": RUNNING.beta, "with_kl": gae()["rewards"][1], "without": gae(beta=0.0)["rewards"][1]},
    )


def _without_kl_only_the_last_reward_is_left(_: Scenario) -> Judged:
    rewards = gae(beta=0.0)["rewards"]
    return Judged(holds(not any(rewards[:-1])), {"middle": rewards[1], "last": rewards[-1]})


def _every_list_has_one_number_a_token(_: Scenario) -> Judged:
    found = exact("pipeline")
    names = ("kl", "rewards", "values", "deltas", "advantages", "returns", "whitened")
    return Judged(
        holds({len(found[name]) for name in names} == {at_hand().length}),
        {"count": at_hand().length, "lists": len(names)},
    )


def _last_is_free_of_kl(_: Scenario) -> Judged:
    found, score = pipeline(), RUNNING.rows("scores")[0][-1]
    reward, kl = found["rewards"][-1], found["kl"][-1]
    return judged(bool(reward == score), score=score, beta=RUNNING.beta, kl=kl, reward=reward)


def _filled_forwards(_: Scenario) -> Judged:
    """Forwards the first advantage would be settled before the last reward is read."""
    less, more = (three([0.0, 0.0, score])["advantages"][0] for score in (0.0, 1.0))
    return judged(bool(less == more), less=less, more=more)


def _critics_own(_: Scenario) -> Judged:
    right, wrong = (three([0.0, 0.0, score]) for score in (1.0, 0.0))
    same = bool(right["advantages"] == wrong["advantages"])
    return judged(same, value=right["values"][0], right=right["advantages"][0], wrong=wrong["advantages"][0])


def _kl_penalty_makes_rewards(_: Scenario) -> Judged:
    """What the step puts out by itself, beside the rewards that the recursion is then given."""
    found, later = exact("kl_rewards"), pipeline()
    own = found["rewards"] == later["rewards"] and "advantages" not in found
    return judged(own, score=RUNNING.rows("scores")[0][-1], reward=found["rewards"][-1], a=later["advantages"][-1])


def _scores_from_rewards(_: Scenario) -> Judged:
    """Two β: the rewards differ; the scores, found again by putting the penalty back, do not."""
    rewards, scores = [], []
    for beta in (RUNNING.beta or 0.0, 0.0):
        found = pipeline(beta=beta)
        rewards.append(found["rewards"][-1])
        scores.append(found["rewards"][-1] + fraction(beta) * found["kl"][-1])
    return judged(scores[0] != scores[1], rewards=rewards, score=scores[0])


def _all_rewards_equal(_: Scenario) -> Judged:
    rewards = pipeline()["rewards"]
    return judged(len(set(rewards)) == 1, first=rewards[0], last=rewards[-1])


CHECKS: dict[str, Check] = {
    "middle_rewards_are_zero": _middle_rewards_are_zero,
    "without_kl_only_the_last_reward_is_left": _without_kl_only_the_last_reward_is_left,
    "every_list_has_one_number_a_token": _every_list_has_one_number_a_token,
    "the_last_token_pays_no_kl": _last_is_free_of_kl,
    "advantages_are_filled_forwards": _filled_forwards,
    "advantages_come_from_the_critic": _critics_own,
    "apply_kl_penalty_makes_the_rewards": _kl_penalty_makes_rewards,
    "scores_are_made_from_rewards": _scores_from_rewards,
    "all_token_rewards_are_equal": _all_rewards_equal,
}
