"""The five lists of an iteration, each made of those before it."""

from __future__ import annotations

from engine import formulas, sequences
from engine.example import RUNNING
from engine.readings.exact import rational
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.token_pipeline.effects import pipeline


def _five_lists(_: Scenario) -> Judged:
    """Each list from the ones that it is made of, beside the one that the pipeline has put out."""
    found, given = pipeline(), RUNNING
    scores = [rational(s) for s in given.rows("scores")[0]]
    beta, gamma, lam = (rational(float(x or 0)) for x in (given.beta, given.gamma, given.lam))
    rewards = [formulas.token_reward(s, kl, beta) for s, kl in zip(scores, found["kl"], strict=True)]
    advantages = sequences.gae_advantages(sequences.deltas(rewards, found["values"], gamma), gamma, lam)
    returns = sequences.critic_targets(advantages, found["values"])
    made = {"rewards": rewards, "advantages": advantages, "returns": returns}
    last = {name: found[name][-1] for name in ("rewards", "values", "advantages", "returns")}
    return Judged(
        holds(all(close(row, found[name]) for name, row in made.items())),
        {"score": scores[-1], "kl": found["kl"][-1], **last},
    )


WHOLE: dict[str, Check] = {"five_lists_each_made_of_those_before": _five_lists}
