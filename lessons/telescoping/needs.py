"""What learners claim the identity needs: sparse rewards, one example, Bellman, tokens of its own, clean padding."""

from __future__ import annotations

from engine.example import RUNNING
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row, total

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")


def _agrees(rewards: tuple[str, ...], values: tuple[str, ...]) -> bool:
    found = row(rewards, values)
    return total(found["deltas"]) == found["mc_returns"][0] - found["values"][0]


def _only_for_a_reward_at_the_end(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    return Judged(
        holds(not _agrees(REWARDS, VALUES)),
        {"r": found["rewards"], "sum": total(found["deltas"]), "excess": found["mc_advantages"][0]},
    )


def _one_example_proves_it(_: Scenario) -> Judged:
    """The undiscounted sum agrees at γ = 1, and is refuted in general."""
    found, refuted = gae(gamma=1.0), counterexample("undiscounted_deltas_telescope")
    agrees = close(sum(found["deltas"]), found["excess"])
    return Judged(
        holds(not (agrees and refuted.left != refuted.right)),
        {"sum": found["delta_sum"], "excess": found["excess"], "left": refuted.left, "right": refuted.right},
    )


def _needs_bellman(_: Scenario) -> Judged:
    """Values that obey no Bellman equation: V far from r + V of the next."""
    theorem("telescoping")
    values = ("9", "-4", "3")
    found = row(REWARDS, values)
    return Judged(
        holds(not _agrees(REWARDS, values)),
        {"v": found["values"], "sum": total(found["deltas"]), "excess": found["mc_advantages"][0]},
    )


def _only_the_policys_own(_: Scenario) -> Judged:
    """Whose log-probabilities the tokens have does not enter."""
    own = gae()
    other = gae(logp=[-9.0] * RUNNING.length, ref_logp=[-9.5] * RUNNING.length)
    agrees = close(other["delta_sum"], other["excess"])
    return Judged(
        holds(not agrees),
        {"own": own["delta_sum"], "other": other["delta_sum"], "excess": other["excess"]},
    )


def _kl_breaks_it(_: Scenario) -> Judged:
    found, scores = gae(), sum(fraction(s) for s in RUNNING.rows("scores")[0])
    return Judged(
        holds(not close(found["delta_sum"], found["excess"])),
        {"sum": found["delta_sum"], "excess": found["excess"], "scores": scores, "g": found["mc_returns"][0]},
    )


def _return_is_the_score(_: Scenario) -> Judged:
    """G of the sum against the scores without the KL penalties."""
    found = gae()
    bare = sum(fraction(s) for s in RUNNING.rows("scores")[0]) - found["values"][0]
    return Judged(
        holds(close(bare, found["delta_sum"])),
        {"sum": found["delta_sum"], "bare": bare, "excess": found["excess"]},
    )


def _empty_padding_adds_nothing(_: Scenario) -> Judged:
    plain, padded = row(REWARDS, VALUES)["deltas"], row((*REWARDS, "0", "0"), (*VALUES, "0", "0"))["deltas"]
    return Judged(
        holds(total(plain) == total(padded)), {"plain": total(plain), "padded": total(padded), "tail": padded[-2:]}
    )


def _junk_padding_adds_something(_: Scenario) -> Judged:
    plain, padded = row(REWARDS, VALUES)["deltas"], row((*REWARDS, "0"), (*VALUES, "0.6"))["deltas"]
    upto = total(padded[:-1])
    return Judged(holds(upto == total(plain)), {"plain": total(plain), "upto": upto, "all": total(padded)})


NEEDS: dict[str, Check] = {
    "telescoping_needs_a_reward_only_at_the_end": _only_for_a_reward_at_the_end,
    "one_example_proves_the_identity": _one_example_proves_it,
    "telescoping_needs_the_bellman_equation": _needs_bellman,
    "telescoping_needs_on_policy_tokens": _only_the_policys_own,
    "kl_in_the_rewards_breaks_the_identity": _kl_breaks_it,
    "return_in_the_identity_is_the_score": _return_is_the_score,
    "empty_padding_adds_nothing_to_the_sum": _empty_padding_adds_nothing,
    "value_left_in_padding_is_harmless_to_the_sum": _junk_padding_adds_something,
}
