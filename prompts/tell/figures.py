"""A lesson's figures in a language: what is drawn, what stands above the drawing, and all that it shows, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.example import batch_of
from engine.notation import SYMBOLS, Symbol, show
from lessons._figure import TOKEN, Figure
from prompts.tell.ground import emit, release
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import LONGEST_TABLE, cell, inline, tables
from prompts.tell.marks import near
from prompts.tell.texts import texts
from prompts.tell.values import Values

MOST = 8  # places of an axis that are drawn
LONGEST_TOKEN = 24  # characters
NEGLIGIBLE = 1e-15  # of what numbers about one leave
SURE = 12  # digits
EQUALS = " = "  # in a name that the lesson made of a symbol and a number
ELLIPSIS = "…"


@dataclass(frozen=True)
class Picture:
    """A figure with its words. Caption and data are Markdown and stand one after the other in the page."""

    figure: Figure  # its two ends, where it is longer than can be looked at
    title: str
    seen: str  # in it
    data: str
    tokens: tuple[str, ...]  # as they were typed; one for each place of the token axis, none where none are known
    places: tuple[str, ...]  # what a drawing writes at each x
    names: Mapping[str, str]  # series, or axis → what a drawing calls it
    gap: int | None = None  # the place before which some were left out
    row_gap: int | None = None
    left_out: str = ""  # how many
    held: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # series that can be moved → their own places
    beneath: Picture | None = None  # the other response's

    @property
    def caption(self) -> str:
        return f"<strong>{self.title}</strong> {self.seen}".strip()

    @property
    def markdown(self) -> str:
        return f"{self.caption}\n\n{self.data}".strip()

    @property
    def responses(self) -> tuple[Picture, ...]:
        return (self,) if self.beneath is None else (self, self.beneath)

    @property
    def numbers(self) -> list[float]:
        """All that stand on one scale."""
        return [x for one in self.responses for row in one.figure.series.values() for x in row if x is not None]

    @property
    def told(self) -> str:
        """All that is drawn, in words."""
        return "\n".join([f"{self.title} {self.seen}".strip(), *(x for one in self.responses for x in one._lines())])

    def _lines(self) -> Iterator[str]:
        figure, places = self.figure, self._called()
        if figure.kind == "matrix":
            yield from self._with_gap(
                [
                    f"{self.names[key]}: " + ", ".join(f"{at} {near(x)}" for at, x in zip(places, row, strict=True))
                    for key, row in figure.series.items()
                ],
                self.row_gap,
            )
            return
        if figure.kind == "waterfall":
            yield f"{self.names[figure.y_name]}{EQUALS}{near(figure.start)}"
        named = [(self.names[key], row) for key, row in figure.series.items()]
        lines = [
            f"{at}: " + ", ".join(f"{name}{EQUALS}{near(row[i])}" for name, row in named) for i, at in enumerate(places)
        ]
        yield from self._with_gap(lines, self.gap)
        if figure.kind == "waterfall":
            yield f"{self.names[figure.z_name]}{EQUALS}{near(figure.end)}"

    def _called(self) -> list[str]:
        """Every place by its name and its token."""
        axis = self.names[self.figure.x_name]
        called = [f"{axis}{EQUALS}{at}" if self.figure.kind != "matrix" else at for at in self.places]
        if not self.tokens:
            return called
        return [f"{at} “{token}”" for at, token in zip(called, self.tokens, strict=True)]

    def _with_gap(self, lines: list[str], gap: int | None) -> list[str]:
        if self.gap is None and gap is None:
            return lines
        return [*lines, self.left_out] if gap is None else [*lines[:gap], self.left_out, *lines[gap:]]


def picture(whole: Figure, words: str, values: Values, response: int = 0) -> Picture:
    """The figure with its block of the template: a title in the first line, then what is to be seen in it."""
    title, _, seen = release(words).strip().partition("\n")
    figure, across, down = _both_ends(whole)
    tokens = _tokens(whole, values, response)
    gap, row_gap = (_gap(across), _gap(down)) if figure.kind != "lines" else (None, None)
    count = max(len(whole.x) - len(across), len(whole.series) - len(down)) if gap or row_gap else 0
    left_out = values.label("left_out").format(count=emit(count)) if count else ""
    axes = (figure.x_name, figure.y_name, figure.z_name)
    found = Picture(
        figure=figure,
        title=title,
        seen=" ".join(seen.split()),
        data="",
        tokens=tuple(tokens[i] for i in across if tokens),
        places=tuple(_place(figure.x_name, x, values)[1] for x in figure.x),
        names={key: _name(key, values)[1] for key in axes if key}
        | {key: _row(figure, key, values)[1] for key in figure.series}
        | {key: values.label(key) for key in ("state", "action")}
        | _ends_of(figure),
        gap=gap,
        row_gap=row_gap,
        left_out=release(left_out),
        beneath=picture(whole.beneath, words, values, response + 1) if whole.beneath else None,
    )
    below = found.beneath.data if found.beneath else ""
    return replace(found, data="\n\n".join(filter(None, [_table(found, values), found.left_out, below])))


def drawn_into(page: str, pictures: tuple[Picture, ...], drawing: Mapping[str, str]) -> str:
    """A page with each drawing (by its title) between its caption and its data."""
    for one in pictures:
        before, found, after = page.partition(one.markdown)
        assert found, f"the page does not hold the figure {one.title}"
        page = f"{before}{one.caption}\n\n{drawing[one.title]}\n\n{one.data}{after}"
    return page


# ---------------------------------------------------------------- as much as can be looked at


def _both_ends(whole: Figure) -> tuple[Figure, list[int], list[int]]:
    """A figure with its first and last places, where there are more than a phone shows beside one another.

    Of curves every so many places are kept. With it, which places and which series these are.
    """
    if whole.kind == "lines":
        across = list(range(0, len(whole.x), -(-len(whole.x) // LONGEST_TABLE)))
    else:
        across = _kept(len(whole.x))
    of_places = whole.kind == "matrix" and all(key.isdigit() for key in whole.series)
    down = _kept(len(whole.series)) if of_places else list(range(len(whole.series)))
    rows = [(key, tuple(_settled(row[i]) for i in across)) for key, row in whole.series.items()]
    kept = replace(whole, x=tuple(whole.x[i] for i in across), series=dict(rows[i] for i in down))
    return kept, across, down


def _kept(count: int) -> list[int]:
    """Of more places than there is room for, the two ends, and room between them for what stands for the others."""
    last = (MOST - 1) // 2
    return list(range(count)) if count <= MOST else [*range(MOST - 1 - last), *range(count - last, count)]


def _gap(kept: Sequence[int]) -> int | None:
    return next((i for i, place in enumerate(kept) if place != i), None)


def _tokens(figure: Figure, values: Values, response: int) -> tuple[str, ...]:
    """A response's tokens at their places; what lies behind the first one's end is padding."""
    rows = texts(batch_of(values.scenario), values.origin, values.language).rows if response else values.texts.rows
    known = rows[response] if response < len(rows) else ()
    if not known or not figure.over_time or figure.x_name not in (TOKEN, *SYMBOLS):
        return ()
    own = [known[values.place(t)] for t in range(values.tokens())]
    written = own if len(figure.x) <= len(own) else list(known)
    if figure.x_name != TOKEN and len(figure.x) != len(written):
        return ()  # a response of the lesson's own
    short = [token if len(token) <= LONGEST_TOKEN else token[:LONGEST_TOKEN] + ELLIPSIS for token in written]
    return (*short, *[values.label("pad")] * (len(figure.x) - len(short)))[: len(figure.x)]


# ---------------------------------------------------------------- the numbers, as a table


def _table(of: Picture, values: Values) -> str:
    """A matrix as it is, series side by side."""
    figure, gap = of.figure, of.gap
    places = [_place(figure.x_name, x, values)[0] for x in figure.x]
    rows = {_row(figure, key, values)[0]: [cell(x) for x in row] for key, row in figure.series.items()}
    if figure.kind == "matrix":
        head = [_name(figure.x_name, values)[0], *_elided(places, gap)]
        body = _elided([[name, *_elided(row, gap)] for name, row in rows.items()], of.row_gap, [ELLIPSIS] * len(head))
        return tables(head, body, keys=1)
    named = [str(quoted(token)) for token in of.tokens] or [""] * len(places)
    head = [_name(figure.x_name, values)[0], values.label(TOKEN), *rows]
    body = _elided([list(row) for row in zip(places, named, *rows.values(), strict=True)], gap, [ELLIPSIS] * len(head))
    if figure.kind == "waterfall":
        first, last = (_name(key, values)[0] for key in (figure.y_name, figure.z_name))
        body = [[first, "", cell(figure.start)], *body, [last, "", cell(figure.end)]]
    return tables(head, body, keys=2)


def _elided(row: list[Any], gap: int | None, sign: Any = ELLIPSIS) -> list[Any]:
    return row if gap is None else [*row[:gap], sign, *row[gap:]]


def _settled(x: Any) -> Any:
    """What is drawn are floats: one that should be zero, or end, does."""
    if not isinstance(x, float):
        return x
    return 0 if abs(x) < NEGLIGIBLE else float(f"{x:.{SURE}g}")


# ---------------------------------------------------------------- names, in a page and in a drawing


def _ends_of(figure: Figure) -> dict[str, str]:
    return {key: Symbol(key, 0).text for key in (figure.y_name, figure.z_name) if figure.kind == "waterfall"}


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
        return inline(f"{letter}_t"), f"{text}ₜ"
    return _place(figure.y_name, key, values)


def _place(axis: str, x: Any, values: Values) -> tuple[str, str]:
    """What stands at one place of an axis: a quantity at a token, a name, a number."""
    if isinstance(x, str):
        return (x, x) if EQUALS in x else _name(x, values)
    if isinstance(x, int) and axis in SYMBOLS:
        return inline(Symbol(axis, x).latex), Symbol(axis, x).text
    return show(x).text, show(x).text
