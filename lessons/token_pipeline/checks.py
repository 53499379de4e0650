"""More of what learners claim about the way from scores to losses: who is given what, in which order, how many."""

from __future__ import annotations

from itertools import chain
from typing import Any

from engine import conventions, mistakes, quantities
from engine.batches import critic_values
from engine.conventions import VERL_NEW, VERL_OLD, Rollout
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.statistics import total
from lessons._at_hand import at_hand, batch_at_hand
from lessons._checks import whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds

PROMPT = 3  # tokens


def _found(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.pipeline, at_hand().merged(changes))


def _actor_whitened_critic_raw(_: Scenario) -> Judged:
    """The critic's targets less V are the raw advantages; the actor's list is another."""
    found = _found()
    behind = [r - v for r, v in zip(found["returns"], found["values"], strict=True)]
    raw = all(close(a, b) for a, b in zip(behind, found["advantages"], strict=True))
    actor = whitened()[0]
    return Judged(
        holds(raw and not close(actor, found["advantages"][0])),
        {"actor": actor, "critic": found["returns"][0], "raw": found["advantages"][0]},
    )


def _rewards_are_whitened_first(_: Scenario) -> Judged:
    """What the recursion has seen under verl's convention, beside the rewards that went in."""

    def program(x: Inputs) -> dict[str, Any]:
        rollout = Rollout(quantities.rewards(x), x["values"], x.mask)
        seen = conventions.run(rollout, VERL_NEW, gamma=x["gamma"], lam=x["lam"])
        return {"seen": seen.rewards, "given": rollout.rewards}

    found = exact_facts(program, RUNNING)
    return Judged(holds(found["seen"] != found["given"]), found)


def _rewards_add_up_to_the_score(_: Scenario) -> Judged:
    found = _found()
    earned, score = total(found["rewards"]), total([rational(s) for s in RUNNING.rows("scores")[0]])
    return Judged(holds(close(earned, score)), {"earned": earned, "score": score})


def _one_entry_for_each_token(_: Scenario) -> Judged:
    found = _found()
    names = ("rewards", "values", "deltas", "advantages", "returns", "whitened")
    lengths = {len(found[name]) for name in names}
    return Judged(holds(lengths == {at_hand().length}), {"T": at_hand().length, "lists": len(names)})


def _kl_reaches_the_advantages(_: Scenario) -> Judged:
    with_kl, without = _found()["advantages"][0], _found(beta=0.0)["advantages"][0]
    return Judged(holds(with_kl != without), {"with_kl": with_kl, "without": without})


def _waits_for_the_end(_: Scenario) -> Judged:
    one, other = (_found(scores=[0.0] * (RUNNING.length - 1) + [last])["advantages"][0] for last in (1.0, 0.0))
    return Judged(holds(one != other), {"one": one, "other": other})


def _prompt_tokens_have_advantages(_: Scenario) -> Judged:
    kept = critic_values([list(range(PROMPT + RUNNING.length))], RUNNING.length)[0]
    every = PROMPT + RUNNING.length
    return Judged(holds(len(kept) == every), {"prompt": PROMPT, "all": every, "kept": len(kept)})


def _actor_multiplies_rewards(_: Scenario) -> Judged:
    """A token whose reward and advantage have opposite signs."""
    found = _found()
    surrogate = exact_facts(quantities.surrogate, RUNNING.merged({"new_logp": RUNNING.logp, "old_logp": RUNNING.logp}))
    reward, term = found["rewards"][0], surrogate["terms"][0]
    return Judged(holds(close(reward, term)), {"reward": reward, "term": term})


def _shift_of_score_is_free(_: Scenario) -> Judged:
    """The same score put where the first token stands."""
    last = RUNNING.rows("scores")[0]
    first = _found(scores=[*reversed(last)])["advantages"]
    found = _found()["advantages"]
    return Judged(holds(first == found), {"end": found[-1], "start": first[-1]})


def _critic_must_be_right(_: Scenario) -> Judged:
    """R = A + V whatever V is; without V in δ, A is another."""
    right, wrong = _found()["advantages"][0], mistakes.run("bootstrap_forgotten", at_hand()).exact["advantages"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _function_returns_whitened(_: Scenario) -> Judged:
    """What verl hands on as advantages, old and new: mean 0, the raw ones not."""

    def program(x: Inputs) -> dict[str, Any]:
        rollout = Rollout(quantities.rewards(x), x["values"], x.mask)
        found = [conventions.run(rollout, c, gamma=x["gamma"], lam=x["lam"]) for c in (VERL_OLD, VERL_NEW)]
        return {"raw": found[1].advantages, "old": found[0].normalised, "new": found[1].normalised}

    found = exact_facts(program, batch_at_hand())
    raw, old, new = (found[name] if batch_at_hand().batched else [found[name]] for name in ("raw", "old", "new"))
    level = all(close(total([*chain(*rows)]), 0) for rows in (old, new))
    return Judged(holds(level and not close(total([*chain(*raw)]), 0)), {"raw": raw[0][0], "handed_on": new[0][0]})


def _deltas_are_handed_to_the_actor(_: Scenario) -> Judged:
    found = _found()
    return Judged(
        holds(close(found["deltas"], found["advantages"])),
        {"delta": found["deltas"][0], "advantage": found["advantages"][0]},
    )


def _lambda_is_in_the_rewards(_: Scenario) -> Judged:
    one, other = (_found(lam=lam) for lam in (0.5, 1.0))
    return Judged(
        holds(one["rewards"] != other["rewards"]),
        {"reward": one["rewards"][0], "half": one["advantages"][0], "one": other["advantages"][0]},
    )


def _long_answers_are_longer_lists(_: Scenario) -> Judged:
    """Two responses of a batch: each with numbers for its own tokens only."""
    own = Scenario(gamma=RUNNING.gamma, lam=RUNNING.lam).merged(
        {
            "rewards": [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
            "values": [[0.5] * 3, [0.5] * 3],
            "mask": [[1, 1, 1], [1, 1, 0]],
        }
    )
    rows = exact_facts(quantities.gae, own)["advantages"]
    counts = [sum(a is not None for a in row) for row in rows]
    return Judged(holds(counts[0] == counts[1]), {"first": counts[0], "second": counts[1]})


MORE: dict[str, Check] = {
    "actor_gets_whitened_and_critic_raw": _actor_whitened_critic_raw,
    "rewards_are_whitened_before_gae": _rewards_are_whitened_first,
    "token_rewards_add_up_to_the_score": _rewards_add_up_to_the_score,
    "every_list_has_one_entry_per_response_token": _one_entry_for_each_token,
    "kl_penalty_reaches_the_advantages": _kl_reaches_the_advantages,
    "advantages_wait_for_the_whole_response": _waits_for_the_end,
    "prompt_tokens_get_advantages": _prompt_tokens_have_advantages,
    "actor_multiplies_ratio_by_reward": _actor_multiplies_rewards,
    "position_of_the_score_does_not_matter": _shift_of_score_is_free,
    "pipeline_runs_without_values": _critic_must_be_right,
    "gae_function_returns_whitened_advantages": _function_returns_whitened,
    "actor_is_given_the_deltas": _deltas_are_handed_to_the_actor,
    "lambda_changes_the_token_rewards": _lambda_is_in_the_rewards,
    "all_responses_have_equally_many_advantages": _long_answers_are_longer_lists,
}
