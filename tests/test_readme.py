"""The README tells the truth: its answer is current, its tree is there, its Space card is valid."""

from __future__ import annotations

import re
from importlib.metadata import requires, version
from pathlib import Path

import yaml
from packaging.requirements import Requirement

from tests.readme import README, current

ROOT = Path(__file__).parents[1]
TEXT = README.read_text(encoding="utf-8")


def test_the_answer_and_the_tables_are_todays():
    assert current(TEXT) == TEXT, "make pages"


def test_an_old_answer_is_noticed():
    assert current(TEXT.replace("0.755", "0.7551")) == TEXT


def test_what_the_tree_names_is_there():
    tree = TEXT.split("## The house")[1].split("```")[1]
    folder = ROOT
    for line in filter(None, tree.splitlines()):
        name = line.split()[0]
        folder = ROOT if not line.startswith(" ") else folder
        assert (folder / name).exists(), line
        folder = ROOT / name if not line.startswith(" ") and name.endswith("/") else folder


def test_the_space_card():
    card = yaml.safe_load(TEXT.split("---")[1])
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    assert card["sdk"] == "gradio"
    assert card["sdk_version"] == pins["gradio"] == version("gradio")
    assert (ROOT / card["app_file"]).is_file()
    assert len(card["short_description"]) <= 60
    assert {"title", "emoji", "colorFrom", "colorTo", "python_version", "license", "tags", "pinned"} <= set(card)


def test_the_pins_agree_with_what_a_space_installs_beside_them():
    """A Space of this SDK is built with `gradio[oauth,mcp]`: a pin that its extras exclude ends the build."""
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    wanted = [one for one in map(Requirement, requires("gradio")) if _wanted(one)]
    assert "mcp" in {one.name for one in wanted} & set(pins)
    for one in wanted:
        assert one.name not in pins or one.specifier.contains(pins[one.name]), one


def _wanted(one):
    return one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("mcp", "oauth"))
