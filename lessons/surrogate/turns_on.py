"""What is so of ρA in one case and not in another: before and after an update, by the sign of A, whitened or raw."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import Any

from engine import drift, formulas, quantities
from engine.facts import compute
from engine.proofs.programs import expected
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import PAIR, TAKEN
from lessons._trials import judged
from lessons.surrogate.checks import NEW, OLD
from lessons.surrogate.further import FURTHER

RATIOS = (Fraction(1), Fraction(2))  # a token's, before and after it became likelier
SIGNS = (Fraction(1), Fraction(-1))
START, NEAR_STEP = Fraction(3, 4), Fraction(5, 8)


def _found(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("surrogate", TAKEN.merged(changes)).exact)


def _first(**changes: Any) -> dict[str, Any]:
    return _found(new_logp=TAKEN.old_logp, **changes)


def _raw() -> list[float]:
    return [a for row in quantities.facts("surrogate", PAIR).numbers["advantages"] for a in row]


def _white() -> list[float]:
    return list(TAKEN.rows("advantages")[0])


def _slopes(**changes: Any) -> list[float]:
    program = own_slopes(quantities.surrogate, "terms", "new_logp")
    return [float(s) for s in compute(program, TAKEN.merged(changes)).exact["slopes"]]


def _first_values() -> tuple[Any, float]:
    return _first(advantages=_raw())["surrogate"], abs(round(float(_first()["surrogate"]), 9))


def _first_is_zero(_: Scenario) -> Judged:
    raw, white = _first_values()
    return judged([raw == 0, white == 0], raw=raw, white=white)


def _raw_first_is_zero(_: Scenario) -> Judged:
    raw, white = _first_values()
    return judged(raw == 0, raw=raw, white=white)


def _first_zero_whatever(_: Scenario) -> Judged:
    raw, white = _first_values()
    return Judged(holds(raw == white == 0), {"raw": raw, "white": white})


def _ratio_one(_: Scenario) -> Judged:
    first, later = _first()["ratio"], _found()["ratio"]
    return judged([all(r == 1 for r in row) for row in (first, later)], first=first[0], later=later[0])


def _can_be_one(_: Scenario) -> Judged:
    first = _first()["ratio"]
    return Judged(holds(any(r == 1 for r in first)), {"first": first[0]})


def _later_one(_: Scenario) -> Judged:
    later = _found()["ratio"]
    return Judged(holds(all(r == 1 for r in later)), {"low": min(later), "high": max(later)})


def _above_one(_: Scenario) -> Judged:
    """The two tokens of a policy that moved: what one gains the other loses."""
    up, down = sorted((new / old for new, old in zip(NEW, OLD, strict=True)), reverse=True)
    return judged([up > 1, down > 1], up=up, down=down)


def _rising(signs: tuple[Fraction, ...]) -> Check:
    def check(_: Scenario) -> Judged:
        terms = [[formulas.surrogate_term(r, a) for r in RATIOS] for a in signs]
        return judged([row[1] > row[0] for row in terms], ratios=list(RATIOS), adv=signs[0], terms=terms[0])

    return check


def _always_rising(_: Scenario) -> Judged:
    good, bad = ([formulas.surrogate_term(r, a) for r in RATIOS] for a in SIGNS)
    return Judged(holds(good[1] > good[0] and bad[1] > bad[0]), {"ratios": list(RATIOS), "bad": bad})


def _can_rise(_: Scenario) -> Judged:
    good, bad = ([formulas.surrogate_term(r, a) for r in RATIOS] for a in SIGNS)
    return Judged(holds(good[1] > good[0] or bad[1] > bad[0]), {"ratios": list(RATIOS), "good": good})


def _pushes() -> list[float]:
    """The slopes of a good token and of a bad one before the first update."""
    rest = [0.0] * (TAKEN.length - len(SIGNS))
    return _slopes(new_logp=TAKEN.old_logp, advantages=[*map(float, SIGNS), *rest])[: len(SIGNS)]


def _made_likelier(_: Scenario) -> Judged:
    good, bad = _pushes()
    return judged([good > 0, bad > 0], good=good, bad=bad)


def _all_made_likelier(_: Scenario) -> Judged:
    good, bad = _pushes()
    return Judged(holds(good > 0 and bad > 0), {"good": good, "bad": bad})


def _good_made_likelier(_: Scenario) -> Judged:
    good, bad = _pushes()
    return Judged(holds(good > 0), {"good": good, "bad": bad})


def _positive(_: Scenario) -> Judged:
    values = [alone("surrogate", ratio=[1, 1], advantages=[float(a), 3 * float(a)])["surrogate"] for a in SIGNS]
    return judged([v > 0 for v in values], good=values[0], bad=values[1])


def _is_policy_gradient(_: Scenario) -> Judged:
    """The slopes in the tokens' own log-probabilities beside the advantages, which log π · A has."""
    advantages = _white()
    first, later = _slopes(new_logp=TAKEN.old_logp, advantages=advantages), _slopes(advantages=advantages)
    return judged(
        [close(row, advantages) for row in (first, later)], adv=advantages[0], first=first[0], later=round(later[0], 6)
    )


def _is_mean_advantage(_: Scenario) -> Judged:
    raw = _raw()
    mean, first, later = sum(raw) / len(raw), _first(advantages=raw)["surrogate"], _found(advantages=raw)["surrogate"]
    return judged([close(v, mean) for v in (first, later)], mean=round(mean, 6), later=round(float(later), 6))


def _stays_near(_: Scenario) -> Judged:
    """A small and a large step of a log-probability: by how much the ratio leaves one."""
    near, far = (formulas.ratio(log(p), log(OLD[0])) for p in (OLD[0] * Fraction(101, 100), 3 * OLD[0]))
    shown = round(float(near), 6), round(float(far), 6)
    return judged([abs(r - 1) < Fraction(1, 10) for r in shown], near=shown[0], far=shown[1])


def _batch_mean_is_one(_: Scenario) -> Judged:
    first, later = _first()["ratio"], _found()["ratio"]
    means = [sum(map(float, row)) / len(row) for row in (first, later)]
    return judged([close(m, 1) for m in means], first=round(means[0], 6), later=round(means[1], 6))


def _sampled_mean_always_one(_: Scenario) -> Judged:
    later = list(map(float, _found()["ratio"]))
    mean = sum(later) / len(later)
    return Judged(holds(close(mean, 1)), {"later": round(mean, 6)})


def _value_moves(_: Scenario) -> Judged:
    """Twice as large rewards and values: the raw advantages double, the whitened ones do not."""
    raw, white = _found(advantages=_raw())["surrogate"], _found()["surrogate"]
    double = [2 * a for a in _raw()]
    again = [float(a) for a in alone("whiten", advantages=double)["whitened"]]
    changed = _found(advantages=double)["surrogate"], _found(advantages=again)["surrogate"]
    return judged(
        [round(float(new - old), 6) != 0 for old, new in zip((raw, white), changed, strict=True)],
        raw=round(float(raw), 6), doubled=round(float(changed[0]), 6), white=round(float(white), 6),
    )  # fmt: skip


def _improves(_: Scenario) -> Judged:
    """A short step along the promise, and the policy that the promise likes best."""
    near = NEAR_STEP
    far = max((Fraction(k, 8) for k in range(1, 9)), key=lambda p: drift.promised(START, p))
    gains = [drift.earned(START, p) for p in (near, far)]
    rising = all(drift.promised(START, p) > 0 for p in (near, far))
    return judged([rising and gain > 0 for gain in gains], old=START, near=near, far=far, gains=gains)


def _is_exact(scenario: Scenario) -> Judged:
    """With one token to choose, and with two, where the second is chosen in states that the first one made."""
    one = FURTHER["exact_for_a_single_token"](scenario)
    promised, earned = drift.promised(OLD[0], NEW[0]), drift.earned(OLD[0], NEW[0])
    exact = [one.verdict == "true", promised == earned]
    found = {"one": one.found["promised"], "one_earned": one.found["earned"], "two": promised, "two_earned": earned}
    return judged(exact, **found)


def _good_ends_above(_: Scenario) -> Judged:
    found = _found()
    good = sorted(float(r) for r, a in zip(found["ratio"], found["advantages"], strict=True) if a > 0)
    return judged([r > 1 for r in (good[-1], good[0])], high=round(good[-1], 6), low=round(good[0], 6))


def _levels() -> tuple[list[float], list[float], Fraction]:
    """Slopes before and after a constant on every advantage; what the constant adds to the mean gradient."""
    before, after = (_slopes(new_logp=TAKEN.old_logp, advantages=[a + level for a in _white()]) for level in (0, 1))
    change = Fraction(1, 100)
    return before, after, expected(OLD, lambda i: (change if i else -change) / OLD[i])


def _mean_is_untouched(_: Scenario) -> Judged:
    mean = _levels()[2]
    return Judged(holds(mean == 0), {"old": list(OLD), "mean": mean})


def _sample_is_untouched(_: Scenario) -> Judged:
    before, after = _levels()[:2]
    return Judged(holds(close(before[0], after[0])), {"before": round(before[0], 6), "after": round(after[0], 6)})


TURNS_ON: dict[str, Check] = {
    "raising_the_surrogate_improves_the_policy": _improves,
    "surrogate_is_exact": _is_exact,
    "good_token_ends_above_one": _good_ends_above,
    "a_constant_leaves_the_mean_gradient": _mean_is_untouched,
    "a_constant_leaves_the_sampled_gradient": _sample_is_untouched,
    "first_value_is_zero": _first_is_zero,
    "raw_first_value_is_zero": _raw_first_is_zero,
    "first_value_is_zero_whatever_the_advantages": _first_zero_whatever,
    "ratio_is_one": _ratio_one,
    "ratio_can_be_one": _can_be_one,
    "ratios_after_an_update_are_all_one": _later_one,
    "ratio_is_above_one": _above_one,
    "larger_ratio_raises_a_good_tokens_term": _rising(SIGNS[:1]),
    "larger_ratio_raises_a_bad_tokens_term": _rising(SIGNS[1:]),
    "larger_ratio_always_raises_the_term": _always_rising,
    "larger_ratio_can_raise_the_term": _can_rise,
    "sampled_tokens_are_made_likelier": _made_likelier,
    "all_sampled_tokens_are_made_likelier": _all_made_likelier,
    "good_tokens_are_made_likelier": _good_made_likelier,
    "surrogate_is_positive": _positive,
    "gradient_is_the_policy_gradient": _is_policy_gradient,
    "value_is_the_mean_advantage": _is_mean_advantage,
    "ratio_stays_near_one": _stays_near,
    "batch_mean_of_ratios_is_one": _batch_mean_is_one,
    "batch_mean_of_ratios_is_always_one": _sampled_mean_always_one,
    "value_changes_when_rewards_double": _value_moves,
}
