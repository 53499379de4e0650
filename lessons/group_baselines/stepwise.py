"""GRPO with a reward for each step, with a KL beside its advantages, and what its own loss is made of."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from engine import formulas, groups, losses, sequences
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._trials import default

STEPS = ((1, 0), (1, 1, 0))  # what each step of two responses was given
TOKENS = ((2, 1), (1, 2, 1))  # how many tokens each step has
SCORES = (1.0, 0.0, 0.0, 1.0)
BETA, LATER = 0.1, (0.5, 1.0)  # the KL at the second token, less and more
FIRST_KL, WIDER, ROUNDING = 0.25, (1, 10), 1e-5
RATIO, KL, CHANCES, BONUS = (1.1, 0.9), 0.25, (0.5, 0.25, 0.25), 0.01


def _short(xs: Sequence[object]) -> list[float]:
    return [round(float(x), 4) + 0.0 for x in xs]  # type: ignore[arg-type]


def _supervised(normalised: Sequence[Sequence[object]]) -> list[list[float]]:
    """The sum from each step on, for every token of the step."""
    sums = [sequences.mc_returns(row, 1) for row in normalised]
    return [
        _short([a for a, tokens in zip(row, counts, strict=True) for _ in range(tokens)])
        for row, counts in zip(sums, TOKENS, strict=True)
    ]


def _process(_: Scenario) -> Judged:
    """All steps of the group standardised together, and each response's apart."""
    flat = groups.grpo([r for row in STEPS for r in row], [0] * sum(map(len, STEPS)))
    together = [flat[: len(STEPS[0])], flat[len(STEPS[0]) :]]
    apart = [groups.grpo(row, [0] * len(row)) for row in STEPS]
    found, alone = _supervised(together), _supervised(apart)
    sums = [round(float(sum(row[t:])), 4) for row in together for t in range(len(row))]
    return Judged(
        holds(found != alone and list(dict.fromkeys(found[0] + found[1])) == list(dict.fromkeys(sums))),
        {
            "first": STEPS[0],
            "second": STEPS[1],
            "normal": _short(together[1]),
            "found": found[1],
            "counts": TOKENS[1],
            "alone": alone[1],
        },
    )


def _nested(_: Scenario) -> Judged:
    """torch.std without a dimension, over a list and over a row of one batch."""
    flat, nested = torch.tensor(SCORES), torch.tensor([list(SCORES)])
    one, other = float(torch.std(flat)), float(torch.std(nested))
    return Judged(
        holds(one == other and flat.shape != nested.shape),
        {"scores": SCORES, "flat": round(one, 4), "nested": round(other, 4)},
    )


def _own_loss(_: Scenario) -> Judged:
    """The loss with an entropy bonus of verl's default size, and of another."""
    advantages = groups.grpo((1, 0), [0, 0])
    terms = [formulas.surrogate_term(r, float(a)) for r, a in zip(RATIO, advantages, strict=True)]
    own = -sum(terms) / len(terms) + BETA * KL
    entropy = float(losses.entropy(CHANCES))
    usual = default("verl 0.9.1", "entropy_coeff")
    loss = {c: round(own - c * entropy, 4) for c in (usual, BONUS)}
    return Judged(
        holds(usual == 0 and loss[usual] == round(own, 4) != loss[BONUS]),
        {"own": round(own, 4), "usual": usual, "bonus": BONUS, "entropy": round(entropy, 4), "larger": loss[BONUS]},
    )


def _taken_off(later: float) -> tuple[float, float]:
    """The number at the first of two tokens, β·KL taken off its advantage, and taken off the rewards behind it."""
    rewards = [formulas.token_reward(score, kl, BETA) for score, kl in ((0, FIRST_KL), (1, later))]
    advantage = float(groups.grpo((1, 0), [0, 0])[0])
    return formulas.token_reward(advantage, FIRST_KL, BETA), float(sequences.mc_returns(rewards, 1)[0])


def _kl_slope(kl: float) -> float:
    """How steep k3 is in the token's own log-prob, at this log-ratio."""
    logp = torch.tensor(kl, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(formulas.k3(logp, torch.zeros_like(logp)), logp)
    return float(slope)


def _after_normalising(_: Scenario) -> Judged:
    """What a later token's KL does to the first one, and what the spread of the scores does to the KL's share."""
    (after, returns), (unmoved, lowered) = map(_taken_off, LATER)
    near, wide = (float(groups.grpo((score, 0), [0, 0])[0]) for score in WIDER)
    own, in_loss = BETA * FIRST_KL, BETA * _kl_slope(FIRST_KL)
    return Judged(
        holds(after == unmoved and returns > lowered and abs(near - wide) < ROUNDING and not close(own, in_loss)),
        {
            "beta": BETA,
            "kl": FIRST_KL,
            "later": LATER,
            "after": _short([after, unmoved]),
            "returns": _short([returns, lowered]),
            "own": round(own, 4),
            "loss": round(in_loss, 4),
        },
    )


STEPWISE: dict[str, Check] = {
    "process_rewards_are_normalised_over_the_group_and_summed_from_the_step_on": _process,
    "std_over_a_nested_list_is_the_same_number": _nested,
    "grpos_own_loss_has_no_entropy_term": _own_loss,
    "kl_taken_off_after_the_group_normalisation_is_another_penalty": _after_normalising,
}
