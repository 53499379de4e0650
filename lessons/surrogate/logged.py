"""What people meet in code and logs: log-probs stored with a minus, old ones made anew, a loss that will not fall."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log

from engine import formulas, quantities
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import PAIR, TAKEN

START, RATE, STEPS, EPS = 0.5, 0.5, 8, 0.2  # a token with advantage one, and one rollout used for so many steps
CHANCES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))  # of a right answer, batch after batch


def _with_a_minus(_: Scenario) -> Judged:
    """The ratio from the log-probs, and from what is stored with the sign turned, in both orders."""
    old, new = log(0.25), log(0.5)
    old_neg, new_neg = -old, -new
    right, stored, turned = (formulas.ratio(*pair) for pair in ((new, old), (old_neg, new_neg), (new_neg, old_neg)))
    return Judged(
        holds(close(right, stored) and not close(right, turned)),
        {
            "old": exp(old),
            "new": exp(new),
            "old_neg": round(old_neg, 4),
            "new_neg": round(new_neg, 4),
            "stored": round(stored, 6),
            "turned": round(turned, 6),
        },
    )


def _climb(*, recomputed: bool) -> tuple[float, list[float], int]:
    """One token pushed up by the clipped objective: its probability in the end, the ratios, how often the clip acts."""
    logit, ratios, clipped = log(START / (1 - START)), [], 0
    for _ in range(STEPS):
        p = 1 / (1 + exp(-logit))
        ratios.append(p / (p if recomputed else START))
        if formulas.is_clipped(ratios[-1], 1.0, EPS, EPS):
            clipped += 1  # and there is no slope
        else:
            logit += RATE * ratios[-1] * (1 - p)
    return 1 / (1 + exp(-logit)), ratios, clipped


def _old_made_anew(_: Scenario) -> Judged:
    kept, anew = _climb(recomputed=False), _climb(recomputed=True)
    return Judged(
        holds(set(anew[1]) == {1.0} and anew[2] == 0 < kept[2] and anew[0] > kept[0]),
        {
            "start": START,
            "steps": STEPS,
            "kept": round(kept[0], 4),
            "top": round(max(kept[1]), 4),
            "clipped": kept[2],
            "anew": round(anew[0], 4),
            "ratio": anew[1][-1],
        },
    )


def _need_not_fall(_: Scenario) -> Judged:
    """A policy that gets better, the answers of each batch judged against what was expected of it then."""
    mean, lucky, unlucky = [], [], []
    for p in CHANCES:
        right, wrong = (-formulas.surrogate_term(Fraction(1), formulas.advantage(score, p)) for score in (1, 0))
        mean.append(p * right + (1 - p) * wrong)
        lucky.append(right)
        unlucky.append(wrong)
    varies = max(lucky) < 0 < min(unlucky)
    return Judged(
        holds(varies and mean == sorted(mean) and CHANCES[0] < CHANCES[-1]),
        {"earned": list(CHANCES), "mean": mean, "lucky": lucky, "unlucky": unlucky},
    )


def _three_numbers(_: Scenario) -> Judged:
    """With the advantages given: which other lists move the surrogate, and what it is without new log-probs."""
    raw = quantities.facts("surrogate", PAIR).numbers["advantages"]
    flat = {"values": PAIR.rows("values"), "advantages": raw}
    given = TAKEN.merged({name: [x for row in rows for x in row] for name, rows in flat.items()})
    own = quantities.facts("surrogate", given).exact["surrogate"]

    def moves(name: str) -> bool:
        row = [float(x) - 0.5 * t for t, x in enumerate(given.rows(name)[0])]
        return not close(quantities.facts("surrogate", given.merged({name: row})).exact["surrogate"], own)

    read = ("new_logp", "old_logp", "advantages")
    first = quantities.facts("surrogate", given.merged({"new_logp": given.old_logp})).exact["surrogate"]
    mean = sum(given.rows("advantages")[0]) / given.length
    return Judged(
        holds(all(map(moves, read)) and not any(map(moves, ("ref_logp", "values"))) and close(first, mean)),
        {"lists": len(read), "own": own, "first": first},
    )


LOGGED: dict[str, Check] = {
    "negative_log_probs_are_subtracted_the_other_way_round": _with_a_minus,
    "old_log_probs_made_anew_switch_the_clip_off": _old_made_anew,
    "policy_loss_need_not_fall": _need_not_fall,
    "surrogate_takes_three_numbers_for_each_token": _three_numbers,
}
