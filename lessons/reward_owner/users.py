"""What learners claim of who feels a reward: actor and critic, earlier tokens, luck, and what shaping leaves alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.proofs.programs import expected
from engine.scenario import Scenario
from engine.world import World
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.reward_owner.shares import CALL, ONE, example, returns_of, world

BETA = Fraction(str(RUNNING.beta))


def _added_into_one(_: Scenario) -> Judged:
    found = exact_facts(quantities.kl_rewards, RUNNING)
    scores = [Fraction(str(s)) for s in RUNNING.rows("scores")[0]]
    rows = zip(scores, found["kl"], found["rewards"], strict=True)
    same = all(close(formulas.token_reward(s, k, BETA), r) for s, k, r in rows)
    return Judged(
        holds(same and len(found["rewards"]) == RUNNING.length),
        {"score": scores[-1], "kl": found["kl"][-1], "reward": found["rewards"][-1]},
    )


def _paid_more() -> tuple[dict[str, Any], dict[str, Any]]:
    """The example, and with one more for its third token."""
    rewards = [float(r) + float(t == 2) for t, r in enumerate(example()["rewards"])]
    return example(), example(scores=None, rewards=rewards)


def _only_the_actor(_: Scenario) -> Judged:
    before, after = _paid_more()
    return Judged(
        holds(close(before["returns"], after["returns"])),
        {"a": after["advantages"][2] - before["advantages"][2], "r": after["returns"][2] - before["returns"][2]},
    )


def _earlier_returns_hold_it(_: Scenario) -> Judged:
    before, after = _paid_more()
    moved = [b - a for a, b in zip(before["mc_returns"], after["mc_returns"], strict=True)]
    return Judged(holds(moved[:3] == [1, 1, 1] and not any(moved[3:])), {"t": 2, "moved": moved})


def _potential(_: Scenario) -> Judged:
    """γΦ(s') − Φ(s) added to every reward, Φ being 0 at the end: the exact advantages of the first two tokens."""
    plain = world()
    potential = {(): Fraction(0), (0,): Fraction(2), (1,): Fraction(-1)}
    shaped = World(
        plain.chances,
        {p: r + potential.get(p, Fraction(0)) - potential[p[:-1]] for p, r in plain.rewards.items()},
        plain.gamma,
    )
    own, other = ([w.q((), a) - w.value(()) for a in range(2)] for w in (plain, shaped))
    return Judged(
        holds(own == other),
        {"before": own, "after": other, "reward": plain.rewards[(0,)], "shaped": shaped.rewards[(0,)]},
    )


def _last_is_largest(_: Scenario) -> Judged:
    """A wrong answer: no score, and a KL to pay at the end."""
    found = exact_facts(quantities.kl_rewards, RUNNING.merged({"scores": [0.0] * RUNNING.length}))["rewards"]
    return Judged(holds(found[-1] == max(found)), {"last": found[-1], "most": max(found)})


def _by_outcome() -> dict[str, Any]:
    p, r, after = CALL["chances"], CALL["rewards"], CALL["after"]
    mean = expected(p, lambda o: r[o])
    value = expected(p, lambda o: formulas.mc_step(r[o], after[o], ONE))
    drawn = [formulas.td_error(x, value, v, ONE) for x, v in zip(r, after, strict=True)]
    averaged = [formulas.td_error(mean, value, v, ONE) for v in after]
    return {
        "drawn": drawn,
        "averaged": averaged,
        "mean_drawn": expected(p, lambda o: drawn[o]),
        "mean_averaged": expected(p, lambda o: averaged[o]),
    }


def _delta_takes_the_mean(_: Scenario) -> Judged:
    """In the example δ holds the reward that was paid: it moves with it, one for one."""
    before, after = _paid_more()
    gap = after["deltas"][2] - before["deltas"][2]
    return Judged(holds(gap == 0), {"gap": gap, "drawn": _by_outcome()["drawn"]})


def _luck_shows(_: Scenario) -> Judged:
    found = _by_outcome()
    return Judged(holds(found["drawn"][0] > 0 > found["drawn"][1]), {"drawn": found["drawn"]})


def _same_mean(_: Scenario) -> Judged:
    found = _by_outcome()
    return Judged(holds(found["mean_drawn"] == found["mean_averaged"] == 0), found)


def _order_of_payment(_: Scenario) -> Judged:
    """The same two rewards, early and late."""
    early, late = returns_of(ONE, Fraction(0), Fraction(0)), returns_of(Fraction(0), Fraction(0), ONE)
    return Judged(holds(early == late), {"early": early, "late": late})


USERS: dict[str, Check] = {
    "score_and_kl_are_added_into_one_reward": _added_into_one,
    "reward_is_felt_by_the_actor_only": _only_the_actor,
    "earlier_returns_hold_a_later_reward": _earlier_returns_hold_it,
    "potential_shaping_leaves_exact_advantages": _potential,
    "last_reward_is_always_the_largest": _last_is_largest,
    "delta_takes_the_expected_reward": _delta_takes_the_mean,
    "luck_of_the_tool_shows_in_delta": _luck_shows,
    "either_reading_has_the_same_mean_delta": _same_mean,
    "when_a_reward_is_paid_does_not_matter_undiscounted": _order_of_payment,
}
