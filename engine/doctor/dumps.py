"""Dumps of training tensors, read piece by piece. Nothing in them is run: no pickle, in no format."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.doctor.given import TEXT
from engine.errors import EngineError

NAMES: Mapping[str, tuple[str, ...]] = {  # list → the names it goes by in dumps
    "rewards": ("rewards", "token_level_rewards"),
    "values": ("values",),
    "advantages": ("advantages",),
    "returns": ("returns",),
    "mask": ("mask", "response_mask", "eos_mask", "action_mask"),
}
NUMBERS = 2**23  # of each list, in a piece
LINES = 1024  # of text, in a piece


@dataclass(frozen=True)
class Piece:
    """A part of a file: rows, a row group, or bytes, as its format has it."""

    path: str
    start: int
    stop: int


def files(path: Path) -> list[Path]:
    """The file, or the dumps in a folder, by name."""
    if path.is_dir():
        found = sorted(x for x in path.rglob("*") if x.suffix in FORMATS and x.is_file())
        if not found:
            raise EngineError("doctor_empty_folder", path=str(path), known=", ".join(FORMATS))
        return found
    if not path.is_file():
        raise EngineError("doctor_no_file", path=str(path))
    if path.suffix not in FORMATS:
        raise EngineError("doctor_format", path=str(path), known=", ".join(FORMATS))
    return [path]


def plan(path: Path) -> list[Piece]:
    """Every piece of a file or a folder; only sizes are read."""
    return [piece for file in files(path) for piece in _reading(file, lambda x: list(FORMATS[x.suffix].pieces(x)))]


def load(piece: Piece) -> dict[str, Tensor]:
    """The lists of a piece by their names here."""
    path = Path(piece.path)
    found: dict[str, Tensor] = _reading(path, lambda x: FORMATS[x.suffix].load(x, piece))
    if not found:
        known = ", ".join(name for names in NAMES.values() for name in names)
        raise EngineError("doctor_no_lists", path=str(path), known=known)
    return found


def _reading(path: Path, read: Callable[[Path], Any]) -> Any:
    try:
        return read(path)
    except EngineError:
        raise
    except ImportError as reason:
        raise EngineError("missing_package", package=reason.name, command=f"pip install {reason.name}") from reason
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, RuntimeError) as reason:
        raise EngineError("doctor_unreadable", path=str(path), reason=type(reason).__name__) from reason
    except Exception as reason:
        if type(reason).__module__.split(".")[0] not in ("safetensors", "safetensors_rust", "pyarrow"):
            raise
        raise EngineError("doctor_unreadable", path=str(path), reason=type(reason).__name__) from reason


def _named(there: Sequence[str]) -> dict[str, str]:
    """List → its name in the dump."""
    found = {name: next((one for one in names if one in there), None) for name, names in NAMES.items()}
    return {name: one for name, one in found.items() if one is not None}


def _rows(path: Path, count: int, width: int) -> Iterator[Piece]:
    size = max(1, NUMBERS // max(width, 1))
    for start in range(0, count, size):
        yield Piece(str(path), start, min(start + size, count))


# ---------------------------------------------------------------- arrays


def _safetensors_pieces(path: Path) -> Iterator[Piece]:
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        for key in list(_named(list(file.keys())).values())[:1]:
            shape = file.get_slice(key).get_shape()
            yield from _rows(path, shape[0], shape[-1])


def _safetensors(path: Path, piece: Piece) -> dict[str, Tensor]:
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        named = _named(list(file.keys()))
        return {name: file.get_slice(key)[piece.start : piece.stop] for name, key in named.items()}


def _npz_pieces(path: Path) -> Iterator[Piece]:
    with np.load(path, allow_pickle=False) as file:
        for key in list(_named(list(file.files)).values())[:1]:
            shape = _array(path, file, key).shape
            yield from _rows(path, shape[0], shape[-1])


def _npz(path: Path, piece: Piece) -> dict[str, Tensor]:
    with np.load(path, allow_pickle=False) as file:
        named = _named(list(file.files))
        return {
            name: torch.from_numpy(np.ascontiguousarray(_array(path, file, key)[piece.start : piece.stop]))
            for name, key in named.items()
        }


def _array(path: Path, file: Any, key: str) -> Any:
    try:
        found = file[key]
    except ValueError as reason:  # numpy would have to unpickle it
        raise EngineError("doctor_pickled", path=str(path), field=key) from reason
    if found.dtype.kind not in "fbiu" or not found.ndim:
        raise EngineError("doctor_pickled", path=str(path), field=key)
    return found


# ---------------------------------------------------------------- rows of lists


def _parquet_pieces(path: Path) -> Iterator[Piece]:
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield Piece(str(path), group, group + 1)


def _parquet(path: Path, piece: Piece) -> dict[str, Tensor]:
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path) as file:
        named = _named(file.schema_arrow.names)
        table = file.read_row_group(piece.start, columns=list(named.values()))
    return _padded(path, {name: table.column(key).to_pylist() for name, key in named.items()})


def _jsonl_pieces(path: Path) -> Iterator[Piece]:
    start = stop = lines = 0
    with path.open("rb") as file:
        for line in file:
            stop += len(line)
            lines += 1
            if lines % LINES == 0:
                yield Piece(str(path), start, stop)
                start = stop
    if stop > start:
        yield Piece(str(path), start, stop)


def _jsonl(path: Path, piece: Piece) -> dict[str, Tensor]:
    with path.open("rb") as file:
        file.seek(piece.start)
        text = file.read(piece.stop - piece.start)
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise EngineError("doctor_lines", path=str(path))
    named = _named(list(rows[0]))
    return _padded(path, {name: [row[key] for row in rows] for name, key in named.items()})


def _padded(path: Path, lists: Mapping[str, list[Any]]) -> dict[str, Tensor]:
    """Rows of one length each; what was added at their end is outside the mask."""
    found: dict[str, Tensor] = {}
    for name, rows in lists.items():
        if not all(isinstance(row, list) and row for row in rows):
            raise EngineError("doctor_ragged", path=str(path), field=name)
        width = max(map(len, rows))
        found[name] = torch.tensor([[*row, *[0.0] * (width - len(row))] for row in rows], dtype=TEXT)
        lengths = torch.tensor([len(row) for row in rows])
        if "mask" not in lists and int(lengths.min()) < width:
            found["mask"] = torch.arange(width) < lengths[:, None]
    return found


@dataclass(frozen=True)
class Format:
    pieces: Callable[[Path], Iterator[Piece]]
    load: Callable[[Path, Piece], dict[str, Tensor]]


FORMATS: Mapping[str, Format] = {
    ".safetensors": Format(_safetensors_pieces, _safetensors),
    ".npz": Format(_npz_pieces, _npz),
    ".parquet": Format(_parquet_pieces, _parquet),
    ".jsonl": Format(_jsonl_pieces, _jsonl),
}
