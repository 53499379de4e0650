"""Measures engine.gae beside its peers, in one run on one thread, and writes engine/kernels/BENCHMARK.md."""

from __future__ import annotations

import os

os.environ |= {
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}

import platform
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import engine
from tests.bench.peers import GAMMA, LAM, PEERS, Call

SHAPES = [(8, 512), (64, 1024), (256, 4096), (1024, 8192), (16, 32768)]
WITH_OUT = (1024, 8192)  # where fresh memory for the results costs more than computing them
FLOOR, OURS, PADDED, HOLES = "two clones of the input", "engine.gae", "engine.gae, right-padded", "engine.gae, holes"
VERL = "verl 0.9.1, loop"
AT_MOST = [12, 8.5, 8.5, 1.8, 9.5]  # times the floor
AT_LEAST = [400, 300, 80, 15, 1500]  # times faster than verl
LONG_ENOUGH = 0.0005  # seconds of CPU time in one reading; shorter calls are repeated within it
READINGS, FEWEST, PATIENCE = 201, 3, 3.0  # at most, at least, and seconds after which no more are begun
REPORT = Path("engine/kernels/BENCHMARK.md")


def median_ms(call: Call) -> float:
    """Median process CPU time of one call."""
    call()
    start = time.process_time()
    call()
    repeats = max(1, round(LONG_ENOUGH / max(time.process_time() - start, 1e-7)))
    readings: list[float] = []
    deadline = time.process_time() + PATIENCE
    while len(readings) < FEWEST or (len(readings) < READINGS and time.process_time() < deadline):
        start = time.process_time()
        for _ in range(repeats):
            call()
        readings.append((time.process_time() - start) / repeats)
    return 1000 * statistics.median(readings)


def ours(rewards: Tensor, values: Tensor, mask: Tensor | None = None) -> Call:
    out = (torch.empty_like(rewards), torch.empty_like(rewards)) if rewards.shape == WITH_OUT else None
    return lambda: engine.gae(rewards, values, mask, gamma=GAMMA, lam=LAM, out=out)


def calls(shape: tuple[int, int]) -> dict[str, Call]:
    source = torch.Generator().manual_seed(0)
    rewards, values = (torch.randn(shape, generator=source) for _ in range(2))
    padded = torch.arange(shape[1]) < torch.randint(shape[1] // 2, shape[1] + 1, (shape[0], 1), generator=source)
    holes = torch.rand(shape, generator=source) < 0.8
    return {
        FLOOR: lambda: (rewards.clone(), values.clone()),
        OURS: ours(rewards, values),
        PADDED: ours(rewards, values, padded),
        HOLES: ours(rewards, values, holes),
        **{name: build(rewards, values) for name, build in PEERS.items()},
    }


def check_agreement(candidates: dict[str, Call]) -> None:
    """All peers compute the same returns, or they may not be compared."""
    expected = candidates[OURS]()[1].clone()
    for name in PEERS:
        returns = torch.as_tensor(as_array(candidates[name]()[1])).reshape(expected.shape).float()
        assert torch.allclose(returns, expected, rtol=1e-3, atol=1e-3), f"{name} computes something else"


def as_array(x: Any) -> Any:
    return x if isinstance(x, torch.Tensor) else x.__array__()


def measure() -> dict[str, list[float]]:
    """Milliseconds by name, one per shape."""
    torch.set_num_threads(1)
    torch.empty(2**24).fill_(0)  # freed at once: glibc then keeps freed memory, and clones do not wait for pages
    found: dict[str, list[float]] = {}
    for shape in SHAPES:
        candidates = calls(shape)
        check_agreement(candidates)
        for name, call in candidates.items():
            found.setdefault(name, []).append(median_ms(call))
            sys.stdout.write(f"{shape[0]}×{shape[1]}  {name}: {three_digits(found[name][-1])} ms\n")
    return found


def three_digits(x: float) -> str:
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def row(name: str, cells: list[str]) -> str:
    return f"| {name} | " + " | ".join(cells) + " |"


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def report(found: dict[str, list[float]]) -> str:
    names = ["", *(f"{rows}×{length}" for rows, length in SHAPES)]
    head = [row(names[0], names[1:]), row("---", ["---:"] * len(SHAPES))]
    versions = ", ".join(f"{name} {version(name)}" for name in ("torch", "verl", "torchrl", "tianshou", "rlax", "jax"))
    over_floor = [a / b for a, b in zip(found[OURS], found[FLOOR], strict=True)]
    under_verl = [b / a for a, b in zip(found[OURS], found[VERL], strict=True)]
    slower = {
        name: [b / a for a, b in zip(found[OURS], times, strict=True)] for name, times in found.items() if name in PEERS
    }
    return "\n".join(
        [
            "# GAE: time on one thread",
            "",
            f"Written by `make bench`. Milliseconds of process CPU time, median; float32, γ = {GAMMA:g}, λ = {LAM:g}.",
            f"At {WITH_OUT[0]}×{WITH_OUT[1]} engine.gae writes into `out=`.",
            "",
            f"{processor()}, threads: {torch.get_num_threads()}; {platform.system()}, "
            f"Python {platform.python_version()}; {versions}.",
            "",
            *head,
            *(row(name, [three_digits(x) for x in times]) for name, times in found.items()),
            "",
            "How many times slower than engine.gae:",
            "",
            *head,
            *(row(name, [three_digits(x) for x in times]) for name, times in slower.items()),
            "",
            "What is asked of it:",
            "",
            *head,
            row("engine.gae, in units of two clones", [three_digits(x) for x in over_floor]),
            row("at most", [three_digits(x) for x in AT_MOST]),
            row("times faster than verl 0.9.1", [three_digits(x) for x in under_verl]),
            row("at least", [three_digits(x) for x in AT_LEAST]),
            "",
        ]
    )


if __name__ == "__main__":
    text = report(measure())
    REPORT.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
