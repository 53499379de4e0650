"""More of what learners claim about the critic's training: what the loss reads, what is held, where it pulls."""

from __future__ import annotations

from typing import Any

from engine import formulas, quantities
from engine.example import RUNNING
from engine.facts import compute, exact_facts
from engine.proofs import theorem
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.scenario import scenario as validated
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds


def _loss(**given: Any) -> dict[str, Any]:
    base = {"gamma": 1, "lam": 0.9, "cliprange_value": 0.2}
    return exact_facts(quantities.value_loss, validated({**base, **given}))


def _has_the_ratio_in_it(_: Scenario) -> Judged:
    used = compute(quantities.value_loss, RUNNING).used
    moved = RUNNING.merged({"new_logp": [-3.0] * RUNNING.length})
    before, after = (exact_facts(quantities.value_loss, own)["vf_loss"] for own in (RUNNING, moved))
    return Judged(holds("new_logp" in used or before != after), {"before": before, "after": after})


def _clips_about_the_target(_: Scenario) -> Judged:
    found = _loss(vpreds=[1.0], old_values=[0.5], returns=[2.0])["vpred_clipped"][0]
    return Judged(holds(found > 1), {"old": rational(0.5), "goal": rational(2.0), "clipped": found})


def _targets_follow_the_critic(_: Scenario) -> Judged:
    before = exact_facts(quantities.value_loss, RUNNING)["returns"][0]
    after = exact_facts(quantities.value_loss, RUNNING.merged({"vpreds": [5.0] * RUNNING.length}))["returns"][0]
    return Judged(holds(before != after), {"before": before, "after": after})


def _fit_ends_advantages(_: Scenario) -> Judged:
    """V fitted to one response's returns, met by another response."""
    first = exact_facts(quantities.gae, validated({"rewards": [0, 1], "values": [0.5, 0.5], "gamma": 1, "lam": 1}))
    fitted = [float(r) for r in first["returns"]]
    again = exact_facts(quantities.gae, validated({"rewards": [0, 0], "values": fitted, "gamma": 1, "lam": 1}))
    return Judged(holds(not any(again["advantages"])), {"fitted": first["returns"], "adv": again["advantages"]})


def _half_moves_the_goal(_: Scenario) -> Judged:
    """Where the loss is least among a few predictions, halved and whole."""
    grid = [rational(v / 10) for v in range(11)]
    goal = rational(0.7)
    errors = [formulas.squared_error(v, goal) for v in grid]
    halves = [formulas.value_loss_term(e) for e in errors]
    least, half_least = (grid[row.index(min(row))] for row in (errors, halves))
    return Judged(holds(least != half_least), {"whole": least, "half": half_least})


def _zero_lambda_is_one_step(_: Scenario) -> Judged:
    found = exact_facts(quantities.gae, RUNNING.merged({"lam": 0.0}))
    after = [*found["values"][1:], 0 * found["values"][0]]
    one = [formulas.mc_step(r, v, rational(1.0)) for r, v in zip(found["rewards"], after, strict=True)]
    return Judged(holds(close(found["returns"], one)), {"target": found["returns"][0], "one": one[0]})


def _only_the_end_teaches(_: Scenario) -> Judged:
    """The loss with the first prediction alone moved."""
    predictions = list(RUNNING.rows("vpreds")[0])
    moved = RUNNING.merged({"vpreds": [predictions[0] + 1, *predictions[1:]]})
    before, after = (exact_facts(quantities.value_loss, own)["vf_loss"] for own in (RUNNING, moved))
    return Judged(holds(before == after), {"before": before, "after": after})


def _pulled_by_the_advantage(_: Scenario) -> Judged:
    """At the first step the way to the target is A itself."""
    found = exact_facts(quantities.gae, at_hand())
    pulls = [r - v for r, v in zip(found["returns"], found["values"], strict=True)]
    return Judged(holds(close(pulls, found["advantages"])), {"pull": pulls[0], "a": found["advantages"][0]})


def _range_of_zero_switches_off(_: Scenario) -> Judged:
    """Moved half the way to its target: the error with range 0, and without a clip."""
    given = {"vpreds": [0.75], "old_values": [0.5], "returns": [1.0]}
    zero, wide = (_loss(**given, cliprange_value=width)["vf_loss"] for width in (0.0, 9.0))
    return Judged(holds(zero == wide), {"zero": zero, "plain": wide})


def _one_target_per_response(_: Scenario) -> Judged:
    targets = exact_facts(quantities.gae, RUNNING)["returns"]
    return Judged(holds(len(set(targets)) == 1), {"first": targets[0], "last": targets[-1], "T": RUNNING.length})


def _pull_is_level(_: Scenario) -> Judged:
    """Minus the derivative of half the squared error, at two distances from the target."""
    near, far = (formulas.advantage(rational(1.0), rational(v)) for v in (0.9, 0.4))
    return Judged(holds(near == far), {"near": near, "far": far})


def _learns_the_best(_: Scenario) -> Judged:
    """Two responses from one state: which constant has the least mean squared error."""
    theorem("regression_is_flat_at_the_mean")
    targets = [rational(0.2), rational(1.0)]
    grid = [rational(v / 10) for v in range(11)]
    errors = [sum(formulas.squared_error(v, r) for r in targets) for v in grid]
    least = grid[errors.index(min(errors))]
    return Judged(holds(least == max(targets)), {"targets": targets, "least": least})


def _prompt_has_one_target(_: Scenario) -> Judged:
    """Two responses to one prompt, V before the first token being the same."""
    given = {"rewards": [[0, 1], [0, 0]], "values": [[0.5, 0.6], [0.5, 0.4]], "gamma": 1, "lam": 1}
    rows = exact_facts(quantities.gae, validated(given))["returns"]
    return Judged(holds(rows[0][0] == rows[1][0]), {"one": rows[0][0], "other": rows[1][0], "v": rational(0.5)})


def _wider_range_raises_the_loss(_: Scenario) -> Judged:
    losses = [
        exact_facts(quantities.value_loss, RUNNING.merged({"cliprange_value": width}))["vf_loss"]
        for width in (0.05, 0.2, 1.0)
    ]
    return Judged(holds(losses[0] < losses[-1]), {"losses": losses, "narrow": 0.05, "wide": 1.0})


def _fraction_counts_all_outside(_: Scenario) -> Judged:
    """Two predictions outside the range, one of them on the way away from its target."""
    found = _loss(vpreds=[0.9, 0.1], old_values=[0.5, 0.5], returns=[1.0, 1.0])
    return Judged(holds(found["vf_clipfrac"] == 1), {"fraction": found["vf_clipfrac"], "outside": 2})


MORE: dict[str, Check] = {
    "critic_loss_contains_the_ratio": _has_the_ratio_in_it,
    "value_clip_is_about_the_target": _clips_about_the_target,
    "targets_are_renewed_after_each_critic_step": _targets_follow_the_critic,
    "perfect_fit_makes_the_next_advantages_zero": _fit_ends_advantages,
    "half_in_the_loss_changes_what_is_learned": _half_moves_the_goal,
    "lambda_zero_makes_the_target_one_step": _zero_lambda_is_one_step,
    "only_the_last_token_trains_the_critic": _only_the_end_teaches,
    "positive_advantage_pulls_the_value_up": _pulled_by_the_advantage,
    "clip_range_zero_means_no_value_clipping": _range_of_zero_switches_off,
    "one_target_for_the_whole_response": _one_target_per_response,
    "pull_does_not_depend_on_the_distance": _pull_is_level,
    "critic_learns_the_best_return": _learns_the_best,
    "prompt_has_one_target_for_all_responses": _prompt_has_one_target,
    "wider_value_range_raises_the_loss": _wider_range_raises_the_loss,
    "vf_clipfrac_counts_every_token_outside": _fraction_counts_all_outside,
}
