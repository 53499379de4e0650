"""Directories that are either whole or not there: built aside, sealed with checksums, moved into place at once.

A builder holds a lock on its own unfinished directory, which the system releases when the process ends, however it
ends. So the next builder can tell what a killed one left from what a living one is still writing, and nobody waits.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from safetensors import SafetensorError

from engine.errors import EngineError

SEAL = "seal.json"
UNFINISHED = ".unfinished-"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


def root() -> Path:
    """Where converted and trained things are kept: TELESCOPE_CACHE, or the user's cache."""
    named = os.environ.get("TELESCOPE_CACHE")
    try:
        return Path(named) if named else Path.home() / ".cache" / "telescope"
    except RuntimeError as homeless:
        raise EngineError("cache_unwritable", path="~/.cache/telescope", reason=str(homeless)) from homeless


def is_sound(name: str) -> bool:
    """Whether this directory is sealed and every file is, byte for byte, what was sealed; unreadable is unsound."""
    home = root() / name
    try:
        sealed = json.loads((home / SEAL).read_text())
        return bool(sealed == _checksums(home))
    except (OSError, ValueError, RecursionError):
        return False


def build(name: str, write: Callable[[Path], object], size: int = 0) -> Path:
    """The sound directory of this name: the one that stands, or else a new one with what `write` puts in it.

    `size` is about how many bytes that will be: a disk without room for them is refused before the work.
    """
    home = root() / name
    with disk_troubles(home, size):
        if is_sound(name):
            return home
        _make_root()
        _sweep()
        free = shutil.disk_usage(root()).free
        if free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with _unfinished() as aside:
            write(aside)
            (aside / SEAL).write_text(json.dumps(_checksums(aside)))
            _put_in_place(aside, name)
    return home


def _make_root() -> None:
    """Whatever the system has against the directory, the learner can name another."""
    try:
        root().mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        if trouble.errno in _FULL:
            raise
        raise EngineError("cache_unwritable", path=str(root()), reason=trouble.strerror) from trouble


def _checksums(home: Path) -> dict[str, str]:
    """File name → SHA-256, of all but the seal."""
    found = {}
    for path in sorted(home.iterdir()):
        if path.name != SEAL:
            with path.open("rb") as file:
                found[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def _put_in_place(aside: Path, name: str) -> None:
    """One rename. If another process was faster, its directory stays; a broken one is moved away first."""
    home = root() / name
    while not is_sound(name):
        if os.path.lexists(home):
            with suppress(FileNotFoundError):  # another process moved it away
                os.replace(home, Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root())) / name)
        try:
            os.replace(aside, home)
        except OSError as trouble:
            if trouble.errno not in _TAKEN:  # else another process put its own in place just now
                raise


@contextmanager
def _unfinished() -> Iterator[Path]:
    """A new locked directory, gone afterwards unless it was moved into place."""
    aside = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root()))
    while not (held := _lock(aside, fcntl.LOCK_EX)):  # swept before it was locked
        aside = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root()))
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        os.close(held)


def _sweep() -> None:
    """Remove what builders that are gone have left."""
    for left in root().glob(UNFINISHED + "*"):
        with suppress(BlockingIOError):  # its builder lives
            held = _lock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if held:
                shutil.rmtree(left, ignore_errors=True)
                os.close(held)


def _lock(aside: Path, how: int) -> int | None:
    """Lock the directory; None if it is not there any more."""
    try:
        held = os.open(aside, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(held, how)
    except BlockingIOError:
        os.close(held)
        raise
    if aside.exists():
        return held
    os.close(held)
    return None


def first_line(trouble: Exception) -> str:
    """What a library says of a trouble, in one line."""
    return next(iter(str(trouble).strip().splitlines()), "") or type(trouble).__name__


def is_the_disks(trouble: Exception) -> bool:
    return isinstance(trouble, (OSError, SafetensorError)) and _error_number(trouble) in (*_FULL, *_REFUSED)


@contextmanager
def disk_troubles(home: Path, size: int) -> Iterator[None]:
    """What the disk refuses, as errors that can be told to a reader."""
    try:
        yield
    except (OSError, SafetensorError) as trouble:
        number = _error_number(trouble)
        if number in _FULL:
            raise EngineError("disk_full", path=str(home), needed=size) from trouble
        if number in _REFUSED:
            raise EngineError("cache_unwritable", path=str(home), reason=os.strerror(number)) from trouble
        raise


def _error_number(trouble: Exception) -> int:
    """The system's number for it. safetensors gives that in its text only."""
    if isinstance(trouble, OSError):
        return trouble.errno or 0
    told = re.search(r"os error (\d+)", str(trouble))
    return int(told[1]) if told else 0
