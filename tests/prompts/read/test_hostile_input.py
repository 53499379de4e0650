"""Whatever is sent, the reader answers: it never raises, runs nothing, and its work is linear in the message."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prompts.read
from engine.errors import EngineError
from engine.scenario import LONGEST, scenario
from prompts.read.characters import LONGEST_MESSAGE
from prompts.read.normalise import normalise
from prompts.read.numbers import Numbers, read_numbers, wanted_facts, wanted_quantity

HERE = Path(__file__).parent
SEEDS = [line for line in (HERE / "seeds.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")]
PIECES = [
    "r",
    "V",
    "γ",
    "λ",
    "=",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ",",
    "、",
    " ",
    "\n",
    "|",
    "0",
    "1",
    ".5",
    "-",
    "+",
    "*",
    "/",
    "^",
    "e",
    "_",
    "\\",
    '"',
    "'",
    "rewards",
    "values",
    "奖励",
    "价值",
    "改成",
    "append",
    "gae(",
    "tensor(",
    "nan",
    "inf",
    "None",
    "...",
    "---",
    "个",
    "zeros",
    "%",
    "x5",
]


def _seed(line: str) -> str:
    """A literal, or a sum of repeated literals, without eval."""
    pieces = [re.fullmatch(r'("(?:[^"\\]|\\.)*")(?: \* (\d+))?', part) for part in re.split(r' \+ (?=")', line)]
    assert all(pieces), line
    return "".join(ast.literal_eval(p[1]) * int(p[2] or 1) for p in pieces if p)


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for entry in value:
            yield from _values(entry)
    else:
        yield value


def _answered(message: str) -> Numbers:
    read = read_numbers(message)
    assert all(isinstance(x, float | str | None) for x in _values([read.params, read.claimed]))
    assert all(not isinstance(v, list) or len(v) <= LONGEST for v in read.params.values())
    assert read.error is None or (isinstance(read.error, EngineError) and read.params == {})
    assert len(read.residue) <= LONGEST_MESSAGE
    wanted_quantity(message, read)
    wanted_facts(message)
    normalise(message)
    return read


def _passes_the_door_or_is_refused(read: Numbers) -> None:
    try:
        scenario(read.params)
    except EngineError as refused:
        assert refused.code


@pytest.mark.parametrize("line", SEEDS)
def test_every_seed_is_answered(line: str) -> None:
    _passes_the_door_or_is_refused(_answered(_seed(line)))


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_grammar_shaped_noise_is_answered(message: str) -> None:
    _passes_the_door_or_is_refused(_answered(message))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda b: b.decode("utf-8", "surrogateescape")))
def test_any_text_is_answered(message: str) -> None:
    _passes_the_door_or_is_refused(_answered(message))


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("r=[" + "0," * 4096 + "0]", "too_long"),
        ("r = " + "0 " * 4100, "too_long"),
        ("r = [0]*4097", "too_long"),
        ("r = " + "0, " * 100_000, "message_too_long"),
        ("x" * 1_000_000, "message_too_long"),
        ("[" * 33 + "0" + "]" * 33, "too_deep"),
        ("r=[0,0,1, V=[.3,.4,.6]", "unbalanced"),
        ('{"rewards": [0,0,1], "values": [.3,.4', "unbalanced"),
        ("r=1 " * 4000, "too_many_pieces"),
    ],
)
def test_too_much_is_refused_with_its_code(message: str, code: str) -> None:
    read = read_numbers(message)
    assert read.error is not None
    assert read.error.code == code


def test_the_longest_list_is_read() -> None:
    assert len(read_numbers("r=[" + ",".join(["0"] * LONGEST) + "]").params["rewards"]) == LONGEST


# ---------------------------------------------------------------- bounded work


def _calls(message: str) -> int:
    """How many functions are called, Python's and C's, to read a message."""
    count = 0

    def tally(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tally)
    try:
        _answered(message)
    finally:
        sys.setprofile(None)
    return count


REPEATED = [
    "r=1 ",
    "r=[0,1] ",
    "λ=0.5 ",
    "| r | V |\n",
    "|---|---|\n",
    "r,V\n1,2\n",
    "奖励是0，",
    "把最后一个奖励改成2，",
    "append one token with reward 1. ",
    "gae([1],[2]) ",
    "V[1]=",
    "A_{t} ",
    "5个0",
    "1+1=",
    "just the δ, ",
    "λ=1 gives [1,2], ",
    "old log prob ",
    "the quick fox ",
    "\\hat{A}_t ",
    "][",
    "1/2 ",
]


@pytest.mark.parametrize("piece", REPEATED)
def test_work_is_linear_in_the_message(piece: str) -> None:
    small, large = (_calls(piece * (size // len(piece))) for size in (1500, 4500))
    assert large <= 3.6 * small + 2000


def test_the_counter_sees_quadratic_work() -> None:
    def quadratic(n: int) -> int:
        count = 0

        def tally(_frame: Any, event: str, _arg: Any) -> None:
            nonlocal count
            count += event == "c_call"

        sys.setprofile(tally)
        try:
            for _ in range(n):
                for _ in range(n):
                    len("")
        finally:
            sys.setprofile(None)
        return count

    assert quadratic(90) > 3.6 * quadratic(30)


def _patterns() -> list[re.Pattern[str]]:
    modules = [m for name, m in sys.modules.items() if name.startswith("prompts.read")]
    found = [v for m in modules for v in vars(m).values()]
    nested = [x for v in found if isinstance(v, dict | tuple) for x in (v.values() if isinstance(v, dict) else v)]
    return [x for x in [*found, *nested] if isinstance(x, re.Pattern)]


def _nests_repeats(parsed: Any, inside: bool = False) -> bool:
    """Whether an unbounded repeat that may give back stands in another: the shape of catastrophic matching."""
    for op, argument in parsed:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, body = argument
            unbounded = most > 1000
            if (unbounded and inside) or _nests_repeats(body, inside or unbounded):
                return True
        elif name == "POSSESSIVE_REPEAT":
            if _nests_repeats(argument[2], False):
                return True
        elif name == "SUBPATTERN":
            if _nests_repeats(argument[3], inside):
                return True
        elif name == "BRANCH" and any(_nests_repeats(branch, inside) for branch in argument[1]):
            return True
    return False


def _parsed(pattern: str, flags: int = 0) -> Any:
    return re._parser.parse(pattern, flags)  # type: ignore[attr-defined]


def test_no_pattern_can_backtrack_exponentially() -> None:
    patterns = _patterns()
    assert len(patterns) > 60
    assert not [p.pattern for p in patterns if _nests_repeats(_parsed(p.pattern, p.flags))]


def test_the_pattern_check_can_fail() -> None:
    assert _nests_repeats(_parsed(r"(a+)+b"))
    assert not _nests_repeats(_parsed(r"(?:a++)++b"))


# ---------------------------------------------------------------- nothing is run

FORBIDDEN = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "sympify",
    "parse_expr",
    "lambdify",
    "literal_eval",
    "loads",
    "open",
    "getattr",
}


def test_no_reader_calls_what_could_run_text() -> None:
    allowed = {("compile", "re"), ("loads", "tomllib"), ("loads", "json")}
    for path in Path(prompts.read.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if name in FORBIDDEN:
                assert isinstance(owner, ast.Name), path
                assert (name, owner.id) in allowed, f"{path}: {name}"
