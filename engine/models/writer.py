"""A language model that writes: the one named in TELESCOPE_WRITER, greedy, bounded, loaded when it first writes."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from engine.errors import EngineError
from engine.kernels.device import default_device
from engine.models import checkpoint
from engine.models.cache import first_line
from engine.models.gate import Gate

VARIABLE = "TELESCOPE_WRITER"
GATE = Gate()  # loading, and writing: two texts at once would need twice the memory
NOT_NOW = ("busy", "stopped")


class Draft(NamedTuple):
    """What was written, and whether the model came to its own end."""

    text: str
    finished: bool


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """An instruct model by its place. Nothing is loaded before it writes."""

    location: str

    @property
    def name(self) -> str:
        """owner/name on the hub; a local directory's own name."""
        return Path(self.location).name if Path(self.location).is_dir() else self.location

    def write(self, prompt: str, longest: int, stop: threading.Event) -> Draft:
        """The likeliest reply, token by token: at most `longest` tokens, none after `stop` is set, and none where
        somebody waits for the writer already."""

        def waits() -> None:
            if stop.is_set():
                raise EngineError("stopped")

        try:
            with GATE.turn(waits):
                return _reply(*_loaded(self.location), prompt, longest, stop)
        except EngineError as refused:
            if refused.code not in NOT_NOW:
                raise
            return Draft("", finished=False)
        except (RuntimeError, MemoryError) as trouble:  # no memory, or a model that cannot run here
            raise EngineError("no_writer", name=self.location, reason=first_line(trouble)) from trouble


def named_writer() -> LanguageModel | None:
    """The writer that TELESCOPE_WRITER names, a hub name or a local directory; None where it names none."""
    named = os.environ.get(VARIABLE)
    return LanguageModel(checkpoint.find(named, "no_writer")) if named else None


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


def _reply(tokenizer: Any, model: Any, prompt: str, longest: int, stop: threading.Event) -> Draft:
    turns = [{"role": "user", "content": prompt}]
    asked = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    asked = asked.to(model.device)
    length = asked["input_ids"].shape[1]
    if stop.is_set() or length + longest > model.config.max_position_embeddings:
        return Draft("", finished=False)

    def stopped(ids: Tensor, *_: Any, **__: Any) -> Tensor:
        return torch.full((len(ids),), stop.is_set(), device=ids.device)

    known = model.generation_config
    ends = known.eos_token_id if isinstance(known.eos_token_id, list) else [known.eos_token_id]
    greedy = checkpoint.library().GenerationConfig(
        do_sample=False, num_beams=1, max_new_tokens=longest, eos_token_id=ends, pad_token_id=ends[0]
    )
    written = model.generate(**asked, generation_config=greedy, stopping_criteria=[stopped])[0, length:].tolist()
    text = tokenizer.decode(written, skip_special_tokens=True).strip()
    return Draft(text, finished=bool(set(written[-1:]) & set(ends)))
