"""What learners conclude from ρA: what the ratio mends and what not, how far it may be trusted, what is not in it."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import exp, log
from operator import mul
from typing import Any

from engine import drift, formulas, quantities
from engine.facts import compute
from engine.proofs import theorem
from engine.proofs.programs import expected
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE, PAIR, TAKEN
from lessons.surrogate.checks import NEW, OLD, UNMOVED

EARNS = (Fraction(1), Fraction(0))  # what each of the two tokens earns


def _found(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("surrogate", TAKEN.merged(changes)).exact)


def _log_probs(name: str) -> list[float]:
    return list(TAKEN.rows(name)[0])


def _is_maximised(_: Scenario) -> Judged:
    """A step along the slope raises it, and lowers the loss."""
    slopes = compute(own_slopes(quantities.surrogate, "terms", "new_logp"), UNMOVED).exact["slopes"]
    stepped = [x + 0.01 * float(s) for x, s in zip(_log_probs("old_logp"), slopes, strict=True)]
    before, after = _found(new_logp=TAKEN.old_logp)["surrogate"], _found(new_logp=stepped)["surrogate"]
    return Judged(holds(after > before), {"before": round(float(before), 9), "after": after})


def _needs_a_leash(_: Scenario) -> Judged:
    """The new policy that the surrogate likes best, and what it really earns."""
    old = Fraction(3, 4)
    far = max((Fraction(k, 8) for k in range(1, 9)), key=lambda p: drift.promised(old, p))
    promised, earned = drift.promised(old, far), drift.earned(old, far)
    return Judged(holds(promised > 0 > earned), {"old": old, "far": far, "promised": promised, "earned": earned})


def _zero_on_average(_: Scenario) -> Judged:
    found = drift.promised(OLD[0], OLD[0])
    return Judged(holds(found == 0), {"p": OLD[0], "found": found})


def _likelier(_: Scenario) -> Judged:
    pairs = [(old, new, new / old) for old, new in zip(OLD, NEW, strict=True)]
    up, down = sorted(pairs, key=lambda row: -row[2])
    return Judged(
        holds(all((ratio > 1) == (new > old) for old, new, ratio in pairs)),
        {"old": up[0], "new": up[1], "ratio": up[2], "other_old": down[0], "other_new": down[1], "other": down[2]},
    )


def _sign(_: Scenario) -> Judged:
    terms = {adv: formulas.surrogate_term(ratio, adv) for adv in (1, -1) for ratio in (Fraction(1, 2), Fraction(3, 2))}
    same = all(term * adv > 0 for adv, term in terms.items())
    return Judged(holds(same), {"ratio": Fraction(3, 2), "good": terms[1], "bad": terms[-1]})


def _renewed(_: Scenario) -> Judged:
    first, later = _found(new_logp=TAKEN.old_logp)["ratio"][0], _found()["ratio"][0]
    return Judged(holds(first != later), {"first": first, "later": later})


def _corrects(_: Scenario) -> Judged:
    """What the new policy earns, from the old one's tokens with and without the ratio."""
    weighed = expected(OLD, lambda i: NEW[i] / OLD[i] * EARNS[i])
    plain, true = expected(OLD, lambda i: EARNS[i]), expected(NEW, lambda i: EARNS[i])
    return Judged(holds(weighed == true != plain), {"weighed": weighed, "plain": plain, "true": true})


def _states_too(_: Scenario) -> Judged:
    """With two tokens the second is chosen in states that the old policy visits."""
    promised, earned = drift.promised(OLD[0], NEW[0]), drift.earned(OLD[0], NEW[0])
    return Judged(holds(promised == earned), {"promised": promised, "earned": earned})


def _one_token(_: Scenario) -> Judged:
    value = expected(OLD, lambda i: EARNS[i])
    promised = expected(OLD, lambda i: NEW[i] / OLD[i] * (EARNS[i] - value))
    earned = expected(NEW, lambda i: EARNS[i]) - value
    return Judged(holds(promised == earned), {"promised": promised, "earned": earned})


def _no_new_samples(_: Scenario) -> Judged:
    """The new policy's log-probabilities of the old tokens are all that is asked of it."""
    used = quantities.facts("surrogate", TAKEN).used
    return Judged(
        holds("new_logp" in used and "tokens" not in used), {"value": _found()["surrogate"], "count": TAKEN.length}
    )


def _advantages_of_new(_: Scenario) -> Judged:
    """Another new policy, and the advantages beside it."""
    lower = [[x - 1 for x in row] for row in PAIR.rows("new_logp")]
    both = (quantities.facts("surrogate", p).exact for p in (PAIR, PAIR.merged({"new_logp": lower})))
    one, other = (found["whitened"][0][0] for found in both)
    return Judged(holds(one != other), {"one": one, "other": other})


def _through_advantage(_: Scenario) -> Judged:
    theorem("surrogate_gradient_is_policy_gradient_times_ratio")
    slope = compute(own_slopes(quantities.surrogate, "terms", "new_logp"), TAKEN).exact["slopes"][0]
    found = _found()
    return Judged(
        holds(not close(slope, found["ratio"][0] * found["advantages"][0])),
        {"slope": slope, "ratio": found["ratio"][0], "advantage": found["advantages"][0]},
    )


def _product(_: Scenario) -> Judged:
    ratios = quantities.facts("surrogate", EXAMPLE).exact["ratio"]
    whole = exp(sum(EXAMPLE.rows("new_logp")[0]) - sum(EXAMPLE.rows("old_logp")[0]))
    product = float(reduce(mul, ratios))
    return Judged(holds(abs(whole - product) < 1e-9), {"product": round(product, 6), "whole": round(whole, 6)})


def _long_is_wild(_: Scenario) -> Judged:
    each = Fraction(21, 20)
    short, long = (round(float(each**count), 3) for count in (10, 200))
    return Judged(holds(long > short > each), {"each": each, "short": short, "long": long, "counts": [10, 200]})


def _zero_no_update(_: Scenario) -> Judged:
    """Whitened advantages before the first step: the value, and the slope of one token."""
    value = abs(round(float(quantities.facts("surrogate", UNMOVED).exact["surrogate"]), 9))
    slopes = compute(own_slopes(quantities.surrogate, "terms", "new_logp"), UNMOVED).exact["slopes"]
    return Judged(holds(not any(slopes)), {"value": value, "slope": slopes[0], "last": slopes[-1]})


def _negative(_: Scenario) -> Judged:
    found = alone("surrogate", ratio=[1, 1], advantages=[1, -3])["surrogate"]
    return Judged(holds(found < 0), {"advantages": [1, -3], "found": found})


def _at_most_inverse(_: Scenario) -> Judged:
    """The most a probability can become is one."""
    old = Fraction(1, 4)
    tops = [new / old for new in (Fraction(1, 2), Fraction(3, 4), Fraction(1))]
    return Judged(holds(max(tops) == 1 / old), {"old": old, "top": max(tops)})


def _nothing_from_zero(_: Scenario) -> Judged:
    terms = [formulas.surrogate_term(ratio, 0) for ratio in (Fraction(1, 2), Fraction(3))]
    return Judged(holds(not any(terms)), {"ratios": [Fraction(1, 2), 3], "terms": terms})


def _errors() -> tuple[list[Any], list[Any], list[Any]]:
    steps = [Fraction(1, 100), Fraction(1, 8), Fraction(1, 4)]
    promised = [drift.promised(OLD[0], OLD[0] + step) for step in steps]
    return steps, promised, [drift.earned(OLD[0], OLD[0] + step) for step in steps]


def _nearly_right(_: Scenario) -> Judged:
    """The share by which promise and truth differ, for a small step and a large one."""
    steps, promised, earned = _errors()
    shares = [round(abs(float((p - e) / p)), 4) for p, e in zip(promised, earned, strict=True)]
    return Judged(
        holds(shares[0] < 0.05 < shares[-1]), {"small": steps[0], "large": steps[-1], "shares": [shares[0], shares[-1]]}
    )


def _error_grows(_: Scenario) -> Judged:
    steps, promised, earned = _errors()
    gaps = [round(abs(float(p - e)), 6) for p, e in zip(promised, earned, strict=True)]
    return Judged(holds(gaps == sorted(gaps) and gaps[0] < gaps[-1]), {"steps": steps, "gaps": gaps})


def _scales(_: Scenario) -> Judged:
    one, two = (alone("surrogate", ratio=[0.5, 1.5], advantages=[k, 2 * k])["surrogate"] for k in (1, 2))
    return Judged(holds(two == 2 * one), {"one": one, "two": two})


def _first_loss(_: Scenario) -> Judged:
    raw = [a for row in quantities.facts("surrogate", PAIR).exact["advantages"] for a in row]
    value = _found(new_logp=TAKEN.old_logp, advantages=[*map(float, raw)])["surrogate"]
    mean = sum(raw) / len(raw)
    return Judged(holds(close(mean, value)), {"mean": mean, "loss": -value})


def _log_ratio_zero(_: Scenario) -> Judged:
    gaps = [new - old for new, old in zip(_log_probs("old_logp"), UNMOVED.rows("new_logp")[0], strict=True)]
    return Judged(holds(not any(gaps)), {"log": gaps[0], "ratio": _found(new_logp=TAKEN.old_logp)["ratio"][0]})


def _whole_vocabulary(_: Scenario) -> Judged:
    """One number for each token that was sampled, however the rest of the vocabulary shares what is left."""
    return Judged(holds(len(_found()["ratio"]) != TAKEN.length), {"count": TAKEN.length, "first": _found()["ratio"][0]})


def _holds_other_losses(_: Scenario) -> Judged:
    used = quantities.facts("surrogate", TAKEN.merged({"advantages": [1.0] * TAKEN.length})).used
    one = _found()["surrogate"]
    other = _found(vpreds=[9.0] * TAKEN.length)["surrogate"]
    return Judged(holds("vpreds" in used or one != other), {"one": one, "other": other})


def _good_ends_above(_: Scenario) -> Judged:
    found = _found()
    pairs = [(r, a) for r, a in zip(found["ratio"], found["advantages"], strict=True) if a > 0]
    low = min(pairs)
    return Judged(holds(low[0] > 1), {"ratio": low[0], "adv": low[1]})


def _mismatch(_: Scenario) -> Judged:
    """Old log-probabilities from an engine that rounds otherwise: the first ratios."""
    off = [x - 0.05 for x in _log_probs("old_logp")]
    found = _found(old_logp=off, new_logp=TAKEN.old_logp)["ratio"][0]
    return Judged(holds(close(found, 1)), {"off": Fraction(1, 20), "ratio": found})


def _padding(_: Scenario) -> Judged:
    masked, bare = (
        alone("surrogate", ratio=[1, 1, 5], advantages=[1, 2, 9], **more)["surrogate"]
        for more in ({"mask": [1, 1, 0]}, {})
    )
    return Judged(holds(masked == bare), {"masked": masked, "bare": bare})


def _to_the_limit(_: Scenario) -> Judged:
    tops = [formulas.surrogate_term(Fraction(ratio), Fraction(1)) for ratio in (1, 2, 4)]
    return Judged(holds(tops == sorted(tops) and tops[0] < tops[-1]), {"ratios": [1, 2, 4], "terms": tops})


def _linear(_: Scenario) -> Judged:
    low, middle, high = (formulas.surrogate_term(r, Fraction(3)) for r in (Fraction(1, 2), Fraction(1), Fraction(3, 2)))
    return Judged(holds(middle - low == high - middle), {"terms": [low, middle, high], "adv": 3})


def _off_policy_reuse(_: Scenario) -> Judged:
    """Without the ratio, a second step would be taken as if the tokens were the new policy's own."""
    found = _found()
    t = max(range(TAKEN.length), key=lambda i: abs(float(found["ratio"][i]) - 1))
    return Judged(
        holds(not close(found["terms"][t], found["advantages"][t])),
        {"ratio": found["ratio"][t], "term": found["terms"][t], "adv": found["advantages"][t]},
    )


def _one_at_batch_start(_: Scenario) -> Judged:
    """The next iteration: what was new has sampled, and is old now."""
    found = _found(old_logp=TAKEN.new_logp)["ratio"]
    return Judged(holds(all(r == 1 for r in found)), {"ratio": found[0], "log": round(log(float(found[0])), 6)})


FURTHER: dict[str, Check] = {
    "is_to_be_maximised": _is_maximised,
    "needs_a_limit_on_the_step": _needs_a_leash,
    "is_zero_on_average_at_the_old_policy": _zero_on_average,
    "above_one_means_likelier": _likelier,
    "term_has_the_sign_of_the_advantage": _sign,
    "ratio_is_renewed_every_step": _renewed,
    "ratio_corrects_for_the_old_policys_tokens": _corrects,
    "ratio_corrects_the_states_too": _states_too,
    "exact_for_a_single_token": _one_token,
    "needs_no_new_samples": _no_new_samples,
    "advantages_belong_to_the_new_policy": _advantages_of_new,
    "gradient_flows_through_the_advantage": _through_advantage,
    "token_ratios_multiply_to_the_response_ratio": _product,
    "response_ratio_runs_away_with_length": _long_is_wild,
    "zero_value_means_no_update": _zero_no_update,
    "surrogate_can_be_negative": _negative,
    "ratio_is_at_most_the_inverse_of_old": _at_most_inverse,
    "zero_advantage_contributes_nothing": _nothing_from_zero,
    "small_steps_keep_the_promise": _nearly_right,
    "error_grows_with_the_step": _error_grows,
    "scales_with_the_advantages": _scales,
    "first_loss_is_minus_the_mean_advantage": _first_loss,
    "log_ratio_is_zero_at_first": _log_ratio_zero,
    "ratio_needs_the_whole_vocabulary": _whole_vocabulary,
    "contains_value_loss_and_entropy": _holds_other_losses,
    "good_tokens_always_end_above_one": _good_ends_above,
    "mismatched_old_log_probs_are_harmless": _mismatch,
    "padding_enters_the_mean": _padding,
    "unlimited_it_pushes_to_the_extreme": _to_the_limit,
    "is_linear_in_the_ratio": _linear,
    "reusing_data_needs_the_ratio": _off_policy_reuse,
    "ratio_returns_to_one_with_new_samples": _one_at_batch_start,
}
