"""What else learners take for a proof or for a mistake: what a number may be, and what whitening or γ at one hides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import quantities
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds
from lessons._row import moved, row
from lessons._trials import raised
from lessons._turns import always
from lessons._weighed import weighed
from lessons.audit.checks import THREE, _floats, _whitened

REWARDS, VALUES, LAM = ("0", "0", "1"), ("0.5", "0.25", "0.75"), "0.5"


def _facts(quantity: str, **given: Any) -> dict[str, Any]:
    return dict(quantities.facts(quantity, scenario(given)).exact)


def _first_number(_: Scenario) -> Judged:
    """Two wrong rewards whose errors cancel in the first advantage."""
    right = row(REWARDS, VALUES, lam=LAM)["advantages"]
    wrong = row(("0.5", "-1", "1"), VALUES, lam=LAM)["advantages"]
    return Judged(holds(not (right[0] == wrong[0] and right != wrong)), {"right": right, "wrong": wrong})


def _mean_zero(_: Scenario) -> Judged:
    """The mean taken off, the division forgotten."""
    given = [1.0, 2.0, 6.0]
    stated = [x - sum(given) / len(given) for x in given]
    right = _whitened(given)
    return Judged(
        holds(not (sum(stated) == 0 and _floats(stated) != right)),
        {"stated": stated, "right": right, "sum": sum(stated)},
    )


def _hidden_constant(_: Scenario) -> Judged:
    given = [1.0, 2.0, 6.0]
    right, wrong = _whitened(given), _whitened([x + 5 for x in given])
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _hidden_scale(_: Scenario) -> Judged:
    given = [1.0, 2.0, 6.0]
    right, wrong = _whitened(given), _whitened([10 * x for x in given])
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _two_deltas(_: Scenario) -> Judged:
    found = moved(row(REWARDS, raised(VALUES, 1))["deltas"], row(REWARDS, VALUES)["deltas"])
    return Judged(holds(sum(map(bool, found)) == 2), {"moved": found, "count": sum(map(bool, found))})


def _one_delta(_: Scenario) -> Judged:
    found = moved(row(raised(REWARDS, 1), VALUES)["deltas"], row(REWARDS, VALUES)["deltas"])
    return Judged(holds(sum(map(bool, found)) == 1), {"moved": found, "count": sum(map(bool, found))})


def _gamma_hidden(_: Scenario) -> Judged:
    """A program without γ, where γ is one and where it is not."""
    program = MISTAKES["gamma_forgotten"].program
    at: dict[str, list[Any]] = {}
    for name, gamma in (("one", 1.0), ("less", 0.5)):
        own = scenario({**THREE, "gamma": gamma})
        at[name] = [run["advantages"][0] for run in (quantities.facts("gae", own).exact, compute(program, own).exact)]
    return Judged(
        holds(at["one"][0] == at["one"][1] and at["less"][0] != at["less"][1]),
        {"one": at["one"], "less": at["less"], "gamma": 0.5},
    )


def _solved(rewards: tuple[str, ...]) -> list[Fraction]:
    """What the first advantage is for three λ."""
    return [row(rewards, VALUES, lam=lam)["advantages"][0] for lam in ("0", "0.5", "1")]


def _lambda_follows(_: Scenario) -> Judged:
    """With news later on each λ has a number of its own; where all later deltas are zero, all have the same."""
    news, none = _solved(REWARDS), _solved(("0", "-0.5", "0.75"))
    return Judged(weighed(len(set(news)) == len(news), len(set(none)) == 1), {"news": news, "none": none})


def _two_values(_: Scenario) -> Judged:
    found = _facts("whiten", advantages=[0.25, 0.75])
    sample, population = (round(float(found[name][1]), 4) for name in ("whitened", "whitened_population"))
    return Judged(holds(sample != population), {"sample": sample, "population": population})


def _negative_ratio(_: Scenario) -> Judged:
    """From hardly likely any more to much likelier than before."""
    found = _facts("surrogate", new_logp=[-9.0, -1.0], old_logp=[-1.0, -9.0], advantages=[1, -1])["ratio"]
    ratios = [round(float(x), 4) for x in found]
    return Judged(holds(min(found) > 0), {"ratios": ratios})


def _negative_kl(_: Scenario) -> Judged:
    found = _facts("kl_estimators", logp=[-1.0, -0.5], ref_logp=[-0.5, -1.0])["k1"]
    return Judged(holds(min(found) >= 0), {"kl": _floats(found)})


def _negative_k3(_: Scenario) -> Judged:
    found = _facts("kl_estimators", logp=[-1.0, -0.5, -2.0], ref_logp=[-0.5, -1.0, -2.0])["k3"]
    return Judged(holds(min(found) >= 0), {"kl": _floats(found)})


def _above_one(_: Scenario) -> Judged:
    found = row(("0.5", "0.5", "1"), ("0.25", "0", "0.5"), lam="1")["advantages"]
    return Judged(holds(max(found) <= 1), {"a": found})


def _right_but_negative(_: Scenario) -> Judged:
    """A right answer whose second token takes the hope down before the end lifts it again."""
    found = row(REWARDS, ("0.5", "0.9", "0.2"), lam="0")["advantages"]
    return Judged(holds(min(found) >= 0), {"score": Fraction(REWARDS[-1]), "a": found})


def _falling_returns(_: Scenario) -> Judged:
    """A reward on the way: what is still to come falls once it is paid."""
    found = row(("0.5", "0", "1"), VALUES, lam="1")
    right = found["mc_returns"]
    return Judged(holds(right == sorted(right)), {"r": found["rewards"], "right": right})


def _deltas_prove(_: Scenario) -> Judged:
    """The same deltas with λ forgotten on the way from them to the advantages."""
    right, wrong = (row(REWARDS, VALUES, lam=lam) for lam in (LAM, "1"))
    same = right["deltas"] == wrong["deltas"]
    return Judged(
        holds(not (same and right["advantages"] != wrong["advantages"])),
        {"deltas": right["deltas"], "right": right["advantages"], "wrong": wrong["advantages"]},
    )


def _advantages_prove(_: Scenario) -> Judged:
    """From advantages back to deltas, γ at one."""
    found = row(REWARDS, VALUES, lam=LAM)
    later = [*found["advantages"][1:], Fraction(0)]
    back = [a - Fraction(LAM) * b for a, b in zip(found["advantages"], later, strict=True)]
    return Judged(holds(back == found["deltas"]), {"a": found["advantages"], "back": back})


def _error_grows(_: Scenario) -> Judged:
    """One too much at the end: by how much each advantage is off."""
    found = moved(row(raised(REWARDS, 2), VALUES, lam=LAM)["advantages"], row(REWARDS, VALUES, lam=LAM)["advantages"])
    return Judged(holds(found[0] > found[-1]), {"moved": found})


def _wrong_beta(_: Scenario) -> Judged:
    right, wrong = (
        _facts("kl_rewards", scores=[0.0, 0.0, 1.0], kl_values=[0.5, 0.25, 0.5], beta=beta)["rewards"]
        for beta in (0.1, 0.2)
    )
    return Judged(holds(right[:-1] == wrong[:-1]), {"right": _floats(right), "wrong": _floats(wrong)})


def _wrong_score(_: Scenario) -> Judged:
    found = moved(row(("0", "0", "0.5"), VALUES, lam=LAM)["advantages"], row(REWARDS, VALUES, lam=LAM)["advantages"])
    return Judged(holds(all(found)), {"moved": found})


def _flipped_kl(_: Scenario) -> Judged:
    kl = [0.5, 0.25, 0.5]
    right, wrong = (
        _facts("kl_rewards", scores=[0.0, 0.0, 1.0], kl_values=values, beta=0.1)["rewards"]
        for values in (kl, [-x for x in kl])
    )
    return Judged(holds(right == wrong), {"right": _floats(right), "wrong": _floats(wrong)})


def _no_parameters(_: Scenario) -> Judged:
    found = _solved(REWARDS)
    return Judged(holds(len(set(found)) == 1), {"found": found})


def _shows_at_the_end(_: Scenario) -> Judged:
    """Monte Carlo in the place of GAE: at the last token and at the first."""
    found = row(REWARDS, VALUES, lam=LAM)
    gae, mc = found["advantages"], found["mc_advantages"]
    return Judged(holds(gae[-1] != mc[-1]), {"last": gae[-1], "mc_last": mc[-1], "first": gae[0], "mc_first": mc[0]})


def _whitening_error(_: Scenario) -> Judged:
    """Another divisor keeps every sign; another mean does not."""
    found = _facts("whiten", advantages=[1.0, 2.0, 6.0])
    right, divided = (_floats(found[name]) for name in ("whitened", "whitened_population"))
    unshifted = [round(a / float(found["std_sample"]), 4) for a in (1.0, 2.0, 6.0)]
    same, other = ([a > 0 for a in xs] == [a > 0 for a in right] for xs in (divided, unshifted))
    return Judged(weighed(same, not other), {"right": right, "divided": divided, "unshifted": unshifted})


def _mismatch_is_error(_: Scenario) -> Judged:
    """A list that another convention gives, and one that nobody's convention gives."""
    right, lam_one = (row(REWARDS, VALUES, lam=lam)["advantages"] for lam in (LAM, "1"))
    slip = [right[0], right[1], right[2] + 1]
    reached = [row(REWARDS, VALUES, lam=i / 20)["advantages"] for i in range(21)]
    return Judged(weighed(slip not in reached, lam_one in reached), {"right": right, "other": lam_one, "slip": slip})


def _more_digits(_: Scenario) -> Judged:
    """Two λ that lie near each other, and two far apart, at one digit and at three."""
    near, far = (
        [[round(float(row(REWARDS, VALUES, lam=lam)["advantages"][0]), digits) for lam in lams] for digits in (1, 3)]
        for lams in (("0.5", "0.52"), ("0.5", "1"))
    )
    return Judged(
        weighed(near[0][0] == near[0][1] and near[1][0] != near[1][1], far[0][0] != far[0][1]),
        {"near": near, "far": far},
    )


BETWEEN: dict[str, Check] = {
    "right_first_number_proves_the_rest": _first_number,
    "mean_zero_proves_the_whitening": _mean_zero,
    "whitening_hides_a_constant_error": _hidden_constant,
    "whitening_hides_an_error_of_scale": _hidden_scale,
    "a_wrong_value_spoils_two_deltas": _two_deltas,
    "a_wrong_reward_spoils_one_delta": _one_delta,
    "gamma_one_hides_a_forgotten_gamma": _gamma_hidden,
    "lambda_follows_from_the_advantages": _lambda_follows,
    "lambda_always_follows_from_the_advantages": always(_lambda_follows),
    "two_values_tell_the_divisor": _two_values,
    "a_negative_ratio_is_a_mistake": _negative_ratio,
    "a_negative_sampled_kl_is_a_mistake": _negative_kl,
    "a_negative_k3_is_a_mistake": _negative_k3,
    "an_advantage_above_one_is_a_mistake": _above_one,
    "a_negative_advantage_in_a_right_answer_is_a_mistake": _right_but_negative,
    "falling_returns_are_a_mistake": _falling_returns,
    "right_deltas_prove_the_advantages": _deltas_prove,
    "right_advantages_prove_the_deltas": _advantages_prove,
    "an_error_grows_on_its_way_to_the_front": _error_grows,
    "wrong_beta_moves_the_last_reward_only": _wrong_beta,
    "a_wrong_score_spoils_every_advantage": _wrong_score,
    "a_flipped_kl_sign_goes_unnoticed": _flipped_kl,
    "a_table_can_be_checked_without_gamma_and_lambda": _no_parameters,
    "monte_carlo_for_gae_shows_at_the_last_token": _shows_at_the_end,
    "errors_in_whitening_are_harmless": _whitening_error,
    "a_mismatch_is_an_error": _mismatch_is_error,
    "a_mismatch_is_always_an_error": always(_mismatch_is_error),
    "more_digits_are_needed": _more_digits,
}
