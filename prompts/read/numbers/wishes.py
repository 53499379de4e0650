"""Lists beside an outcome that is wished for: in "the reward-to-go of [3, 0, 2]" the list holds the rewards."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prompts.read.numbers.bind import Binding
from prompts.read.numbers.cues import says
from prompts.read.numbers.draft import Draft
from prompts.read.numbers.naming import WRAPPERS
from prompts.read.numbers.token import Token

_OF = frozenset(["of", "for", "from", "on", "over", "的"])
_BESIDE = frozenset(["quote", "other", "open", "newline"])


@dataclass(frozen=True)
class Wish:
    """An outcome that is computed from one list, where none of `lacks` is given; `about` is what must be spoken of."""

    outcome: str
    source: str
    lacks: frozenset[str]
    about: str | None = None


_FROM_REWARDS = frozenset(["rewards", "scores", "group_rewards"])
_FROM_VALUES = frozenset(["values", "advantages", "vpreds", "old_values"])
_WISHES = (
    Wish("mc_returns", "rewards", _FROM_REWARDS),
    Wish("returns", "rewards", _FROM_REWARDS | _FROM_VALUES),
    Wish("whitened", "advantages", frozenset(["advantages"])),
    Wish(
        "advantages", "group_rewards", _FROM_REWARDS | frozenset(["values", "ratio", "new_logp", "deltas"]), "of_group"
    ),
    Wish("baselines", "group_rewards", _FROM_REWARDS),
    Wish("centered", "group_rewards", _FROM_REWARDS),
)


def as_wished(bindings: list[Binding], names: set[str], tokens: list[Token], draft: Draft, lists: int) -> list[Binding]:
    """The bindings, with those that name an outcome for what the list beside it is. names: all that are given."""
    alone = lists == 1 and not draft.audit
    return [_source(binding, names, tokens, draft.text, alone) for binding in bindings]


def _source(binding: Binding, names: set[str], tokens: list[Token], text: str, alone: bool) -> Binding:
    wish = next((w for w in _WISHES if w.outcome == binding.name and _open(w, names, text)), None)
    if wish is None or binding.group.scalar or binding.place < 0 or binding.index is not None:
        return binding
    asked = _asked(binding, tokens)
    return replace(binding, name=wish.source) if asked == "of" or (asked == "beside" and alone) else binding


def _open(wish: Wish, names: set[str], text: str) -> bool:
    return not wish.lacks & names and (wish.about is None or says(wish.about, text))


def _asked(binding: Binding, tokens: list[Token]) -> str:
    """How a list stands to its name: "of" it, "beside" it, or what it "is"."""
    first, last = sorted((binding.place, binding.group.first))
    between = tokens[first + 1 : last] if first == binding.place else tokens[binding.group.last + 1 : last]
    if any(t.text == "=" or t.kind == "arrow" for t in between):
        return "is"
    if any(t.kind == "word" and t.text.lower() in _OF for t in between):
        return "of"
    return "beside" if all(t.kind in _BESIDE or t.text == ":" or WRAPPERS.match(t.text) for t in between) else "is"
