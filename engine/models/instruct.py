"""A language model that answers a few turns: greedy, bounded, loaded when it first writes.

On a Space with shared GPUs (the package `spaces` is there) the writing runs where that package says, in a process of
its own: there it ends by itself, and cannot be stopped on the way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from engine.errors import EngineError
from engine.kernels.device import default_device
from engine.models import checkpoint
from engine.models.cache import first_line

Turns: TypeAlias = Sequence[Mapping[str, str]]
SHARED_GPU = "spaces"  # the package of Spaces that lend a GPU for a call
GPU_SECONDS = 30  # that such a call may take


class Draft(NamedTuple):
    """What was written, whether the model came to its own end, and how many tokens it read and wrote."""

    text: str
    finished: bool
    tokens: int


NOTHING = Draft("", finished=False, tokens=0)


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """An instruct model by its place. Nothing is loaded before it writes."""

    location: str

    @property
    def name(self) -> str:
        """owner/name on the hub; a local directory's own name."""
        return Path(self.location).name if Path(self.location).is_dir() else self.location

    def write(
        self, turns: Turns, _schema: object, longest: int, stop: threading.Event, begun: Callable[[], None]
    ) -> Draft:
        """The likeliest reply, token by token: at most `longest` tokens, none after `stop` is set. It is held to no
        schema. `begun` is called with the first word; by a process that cannot say it, before.
        """
        turns = [dict(turn) for turn in turns]
        try:
            if find_spec(SHARED_GPU) is not None:
                begun()
                return NOTHING if stop.is_set() else _on_shared_gpu()(self.location, turns, longest)
            return _reply(*_loaded(self.location), turns, longest, stop, begun)
        except (RuntimeError, MemoryError) as trouble:  # no memory, or a model that cannot run here
            raise EngineError("no_writer", name=self.location, reason=first_line(trouble)) from trouble


def named(place: str) -> LanguageModel:
    """The model of a hub name or a local directory."""
    return LanguageModel(checkpoint.find(place, "no_writer"))


def _written(location: str, turns: Turns, longest: int) -> Draft:
    return _reply(*_loaded(location), turns, longest, threading.Event(), lambda: None)


@lru_cache(maxsize=1)
def _on_shared_gpu() -> Callable[[str, Turns, int], Draft]:
    """The same where a GPU is lent for the call."""
    lent: Callable[[str, Turns, int], Draft] = import_module(SHARED_GPU).GPU(duration=GPU_SECONDS)(_written)
    return lent


if find_spec(SHARED_GPU) is not None:
    _on_shared_gpu()  # such a Space wants to know at its start what will ask for a GPU


@lru_cache(maxsize=1)
def _loaded(location: str) -> tuple[Any, Any]:
    """Tokenizer and model, in the precision they were saved in, on the device of this process."""
    device, transformers = default_device(), checkpoint.library()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(location)
        model = transformers.AutoModelForCausalLM.from_pretrained(location, dtype="auto")
    except Exception as trouble:  # whatever the files of a model that somebody names make the library raise
        raise EngineError("no_writer", name=location, reason=first_line(trouble)) from trouble
    if tokenizer.chat_template is None:
        raise EngineError("unsupported_writer", name=location)
    return tokenizer, model.to(device).requires_grad_(False)


def _reply(
    tokenizer: Any, model: Any, turns: Turns, longest: int, stop: threading.Event, begun: Callable[[], None]
) -> Draft:
    asked = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    asked = asked.to(model.device)
    length = asked["input_ids"].shape[1]
    if stop.is_set() or length + longest > model.config.max_position_embeddings:
        return NOTHING

    def stopped(ids: Tensor, *_: Any, **__: Any) -> Tensor:
        begun()
        return torch.full((len(ids),), stop.is_set(), device=ids.device)

    known = model.generation_config
    ends = known.eos_token_id if isinstance(known.eos_token_id, list) else [known.eos_token_id]
    greedy = checkpoint.library().GenerationConfig(
        do_sample=False, num_beams=1, max_new_tokens=longest, eos_token_id=ends, pad_token_id=ends[0]
    )
    written = model.generate(**asked, generation_config=greedy, stopping_criteria=[stopped])[0, length:].tolist()
    text = tokenizer.decode(written, skip_special_tokens=True).strip()
    return Draft(text, bool(set(written[-1:]) & set(ends)), length + len(written))
