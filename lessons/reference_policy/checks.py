"""What programs show of the reference: trained weights, TRL's procedure, and the prompt that nothing counts."""

from __future__ import annotations

import torch

from engine import formulas
from engine.conventions import TRL, Rollout, Scored, run
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

BASE, DOWN, FEATURES, RATE = ((1.0, 0.5), (0.0, -0.5), (-0.5, 1.0)), ((0.5, 0.25),), (1.0, 2.0), 1.0
REF, LOGP = (list(RUNNING.rows(name)[0]) for name in ("ref_logp", "logp"))


def _kl(p: torch.Tensor, q: torch.Tensor) -> float:
    """From log-probabilities."""
    return round(float((p.exp() * formulas.k1(p, q)).sum()), 4) + 0.0


def _adapted(train_base: bool) -> tuple[float, float, float]:
    """The KL with a fresh adapter, after a step, and how far the model without adapter has moved by then."""
    base, down, features = (torch.tensor(x, dtype=torch.float64) for x in (BASE, DOWN, FEATURES))
    up = torch.zeros(len(BASE), 1, dtype=torch.float64, requires_grad=True)
    base.requires_grad_(train_base)

    def log_probs(*, adapter: bool) -> torch.Tensor:
        return torch.log_softmax((base + up @ down if adapter else base) @ features, 0)

    before, reference = log_probs(adapter=True), log_probs(adapter=False).detach()
    (-before[0]).backward()  # type: ignore[no-untyped-call]
    with torch.no_grad():
        for weights in (up, base):
            if weights.grad is not None:
                weights -= RATE * weights.grad
    after, off = log_probs(adapter=True).detach(), log_probs(adapter=False).detach()
    return _kl(before.detach(), reference), _kl(after, off), _kl(reference, off)


def _lora(_: Scenario) -> Judged:
    start, later, moved = _adapted(train_base=False)
    drifted = _adapted(train_base=True)[2]
    return Judged(
        holds(start == moved == 0 and later > 0 and drifted > 0),
        {"start": start, "later": later, "moved": moved, "drifted": drifted},
    )


def _stays_zero(_: Scenario) -> Judged:
    """A step of the policy gradient: the KL to the model it started from, with a rate of zero, and to itself."""
    start = torch.log_softmax(torch.tensor(FEATURES, dtype=torch.float64), 0)

    def stepped(rate: float) -> torch.Tensor:
        logits = torch.tensor(FEATURES, dtype=torch.float64, requires_grad=True)
        (slopes,) = torch.autograd.grad(formulas.ratio(torch.log_softmax(logits, 0), start)[0], logits)
        return torch.log_softmax(logits.detach() + rate * slopes, 0)

    after, idle = stepped(RATE), stepped(0.0)
    moved, still, itself = _kl(after, start), _kl(idle, start), _kl(after, after)
    return Judged(holds(still == itself == 0 < moved), {"moved": moved, "still": still, "itself": itself})


def _trl_in_reward(_: Scenario) -> Judged:
    """The first token's reward under TRL's convention, for two references."""
    values, mask = [[0.0] * len(REF)], [[1] * len(REF)]

    def reward(ref: list[float]) -> float:
        scored = Scored(scores=[1.0], logps=[LOGP], ref_logps=[ref], beta=0.1)
        return round(float(run(Rollout(scored, values, mask), TRL, gamma=1.0, lam=1.0).rewards[0][0]), 6)

    one, other = reward(REF), reward([x - 1 for x in REF])
    return Judged(holds(one != other), {"one": one, "other": other})


def _covers_the_prompt(_: Scenario) -> Judged:
    prompt = len(RUNNING.prompt or "")
    return Judged(
        holds(len(REF) == prompt + RUNNING.length), {"count": len(REF), "prompt": prompt, "T": RUNNING.length}
    )


CHECKS: dict[str, Check] = {
    "lora_reference_is_the_model_with_the_adapter_off": _lora,
    "kl_that_stays_exactly_zero_shows_no_update": _stays_zero,
    "trl_puts_the_kl_in_the_reward": _trl_in_reward,
    "ref_log_prob_covers_the_prompt": _covers_the_prompt,
}
