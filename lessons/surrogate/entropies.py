"""What a step does to the entropy: the policy gradient's own doing, and the bonus that is taken off the loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from engine import formulas, losses
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

LOGITS, RATE, COEFFICIENT = (2.0, 0.0, 0.0), 0.5, 1.0


def _entropy(chances: Sequence[torch.Tensor]) -> torch.Tensor:
    found = losses.entropy(chances)
    assert isinstance(found, torch.Tensor)
    return found


def _after(loss: Callable[[Sequence[torch.Tensor]], torch.Tensor] | None = None) -> tuple[list[float], float]:
    """The probabilities after a step down this loss, or before any, and their entropy."""
    logits = torch.tensor(LOGITS, dtype=torch.float64, requires_grad=True)
    stepped = logits.detach()
    if loss is not None:
        (slopes,) = torch.autograd.grad(loss(torch.softmax(logits, 0).unbind()), logits)
        stepped = stepped - RATE * slopes
    chances = torch.softmax(stepped, 0)
    return [round(p, 4) for p in chances.tolist()], round(float(_entropy(chances.unbind())), 4)


def _pushed(token: int) -> Callable[[Sequence[torch.Tensor]], torch.Tensor]:
    """The loss of a token of advantage one, before the first update."""
    return lambda chances: -formulas.surrogate_term(chances[token] / chances[token].detach(), 1.0)


def _by_itself(_: Scenario) -> Judged:
    (before, start), (_likely, lower), (_rare, higher) = _after(), _after(_pushed(0)), _after(_pushed(1))
    return Judged(holds(lower < start < higher), {"before": before, "start": start, "lower": lower, "higher": higher})


def _bonus(_: Scenario) -> Judged:
    start = _after()[1]
    taken = _after(lambda chances: -COEFFICIENT * _entropy(chances))[1]
    added = _after(lambda chances: COEFFICIENT * _entropy(chances))[1]
    return Judged(holds(added < start < taken), {"start": start, "taken": taken, "added": added})


ENTROPIES: dict[str, Check] = {
    "policy_gradient_lowers_the_entropy_by_itself": _by_itself,
    "entropy_bonus_is_subtracted_from_the_loss": _bonus,
}
