"""What is said of whitening first: what it is done to, who gets it, what a whitened number means."""

from __future__ import annotations

from statistics import median
from typing import Any

from engine import quantities, statistics
from engine.conventions import TEXTBOOK, VERL_NEW, Outcome, run
from engine.example import LAM
from engine.facts import compute
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._at_hand import at_hand
from lessons._checks import alone, gae
from lessons._fact import Check, Judged, holds
from lessons._policies import TAKEN
from lessons._weighed import weighed
from lessons.whitening.further import CLOSE, _flat, _near, _raw, _rollout, _rows, _short, _white

GIVEN, ROWS = [1, 2, 6], [[1, 2, 6], [0, 3, 6]]


def _run(whitened: bool) -> Outcome:
    """The running example under verl's convention and under the textbook's."""
    return run(_rollout(), VERL_NEW if whitened else TEXTBOOK, gamma=1.0, lam=LAM)


def _same(xs: list[float], ys: list[float]) -> bool:
    return all(abs(x - y) < CLOSE for x, y in zip(xs, ys, strict=True))


def _first(found: list[Any]) -> list[float]:
    """Of whitened rows the first response's."""
    return [float(x) for x in (found[0] if isinstance(found[0], list) else found)]


def _advantages(rewards: list[float], values: list[float]) -> list[float]:
    return [float(a) for a in gae(rewards=rewards, values=values, scores=None, kl_values=None)["advantages"]]


def _rewards_too(_: Scenario) -> Judged:
    """verl's raw advantages, beside those of whitened rewards."""
    found = [float(a) for a in _run(whitened=True).advantages[0]]
    rewards, values = [[*map(float, row)] for row in _rows("rewards")], list(at_hand().rows("values")[0])
    other = _advantages(_first(_white(rewards)), values)
    return Judged(holds(_same(found, other)), {"found": _short(found)[0], "other": _short(other)[0]})


def _values_too(_: Scenario) -> Judged:
    """verl's returns less its raw advantages: the values it used."""
    found = _run(whitened=True)
    used = [float(r) - float(a) for r, a in zip(found.returns[0], found.advantages[0], strict=True)]
    white = _first(_white([[*map(float, row)] for row in _rows("values")]))
    return Judged(holds(_same(used, white)), {"used": _short(used)[0], "white": _short(white)[0]})


def _at_each_step(_: Scenario) -> Judged:
    """Each advantage is handed to the token before as it is, and all are whitened once the recursion is through."""
    found = _run(whitened=True)
    own, out = ([float(x) for x in row[0]] for row in (found.advantages, found.normalised))
    handed_on = [own[t] - (LAM * own[t + 1] if t + 1 < len(own) else 0) for t in range(len(own))]
    deltas = [float(d) for d in gae()["deltas"]]
    return Judged(holds(not _same(handed_on, deltas)), {"raw": round(own[1], 4), "white": round(out[1], 4)})


def _counts_deviations(_: Scenario) -> Judged:
    """How many standard deviations above the mean the largest is, and what it becomes."""
    found = alone("whiten", advantages=GIVEN)
    mean, std, white = float(found["mean"]), float(found["std_sample"]), float(found["whitened"][-1])
    above = (GIVEN[-1] - mean) / std
    return Judged(
        holds(abs(above - white) < CLOSE),
        {"raw": GIVEN[-1], "mean": mean, "std": round(std, 4), "white": round(white, 4)},
    )


def _keeps_shape(_: Scenario) -> Judged:
    found = _white(ROWS)
    same = [len(row) for row in found] == [len(row) for row in ROWS]
    return Judged(holds(same), {"rows": len(found), "tokens": len(found[0])})


def _is_learned(_: Scenario) -> Judged:
    """A learned scale and shift would leave another mean and spread than nought and one in some batch."""
    found = [alone("whiten", advantages=list(map(float, _white(row)))) for row in (GIVEN, [-5, 0, 50], [0.1, 0.2, 0.5])]
    means, stds = ([round(float(f[name]), 4) + 0.0 for f in found] for name in ("mean", "std_sample"))
    return Judged(holds(any(means) or set(stds) != {1}), {"means": means, "stds": stds})


def _by_median(_: Scenario) -> Judged:
    """Where the zero of the whitened numbers was before."""
    middle = float(median(GIVEN))
    mean = float(alone("whiten", advantages=GIVEN)["mean"])
    at_middle = float(_white(GIVEN)[GIVEN.index(int(middle))])
    return Judged(
        holds(_near(at_middle, 0)), {"given": GIVEN, "median": middle, "mean": mean, "found": round(at_middle, 4)}
    )


def _level_is_lost(_: Scenario) -> Judged:
    """A batch that is good throughout and one that is bad throughout."""
    good, bad = [11, 12, 16], [-16, -15, -11]
    found = [_short(_white(xs)) for xs in (good, bad)]
    return Judged(holds(found[0] == found[1]), {"good": good, "bad": bad, "found": found[0], "same": found[1]})


def _variance_lowered(_: Scenario) -> Judged:
    """Advantages that differ a lot and advantages that hardly differ."""
    wide, narrow = ([x * times for x in GIVEN] for times in (10, 0.01))
    before = [float(alone("whiten", advantages=xs)["std_sample"]) ** 2 for xs in (wide, narrow)]
    after = [
        float(alone("whiten", advantages=list(map(float, _white(xs))))["std_sample"]) ** 2 for xs in (wide, narrow)
    ]
    return Judged(
        weighed(after[0] < before[0], after[1] > before[1]),
        {"wide": round(before[0], 2), "narrow": round(before[1], 6), "after": round(after[0], 3)},
    )


def _actors(_: Scenario) -> Judged:
    """At ratio one the terms of verl's policy objective, beside whitened and raw advantages."""
    found = _run(whitened=True)
    out = _flat(found.normalised)
    terms = [float(x) for x in alone("surrogate", ratio=[1.0] * len(out), advantages=out)["terms"]]
    white = [float(x) for x in _white(_raw())]
    return Judged(holds(_same(terms, white)), {"term": _short(terms)[0], "raw": _short(_raw())[0]})


def _wider_is_smaller(_: Scenario) -> Judged:
    """One above the mean, in a batch that hardly spreads and in one that spreads widely."""
    near, far = [-1, 0, 1], [-1, 1, 9, -9]
    small, large = (float(_white(xs)[xs.index(1)]) for xs in (near, far))
    return Judged(holds(small > large), {"near": near, "far": far, "small": round(small, 4), "large": round(large, 4)})


def _is_gae(_: Scenario) -> Judged:
    """What the definition gives, and what comes out where it is whitened as well."""
    own, out = (_flat(_run(whitened=whitened).normalised) for whitened in (False, True))
    return Judged(holds(not _same(own, _raw())), {"raw": _short(own)[0], "white": _short(out)[0]})


def _centred_already(_: Scenario) -> Judged:
    own = _raw()
    mean = sum(own) / len(own)
    return Judged(holds(_near(mean, 0)), {"mean": round(mean, 4)})


def _negative_is_a_disappointment(_: Scenario) -> Judged:
    """The tokens of a batch that all did better than expected."""
    found = _white(GIVEN)
    return Judged(holds(all(raw < 0 for raw, x in zip(GIVEN, found, strict=True) if x < 0)),
                  {"raw": GIVEN[0], "white": _short(found)[0], "mean": sum(GIVEN) / len(GIVEN)})  # fmt: skip


def _shifts_by_default(_: Scenario) -> Judged:
    """With nothing said about the shift."""
    given = [float(x) for x in GIVEN]
    found, kept = statistics.whiten(given, [1] * 3), statistics.whiten(given, [1] * 3, shift_mean=False)
    mean, other = (round(sum(map(float, xs)) / 3, 6) + 0.0 for xs in (found, kept))
    return Judged(holds(_near(mean, 0)), {"mean": mean, "kept": other})


def _through_statistics(_: Scenario) -> Judged:
    """The first token's slope at ratio one, and its whitened advantage: mean and deviation are numbers like others."""
    own = [float(x) for x in _white(_raw())]
    at_first = TAKEN.merged({"new_logp": TAKEN.old_logp, "advantages": own})
    slope = float(compute(own_slopes(quantities.surrogate, "terms", "new_logp"), at_first).exact["slopes"][0])
    return Judged(holds(not _near(slope, own[0])), {"slope": round(slope, 4), "white": round(own[0], 4)})


def _scale_sets_step(_: Scenario) -> Judged:
    """Advantages ten times as large, handed to the actor raw and whitened."""
    own = _raw()
    raw = [alone("surrogate", ratio=[1.0] * len(own), advantages=[k * a for a in own])["terms"][0] for k in (1, 10)]
    white = [float(_white([k * a for a in own])[0]) for k in (1, 10)]
    return Judged(
        holds(_near(raw[1], 10 * raw[0]) and _near(white[0], white[1])),
        {"times": 10, "raw": _short(raw), "white": _short(white)},
    )


def _by_position(_: Scenario) -> Judged:
    """Two responses: by the batch, and each place by itself over the responses."""
    rows = [[1, 5], [3, 6]]
    found = [_short(row)[0] for row in _white(rows)]
    column = _short(_white([row[0] for row in rows]))
    return Judged(holds(found == column), {"found": found, "column": column})


def _comes_last(_: Scenario) -> Judged:
    """What verl's actor is given, beside the raw advantages that are whitened when all else is done."""
    found = _run(whitened=True)
    raw, out = map(_flat, (found.advantages, found.normalised))
    same = _same(out, [float(x) for x in _white(raw)])
    return Judged(holds(same and _same(raw, _raw())), {"raw": _short(raw)[0], "out": _short(out)[0]})


BASICS: dict[str, Check] = {
    "whitens_each_position_by_itself": _by_position,
    "whitening_is_the_last_step_before_the_actor": _comes_last,
    "without_whitening_the_scale_sets_the_step": _scale_sets_step,
    "shifts_the_mean_by_default": _shifts_by_default,
    "gradient_flows_through_mean_and_deviation": _through_statistics,
    "verl_whitens_the_rewards": _rewards_too,
    "verl_whitens_the_values": _values_too,
    "whitens_inside_the_recursion": _at_each_step,
    "counts_standard_deviations": _counts_deviations,
    "keeps_the_shape": _keeps_shape,
    "has_learned_parameters": _is_learned,
    "subtracts_the_median": _by_median,
    "level_of_the_batch_is_lost": _level_is_lost,
    "lowers_the_variance_of_advantages": _variance_lowered,
    "actor_gets_the_whitened_ones": _actors,
    "wider_spread_gives_smaller_numbers": _wider_is_smaller,
    "gae_includes_whitening": _is_gae,
    "raw_advantages_have_mean_zero": _centred_already,
    "negative_after_whitening_means_worse_than_expected": _negative_is_a_disappointment,
}
