"""What learners ask to be told of the KL in the reward: which is better, what is needed, what it reads."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.batches import kl_penalties
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import changed, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._leash import HOLED, PAID, mean_worth
from lessons._row import fraction
from lessons._weighed import weighed
from lessons.kl_reward.costs import tilted

BETAS = (0.25, 2.0)


def _rounded(x: object) -> float:
    return round(float(str(x)), 6)


def _larger_beta_is_better(_: Scenario) -> Judged:
    """Closer to the reference, and further from what is paid."""
    weak, strong = tilted(0.25), tilted(2.0)
    closer, poorer = strong["kl"] < weak["kl"], strong["reward"] < weak["reward"]
    return Judged(
        "depends" if closer and poorer else holds(closer),
        {
            "kl": [_rounded(x["kl"]) for x in (weak, strong)],
            "reward": [_rounded(x["reward"]) for x in (weak, strong)],
            "betas": [0.25, 2.0],
        },
    )


def _k3_is_better(_: Scenario) -> Judged:
    """A token near the reference, and one that the reference likes far more."""
    logp, ref = [[-0.7, -9.0]], [[-0.5, -1.0]]
    one, three = (kl_penalties(logp, ref, [[1, 1]], kind=kind)[0] for kind in ("k1", "k3"))
    signed, explodes = float(one[0]) < 0 <= float(three[0]), float(three[1]) > abs(float(one[1]))
    return Judged(
        "depends" if signed and explodes else holds(signed),
        {"near": [_rounded(one[0]), _rounded(three[0])], "far": [_rounded(one[1]), _rounded(three[1])]},
    )


def _reward_is_the_better_place(_: Scenario) -> Judged:
    """A later token's KL in an earlier advantage, and in the critic's target."""
    moved = [*RUNNING.rows("ref_logp")[0][:-1], -3.0]
    before, after = gae(), gae(ref_logp=moved, kl_values=None)
    foresees, disturbs = (not close(before[k][0], after[k][0]) for k in ("advantages", "returns"))
    return Judged(
        "depends" if foresees and disturbs else holds(foresees),
        {"a": before["advantages"][0], "a_after": after["advantages"][0], "target": before["returns"][0],
         "target_after": after["returns"][0]},
    )  # fmt: skip


def _kl_is_needed(_: Scenario) -> Judged:
    """A weak penalty and a strong one: where the score says what a response is worth, and where it has a hole."""
    true, fooled = ([mean_worth(beta, worth) for beta in BETAS] for worth in (PAID, HOLED))
    return Judged(
        weighed(fooled[1] > fooled[0], true[0] > true[1]), {"betas": list(BETAS), "true": true, "fooled": fooled}
    )


def _gradient_flows(_: Scenario) -> Judged:
    """The policy that is trained has moved; the rewards that were made have not."""
    before, after = (exact("kl_rewards", new_logp=x)["rewards"] for x in ([-0.3] * 6, [-2.0] * 6))
    return Judged(holds(before != after), {"before": before[0], "after": after[0]})


def _likelier_reference_raises(_: Scenario) -> Judged:
    row = RUNNING.rows("ref_logp")[0]
    rewards = [exact("kl_rewards", ref_logp=changed(row, 2, by), kl_values=None)["rewards"][2] for by in (0.0, 0.5)]
    return Judged(holds(rewards[1] > rewards[0]), {"before": rewards[0], "after": rewards[1]})


def _likelier_policy_raises(_: Scenario) -> Judged:
    row = RUNNING.rows("logp")[0]
    rewards = [exact("kl_rewards", logp=changed(row, 2, by), kl_values=None)["rewards"][2] for by in (0.0, 0.5)]
    return Judged(holds(rewards[1] > rewards[0]), {"before": rewards[0], "after": rewards[1]})


def _reads_the_critic(_: Scenario) -> Judged:
    before, after = (exact("kl_rewards", values=[v] * 6)["rewards"] for v in (0.0, 5.0))
    return Judged(holds(before != after), {"before": before[-1], "after": after[-1]})


def _scaled_by_lambda(_: Scenario) -> Judged:
    before, after = (exact("kl_rewards", lam=lam)["rewards"] for lam in (0.0, 1.0))
    other = exact("kl_rewards", gamma=0.5)["rewards"]
    return Judged(holds(not before == after == other), {"before": before[0], "after": after[0]})


def _negative_beta(_: Scenario) -> Judged:
    sample = formulas.k1(Fraction(-1, 2), Fraction(-3, 2))
    kept, pushed = (formulas.token_reward(0, sample, fraction(b)) for b in ("0.1", "-0.1"))
    return Judged(holds(pushed > 0 > kept), {"kl": sample, "plain": kept, "turned": pushed})


JUDGED: dict[str, Check] = {
    "larger_beta_is_better": _larger_beta_is_better,
    "k3_is_better_than_k1": _k3_is_better,
    "kl_belongs_in_the_reward_rather_than_the_loss": _reward_is_the_better_place,
    "kl_penalty_is_needed": _kl_is_needed,
    "gradient_flows_through_the_kl_in_the_reward": _gradient_flows,
    "likelier_under_the_reference_means_more_reward": _likelier_reference_raises,
    "likelier_under_the_policy_means_more_reward": _likelier_policy_raises,
    "kl_penalty_reads_the_critic": _reads_the_critic,
    "kl_penalty_depends_on_gamma_or_lambda": _scaled_by_lambda,
    "negative_beta_pays_for_drifting": _negative_beta,
}
