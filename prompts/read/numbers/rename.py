"""Names that only their neighbours settle: old values or old logp, rewards or group rewards."""

from __future__ import annotations

from dataclasses import dataclass

from prompts.read.numbers.cues import says
from prompts.read.numbers.token import Token

_GROUPLESS = frozenset(["values", "deltas", "kl_values", "logp", "mask", "group_rewards"])
_BEFORE = frozenset(["old_logp", "old_values"])
_NOW = frozenset(["new_logp", "vpreds"])
_OF_THE_CRITIC = {"old_logp": "old_values", "new_logp": "vpreds", "returns": "returns"}


@dataclass(frozen=True)
class Rule:
    """A name means `meant` where all of `needs`, one of `either`, none of `lacks` are; # marks a subject."""

    name: str
    meant: str
    needs: frozenset[str] = frozenset()
    either: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()
    weak: bool | None = None

    def applies(self, name: str, weak: bool, present: frozenset[str]) -> bool:
        fits = self.needs <= present and not self.lacks & present and (not self.either or bool(self.either & present))
        return name == self.name and fits and self.weak in (None, weak)


def _s(names: str) -> frozenset[str]:
    return frozenset(names.split())


RULES = (
    Rule("std", "std_sample"),
    Rule("vf_loss", "other", lacks=_s("#value_loss"), weak=True),
    Rule("eps", "cliprange_value", needs=_s("#value_loss"), lacks=_s("ratio new_logp")),
    Rule("values", "old_values", needs=_s("#value_loss"), either=_s("vpreds new_logp"), lacks=_s("old_values")),
    Rule("old_logp", "old_values", needs=_s("#value_loss"), weak=True),
    Rule("new_logp", "vpreds", needs=_s("#value_loss"), weak=True),
    Rule("logp", "new_logp", needs=_s("old_logp"), lacks=_s("ref_logp new_logp")),
    Rule("old_logp", "logp", needs=_s("ref_logp"), lacks=_s("logp new_logp advantages"), weak=False),
    Rule("new_logp", "logp", needs=_s("ref_logp"), lacks=_s("old_logp")),
    Rule("new_logp", "prob", needs=_s("ref_prob"), lacks=_s("old_logp old_prob logp prob")),
    Rule("logp", "old_logp", needs=_s("new_logp"), lacks=_s("ref_logp old_logp")),
    Rule("prob", "old_prob", needs=_s("new_prob"), lacks=_s("ref_prob old_prob")),
    Rule("prob", "new_prob", needs=_s("old_prob"), lacks=_s("ref_prob")),
    Rule("old_prob", "prob", needs=_s("ref_prob"), lacks=_s("prob new_prob")),
    Rule("new_prob", "prob", needs=_s("ref_prob"), lacks=_s("prob old_prob")),
    Rule("ref_logp", "ref_prob", needs=_s("prob"), lacks=_s("logp"), weak=True),
    Rule("old_logp", "old_prob", either=_s("prob old_prob new_prob"), lacks=_s("logp"), weak=True),
    Rule("new_logp", "new_prob", either=_s("prob old_prob new_prob"), lacks=_s("logp"), weak=True),
    Rule("rewards", "group_rewards", needs=_s("#group"), lacks=_GROUPLESS),
    Rule("scores", "group_rewards", needs=_s("#group"), lacks=_GROUPLESS),
    Rule("returns", "group_rewards", needs=_s("#group"), lacks=_GROUPLESS | _s("rewards scores")),
    Rule("rewards", "ratio", needs=_s("#clip advantages eps"), lacks=_s("values ratio new_logp")),
    Rule("values", "advantages", needs=_s("whitened"), lacks=_s("advantages rewards")),
    Rule("whitened", "advantages", either=_s("ratio new_logp"), lacks=_s("advantages")),
)


def subjects(text: str, present: set[str]) -> frozenset[str]:
    """The names that are there, and what the message speaks of."""
    value_loss = bool(present & {"vpreds", "cliprange_value"}) or says("value_loss", text)
    marks = {"#value_loss": value_loss, "#group": says("group", text), "#clip": says("clip", text)}
    return frozenset(present) | {mark for mark, there in marks.items() if there}


def renamed(name: str, weak: bool, present: frozenset[str]) -> str:
    """The contract's name for what is called `name` among these neighbours."""
    return next((rule.meant for rule in RULES if rule.applies(name, weak, present)), name)


def contrasted(tokens: list[Token], text: str) -> list[Token]:
    """Where the value loss is told, before and now and the target are the critic's numbers: it gave 0.6, now 1.0."""
    meanings = {t.sense.meaning for t in tokens if t.sense is not None}
    if not (meanings & _BEFORE and meanings & _NOW and says("value_loss", text)):
        return tokens
    return [_of_the_critic(token) for token in tokens]


def _of_the_critic(token: Token) -> Token:
    if token.sense is None or not token.sense.weak or token.sense.meaning not in _OF_THE_CRITIC:
        return token
    return token._replace(sense=token.sense._replace(meaning=_OF_THE_CRITIC[token.sense.meaning], weak=False))
