"""More of what learners claim about the mixture, tried on small responses: what the estimates are, what the weights."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import Any

from engine import formulas, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, raised, rational, revalued, trial

LAM = Fraction(19, 20)
LAMS = tuple(Fraction(k, 10) for k in range(11))
OWN = trial((0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4"), HALF)


def _running(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.nstep_mixture, at_hand().merged(changes))


def _steps(one: Trial) -> list[Any]:
    """The n-step advantages of the first token."""
    return sequences.n_step_advantages(one.rewards, one.values, one.gamma)


def _weights(tokens: int, lam: Fraction) -> list[Any]:
    return sequences.mixture_weights(tokens, lam)


def _distribution(_: Scenario) -> Judged:
    tokens = 6
    sets = [_weights(tokens, lam) for lam in LAMS]
    least, totals = min(map(min, sets)), {sum(weights) for weights in sets}
    return judged(least >= 0 and totals == {1}, tried=len(LAMS), tokens=tokens, least=least, total=max(totals))


def _coin(_: Scenario) -> Judged:
    """Stop after n steps with the chance of n − 1 times going on and then stopping."""
    found = _running()
    lam, steps = found["weights"][1] / found["weights"][0], found["n_step_advantages"]
    mean, going = 0 * lam, 1 + 0 * lam
    for n, estimate in enumerate(steps, start=1):
        stops = going if n == len(steps) else going * (1 - lam)
        mean, going = mean + stops * estimate, going * lam
    return judged(close(mean, found["advantages"][0]), lam=lam, mean=mean, gae=found["advantages"][0])


def _n_deltas(_: Scenario) -> Judged:
    theorem("n_step_advantage_is_sum_of_deltas")
    found = _running()
    sums = list(accumulate(found["deltas"]))
    return judged(close(found["n_step_advantages"], sums), steps=found["n_step_advantages"], sums=sums)


def _one_more_delta(_: Scenario) -> Judged:
    theorem("next_n_step_advantage_adds_one_delta")
    own = trial(OWN.rewards, OWN.values, gamma=HALF)
    gaps = [b - a for a, b in pairwise(_steps(own))]
    deltas = [formulas.discounted(d, HALF, k) for k, d in enumerate(own.deltas)][1:]
    return judged(gaps == deltas, gamma=HALF, gaps=gaps, deltas=deltas)


def _longest(_: Scenario) -> Judged:
    found = _running()
    longest, mc = found["n_step_advantages"][-1], found["mc_advantages"][0]
    return judged(close(longest, mc), longest=longest, mc=mc)


def _all_bootstrap(_: Scenario) -> Judged:
    higher = trial(OWN.rewards, [OWN.values[0], *(v + 1 for v in OWN.values[1:])])
    moved = apart(_steps(higher), _steps(trial(OWN.rewards, OWN.values)))
    return judged(all(moved), moved=moved)


def _same_baseline(_: Scenario) -> Judged:
    higher = revalued(OWN, 0)
    moved, gae = apart(_steps(higher), _steps(OWN)), higher.advantages[0] - OWN.advantages[0]
    return judged(set(moved) == {-1} and gae == -1, moved=moved, gae=gae)


def _power_of_gamma(_: Scenario) -> Judged:
    rewards, values = [NONE] * 5, [NONE] * 5

    def moved(n: int) -> Any:
        return sequences.n_step_return(rewards, raised(values, n), HALF, 0, n)

    found = [moved(n) for n in (1, 2, 3)]
    return judged(found == [formulas.discounted(ONE, HALF, n) for n in (1, 2, 3)], moved=found)


def _within(_: Scenario) -> Judged:
    grid = rational((-1, 0, 1))
    tried = [trial((r, s, 1), (NONE, v, w), lam) for r, s, v, w in product(grid, repeat=4) for lam in (HALF, LAM)]
    outside = sum(not min(_steps(one)) <= one.advantages[0] <= max(_steps(one)) for one in tried)
    found = _running()
    low, high = min(found["n_step_advantages"]), max(found["n_step_advantages"])
    return judged(outside == 0, tried=len(tried), outside=outside, low=low, gae=found["advantages"][0], high=high)


def _one_n(_: Scenario) -> Judged:
    return judged(OWN.advantages[0] in _steps(OWN), gae=OWN.advantages[0], steps=_steps(OWN))


def _infinite(_: Scenario) -> Judged:
    own, far = trial(outcome(3), ("1/4", "1/2", "3/8"), HALF), 60
    estimates = [
        formulas.advantage(sequences.n_step_return(own.rewards, own.values, ONE, 0, n), own.values[0])
        for n in range(1, far + 1)
    ]
    total = sum(formulas.mixture_weight(n, HALF) * a for n, a in enumerate(estimates, start=1))
    return judged(close(total, own.advantages[0]), n=far, long=round(float(total), 9), gae=own.advantages[0])


def _same_coefficients(_: Scenario) -> Judged:
    steps = _weights(4, HALF)
    deltas = [formulas.discounted(ONE, HALF, k) for k in range(4)]
    return judged(steps == deltas, steps=steps, deltas=deltas)


def _longer_ones(_: Scenario) -> Judged:
    weights = _weights(5, HALF)
    sums = [sum(weights[k:]) for k in range(5)]
    powers = [formulas.discounted(ONE, HALF, k) for k in range(5)]
    return judged(sums == powers, sums=sums, powers=powers)


def _all_must_be_computed(_: Scenario) -> Judged:
    found = _running()
    recursion, mixture = found["advantages"][0], found["mixture"][0]
    return judged(
        not close(recursion, mixture),
        steps=at_hand().length, recursion=recursion, estimates=len(found["n_step_advantages"]), mixture=mixture,
    )  # fmt: skip


def _over_others(_: Scenario) -> Judged:
    rewards, values = [[0, 0, 1], [1, 0, 0]], [[0.25, 0.5, 0.75], [0.5, 0.5, 0.5]]
    beside = scenario({"rewards": rewards, "values": values, "gamma": 1, "lam": 0.5})
    own = scenario({"rewards": rewards[0], "values": values[0], "gamma": 1, "lam": 0.5})
    both, alone = (quantities.facts("gae", one).exact["advantages"] for one in (beside, own))
    return judged(both[0][0] != alone[0], alone=alone[0], beside=both[0][0])


def _weights_by_data(_: Scenario) -> Judged:
    own = _running()["weights"]
    other = _running(rewards=[5.0] * RUNNING.length, scores=None, values=[-1.0] * RUNNING.length)["weights"]
    return judged(own != other, weights=own)


def _target_mixes(_: Scenario) -> Judged:
    theorem("advantage_plus_value_is_lambda_return")
    found = _running()
    v = found["values"][0]
    mixed = sum(w * (a + v) for w, a in zip(found["weights"], found["n_step_advantages"], strict=True))
    return judged(close(mixed, found["returns"][0]), mixed=mixed, target=found["returns"][0])


def _plain_mean_of_two(_: Scenario) -> Judged:
    own, weights = trial((0, 1), ("1/4", "1/2"), HALF), _weights(2, HALF)
    delta, mc, gae = own.deltas[0], own.mc_advantages[0], own.advantages[0]
    return judged(gae == formulas.mean(delta + mc, 2), weights=weights, delta=delta, mc=mc, gae=gae)


def _half_quarter_quarter(_: Scenario) -> Judged:
    weights = _weights(3, HALF)
    return judged(weights == rational(("1/2", "1/4", "1/4")), weights=weights, total=sum(weights))


def _mostly_longest(_: Scenario) -> Judged:
    tokens = (6, 100, 500)
    longest = [float(_weights(n, LAM)[-1]) for n in tokens]
    shown = [float(f"{x:.3g}") for x in longest]
    return judged([x > 0.5 for x in longest], lam=LAM, tokens=list(tokens), longest=shown)


def _tail_is_a_power(_: Scenario) -> Judged:
    tokens, lam = 6, Fraction(9, 10)
    weight, raised_lam = _weights(tokens, lam)[-1], lam ** (tokens - 1)
    return judged(weight == raised_lam, lam=lam, tokens=tokens, weight=weight, power=tokens - 1, raised=raised_lam)


def _tokens_left(_: Scenario) -> Judged:
    counts = [len(sequences.n_step_advantages(OWN.rewards, OWN.values, ONE, t)) for t in range(4)]
    return judged(counts == [4, 3, 2, 1], tokens=4, counts=counts)


def _pads_count(_: Scenario) -> Judged:
    parts = {"gamma": 1, "lam": 0.5}
    plain = scenario({"rewards": [0, 0, 1], "values": [0.25, 0.5, 0.75], **parts})
    padded = scenario({"rewards": [0, 0, 1, 7, 7], "values": [0.25, 0.5, 0.75, 9, 9], "mask": [1, 1, 1, 0, 0], **parts})
    firsts = [quantities.facts("gae", one).exact["advantages"][0] for one in (plain, padded)]
    return judged(firsts[0] != firsts[1], firsts=firsts)


def _normalises(_: Scenario) -> Judged:
    lam, n = 0.9, 400
    powers = sum(formulas.discounted(1.0, lam, k) for k in range(n))
    total = (1 - lam) * powers
    return judged(abs(total - 1) < 1e-9 < abs(powers - 1), lam=lam, n=n, powers=round(powers, 6), total=round(total, 6))


def _grows_with_n(_: Scenario) -> Judged:
    good, bad = rational((1, 1, 1)), rational((1, -1, -1))
    rising, falling = (list(accumulate(deltas)) for deltas in (good, bad))
    return judged(
        [found == sorted(found) for found in (rising, falling)], good=good, rising=rising, bad=bad, falling=falling
    )


TRIED: dict[str, Check] = {
    "weights_are_a_probability_distribution": _distribution,
    "lambda_is_the_chance_to_look_further": _coin,
    "n_step_advantage_sums_n_deltas": _n_deltas,
    "next_estimate_adds_one_delta": _one_more_delta,
    "longest_estimate_is_monte_carlo": _longest,
    "every_estimate_uses_a_later_value": _all_bootstrap,
    "every_estimate_subtracts_the_own_value": _same_baseline,
    "later_value_is_discounted_by_gamma_to_the_n": _power_of_gamma,
    "gae_lies_between_the_n_step_estimates": _within,
    "lambda_picks_one_n": _one_n,
    "infinite_sum_gives_the_same": _infinite,
    "delta_weights_are_the_n_step_weights": _same_coefficients,
    "delta_weight_is_the_weight_of_longer_estimates": _longer_ones,
    "all_n_step_estimates_must_be_computed": _all_must_be_computed,
    "mixture_is_over_other_tokens_or_responses": _over_others,
    "mixture_weights_depend_on_the_data": _weights_by_data,
    "critic_target_mixes_n_step_returns": _target_mixes,
    "two_tokens_left_at_half_is_a_plain_mean": _plain_mean_of_two,
    "three_tokens_at_half_weigh_half_quarter_quarter": _half_quarter_quarter,
    "lambda_095_is_mostly_the_longest": _mostly_longest,
    "longest_weight_is_lambda_to_the_steps_before": _tail_is_a_power,
    "number_of_estimates_is_the_tokens_left": _tokens_left,
    "padding_counts_as_steps": _pads_count,
    "one_minus_lambda_normalises": _normalises,
    "n_step_estimates_grow_with_n": _grows_with_n,
}
