"""Bootstrapping: the critic's next forecast stands for the rewards still to come; where it enters, and how far back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.fork import small_world
from engine.influence import influence
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import by_place
from lessons._first import first_response, numbers, on_own, worked
from lessons._lesson import Shown
from lessons.bootstrap.asked import ASKED
from lessons.bootstrap.buffers import BUFFERS
from lessons.bootstrap.checks import MORE
from lessons.bootstrap.claimed import CHECKS
from lessons.bootstrap.cuts import CUTS
from lessons.bootstrap.stated import STATED
from lessons.bootstrap.trials import TRIED
from lessons.bootstrap.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("bootstrap_forgotten", "bootstrap_next_value_forgotten", "bootstrap_after_the_end")
PROOFS = {
    "later": "later_value_reaches_back_through_bootstrap",
    "own": "own_value_lowers_advantage_one_to_one",
    "one": "later_values_vanish_at_lambda_one",
}
CLOSE = 1e-9


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario).beside(small_world().under("constants"))
    tokens = first_response(scenario).length
    figures = {}
    if tokens > 1:
        reach = influence(scenario, tokens)
        facts = facts.beside(reach)
        figures = {"reach": by_place(reach.numbers["advantages_by_value"], "values", "advantages")}
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={name: theorem(full) for name, full in PROOFS.items()},
        counterexamples={"only_delta": counterexample("bootstrap_affects_only_its_own_delta")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures=figures,
        twins=(twins.gae,),
    )


# ---------------------------------------------------------------- what learners claim


def _at(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _raised(t: int, **changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The running example, as it is and with V_t one higher."""
    values = [v + float(i == t) for i, v in enumerate(at_hand().rows("values")[0])]
    return _at(at_hand(), **changes), _at(at_hand(), values=values, **changes)


def _moved(name: str, t: int, at: int, **changes: Any) -> dict[str, Any]:
    before, after = _raised(t, **changes)
    return {"before": before[name][at], "after": after[name][at]}


def _is_automatic(_: Scenario) -> Judged:
    """An estimate moves when the estimate it is built on does: nothing has started by itself."""
    found = _moved("deltas", 1, 0)
    return Judged(holds(found["before"] == found["after"]), found)


def _is_resampling(_: Scenario) -> Judged:
    """The same response twice: with resampling the numbers would differ."""
    once, again = _at(RUNNING)["deltas"][0], _at(RUNNING)["deltas"][0]
    return Judged(holds(once != again), {"once": once, "again": again})


def _only_delta(own: Scenario) -> Judged:
    counterexample("bootstrap_affects_only_its_own_delta")
    values = [v + float(i == 2) for i, v in enumerate(own.rows("values")[0])]
    before, after = _at(own), _at(own, values=values)
    same = before["advantages"][0] == after["advantages"][0]
    return Judged(
        holds(same),
        {
            "delta": after["deltas"][0] - before["deltas"][0],
            "adv_before": before["advantages"][0],
            "adv_after": after["advantages"][0],
            "ret_before": before["returns"][0],
            "ret_after": after["returns"][0],
        },
    )


def _only_one_token_back(_: Scenario) -> Judged:
    before, after = _raised(2)
    moved = [a - b for a, b in zip(after["advantages"], before["advantages"], strict=True)]
    return Judged(holds(moved[0] == 0), {"nearest": moved[1], "further": moved[0]})


def _cancels_at_one(_: Scenario) -> Judged:
    theorem("later_values_vanish_at_lambda_one")
    found = _moved("advantages", 2, 0, lam=1.0)
    return Judged(holds(abs(float(found["before"] - found["after"])) < CLOSE), found)


def _critic_is_harmless_at_one(_: Scenario) -> Judged:
    theorem("own_value_lowers_advantage_one_to_one")
    found = _moved("advantages", 0, 0, lam=1.0)
    return Judged(holds(found["before"] == found["after"]), found)


def _last_token_bootstraps(scenario: Scenario) -> Judged:
    """Whether the last δ holds any value but its own."""
    found = _at(scenario)
    own = formulas.advantage(found["rewards"][-1], found["values"][-1])
    uses = abs(float(found["deltas"][-1] - own)) > CLOSE
    return Judged(holds(uses), {"delta": found["deltas"][-1], "reward": found["rewards"][-1], "v": found["values"][-1]})


def _saves_waiting(_: Scenario) -> Judged:
    """Whether A_0 is known before the last reward is."""
    before = _at(at_hand())
    rewards = [*(float(r) for r in before["rewards"][:-1]), float(before["rewards"][-1]) + 1]
    after = _at(at_hand(), rewards=rewards, scores=None)
    return Judged(
        holds(before["advantages"][0] == after["advantages"][0]),
        {"before": before["advantages"][0], "after": after["advantages"][0]},
    )


def _exact_critic_is_unbiased(_: Scenario) -> Judged:
    found = small_world().exact
    return Judged(holds(found["mean"] == found["q"]), {"mean": found["mean"], "q": found["q"]})


def _wrong_critic_biases(_: Scenario) -> Judged:
    found = small_world().exact
    return Judged(
        holds(found["mean_with_wrong_critic"] != found["q"]),
        {"mean": found["mean_with_wrong_critic"], "q": found["q"]},
    )


def _none_with_outcome_rewards(_: Scenario) -> Judged:
    """A response that earns something at its end only."""
    given = {"rewards": [0.0, 0.0, 1.0], "values": [0.3, 0.4, 0.6]}
    first = [sequences.deltas(given["rewards"], [0.3, v, 0.6], 1.0)[0] for v in (0.4, 0.6)]
    return Judged(
        holds(first[0] == first[1]),
        {
            "r": given["rewards"],
            "before": Fraction(str(round(first[0], 6))),
            "after": Fraction(str(round(first[1], 6))),
        },
    )


def _monte_carlo_does_not(_: Scenario) -> Judged:
    before, after = _raised(2)
    same = before["mc_returns"] == after["mc_returns"]
    return Judged(holds(same), {"before": before["mc_returns"][0], "after": after["mc_returns"][0]})


def _cut_off_is_harmless(_: Scenario) -> Judged:
    """The last V of the running example once more after the end, as where a length limit cut the response."""
    right = _at(RUNNING)["deltas"][-1]
    bootstrapped = mistakes.run("bootstrap_after_the_end", RUNNING).exact["deltas"][-1]
    return Judged(holds(right == bootstrapped), {"zero": right, "value": bootstrapped, "v": _at(RUNNING)["values"][-1]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "means_automatic_start": _is_automatic,
    "is_resampling": _is_resampling,
    "affects_only_delta": on_own(_only_delta, tokens=3),
    "reaches_one_token_back": _only_one_token_back,
    "cancels_at_lambda_one": _cancels_at_one,
    "critic_is_harmless_at_lambda_one": _critic_is_harmless_at_one,
    "last_token_bootstraps": _last_token_bootstraps,
    "saves_waiting": _saves_waiting,
    "exact_critic_adds_no_bias": _exact_critic_is_unbiased,
    "wrong_critic_adds_bias": _wrong_critic_biases,
    "absent_with_outcome_rewards": _none_with_outcome_rewards,
    "monte_carlo_does_not_bootstrap": _monte_carlo_does_not,
    "zero_after_a_cut_is_harmless": _cut_off_is_harmless,
    **MORE,
    **TRIED,
    **STATED,
    **ASKED,
    **TURNS,
    **BUFFERS,
    **CUTS,
}
