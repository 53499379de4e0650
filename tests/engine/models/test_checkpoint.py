"""Where the model comes from, and what is said where it cannot come."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.models import cache, checkpoint
from engine.models.progress import Progress

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
