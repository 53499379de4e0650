"""What people ask of other ways to hand a reward out: what they keep, what they change, and what makes credit good."""

from __future__ import annotations

from engine.example import RUNNING
from engine.facts import compute
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import alone, gae
from lessons._errors import squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, judged, outcome, rational, rewarded, trial
from lessons.credit_assignment.shares import sharing

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
STEPS = ("1/2", 0, "1/4", 0)
LENGTHS = (2, 6)


def _only_way(_: Scenario) -> Judged:
    found = compute(sharing, RUNNING).exact
    ways = [found[name] for name in ("last_reward_counted", "last_reward_shares", "last_reward_late_shares")]
    return judged(ways[0] == ways[1] == ways[2], counted=ways[0], even=ways[1], late=ways[2])


def _total_stays(_: Scenario) -> Judged:
    end, spread = (trial(rewards, VALUES) for rewards in (REWARDS, ["1/4"] * 4))
    same = end.mc_returns[0] == spread.mc_returns[0]
    return judged(same and end.deltas != spread.deltas, end=end.mc_returns, spread=spread.mc_returns)


def _copied(_: Scenario) -> Judged:
    end, copied = (trial(rewards, VALUES) for rewards in (REWARDS, [1] * 4))
    return judged(end.advantages == copied.advantages, end=end.advantages, copied=copied.advantages)


def _as_good_as_the_critic(_: Scenario) -> Judged:
    errors = (0.0, 0.5, 1.0, 2.0)
    found = [squared_errors(error)[0] for error in errors]
    return judged(found == sorted(set(found)), errors=list(errors), found=found)


def _long_is_hard(_: Scenario) -> Judged:
    """The squared error of the first token's credit: by the return, and by δ of an exact critic."""
    found = [squared_errors(0.0, tokens=tokens) for tokens in LENGTHS]
    delta, mc = ([row[i] for row in found] for i in (0, 1))
    return judged([pair[1] > pair[0] for pair in (mc, delta)], tokens=list(LENGTHS), mc=mc, delta=delta)


def _exact_delta(_: Scenario) -> Judged:
    """The first of two tokens makes success certain, the second changes nothing."""
    truth, found = rational(("1/2", 0)), trial((0, 1), (HALF, 1), 0).deltas
    return judged(found == truth, truth=truth, deltas=found)


def _combined(_: Scenario) -> Judged:
    both = [a + b for a, b in zip(rational(REWARDS), rational(STEPS), strict=True)]
    together = trial(both, VALUES, HALF).advantages
    end, steps = trial(REWARDS, VALUES, HALF).advantages, trial(STEPS, [0] * 4, HALF).advantages
    added = [a + b for a, b in zip(end, steps, strict=True)]
    return judged(together == added, together=together, end=end, steps=steps)


def _observed(_: Scenario) -> Judged:
    """A text from outside stands in the middle of what the model writes."""
    parts = {"gamma": 1, "lam": 0.5}
    found = alone("gae", rewards=[0, 9, 0, 1], values=[0.25, 9, 0.5, 0.75], mask=[1, 0, 1, 1], **parts)["advantages"]
    own = alone("gae", rewards=[0, 0, 1], values=[0.25, 0.5, 0.75], **parts)["advantages"]
    kept = [a for a in found if a is not None]
    return judged(kept != own, kept=kept, own=own)


def _success_alone(_: Scenario) -> Judged:
    """The same answer and score, easy for one critic and a surprise to another."""
    easy, hard = (trial(outcome(2), (v, v), HALF).advantages for v in ("9/10", "1/10"))
    return judged(easy == hard, easy=easy, hard=hard)


def _likelier(_: Scenario) -> Judged:
    """A token's ratio is pushed the way its advantage points; the answer scores a point."""
    found = trial(REWARDS, VALUES, 0).advantages
    return judged(min(found) > 0, v=rational(VALUES), a=found)


def _while_writing(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    other = rewarded(own, -1, -1)
    return judged(own.advantages[0] == other.advantages[0], good=own.advantages[0], bad=other.advantages[0])


def _each_epoch(_: Scenario) -> Judged:
    """The updated critic and the updated policy say something else of every token."""
    tokens = at_hand().length
    before, after = gae()["advantages"][0], gae(vpreds=[9.0] * tokens, new_logp=[-3.0] * tokens)["advantages"][0]
    return judged(before != after, before=before, after=after)


def _first_is_largest(_: Scenario) -> Judged:
    found = trial(REWARDS, VALUES, HALF).advantages
    return judged(found[0] == max(found), a=found, first=found[0], most=max(found))


def _bounded(_: Scenario) -> Judged:
    """A critic that saw failure coming until the end."""
    found = trial((0, 1), ("-1/2", "-1"))
    return judged(
        max(found.advantages) <= sum(found.rewards), v=found.values, a=found.advantages, total=sum(found.rewards)
    )


WAYS: dict[str, Check] = {
    "gae_is_the_only_way_to_assign_credit": _only_way,
    "spreading_the_reward_keeps_the_total_return": _total_stays,
    "copying_the_score_to_every_token_is_lambda_one": _copied,
    "credit_is_as_good_as_the_critic": _as_good_as_the_critic,
    "long_responses_make_credit_harder": _long_is_hard,
    "with_an_exact_critic_delta_is_the_true_credit": _exact_delta,
    "step_and_outcome_rewards_can_be_combined": _combined,
    "observation_tokens_get_credit": _observed,
    "the_score_alone_settles_the_credit": _success_alone,
    "a_right_answer_makes_every_token_likelier": _likelier,
    "credit_is_assigned_while_writing": _while_writing,
    "credit_is_assigned_anew_in_every_epoch": _each_epoch,
    "first_token_gets_the_largest_advantage": _first_is_largest,
    "an_advantage_never_exceeds_the_reward": _bounded,
}
