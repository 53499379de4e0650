"""What people still say of the mixture: whether to mix at all, what an estimate holds, and what the weights do."""

from __future__ import annotations

from fractions import Fraction

from engine import sequences
from engine.scenario import Scenario
from lessons._errors import squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, revalued, rewarded, trial

OWN = trial((0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4"), HALF)
LAMS = (NONE, HALF, Fraction("0.9"), ONE)


def _mixing_is_better(_: Scenario) -> Judged:
    """Against the one-step estimate and the longest."""
    lams = (0.0, 0.5, 1.0)
    off, exact = squared_errors(0.5, lams), squared_errors(0.0, lams)
    found = {"off_mixed": off[1], "off_one": off[0], "off_mc": off[2], "exact_mixed": exact[1], "exact_one": exact[0]}
    return judged([row[1] < min(row[0], row[2]) for row in (off, exact)], **found)


def _two_step(_: Scenario) -> Judged:
    """r_0 + γ r_1 + γ² V_2 − V_0 moves with V_2, and with V_1 not at all."""
    moved = []
    for k in range(4):
        raised = revalued(OWN, k)
        moved.append(_steps(raised.rewards, raised.values)[1] - _steps(OWN.rewards, OWN.values)[1])
    return judged(moved[2] == 1 and moved[1] == 0, moved=moved)


def _steps(rewards: list[Fraction], values: list[Fraction]) -> list[Fraction]:
    return list(sequences.n_step_advantages(rewards, values, ONE))


def _larger_lambda_short(_: Scenario) -> Judged:
    first = [sequences.mixture_weights(4, lam)[0] for lam in LAMS]
    return judged(first == sorted(first) and first[0] < first[-1], lams=list(LAMS), first=first)


def _ends_swapped(_: Scenario) -> Judged:
    steps = _steps(OWN.rewards, OWN.values)
    zero, one = (trial(OWN.rewards, OWN.values, lam).advantages[0] for lam in (0, 1))
    return judged(zero == steps[-1] and one == steps[0], short=steps[0], long=steps[-1], zero=zero, one=one)


def _delta_weights(_: Scenario) -> Judged:
    """Of the deltas: (γλ)^k, with no 1 − λ before it."""
    moved = [apart(rewarded(OWN, k).advantages, OWN.advantages)[0] for k in range(4)]
    mixture = [(1 - HALF) * HALF**k for k in range(4)]
    return judged(moved == mixture, moved=moved, mixture=mixture)


def _reward_counts(_: Scenario) -> Judged:
    """A reward k steps on is in every estimate of more than k steps, so it counts the sum of their weights."""
    weights = sequences.mixture_weights(4, HALF)
    moved = [apart(rewarded(OWN, k).advantages, OWN.advantages)[0] for k in range(4)]
    in_longer = [sum(weights[k:]) for k in range(4)]
    return judged(moved == in_longer, moved=moved, longer=in_longer)


def _pick_best(_: Scenario) -> Judged:
    """One length is as good as the mixture where nothing surprises, and not elsewhere."""
    steps, mixed = _steps(OWN.rewards, OWN.values), OWN.advantages[0]
    flat = trial((0, 0, 0, 1), ("1/2", 1, 1, 1), HALF)
    flat_steps = _steps(flat.rewards, flat.values)
    cases = [mixed in steps, set(flat_steps) == {flat.advantages[0]}]
    return judged(cases, steps=steps, mixed=mixed, flat=flat_steps, flat_mixed=flat.advantages[0])


def _last_leftover(_: Scenario) -> Judged:
    """The longest estimate takes all that a (1 − λ)λ^{n−1} for each would leave over."""
    tokens = 4
    found = sequences.mixture_weights(tokens, HALF)
    plain = [(1 - HALF) * HALF**k for k in range(tokens)]
    return judged(found == plain, found=found, plain=plain, total=sum(plain))


def _smoothed_past(_: Scenario) -> Judged:
    """The TD errors up to each token, smoothed with λ from the left, against the advantages."""
    smoothed, level = [], NONE
    for delta in OWN.deltas:
        level = HALF * level + (1 - HALF) * delta
        smoothed.append(level)
    return judged(smoothed == OWN.advantages, smoothed=smoothed, found=OWN.advantages, lam=HALF)


STATED: dict[str, Check] = {
    "mixing_is_better_than_one_length": _mixing_is_better,
    "two_step_estimate_uses_the_second_next_value": _two_step,
    "larger_lambda_gives_the_one_step_estimate_more": _larger_lambda_short,
    "lambda_zero_is_the_longest_and_one_the_shortest": _ends_swapped,
    "deltas_are_weighted_with_one_minus_lambda": _delta_weights,
    "a_reward_counts_in_all_longer_estimates": _reward_counts,
    "one_fixed_length_would_do": _pick_best,
    "longest_estimate_has_one_minus_lambda_too": _last_leftover,
    "mixture_is_a_moving_average_of_the_past": _smoothed_past,
}
