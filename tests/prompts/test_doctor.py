"""What the doctor found, in words: every outcome has them in both languages, and no id reaches the reader."""

from __future__ import annotations

import json
import re

import pytest
import torch
from safetensors.torch import save_file

from engine import doctor
from engine.conventions import CONVENTIONS, OPENRLHF, VERL_NEW
from engine.doctor.recursions import WRONG
from engine.mistakes import MISTAKES
from lessons._lesson import LANGUAGES
from prompts.doctor import DEPARTS, RIGHT, USAGE_ERROR, main, report
from tests.engine.doctor.made import GAMMA, LAM, followed, lists, planted, rollout

IDS = {*MISTAKES, *(convention.name for convention in CONVENTIONS if "_" in convention.name), "other_rates"}
by_language = pytest.mark.parametrize("language", LANGUAGES)


@by_language
def test_every_verdict_has_words_and_no_ids(language):
    batch = rollout(holes=True, garbage=1.0)
    made = [followed(batch, VERL_NEW), followed(batch, OPENRLHF), *(planted(one.name, batch) for one in WRONG)]
    made += [planted(name, batch) for name in ("whiten_by_variance", "whiten_population")]
    for own in made:
        for rates in ({"gamma": GAMMA, "lam": LAM}, {"gamma": 0.5, "lam": 0.5}):
            found = doctor.check(**lists(batch), advantages=own["whitened"], returns=own["returns"], **rates)
            text = report(found, language)
            assert not set(re.findall(r"\w+", text)) & IDS and "{" not in text, text


@by_language
def test_the_first_departure_is_told(language):
    batch = rollout()
    own = planted("bootstrap_forgotten", batch)
    found = doctor.check(**lists(batch), advantages=own["raw"], returns=own["returns"], gamma=GAMMA, lam=LAM)
    text = report(found, language)
    assert str(found.departing) in text and "advantages" in text and "verl 0.9.1" in text


def test_the_command_prints_and_exits_with_what_it_found(tmp_path, capsys):
    batch = rollout()
    own = followed(batch, VERL_NEW)
    tensors = {**lists(batch), "advantages": own["whitened"], "returns": own["returns"].clone()}
    save_file(tensors, tmp_path / "a.safetensors")
    assert main([str(tmp_path / "a.safetensors"), "--json"]) == RIGHT
    assert json.loads(capsys.readouterr().out)["mistakes"] == []
    tensors["returns"] += torch.where(batch.mask.bool(), 1.0, 0.0)
    save_file(tensors, tmp_path / "a.safetensors")
    assert main([str(tmp_path), "--json"]) == DEPARTS
    told = json.loads(capsys.readouterr().out)
    assert told["mistakes"][0]["where"] == "returns[0][0]" and told["departing_pieces"]
    assert main([str(tmp_path / "none.npz"), "--lang", "en"]) == USAGE_ERROR
    assert "Check the path" in capsys.readouterr().err
