"""What learners conclude from whitening: what it is for, what it leaves as it was, and what it does not replace."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

from engine import quantities, statistics
from engine.conventions import TEXTBOOK, VERL_NEW, Rollout, run
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.proofs.programs import expected
from engine.scenario import Scenario, scenario
from engine.statistics import WHITENING_EPSILON
from lessons._at_hand import batch_at_hand
from lessons._checks import alone
from lessons._fact import Check, Judged, holds

CLOSE = 1e-6
ROWS = [[1, 2], [4, 5]]
PADDED, MASK = [1, 2, 4, 99], [1, 1, 1, 0]


def _white(advantages: Any) -> Any:
    return alone("whiten", advantages=advantages)["whitened"]


def _near(a: Any, b: Any) -> bool:
    return abs(float(a) - float(b)) < CLOSE


def _short(xs: Any) -> list[float]:
    return [round(float(x), 4) + 0.0 for x in xs]


def _rows(name: str, **changes: Any) -> list[list[Any]]:
    """A fact of GAE, response by response."""
    found = quantities.facts("gae", batch_at_hand().merged(changes)).exact[name]
    return list(found) if isinstance(found[0], list) else [found]


def _flat(rows: Any) -> list[float]:
    return [float(x) for row in rows for x in row]


def _raw(**changes: Any) -> list[float]:
    return _flat(_rows("advantages", **changes))


def _rollout() -> Rollout:
    values = _rows("values")
    return Rollout(rewards=_rows("rewards"), values=values, mask=[[1] * len(row) for row in values])


def _zero_stays_zero(_: Scenario) -> Judged:
    given = [0, 1, 2]
    found = _white(given)
    return Judged(holds(found[0] == 0), {"given": given, "found": _short(found)})


def _batch_sums_to_zero(_: Scenario) -> Judged:
    theorem("whitened_mean_is_zero")
    found = _white(ROWS)
    total = sum(float(x) for row in found for x in row)
    return Judged(holds(_near(total, 0)), {"rows": ROWS, "found": [_short(r) for r in found], "sum": round(total, 6)})


def _each_response_sums_to_zero(_: Scenario) -> Judged:
    sums = [round(sum(map(float, row)), 4) for row in _white(ROWS)]
    return Judged(holds(not any(sums)), {"rows": ROWS, "sums": sums})


def _critic_is_touched(_: Scenario) -> Judged:
    """The targets of a convention that whitens, and of one that does not."""
    with_it, without = (run(_rollout(), c, gamma=1.0, lam=0.95).returns[0][0] for c in (VERL_NEW, TEXTBOOK))
    return Judged(
        holds(not _near(with_it, without)), {"with_it": round(float(with_it), 6), "without": round(float(without), 6)}
    )


def _direction_kept(_: Scenario) -> Judged:
    """At ratio one a token's slope is its advantage: the angle between both lists of slopes."""
    raw, white = _raw(), list(map(float, _white(_raw())))
    cosine = sum(a * w for a, w in zip(raw, white, strict=True)) / sqrt(
        sum(a * a for a in raw) * sum(w * w for w in white)
    )
    return Judged(
        holds(_near(cosine, 1)), {"cosine": round(cosine, 4), "raw": round(raw[-1], 4), "white": round(white[-1], 4)}
    )


def _ppo_needs_it(_: Scenario) -> Judged:
    """Whether a policy gradient exists without it: the textbook's convention hands over the raw advantages."""
    handed = [round(float(x), 4) for x in run(_rollout(), TEXTBOOK, gamma=1.0, lam=0.95).normalised[0]]
    return Judged(holds(not any(handed)), {"handed": handed})


def _steadies(_: Scenario) -> Judged:
    """Batches whose advantages differ hundredfold: the size of what the actor is given."""
    small, large = [0.01, 0.02, 0.04], [1, 2, 4]
    sizes = [round(max(map(float, _white(xs))), 2) for xs in (small, large)]
    return Judged(holds(sizes[0] == sizes[1]), {"small": small, "large": large, "sizes": sizes})


def _becomes_normal(_: Scenario) -> Judged:
    """A normal distribution has no skew; whitening leaves the skew as it was."""
    given = [1, 1, 1, 9]
    found = list(map(float, _white(given)))
    kinds = sorted({round(x, 4) for x in found})
    return Judged(holds(_near(sum(x**3 for x in found), 0)), {"given": given, "kinds": kinds})


def _correlation(pairs: list[tuple[float, float]]) -> float:
    xs, ys = zip(*pairs, strict=True)
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    shared = sum((x - mx) * (y - my) for x, y in pairs)
    return shared / sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))


def _decorrelates(_: Scenario) -> Judged:
    rows = [[1.0, 2.0], [2.0, 3.0], [4.0, 4.0]]
    before = _correlation([(r[0], r[1]) for r in rows])
    after = _correlation([(float(r[0]), float(r[1])) for r in _white(rows)])
    return Judged(holds(abs(after) < CLOSE), {"before": round(before, 4), "after": round(after, 4)})


def _others_change_mine(_: Scenario) -> Judged:
    mine = [1, 2]
    one, other = _white([mine, [4, 5]])[0], _white([mine, [0, -3]])[0]
    return Judged(holds(_short(one) != _short(other)), {"mine": mine, "one": _short(one), "other": _short(other)})


def _one_response(_: Scenario) -> Judged:
    found = _white([1, 2, 4])
    return Judged(holds(all(x == x for x in found)), {"found": _short(found)})


def _smaller_is_noisier(_: Scenario) -> Judged:
    """The spread of the batch mean over all batches of n tokens that are each 0 or 1 at even odds."""

    def spread(count: int) -> float:
        means = [sum(draw) / count for draw in product((0, 1), repeat=count)]
        even = (1 / len(means),) * len(means)
        return float(expected(even, lambda i: (means[i] - 0.5) ** 2))

    few, many = spread(2), spread(8)
    return Judged(holds(few > many), {"few": few, "many": many, "counts": [2, 8]})


def _lambda_gone(_: Scenario) -> Judged:
    half, one = (_short(_white(_raw(lam=lam))) for lam in (0.5, 1.0))
    return Judged(holds(half == one), {"half": half[0], "one": one[0]})


def _kl_gone(_: Scenario) -> Judged:
    small, large = (_short(_white(_raw(beta=beta))) for beta in (0.0, 1.0))
    return Judged(holds(small == large), {"small": small[0], "large": large[0]})


def _replaces_critic(_: Scenario) -> Judged:
    """Rewards to come, whitened, beside advantages over a critic, whitened."""
    returns = _flat(_rows("mc_returns"))
    bare, over = _short(_white(returns)), _short(_white(_raw()))
    return Judged(holds(bare == over), {"bare": bare[0], "over": over[0]})


def _padding_reaches_loss(_: Scenario) -> Judged:
    one, other = (
        alone("surrogate", ratio=[1, 1, 1], advantages=[1, 2, last], mask=[1, 1, 0])["surrogate"] for last in (0, 99)
    )
    return Judged(holds(one != other), {"one": one, "other": other, "padding": 99})


def _by_variance(_: Scenario) -> Judged:
    own = scenario({"advantages": [1, 2, 4]})
    wrong = compute(MISTAKES["whiten_by_variance"].on("whiten"), own).exact["whitened"]
    right = _white([1, 2, 4])
    return Judged(holds(_short(wrong) == _short(right)), {"right": _short(right), "wrong": _short(wrong)})


def _returns_centred(_: Scenario) -> Judged:
    returns = _flat(_rows("returns"))
    mean = sum(returns) / len(returns)
    return Judged(holds(_near(mean, 0)), {"mean": round(mean, 4)})


def _undone(_: Scenario) -> Judged:
    given = [1, 2, 4]
    found = alone("whiten", advantages=given)
    back = [float(w) * float(found["std_sample"]) + float(found["mean"]) for w in found["whitened"]]
    return Judged(
        holds(all(_near(a, b) for a, b in zip(given, back, strict=True))),
        {"white": _short(found["whitened"]), "mean": round(float(found["mean"]), 4),
         "std": round(float(found["std_sample"]), 4), "given": given},
    )  # fmt: skip


def _hardly_matters(_: Scenario) -> Judged:
    """By how much the two forms differ, for three tokens and for a thousand."""

    def apart(count: int) -> float:
        given = [float(t % 7) for t in range(count)]
        sample, population = (
            float(statistics.masked_variance(given, [1] * count, sample=kind)) ** 0.5 for kind in (True, False)
        )
        return round(sample / population - 1, 5)

    few, many = apart(3), apart(1000)
    return Judged(holds(many < 0.001 < few), {"few": few, "many": many, "counts": [3, 1000]})


def _level_moves_nothing(_: Scenario) -> Judged:
    given = [0.5, 0.5, 0.5]
    found = alone("surrogate", ratio=[1, 1, 1], advantages=[float(x) for x in _white(given)])["terms"]
    return Judged(holds(not any(found)), {"given": given, "terms": found})


def _epsilon_guards(_: Scenario) -> Judged:
    """With it equal numbers come out as zeros; without it there is nothing to divide by."""
    found = _white([0.5, 0.5])
    spread = statistics.masked_variance([0.5, 0.5], [1, 1])
    return Judged(
        holds(spread == 0 and not any(found)),
        {"epsilon": WHITENING_EPSILON, "variance": spread, "found": _short(found)},
    )


def _gaps_kept(_: Scenario) -> Judged:
    given = [1, 2, 4]
    found = list(map(float, _white(given)))
    before, after = (given[2] - given[1]) / (given[1] - given[0]), (found[2] - found[1]) / (found[1] - found[0])
    return Judged(holds(_near(before, after)), {"given": given, "before": before, "after": round(after, 6)})


def _twice_kept(_: Scenario) -> Judged:
    given = [1, 2, 4]
    found = list(map(float, _white(given)))
    return Judged(holds(_near(found[2], 2 * found[1])), {"given": given, "found": _short(found)})


def _largest_positive(_: Scenario) -> Judged:
    given = [-5, -4, -1]
    found = _white(given)
    return Judged(holds(max(found) > 0), {"given": given, "found": _short(found)})


def _all_bad(_: Scenario) -> Judged:
    given = [-1, -2, -6]
    found = _white(given)
    return Judged(holds(max(found) < 0), {"given": given, "found": _short(found)})


def _running_statistics(_: Scenario) -> Judged:
    """The same batch whitened first, and again after a quite different one."""
    first = _white([1, 2, 4])
    between = _white([100, 300, 500])
    again = _white([1, 2, 4])
    return Judged(holds(first != again), {"first": _short(first), "again": _short(again), "between": _short(between)})


FURTHER: dict[str, Check] = {
    "zero_stays_zero": _zero_stays_zero,
    "whole_batch_sums_to_zero": _batch_sums_to_zero,
    "each_response_sums_to_zero": _each_response_sums_to_zero,
    "changes_what_the_critic_learns": _critic_is_touched,
    "keeps_the_direction_of_the_gradient": _direction_kept,
    "ppo_cannot_do_without": _ppo_needs_it,
    "keeps_updates_of_one_size": _steadies,
    "makes_advantages_normally_distributed": _becomes_normal,
    "decorrelates_tokens": _decorrelates,
    "other_responses_change_mine": _others_change_mine,
    "one_response_is_enough": _one_response,
    "smaller_batches_are_noisier": _smaller_is_noisier,
    "lambda_no_longer_matters": _lambda_gone,
    "kl_penalty_no_longer_matters": _kl_gone,
    "replaces_the_critic": _replaces_critic,
    "padding_still_reaches_the_loss": _padding_reaches_loss,
    "divides_by_the_variance": _by_variance,
    "returns_get_mean_zero": _returns_centred,
    "can_be_undone_with_mean_and_std": _undone,
    "n_or_n_minus_one_hardly_matters_for_many": _hardly_matters,
    "equal_advantages_move_nothing": _level_moves_nothing,
    "epsilon_guards_against_zero": _epsilon_guards,
    "relative_gaps_are_kept": _gaps_kept,
    "twice_as_large_stays_twice": _twice_kept,
    "largest_is_always_positive": _largest_positive,
    "all_bad_stays_all_bad": _all_bad,
    "uses_running_statistics": _running_statistics,
}
