"""What stands beside the clip, or in its place, and what the logs count of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, log

import torch

from engine import formulas, losses, statistics
from engine.losses import Clip
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

EPS, FLOOR, GOOD, BAD = Fraction(1, 5), Fraction(3), Fraction(1), Fraction(-1)
STEP = 1e-5
ADVANTAGES, RATE, EPOCHS, TARGET = (1.0, 0.0, -1.0), 0.1, 6, 0.03  # of three tokens, likely alike at first
LOW, BELOW, ABOVE, HUGE = Fraction(1, 2), Fraction(7, 10), Fraction(3, 2), Fraction(5)
LIKELY, RARE = Fraction(9, 10), Fraction(1, 100)
UNUSUAL, USUAL, THRESHOLD = Fraction(1, 100), Fraction(3, 5), 10  # a token's probability before and after; TRL's limit
MORE = 3  # steps, once a token's slope is zero


def _updated(target: float | None) -> list[float]:
    """The KL from the old policy to the policy after every update, on and on or until it is above the target."""
    logits = torch.zeros(len(ADVANTAGES), dtype=torch.float64, requires_grad=True)
    optimizer, kls = torch.optim.Adam([logits], lr=RATE), list[float]()
    advantages = logits.new_tensor(ADVANTAGES)
    old = torch.log_softmax(logits.detach(), 0)
    chances = old.exp()
    while len(kls) < EPOCHS and not (target is not None and kls and kls[-1] > target):
        optimizer.zero_grad()
        ratios = formulas.ratio(torch.log_softmax(logits, 0), old)
        (-(chances * formulas.ppo_objective(ratios, advantages, float(EPS), float(EPS))).sum()).backward()
        optimizer.step()
        kls.append(round(float((chances * formulas.k3(old, torch.log_softmax(logits.detach(), 0))).sum()), 4))
    return kls


def _target_kl(_: Scenario) -> Judged:
    free, stopped = _updated(None), _updated(TARGET)
    return Judged(
        holds(
            max(free) > TARGET and len(stopped) < len(free) and stopped[-1] > TARGET and stopped == free[: len(stopped)]
        ),
        {"target": TARGET, "free": free, "all": len(free), "done": len(stopped), "stopped": stopped[-1]},
    )


def _slopes(ratio: float, advantage: float) -> tuple[float, float]:
    """By the token's log-probability: of PPO's objective, and of CISPO's, where the clipped ratio is a constant."""
    logp, eps = log(ratio), float(EPS)
    held = formulas.clipped_term(ratio, advantage, eps, eps)
    ahead, back = (formulas.ppo_objective(formulas.ratio(logp + h, 0.0), advantage, eps, eps) for h in (STEP, -STEP))
    return round((ahead - back) / (2 * STEP), 4), round((held * (logp + STEP) - held * (logp - STEP)) / (2 * STEP), 4)


def _cispo(_: Scenario) -> Judged:
    good, bad, inside = (_slopes(r, a) for r, a in ((1.5, 1.0), (0.5, -1.0), (1.1, 1.0)))
    return Judged(
        holds(good[0] == bad[0] == 0 and all((good[1], bad[1])) and close(*inside)),
        {"high": 1.5, "low": 0.5, "good": good[1], "bad": bad[1], "ppo": good[0], "ratio": 1.1, "inside": inside[1]},
    )


def _lower(_: Scenario) -> Judged:
    """Bad tokens below the range, inside it and above c; and a good one above c."""
    ratios, advantages = [LOW, Fraction(1), HUGE, HUGE], [BAD, BAD, BAD, GOOD]
    clip, mask = Clip(EPS, EPS, FLOOR), [1] * len(ratios)
    found = losses.floor_fraction(ratios, advantages, mask, clip=clip)
    counted = [formulas.is_floored(r, a, EPS, EPS, FLOOR) for r, a in zip(ratios, advantages, strict=True)]
    return Judged(
        holds(counted == [0, 0, 1, 0]),
        {
            "low": LOW,
            "huge": HUGE,
            "c": FLOOR,
            "found": found,
            "usual": losses.clip_fraction(ratios, advantages, mask, clip=clip),
        },
    )


def _low_and_high(_: Scenario) -> Judged:
    """Four tokens out of range, of either sign on either side: what is counted as low, as high, and what not."""
    tokens = [(BELOW, BAD), (BELOW, GOOD), (ABOVE, GOOD), (ABOVE, BAD)]
    counted = [formulas.is_clipped(ratio, adv, EPS, EPS) for ratio, adv in tokens]
    low, high = (
        formulas.mean(
            sum((c for c, (_, adv) in zip(counted, tokens, strict=True) if adv * sign > 0), Fraction(0)), len(tokens)
        )
        for sign in (-1, 1)
    )
    return Judged(
        holds(counted == [1, 0, 1, 0] and low == high),
        {"below": BELOW, "above": ABOVE, "low": low, "high": high, "outside": counted.count(0) / len(tokens)},
    )


def _entropies(ways: Sequence[Sequence[float]]) -> list[float]:
    return [round(float(losses.entropy(chances)), 4) for chances in ways]


def _never_reached(_: Scenario) -> Judged:
    """How far each may go: to the upper edge, or to certainty."""
    edge = 1 + EPS
    tops = {p: min(edge * p, Fraction(1)) for p in (LIKELY, RARE)}
    clipped = [formulas.is_clipped(1 / p, GOOD, EPS, EPS) for p in (LIKELY, RARE)]
    ways = [(float(p), 1 - float(p)) for p in (LIKELY, RARE)]
    before = _entropies(ways)
    after = _entropies([(1.0,), (float(tops[RARE]), 1 - float(tops[RARE]))])
    falls, rises = before[0] - after[0], after[1] - before[1]
    return Judged(
        holds(clipped == [0, 1] and tops[LIKELY] == 1 and falls > rises > 0),
        {
            "likely": LIKELY,
            "most": round(float(1 / LIKELY), 4),
            "rare": RARE,
            "top": tops[RARE],
            "edge": edge,
            "before": before,
            "after": after,
        },
    )


def _skipped(_: Scenario) -> Judged:
    """Four sampled tokens, one of them unusual: the mean of their ratios, and the mean over what could be sampled."""
    up, down = USUAL / UNUSUAL, (1 - USUAL) / (1 - UNUSUAL)
    expected = UNUSUAL * up + (1 - UNUSUAL) * down
    sampled = statistics.masked_mean([up, down, down, down], [1] * 4)
    return Judged(
        holds(expected == 1 and sampled > THRESHOLD),
        {
            "old": UNUSUAL,
            "new": USUAL,
            "ratio": up,
            "mean": round(float(sampled), 4),
            "threshold": THRESHOLD,
            "expected": expected,
        },
    )


def _carried(optimizer: type[torch.optim.Optimizer], rate: float) -> list[float]:
    """A good token's probability when its slope first is zero, and after further steps."""
    logit = torch.zeros((), dtype=torch.float64, requires_grad=True)
    own, old, found = optimizer([logit], lr=rate), log(0.5), list[float]()  # type: ignore[call-arg]
    while len(found) <= MORE:
        own.zero_grad()
        new = torch.nn.functional.logsigmoid(logit)
        (-formulas.ppo_objective(formulas.ratio(new, old), new.new_tensor(1.0), float(EPS), float(EPS))).backward()
        if logit.grad == 0:
            found.append(round(exp(float(new.detach())), 4))
        own.step()
    return found


def _momentum(_: Scenario) -> Judged:
    adam, plain = _carried(torch.optim.Adam, 0.1), _carried(torch.optim.SGD, 1.0)
    return Judged(
        holds(adam[-1] > adam[0] and plain[-1] == plain[0]),
        {"start": adam[0], "end": adam[-1], "steps": MORE, "plain": plain[0], "still": plain[-1]},
    )


BEYOND: dict[str, Check] = {
    "target_kl_ends_the_updates": _target_kl,
    "cispo_keeps_the_gradient_of_clipped_tokens": _cispo,
    "lower_clip_fraction_counts_dual_clip": _lower,
    "trl_counts_low_and_high_by_the_advantages_sign": _low_and_high,
    "likely_good_tokens_never_reach_the_upper_edge": _never_reached,
    "momentum_moves_a_clipped_token": _momentum,
    "trl_skips_a_mini_batch_by_its_mean_ratio": _skipped,
}
