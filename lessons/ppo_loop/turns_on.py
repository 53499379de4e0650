"""What of an iteration turns on conditions: the first step or a later one, which parts there are, how it is cut."""

from __future__ import annotations

from fractions import Fraction

from engine import quantities
from engine.scenario import Scenario, scenario
from lessons._checks import alone, exact, gae
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons._trials import HALF, judged, trial
from lessons.ppo_loop.checks import BATCH, QUARTER
from lessons.ppo_loop.further import LENGTH, _steps

OLD, NEW = EXAMPLE.rows("old_logp")[0], EXAMPLE.rows("new_logp")[0]
GOOD, POOR = Fraction(1, 5), Fraction(4, 5)  # what two critics expect of one response
UPDATED = [1.5, 0.9]  # ratios once the actor has moved


def _ratio_is_one(_: Scenario) -> Judged:
    first, later = (exact("surrogate", old_logp=OLD, new_logp=new)["ratio"] for new in (OLD, NEW))
    return judged([all(r == 1 for r in row) for row in (first, later)], first=first[0], later=round(float(later[0]), 4))


def _ratio_stays_one(_: Scenario) -> Judged:
    found = exact("surrogate", old_logp=OLD, new_logp=NEW)["ratio"]
    return Judged(holds(all(r == 1 for r in found)), {"later": round(float(found[0]), 4)})


def _nothing_clipped(_: Scenario) -> Judged:
    """The share of clipped tokens before the actor has moved and after."""
    first, later = (alone("clip", ratio=r, advantages=[1, 1], eps=0.2)["clipfrac"] for r in ([1.0, 1.0], UPDATED))
    return judged([x == 0 for x in (first, later)], first=first, later=later)


def _loss_is_nought(_: Scenario) -> Judged:
    """Minus the objective of whitened advantages at a ratio of one and later, and of raw ones at a ratio of one."""
    whitened, raw = [1.0, -1.0], [1.0, 0.5]
    found = [
        -alone("clip", ratio=ratio, advantages=a, eps=0.2)["objective"]
        for ratio, a in (([1.0, 1.0], whitened), (UPDATED, whitened), ([1.0, 1.0], raw))
    ]
    return judged([x == 0 for x in found], first=found[0], later=found[1], raw=found[2])


def _high_score_pushes_up(_: Scenario) -> Judged:
    """One score beside a critic that expected less, and beside one that expected more."""
    found = [trial([HALF], [v]).advantages[0] for v in (GOOD, POOR)]
    return judged([a > 0 for a in found], score=HALF, values=[GOOD, POOR], found=found)


def _reference_is_run(_: Scenario) -> Judged:
    """Another reference: what becomes of the advantages with KL in the rewards, and with no β."""
    moved = []
    for beta in (EXAMPLE.beta, 0.0):
        one, other = (
            gae(kl_values=None, beta=beta, ref_logp=[x - shift for x in EXAMPLE.rows("ref_logp")[0]])["advantages"][0]
            for shift in (0, 1)
        )
        moved.append(round(float(other - one), 4))
    return judged([x != 0 for x in moved], within=moved[0], without=moved[1])


def _all_on_policy(_: Scenario) -> Judged:
    """The steps of one pass: all of the batch at once, and a quarter of it at a time."""
    steps = [len(range(0, BATCH, size)) for size in (BATCH, QUARTER)]
    return judged([n == 1 for n in steps], batch=BATCH, quarter=QUARTER, steps=steps)


def _more_steps(_: Scenario) -> Judged:
    """Twice the batch in mini-batches of the same size, and in mini-batches that are twice as large."""
    before, same = _steps(), _steps(2 * BATCH)
    grown = len(range(0, 2 * BATCH, 2 * QUARTER))
    return judged([same > before, grown > before], before=before, same=same, grown=grown)


def _four(_: Scenario) -> Judged:
    """Whether the critic's numbers are asked for: by GAE, and by advantages from a group that a rule has scored."""
    full = quantities.facts("gae", EXAMPLE)
    bare = quantities.facts("grpo", scenario({"group_rewards": [1, 0]}))
    found = [facts.exact["advantages"][0] for facts in (full, bare)]
    return judged(["values" in facts.used for facts in (full, bare)], gae=found[0], group=round(float(found[1]), 4))


def _reference_speaks(_: Scenario) -> Judged:
    """All that the reference leaves behind: one log-probability a token, none of it with a slope."""
    given = EXAMPLE.rows("ref_logp")[0]
    return Judged(holds(len(given) == LENGTH), {"count": len(given), "first": given[0]})


def _values_are_the_same(_: Scenario) -> Judged:
    """What the critic said in the rollout, and what it says once it has been updated."""
    said, now = EXAMPLE.rows("values")[0], EXAMPLE.rows("vpreds")[0]
    stored = gae(vpreds=[9.0] * LENGTH)["values"]
    return judged([[float(v) for v in stored] != list(said), now != said], stored=said[0], now=now[0])


TURNS_ON: dict[str, Check] = {
    "ratio_is_one_in_the_update": _ratio_is_one,
    "ratio_stays_one_through_the_update": _ratio_stays_one,
    "no_token_is_clipped_in_the_update": _nothing_clipped,
    "policy_loss_is_zero": _loss_is_nought,
    "high_score_pushes_the_response_up": _high_score_pushes_up,
    "the_loop_runs_a_reference": _reference_is_run,
    "one_epoch_keeps_every_ratio_at_one": _all_on_policy,
    "larger_batch_means_more_steps": _more_steps,
    "four_models_are_loaded": _four,
    "reference_puts_out_log_probs_only": _reference_speaks,
    "critic_values_change": _values_are_the_same,
}
