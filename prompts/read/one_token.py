"""The numbers of one token, named one by one: V = .6, A = .3, so the return is .8."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine import formulas
from engine.audits import Claim
from engine.computing import computed
from engine.errors import EngineError
from engine.readings.exact import exactly
from engine.scenario import scenario
from prompts.read.numbers.groups import group
from prompts.read.numbers.heads import can_be_stated, expression
from prompts.read.numbers.numerals import decimals_shown
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan
from prompts.read.statement import Statement

REWARD_OF_ONE = "last_reward_is_one"
FURTHEST = 4  # tokens between a name and its number
_LAST = re.compile(r"\b(?:last|final|terminal)\b|最后|末尾|末位", re.IGNORECASE)
_NEXT = re.compile(r"t ?\+ ?1|tp1|\bnext\b|下一", re.IGNORECASE)
_EXPECTED = re.compile(
    r"\bcritic\b(?: had| has|'s)?(?: already| only)? (?:expect\w*|predict\w*|estimat\w*|sa(?:id|ys)|gave|gives|saw)"
    r"(?: about| only| a)? ?(?:value of )?(?P<en>\d?\.\d{1,6}|\d)(?![\d%]|\.\d)"
    r"|critic ?(?:已经|早就|早已|本来|原本|只)?(?:预期|预测|预计|估计|估|给出|认为|说|料到)(?:了|是|为|的是|有"
    r"|会有)? ?(?P<zh>\d?\.\d{1,6}|\d)(?![\d%]"
    r"|\.\d)",
    re.IGNORECASE,
)
_BECOMES = frozenset(["equals", "word", "quote", "arrow"])
_BEING = re.compile(
    r"(?:is|was|are|of|only|just|at|comes|to|says|a|then|be|equals|about)\Z|.*(?:是|为|等于|得|成|写|算出|取|有)\Z",
    re.IGNORECASE,
)
_ALIKE = {"kl_values": "k1", "kl": "k1", "mc_returns": "returns", "excess": "mc_advantages"}
_RATES = ("gamma", "lam", "beta")
# What follows from what, on one token: the exact formula, and the names of its arguments.
_FOLLOWS: tuple[tuple[str, tuple[str, ...], Callable[..., Any]], ...] = (
    ("returns", ("advantages", "values"), formulas.critic_target),
    ("advantages", ("returns", "values"), formulas.advantage),
    ("rewards", ("scores", "k1", "beta"), formulas.token_reward),
    ("k1", ("logp", "ref_logp"), formulas.k1),
    ("ratio", ("new_logp", "old_logp"), formulas.ratio),
    ("deltas", ("rewards", "values", "next_value", "gamma"), formulas.td_error),
    ("mc_advantages", ("returns", "values"), formulas.advantage),
    ("delta_sum", ("mc_advantages",), lambda excess: excess),
    ("mc_advantages", ("delta_sum",), lambda total: total),
)


_IN_LISTS = {"k1": "kl_values"}


class _Named(NamedTuple):
    name: str
    written: str
    place: int


def one_token(text: str, given: Mapping[str, Any]) -> Statement | None:
    """The last number that follows from the others, beside what it is; the numbers are of one and the same token."""
    tokens = scan(text)
    grouping = group(tokens)
    if grouping.error is not None or any(not numbers.scalar for numbers in grouping.groups):
        return None
    named = _named(tokens, text)
    if len({one.name for one in named}) < len(named) or _of_several_tokens(tokens):
        return None
    numbers = {one.name: float(one.written) for one in named}
    known = {name: float(x) for name, x in given.items() if name in _RATES and isinstance(x, int | float)}
    known = {"gamma": 1.0, **known, **numbers}
    notes: tuple[str, ...] = ()
    if _LAST.search(text):
        known["next_value"] = 0.0
        if "rewards" not in known and {"deltas", "values"} <= set(numbers):
            known["rewards"], notes = 1.0, (REWARD_OF_ONE,)
    for one in reversed(named):
        for name, arguments, formula in _FOLLOWS:
            if name == one.name and set(arguments) <= set(known) and set(arguments) & set(numbers):
                correct = _exact(formula, [known[argument] for argument in arguments])
                shown = decimals_shown(one.written)
                claim = Claim(name, numbers[name], shown, places=(one.place,))
                lists = _lists(name, {argument: known[argument] for argument in arguments})
                if lists is not None:  # so that a known mistake can be recognised
                    return Statement(lists, (replace(claim, index=0, decimals=max(shown, 1)),), notes)
                return Statement({}, (replace(claim, correct=correct),), notes)
    return None


def _exact(formula: Callable[..., Any], numbers: Sequence[float]) -> Any:
    return exactly(lambda number: formula(*map(number, numbers)), len(numbers))


def _lists(name: str, arguments: Mapping[str, float]) -> Mapping[str, Any] | None:
    """The arguments as a scenario of one token, where the engine computes the number from one."""
    given = {_IN_LISTS.get(x, x): value if x in _RATES else [value] for x, value in arguments.items()}
    try:
        found = computed(scenario(given), name)
    except EngineError:
        return None
    return given if found is not None and found.name == name else None


def _named(tokens: list[Token], text: str) -> list[_Named]:
    found: list[_Named] = []
    for j, token in enumerate(tokens):
        rate = token.sense is not None and token.sense.meaning in _RATES
        worked_with = j > 0 and tokens[j - 1].kind == "operator"
        if token.kind != "name" or token.sense is None or worked_with or not (rate or can_be_stated(token)):
            continue
        both = expression(tokens, j)  # G − V
        k = begin = j + 3 if both else j + 1
        while k < min(len(tokens), begin + FURTHEST) and _leads(tokens[k]):
            k += 1
        sign = "-" if k < len(tokens) and tokens[k].text == "-" and k > begin else ""
        k += bool(sign) or (k < len(tokens) and tokens[k].text == "+" and k > begin)
        if (
            (k == begin and not _listed(tokens, k))
            or k >= len(tokens)
            or tokens[k].kind != "number"
            or tokens[k].text.endswith("%")
        ):
            continue
        meaning = _ALIKE.get(both or token.sense.meaning, both or token.sense.meaning)
        following = meaning == "values" and (_NEXT.search(text[token.start : token.end]) or token.subscript == "T")
        name = "next_value" if following or meaning == "next_value" else meaning
        found.append(_Named(name, sign + tokens[k].text, tokens[k].start))
    spoken = _EXPECTED.search(text)
    if spoken and not any(one.name == "values" for one in found):
        group_name = "en" if spoken["en"] else "zh"
        found.append(_Named("values", spoken[group_name], spoken.start(group_name)))
    return sorted(filter(_plain, found), key=lambda one: one.place)


def _listed(tokens: list[Token], k: int) -> bool:
    """score 0.5, beta 0.1: a name and its number in a row of such."""
    after = tokens[k + 1] if k + 1 < len(tokens) else None
    return k < len(tokens) and tokens[k].kind == "number" and after is not None and after.kind == "comma"


def _plain(one: _Named) -> bool:
    return re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+)", one.written) is not None


def _leads(token: Token) -> bool:
    return token.kind == "equals" or (
        token.kind in _BECOMES and (token.kind != "word" or bool(_BEING.match(token.text)))
    )


def _of_several_tokens(tokens: list[Token]) -> bool:
    """A_1 = .3 and A_2 = .2: more than one place is numbered, other than by V at the next one."""
    numbered = {(t.sense.meaning, t.subscript) for t in tokens if t.sense is not None and isinstance(t.subscript, int)}
    return len({place for _, place in numbered}) > 1
