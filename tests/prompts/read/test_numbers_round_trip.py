"""What is printed in any supported layout is read back."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.read.numbers import read_numbers

Lists = dict[str, list[float]]
SPELLINGS = {
    "rewards": ("r", "rewards", "token_level_rewards", "奖励"),
    "values": ("V", "values", "critic values", "价值"),
}
SYMBOLS = {"rewards": "r", "values": "V"}


def _short(x: float) -> str:
    return f"{x:.4f}".rstrip("0").rstrip(".")


def _with(opening: str, comma: str, closing: str, equals: str, between: str) -> Callable[[Lists], str]:
    def layout(lists: Lists) -> str:
        return between.join(
            f"{SYMBOLS[n]}{equals}{opening}{comma.join(map(_short, v))}{closing}" for n, v in lists.items()
        )

    return layout


def _in_words(k: int, is_: str, comma: str, between: str) -> Callable[[Lists], str]:
    def layout(lists: Lists) -> str:
        return between.join(f"{SPELLINGS[n][k]}{is_}{comma.join(map(_short, v))}" for n, v in lists.items())

    return layout


def _by_column(separator: str, rule: str) -> Callable[[Lists], str]:
    def layout(lists: Lists) -> str:
        head = separator.join(SYMBOLS[n] for n in lists)
        rows = [separator.join(map(_short, row)) for row in zip(*lists.values(), strict=True)]
        return "\n".join([f"| {head} |", rule, *(f"| {row} |" for row in rows)] if rule else [head, *rows])

    return layout


def _by_row(lists: Lists) -> str:
    width = len(lists["rewards"])
    head = "| t | " + " | ".join(map(str, range(width))) + " |\n|" + "---|" * (width + 1)
    return head + "".join(f"\n| {SYMBOLS[n]} | " + " | ".join(map(_short, v)) + " |" for n, v in lists.items())


LAYOUTS: dict[str, Callable[[Lists], str]] = {
    "python": _with("[", ", ", "]", " = ", "\n"),
    "tight": _with("[", ",", "]", "=", ", "),
    "spaces in brackets": _with("[", " ", "]", "=", "; "),
    "parentheses": _with("(", ", ", ")", " = ", ", "),
    "full width": _with("［", "，", "］", "＝", "；"),
    "nested": _with("[[", ", ", "]]", ": ", "\n"),
    "bare spaces": _with("", " ", "", " ", " "),
    "bare commas": _with("", ", ", "", " = ", "; "),
    "english": _in_words(1, " are ", ", ", " and "),
    "identifiers": _in_words(2, ": ", " ", "\n"),
    "chinese": _in_words(3, "是", "、", "，"),
    "chinese list": _in_words(3, "依次为", ", ", "。"),
    "json": lambda lists: json.dumps(lists),
    "dict": lambda lists: str(lists),
    "numpy": lambda lists: "\n".join(f"{SYMBOLS[n]} = {np.array(v)}" for n, v in lists.items()),
    "tensor": lambda lists: "\n".join(
        f"{SYMBOLS[n]} = {torch.tensor(v, dtype=torch.float64)}" for n, v in lists.items()
    ),
    "markdown by column": _by_column(" | ", "|---|---|"),
    "markdown by row": _by_row,
    "csv": _by_column(",", ""),
    "tabs": _by_column("\t", ""),
    "aligned": _by_column("    ", ""),
    "one a line": lambda lists: "\n".join(f"{n}:\n" + "\n".join(map(_short, v)) for n, v in lists.items()),
    "elements": lambda lists: ", ".join(
        f"{SYMBOLS[n]}_{i}={_short(x)}" for n, v in lists.items() for i, x in enumerate(v)
    ),
    "latex": lambda lists: " ".join(f"$\\hat{{{SYMBOLS[n]}}}=({', '.join(map(_short, v))})$" for n, v in lists.items()),
    "markdown emphasis": lambda lists: "\n".join(
        f"- **{n}**: `[{', '.join(map(_short, v))}]`" for n, v in lists.items()
    ),
    "behind": lambda lists: " and ".join(f"[{', '.join(map(_short, v))}] as {n}" for n, v in lists.items()),
}


def _rounded(x: float) -> float:
    return float(_short(round(x, 4))) + 0.0


@st.composite
def lists(draw: st.DrawFn) -> Lists:
    width = draw(st.integers(2, 9))
    numbers = st.floats(-99, 99, allow_nan=False).map(_rounded)
    return {n: draw(st.lists(numbers, min_size=width, max_size=width)) for n in ("rewards", "values")}


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(derandomize=True, deadline=None, max_examples=40)
@given(given_lists=lists())
def test_what_is_printed_is_read_back(layout: str, given_lists: Lists) -> None:
    read = read_numbers(LAYOUTS[layout](given_lists))
    assert read.error is None
    for name, expected in given_lists.items():
        found = read.params[name]
        found = found[0] if isinstance(found[0], list) else found
        assert found == pytest.approx(expected, abs=1e-3), layout


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    gamma=st.floats(0, 1).map(lambda x: round(x, 3)),
    lam=st.floats(0, 1).map(lambda x: round(x, 3)),
    spelling=st.sampled_from(
        [
            "γ={g}, λ={l}",
            "gamma {g} lam {l}",
            "gamma, lam = {g}, {l}",
            "折扣{g}，λ取{l}",
            "gamma{g} lam{l}",
            r"$\gamma={g},\ \lambda={l}$",
            "discount factor of {g} and a lambda of {l}",
            "伽马 {g} 兰姆达 {l}",
            "algorithm.gamma={g} algorithm.lam={l}",
            "gae_lambda={l}, gamma: {g}",
        ]
    ),
)
def test_parameters_are_read_in_every_spelling(gamma: float, lam: float, spelling: str) -> None:
    read = read_numbers(f"r=[0,1], V=[.2,.3], {spelling.format(g=gamma, l=lam)}")
    assert (read.params["gamma"], read.params["lam"]) == (gamma, lam)


def test_the_checker_can_fail() -> None:
    read = read_numbers(LAYOUTS["python"]({"rewards": [0.0, 1.0], "values": [0.5, 0.6]}).replace("0.6", "0.7"))
    assert read.params["values"] != [0.5, 0.6]
