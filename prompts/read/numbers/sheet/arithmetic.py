"""What a written expression of numbers adds up to: 0.13 + 0.95·0.395."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\s*(?:(?P<x>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<op>\*\*|[-+*/·×^()（）]))")
_SAME = {"·": "*", "×": "*", "（": "(", "）": ")", "**": "^"}
LONGEST = 200


def adds_up_to(said: str) -> tuple[float | None, str]:
    """The last part of a chain that is nothing but numbers and signs, and its value; None if there is none."""
    for part in reversed(re.split(r"[=≈]", said[-LONGEST:])):
        plain = part.strip().strip("*`$ ") if not part.strip().startswith("-") else part.strip().rstrip("*`$ ")
        tokens = _tokens(plain)
        if tokens is None:
            continue
        try:
            return (_Reader(tokens).whole(), " ".join(tokens)) if _works(tokens) else (None, "")
        except (ValueError, ZeroDivisionError, OverflowError):
            return None, ""
    return None, ""


def _works(tokens: list[str]) -> bool:
    """Whether something is done with numbers: a sign before one number is part of it."""
    return len(tokens) > 2


def _tokens(text: str) -> list[str] | None:
    found: list[str] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            return None if text[position:].strip() else found
        found.append(token["x"] or _SAME.get(token["op"], token["op"]))
        position = token.end()
    return found or None


class _Reader:
    """Sums of products of powers."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def whole(self) -> float:
        found = self._sum()
        if self.at != len(self.tokens):
            raise ValueError("something is left")
        return found

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _sum(self) -> float:
        found = self._product()
        while self._peek() in ("+", "-"):
            found = found + self._product() if self._next() == "+" else found - self._product()
        return found

    def _product(self) -> float:
        found = self._power()
        while self._peek() in ("*", "/", "("):
            if self._peek() == "(":
                found *= self._power()
            else:
                found = found * self._power() if self._next() == "*" else found / self._power()
        return found

    def _power(self) -> float:
        found = self._sign()
        if self._peek() == "^":
            self._next()
            found = float(found ** self._sign())
        return found

    def _sign(self) -> float:
        token = self._next() if self._peek() else ""
        if token in ("-", "+"):
            return -self._sign() if token == "-" else self._sign()
        if token == "(":
            found = self._sum()
            if self._peek() != ")":
                raise ValueError("not closed")
            self._next()
            return found
        return float(token)
