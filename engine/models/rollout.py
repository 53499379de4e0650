"""A rollout: prompts, responses, and what the four roles say about every token of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from engine import formulas
from engine.errors import EngineError
from engine.models.branch import Batch, above, below
from engine.models.learners import Learners
from engine.models.progress import Listener, Progress, nobody
from engine.models.reward import rule_score
from engine.models.tokens import Piece, model_pieces

LARGEST = 256  # places in the rectangle of prompts and responses: what the memory bounds are stated for

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rollout:
    """Everything is aligned with the response tokens, and 0 where response_mask is 0; float64 on the CPU."""

    prompts: tuple[str, ...]
    responses: tuple[str, ...]
    batch: Batch
    prompt_pieces: tuple[tuple[Piece, ...], ...]
    pieces: tuple[tuple[Piece, ...], ...]
    response_mask: Float[Tensor, "B T"]
    old_log_probs: Float[Tensor, "B T"]
    ref_log_prob: Float[Tensor, "B T"]
    critic_output: Float[Tensor, "B S"]  # at every token of prompt and response
    values: Float[Tensor, "B T"]
    scores: Float[Tensor, "B T"]
    entropies: Float[Tensor, "B T"]


def encode_prompt(tokenizer: Any, prompt: str) -> Ids:
    """The prompt as the model is asked: in its chat format if it has one."""
    if not prompt.strip():
        raise EngineError("empty_text", field="prompt")
    if tokenizer.chat_template is None:
        return tuple(tokenizer.encode(prompt))
    turns = [{"role": "user", "content": prompt}]
    return tuple(tokenizer.apply_chat_template(turns, add_generation_prompt=True)["input_ids"])


def encode_response(tokenizer: Any, response: str) -> Ids:
    """A response that a learner wrote, ended as the model would end it."""
    if not response.strip():
        raise EngineError("empty_text", field="response")
    ids = tuple(tokenizer.encode(response, add_special_tokens=False))
    return ids if ids[-1] == tokenizer.eos_token_id else (*ids, tokenizer.eos_token_id)


def value_slice(critic_output: Float[Tensor, "B S"], length: int) -> Float[Tensor, "B T"]:
    """V before each response token: the critic's outputs at the last prompt token and at all but the last response
    token, as verl slices them."""
    return critic_output[:, -length - 1 : -1]


class Place(NamedTuple):
    """One position of the critic's output: the token whose hidden state it is read from, and which V it is, if any."""

    position: int
    token: str
    output: float
    value: int | None


def places(rollout: Rollout, row: int = 0) -> tuple[Place, ...]:
    """Where a response's values are read, from the prompt's last token to the response's last, which gives none."""
    outputs, asked, answered = rollout.critic_output[row].tolist(), rollout.prompt_pieces[row], rollout.pieces[row]
    start = len(outputs) - rollout.values.shape[1]
    seen = [asked[-1], *answered]
    return tuple(
        Place(start - 1 + t, piece.label, outputs[start - 1 + t], t if t < len(answered) else None)
        for t, piece in enumerate(seen)
    )


def token_log_probs(logits: Float[Tensor, "B T V"], taken: Int[Tensor, "B T"]) -> Float[Tensor, "B T"]:
    """The log-probability of each token taken, in float64 on the CPU."""
    return logits.log_softmax(dim=-1).gather(-1, taken[..., None])[..., 0].cpu().double()


def token_entropies(logits: Float[Tensor, "B T V"]) -> Float[Tensor, "B T"]:
    """The entropy of each distribution. The least positive number stands for a probability that is 0 in float32."""
    p = logits.softmax(dim=-1).clamp_min(torch.finfo(logits.dtype).tiny)
    return formulas.entropy_term(p).sum(dim=-1).cpu().double()


def response_logits(
    learners: Learners, weights: dict[str, Tensor], batch: Batch, hidden: Tensor | None, length: int
) -> Float[Tensor, "B T V"]:
    """The actor's logits for every response token, read at the token before it."""
    kept = above(learners.roles.actor, weights, batch, hidden, learners.cut, logits_to_keep=length + 1)
    return kept[:, :-1]


def critic_outputs(learners: Learners, batch: Batch, hidden: Tensor | None) -> Float[Tensor, "B S"]:
    output = above(learners.roles.critic, learners.critic, batch, hidden, learners.cut)
    return output[..., 0].cpu().double()


def collect(
    learners: Learners,
    prompts: Sequence[str],
    responses: Sequence[Ids],
    scores: Sequence[float] | None = None,
    listener: Listener = nobody,
) -> Rollout:
    """Let all four roles read the responses. Scores that are not given are the rule's."""
    tokenizer = learners.roles.tokenizer
    texts = tuple(tokenizer.decode(ids, skip_special_tokens=True) for ids in responses)
    if scores is None:
        scores = [rule_score(prompt, text) for prompt, text in zip(prompts, texts, strict=True)]
    asked = [encode_prompt(tokenizer, prompt) for prompt in prompts]
    length = max(map(len, responses))
    batch = _rectangle(learners, asked, responses)
    mask = batch.attention_mask[:, -length:].cpu().double()
    taken = batch.ids[:, -length:]

    listener(Progress("rollout", 0, 3))
    hidden = below(learners.roles.actor, batch, learners.cut)
    with torch.no_grad():
        logits = response_logits(learners, learners.actor, batch, hidden, length)
        old_log_probs, entropies = token_log_probs(logits, taken), token_entropies(logits)
        listener(Progress("rollout", 1, 3))
        ref_log_prob = token_log_probs(response_logits(learners, {}, batch, hidden, length), taken)
        listener(Progress("rollout", 2, 3))
        critic_output = critic_outputs(learners, batch, hidden)
    listener(Progress("rollout", 3, 3))
    return Rollout(
        prompts=tuple(prompts),
        responses=texts,
        batch=batch,
        prompt_pieces=tuple(model_pieces(tokenizer, ids) for ids in asked),
        pieces=tuple(model_pieces(tokenizer, ids) for ids in responses),
        response_mask=mask,
        old_log_probs=old_log_probs * mask,
        ref_log_prob=ref_log_prob * mask,
        critic_output=critic_output,
        values=value_slice(critic_output, length) * mask,
        scores=_at_last_token(torch.tensor(scores, dtype=torch.float64), mask),
        entropies=entropies * mask,
    )


def _rectangle(learners: Learners, prompts: Sequence[Ids], responses: Sequence[Ids]) -> Batch:
    tokenizer = learners.roles.tokenizer
    pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
    before, after = max(map(len, prompts)), max(map(len, responses))
    places = len(prompts) * (before + after)
    if places > LARGEST:
        raise EngineError("text_too_long", places=places, limit=LARGEST)
    ids, mask = [], []
    for prompt, response in zip(prompts, responses, strict=True):
        left, right = before - len(prompt), after - len(response)
        ids.append([pad] * left + [*prompt, *response] + [pad] * right)
        mask.append([0] * left + [1] * (len(prompt) + len(response)) + [0] * right)
    device = learners.roles.device
    return Batch(torch.tensor(ids, device=device), torch.tensor(mask, device=device))


def _at_last_token(score: Float[Tensor, " B"], mask: Float[Tensor, "B T"]) -> Float[Tensor, "B T"]:
    """Each response's score at its last valid token, 0 before and after."""
    last = mask.sum(dim=1).long() - 1
    return torch.zeros_like(mask).scatter(1, last[:, None], score[:, None])
