"""Pictures as plotly figures. Every number drawn is the figure's; the colours tell series apart to every eye."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from plotly import graph_objects as go

from engine.notation import SYMBOLS, show
from prompts.tell.figures import Picture

# After Okabe and Ito, so dark or so light that they stand out from white and from black.
COLOURS = ("#0072b2", "#c77c00", "#009e73", "#c4629a", "#3b98d2", "#d55e00")
TWO_SIDED = ((0, "#0072b2"), (0.5, "#f7f7f7"), (1, "#d55e00"))  # around zero
ONE_SIDED = ((0, "#f7f7f7"), (1, "#0072b2"))
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}
MOST_MARKED = 12  # places on an axis that are all named
DIGITS = 3
ROOM = 0.45  # of a strip's height, above its bars and below them
WIDEST_CELL = 6  # characters
FEW = 8  # columns of a matrix with room for more digits
PLOT, STRIP, ROW, EDGE = 260, 70, 32, 60  # heights in pixels


def drawn(picture: Picture) -> str:
    """The picture as the JSON that plotly reads in the browser."""
    traces, layout = _KINDS[picture.figure.kind](picture)
    found = go.Figure(data=traces, layout={**_ground(), **layout, "meta": picture.title}).to_plotly_json()
    found["layout"].pop("template", None)  # plotly's own colours and grid
    return json.dumps({**found, "config": CONFIG}, ensure_ascii=False, allow_nan=False)


def _ground() -> dict[str, Any]:
    return {
        "height": PLOT,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 11},
        "colorway": list(COLOURS),
        "dragmode": False,
        "hovermode": "x unified",
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    }


def _axis(title: str = "", **more: Any) -> dict[str, Any]:
    grid = {"gridcolor": "rgba(148,163,184,0.35)", "gridwidth": 1, "zerolinecolor": "#94a3b8", "zerolinewidth": 1}
    return {
        "title": {"text": title, "standoff": 6},
        "automargin": True,
        "fixedrange": True,
        "tickangle": 0,
        **grid,
        **more,
    }


def _along(picture: Picture) -> dict[str, Any]:
    """The axis of the series: every token by its name, as long as there is room."""
    figure = picture.figure
    axis = _axis(picture.names[figure.x_name], showgrid=False, zeroline=False)
    if len(figure.x) > MOST_MARKED:
        return axis
    return {**axis, "tickmode": "array", "tickvals": list(figure.x), "ticktext": _under(picture)}


def _under(picture: Picture) -> list[str]:
    if not picture.tokens:
        return list(picture.places)
    return [f"{place}<br>{token}" for place, token in zip(picture.places, picture.tokens, strict=True)]


def _near(x: Any, digits: int = DIGITS) -> str:
    return "" if x is None else show(x, digits).text


# ---------------------------------------------------------------- the kinds of figure


def _bars(picture: Picture) -> Any:
    traces = [
        go.Bar(x=list(picture.figure.x), y=list(row), name=picture.names[key], **_hover(row))
        for key, row in picture.figure.series.items()
    ]
    return traces, _two_axes(picture, len(traces))


def _lines(picture: Picture) -> Any:
    few = len(picture.figure.x) <= MOST_MARKED
    looks = zip(cycle(MARKS), cycle(DASHES), strict=True)
    traces = [
        go.Scatter(
            x=list(picture.figure.x),
            y=list(row),
            name=picture.names[key],
            mode="lines+markers" if few else "lines",
            marker={"symbol": mark, "size": 8},
            line={"dash": dash, "width": 2.5},
            **_hover(row),
        )
        for (key, row), (mark, dash) in zip(picture.figure.series.items(), looks, strict=False)
    ]
    return traces, _two_axes(picture, len(traces))


def _two_axes(picture: Picture, series: int) -> dict[str, Any]:
    return {
        "xaxis": _along(picture),
        "yaxis": _axis(picture.names[picture.figure.y_name]),
        "showlegend": series > 1,
    }


def _hover(row: tuple[Any, ...]) -> dict[str, Any]:
    return {"customdata": ["–" if x is None else show(x).text for x in row], "hovertemplate": "%{customdata}"}


def _panels(picture: Picture) -> Any:
    """One strip under the other, each with bars and their numbers."""
    series = picture.figure.series
    traces: list[Any] = []
    layout: dict[str, Any] = {"height": EDGE + STRIP * len(series), "showlegend": False}
    bands = list(_bands(len(series)))
    for i, (key, row) in enumerate(series.items()):
        axis = "y" if i == 0 else f"y{i + 1}"
        traces.append(
            go.Bar(
                x=list(picture.figure.x),
                y=list(row),
                yaxis=axis,
                text=[_near(x) for x in row] if len(row) <= MOST_MARKED else None,
                textposition="outside",
                cliponaxis=False,
                marker={"color": COLOURS[i % len(COLOURS)]},
                **_hover(row),
            )
        )
        layout[axis.replace("y", "yaxis")] = _axis(
            domain=bands[i],
            range=_with_room([x for x in row if x is not None]),
            showgrid=False,
            tickmode="array",
            tickvals=[0],
            ticktext=[f"{picture.names[key]}  "],
        )
    return traces, {**layout, "xaxis": {**_along(picture), "anchor": traces[-1].yaxis}}


def _with_room(numbers: list[float]) -> list[float]:
    """From the lowest to the highest, zero included, and room for the numbers beyond the bars."""
    low, high = min(0, *numbers), max(0, *numbers)
    room = ROOM * (high - low) or 1
    return [low - room if low < 0 else low, high + room]


def _bands(count: int) -> Iterator[list[float]]:
    """The strips' shares of the height, from the top, with room for the numbers between them."""
    for i in range(count):
        yield [(count - 1 - i) / count, (count - 1 - i + 0.9) / count]


def _heat(picture: Picture) -> Any:
    figure = picture.figure
    rows = [list(row) for row in figure.series.values()]
    numbers = [x for row in rows for x in row if x is not None]
    two_sided = min(numbers) < 0 < max(numbers)
    digits = DIGITS if len(figure.x) <= FEW else DIGITS - 1
    widest = WIDEST_CELL if len(figure.x) <= MOST_MARKED else 0
    written = [[text if len(text) <= widest else "" for text in (_near(x, digits) for x in row)] for row in rows]
    trace = go.Heatmap(
        z=rows,
        x=list(range(len(figure.x))),
        y=list(range(len(rows))),
        text=written,
        textfont={"size": 11 if len(figure.x) <= FEW else 9},
        texttemplate="%{text}",
        customdata=[["–" if x is None else show(x).text for x in row] for row in rows],
        hovertemplate="%{customdata}<extra></extra>",
        colorscale=TWO_SIDED if two_sided else ONE_SIDED,
        zmid=0 if two_sided else None,
        xgap=1,
        ygap=1,
        showscale=False,
    )
    across = _axis(
        "" if figure.x_name in SYMBOLS and isinstance(figure.x[0], int | str) else picture.names[figure.x_name],
        tickmode="array",
        tickvals=list(range(len(figure.x))),
        ticktext=_under(picture),
        showgrid=False,
        zeroline=False,
    )
    down = _axis(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[picture.names[key] for key in figure.series],
        autorange="reversed",
        showgrid=False,
        zeroline=False,
    )
    return [trace], {"xaxis": across, "yaxis": down, "height": EDGE + ROW * len(rows), "hovermode": "closest"}


def _waterfall(picture: Picture) -> Any:
    """From where it starts, up and down by each step, to where it ends."""
    figure = picture.figure
    ((key, steps),) = figure.series.items()
    heights = [figure.start, *steps, figure.end]
    names = [picture.names[figure.y_name], *_under(picture), picture.names[figure.z_name]]
    trace = go.Waterfall(
        x=list(range(len(heights))),
        y=heights,
        measure=["absolute", *("relative" for _ in steps), "total"],
        text=[_near(x) for x in heights] if len(names) <= MOST_MARKED else None,
        customdata=[show(x).text for x in heights],
        textposition="outside",
        cliponaxis=False,
        increasing={"marker": {"color": COLOURS[2]}},
        decreasing={"marker": {"color": COLOURS[5]}},
        totals={"marker": {"color": COLOURS[0]}},
        hovertemplate="%{customdata}<extra></extra>",
    )
    across = _axis(picture.names[key], showgrid=False, zeroline=False)
    if len(names) <= MOST_MARKED:
        across |= {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names}
    return [trace], {"xaxis": across, "yaxis": _axis(rangemode="tozero"), "showlegend": False, "hovermode": "closest"}


def _timeline(picture: Picture) -> Any:
    """State, token, state, token …: above, what belongs to a state; below, what belongs to a token."""
    figure = picture.figure
    of_token = [key for key in figure.series if key not in figure.of_state]
    heights = {key: 1 + i for i, key in enumerate(reversed(figure.of_state), start=1)}
    heights |= {key: -1 - i for i, key in enumerate(of_token)}
    path = [(place - 0.5, 1) if state else (place, 0) for place in figure.x for state in (True, False)]
    path.append((figure.x[-1] + 0.5, 1))
    traces = [
        go.Scatter(
            x=[x for x, _ in path],
            y=[y for _, y in path],
            mode="lines+markers",
            line={"color": "#94a3b8", "width": 1.5},
            marker={
                "size": 13,
                "symbol": ["circle" if y else "square" for _, y in path],
                "color": [COLOURS[0] if y else COLOURS[1] for _, y in path],
            },
            hoverinfo="skip",
        )
    ]
    for key, row in figure.series.items():
        shift = -0.5 if key in figure.of_state else 0.0
        traces.append(
            go.Scatter(
                x=[x + shift for x in figure.x],
                y=[heights[key]] * len(row),
                mode="text",
                text=[_near(x) for x in row],
                **_hover(row),
            )
        )
    lanes = {**heights, "s": 1, "a": 0}
    named = {**picture.names, "s": "s<sub>t</sub>", "a": "a<sub>t</sub>"}
    down = _axis(
        tickmode="array",
        tickvals=list(lanes.values()),
        ticktext=[named[key] for key in lanes],
        showgrid=False,
        zeroline=False,
        range=[min(lanes.values()) - 0.6, max(lanes.values()) + 0.6],
    )
    layout = {"xaxis": _along(picture), "yaxis": down, "height": EDGE + ROW * len(lanes)}
    return traces, {**layout, "showlegend": False, "hovermode": "closest"}


_KINDS = {
    "bars": _bars,
    "lines": _lines,
    "panels": _panels,
    "heat": _heat,
    "waterfall": _waterfall,
    "timeline": _timeline,
}
