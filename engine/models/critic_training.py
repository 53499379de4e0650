"""A value head that has been fitted: on right and wrong answers to small sums, so that its values mean something.

Only the head is fitted, a linear function of the trunk's last hidden state, to the response's outcome at every token
(γ = 1): the ridge regression is solved, not approached. The pairs of numbers are split, so no sum that is measured
on was fitted on; the sums of the tutor's own example are among the measured.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from engine import formulas
from engine.models import cache
from engine.models.branch import run
from engine.models.progress import Listener, Progress, nobody
from engine.models.reward import RIGHT, WRONG
from engine.models.roles import Roles, head_weights, seeded_head
from engine.models.rollout import Ids, encode_prompt, encode_response

Form = tuple[str, str]
STATED: tuple[Form, ...] = (
    ("请问{a}+{b}={c}？", "是的，等于{x}！"),
    ("Is {a} + {b} equal to {c}?", "Yes, {a} + {b} equals {x}."),
)
OPEN: tuple[Form, ...] = (("What is {a} + {b}?", "The answer is {x}."), ("请问{a}+{b}等于多少？", "等于{x}。"))
FALSE: tuple[Form, ...] = (("请问{a}+{b}={c}？", "等于{x}！"),)  # here c is the wrong sum
EXAMPLE = (1, 1)  # always held out
FITTED, HELD_OUT = 40, 15  # pairs of digits
SEED = 0
RIDGE = 1e-2  # as a part of each feature's variance
_BATCH = 16
QUALITIES = ("before", "after", "open", "false")
_FILE = "head.json"
HEAD_BYTES = 100_000  # about, and more than it takes


@dataclass(frozen=True, slots=True)
class Quality:
    """How a value head does on answers: the mean squared error over all tokens; how often, of the right and the wrong
    answer to a question, the right one has the higher value at the end; and the mean values where it says most."""

    error: float
    ranked: float
    at_prompt: float
    end_of_right: float
    end_of_wrong: float


@dataclass(frozen=True, slots=True)
class FittedHead:
    """The head, and its quality on held-out sums. `before` is the seeded head's. `open` and `false` are the fitted
    head on questions of forms it was not fitted on, where the sum is not stated, or falsely: there it knows less."""

    weight: tuple[float, ...]
    bias: float
    before: Quality
    after: Quality
    open: Quality
    false: Quality
    seconds: float


@dataclass(frozen=True, slots=True)
class _Answer:
    prompt: str
    response: str
    outcome: float


class _Text(NamedTuple):
    ids: Ids
    prompt_length: int


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """What the trunk says before each token of an answer."""

    features: Float[Tensor, "T H"]
    outcome: float


def fitted_head(roles: Roles, listener: Listener = nobody) -> FittedHead:
    """The fitted head of this model, from the cache or fitted now."""
    return _stored(cache.build(_place(roles), lambda aside: _write(fit(roles, listener), aside), HEAD_BYTES))


def _place(roles: Roles) -> str:
    return f"critic-{_fingerprint(roles)}"


def _stored(home: Path) -> FittedHead:
    stored = json.loads((home / _FILE).read_text())
    qualities = {name: Quality(**stored[name]) for name in QUALITIES}
    return FittedHead(**{**stored, **qualities, "weight": tuple(stored["weight"])})


def fitted_weights(roles: Roles, head: FittedHead) -> dict[str, Tensor]:
    """The fitted head under the names of the critic's weights."""
    return head_weights(roles, torch.tensor([head.weight]), torch.tensor([head.bias]))


def fit(roles: Roles, listener: Listener = nobody) -> FittedHead:
    """Read the answers, solve for the head, measure on held-out ones."""
    start = time.perf_counter()
    fitted_on, held_out = split_pairs()
    groups = [
        _answers(fitted_on, STATED),
        _answers(held_out, STATED),
        _answers(held_out, OPEN),
        _answers(held_out, FALSE, claim_true=False),
    ]
    read = iter(_read(roles, [answer for group in groups for answer in group], listener))
    training, stated, opened, false = ([next(read) for _ in group] for group in groups)
    weight, bias = _solve(training)
    seeded = tuple(seeded_head(roles, SEED).values())
    return FittedHead(
        weight=tuple(weight.tolist()),
        bias=bias.item(),
        before=_quality(stated, seeded[0][0].cpu().double(), torch.zeros(())),
        after=_quality(stated, weight, bias),
        open=_quality(opened, weight, bias),
        false=_quality(false, weight, bias),
        seconds=time.perf_counter() - start,
    )


def split_pairs() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs of digits to fit on, and pairs to measure on."""
    pairs = [(a, b) for a in range(10) for b in range(10) if (a, b) != EXAMPLE]
    random.Random(SEED).shuffle(pairs)
    return pairs[:FITTED], [EXAMPLE, *pairs[FITTED : FITTED + HELD_OUT - 1]]


def _answers(pairs: Sequence[tuple[int, int]], forms: Sequence[Form], *, claim_true: bool = True) -> list[_Answer]:
    """For each pair and form a right answer, then a wrong one; the question states the sum, or the same wrong one."""
    chance, found = random.Random(SEED), []
    for a, b in pairs:
        for prompt, response in forms:
            miss = a + b + chance.choice([d for d in (-3, -2, -1, 1, 2, 3) if a + b + d >= 0])
            asked = prompt.format(a=a, b=b, c=a + b if claim_true else miss)
            for stated, outcome in ((a + b, RIGHT), (miss, WRONG)):
                found.append(_Answer(asked, response.format(a=a, b=b, x=stated), outcome))
    return found


def _read(roles: Roles, answers: Sequence[_Answer], listener: Listener) -> list[_Read]:
    """Run the trunk over all answers; over the words that they all begin with, once."""
    prompts = [encode_prompt(roles.tokenizer, answer.prompt) for answer in answers]
    texts = [
        _Text((*p, *encode_response(roles.tokenizer, a.response)), len(p))
        for p, a in zip(prompts, answers, strict=True)
    ]
    shared = _shared_start([prompt[:-1] for prompt in prompts])
    found: list[Tensor] = []
    for start in range(0, len(texts), _BATCH):
        listener(Progress("train_head", start, len(texts)))
        found += _states(roles, texts[start : start + _BATCH], shared)
    listener(Progress("train_head", len(texts), len(texts)))
    return [_Read(states, answer.outcome) for states, answer in zip(found, answers, strict=True)]


def _shared_start(texts: Sequence[Ids]) -> int:
    """How many tokens all texts begin with in common."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))


def _states(roles: Roles, texts: Sequence[_Text], shared: int) -> list[Float[Tensor, "T H"]]:
    """The trunk's last hidden state at the token before each response token."""
    rows = [torch.tensor(text.ids) for text in texts]
    ids = pad_sequence(rows, batch_first=True).to(roles.device)
    mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True).to(roles.device)
    trunk, past = roles.critic.base_model, None
    with torch.no_grad():
        if shared:
            past = run(trunk, {}, input_ids=ids[:1, :shared], use_cache=True).past_key_values
            past.batch_repeat_interleave(len(texts))
        reading = {"input_ids": ids[:, shared:], "attention_mask": mask, "past_key_values": past}
        output = run(trunk, {}, use_cache=bool(shared), **reading)
    states = output.last_hidden_state.cpu().double()
    return [states[i, text.prompt_length - 1 - shared : len(text.ids) - 1 - shared] for i, text in enumerate(texts)]


def _solve(training: Sequence[_Read]) -> tuple[Float[Tensor, " H"], Float[Tensor, ""]]:
    """The weight and bias with the least squared error, plus a penalty on the weight."""
    x = torch.cat([read.features for read in training])
    y = torch.cat([torch.full((len(read.features),), read.outcome, dtype=x.dtype) for read in training])
    x_mean, y_mean = x.mean(dim=0), y.mean()
    centred = x - x_mean
    moments = centred.T @ centred
    weight = torch.linalg.solve(moments + RIDGE * torch.diag(moments.diagonal()), centred.T @ (y - y_mean))
    return weight, y_mean - x_mean @ weight


def _quality(answers: Sequence[_Read], weight: Float[Tensor, " H"], bias: Float[Tensor, ""]) -> Quality:
    values = [read.features @ weight + bias for read in answers]
    errors = [formulas.squared_error(v, read.outcome) for v, read in zip(values, answers, strict=True)]
    ends = torch.stack([v[-1] for v in values])
    right, wrong = ends[0::2], ends[1::2]
    return Quality(
        error=torch.cat(errors).mean().item(),
        ranked=(right > wrong).double().mean().item(),
        at_prompt=torch.stack([v[0] for v in values]).mean().item(),
        end_of_right=right.mean().item(),
        end_of_wrong=wrong.mean().item(),
    )


def _write(head: FittedHead, aside: Path) -> None:
    (aside / _FILE).write_text(json.dumps(asdict(head)))


def _fingerprint(roles: Roles) -> str:
    """A name for these very weights and this way of fitting."""
    digest = hashlib.sha256(repr((STATED, OPEN, FALSE, FITTED, HELD_OUT, SEED, RIDGE)).encode())
    for weight in roles.actor.parameters():
        digest.update(weight.detach().flatten()[:64].cpu().numpy().tobytes())
    return digest.hexdigest()[:16]
