"""`python -m engine.models`: the iteration's tables, and the figures in the README."""

from __future__ import annotations

import json
import os
import re

import pytest
import torch

from engine.models import __main__ as command
from engine.models import measure
from engine.models.__main__ import main
from engine.models.measure import BEGIN, CASES, END, README

pytestmark = pytest.mark.model
STEPS = ("vf_loss", "vf_clipfrac", "pg_loss", "pg_clipfrac", "entropy", "approx_kl", "grad_norm")


def test_one_iteration_is_printed(capsys):
    main(["--response", "等于2", "--epochs", "2", "--seeded", "--score", "0.5"])
    printed = capsys.readouterr()
    assert "请问1+1=2？ → 等于2" in printed.out and "iteration 2" in printed.out
    assert "hidden state of" in printed.out and "V_0" in printed.out
    assert all(name in printed.out for name in ("ref_log_prob", "A whitened", "ratio after", *STEPS))
    assert re.search(r"actor 1/\d", printed.err)


def test_the_actor_answers_by_itself_with_the_fitted_critic(capsys):
    main(["--sample", "--seed", "3", "--epochs", "1"])
    first = capsys.readouterr().out
    main(["--sample", "--seed", "3", "--epochs", "1"])
    assert capsys.readouterr().out == first
    assert "held-out" in first


def test_prepare_says_where_the_model_is_and_fits_the_head(capsys, monkeypatch):
    fitted = []
    monkeypatch.setattr(command, "fitted_head", lambda *_: fitted.append(1))
    assert main(["--prepare"]) == 0
    assert (checkpoint := capsys.readouterr().out.strip())
    assert os.path.exists(checkpoint) or "/" in checkpoint
    assert fitted


@pytest.mark.parametrize(("words", "code"), [([], 1), (["--prepare"], 0)])
def test_what_is_missing_is_said_in_a_sentence(capsys, monkeypatch, words, code):
    """Setting up goes on without the model: everything else works."""
    monkeypatch.setenv("TELESCOPE_LM", "/no/such/folder")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert main(words) == code
    told = capsys.readouterr().err
    assert "/no/such/folder" in told and "TELESCOPE_LM" in told and "Traceback" not in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--epochs", "0"], "epochs"),
        (["--gamma", "2"], "gamma"),
        (["--kl", "k9"], "--kl"),
        (["--score", "nan"], "score"),
        (["--response", " "], "response"),
        (["--prompt", "Hello"], "--score"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_sentence(capsys, words, said):
    assert main([*words, "--seeded"]) == 1
    assert said in capsys.readouterr().err


def test_whoever_interrupts_it_sees_no_traceback(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_do", interrupted)
    assert main([]) == 130


def test_a_device_that_is_not_there_is_said(capsys):
    with pytest.raises(SystemExit):
        main(["--device", "no_such_device"])
    assert "no_such_device is not there" in capsys.readouterr().err


def test_a_case_is_measured_in_this_process(capsys):
    main(["--case", "short_last"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["seconds"] > 0 and figures["cpu_seconds"] > 0
    assert 0.5 < figures["peak_gb"] < 24


def test_the_cases_differ_in_what_they_train():
    last, every = (measure._learners(settings).actor for settings in (measure.Settings(), measure.ALL_LAYERS))
    assert set(last) < set(every)


def test_the_readme_holds_every_case():
    measured = README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert all(words in measured for _, words in CASES.values())
    assert f"torch {torch.__version__.split('+')[0]}" in measured


def test_the_table_is_written_between_the_marks(monkeypatch, tmp_path, capsys):
    page = tmp_path / "README.md"
    page.write_text(f"before\n{BEGIN}old\n{END}after\n")
    figures = json.dumps({"seconds": 1.0, "cpu_seconds": 2.0, "peak_gb": 3.0})

    class Done:
        stdout = figures

    monkeypatch.setattr(measure, "README", page)
    monkeypatch.setattr(measure.subprocess, "run", lambda *_, **__: Done())
    command.main(["--measure"])
    written = page.read_text()
    assert written.startswith("before\n") and written.endswith("after\n") and "old" not in written
    assert written.count("1.00") == len(CASES)
    assert written.split(BEGIN)[1].split(END)[0].strip() in capsys.readouterr().out
