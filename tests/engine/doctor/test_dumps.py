"""Dumps in four formats give the verdict of their tensors, pieces that of the whole, and nothing is unpickled."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from safetensors.torch import save_file

from engine.conventions import VERL_NEW
from engine.doctor import dumps, on_ray
from engine.doctor.search import Given
from engine.doctor.survey import Found, examined, survey
from engine.errors import EngineError
from tests.engine.doctor import made

FREE = Given(None, None)


@pytest.fixture
def tensors():
    batch = made.rollout(holes=False)
    own = made.followed(batch, VERL_NEW)
    mask = {"response_mask": batch.mask, "token_level_rewards": batch.rewards, "values": batch.values}
    return {**mask, "advantages": own["whitened"], "returns": own["returns"]}


def write(path: Path, tensors) -> Path:
    if path.suffix == ".safetensors":
        save_file({name: x.contiguous() for name, x in tensors.items()}, path)
    elif path.suffix == ".npz":
        np.savez(path, **{name: x.numpy() for name, x in tensors.items()})
    else:
        mask = tensors["response_mask"].bool()
        names = [name for name in tensors if name != "response_mask"]
        rows = [{name: tensors[name][i][mask[i]].tolist() for name in names} for i in range(len(mask))]
        if path.suffix == ".jsonl":
            path.write_text("\n".join(map(json.dumps, rows)))
        else:
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=8)
    return path


@pytest.mark.parametrize("suffix", dumps.FORMATS)
def test_every_format_gives_the_verdict_of_its_tensors(tensors, tmp_path, suffix):
    found = survey(write(tmp_path / f"step{suffix}", tensors), FREE)
    assert found.right and "verl_new" in found.verdict.conventions
    assert (found.verdict.gamma, found.verdict.lam) == (made.GAMMA, made.LAM)
    assert found.verdict.whitening == ("sample",) and found.verdict.tokens == int(tensors["response_mask"].sum())


@pytest.mark.parametrize("suffix", [".safetensors", ".npz", ".jsonl"])
def test_in_pieces_it_is_the_same(tensors, tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(dumps, "NUMBERS", 7 * 40)
    monkeypatch.setattr(dumps, "LINES", 7)
    told = []
    found = survey(write(tmp_path / f"step{suffix}", tensors), FREE, lambda *said: told.append(said[:2]))
    assert found.right and found.verdict.whitening == ("sample",) and "openrlhf" not in found.verdict.conventions
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def folder(tensors, tmp_path, wrong: int | None = None) -> Path:
    for k in range(4):
        part = {name: x[6 * k : 6 * k + 6].clone() for name, x in tensors.items()}
        if k == wrong:
            part["returns"][2, 1] += 1
        write(tmp_path / f"{k}.safetensors", part)
    return tmp_path


def test_the_piece_that_departs_is_named(tensors, tmp_path):
    found = survey(folder(tensors, tmp_path, wrong=2), FREE)
    assert not found.right
    assert [Path(one.piece.path).name for one in found.departing] == ["2.safetensors"]
    assert found.verdict.departures[0].where == "returns[2][1]"


def test_a_verdict_travels_as_text(tensors, tmp_path):
    found = examined(dumps.plan(folder(tensors, tmp_path, wrong=0))[0], FREE)
    assert Found.of(found.text()) == found


class _Trap:
    def __reduce__(self):
        return (os.kill, (os.getpid(), signal.SIGKILL))


def test_nothing_is_unpickled(tmp_path):
    np.savez(tmp_path / "trap.npz", rewards=np.array([_Trap()], dtype=object), values=np.zeros((1, 2)))
    with pytest.raises(EngineError) as error:
        survey(tmp_path / "trap.npz", FREE)
    assert error.value.code == "doctor_pickled"


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.safetensors", b"nothing", "doctor_unreadable"),
        ("a.npz", b"nothing", "doctor_unreadable"),
        ("a.parquet", b"nothing", "doctor_unreadable"),
        ("a.jsonl", b"nothing", "doctor_unreadable"),
        ("a.jsonl", b"[1]\n", "doctor_lines"),
        ("a.jsonl", b'{"rewards": 1}\n', "doctor_ragged"),
        ("a.jsonl", b'{"scores": [1]}\n', "doctor_no_lists"),
        ("a.jsonl", b'{"rewards": [1], "values": [1]}\n', "doctor_nothing_to_check"),
        ("a.pt", b"", "doctor_format"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(tmp_path, name, content, code):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(EngineError) as error:
        survey(tmp_path / name, FREE)
    assert error.value.code == code


def test_a_folder_without_dumps_and_a_path_without_a_file(tmp_path):
    for path, code in ((tmp_path, "doctor_empty_folder"), (tmp_path / "none.npz", "doctor_no_file")):
        with pytest.raises(EngineError) as error:
            survey(path, FREE)
        assert error.value.code == code


def test_half_precision_in_a_file(tensors, tmp_path):
    half = {name: x.bfloat16() if name != "response_mask" else x for name, x in tensors.items()}
    found = survey(write(tmp_path / "step.safetensors", half), Given(made.GAMMA, made.LAM))
    assert found.right and found.verdict.dtype == "bfloat16"


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_on_a_cluster_with_a_worker_that_is_killed(tensors, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", on_ray.ROOT)
    dead = tmp_path / "dead"
    (tmp_path / "dumps").mkdir()
    path = folder(tensors, tmp_path / "dumps", wrong=3)

    def dies_once(piece, rates):
        if piece.path.endswith("2.safetensors") and not dead.exists():
            dead.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return examined(piece, rates)

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        far = survey(path, FREE, mapped=lambda pieces, rates: on_ray.mapped(pieces, rates, dies_once))
    finally:
        ray.shutdown()
    assert dead.exists()
    assert far == survey(path, FREE)
    assert [Path(one.piece.path).name for one in far.departing] == ["3.safetensors"]
