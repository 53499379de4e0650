"""The command as a user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUESTION = "prove that the deltas sum to G − V"


def ask(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "app.py", "ask", *arguments], input=given, capture_output=True, cwd=ROOT)


def test_a_page_on_standard_output():
    done = ask(QUESTION)
    assert done.returncode == 0 and done.stderr == b""
    assert "G_{t} - V_{t}" in done.stdout.decode("utf-8")


def test_who_reads_may_stop_reading():
    command = [sys.executable, "app.py", "ask", QUESTION]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def test_one_object(tmp_path):
    numbers = tmp_path / "numbers.json"
    numbers.write_text('{"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6]}')
    done = ask(QUESTION, "--json", "--lang", "zh", "--scenario", str(numbers))
    found = json.loads(done.stdout)
    assert (found["lang"], found["facts"]["T"]) == ("zh", 3)


def test_a_batch():
    given = b'{"id": "a", "messages": ["hello"]}\n\nbroken\n{"id": "b", "messages": ["\\ud800"]}\n'
    done = ask("--batch", given=given)
    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["a", None, "b"]


@pytest.mark.parametrize("arguments", [(), ("--lang", "fr", "x"), ("x", "--batch"), ("x", "--scenario", "/no/such")])
def test_bad_usage_is_two(arguments):
    assert ask(*arguments).returncode == 2


def test_asking_does_not_import_gradio():
    program = f"import sys, app; app.main(['ask', {QUESTION!r}]); sys.exit('gradio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT).returncode == 0


def test_that_check_can_fail():
    program = "import sys, gradio; sys.exit('gradio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT).returncode == 1
