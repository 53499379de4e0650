"""More of what learners claim of an iteration: its order, what is refreshed, what carries a gradient."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Any

from engine import quantities
from engine.conventions import VERL_NEW, Rollout, run
from engine.example import BOTH
from engine.facts import Inputs, compute
from engine.scenario import Scenario, scenario
from engine.slopes import own_slopes, total_slopes
from lessons._checks import whitened
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE

BATCH, MINI, QUARTER = 1024, 1024, 256  # responses: a whole batch at once, or a quarter of it


def _ratio(**changes: Any) -> Any:
    return quantities.facts("surrogate", EXAMPLE.merged(changes)).exact["ratio"]


def _terms(x: Inputs) -> dict[str, Any]:
    """What actor and critic are moved by, on the numbers that the rollout left."""
    ratio = x.on.ratios(x["new_logp"], x["old_logp"], x.mask)
    return {
        "actor": x.on.surrogates(ratio, x["advantages"], x.mask),
        "critic": x.on.value_errors(x["vpreds"], x["values"], x["returns"], x.mask, cliprange=None),
    }


def _handed_over() -> Scenario:
    found = quantities.facts("gae", EXAMPLE).numbers
    return EXAMPLE.merged({"advantages": found["advantages"], "returns": found["returns"]})


@cache
def _slope(name: str, by: str) -> Any:
    return compute(total_slopes(_terms, (name,), by), _handed_over()).exact[name]


def _old_refreshed(_: Scenario) -> Judged:
    """An old policy that followed every step would leave all ratios at 1."""
    kept, followed = _ratio()[0], _ratio(old_logp=EXAMPLE.new_logp)[0]
    return Judged(holds(kept == followed), {"kept": kept, "followed": followed})


def _differentiable_reward(_: Scenario) -> Judged:
    """The slope of each term is ρA: the reward has come in as a number."""
    found = quantities.facts("surrogate", EXAMPLE).exact
    slopes = compute(own_slopes(quantities.surrogate, "terms", "new_logp"), EXAMPLE).exact["slopes"]
    same = abs(float(slopes[0] - found["ratio"][0] * found["advantages"][0])) < 1e-9
    return Judged(
        holds(not same), {"slope": slopes[0], "advantage": found["advantages"][0], "ratio": found["ratio"][0]}
    )


def _value_loss_trains_actor(_: Scenario) -> Judged:
    actor, critic = _slope("critic", "new_logp"), _slope("critic", "vpreds")
    return Judged(holds(actor != 0), {"actor": actor, "critic": critic})


def _policy_loss_trains_critic(_: Scenario) -> Judged:
    critic, actor = _slope("actor", "values"), _slope("actor", "new_logp")
    return Judged(holds(critic != 0), {"critic": critic, "actor": actor})


def _rewarded(rewards: tuple[float, ...]) -> Scenario:
    return EXAMPLE.merged({"rewards": rewards, "scores": None})


def _order(_: Scenario) -> Judged:
    """Scores less KL, then GAE, then whitening: against GAE on the bare scores."""
    found = quantities.facts("pipeline", EXAMPLE).exact
    bare = quantities.facts("gae", _rewarded(EXAMPLE.rows("scores")[0])).exact
    again = quantities.facts("gae", _rewarded(tuple(map(float, found["rewards"])))).exact
    gap, other = (abs(float(found["advantages"][0] - one["advantages"][0])) for one in (again, bare))
    same = gap < 1e-9 < other
    return Judged(
        holds(same),
        {"advantage": found["advantages"][0], "whitened": whitened()[0], "bare": bare["advantages"][0]},
    )


def _one_step(_: Scenario) -> Judged:
    whole, quarters = BATCH // MINI, BATCH // QUARTER
    return Judged(
        "depends" if whole == 1 < quarters else holds(whole == 1),
        {"batch": BATCH, "quarter": QUARTER, "whole": whole, "steps": quarters},
    )


def _prompt_is_trained(_: Scenario) -> Judged:
    """Two tokens of a prompt before two of a response, with numbers that would show."""
    rows: dict[str, list[float]] = {"ratio": [5, 7, 1.1, 0.9], "advantages": [100, 100, 1, 2]}
    masked = quantities.facts("surrogate", scenario({**rows, "mask": [0, 0, 1, 1]})).exact["surrogate"]
    alone = quantities.facts("surrogate", scenario({name: row[2:] for name, row in rows.items()})).exact["surrogate"]
    return Judged(holds(masked != alone), {"masked": masked, "alone": alone})


def _loss_shows_progress(_: Scenario) -> Judged:
    """The first policy loss of an iteration on whitened advantages, for a poor and for a rich batch."""
    rich = [[s + t for t, s in enumerate(row)] for row in BOTH.rows("scores")]
    means = [
        sum(chain(*quantities.facts("whiten", one).exact["whitened"])) for one in (BOTH, BOTH.merged({"scores": rich}))
    ]
    poor, richer = (abs(round(float(mean), 9)) for mean in means)
    return Judged(holds(poor != richer), {"poor": poor, "rich": richer})


def _vpreds_are_values(_: Scenario) -> Judged:
    """They are before the critic's first step, and not after it."""
    now, then = EXAMPLE.rows("vpreds")[0], EXAMPLE.rows("values")[0]
    return Judged("depends" if now != then else "true", {"value": then[0], "vpred": now[0]})


def _actor_gets_raw(_: Scenario) -> Judged:
    """What verl hands to the actor is whitened inside the function that computes GAE."""
    found = quantities.facts("pipeline", EXAMPLE).exact
    raw = found["advantages"]
    rewards = quantities.facts("gae", BOTH).numbers["rewards"]
    rollout = Rollout(rewards, [list(row) for row in BOTH.rows("values")], [[1] * len(row) for row in rewards])
    given = run(rollout, VERL_NEW, gamma=EXAMPLE.gamma, lam=EXAMPLE.lam).normalised[0]
    same = all(abs(float(a - b)) < 1e-6 for a, b in zip(given, raw, strict=True))
    return Judged(holds(same), {"raw": raw[0], "given": round(float(given[0]), 6)})


def _order_of_updates(_: Scenario) -> Judged:
    """The actor's terms do not move with what the critic says after its own update."""
    by_critic, by_actor = _slope("actor", "vpreds"), _slope("critic", "new_logp")
    return Judged(holds(by_critic != 0 or by_actor != 0), {"by_critic": by_critic, "by_actor": by_actor})


MORE: dict[str, Check] = {
    "old_log_probs_follow_every_step": _old_refreshed,
    "reward_must_be_differentiable": _differentiable_reward,
    "value_loss_trains_the_actor": _value_loss_trains_actor,
    "policy_loss_trains_the_critic": _policy_loss_trains_critic,
    "kl_then_gae_then_whitening": _order,
    "one_gradient_step_per_batch": _one_step,
    "prompt_tokens_are_trained": _prompt_is_trained,
    "policy_loss_shows_progress": _loss_shows_progress,
    "vpreds_are_values": _vpreds_are_values,
    "actor_gets_raw_advantages": _actor_gets_raw,
    "order_of_actor_and_critic_update_matters": _order_of_updates,
}
