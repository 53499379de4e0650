"""Which critic output is the value of which token: read on a causal critic small enough to look through.

The critic's output at a position knows the tokens up to there and none after; so the value before response token t
is the output at the position before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.ops import Number


def causal(tokens: Sequence[Number]) -> list[Number]:
    """A stand-in for a causal critic: each output is made of all tokens up to its position, and of no later one."""
    outputs, total = [], 0 * tokens[0]
    for token in tokens:
        total = total + token
        outputs.append(total)
    return outputs


def cut(outputs: Sequence[Number], length: int, shift: int = 0) -> list[Number]:
    """`length` of the outputs: at shift 0 those before each response token, at 1 those at the tokens themselves."""
    start = len(outputs) - length - 1 + shift
    return list(outputs[start : start + length])


def sees(prompt: int, length: int, shift: int = 0) -> list[list[Number]]:
    """Row t: 1 for each response token that changes the t-th value when it is another token, by changing it."""
    tokens = [0.0] * (prompt + length)
    before = cut(causal(tokens), length, shift)
    columns = []
    for j in range(length):
        changed = [*tokens[: prompt + j], 1.0, *tokens[prompt + j + 1 :]]
        after = cut(causal(changed), length, shift)
        columns.append([float(a != b) for a, b in zip(before, after, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]
