"""Responses drawn from the actor."""

from __future__ import annotations

import torch

from engine.models.branch import run
from engine.models.learners import Learners
from engine.models.progress import Listener, Progress, nobody
from engine.models.rollout import Ids, encode_prompt

LONGEST = 24  # tokens, if the actor does not end before


def sample(learners: Learners, prompt: str, seed: int, longest: int = LONGEST, listener: Listener = nobody) -> Ids:
    """One response, token by token, from the actor's own probabilities; the same for the same seed."""
    tokenizer, device = learners.roles.tokenizer, learners.roles.device
    chance = torch.Generator().manual_seed(seed)
    entering, past = list(encode_prompt(tokenizer, prompt)), None
    drawn: list[int] = []
    while len(drawn) < longest and drawn[-1:] != [tokenizer.eos_token_id]:
        ids = torch.tensor([entering], device=device)
        with torch.no_grad():
            output = run(learners.roles.actor, learners.actor, input_ids=ids, past_key_values=past, use_cache=True)
        chances = output.logits[0, -1].cpu().double().softmax(dim=-1)
        drawn.append(int(torch.multinomial(chances, 1, generator=chance)))
        entering, past = drawn[-1:], output.past_key_values
        listener(Progress("sample", len(drawn), longest))
    return tuple(drawn)
