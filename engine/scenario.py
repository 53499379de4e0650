"""The learner's situation, validated at the door: one frozen value, any part of which may be absent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from engine.errors import EngineError

LONGEST = 4096  # numbers in a list
WIDEST = 256  # rows of a batch
LARGEST = 1e12  # magnitude of a number

Row: TypeAlias = tuple[float, ...]
Series: TypeAlias = Row | tuple[Row, ...]  # one response, or a batch of responses of one length
Words: TypeAlias = tuple[str, ...] | tuple[tuple[str, ...], ...]  # one response's tokens, or those of each of a batch

PER_TOKEN = (
    "scores",
    "logp",
    "ref_logp",
    "kl_values",
    "rewards",
    "values",
    "mask",
    "advantages",
    "returns",
    "new_logp",
    "old_logp",
    "ratio",
    "vpreds",
    "old_values",
)
LISTS = (*PER_TOKEN, "lams", "group_rewards")
LOG_PROBABILITIES = ("logp", "ref_logp", "new_logp", "old_logp")
FRACTIONS = ("gamma", "lam")  # in [0, 1]
WIDTHS = ("beta", "eps", "eps_low", "eps_high", "cliprange_value")  # not negative
PARAMETERS = (*FRACTIONS, *WIDTHS, "kl")


class Scenario(BaseModel):
    """Lists by token (or rows of them), and the parameters. What is not given is None, never a guess."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    prompt: str | None = None
    tokens: Words | None = None
    scores: Series | None = None
    logp: Series | None = None
    ref_logp: Series | None = None
    kl_values: Series | None = None
    rewards: Series | None = None
    values: Series | None = None
    mask: Series | None = None
    advantages: Series | None = None
    returns: Series | None = None
    new_logp: Series | None = None
    old_logp: Series | None = None
    ratio: Series | None = None
    vpreds: Series | None = None
    old_values: Series | None = None
    lams: Row | None = None
    group_rewards: Series | None = None
    gamma: float | None = None
    lam: float | None = None
    beta: float | None = None
    eps: float | None = None
    eps_low: float | None = None
    eps_high: float | None = None
    cliprange_value: float | None = None
    kl: Literal["k1", "k2", "k3", "abs"] | None = None

    _batched: bool = PrivateAttr(default=False)

    @model_validator(mode="before")
    @classmethod
    def _numbers(cls, given: Any) -> Any:
        """Lists become tuples of finite floats; a batch of one row is one response."""
        if not isinstance(given, Mapping):
            raise PydanticCustomError("not_an_object", "a scenario is an object of named lists and numbers")
        read = dict(given)
        for name in LISTS:
            if read.get(name) is not None:
                read[name] = _series(name, read[name])
        for name in (*FRACTIONS, *WIDTHS):
            if read.get(name) is not None:
                read[name] = _number(name, read[name], ())
        if isinstance(read.get("tokens"), list | tuple):
            read["tokens"] = tuple(tuple(row) if isinstance(row, list) else row for row in read["tokens"])
        return read

    @model_validator(mode="after")
    def _sensible(self) -> Scenario:
        for name in FRACTIONS:
            _in_range(name, getattr(self, name), 0, 1)
        for name in WIDTHS:
            _in_range(name, getattr(self, name), 0, LARGEST)
        for where, lam in _entries(self.lams):
            _in_range("lams", lam, 0, 1, where)
        for name in LOG_PROBABILITIES:
            for position, x in _entries(getattr(self, name)):
                if x > 0:
                    raise _refusal("positive_logp", name, position, value=x)
        self._mask_is_sensible()
        self._lengths_agree()
        return self

    def _mask_is_sensible(self) -> None:
        for position, x in _entries(self.mask):
            if x not in (0, 1):
                raise _refusal("mask_not_binary", "mask", position, value=x)
        for row, keep in enumerate(self.rows("mask") if self.mask else ()):
            if not any(keep):
                raise _refusal("nothing_valid", "mask", (row,))

    def _lengths_agree(self) -> None:
        """All lists by token have one shape; tokens have it too, or the length of one response."""
        present = [(name, _shape(getattr(self, name))) for name in PER_TOKEN if getattr(self, name) is not None]
        self._batched = any(rows > 1 for _, (rows, _) in present)
        if self.tokens is not None and present:
            told, (_, (count, _)) = written(self.tokens), present[0]
            present += [("tokens", (count if len(told) == 1 else len(told), len(words))) for words in told]
        for name, (rows, length) in present:
            other, (other_rows, other_length) = present[0]
            if (rows, length) != (other_rows, other_length):
                code = "length_mismatch" if length != other_length else "rows_mismatch"
                counts = (length, other_length) if length != other_length else (rows, other_rows)
                raise _refusal(code, name, (), length=counts[0], other=other, other_length=counts[1])

    @property
    def batched(self) -> bool:
        return self._batched

    @property
    def length(self) -> int:
        """T, the number of response tokens; 0 when no list by token is given."""
        for name in PER_TOKEN:
            series = getattr(self, name)
            if series is not None:
                return _shape(series)[1]
        return 0

    def rows(self, name: str) -> tuple[Row, ...]:
        """A given list as the rows of a batch, one row when it is a single response."""
        series = getattr(self, name)
        return series if series and isinstance(series[0], tuple) else (series,)

    def given(self) -> dict[str, Any]:
        """The parts that are present, by name."""
        return {name: x for name, x in self if x is not None}

    def merged(self, other: Mapping[str, Any]) -> Scenario:
        """This scenario with the parts of another put in the place of its own."""
        return scenario({**self.given(), **other})


def written(tokens: Words) -> tuple[tuple[str, ...], ...]:
    """Tokens as the rows of a batch, one row when they are a single response's."""
    return tuple(row for row in tokens if isinstance(row, tuple)) or (
        tuple(token for token in tokens if isinstance(token, str)),
    )


def scenario(given: Mapping[str, Any]) -> Scenario:
    """A validated Scenario, or the EngineError that names the field, the position and what is wrong with it."""
    try:
        return Scenario.model_validate(given)
    except ValidationError as refused:
        first = refused.errors(include_url=False, include_input=False)[0]
        context = first.get("ctx", {})
        if "field" in context or first["type"] == "not_an_object":
            raise EngineError(first["type"], **context) from None
        field = str(first["loc"][0]) if first["loc"] else "scenario"
        code = {"extra_forbidden": "unknown_field", "literal_error": "unknown_kl"}.get(first["type"], "wrong_type")
        raise EngineError(code, field=field, position=()) from None


# ---------------------------------------------------------------- reading numbers


def _refusal(code: str, field: str, position: tuple[int, ...], **details: Any) -> PydanticCustomError:
    return PydanticCustomError(code, "{field}", {"field": field, "position": position, **details})


def _number(field: str, x: Any, position: tuple[int, ...]) -> float:
    if isinstance(x, bool) and field == "mask":
        return float(x)
    if isinstance(x, bool) or not isinstance(x, int | float):
        raise _refusal("not_a_number", field, position)
    if isinstance(x, int) and abs(x) > LARGEST:
        raise _refusal("too_large", field, position, limit=LARGEST)
    if not math.isfinite(x):
        raise _refusal("not_finite", field, position, value=str(float(x)))
    if abs(x) > LARGEST:
        raise _refusal("too_large", field, position, limit=LARGEST)
    return float(x)


def _series(field: str, given: Any) -> Series:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise _refusal("not_a_list", field, ())
    if not given:
        raise _refusal("empty", field, ())
    if not isinstance(given[0], Sequence) or isinstance(given[0], str):
        return _row(field, given, ())
    if len(given) > WIDEST:
        raise _refusal("too_long", field, (), length=len(given), limit=WIDEST)
    rows = []
    for position, row in enumerate(given):
        if not isinstance(row, Sequence) or isinstance(row, str):
            raise _refusal("not_a_list", field, (position,))
        rows.append(_row(field, row, (position,)))
        if len(row) != len(rows[0]) and field != "group_rewards":
            raise _refusal("ragged", field, (position,), length=len(row), other_length=len(rows[0]))
    return rows[0] if len(rows) == 1 else tuple(rows)


def _row(field: str, given: Sequence[Any], position: tuple[int, ...]) -> Row:
    if not given:
        raise _refusal("empty", field, position)
    if len(given) > LONGEST:
        raise _refusal("too_long", field, position, length=len(given), limit=LONGEST)
    return tuple(_number(field, x, (*position, i)) for i, x in enumerate(given))


def _in_range(field: str, x: float | None, low: float, high: float, position: tuple[int, ...] = ()) -> None:
    if x is not None and not low <= x <= high:
        raise _refusal("out_of_range", field, position, value=x, low=low, high=high)


def _entries(series: Series | None) -> list[tuple[tuple[int, ...], float]]:
    """Every number of a list with its position."""
    found: list[tuple[tuple[int, ...], float]] = []
    for i, x in enumerate(series or ()):
        row = x if isinstance(x, tuple) else (x,)
        where = [(i, j) for j in range(len(row))] if isinstance(x, tuple) else [(i,)]
        found += zip(where, row, strict=True)
    return found


def _shape(series: Series) -> tuple[int, int]:
    """Rows and columns; a single response is one row."""
    first = series[0]
    return (len(series), len(first)) if isinstance(first, tuple) else (1, len(series))
