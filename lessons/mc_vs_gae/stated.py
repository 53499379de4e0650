"""What people still say of Monte Carlo beside GAE: which to take, what each reads, and what an error does to each."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, apart, judged, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)


def _mc_is_better(_: Scenario) -> Judged:
    lams = (0.5, 1.0)
    good, bad = squared_errors(0.0, lams), squared_errors(2.0, lams)
    found = {"good_gae": good[0], "good_mc": good[1], "bad_gae": bad[0], "bad_mc": bad[1]}
    return judged([mc < gae for gae, mc in (good, bad)], **found)


def _swapped(_: Scenario) -> Judged:
    """At λ = ½ with a critic that is off: which of the two is biased, which has more variance."""
    found = moments(0.5, (0.5, 1.0))
    gae, mc = found["mean"]
    noisy = found["variance"]
    truth = Fraction(STEP)
    claim = mc != truth and gae == truth and noisy[0] > noisy[1]
    return judged(claim, truth=truth, gae=gae, mc=mc, gae_variance=noisy[0], mc_variance=noisy[1])


def _own_value_moves_both(_: Scenario) -> Judged:
    higher = revalued(OWN, 0)
    gae, mc = higher.advantages[0] - OWN.advantages[0], higher.mc_advantages[0] - OWN.mc_advantages[0]
    return judged(gae == mc == -1, gae=gae, mc=mc)


def _score_reaches_both(_: Scenario) -> Judged:
    higher = rewarded(OWN, -1)
    gae, mc = apart(higher.advantages, OWN.advantages), apart(higher.mc_advantages, OWN.mc_advantages)
    return judged(gae == mc, gae=gae, mc=mc)


def _g_from_next(_: Scenario) -> Judged:
    """G_t begins with the token's own reward."""
    moved = apart(rewarded(OWN, 1).mc_returns, OWN.mc_returns)
    return judged(moved[1] == 0, moved=moved)


def _g_has_one_value(_: Scenario) -> Judged:
    lams = (0, HALF, 1)
    found = [trial(REWARDS, VALUES, lam).mc_returns for lam in lams]
    same = all(row == found[0] for row in found) and revalued(OWN, 2).mc_returns == OWN.mc_returns
    return judged(same, lams=list(lams), g=found[0])


def _critic_needed(_: Scenario) -> Judged:
    """Without values λ = 1 is the plain return, and below one the score fades on its way back."""
    plain = trial(REWARDS, (0, 0, 0, 0))
    faded = trial(REWARDS, (0, 0, 0, 0), HALF)
    cases = [plain.advantages == plain.mc_returns, faded.advantages == faded.mc_returns]
    return judged([not case for case in cases], plain=plain.advantages, faded=faded.advantages)


def _longer(_: Scenario) -> Judged:
    lams, lengths = (0.5, 1.0), (2, 4, 6)
    gaps = []
    for tokens in lengths:
        half, one = moments(0.0, lams, tokens)["variance"]
        gaps.append(one - half)
    return judged(gaps == sorted(set(gaps)), tokens=list(lengths), gaps=gaps)


def _several_needed(_: Scenario) -> Judged:
    """What one response alone yields."""
    return judged(len(OWN.mc_advantages) < len(OWN.rewards), r=OWN.rewards, v=OWN.values, mc=OWN.mc_advantages)


STATED: dict[str, Check] = {
    "monte_carlo_is_better_than_gae": _mc_is_better,
    "monte_carlo_is_biased_and_gae_noisy": _swapped,
    "the_own_value_moves_both_by_the_same": _own_value_moves_both,
    "the_final_score_moves_both_by_the_same": _score_reaches_both,
    "return_starts_with_the_next_reward": _g_from_next,
    "the_return_depends_on_neither_lambda_nor_values": _g_has_one_value,
    "both_need_a_critic": _critic_needed,
    "longer_responses_set_their_variances_apart": _longer,
    "monte_carlo_needs_several_responses": _several_needed,
}
