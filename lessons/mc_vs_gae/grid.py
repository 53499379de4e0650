"""What each of the two reads, when each can be had, and which suits what: claims between the others."""

from __future__ import annotations

from fractions import Fraction

from engine.chance import spread, walk, wild_critic
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, "1/8", 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)
LAMS = (0.5, 1.0)


def _own_reward(_: Scenario) -> Judged:
    raised = rewarded(OWN, 0)
    gae, mc = raised.advantages[0] - OWN.advantages[0], raised.mc_advantages[0] - OWN.mc_advantages[0]
    return judged(gae == ONE and mc == ONE, gae=gae, mc=mc)


def _by_lambda(_: Scenario) -> Judged:
    lams = (NONE, HALF, ONE)
    own = [trial(REWARDS, VALUES, lam) for lam in lams]
    mc, gae = ([row[0] for row in rows] for rows in ([x.mc_advantages for x in own], [x.advantages for x in own]))
    return judged(len(set(mc)) > 1, lams=list(lams), mc=mc, gae=gae)


def _gae_before_the_end(_: Scenario) -> Judged:
    after = rewarded(OWN, -1).advantages[0]
    return judged(after == OWN.advantages[0], before=OWN.advantages[0], after=after)


def _td_waits(_: Scenario) -> Judged:
    """δ of the first token, when the rest of the response is another."""
    other = trial((REWARDS[0], 5, -3), (*VALUES[:2], 2), NONE)
    own = trial(REWARDS, VALUES, NONE)
    found = {"one": own.advantages[0], "other": other.advantages[0]}
    return judged(found["one"] != found["other"], **found, mc=own.mc_advantages[0], other_mc=other.mc_advantages[0])


def _td_biased(_: Scenario) -> Judged:
    """The bias before a critic that is off, the variance before an exact one."""
    off, exact = moments(0.5), moments(0.0)
    bias = [mean - Fraction(STEP) for mean in off["mean"]]
    variance = exact["variance"]
    holds = abs(bias[0]) > abs(bias[1]) and variance[0] < variance[1]
    return judged(holds, td_bias=bias[0], mc_bias=bias[1], td_variance=variance[0], mc_variance=variance[1])


def _values_read(_: Scenario) -> Judged:
    """How many values a response's advantages hang on."""
    gae = sum(revalued(OWN, k).advantages != OWN.advantages for k in range(4))
    mc = sum(revalued(OWN, k).mc_advantages != OWN.mc_advantages for k in range(4))
    return judged(gae > mc, gae=gae, mc=mc)


def _sums_to_zero(_: Scenario) -> Judged:
    return judged(sum(OWN.mc_advantages) == NONE, mc=OWN.mc_advantages, sum=sum(OWN.mc_advantages))


def _never_negative(_: Scenario) -> Judged:
    failed = trial(outcome(3, 0), VALUES[:3])
    return judged(all(a >= 0 for a in failed.mc_advantages), v=failed.values, mc=failed.mc_advantages)


def _close_at_095(_: Scenario) -> Judged:
    """A final score of one before a critic that expects nothing: what the first token hears of it."""
    tokens = (3, 60)
    heard = [float(trial(outcome(n), [NONE] * n, "0.95").advantages[0]) for n in tokens]
    shown = [float(f"{x:.3g}") for x in heard]
    return judged([1 - x < 0.1 for x in heard], lam=0.95, tokens=list(tokens), gae=shown, mc=ONE)


def _stronger_discount(_: Scenario) -> Judged:
    """The rewards discounted by γλ, less V."""
    faded = trial(REWARDS, VALUES, gamma=HALF).mc_advantages[0]
    return judged(faded == OWN.advantages[0], lam=HALF, faded=faded, gae=OWN.advantages[0])


def _reinforce(_: Scenario) -> Judged:
    theorem("gae_lambda_one_is_monte_carlo")
    one, zero = (trial(REWARDS, VALUES, lam).advantages[0] for lam in (ONE, NONE))
    return judged(one == OWN.mc_advantages[0] != zero, mc=OWN.mc_advantages[0], one=one, zero=zero)


def _short(_: Scenario) -> Judged:
    tokens = 3
    good, bad = squared_errors(0.0, LAMS, tokens), squared_errors(2.0, LAMS, tokens)
    found = {"good_gae": good[0], "good_mc": good[1], "bad_gae": bad[0], "bad_mc": bad[1]}
    return judged([mc < gae for gae, mc in (good, bad)], tokens=tokens, **found)


def _steadier(_: Scenario) -> Judged:
    quiet, wild = (
        exact_facts(spread(world, LAMS), Scenario())["variance"]
        for world in (walk(4, step=STEP, first=1), wild_critic(swing=1.0))
    )
    found = {"gae": quiet[0], "mc": quiet[1], "wild_gae": wild[0], "wild_mc": wild[1]}
    return judged([gae < mc for gae, mc in (quiet, wild)], **found)


def _trades(_: Scenario) -> Judged:
    """GAE at λ one half beside Monte Carlo: variance before an exact critic, bias before one that is off."""
    off, exact = moments(0.5, LAMS), moments(0.0, LAMS)
    gae_bias, mc_bias = (mean - Fraction(STEP) for mean in off["mean"])
    gae, mc = exact["variance"]
    found = {"gae_variance": gae, "mc_variance": mc, "gae_bias": gae_bias, "mc_bias": mc_bias}
    return judged(gae < mc and abs(gae_bias) > abs(mc_bias), **found)


def _neither_looks_back(_: Scenario) -> Judged:
    after = rewarded(revalued(OWN, 0), 1)
    gae = after.advantages[2] - OWN.advantages[2]
    mc = after.mc_advantages[2] - OWN.mc_advantages[2]
    return judged(gae == mc == NONE, gae=gae, mc=mc)


GRID: dict[str, Check] = {
    "both_contain_the_own_reward_in_full": _own_reward,
    "the_monte_carlo_advantage_depends_on_lambda": _by_lambda,
    "gae_can_be_computed_before_the_end": _gae_before_the_end,
    "one_step_td_needs_the_whole_response": _td_waits,
    "td_is_biased_and_monte_carlo_noisy": _td_biased,
    "gae_needs_more_values_than_monte_carlo": _values_read,
    "monte_carlo_advantages_sum_to_zero": _sums_to_zero,
    "the_monte_carlo_advantage_is_never_negative": _never_negative,
    "gae_at_095_is_close_to_monte_carlo": _close_at_095,
    "gae_is_monte_carlo_with_a_stronger_discount": _stronger_discount,
    "reinforce_with_a_baseline_is_gae_at_lambda_one": _reinforce,
    "monte_carlo_suits_short_responses": _short,
    "gae_makes_training_steadier": _steadier,
    "gae_trades_bias_for_less_variance": _trades,
    "neither_looks_back": _neither_looks_back,
}
