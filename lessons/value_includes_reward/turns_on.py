"""What of V turns on conditions: where the KL is, the discount, chance, the place of a reward, the text so far."""

from __future__ import annotations

from fractions import Fraction

from engine import quantities
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import judged
from lessons.value_includes_reward.parts import HALF, NONE, ONE, REWARDS, TOKENS, counted, raised, settled

COST = Fraction(-1, 5)  # of a step


def _first_return(beta: float) -> Fraction:
    return Fraction(quantities.facts("gae", RUNNING.merged({"beta": beta})).exact["mc_returns"][0])


def _kl_is_in_it(_: Scenario) -> Judged:
    """KL in the rewards, and rewards that are scores only, as where the KL stands in the loss."""
    within, outside, score = _first_return(float(RUNNING.beta or 0)), _first_return(0.0), RUNNING.rows("scores")[0][-1]
    return judged([within != score, outside != score], within=within, outside=outside)


def _kl_is_in_it_wherever(_: Scenario) -> Judged:
    found = _first_return(0.0)
    return Judged(holds(found != RUNNING.rows("scores")[0][-1]), {"outside": found})


def _later_count_less(_: Scenario) -> Judged:
    """How far V_0 rises with its own reward and with the last, at two discounts."""
    shares = [[raised(t, gamma)[0] for t in (0, len(REWARDS) - 1)] for gamma in (HALF, ONE)]
    return judged([last < own for own, last in shares], gamma=HALF, below=shares[0], one=shares[1])


def _later_always_less(_: Scenario) -> Judged:
    own, last = (raised(t)[0] for t in (0, len(REWARDS) - 1))
    return judged(last < own, own=own, last=last)


def _falls_by_the_reward(_: Scenario) -> Judged:
    """Nothing discounted and nothing left to chance; a discount; chance."""
    plain, less = settled(REWARDS), settled(REWARDS, HALF)
    world = counted()
    before, reward, after = world.value(()), world.rewards[(0,)], world.value((0,))
    cases = [v[0] - v[1] == REWARDS[0] for v in (plain, less)]
    return judged(
        [*cases, before - after == reward],
        reward=REWARDS[0], plain=plain[:2], gamma=HALF, less=less[:2], drawn=reward, chance=[before, after],
    )  # fmt: skip


def _middle_differs(_: Scenario) -> Judged:
    """What the second token's V would lose without its reward: an inner KL cost, and nothing but a final score."""
    rows = ([ONE, COST, ONE], [NONE, NONE, ONE])
    lost = [settled(row)[1] - settled([row[0], NONE, row[2]])[1] for row in rows]
    return judged([x != 0 for x in lost], cost=lost[0], outcome=lost[1])


def _reward_moves_it(_: Scenario) -> Judged:
    """V_1 when the reward after it, its own, or the one before it is one higher."""
    found = [raised(t)[1] for t in range(len(REWARDS))]
    return judged([x > 0 for x in found], before=found[0], own=found[1], after=found[2])


def _above_the_reward(_: Scenario) -> Judged:
    """A reward, and another or a cost behind it."""
    paid, cost = settled([HALF, ONE]), settled([HALF, COST])
    return judged([v[0] > HALF for v in (paid, cost)], reward=HALF, paid=paid[0], cost=cost[0])


def _can_be_below(_: Scenario) -> Judged:
    found = settled([HALF, COST])[0]
    return judged(found < HALF, reward=HALF, later=COST, value=found)


def _shared(_: Scenario) -> Judged:
    """Two responses to one prompt: before the first token, and once they have parted."""
    world = counted()
    parted = [world.value((a,)) for a in TOKENS]
    first = [world.value(()) for _ in TOKENS]
    return judged([len(set(first)) == 1, len(set(parted)) == 1], first=first[0], parted=parted)


def _holds_the_whole_score(_: Scenario) -> Judged:
    """The first V of a response that earns a score at its end, at two discounts."""
    found = [settled([NONE, NONE, ONE], gamma)[0] for gamma in (ONE, HALF)]
    return judged([v == ONE for v in found], score=ONE, gamma=HALF, one=found[0], below=found[1])


def _level(_: Scenario) -> Judged:
    """Neighbouring exact values: a step that is paid nothing, and one that costs."""
    found = [settled([r, ONE]) for r in (NONE, COST)]
    return judged([v[0] == v[1] for v in found], nothing=found[0], cost=found[1])


TURNS_ON: dict[str, Check] = {
    "value_contains_kl": _kl_is_in_it,
    "value_contains_kl_wherever_the_kl_is": _kl_is_in_it_wherever,
    "later_rewards_count_less_in_the_value": _later_count_less,
    "later_rewards_always_count_less_in_the_value": _later_always_less,
    "value_falls_by_the_drawn_reward": _falls_by_the_reward,
    "inclusion_matters_at_a_middle_token": _middle_differs,
    "raising_some_reward_raises_the_value": _reward_moves_it,
    "value_is_above_its_reward": _above_the_reward,
    "value_can_be_below_its_reward": _can_be_below,
    "responses_to_a_prompt_share_their_values": _shared,
    "first_value_is_the_expected_score_in_full": _holds_the_whole_score,
    "value_equals_the_next_value": _level,
}
