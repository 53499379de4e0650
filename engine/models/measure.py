"""Time and memory of the models, each case in a process of its own, written into this folder's README."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from engine.example import RUNNING
from engine.models import checkpoint
from engine.models.critic_training import fit, fitted_head
from engine.models.iteration import iterate
from engine.models.learners import ALL_LAYERS, Learners, Settings, begin
from engine.models.progress import Progress
from engine.models.roles import load, seeded_head
from engine.models.rollout import LARGEST, collect, encode_prompt, encode_response
from engine.models.sampling import sample
from engine.models.table import aligned, head_table
from engine.scenario import written

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- measured -->\n", "<!-- /measured -->\n"
PROMPT, RESPONSE = RUNNING.prompt or "", "".join(written(RUNNING.tokens or ())[0])
Figures = dict[str, float]


def convert() -> Figures:
    """The embedded model's conversion, into an empty cache."""
    with tempfile.TemporaryDirectory() as aside:
        os.environ["TELESCOPE_CACHE"] = aside
        return _timed(checkpoint.locate)


def start() -> Figures:
    """From the converted model to roles that can be run."""
    return _timed(load)


def short_last() -> Figures:
    return _iteration(Settings(), RESPONSE)


def longest_last() -> Figures:
    return _iteration(Settings(), None)


def short_all() -> Figures:
    return _iteration(ALL_LAYERS, RESPONSE)


def longest_all() -> Figures:
    return _iteration(ALL_LAYERS, None)


def draw() -> Figures:
    """Sampling, in seconds a token."""
    learners = _learners(Settings())
    drawn: list[Progress] = []
    sample(learners, PROMPT, seed=0, listener=drawn.append)
    whole = _timed(lambda: sample(learners, PROMPT, seed=0))
    return {name: seconds / len(drawn) for name, seconds in whole.items()}


def head() -> Figures:
    """Fitting the value head, from nothing."""
    roles = load()
    return _timed(lambda: fit(roles))


CASES: dict[str, tuple[Callable[[], Figures], str]] = {
    "convert": (convert, "conversion of the embedded model, once"),
    "start": (start, "loading from the cache, checksums included"),
    "short_last": (short_last, "one mini-step of critic and actor, last layers, the example"),
    "longest_last": (longest_last, f"the same with {LARGEST} places"),
    "short_all": (short_all, "one mini-step of critic and actor, all layers, the example"),
    "longest_all": (longest_all, f"the same with {LARGEST} places"),
    "draw": (draw, "sampling, a token"),
    "head": (head, "fitting the value head, once"),
}


def run_case(name: str) -> Figures:
    """One case, in this process: its figures and the peak of resident memory."""
    figures = CASES[name][0]()
    return {**figures, "peak_gb": _peak() / 1e9}


def _peak() -> int:
    """Bytes that this program has had resident. On Linux getrusage also counts what the parent had when it forked."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def write_readme() -> str:
    """Measure everything and put the tables between the README's markers."""
    rows = [["what", "seconds", "CPU seconds", "peak resident GB"]]
    for name, (_, words) in CASES.items():
        command = [sys.executable, "-m", "engine.models", "--case", name]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        figures = json.loads(printed)
        rows.append([words, *(f"{figures[name]:.2f}" for name in ("seconds", "cpu_seconds", "peak_gb"))])
    load_average = os.getloadavg()[1]
    heads = head_table(fitted_head(load()))  # loading sets the number of threads
    machine = (
        f"torch {torch.__version__}, float32 on the CPU, threads: {torch.get_num_threads()} of {os.cpu_count()}. "
        f"Load average while measuring: {load_average:.1f}."
    )
    measured = f"{aligned(rows)}\n\n{machine}\n\n{heads}\n"
    before, rest = README.read_text().split(BEGIN)
    README.write_text(before + BEGIN + measured + END + rest.split(END)[1])
    return measured


def _learners(settings: Settings) -> Learners:
    roles = load()
    return begin(roles, settings, seeded_head(roles, 0))


def _iteration(settings: Settings, response: str | None) -> Figures:
    """One warm mini-step of critic and actor: the second of two."""
    learners = _learners(replace(settings, epochs=2))
    tokenizer = learners.roles.tokenizer
    if response is None:
        ids = (encode_response(tokenizer, RESPONSE) * LARGEST)[: LARGEST - len(encode_prompt(tokenizer, PROMPT))]
    else:
        ids = encode_response(tokenizer, response)
    rollout = collect(learners, [PROMPT], [ids], [1.0])
    at: dict[Progress, Figures] = {}
    iterate(learners, rollout, lambda progress: at.update({progress: _clocks()}))
    critic = _between(at[Progress("critic", 1, 3)], at[Progress("critic", 2, 3)])
    actor = _between(at[Progress("actor", 1, 3)], at[Progress("actor", 2, 3)])
    return {name: critic[name] + actor[name] for name in critic}


def _clocks() -> Figures:
    return {"seconds": time.perf_counter(), "cpu_seconds": time.process_time()}


def _between(start: Figures, end: Figures) -> Figures:
    return {name: end[name] - start[name] for name in start}


def _timed(work: Callable[[], object]) -> Figures:
    start = _clocks()
    work()
    return _between(start, _clocks())
