"""What learners claim of the KL as a measure: its direction, its sign, its estimators near and far."""

from __future__ import annotations

from typing import Any

from engine import formulas
from engine.facts import Inputs, exact_facts
from engine.kl_samples import Vocabulary, estimates
from engine.ops import log
from engine.proofs import theorem
from engine.proofs.programs import expected
from engine.readings.exact import exactly, rational
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

POLICY, REFERENCE = (0.5, 0.3, 0.2), (0.4, 0.2, 0.4)
NEAR = Vocabulary(policy=(0.5, 0.3, 0.2), reference=(0.49, 0.31, 0.2))
FAR = Vocabulary(policy=POLICY, reference=(0.05, 0.05, 0.9))
SAME = 1e-30
ROUNDED = 6


def _of(vocabulary: Vocabulary) -> dict[str, Any]:
    return exact_facts(estimates(vocabulary), Scenario())


def _both(x: Inputs) -> dict[str, Any]:
    p, q = ([x.number(name, share) for share in row] for name, row in (("p", POLICY), ("q", REFERENCE)))
    return {
        "forward": expected(p, lambda a: log(p[a] / q[a])),
        "backward": expected(q, lambda a: log(q[a] / p[a])),
        "from_reference": expected(q, lambda a: log(p[a] / q[a])),
    }


def _short(x: Any) -> float:
    return round(float(x), ROUNDED)


def _steadier_when_near(_: Scenario) -> Judged:
    found = _of(NEAR)["variance"]
    return Judged(
        holds(found["k3"] < found["k1"]), {"k1": _short(found["k1"]), "times": int(found["k1"] / found["k3"])}
    )


def _k2_is_close_when_near(_: Scenario) -> Judged:
    """How far the mean of k2 is off, in parts of the divergence."""
    off = [abs(found["mean"]["k2"] / found["divergence"] - 1) for found in (_of(NEAR), _of(FAR))]
    return Judged(holds(off[0] < 0.05 < off[1]), {"near": _short(off[0]), "far": _short(off[1])})


def _under_the_reference(_: Scenario) -> Judged:
    found = exact_facts(_both, Scenario())
    return Judged(
        holds(abs(found["from_reference"] - found["forward"]) < SAME),
        {"mean": _short(found["from_reference"]), "kl": _short(found["forward"])},
    )


def _zero_means_equal(_: Scenario) -> Judged:
    """The divergence of a policy from itself, and from ever nearer ones."""
    theorem("kl_is_never_negative")
    same = Vocabulary(policy=POLICY, reference=POLICY)
    found = [_of(v)["divergence"] for v in (Vocabulary(POLICY, REFERENCE), NEAR, same)]
    return Judged(holds(found[0] > found[1] > found[2] and abs(found[2]) < SAME), {"kl": [_short(k) for k in found]})


def _is_symmetric(_: Scenario) -> Judged:
    found = exact_facts(_both, Scenario())
    return Judged(
        holds(abs(found["forward"] - found["backward"]) < SAME),
        {"forward": _short(found["forward"]), "backward": _short(found["backward"])},
    )


def _k3_zero_only_where_equal(_: Scenario) -> Judged:
    theorem("k3_is_never_negative")
    found = exactly(lambda lift: [formulas.k3(lift(-1.0), lift(ref)) for ref in (-2.0, -1.0, -0.5)], 1)
    return Judged(holds(found[1] == 0 < min(found[0], found[2])), {"k3": [_short(k) for k in found]})


def _explodes(logp: float, ref: float) -> tuple[float, float]:
    k1, k3 = exactly(lambda lift: [f(lift(logp), lift(ref)) for f in (formulas.k1, formulas.k3)], 1)
    return _short(k1), _short(k3)


def _explodes_when_reference_likes(_: Scenario) -> Judged:
    liked, other = _explodes(-6.0, -1.0), _explodes(-1.0, -6.0)
    return Judged(
        holds(liked[1] > 10 * abs(liked[0]) and other[1] < abs(other[0])),
        {"k1": liked[0], "k3": liked[1], "other_k1": other[0], "other_k3": other[1]},
    )


def _sum_has_a_sign(_: Scenario) -> Judged:
    """A response of the two tokens that the reference likes better."""
    lowest = min(_of(Vocabulary(POLICY, REFERENCE))["k1"])
    return Judged(holds(2 * lowest >= 0), {"each": _short(lowest), "sum": _short(2 * lowest)})


def _mean_has_a_sign(_: Scenario) -> Judged:
    theorem("kl_is_never_negative")
    theorem("expected_k1_is_kl")
    found = [_of(v)["mean"]["k1"] for v in (Vocabulary(POLICY, REFERENCE), NEAR, FAR)]
    return Judged(holds(min(found) > 0), {"means": [_short(k) for k in found]})


def _difference_of_probabilities(_: Scenario) -> Judged:
    found = _of(Vocabulary(POLICY, REFERENCE))
    plain = [p - q for p, q in zip(found["policy"], found["reference"], strict=True)]
    same = all(abs(a - b) < SAME for a, b in zip(found["k1"], plain, strict=True))
    return Judged(holds(same), {"k1": [_short(k) for k in found["k1"]], "plain": [_short(k) for k in plain]})


def _twice_costs_log_two(_: Scenario) -> Judged:
    def program(lift: Any) -> list[Any]:
        return [
            formulas.k1(log(lift(0.5)), log(lift(0.25))),
            formulas.k1(log(lift(0.25)), log(lift(0.125))),
            log(lift(2.0)),
        ]

    found = exactly(program, 1)
    same = all(abs(k - found[2]) < SAME for k in found[:2])
    return Judged(
        holds(same), {"k1": _short(found[0]), "p": rational(0.5), "q": rational(0.25), "factor": rational(2.0)}
    )


MEASURES: dict[str, Check] = {
    "k3_varies_less_when_policies_are_near": _steadier_when_near,
    "k2_is_close_to_kl_when_policies_are_near": _k2_is_close_when_near,
    "k1_is_unbiased_on_samples_of_the_reference": _under_the_reference,
    "zero_divergence_means_equal_policies": _zero_means_equal,
    "kl_is_symmetric": _is_symmetric,
    "k3_is_zero_only_where_log_probs_agree": _k3_zero_only_where_equal,
    "k3_explodes_where_the_reference_likes_more": _explodes_when_reference_likes,
    "summed_kl_of_a_response_is_never_negative": _sum_has_a_sign,
    "mean_of_k1_is_never_negative_in_the_long_run": _mean_has_a_sign,
    "kl_is_a_difference_of_probabilities": _difference_of_probabilities,
    "twice_the_probability_costs_the_same_everywhere": _twice_costs_log_two,
}
