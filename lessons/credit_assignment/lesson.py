"""Credit assignment: the weight of every reward in every advantage, which is no share; and other ways to spread it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, groups, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import compute
from engine.influence import influence
from engine.proofs import counterexample, theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import by_place
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.credit_assignment.any_way import ANY_WAY
from lessons.credit_assignment.asked import ASKED
from lessons.credit_assignment.checks import MORE
from lessons.credit_assignment.portions import PORTIONS
from lessons.credit_assignment.shares import sharing
from lessons.credit_assignment.stated import STATED
from lessons.credit_assignment.trials import TRIED
from lessons.credit_assignment.turns_on import TURNS
from lessons.credit_assignment.ways import WAYS

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("index_runs_forwards", "delta_for_advantage", "mc_for_gae_as_if_lam_were_one", "bootstrap_forgotten")
CLOSE = 1e-9


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario)
    own = first_response(scenario)
    figures = {}
    if own.length > 1:
        reach = influence(scenario, own.length)
        facts = facts.beside(reach).beside(compute(sharing, own))
        figures = {"reach": by_place(reach.numbers["advantages_by_reward"], "rewards", "advantages")}
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={
            "reach": theorem("reward_reaches_back_with_gamma_lambda"),
            "later": theorem("later_advantages_ignore_reward"),
            "forwards": theorem("gae_is_decayed_sum_of_deltas"),
        },
        counterexamples={"only_own": counterexample("reward_affects_only_its_own_advantage")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures=figures,
        twins=(twins.gae,),
    )


# ---------------------------------------------------------------- what learners claim


def _at(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _rewarded(k: int, by: float = 1.0, **changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The running example, as it is and with the reward of token k higher."""
    before = _at(at_hand(), **changes)
    rewards = [float(r) for r in before["rewards"]]
    rewards[k] += by
    return before, _at(at_hand(), rewards=rewards, scores=None, **changes)


def _weights_add_up_to_one(_: Scenario) -> Judged:
    found = compute(sharing, RUNNING).exact
    return Judged(
        holds(found["last_reward_weight_sum"] == 1),
        {"first": found["last_reward_weights"][0], "last": found["last_reward_weights"][-1],
         "sum": found["last_reward_weight_sum"]},
    )  # fmt: skip


def _weight_of_last_reward(_: Scenario) -> Judged:
    theorem("reward_reaches_back_with_gamma_lambda")
    before, after = _rewarded(-1)
    moved = after["advantages"][0] - before["advantages"][0]
    decay = Fraction(95, 100) ** (RUNNING.length - 1)
    return Judged(holds(abs(float(moved - decay)) < CLOSE), {"moved": moved, "power": decay})


def _advantage_is_share_of_reward(_: Scenario) -> Judged:
    """The last token's weight is 1; what its advantage is of the reward."""
    found = _at(RUNNING)
    part = found["advantages"][-1] / found["rewards"][-1]
    return Judged(
        holds(part == 1),
        {"adv": found["advantages"][-1], "reward": found["rewards"][-1], "v": found["values"][-1], "part": part},
    )


def _must_run_backwards(scenario: Scenario) -> Judged:
    theorem("gae_is_decayed_sum_of_deltas")
    own = numbers(scenario)
    found = _at(own)
    decay = float(own.gamma or 0) * float(own.lam or 0)
    forwards = [
        sum(formulas.discounted(float(d), decay, k) for k, d in enumerate(found["deltas"][t:]))
        for t in range(min(own.length, 8))
    ]
    same = all(abs(a - float(b)) < CLOSE for a, b in zip(forwards, found["advantages"], strict=False))
    return Judged(
        holds(not same), {"forwards": round(forwards[0], 6), "backwards": round(float(found["advantages"][0]), 6)}
    )


def _divides_equally(_: Scenario) -> Judged:
    found = compute(sharing, RUNNING).exact
    return Judged(
        holds(found["last_reward_counted"] == found["last_reward_shares"]),
        {"counted": found["last_reward_counted"][0], "share": found["last_reward_shares"][0]},
    )


def _later_tokens_earn_more(_: Scenario) -> Judged:
    found = _at(RUNNING)["advantages"]
    return Judged(holds(found[-1] > found[0]), {"first": found[0], "last": found[-1]})


def _same_weight_at_one(_: Scenario) -> Judged:
    before, after = _rewarded(-1, lam=1.0)
    moved = [float(a - b) for a, b in zip(after["advantages"], before["advantages"], strict=True)]
    return Judged(
        holds(all(abs(m - 1) < CLOSE for m in moved)), {"first": round(moved[0], 6), "last": round(moved[-1], 6)}
    )


def _spreading_changes_nothing(_: Scenario) -> Judged:
    values = [Fraction(1, 2), Fraction(3, 5), Fraction(9, 10)]
    at_the_end, spread = [Fraction(0), Fraction(0), Fraction(1)], [Fraction(1, 3)] * 3
    one, other = (gae(r, values, Fraction(1), Fraction(19, 20)) for r in (at_the_end, spread))
    return Judged(holds(one == other), {"end": one, "spread": other, "v": values})


def _grpo_is_level_within(_: Scenario) -> Judged:
    scores = [Fraction(1), Fraction(0)]
    group = groups.mean_centred(scores, [0, 0])
    per_token = [group[0]] * RUNNING.length
    return Judged(holds(len(set(per_token)) == 1), {"scores": scores, "each": group[0]})


def _finds_the_cause(_: Scenario) -> Judged:
    """Token 0 has no part in the outcome, which is a fair coin, and the critic is exact."""
    half, lam = Fraction(1, 2), Fraction(19, 20)
    lucky, unlucky = (gae([0 * half, Fraction(end)], [half, half], Fraction(1), lam)[0] for end in (1, 0))
    return Judged(holds(lucky == unlucky), {"lucky": lucky, "unlucky": unlucky})


def _reward_moves_later_advantages(_: Scenario) -> Judged:
    theorem("later_advantages_ignore_reward")
    before, after = _rewarded(0)
    return Judged(
        holds(before["advantages"][1:] != after["advantages"][1:]),
        {"before": before["advantages"][1], "after": after["advantages"][1]},
    )


def _nothing_without_gae(_: Scenario) -> Judged:
    """Plain return minus value, where only the last token is rewarded."""
    rewards, values = [0.0, 0.0, 1.0], [0.3, 0.4, 0.6]
    found = [round(x, 6) for x in sequences.mc_advantages(sequences.mc_returns(rewards, 1.0), values)]
    return Judged(holds(found[0] == 0), {"r": rewards, "v": values, "first": found[0]})


def _critic_has_no_part(_: Scenario) -> Judged:
    """The same rewards before two critics."""
    rewards, lam = [Fraction(0), Fraction(1)], Fraction(19, 20)
    early, late = (gae(rewards, [Fraction(1, 5), v], Fraction(1), lam) for v in (Fraction(4, 5), Fraction(1, 5)))
    return Judged(holds(early == late), {"r": rewards, "early": early, "late": late})


FACTS: dict[str, Check] = {
    "weights_add_up_to_one": _weights_add_up_to_one,
    "last_reward_counts_gamma_lambda_power": _weight_of_last_reward,
    "advantage_is_the_share_of_the_reward": _advantage_is_share_of_reward,
    "must_be_computed_backwards": _must_run_backwards,
    "reward_is_divided_equally": _divides_equally,
    "later_tokens_earn_more": _later_tokens_earn_more,
    "same_weight_at_lambda_one": _same_weight_at_one,
    "spreading_the_reward_changes_nothing": _spreading_changes_nothing,
    "grpo_tells_no_tokens_apart": _grpo_is_level_within,
    "finds_the_cause": _finds_the_cause,
    "reward_moves_later_advantages": _reward_moves_later_advantages,
    "nothing_for_early_tokens_without_gae": _nothing_without_gae,
    "critic_has_no_part": _critic_has_no_part,
    **MORE,
    **TRIED,
    **STATED,
    **ASKED,
    **WAYS,
    **TURNS,
    **ANY_WAY,
    **PORTIONS,
}
