"""Credit assignment: the weight of every reward in every advantage, which is no share; and other ways to spread it."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.example import RUNNING
from engine.facts import compute
from engine.influence import influence
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._checks import gae
from lessons._fact import Check, Judged, holds
from lessons._figure import by_place
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.credit_assignment.shares import sharing

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("index_runs_forwards", "delta_for_advantage", "mc_for_gae_as_if_lam_were_one", "bootstrap_forgotten")


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


# ---------------------------------------------------------------- what learners claim of words


def _advantages(**changes: Any) -> list[Any]:
    return list(gae(**changes)["advantages"])


def _same_word_same_credit(_: Scenario) -> Judged:
    """The same word at two places of one response."""
    later = (at_hand().tokens or ("b",) * at_hand().length)[2:]
    found = _advantages(tokens=["a", "a", *later])
    return Judged(holds(found[0] == found[1]), {"first": found[0], "second": found[1]})


def _prompt_gets_credit(_: Scenario) -> Judged:
    count, tokens = len(_advantages()), len(RUNNING.tokens or ())
    return Judged(holds(count > tokens), {"tokens": tokens, "count": count})


def _words_enter(_: Scenario) -> Judged:
    """The same rewards on other tokens, of other probabilities."""
    kept = {"rewards": [float(r) for r in gae()["rewards"]], "scores": None}
    other = {"logp": [-9.0] * 6, "ref_logp": [-1.0] * 6, "tokens": list("abcdef")}
    firsts = [_advantages(**changes)[0] for changes in (kept, {**kept, **other})]
    return Judged(holds(firsts[0] != firsts[1]), {"firsts": firsts})


FACTS: dict[str, Check] = {
    "same_word_gets_the_same_credit": _same_word_same_credit,
    "prompt_tokens_get_credit": _prompt_gets_credit,
    "tokens_and_probabilities_enter_the_credit": _words_enter,
}
