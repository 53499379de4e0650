"""How well pictures are read: rendered scenes, and how many of their digits and signs come out right."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from playwright.sync_api import sync_playwright

from prompts.pictures.reading import MARK, read
from prompts.pictures.told import at_once
from tests.audit.generate import case
from tests.audit.measure import outcome
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.pictures.scenes import FONTS, KINDS, Scene, scene

HERE = Path(__file__).resolve().parents[2] / "prompts/pictures/PICTURES.md"
OF_EACH = 12  # scenes of a kind
WIDTH = 930  # pixels of a page
QUALITY = 70  # of a JPEG
COUNTED = frozenset("0123456789.+-=×·/%")
_DASHES = str.maketrans({"−": "-", "–": "-", "—": "-"})
_DRAWN = re.compile(r"[-+─|]{4,}")  # lines of a table that is drawn with signs are no signs of numbers


@dataclass(frozen=True)
class Score:
    """Of the digits and signs: how many there are and come out right; how many are marked, and wrong without a mark."""

    count: int = 0
    right: int = 0
    marked: int = 0
    wrong: int = 0

    def __add__(self, other: Score) -> Score:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Score(*(one + another for one, another in pairs))


@dataclass(frozen=True)
class Result:
    scene: Scene
    score: Score
    judged: str = ""  # of a sheet: as when its numbers are typed, not before marks are completed, otherwise


def signs(text: str) -> str:
    """The digits and signs of a text, with the marks of what is not sure."""
    plain = _DRAWN.sub(" ", text.translate(_DASHES))
    return "".join(one for c in plain if (one := unicodedata.normalize("NFKC", c)) in COUNTED or one == MARK)


def score(true: str, said: str) -> Score:
    there, told = signs(true), signs(said)
    found = Score(count=len(there))
    for kind, a, b, c, d in SequenceMatcher(None, there, told, autojunk=False).get_opcodes():
        if kind == "equal":
            found += Score(right=b - a)
        else:
            marked = told[c:d].count(MARK)
            found += Score(marked=marked, wrong=max(b - a, d - c) - marked)
    return found


def shown(scenes: Sequence[Scene]) -> Iterator[tuple[Scene, bytes, str]]:
    """Every scene as a picture, and what stands in it."""
    pages = [one.html for one in scenes]  # before the browser's event loop holds the thread
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for one, html in zip(scenes, pages, strict=True):
            page = browser.new_page(viewport={"width": WIDTH, "height": 100}, device_scale_factor=one.scale)
            page.set_content(html)
            form = {"type": "jpeg", "quality": QUALITY} if one.jpeg else {"type": "png"}
            yield one, page.screenshot(full_page=True, **form), page.inner_text("body")
            page.close()


def results(scenes: Sequence[Scene]) -> list[Result]:
    pictures = list(shown(scenes))
    return [_result(*one) for one in pictures]


def _result(one: Scene, data: bytes, true: str) -> Result:
    text = read(data, "en").text
    if one.kind != "sheet":
        return Result(one, score(true, text))
    typed = case(one.seed)
    same = outcome(typed).right == outcome(replace(typed, message=text)).right
    judged = "same" if same else "completed first" if at_once((text,), "en") else "otherwise"
    return Result(one, score(true, text), judged)


def table(title: str, found: Iterable[Result], by: Callable[[Scene], str]) -> str:
    groups: dict[str, Score] = defaultdict(Score)
    for one in found:
        groups[by(one.scene)] += one.score
    rows = [
        f"| {name} | {x.count} | {100 * x.right / x.count:.2f} | {x.marked} | {x.wrong} |"
        for name, x in sorted(groups.items())
    ]
    head = f"| {title} | digits and signs | right % | marked | wrong, not marked |"
    return "\n".join([head, "|---|---:|---:|---:|---:|", *rows])


def report(found: Sequence[Result]) -> str:
    judged = Counter(one.judged for one in found if one.judged)
    parts = [
        f"# Pictures\n\nMade by `make pictures`: {len(found)} rendered pictures, {len(found) // len(KINDS)} of "
        "each kind: sheets of numbers as learners send them, pages of the tutor, training logs (`tests/pictures`).",
        table("all", found, lambda _: "all"),
        f"Of {judged.total()} sheets, sent as they were read, {judged['same']} are judged as when typed; of "
        f"{judged['completed first']}, marked numbers wait to be completed; {judged['otherwise']} come out otherwise.",
        table("what", found, lambda one: one.kind),
        table("font", found, lambda one: FONTS[one.font]),
        table("ground", found, lambda one: "dark" if one.dark else "light"),
        table("scale", found, lambda one: f"{one.scale:g}×"),
        table("file", found, lambda one: f"JPEG, quality {QUALITY}" if one.jpeg else "PNG"),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else OF_EACH
    HERE.write_text(report(results([scene(kind, seed) for kind in KINDS for seed in range(count)])), "utf-8")


if __name__ == "__main__":
    main()
