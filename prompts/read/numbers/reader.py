"""A message to its Numbers: clean, tables, tokens, groups, names, edits, what is given and what is claimed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.errors import EngineError
from prompts.read.characters import LONGEST_MESSAGE, clean
from prompts.read.numbers.bind import Bound, bind
from prompts.read.numbers.cues import SCALARS, says
from prompts.read.numbers.draft import Draft
from prompts.read.numbers.edits import Edit, find_edits
from prompts.read.numbers.edits.edit import WHOLE
from prompts.read.numbers.grouping import Grouping
from prompts.read.numbers.groups import group
from prompts.read.numbers.model import Numbers
from prompts.read.numbers.rename import contrasted
from prompts.read.numbers.resolve import resolve
from prompts.read.numbers.spelling import plainly
from prompts.read.numbers.spoiled import spoiled
from prompts.read.numbers.strings import token_lists
from prompts.read.numbers.tables import tables
from prompts.read.numbers.token import MOST_TOKENS, Token
from prompts.read.numbers.tokens import scan
from prompts.read.steps import step

_ESTIMATOR = re.compile(
    r"(?<![A-Za-z0-9_])(k[123]|low_var_kl|mse|abs)(?![A-Za-z0-9_])(?! ?[=:\[(])", re.IGNORECASE | re.ASCII
)
_OWNING = re.compile(r"(?<=[a-z])'s(?= )", re.ASCII)  # the actor's probabilities
_BY_NOW = re.compile(  # what says when, and not which policy
    r"(?<=\bare) now\b|(?<=\bis) now\b"
    r"|现在(?=[是为变]|请|帮|把|给|来|再|白化|归一|标准化|计?算|求|看|换|改|用|裁|减|加)"
    r"|\bnow(?= (?:please |let'?s |let us )?(?:normali[sz]e|standardi[sz]e|whiten|compute|calculate|give|show|take|use"
    r"|do|set|change|clip|try|append|add|drop|remove|make|double|halve|work|find|run|suppose|assume|what|how)\b)",
    re.IGNORECASE,
)
_SAID_BEHIND = re.compile(  # [..] before the update, [..] now
    r"(?P<list>\[[^\[\]]*+\])"
    r" (?P<when>(?:before|after) (?:the )?updat(?:e|ing)(?! ?[\[=:])|now(?=\W*(?:$|and\b|[;,])))",
    re.IGNORECASE,
)
_SETS = re.compile(r"(?<=[两二三几])组(?=数|列)")  # sets of numbers, not a group of responses
_UNDISCOUNTED = re.compile(
    r"\bundiscounted\b|\b(?:no|without(?: any)?) discount(?:ing|s)?\b|\bnot discounted\b"
    r"|(?:不|无|没有?|不用|不要|别)(?:打|用|加|做)?(?:任何)?折(?:扣|现)(?!因子|系数|率)|折扣不打|不打折(?!地?(?:直接)?(?:加|求和|累加|相加))",
    re.IGNORECASE,
)
_USE = re.compile(r"\buse\b|\bwith\b|\binstead\b|\btry\b|用|换|呢", re.IGNORECASE | re.ASCII)
_ALIASES = {"low_var_kl": "k3", "mse": "k2"}
SHORTEST = 40  # characters of a message that is nothing but a change of the estimator
_FOR_KL = frozenset(["scores", "logp", "ref_logp", "kl_values"])


@step(lambda text, **_: Numbers.none(text))
def read_numbers(text: str, *, known: frozenset[str] = frozenset()) -> Numbers:
    """Every number of a message that names or states something. Never raises; work is linear in what is read.

    known: the names that were given before; what follows from them is stated, where results are doubted.
    """
    error = (
        EngineError("message_too_long", length=len(text), limit=LONGEST_MESSAGE)
        if len(text) > LONGEST_MESSAGE
        else None
    )
    plain = clean(text)
    every, rest = tables(plain)
    columns = [column for column in every if not column.empty]
    rest = _SAID_BEHIND.sub(r"\g<when> \g<list>", _BY_NOW.sub("", _OWNING.sub("", rest)))
    strings, rest = token_lists(plainly(_SETS.sub("列", rest)))
    tokens = contrasted(scan(rest), rest)
    if error is None and len(tokens) > MOST_TOKENS:
        error = EngineError("too_many_pieces", limit=MOST_TOKENS)
    grouping = group(tokens)
    error = error or grouping.error or _unbalanced(tokens, grouping)
    if error is not None:
        return Numbers(error=error, residue=_residue(plain, rest, grouping))
    bound = bind(tokens, grouping)
    found = find_edits(rest, tokens, grouping.groups)
    heads = "\n".join(["", *(column.head for column in every if column.empty)])
    draft = resolve(rest + heads, tokens, bound, columns, found.taken, known)
    if strings:
        draft.params.setdefault("tokens", strings)
    if "gamma" not in draft.params and _UNDISCOUNTED.search(rest):
        draft.params["gamma"] = 1.0
    made = tuple(edit for edit in found.edits if edit.target not in draft.fills)
    edits = made + _estimator(draft, plain)
    return Numbers(
        params=draft.params,
        claimed=draft.claimed,
        unnamed=draft.unnamed,
        notes=tuple(dict.fromkeys(draft.notes)),
        edits=edits,
        mentions=_mentions(draft, bool(columns)),
        spoiled=spoiled(rest, tokens, grouping),
        asked=tuple(column.name for column in every if column.empty),
        residue=_residue(plain, rest, grouping),
        unspent=_unspent(rest, grouping, (*found.spans, *_named(tokens, bound))),
    )


def _estimator(draft: Draft, text: str) -> tuple[Edit, ...]:
    """The one KL estimator that a request with numbers names, or that a short message changes to."""
    named = {_ALIASES.get(m[1].lower(), m[1].lower()) for m in _ESTIMATOR.finditer(text)}
    if len(named) == 1 and _FOR_KL & set(draft.params) and not {"k1", "k2", "k3"} & set(draft.claimed):
        draft.params["kl"] = named.pop()
    elif len(named) == 1 and len(text) <= SHORTEST and (says("hard_change", text) or _USE.search(text)):
        draft.params["kl"] = named.pop()
        return (Edit("set", "kl", WHOLE, draft.params["kl"]),)
    return ()


def _mentions(draft: Draft, tabled: bool) -> tuple[str, ...]:
    """Params that stand in a message without any list: spoken of, perhaps not set."""
    lists = [n for n, v in draft.params.items() if isinstance(v, list) and n not in draft.bare and n != "lams"]
    pairs = {"ratio", "advantages", "new_logp", "old_logp", "vpreds", "old_values", "returns"} & draft.bare
    if lists or tabled or draft.claimed or draft.unnamed or len(pairs) > 1 or {"logp", "ref_logp"} <= draft.bare:
        return ()
    return tuple(n for n in draft.params if n in SCALARS or n in draft.bare or n in ("lams", "kl"))


def _unbalanced(tokens: list[Token], grouping: Grouping) -> EngineError | None:
    """A list that opens after a name and is never closed."""
    for opening in grouping.open_numbers:
        before = tokens[opening - 1] if opening else None
        first = tokens[opening + 1]
        if before is not None and before.kind in ("equals", "name", "open") and first.kind in ("number", "open", "odd"):
            names = [t.sense.meaning for t in tokens[max(0, opening - 4) : opening] if t.sense is not None]
            return EngineError(
                "unbalanced", field=names[-1] if names else "list", position=(), start=tokens[opening].start
            )
    return None


def _residue(plain: str, rest: str, grouping: Grouping) -> str:
    """The words of the message: tables and lists are blanked to #; single numbers stay, they belong to the question."""
    pieces: list[str] = []
    position = 0
    for found in grouping.groups:
        if not found.scalar:
            pieces += [rest[position : found.start], "#"]
            position = found.end
    pieces.append(rest[position:])
    return re.sub(r"\s+", " ", "".join(pieces)).strip() if rest.strip() or not plain.strip() else "#"


def _named(tokens: list[Token], bound: Bound) -> Iterator[tuple[int, int]]:
    """Where names of parameters and lists stand, and what parameters are set to: γ = 0.5."""
    for one in bound.bindings:
        if one.place >= 0 and (one.name in SCALARS or not one.group.scalar):
            yield tokens[one.place].start, tokens[one.place].end
            yield one.group.start, one.group.end


def _unspent(rest: str, grouping: Grouping, spans: tuple[tuple[int, int], ...]) -> str:
    """What is left of the words when lists, settings and changes are blanked."""
    blanked = [(found.start, found.end) for found in grouping.groups if not found.scalar]
    pieces: list[str] = []
    position = 0
    for start, end in sorted([*blanked, *spans]):
        pieces.append(rest[position:start])
        position = max(position, end)
    pieces.append(rest[position:])
    return re.sub(r"\s+", " ", " ".join(pieces)).strip()
