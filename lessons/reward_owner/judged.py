"""What learners conclude from whose a reward is: what it reaches, what its sign says, whether more is better."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._checks import changed
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.reward_owner.shares import NONE, ONE, example, returns_of

HERE = 2
STEP = Fraction(1, 2)


def _process_is_better(_: Scenario) -> Judged:
    """Paid where it is earned, a later token does not carry it; but steps can be collected."""
    on_the_way, at_the_end = returns_of(ONE, NONE, NONE), returns_of(NONE, NONE, ONE)
    wrong, right = returns_of(STEP, STEP, STEP)[0], returns_of(ONE)[0]
    cleaner, gamed = on_the_way[-1] != at_the_end[-1], wrong > right
    return Judged(
        "depends" if cleaner and gamed else holds(cleaner),
        {"way": on_the_way, "end": at_the_end, "wrong": wrong, "right": right},
    )


def _reaches_later(_: Scenario) -> Judged:
    rewards = [float(r) for r in example()["rewards"]]
    pairs = zip(
        example()["advantages"], example(scores=None, rewards=changed(rewards, HERE, 1.0))["advantages"], strict=True
    )
    moved = [t for t, (a, b) in enumerate(pairs) if not close(a, b)]
    return Judged(holds(max(moved) > HERE), {"here": HERE, "moved": moved})


def _same_sign(_: Scenario) -> Judged:
    found = example()
    pairs = list(zip(found["rewards"], found["advantages"], strict=True))
    other = next((p for p in pairs if p[0] * p[1] < 0), None)
    return Judged(holds(other is None), {"r": other and other[0], "a": other and other[1]})


def _larger_reward_larger_advantage(_: Scenario) -> Judged:
    found = example()
    best = max(zip(found["rewards"], found["advantages"], strict=True))
    most = max(found["advantages"])
    return Judged(holds(best[1] == most), {"r": best[0], "a": best[1], "most": most})


def _one_earlier(_: Scenario) -> Judged:
    late, early = returns_of(NONE, NONE, ONE), returns_of(NONE, ONE, NONE)
    moved = [t for t, (a, b) in enumerate(zip(late, early, strict=True)) if a != b]
    return Judged(holds(moved == [len(late) - 1]), {"late": late, "early": early})


def _last_advantage_is_the_reward(_: Scenario) -> Judged:
    found = example()
    return Judged(
        holds(found["advantages"][-1] == found["rewards"][-1]),
        {"r": found["rewards"][-1], "a": found["advantages"][-1], "v": found["values"][-1]},
    )


JUDGED: dict[str, Check] = {
    "process_rewards_are_better": _process_is_better,
    "reward_reaches_later_tokens": _reaches_later,
    "reward_and_advantage_have_one_sign": _same_sign,
    "largest_reward_has_the_largest_advantage": _larger_reward_larger_advantage,
    "score_one_token_earlier_moves_one_return": _one_earlier,
    "last_advantage_is_the_last_reward": _last_advantage_is_the_reward,
}
