"""Templates of words: (a|b|) is each of its alternatives, x? may be left out, [xy] one of these, \\x is x."""

from __future__ import annotations


def expanded(template: str) -> set[str]:
    """Every string that a template stands for."""
    found, end = _alternatives(template, 0)
    assert end == len(template), template
    return found


def _alternatives(template: str, i: int) -> tuple[set[str], int]:
    found, i = _row(template, i)
    while i < len(template) and template[i] == "|":
        more, i = _row(template, i + 1)
        found |= more
    return found, i


def _row(template: str, i: int) -> tuple[set[str], int]:
    found = {""}
    while i < len(template) and template[i] not in "|)":
        piece, i = _piece(template, i)
        if template[i : i + 1] == "?":
            piece, i = piece | {""}, i + 1
        found = {before + after for before in found for after in piece}
    return found, i


def _piece(template: str, i: int) -> tuple[set[str], int]:
    if template[i] == "(":
        found, end = _alternatives(template, i + 1)
        return found, end + 1
    if template[i] == "[":
        end = template.index("]", i)
        return set(template[i + 1 : end]), end + 1
    escaped = template[i] == "\\"
    return {template[i + escaped]}, i + 1 + escaped
