"""Runs on request: at most one at a time, one more waiting, each distinct one kept; what goes wrong is a value."""

from __future__ import annotations

import threading
from collections import OrderedDict

from engine.errors import EngineError
from engine.example import RUNNING
from engine.models.gate import Gate
from engine.models.observed import Observed, run
from engine.models.progress import Listener, Progress, nobody
from engine.models.trial import Trial
from engine.scenario import PARAMETERS, Scenario

KEPT = 16
GATE = Gate(named="telescope-run")
_kept: OrderedDict[tuple[Scenario, Trial], Observed] = OrderedDict()
_changing = threading.Lock()


def observed(asked: Scenario, trial: Trial | None = None, listener: Listener = nobody) -> Observed | EngineError:
    """What the run of a trial put out, from now or from before; or why there is none."""
    given = _of_a_run(asked, trial or Trial())
    with _changing:
        found = _kept.get(given)
    if found is not None:
        return found
    try:
        with GATE.turn(lambda: listener(Progress("wait", 0, 1))):
            found = run(*given, listener)
    except EngineError as reason:
        return reason
    with _changing:
        _kept[given] = found
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


def _of_a_run(asked: Scenario, trial: Trial) -> tuple[Scenario, Trial]:
    """The parts of a scenario that a run reads: parameters, and a text; without one, the running example's."""
    own = asked if asked.prompt and asked.tokens else RUNNING
    texts = (own.prompt, own.tokens) != (RUNNING.prompt, RUNNING.tokens) and not (trial.prompt or trial.response)
    if texts and own.scores is not None and trial.score is None:
        trial = trial.then(Trial(score=sum(own.rows("scores")[0])))
    parameters = {name: getattr(asked, name) for name in PARAMETERS}
    return Scenario(prompt=own.prompt, tokens=own.tokens, **parameters), trial
