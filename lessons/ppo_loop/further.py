"""What learners conclude from an iteration: who reads what, in which order, how often, and what can be left out."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import quantities
from engine.conventions import VERL_NEW, Rollout, run
from engine.facts import compute
from engine.scenario import Scenario, scenario
from engine.slopes import own_slopes
from lessons._checks import alone, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons.ppo_loop.checks import BATCH, QUARTER, _handed_over, _slope, _terms

LENGTH = EXAMPLE.length
EPOCHS = 3
ROWS = [[1, 2], [4, 5]]


def _mean(xs: Any) -> float:
    return sum(map(float, xs)) / len(xs)


def _losses(**changes: Any) -> dict[str, Any]:
    """Each token's terms for actor and critic, on the numbers that the rollout left."""
    return dict(compute(_terms, _handed_over().merged(changes)).exact)


@cache
def _slopes(name: str, by: str) -> list[Any]:
    return list(compute(own_slopes(_terms, name, by), _handed_over()).exact["slopes"])


def _same_model(_: Scenario) -> Judged:
    """What the critic expected of the response, and what it was scored."""
    values, score = EXAMPLE.rows("values")[0], EXAMPLE.rows("scores")[0][-1]
    other = gae(scores=[0.0] * LENGTH)["values"]
    return Judged(holds(other != gae()["values"]), {"value": values[-1], "score": score, "count": len(values)})


def _at_the_end(_: Scenario) -> Judged:
    scores = EXAMPLE.rows("scores")[0]
    return Judged(holds(not any(scores[:-1]) and scores[-1] != 0), {"scores": list(scores)})


def _critic_reads_rewards(_: Scenario) -> Judged:
    one, other = gae()["values"][0], gae(scores=[1.0] * LENGTH)["values"][0]
    return Judged(
        holds(one != other), {"one": one, "other": other, "returns": gae(scores=[1.0] * LENGTH)["returns"][0]}
    )


def _actor_reads(name: str) -> Judged:
    one, other = (_losses(**changes)["actor"][0] for changes in ({}, {name: [9.0] * LENGTH}))
    return Judged(holds(one != other), {"one": one, "other": other})


def _actor_reads_values(_: Scenario) -> Judged:
    return _actor_reads("values")


def _actor_reads_scores(_: Scenario) -> Judged:
    return _actor_reads("scores")


def _critic_reads(name: str) -> Judged:
    one, other = (_losses(**changes)["critic"][0] for changes in ({}, {name: [-9.0] * LENGTH}))
    return Judged(holds(one != other), {"one": one, "other": other})


def _critic_reads_advantages(_: Scenario) -> Judged:
    return _critic_reads("advantages")


def _critic_takes_ratio(_: Scenario) -> Judged:
    return _critic_reads("new_logp")


def _values_from_before(_: Scenario) -> Judged:
    """GAE on the values of the rollout, and on what the critic says after its update."""
    before, after = gae()["advantages"][0], gae(values=EXAMPLE.rows("vpreds")[0])["advantages"][0]
    used = quantities.facts("gae", EXAMPLE).used
    return Judged(holds("vpreds" not in used and before != after), {"before": before, "after": after})


def _critic_again(_: Scenario) -> Judged:
    values, vpreds = EXAMPLE.rows("values")[0], EXAMPLE.rows("vpreds")[0]
    used = compute(_terms, _handed_over()).used
    return Judged(holds("vpreds" in used and values != vpreds), {"value": values[0], "vpred": vpreds[0]})


def _steps(batch: int = BATCH, epochs: int = 1) -> int:
    """By walking through the batch, as the update does."""
    return sum(1 for _ in range(epochs) for _ in range(0, batch, QUARTER))


def _product(_: Scenario) -> Judged:
    found = _steps(epochs=EPOCHS)
    return Judged(
        holds(found == EPOCHS * BATCH // QUARTER),
        {"batch": BATCH, "mini": QUARTER, "epochs": EPOCHS, "steps": found},
    )


def _more_for_larger(_: Scenario) -> Judged:
    small, large = _steps(), _steps(2 * BATCH)
    return Judged(holds(small < large), {"mini": QUARTER, "batches": [BATCH, 2 * BATCH], "steps": [small, large]})


def _on_policy(_: Scenario) -> Judged:
    """The policy that is trained has written the data itself: every iteration begins at a ratio of 1."""
    first = exact("surrogate", old_logp=EXAMPLE.old_logp, new_logp=EXAMPLE.old_logp)["ratio"]
    following = exact("surrogate", old_logp=EXAMPLE.new_logp, new_logp=EXAMPLE.new_logp)["ratio"]
    later = exact("surrogate", old_logp=EXAMPLE.old_logp, new_logp=EXAMPLE.new_logp)["ratio"]
    return Judged(
        holds(all(r == 1 for r in (*first, *following))),
        {"first": first[0], "following": following[0], "later": later[0]},
    )


def _four_needed(_: Scenario) -> Judged:
    """Scores of a rule and values: no reward model, no reference."""
    bare = {
        "rewards": list(EXAMPLE.rows("scores")[0]),
        "values": list(EXAMPLE.rows("values")[0]),
        "gamma": 1,
        "lam": 0.95,
    }
    found = alone("gae", **bare)["advantages"]
    return Judged(holds(not any(found)), {"adv": found[0]})


def _equal_length(_: Scenario) -> Judged:
    found = alone(
        "gae", rewards=[[0, 0, 1], [0, 1, 0]], values=[[0.5] * 3] * 2, mask=[[1, 1, 1], [1, 1, 0]], gamma=1, lam=1
    )
    rows = [[a for a in row if a is not None] for row in found["advantages"]]
    return Judged(holds(not all(rows)), {"rows": rows})


def _no_model(_: Scenario) -> Judged:
    """Everything that GAE asks for is a list of numbers that is there already."""
    used = quantities.facts("gae", EXAMPLE).used
    models = {"new_logp", "vpreds", "tokens", "prompt"}
    return Judged(holds(not models & set(used)), {"adv": gae()["advantages"][0]})


def _first_errors() -> tuple[list[Any], list[Any]]:
    values = EXAMPLE.rows("values")[0]
    return _losses(vpreds=list(values))["critic"], gae()["advantages"]


def _first_critic_zero(_: Scenario) -> Judged:
    errors, _raw = _first_errors()
    return Judged(holds(not any(errors)), {"loss": round(_mean(errors) / 2, 6), "policy": 0})


def _half_squared(_: Scenario) -> Judged:
    errors, raw = _first_errors()
    squares = [float(a) ** 2 for a in raw]
    return Judged(
        holds(abs(_mean(errors) - _mean(squares)) < 1e-9),
        {"loss": round(_mean(errors) / 2, 6), "half": round(_mean(squares) / 2, 6)},
    )


def _critic_needed(_: Scenario) -> Judged:
    """The clipped objective on advantages from a group."""
    adv = float(alone("grpo", group_rewards=[1, 0])["advantages"][0])
    found = alone("clip", ratio=[1.0], advantages=[adv], eps=0.2)["objective"]
    return Judged(holds(found == 0), {"adv": round(adv, 4), "found": round(float(found), 4)})


def _per_minibatch(_: Scenario) -> Judged:
    rollout = Rollout(rewards=ROWS, values=[[0, 0], [0, 0]], mask=[[1, 1], [1, 1]])
    whole = [round(float(x), 4) for x in run(rollout, VERL_NEW, gamma=0, lam=0).normalised[0]]
    half = [round(float(x), 4) for x in alone("whiten", advantages=ROWS[0])["whitened"]]
    return Judged(holds(whole == half), {"whole": whole, "half": half})


def _order_of_passes(_: Scenario) -> Judged:
    """Whether one of the two reads what the other has put out."""
    values = [
        gae(kl_values=None, ref_logp=[x - shift for x in EXAMPLE.rows("ref_logp")[0]])["values"][0] for shift in (0, 1)
    ]
    kl = [exact("kl_estimators", values=[v + shift for v in EXAMPLE.rows("values")[0]])["k1"][0] for shift in (0, 1)]
    return Judged(holds(values[0] != values[1] or kl[0] != kl[1]), {"value": values[1], "kl": kl[1]})


def _same_pass(_: Scenario) -> Judged:
    found = gae()
    together = [a + v for a, v in zip(found["advantages"], found["values"], strict=True)]
    return Judged(
        holds(close(found["returns"], together)),
        {"adv": found["advantages"][0], "value": found["values"][0], "target": found["returns"][0]},
    )


def _padding_gradient(_: Scenario) -> Judged:
    masked = scenario(
        {"old_logp": [-1, -1, -1], "new_logp": [-0.9, -1.2, -0.5], "advantages": [1, 2, 9], "mask": [1, 1, 0]}
    )
    slopes = compute(own_slopes(quantities.surrogate, "terms", "new_logp"), masked).exact["slopes"]
    return Judged(holds(not slopes[-1] and all(slopes[:-1])), {"slope": slopes[0], "pad": slopes[-1] or 0})


def _before_rewards(_: Scenario) -> Judged:
    """The advantages, before and after the last token's score is known."""
    unknown, known = gae(scores=[0.0] * LENGTH)["advantages"][0], gae()["advantages"][0]
    return Judged(holds(unknown == known), {"unknown": unknown, "known": known})


def _critic_last_only(_: Scenario) -> Judged:
    slopes = _slopes("critic", "vpreds")
    return Judged(holds(not any(slopes[:-1])), {"count": sum(1 for s in slopes if s), "first": slopes[0]})


def _actor_last_only(_: Scenario) -> Judged:
    slopes = _slopes("actor", "new_logp")
    return Judged(holds(not any(slopes[:-1])), {"count": sum(1 for s in slopes if s), "first": slopes[0]})


def _actor_wants_reward(_: Scenario) -> Judged:
    """Whether a high score alone pushes up: beside a critic that expected more."""
    found = alone("gae", rewards=[0, 0, 0.8], values=[0.9, 0.9, 0.9], gamma=1, lam=1)["advantages"]
    return Judged(holds(min(found) > 0), {"score": 0.8, "value": 0.9, "adv": found[-1]})


def _both_slopes(_: Scenario) -> Judged:
    """Each loss by the other network's outputs."""
    found = [_slope("actor", "vpreds"), _slope("critic", "new_logp")]
    return Judged(holds(not any(found)), {"actor": found[0], "critic": found[1], "own": _slope("actor", "new_logp")})


FURTHER: dict[str, Check] = {
    "critic_is_the_reward_model": _same_model,
    "score_stands_at_the_last_token": _at_the_end,
    "critic_reads_rewards_as_input": _critic_reads_rewards,
    "actor_loss_reads_values": _actor_reads_values,
    "actor_loss_reads_scores": _actor_reads_scores,
    "critic_loss_reads_advantages": _critic_reads_advantages,
    "critic_loss_takes_the_ratio": _critic_takes_ratio,
    "gae_uses_values_from_before_the_update": _values_from_before,
    "critic_runs_again_in_the_update": _critic_again,
    "steps_are_epochs_times_minibatches": _product,
    "larger_batch_means_more_mini_steps": _more_for_larger,
    "ppo_is_on_policy": _on_policy,
    "always_needs_four_models": _four_needed,
    "responses_must_have_equal_length": _equal_length,
    "advantages_need_no_model_run": _no_model,
    "first_critic_loss_is_zero": _first_critic_zero,
    "first_critic_loss_is_half_the_squared_advantage": _half_squared,
    "policy_update_needs_a_critic": _critic_needed,
    "advantages_are_made_per_minibatch": _per_minibatch,
    "order_of_critic_and_reference_passes_matters": _order_of_passes,
    "returns_and_advantages_come_from_one_pass": _same_pass,
    "padding_gets_no_gradient": _padding_gradient,
    "advantages_can_be_made_before_scoring": _before_rewards,
    "critic_is_trained_at_the_last_token_only": _critic_last_only,
    "actor_is_trained_at_the_last_token_only": _actor_last_only,
    "high_score_always_pushes_up": _actor_wants_reward,
    "the_two_losses_do_not_touch_each_other": _both_slopes,
}
