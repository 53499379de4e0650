"""From scores and log-probabilities [B, T] to token rewards, and from critic outputs to values."""

from __future__ import annotations

import torch
from torch import Tensor

import engine.readings.tensors  # noqa: F401  (the formulas below are read on tensors)
from engine import formulas
from engine.errors import EngineError
from engine.kernels.positions import last_valid, zeroed
from engine.kernels.shapes import alike, one_per_row
from engine.ops import Number
from engine.rewards import Placement, kl_estimator


def kl_penalties(logps: Tensor, ref_logps: Tensor, mask: Tensor, *, kind: str = "k1") -> Tensor:
    return zeroed(kl_estimator(kind)(zeroed(logps, mask), zeroed(ref_logps, mask)), mask)


def token_rewards(scores: Tensor, kl: Tensor, mask: Tensor, *, beta: Number) -> Tensor:
    """score − β·KL at the valid tokens. A masked token has no KL, but keeps a score that was put on it."""
    alike(kl, scores=scores)
    return formulas.token_reward(scores, zeroed(kl, mask), beta)


def place_score(scores: Tensor, mask: Tensor, *, placement: Placement = Placement.LAST_VALID) -> Tensor:
    """Each response's score [B] at one token, 0 at all others."""
    one_per_row(mask, scores=scores)
    position = last_valid(mask)
    if placement is Placement.FIRST_PADDING:
        position = (position + 1).clamp(max=mask.shape[1] - 1)
    matrix = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    return matrix.scatter(1, position.unsqueeze(1), scores.unsqueeze(1))


def critic_values(logits: Tensor, response_length: int) -> Tensor:
    """V before each response token, from the critic's outputs [B, S] over prompt and response.

    V_0 is read at the prompt's last token, V_t at response token t − 1; the output at the last token is not used.
    """
    if not 0 < response_length < logits.shape[1]:
        raise EngineError("no_prompt_token", sequence_length=logits.shape[1], response_length=response_length)
    return logits[:, -response_length - 1 : -1]
