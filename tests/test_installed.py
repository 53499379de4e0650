"""Installed as a package, Telescope answers from any directory under a name of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "lessons", "prompts")
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def telescope(tmp_path_factory):
    """The command, in an environment whose packages are this one's, without this folder."""
    place = tmp_path_factory.mktemp("installed")
    source, environment, wheels = place / "source", place / "environment", place / "wheels"
    source.mkdir()
    for name in ("app.py", "pyproject.toml", "requirements.txt", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room)
    _run(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", wheels, source)
    _run(sys.executable, "-m", "venv", "--without-pip", environment)
    _run(*PIP, f"--python={environment}/bin/python", "install", "--no-deps", "--no-index", *wheels.iterdir())
    (packages,) = environment.glob("lib/*/site-packages")
    (packages / "here.pth").write_text(sysconfig.get_paths()["purelib"])
    shutil.rmtree(source)
    return environment / "bin/telescope"


def _run(*command, **options):
    options = {"capture_output": True, "check": True, "encoding": "utf-8", **options}
    return subprocess.run([str(part) for part in command], **options)


def test_the_command_answers_as_the_folder_does(telescope, tmp_path):
    question = "rewards 0, 0, 1, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages"
    installed = json.loads(_run(telescope, "ask", question, "--json", cwd=tmp_path).stdout)
    here = json.loads(_run(sys.executable, "app.py", "ask", question, "--json", cwd=ROOT).stdout)
    assert installed["facts"]["advantages"] and not installed["error"]
    assert {**installed, "seconds": None} == {**here, "seconds": None}


def test_every_word_of_the_front_door_is_the_commands(telescope, tmp_path):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n"
    greeted = json.loads(_run(telescope, "mcp", cwd=tmp_path, input=request).stdout)
    assert greeted["result"]["serverInfo"]["name"] == "telescope"
    dump = tmp_path / "dump.jsonl"
    dump.write_text(
        json.dumps({"rewards": [0, 1], "values": [0.5, 0.5], "gamma": 1, "lam": 1, "advantages": [0.5, 0.5]})
    )
    assert _run(telescope, "doctor", dump, cwd=tmp_path).stdout
    refused = _run(telescope, "no such word", cwd=tmp_path, check=False)
    assert refused.returncode == 2 and "telescope" in refused.stderr.lower()


def test_all_that_is_read_at_run_time_is_in_the_package(telescope):
    (packages,) = telescope.parents[1].glob("lib/*/site-packages")
    told = _run("git", "ls-files", *ROOMS, cwd=ROOT).stdout.split()
    aside = ("expected/", "_template/", "requirements.txt", ".png")
    assert not [file for file in told if not any(part in file for part in aside) and not (packages / file).exists()]
