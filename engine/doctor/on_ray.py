"""The same on a Ray cluster: pieces go out by name, verdicts come back as text.

A task whose worker dies is run again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.doctor.dumps import Piece
from engine.doctor.search import Given
from engine.doctor.survey import Found, examined
from engine.errors import EngineError

ROOT = str(Path(__file__).parents[2])
Examine = Callable[[Piece, Given], Found]


def mapped(pieces: Sequence[Piece], rates: Given, examine: Examine = examined) -> Iterator[Found]:
    """Every piece's verdict, in any order. The files must be where every worker can read them."""
    if not pieces:
        return
    try:
        import ray
        from ray import data
    except ImportError as reason:
        raise EngineError("missing_package", package="ray", command='pip install ".[ray]"') from reason
    if not ray.is_initialized():
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH")]))  # the workers'
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    data.DataContext.get_current().enable_progress_bars = False
    rows = [{"path": one.path, "start": one.start, "stop": one.stop} for one in pieces]

    def look(batch: dict[str, Any]) -> dict[str, Any]:
        columns = zip(batch["path"], batch["start"], batch["stop"], strict=True)
        return {"found": [examine(Piece(str(a), int(b), int(c)), rates).text() for a, b, c in columns]}

    found = data.from_items(rows, override_num_blocks=len(rows)).map_batches(look, batch_size=1)
    for row in found.iter_rows():
        yield Found.of(row["found"])
