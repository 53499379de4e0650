"""What learners take pictures of, as web pages whose words are known: sheets of numbers, our pages, training logs."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from html import escape

from markdown_it import MarkdownIt

from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, lessons
from prompts.tell.terminal import plain
from prompts.tutor import Request, answer
from tests.audit.generate import case

FONTS = {"sans": "DejaVu Sans", "serif": "DejaVu Serif", "chinese": "Noto Sans CJK SC"}
SCALES = (1, 1.5, 2)
KINDS = ("sheet", "page", "log")
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_FENCE = re.compile(r"```\w*\n(.*?)\n```", re.DOTALL)
_LIGHT = ("#1e293b", "#ffffff", "#cbd5e1", "#f1f5f9")
_DARK = ("#e2e8f0", "#0f172a", "#334155", "#1e293b")
_STYLE = """<style>
body {{ margin: 24px; width: 880px; color: {0}; background: {1}; }}
body {{ font: 15px '{font}', 'Noto Sans CJK SC'; line-height: 1.6; }}
table {{ border-collapse: collapse; margin: 12px 0; }}
td, th {{ border: 1px solid {2}; padding: 5px 12px; white-space: nowrap; }}
p, pre {{ white-space: pre-wrap; }}
pre {{ padding: 10px; font: 13px 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC'; background: {3}; }}
</style>"""


@dataclass(frozen=True)
class Scene:
    kind: str
    seed: int
    font: str
    dark: bool
    scale: float
    jpeg: bool

    @property
    def html(self) -> str:
        head = _STYLE.format(*(_DARK if self.dark else _LIGHT), font=FONTS[self.font])
        return f"{head}<body>{_CONTENT[self.kind](self.seed)}</body>"


def scene(kind: str, seed: int) -> Scene:
    """The scene of a seed: every font, ground, scale and format in its turn."""
    rng = random.Random(f"{kind} {seed}")
    return Scene(kind, seed, rng.choice([*FONTS]), rng.random() < 0.5, rng.choice(SCALES), rng.random() < 0.5)


def _sheet(seed: int) -> str:
    made = case(seed)
    if made.layout.startswith("markdown"):
        return _rendered(made.message)
    return _set("pre", _FENCE.sub(r"\1", made.message)) if "```" in made.message else _set("p", made.message)


def _page(seed: int) -> str:
    rng = random.Random(seed)
    language = rng.choice(LANGUAGES)
    lesson = rng.choice([one for one in lessons().values() if one.id != OUT_OF_SCOPE])
    told = answer(Request((lesson.question[language],), language, alone=True)).markdown
    return _rendered(
        _FORMULA.sub(lambda found: escape(plain(found[1] or found[2] or found[3])).replace("|", "¦"), told)
    )


def _log(seed: int) -> str:
    rng = random.Random(seed)
    names = rng.sample(
        ("reward/mean", "critic/vf_loss", "actor/kl", "actor/pg_clipfrac", "adv_std", "returns", "lr"), 4
    )
    link, mark = rng.choice((("=", "  "), (": ", " | "), (":", " - ")))
    lines = []
    for step in range(rng.randrange(100), 120, 10):
        said = [f"{name}{link}{_figure(rng)}" for name in names]
        lines.append(
            mark.join(
                [f"[2025-03-{rng.randint(10, 28)} 1{rng.randint(0, 9)}:04:5{rng.randint(0, 9)}] step {step}", *said]
            )
        )
    return _set("pre", "\n".join(lines))


def _figure(rng: random.Random) -> str:
    x = rng.gauss(0, 1) * 10 ** rng.randint(-4, 1)
    return rng.choice((f"{x:.4f}", f"{x:.3e}", f"{x:+.2f}", f"{x:.6g}"))


def _set(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>"


def _rendered(text: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(text)


_CONTENT = {"sheet": _sheet, "page": _page, "log": _log}
