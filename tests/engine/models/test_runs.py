"""Runs on request: kept, one at a time, ended when nobody listens, and repeated after a failure."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.models import critic_training, runs
from engine.models.learners import ALL_LAYERS, Settings
from engine.models.observed import Observed
from engine.models.progress import Progress, nobody, until
from engine.models.runs import observed
from engine.models.trial import EPOCHS, Trial
from engine.scenario import scenario


@pytest.fixture(autouse=True)
def fresh():
    runs._kept.clear()
    yield
    runs._kept.clear()


@pytest.fixture
def no_model(monkeypatch):
    monkeypatch.setenv("TELESCOPE_LM", "/no/such/folder")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def code(found: object) -> str:
    assert isinstance(found, EngineError)
    return found.code


@pytest.mark.usefixtures("no_model")
def test_no_model_is_a_value():
    assert code(observed(RUNNING)) == "no_model"


def _made() -> Observed:
    """An iteration that nobody ran."""
    return Observed("", "", True, Trial(), Settings(), (), ())


def test_the_last_runs_are_kept_and_no_more(monkeypatch):
    ran = []
    monkeypatch.setattr(runs, "run", lambda _asked, trial, _listener: ran.append(trial.seed) or _made())
    seeds = range(runs.KEPT + 1)
    for seed in (*seeds, *seeds[1:]):
        observed(RUNNING, Trial(seed=seed))
    assert ran == [*seeds]
    observed(RUNNING, Trial(seed=0))
    assert ran == [*seeds, 0]


def test_a_text_of_ones_own_is_scored_as_it_was_stated(monkeypatch):
    """The learner's scores stand; no rule could score this prompt."""
    given = []
    monkeypatch.setattr(runs, "run", lambda asked, trial, _listener: given.append((asked, trial)) or _made())
    own = scenario({"prompt": "Tell me a joke.", "tokens": ["No", "."], "scores": [0, 0.25], "gamma": 0.5})
    observed(own)
    observed(own, Trial(score=1.0))
    assert [(asked.prompt, asked.gamma, trial.score) for asked, trial in given] == [
        ("Tell me a joke.", 0.5, 0.25),
        ("Tell me a joke.", 0.5, 1.0),
    ]


def test_a_failure_is_not_kept(monkeypatch):
    failing = [EngineError("disk_full", path="x", needed=1)]
    made = _made()

    def run(*_):
        if failing:
            raise failing.pop()
        return made

    monkeypatch.setattr(runs, "run", run)
    assert code(observed(RUNNING)) == "disk_full"
    assert observed(RUNNING) is made


def test_a_third_is_told_that_two_are_on_the_way(monkeypatch):
    running, waiting, end = (threading.Event() for _ in range(3))

    def run(*_):
        running.set()
        assert end.wait(30)
        return _made()

    monkeypatch.setattr(runs, "run", run)
    trials = [Trial(seed=seed) for seed in range(3)]
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(observed, RUNNING, trials[0])
        assert running.wait(30)
        second = pool.submit(observed, RUNNING, trials[1], lambda p: waiting.set() if p.stage == "wait" else None)
        assert waiting.wait(30)
        assert code(observed(RUNNING, trials[2])) == "busy"
        end.set()
        assert first.result() is observed(RUNNING, trials[0])
        second.result()


def test_a_set_stop_ends_the_waiting_and_the_run(monkeypatch):
    stop = threading.Event()
    heard = []

    def run(_scenario, _trial, listener):
        for done in range(5):
            listener(Progress("critic", done, 5))
            if done == 2:
                stop.set()
        raise AssertionError("went on")

    monkeypatch.setattr(runs, "run", run)
    assert code(observed(RUNNING, None, until(stop, heard.append))) == "stopped"
    assert len(heard) == 3
    with runs.GATE.turn(lambda: None):
        assert code(observed(RUNNING, None, until(stop, nobody))) == "stopped"


@pytest.mark.model
def test_it_is_run_once_and_says_how_far_it_is():
    told: list[Progress] = []
    found = observed(RUNNING, None, told.append)
    assert observed(RUNNING) is found and isinstance(found, Observed)
    assert {p.round for p in told} == {1, 2}
    assert {"load", "rollout", "critic", "actor"} <= {p.stage for p in told}


@pytest.mark.model
@pytest.mark.parametrize("damage", ["missing", "corrupt"])
def test_a_run_that_finds_no_sound_head_fits_it(monkeypatch, tmp_path, damage):
    """With a fit that is quick: the head of a few numbers, of the right size."""
    from engine.models import checkpoint, load
    from engine.models.cache import root

    roles = load()
    here = checkpoint.locate()
    monkeypatch.setenv("TELESCOPE_LM", here)
    real = critic_training.fitted_head(roles)
    monkeypatch.setenv("TELESCOPE_CACHE", str(tmp_path))
    fits: list[int] = []
    monkeypatch.setattr(critic_training, "fit", lambda *_: fits.append(1) or real)
    if damage == "corrupt":
        critic_training.fitted_head(roles)
        (place,) = root().iterdir()
        (place / "head.json").write_text('{"weight": []}')
    found = observed(RUNNING, Trial(epochs=1, iterations=1))
    assert isinstance(found, Observed) and found.fitted
    assert len(fits) == (2 if damage == "corrupt" else 1)
    runs._kept.clear()
    observed(RUNNING, Trial(epochs=1, iterations=1))
    assert len(fits) == (2 if damage == "corrupt" else 1)


# ---------------------------------------------------------------- what is asked for


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"epochs": 9}, {"iterations": 5}, {"seed": -1}, {"actor_lr": 1.0}, {"score": float("nan")}]
)
def test_settings_out_of_their_range_are_refused(wrong):
    with pytest.raises(EngineError) as found:
        Trial(**wrong)
    assert found.value.code == "out_of_range" and found.value.details["field"] == next(iter(wrong))


def test_settings_are_the_trials_and_the_scenarios():
    own = scenario({"gamma": 0.9, "lam": 0.5, "beta": 0.2, "eps": 0.3, "eps_high": 0.4, "kl": "k3"})
    found = Trial(actor_lr=1e-6, seed=0).settings(own)
    assert (found.gamma, found.lam, found.beta, found.kl) == (0.9, 0.5, 0.2, "k3")
    assert (found.eps_low, found.eps_high, found.epochs) == (0.3, 0.4, EPOCHS)
    assert (found.actor_lr, found.critic_lr) == (1e-6, Settings().critic_lr)
    assert Trial(all_layers=True).settings(own).train == "all"
    assert Trial(all_layers=True).settings(own).actor_lr == ALL_LAYERS.actor_lr


def test_a_later_trial_changes_what_it_says():
    before = Trial(prompt="a", response="b", score=0.5, seed=1)
    assert before.then(Trial()) == before
    assert before.then(Trial(seed=0)).seed == 0
    assert before.then(Trial(response="c")) == Trial(prompt="a", response="c", seed=1)
    assert before.then(Trial(prompt="c")) == Trial(prompt="c", seed=1)
    assert before.then(Trial(sampled=True)) == Trial(prompt="a", sampled=True, score=0.5, seed=1)
    assert Trial(prompt="a", sampled=True).then(Trial(response="b")) == Trial(prompt="a", response="b")
