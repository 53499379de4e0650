r"""Which policy or side is named: π_{\theta_{\text{old}}}, p_{ref}, V_{new}, ε_{high}, π_旧; or both."""

from __future__ import annotations

import re

from prompts.read.glossary import Sense, parts, phrase
from prompts.read.numbers.cues import says
from prompts.read.numbers.draft import Draft
from prompts.read.numbers.token import Token

_SIDES = {"旧": "old", "老": "old", "新": "new", "参考": "ref"}
_SPELT = {"π": "pi"}
_THETA = r"(?:\\?(?:theta|θ)\}?[_^]?\{?)"
_SIDE = re.compile(
    rf"[_^]?\{{?{_THETA}?(?:\\(?:text|mathrm|rm)[ ]?\{{?)?(old|new|ref|low|high|旧|老|新|参考)(?:erence)?\}}{{0,3}}"
    r"(?![A-Za-z0-9])(?:\(a[^()\n]{0,16}\))?",
    re.IGNORECASE,
)
_CURRENT = re.compile(r"[_^]\{?\\?(?:theta|θ)\}?(?![A-Za-z0-9_{])(?:\(a[^()\n]{0,16}\))?", re.IGNORECASE)


def sided(text: str, name: str, end: int) -> tuple[Sense, int] | None:
    """What a name means with the policy or side that stands in its index place, and where that ends."""
    found = _SIDE.match(text, end)
    if found is not None:
        side = found[1].lower()
        sense = phrase((*parts(_SPELT.get(name, name)), _SIDES.get(side, side)))
        return (sense, found.end()) if sense else None
    current = _CURRENT.match(text, end) if name == "π" else None
    return (Sense("prob"), current.end()) if current else None


def same_policy(draft: Draft) -> None:
    """One list of log-probabilities for both policies: said to be so, or the old one's in a surrogate without a new."""
    lists = draft.lists() - draft.bare
    given = [name for name in ("new_logp", "old_logp", "logp") if name in lists]
    if len(given) == 1 and "advantages" in lists and not {"ref_logp", "ratio"} & lists and says("same", draft.text):
        both = draft.params.pop(given[0])
        draft.params |= {"new_logp": both, "old_logp": list(both)}
    elif (
        given == ["old_logp"] and "advantages" in lists and "ratio" not in lists and says("surrogate_only", draft.text)
    ):
        draft.params["new_logp"] = list(draft.params["old_logp"])
        draft.notes.append("not_updated_yet")


_OWNERS = {
    ("ref_logp", "prob"): "ref_prob", ("new_logp", "prob"): "new_prob", ("old_logp", "prob"): "old_prob",
    ("ref_logp", "logp"): "ref_logp", ("new_logp", "logp"): "new_logp", ("old_logp", "logp"): "old_logp",
}  # fmt: skip
_BETWEEN = frozenset(["word", "name", "quote"])
_AWAY = 6  # tokens between a policy and its probabilities


def owned(name: str, place: int, tokens: list[Token]) -> str:
    """Probabilities by whose they are: the reference gives these tokens probabilities of …; 参考模型给它们的概率是 …"""
    for token in reversed(tokens[max(0, place - _AWAY) : max(0, place)]):
        if token.kind not in _BETWEEN:
            return name
        if token.sense is not None and token.sense.weak and (token.sense.meaning, name) in _OWNERS:
            return _OWNERS[token.sense.meaning, name]
    return name
