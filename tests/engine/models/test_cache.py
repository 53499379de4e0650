"""Cache directories are whole or not there, whatever happens to those who build them."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from safetensors import SafetensorError

from engine.errors import EngineError
from engine.models import cache


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TELESCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _write(aside: Path) -> None:
    (aside / "numbers").write_bytes(b"1 2 3")


def _never(_aside: Path) -> None:
    raise AssertionError("built again")


def _python(code: str) -> subprocess.Popen[str]:
    code = f"from engine.models import cache\nfrom pathlib import Path\nimport time\n{code}"
    return subprocess.Popen([sys.executable, "-c", code], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _entries(home: Path) -> list[str]:
    return sorted(path.name for path in home.iterdir())


def test_a_sound_directory_is_built_once(home: Path) -> None:
    assert not cache.is_sound("x")
    assert cache.build("x", _write) == cache.build("x", _never) == home / "x"
    assert cache.is_sound("x")
    assert _entries(home) == ["x"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda x: (x / "numbers").write_bytes(b"1 2 4"),
        lambda x: (x / "numbers").write_bytes(b"1 2"),
        lambda x: (x / "numbers").unlink(),
        lambda x: (x / "more").write_bytes(b""),
        lambda x: (x / cache.SEAL).unlink(),
        lambda x: (x / cache.SEAL).write_bytes(b"{"),
        lambda x: (x / cache.SEAL).write_bytes(b"\xff"),
        lambda x: (x / cache.SEAL).write_bytes(b"[" * 100_000),
        lambda x: (x / cache.SEAL).write_bytes(b"null"),
        lambda x: ((x / cache.SEAL).unlink(), (x / cache.SEAL).mkdir()),
        lambda x: (x / "folder").mkdir(),
        lambda x: ((x / "numbers").unlink(), (x / "numbers").symlink_to("nowhere")),
    ],
)
def test_damage_is_seen_and_repaired(home: Path, damage) -> None:
    damage(cache.build("x", _write))
    assert not cache.is_sound("x")
    cache.build("x", _write)
    assert cache.is_sound("x")
    cache.build("y", _write)  # the next builder removes what was moved away
    assert _entries(home) == ["x", "y"]


def test_a_failing_builder_leaves_nothing(home: Path) -> None:
    def fail(aside: Path) -> None:
        _write(aside)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cache.build("x", fail)
    assert _entries(home) == []


def test_a_killed_builder_leaves_nothing_that_counts(home: Path) -> None:
    builder = _python(
        "def slow(aside):\n (aside / 'numbers').write_bytes(b'1')\n print('half', flush=True)\n time.sleep(60)\n"
        "cache.build('x', slow)"
    )
    assert builder.stdout is not None
    assert builder.stdout.readline() == "half\n"
    (left,) = _entries(home)
    assert left.startswith(cache.UNFINISHED)
    cache.build("other", _write)
    assert left in _entries(home)  # while it lives, nobody touches it
    os.kill(builder.pid, signal.SIGKILL)
    builder.communicate()
    assert not cache.is_sound("x")
    cache.build("x", _write)
    assert _entries(home) == ["other", "x"]


def test_processes_that_build_at_once_agree(home: Path) -> None:
    code = (
        "import os\ndef slow(aside):\n"
        " (aside / 'numbers').write_bytes(b'1 2 3')\n"
        f" here = Path({str(home.parent)!r})\n"
        " (here / f'ready-{os.getpid()}').touch()\n"
        " while len(list(here.glob('ready-*'))) < 3: time.sleep(0.01)\n"
        "cache.build('x', slow)"
    )
    builders = [_python(code) for _ in range(3)]
    assert [builder.communicate()[1] for builder in builders] == [""] * 3
    assert cache.is_sound("x")
    assert _entries(home) == ["x"]


def _code(number: int, message: str = "") -> str:
    def fail(_aside: Path) -> None:
        raise OSError(number, message)

    with pytest.raises(EngineError) as found:
        cache.build("x", fail)
    assert "path" in found.value.details
    return found.value.code


def test_what_the_disk_refuses_has_a_code() -> None:
    assert _code(errno.ENOSPC) == _code(errno.EDQUOT) == _code(errno.EFBIG) == "disk_full"
    assert _code(errno.EACCES) == _code(errno.EROFS) == "cache_unwritable"
    with pytest.raises(OSError, match="Input/output"):
        _code(errno.EIO, "Input/output")  # not the disk's refusal: not dressed as one


def test_too_little_room_is_refused_before_the_work() -> None:
    with pytest.raises(EngineError, match="disk_full"):
        cache.build("x", _never, size=10**18)


def test_a_cache_that_is_a_file_is_refused(home: Path) -> None:
    home.write_text("not a folder")
    with pytest.raises(EngineError, match="cache_unwritable"):
        cache.build("x", _write)


def test_a_directory_that_is_a_file_is_repaired(home: Path) -> None:
    home.mkdir()
    (home / "x").write_text("a file")
    assert not cache.is_sound("x")
    cache.build("x", _write)
    assert cache.is_sound("x")


@pytest.mark.parametrize("place", ["/proc/nowhere/cache", "/dev/null/cache", "/tmp/" + "x" * 300])
def test_a_cache_that_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setenv("TELESCOPE_CACHE", place)
    assert not cache.is_sound("x")
    with pytest.raises(EngineError) as found:
        cache.build("x", _write)
    assert found.value.code == "cache_unwritable"
    assert found.value.details["reason"]


def test_without_a_home_the_cache_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TELESCOPE_CACHE")
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(EngineError, match="cache_unwritable"):
        cache.build("x", _write)


def test_a_full_disk_under_safetensors(home: Path) -> None:
    builder = _python(
        "import resource, torch\nfrom safetensors.torch import save_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10**5, 10**5))\n"
        "cache.build('x', lambda aside: save_file({'a': torch.zeros(10**5)}, aside / 'a.safetensors'))"
    )
    assert "EngineError: disk_full" in builder.communicate()[1]
    assert _entries(home) == []
    cache.build("x", _write)
    assert cache.is_sound("x")


# ---------------------------------------------------------------- what other processes do at the worst moment


def _once(real, before):
    """`real`, with something that another process does just before its first call."""
    calls: list[int] = []

    def called(*given, **options):
        if not calls:
            calls.append(1)
            before(*given)
        return real(*given, **options)

    return called


def test_who_was_faster_keeps_its_directory(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faster(*_: object) -> None:
        (home / "x").mkdir()
        (home / "x" / "numbers").write_bytes(b"theirs")
        (home / "x" / cache.SEAL).write_text(json.dumps(cache._checksums(home / "x")))

    monkeypatch.setattr(cache.os, "replace", _once(os.replace, faster))
    assert (cache.build("x", _write) / "numbers").read_bytes() == b"theirs"
    assert _entries(home) == ["x"]


def test_a_broken_directory_that_somebody_moves_away_first_is_no_trouble(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "x").mkdir(parents=True)
    monkeypatch.setattr(cache.os, "replace", _once(os.replace, lambda broken, _: Path(broken).rmdir()))
    assert (cache.build("x", _write) / "numbers").read_bytes() == b"1 2 3"


def test_what_else_the_disk_has_against_the_move_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(cache.os, "replace", refuse)
    with pytest.raises(EngineError, match="cache_unwritable"):
        cache.build("x", _write)
    assert _entries(home) == []


@pytest.mark.parametrize("moment", ["before it is opened", "before it is locked"])
def test_a_directory_that_was_swept_before_it_was_locked_is_made_again(
    home: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def sweep(*_: object) -> None:
        (made,) = home.iterdir()
        made.rmdir()

    if moment == "before it is opened":
        monkeypatch.setattr(cache.os, "open", _once(os.open, sweep))
    else:
        monkeypatch.setattr(cache.fcntl, "flock", _once(fcntl.flock, sweep))
    cache.build("x", _write)
    assert cache.is_sound("x") and _entries(home) == ["x"]


def test_what_another_sweeper_was_faster_to_remove_is_no_trouble(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = home / f"{cache.UNFINISHED}left"
    left.mkdir(parents=True)
    monkeypatch.setattr(cache.os, "open", _once(os.open, lambda *_: left.rmdir()))
    cache.build("x", _write)
    assert cache.is_sound("x") and _entries(home) == ["x"]


def test_a_disk_too_full_for_a_directory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(EngineError, match="disk_full"):
        cache.build("x", _never)


@pytest.mark.parametrize(
    ("trouble", "disks"),
    [
        (SafetensorError("I/O error: No space left on device (os error 28)"), True),
        (SafetensorError("Error while deserializing header: header too small"), False),
        (OSError(errno.EROFS, "Read-only file system"), True),
        (OSError("no number"), False),
        (ValueError("os error 28"), False),
    ],
)
def test_the_disks_troubles_are_told_from_others(trouble: Exception, disks: bool) -> None:
    assert cache.is_the_disks(trouble) is disks

    def fail(_aside: Path) -> None:
        raise trouble

    with pytest.raises(EngineError if disks else type(trouble)):
        cache.build("x", fail)


def test_a_trouble_is_told_in_one_line() -> None:
    assert cache.first_line(ValueError("\nfirst\nsecond\n")) == "first"
    assert cache.first_line(MemoryError()) == "MemoryError"
