"""The doctor beside the engine's own GAE on the same batch, one thread, one run: python -m tests.bench.bench_doctor.

Writes engine/doctor/BENCHMARK.md; asked are at most 20 times GAE's time.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

from engine import doctor, kernels
from engine.doctor.given import Batch
from engine.doctor.recursions import WRONG

ROWS, TOKENS, GAMMA, LAM = 1024, 8192, 1.0, 0.95
READINGS = 5
AT_MOST = 20
REPORT = Path("engine/doctor/BENCHMARK.md")
HEAD = f"""# The doctor: time on one thread

Written by `python -m tests.bench.bench_doctor`. CPU time on a batch of {ROWS} × {TOKENS}, float32, in units of
`engine.gae` on the same batch and in the same run (median of {READINGS}); asked are at most {AT_MOST}.

| batch | γ and λ | times engine.gae |
|---|---|---:|
"""


def seconds(call: Callable[[], object]) -> float:
    call()
    readings = []
    for _ in range(READINGS):
        start = time.process_time()
        call()
        readings.append(time.process_time() - start)
    return statistics.median(readings)


def measured() -> list[tuple[str, str, float]]:
    torch.set_num_threads(1)
    draw = torch.Generator().manual_seed(0)
    rewards, values = (torch.randn(ROWS, TOKENS, generator=draw) for _ in range(2))
    mask = torch.arange(TOKENS) < torch.randint(2, TOKENS + 1, (ROWS, 1), generator=draw)
    found = []
    for padding, kept in (("no padding", torch.ones_like(mask)), ("right-padded", mask)):
        lists = {"rewards": rewards * kept, "values": values * kept, "mask": kept}
        unit = seconds(lambda lists=lists: kernels.gae(*lists.values(), gamma=GAMMA, lam=LAM))
        advantages, returns = (x.clone() for x in kernels.gae(*lists.values(), gamma=GAMMA, lam=LAM))
        made = {"raw": (advantages, returns), "whitened": (kernels.whiten(advantages, kept), returns)}
        batch = Batch(lists["rewards"], lists["values"], kept, None, None, torch.float32)
        made |= {
            one.name: one.run(batch, GAMMA, LAM)
            for one in WRONG
            if one.name in ("bootstrap_forgotten", "index_runs_forwards")
        }
        for name, (a, r) in made.items():
            for rates in ({"gamma": GAMMA, "lam": LAM}, {}):
                if rates or name in ("raw", "whitened"):
                    whole = {**lists, **rates, "advantages": a, "returns": r}
                    took = seconds(lambda whole=whole: doctor.check(**whole))
                    found.append((f"{name}, {padding}", "given" if rates else "found", took / unit))
    return found


if __name__ == "__main__":
    rows = [f"| {name} | {rates} | {times:.1f} |" for name, rates, times in measured()]
    REPORT.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    sys.stdout.write(REPORT.read_text(encoding="utf-8"))
