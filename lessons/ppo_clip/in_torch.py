"""What an optimizer does to clipped tokens, run in torch: where a target KL stops it, and where momentum carries."""

from __future__ import annotations

from math import exp, log

import torch

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

EPS = 0.2
ADVANTAGES, RATE, EPOCHS, TARGET = (1.0, 0.0, -1.0), 0.1, 6, 0.03  # of three tokens, likely alike at first
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
        (-(chances * formulas.ppo_objective(ratios, advantages, EPS, EPS)).sum()).backward()
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


def _carried(optimizer: type[torch.optim.Optimizer], rate: float) -> list[float]:
    """A good token's probability when its slope first is zero, and after further steps."""
    logit = torch.zeros((), dtype=torch.float64, requires_grad=True)
    own, old, found = optimizer([logit], lr=rate), log(0.5), list[float]()  # type: ignore[call-arg]
    while len(found) <= MORE:
        own.zero_grad()
        new = torch.nn.functional.logsigmoid(logit)
        (-formulas.ppo_objective(formulas.ratio(new, old), new.new_tensor(1.0), EPS, EPS)).backward()
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


IN_TORCH: dict[str, Check] = {
    "target_kl_ends_the_updates": _target_kl,
    "momentum_moves_a_clipped_token": _momentum,
}
