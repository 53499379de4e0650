"""Where the model comes from, and what is said where it cannot come."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from safetensors import SafetensorError

from engine.errors import EngineError
from engine.models import cache, checkpoint
from engine.models.progress import Progress
from tests.engine.models import tiny

pytestmark = pytest.mark.model


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no hub."""
    monkeypatch.setenv("TELESCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.delenv("TELESCOPE_LM", raising=False)
    return tmp_path


def test_without_package_and_hub_there_is_no_model(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PACKAGE", "no_such_package")
    with pytest.raises(EngineError) as found:
        checkpoint.locate()
    assert found.value.code == "no_model"
    assert found.value.details["name"] == checkpoint.HUB_NAME
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("name", ["nobody/nothing", "/no/such/folder"])
@pytest.mark.usefixtures("empty")
def test_a_named_model_that_is_not_there(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TELESCOPE_LM", name)
    with pytest.raises(EngineError, match="no_model") as found:
        checkpoint.locate()
    assert found.value.details["name"] == name


def test_a_named_folder_is_taken_as_it_is(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELESCOPE_LM", str(empty))
    assert checkpoint.locate() == str(empty)
    with pytest.raises(EngineError, match="no_model"):
        checkpoint.load(str(empty))


def test_a_missing_converter_is_named(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "CONVERTERS", ("no_such_package",))
    with pytest.raises(EngineError) as found:
        checkpoint.locate()
    assert found.value.code == "missing_package"
    assert found.value.details["package"] == "no_such_package"
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("package", ["transformers"])
def test_a_missing_library_is_named(empty: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    real = checkpoint.find_spec
    monkeypatch.setattr(checkpoint, "find_spec", lambda name: None if name == package else real(name))
    for looks in (checkpoint.locate, lambda: checkpoint.load(str(empty))):
        with pytest.raises(EngineError) as found:
            looks()
        assert found.value.code == "missing_package" and found.value.details["package"] == package


def test_a_damaged_package_is_said(empty: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory) -> None:
    source = tmp_path_factory.mktemp("package")
    (source / checkpoint.GGUF).write_bytes(b"GGUF" + b"\0" * 100)
    monkeypatch.setattr(checkpoint, "_package", lambda: source)
    with pytest.raises(EngineError) as found:
        checkpoint.locate()
    assert found.value.code == "no_model" and found.value.details["reason"]
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize(
    "files",
    [
        {"config.json": b"{"},
        {"config.json": b"{}"},
        {"config.json": b'{"model_type": "llama"}', "model.safetensors": b"not this"},
        {"config.json": b'{"model_type": "llama"}', "tokenizer.json": b"{}"},
    ],
)
def test_a_damaged_model_that_is_named_is_said(empty: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (empty / name).write_bytes(content)
    with pytest.raises(EngineError) as found:
        checkpoint.load(str(empty))
    assert found.value.code == "no_model" and found.value.details["reason"]


@pytest.mark.usefixtures("empty")
def test_damage_is_repaired_at_the_next_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a conversion that is quick; what it writes is beside the point."""
    told: list[Progress] = []

    def convert(_source: Path, aside: Path, listener) -> None:
        listener(Progress("convert", 0, 1))
        (aside / "model.safetensors").write_bytes(b"weights")

    monkeypatch.setattr(checkpoint, "_convert", convert)
    monkeypatch.setattr(checkpoint, "CONVERTED_BYTES", 0)
    home = Path(checkpoint.locate(told.append))
    (home / "model.safetensors").write_bytes(b"weighTs")
    checkpoint._CHECKED.clear()  # as in a new process
    assert checkpoint.locate(told.append) == str(home)
    assert (home / "model.safetensors").read_bytes() == b"weights"
    checkpoint._CHECKED.clear()
    checkpoint.locate(told.append)
    assert len(told) == 2


@pytest.mark.usefixtures("empty")
def test_in_one_process_it_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def build(name: str, *_: object) -> Path:
        looked.append(name)
        return cache.root() / name

    monkeypatch.setattr(cache, "build", build)
    assert checkpoint.locate() == checkpoint.locate() == str(cache.root() / checkpoint.CONVERTED)
    assert looked == [checkpoint.CONVERTED]


def test_what_was_converted_is_used_when_the_package_is_gone(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.build(checkpoint.CONVERTED, lambda aside: (aside / "model.safetensors").write_bytes(b"weights"))
    monkeypatch.setattr(checkpoint, "PACKAGE", "no_such_package")
    assert checkpoint.locate() == str(empty / checkpoint.CONVERTED)


def test_a_package_without_the_weights_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PACKAGE", "engine")
    assert checkpoint._package() is None


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full"),
        (SafetensorError("I/O error: No space left on device (os error 28)"), "disk_full"),
        (EngineError("stopped"), "stopped"),  # whoever listens has had enough
        (ValueError("damaged"), "no_model"),
    ],
)
def test_what_ends_a_conversion_is_said(empty: Path, monkeypatch: pytest.MonkeyPatch, trouble, code: str) -> None:
    def fail(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(checkpoint, "CONVERTED_BYTES", 0)
    monkeypatch.setattr(checkpoint, "_package", lambda: empty)
    monkeypatch.setattr(checkpoint, "_write_converted", fail)
    with pytest.raises(EngineError) as found:
        checkpoint.locate()
    assert found.value.code == code
    assert list(empty.iterdir()) == []


@pytest.mark.usefixtures("empty")
def test_a_conversion_writes_what_can_be_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path_factory) -> None:
    """From a package of a model made here, which the library reads as it is: the format is the library's affair."""
    source, told = tiny.saved(tmp_path_factory.mktemp("package")), []
    transformers = checkpoint.library()

    def read(real, place, *, gguf_file, **options):
        assert gguf_file == checkpoint.GGUF
        options.pop("quantization_config", None)
        return real(place, **options)

    for part in ("AutoModelForCausalLM", "AutoTokenizer"):
        real = getattr(transformers, part).from_pretrained
        converting = SimpleNamespace(from_pretrained=partial(read, real))
        monkeypatch.setattr(transformers, part, converting)
    monkeypatch.setattr(checkpoint, "CONVERTED_BYTES", 0)
    monkeypatch.setattr(checkpoint, "_package", lambda: source)
    place = checkpoint.locate(told.append)
    assert [p.done for p in told] == [0, 1, 2]
    monkeypatch.undo()
    found = checkpoint.load(place)
    assert found.actor.config.vocab_size == len(found.tokenizer) and found.critic.config.num_labels == 1
    assert not found.actor.training and not any(weight.requires_grad for weight in found.critic.parameters())


@pytest.mark.parametrize("stored", [True, False])
def test_a_name_on_the_hub_is_taken_where_it_or_its_local_store_has_it(
    empty: Path, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    asked: list[str] = []
    monkeypatch.setenv("TELESCOPE_LM", "somebody/something")
    monkeypatch.setattr(
        "huggingface_hub.try_to_load_from_cache", lambda *_: str(empty / "config.json") if stored else None
    )
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda _api, name, **_: asked.append(name))
    assert checkpoint.locate() == "somebody/something"
    assert asked == ([] if stored else ["somebody/something"])


@pytest.mark.usefixtures("empty")
def test_a_disk_that_refuses_to_be_read_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(checkpoint.library().AutoTokenizer, "from_pretrained", refused)
    with pytest.raises(EngineError, match="cache_unwritable"):
        checkpoint.load(str(tmp_path))


def test_a_killed_conversion_leaves_no_model(empty: Path) -> None:
    converting = subprocess.Popen(
        [sys.executable, "-m", "engine.models", "--prepare"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    while not list(empty.glob(cache.UNFINISHED + "*")):
        time.sleep(0.05)
    os.kill(converting.pid, signal.SIGKILL)
    converting.communicate()
    assert not cache.is_sound(checkpoint.CONVERTED)
    cache.build("next", Path.exists)
    assert [path.name for path in empty.iterdir()] == ["next"]


def test_importing_the_models_loads_none() -> None:
    code = "import sys, engine.models; sys.exit('transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
