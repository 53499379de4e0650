"""What people ask of bootstrapping beside its place: who does it, what it takes, how much of it there is, its pay."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from engine.chance import spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, raised, rational, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
LAM = Fraction("0.95")
LAMS = (NONE, HALF, ONE)


def _needs_critic(_: Scenario) -> Judged:
    """Without values what is left are rewards; with them the next one is in δ."""
    none, some = trial(REWARDS, (0, 0, 0, 0), 0), trial(REWARDS, VALUES, 0)
    differs = apart(some.deltas, some.rewards)[0]
    return judged(none.deltas == none.rewards and differs != 0, r=none.rewards, none=none.deltas, some=some.deltas)


def _gae_does(_: Scenario) -> Judged:
    moved = [revalued(trial(REWARDS, VALUES, lam), 1).advantages[0] for lam in (HALF, ONE)]
    moved = apart(moved, [trial(REWARDS, VALUES, lam).advantages[0] for lam in (HALF, ONE)])
    return judged([by != 0 for by in moved], half=moved[0], one=moved[1])


def _finished_step(_: Scenario) -> Judged:
    """At λ = 0 with everything behind the next value changed."""
    own = trial(REWARDS, VALUES, 0)
    other = replace(own, rewards=raised(own.rewards, -1), values=raised(raised(own.values, 2), 3))
    return judged(own.advantages[0] == other.advantages[0], before=own.advantages, after=other.advantages)


def _paid_back(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES)
    moved = apart(revalued(own, 2).deltas, own.deltas)
    return judged(moved[1] == 1 and sum(moved) == 0, moved=moved, total=sum(moved))


def _less_real(_: Scenario) -> Judged:
    """What the first advantage makes of three later rewards and of three later values."""
    rewards, values = [], []
    for lam in LAMS:
        own = trial(REWARDS, VALUES, lam)
        rewards.append(sum(rewarded(own, k).advantages[0] - own.advantages[0] for k in (1, 2, 3)))
        values.append(sum(revalued(own, k).advantages[0] - own.advantages[0] for k in (1, 2, 3)))
    opposite = rewards == sorted(set(rewards)) and values == sorted(set(values), reverse=True)
    return judged(opposite, lams=list(LAMS), rewards=rewards, values=values)


def _moving(_: Scenario) -> Judged:
    """The first target before and after a critic from zero has learned for one round."""
    found = {}
    for name, lam in (("zero", NONE), ("one", ONE)):
        untaught = trial(outcome(2), [0, 0], lam)
        taught = replace(untaught, values=untaught.returns)
        found[name] = [untaught.returns[0], taught.returns[0]]
    (before, after), (same, again) = found.values()
    return judged(before != after and same == again, **found)


def _a_twentieth(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, LAM)
    moved = revalued(own, 1).advantages[0] - own.advantages[0]
    return judged(moved == Fraction(1, 20), lam=LAM, moved=moved)


def _steadier(_: Scenario) -> Judged:
    exact, wild = (
        exact_facts(spread(world, (0.0, 1.0)), Scenario())["variance"]
        for world in (walk(4, step=0.25), wild_critic(swing=2.0))
    )
    found = {"exact_zero": exact[0], "exact_one": exact[1], "wild_zero": wild[0], "wild_one": wild[1]}
    return judged([exact[0] < exact[1], wild[0] < wild[1]], **found)


def _critic_alone(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    raised_next = revalued(own, 1)
    advantage, target = (apart(getattr(raised_next, name), getattr(own, name))[0] for name in ("advantages", "returns"))
    return judged(target != 0 and advantage == 0, adv=advantage, target=target)


def _from_policies(_: Scenario) -> Judged:
    """Rewards and values kept, every log-probability exchanged."""
    own = gae()
    kept = {"rewards": [float(r) for r in own["rewards"]], "scores": None}
    other = {"logp": [-9.0] * len(own["rewards"]), "ref_logp": [-1.0] * len(own["rewards"])}
    before, after = (gae(**changes)["deltas"][0] for changes in (kept, {**kept, **other}))
    return judged(before != after, before=before, after=after)


def _replaces_scores(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    other = rewarded(own, -1, -1)
    return judged(own.advantages == other.advantages, good=own.advantages, bad=other.advantages)


def _larger_gamma(_: Scenario) -> Judged:
    gammas, moved = rational(("1/2", "9/10", "1")), []
    for gamma in gammas:
        own = trial(REWARDS, VALUES, HALF, gamma)
        moved.append(revalued(own, 1).advantages[0] - own.advantages[0])
    return judged(moved == sorted(set(moved)), gammas=gammas, lam=HALF, moved=moved)


def _at_a_cut(_: Scenario) -> Judged:
    """The last δ of a response that was cut off where one half was still to be had."""
    truth, said = HALF, rational(("1/2", 2))
    off = [abs(value - truth) for value in said]
    return judged([by < truth for by in off], truth=truth, said=said, zero=truth, off=off)


ASKED: dict[str, Check] = {
    "bootstrapping_takes_a_critic": _needs_critic,
    "gae_bootstraps": _gae_does,
    "at_lambda_zero_a_step_needs_no_ending": _finished_step,
    "a_wrong_value_is_paid_back_by_the_next_delta": _paid_back,
    "the_more_bootstrap_the_less_real_reward": _less_real,
    "bootstrapped_targets_move_as_the_critic_learns": _moving,
    "at_095_the_next_value_counts_a_twentieth": _a_twentieth,
    "bootstrapping_makes_training_steadier": _steadier,
    "only_the_critic_is_trained_by_bootstrap": _critic_alone,
    "the_bootstrap_comes_from_a_policy_model": _from_policies,
    "bootstrapping_replaces_the_scores": _replaces_scores,
    "a_larger_gamma_bootstraps_more": _larger_gamma,
    "closing_a_cut_with_a_value_is_better_than_with_zero": _at_a_cut,
}
