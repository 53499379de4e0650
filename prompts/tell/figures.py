"""A lesson's figures in a language: what stands above the drawing, and its numbers as a table below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.notation import SYMBOLS, Symbol, show
from lessons._figure import Figure
from prompts.tell.ground import release
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import LONGEST_TABLE, cell, inline, tables
from prompts.tell.values import Values

LONGEST_TOKEN = 8  # characters of a token at an axis
NEGLIGIBLE = 1e-15  # of what numbers about one leave
TOKEN = "token"  # the axis of the response's tokens
EQUALS = " = "  # in a name that the lesson made of a symbol and a number


@dataclass(frozen=True)
class Picture:
    """A figure with its words. Caption and data are Markdown and stand one after the other in the page."""

    figure: Figure
    title: str
    seen: str  # in it
    data: str
    tokens: tuple[str, ...]  # one for each place of the token axis; none where none are known
    places: tuple[str, ...]  # what a drawing writes at each x
    names: Mapping[str, str]  # series, or axis → what a drawing calls it

    @property
    def caption(self) -> str:
        return f"<strong>{self.title}</strong> {self.seen}".strip()

    @property
    def markdown(self) -> str:
        return f"{self.caption}\n\n{self.data}".strip()


def picture(whole: Figure, words: str, values: Values) -> Picture:
    """The figure with its block of the template: a title in the first line, then what is to be seen in it."""
    title, _, seen = release(words).strip().partition("\n")
    figure = _both_ends(whole) if whole.kind == "heat" else whole
    tokens = _tokens(figure, values)
    axes = (figure.x_name, figure.y_name, figure.z_name)
    return Picture(
        figure=figure,
        title=title,
        seen=" ".join(seen.split()),
        data=_table(figure, tokens, values),
        tokens=tokens,
        places=tuple(_place(figure.x_name, x, values)[1] for x in figure.x),
        names={key: _name(key, values)[1] for key in axes if key}
        | {key: _row(figure, key, values)[1] for key in figure.series},
    )


def beside(page: str, pictures: tuple[Picture, ...]) -> list[str | Picture]:
    """A page and its drawings in the order in which they are looked at: each one between its caption and its data."""
    parts: list[str | Picture] = []
    for drawn in pictures:
        before, found, after = page.partition(drawn.markdown)
        assert found, f"the page does not hold the figure {drawn.title}"
        parts += [before + drawn.caption, drawn]
        page = drawn.data + after
    return [*parts, page]


def _both_ends(matrix: Figure) -> Figure:
    """A matrix with its first and last rows and columns, where it is larger than can be looked at."""
    across, down = _kept(len(matrix.x)), _kept(len(matrix.series))
    rows = [(key, tuple(row[i] for i in across)) for key, row in matrix.series.items()]
    return replace(matrix, x=tuple(matrix.x[i] for i in across), series=dict(rows[i] for i in down))


def _kept(count: int) -> list[int]:
    half = LONGEST_TABLE // 2
    return [i for i in range(count) if count <= LONGEST_TABLE or i < half or i >= count - half]


def _tokens(figure: Figure, values: Values) -> tuple[str, ...]:
    """The first response's tokens at their places; what lies behind its end is padding."""
    known = values.texts.rows[0]
    if not known or figure.x_name != TOKEN:
        return ()
    own = [known[values.place(t)] for t in range(values.tokens())]
    written = own if len(figure.x) <= len(own) else list(known)
    short = [token if len(token) <= LONGEST_TOKEN else token[:LONGEST_TOKEN] + "…" for token in written]
    padding = [values.label("pad")] * max(0, len(figure.x) - len(short))
    return (*(str(quoted(token)) for token in short[: len(figure.x)]), *padding)


def _table(figure: Figure, tokens: tuple[str, ...], values: Values) -> str:
    """The numbers of a drawing: a matrix as it is, series side by side."""
    places = [_place(figure.x_name, x, values)[0] for x in figure.x]
    rows = {_row(figure, key, values)[0]: [cell(_settled(x)) for x in row] for key, row in figure.series.items()}
    if figure.kind == "heat":
        return tables([_name(figure.x_name, values)[0], *places], [[name, *row] for name, row in rows.items()], keys=1)
    named = tokens or ("",) * len(places)
    head = [_name(figure.x_name, values)[0], values.label(TOKEN), *rows]
    return tables(head, [list(row) for row in zip(places, named, *rows.values(), strict=True)], keys=2)


def _settled(x: Any) -> Any:
    """What is drawn are floats: one that should be zero is."""
    return 0 if isinstance(x, float) and abs(x) < NEGLIGIBLE else x


# ---------------------------------------------------------------- names, in a page and in a drawing


def _name(key: str, values: Values) -> tuple[str, str]:
    """A quantity's symbol, or a shared word."""
    if key == TOKEN:
        return inline("t"), "t"
    if key in SYMBOLS:
        return inline(SYMBOLS[key][0]), SYMBOLS[key][1]
    return (values.label(key),) * 2


def _row(figure: Figure, key: str, values: Values) -> tuple[str, str]:
    """A series: by its position where it is the row of one token, else by its name."""
    if key.isdigit():
        return _place(figure.y_name, int(key), values)
    if figure.x_name == TOKEN and key in SYMBOLS:
        letter, text = SYMBOLS[key]
        return inline(f"{letter}_t"), f"{text}<sub>t</sub>"
    return _place(figure.y_name, key, values)


def _place(axis: str, x: Any, values: Values) -> tuple[str, str]:
    """What stands at one place of an axis: a quantity at a token, a name, a number."""
    if isinstance(x, str):
        return (x, x) if EQUALS in x else _name(x, values)
    if isinstance(x, int) and axis in SYMBOLS:
        return inline(Symbol(axis, x).latex), Symbol(axis, x).text
    return show(x).text, show(x).text
