"""Rules of the house, as tests: arrows point one way, modules are small, user text is never executed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine.example import RUNNING

ROOT = Path(__file__).parents[1]
ROOMS = ["engine", "lessons", "prompts", "app"]  # each may import those before it
LONGEST = 300  # lines, except
LONGER: dict[str, int] = {}
EXECUTING = {"eval", "exec", "sympify", "parse_expr", "lambdify", "loads_pickle"}
MODULES = [*sorted(p for room in ROOMS[:3] for p in (ROOT / room).rglob("*.py")), ROOT / "app.py"]


def imported_rooms(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names & {*ROOMS, "tests"}


def called_names(source: str) -> set[str]:
    """Functions called by name, and by attribute except `.eval()`, which is how torch leaves training mode."""
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = {f.id for f in calls if isinstance(f, ast.Name)}
    return named | {f.attr for f in calls if isinstance(f, ast.Attribute) and f.attr != "eval"}


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way(path):
    allowed = set(ROOMS[: ROOMS.index(room(path)) + 1])
    assert imported_rooms(path.read_text(encoding="utf-8")) <= allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_are_small(path):
    allowed = LONGER.get(str(path.relative_to(ROOT)), LONGEST)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_is_executed_from_text(path):
    assert not called_names(path.read_text(encoding="utf-8")) & EXECUTING


def test_these_rules_can_fail():
    assert imported_rooms("from prompts.read import read") == {"prompts"}
    assert imported_rooms("import tests.pages, os") == {"tests"}
    assert called_names("sympy.sympify(text); eval(text)") & EXECUTING == {"sympify", "eval"}


def test_the_running_examples_numbers_stand_in_one_file():
    for path in MODULES:
        if path.name != "example.py" and room(path) in ("engine", "lessons"):
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            constants = {node.value for node in tree if isinstance(node, ast.Constant)}
            assert not constants & {*RUNNING.tokens[3:4], *RUNNING.values[3:5]}, path
