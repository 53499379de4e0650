"""`python <program>` on a free port of this machine, for as long as it is looked at."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[1]
PATIENCE = 300  # seconds for the server to answer


@contextlib.contextmanager
def served(*program: str, environment: Mapping[str, str] = os.environ, port: int | None = None) -> Iterator[str]:
    """`python <program>` on a port of this machine, killed at the end."""
    port = port or free_port()
    found = f"http://127.0.0.1:{port}"
    given = {**environment, "GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False"}
    with subprocess.Popen([sys.executable, *program], cwd=ROOT, env=given, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(found, server)
            if program == ("app.py",):
                _wait_for_answers(found)
            yield found
        finally:
            server.kill()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for_answers(address: str) -> None:
    """The page stands before those who answer have loaded."""
    asked = httpx.post(f"{address}/gradio_api/call/chat", json={"data": ["λ"]}, timeout=PATIENCE).json()
    httpx.get(f"{address}/gradio_api/call/chat/{asked['event_id']}", timeout=PATIENCE).raise_for_status()


def _wait_for(address: str, server: subprocess.Popen) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.2)
    pytest.fail(f"the server did not answer at {address}; exit code {server.poll()}")
