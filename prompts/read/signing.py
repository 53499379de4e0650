"""Statements on signs, comparisons and changes, with what they suppose, from the pieces of signs.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from engine import signs
from engine.cases import COMMON, Setting
from engine.example import RUNNING
from engine.signs import Along, Moves, Stands, Statement, Supposed, Tried
from lessons._fact import Verdict, holds, opposite
from prompts.read.polarity import said
from prompts.read.sign_modes import Mode, arrange, asks, mode
from prompts.read.sign_units import (
    CODES,
    GRADIENTS,
    Change,
    Context,
    Unit,
    cell,
    of_gradient,
    of_losses,
    place,
    sign_of,
    units,
)
from prompts.read.signs import Piece, made, pieces, supposed

LONGEST = 200  # characters
_HINT = re.compile(
    r"[<>≤≥大小高低正负升降涨跌零]|超|梯度|变|裁|号|gradient|positive|negative|sign|larger|smaller|higher|lower|above|below"
    r"|exceed|rise|raise|fall|grow|increas|decreas|clip|less|more|greater|vanish|0",
    re.IGNORECASE,
)
_UNREAD = re.compile(
    r"[能会是]不[能会是][^吗]*我觉得|(?<!比)[^比]{6}[高低]的 ?token|越\S{1,2}的 ?token|因为|由于|毕竟|because|since\b"
    r"|which is why|比例|\bmost\b|大多|多数|half|一半|方差|variance|偏差|bias|noise|训练|training|梯度裁剪"
    r"|Â|\\hat|gradient clip|mean\(|\bwhile\b|概率 ?\d|mistake|\bbugs?\b|算错|有误"
    r"|处处|throughout|(?:优势|advantage) ?\+|even if all|\bat once\b"
    r"|side only|全部的?梯度|[不也]算|one more|all right|^只有|^[^比]*[大小高低]的 ?token|即使[^,，]*[全都]"
    r"|(?:回报|\breturn\b).*(?:优势|advantage|\bA\b)|(?:优势|advantage|\bA\b).*(?:回报|\breturn\b)",
    re.IGNORECASE,
)
_CONCEDED = re.compile(
    r"[,，]? ?\b(?:even though|although|though)\b[^,，.。]*$|^\W*(?:even (?:if|though)|although|though)\b[^,，。]*,"
    r"|^(?:虽然|尽管|即使|哪怕|就算)[^,，。]*[,，](?:但是?)?|[,，](?:虽然|尽管)[^,，。]*$",
    re.IGNORECASE,
)
_OF_PPO = re.compile(r"ratio|比值|概率比|clip|裁|eps|ε|ppo|区间|范围|range", re.IGNORECASE)
_WHETHER = re.compile(r"([会能是]|可以)不\1")
_FIXED = (*COMMON, "ratio")
_WRITTEN = re.compile(r"-?\d+(?:/\d+)?")  # a number
_LISTS_ALONG = frozenset(["values", "returns", "mc_returns", "advantages", "mc_advantages", "deltas", "rewards"])


@dataclass(frozen=True)
class Signed:
    """What was read, what came of trying it, and how it was said: of all, of some, of none."""

    statement: Statement
    supposed: Supposed
    tried: Tried
    how: Mode

    @property
    def verdict(self) -> Verdict:
        always, never = self.tried.always, self.tried.never
        if self.how.negated:
            always, never = never, always
        if self.how.said == "can":
            found = holds(not never)
        elif always or never or self.how.said == "always":
            found = holds(always)
        else:
            return "depends"
        return opposite(found) if self.how.outer else found


def _moved(name: str, target: str) -> str:
    """What is moved where a name stands for one of several: whose probability, whose score."""
    if name == "scores" and target in ("group_advantages", "loo_advantages"):
        return "group_scores"
    if name in ("prob", "logp"):
        return "new_logp" if target in ("surrogate", "objective", "ratio", "policy_loss") else "logp"
    return {"new_prob": "new_logp", "ref_prob": "ref_logp", "old_prob": "logp", "old_logp": "logp"}.get(name, name)


@lru_cache(maxsize=256)
def signed(sentence: str) -> Signed | None:
    if len(sentence) > LONGEST or not _HINT.search(sentence) or _UNREAD.search(sentence):
        return None
    apart = said(_WHETHER.sub(" ", _CONCEDED.sub(" ", sentence)))
    if apart.denials or apart.contrasted:
        return None
    split = supposed(apart.stated)
    found = pieces(split[0]) if split is not None else None
    if split is None or found is None:
        return None
    return _Reading(sentence, found, split[1], split[2]).result()


class _Reading:
    """One statement, from its pieces."""

    def __init__(self, sentence: str, found: Sequence[Piece], setting: Setting, named: frozenset[str]) -> None:
        self.sentence, self.setting, self.named = sentence, setting, named
        self.pieces, self.context = of_losses(found), Context(sentence)
        self.codes = "".join(CODES[piece.kind] for piece in self.pieces)
        self.along = "L" in self.codes

    def result(self) -> Signed | None:
        read = units(self.pieces, self.sentence)
        arranged = arrange(read, self.codes) if read else None
        how = mode(arranged, self.codes, self.sentence) if arranged is not None else None
        if arranged is None or how is None:
            return None
        conditions, conclusion = list(arranged.conditions), arranged.conclusion[2]
        statement = self._statement(conclusion, conditions)
        if statement is None:
            return None
        if statement in conditions:
            return None
        own = isinstance(statement, Moves) and statement.cause not in COMMON
        if own and "E" in self.codes[arranged.conclusion[0] :]:
            return None
        kept = [condition for condition in conditions if isinstance(condition, Stands)]
        if len(kept) < len(conditions) - isinstance(statement, Moves):
            return None
        conditions_kept = list(kept)
        setting = self._with_fixed(kept)
        kept = [c for c in kept if not self._is_fixed(c)]
        if isinstance(statement, Along):
            kept, setting = self._of_all(kept, setting)
        first = "0" in self.codes or self._from_start(statement, kept)
        token = "last" if "1" in self.codes else "first" if first else ""
        if not self._decided(statement, kept, setting) or not self._named(
            statement, arranged.conclusion, conditions_kept
        ):
            return None
        whole = Supposed(setting, tuple(kept), token)
        tried = signs.settle(statement, whole)
        found = Signed(statement, whole, tried, how)
        return (
            found if tried.enough and (found.verdict != "depends" or self._open(found, arranged.conclusion)) else None
        )

    def _statement(self, conclusion: Stands | Change, conditions: list[Stands | Change]) -> Statement | None:
        causes = [one for one in conditions if isinstance(one, Change)]
        if isinstance(conclusion, Stands):
            for one in causes:
                if one.piece.name != "values" or not one.rises:
                    return None
                conditions[conditions.index(one)] = Stands(made("next_values"), sign_of(one.up), made("values"))
            equation = conclusion.relation == "=" and cell(conclusion.left) not in GRADIENTS
            return None if equation else conclusion
        if len(causes) > 1:
            return None
        if causes:
            return self._moves(causes[0], conclusion)
        paid = any(isinstance(one, Stands) and cell(one.left) in ("rewards", "penalty") for one in conditions)
        along = self.along or self.setting.rewards != "free" or paid
        if conclusion.piece.name not in _LISTS_ALONG or conclusion.attribute or not along:
            return None
        if not self.along and conclusion.piece.name not in ("values", "mc_returns"):
            return None
        if self.setting.critic == "free" and (self.setting.rewards != "free" or conditions):
            self.setting = replace(self.setting, critic="exact")
        if "gamma" not in dict(self.setting.rates) and "gamma" not in self.setting.inner and "A" not in self.codes:
            self.setting = replace(self.setting, rates=(*self.setting.rates, ("gamma", Fraction(1))))
        return Along(self.context.term(conclusion.piece), sign_of(conclusion.up))

    def _moves(self, cause: Change, effect: Change) -> Moves | None:
        found = cause.piece.term.cell if cause.piece.term is not None else None
        if cause.attribute and re.search(r"[高低]的 ?token", self.sentence):
            return None
        if found is None or found[0] in GRADIENTS or found[0] == self.context.name(effect.piece):
            return None
        name, at = found
        target = self.context.name(effect.piece)
        name = _moved(name, target)
        loose = name in ("values", "rewards", "scores", "deltas", "advantages") and at == "any"
        if loose and effect.piece.term is not None and effect.piece.term.anywhere and target in _LISTS_ALONG:
            return None
        if target == "values":
            self.setting = replace(self.setting, critic="exact")
        ahead = {"t+1": 1, "T-1": -1, "-1": -1, "t+2": 2}.get(at, 0)
        if name == "next_values":
            name, ahead = "values", 1
        if name in ("scores", "excess", "mean", "kl_values", "penalty") or (
            ahead == 0 and at not in ("t", "any", "common")
        ):
            return None
        if name in dict(self.setting.rates) or (name == "beta" and not self.setting.penalty):
            return None
        return Moves(name, cause.up, self.context.term(effect.piece), sign_of(effect.up), ahead)

    def _with_fixed(self, kept: Sequence[Stands]) -> Setting:
        fixed = tuple((cell(c.left), Fraction(c.right.latex)) for c in kept if self._is_fixed(c))
        numbered = any(cell(c.left) == "ratio" and not c.right.quantities and c.right.latex != "1" for c in kept)
        if numbered and "eps" not in dict(fixed):
            fixed = (*fixed, ("eps", Fraction(str(RUNNING.eps))))
        return replace(self.setting, fixed=(*self.setting.fixed, *fixed))

    @staticmethod
    def _is_fixed(condition: Stands) -> bool:
        return condition.relation == "=" and bool(
            _WRITTEN.fullmatch(condition.right.latex) and cell(condition.left) in _FIXED
        )

    def _of_all(self, kept: list[Stands], setting: Setting) -> tuple[list[Stands], Setting]:
        """A sign of the rewards, supposed of a quantity along the response, is supposed of all of them."""
        rest = []
        for one in kept:
            signs_of = {">": "positive", "<": "negative"}
            if cell(one.left) == "rewards" and one.right.latex == "0" and one.relation in signs_of:
                setting = replace(setting, rewards=signs_of[one.relation])
            else:
                rest.append(one)
        return rest, setting

    @staticmethod
    def _decided(statement: Statement, kept: Sequence[Stands], setting: Setting) -> bool:
        """Whether the cases are of the kind that is spoken of."""
        of = [term for one in (statement, *kept) if isinstance(one, Stands) for term in (one.left, one.right)]
        names = {cell(term) for term in of}
        summed = "delta_sum" in names or any(r"\sum" in term.latex and "deltas" in term.quantities for term in of)
        if summed and "gamma" not in dict(setting.rates):
            return False
        if any(cell(one.left) == "scores" for one in kept):
            return False
        if any(place(term) == "0" and cell(term) == "values" for term in of):
            return False
        return not ("values" in names and any(cell(one.left) == "rewards" and one.over for one in kept))

    def _open(self, found: Signed, conclusion: Unit) -> bool:
        """Whether it is meant as something that may be so or not, and not of all that it is supposed of."""
        own = self.codes[conclusion[0] : conclusion[1] + 1]
        stands = isinstance(found.statement, Stands)
        if asks(self.sentence):
            return "E" not in self.codes or found.supposed.setting.rewards not in ("right", "wrong")
        if not stands or of_gradient(conclusion[2]) or "W" in self.codes:
            return True
        return not found.supposed.conditions and not set(own) & set("sx")

    def _named(self, statement: Statement, conclusion: Unit, kept: Sequence[Stands]) -> bool:
        """Whether it is known of what a gradient is, and of which token a limit is."""
        if not isinstance(statement, Stands):
            return True
        if cell(statement.left) in COMMON or (self.codes[conclusion[1]] == "c" and not kept):
            return False
        if cell(statement.left) != "policy_gradient":
            return True
        critics = any({"values", "returns"} & {cell(one.left), cell(one.right)} for one in kept)
        return not critics and _OF_PPO.search(self.sentence) is not None

    @staticmethod
    def _from_start(statement: Statement, kept: Sequence[Stands]) -> bool:
        """Whether it is of the whole response: counted from its first token."""
        of = [term for one in (statement, *kept) if isinstance(one, Stands) for term in (one.left, one.right)]
        of += [statement.of] if isinstance(statement, Along) else []
        of += [statement.effect] if isinstance(statement, Moves) else []
        whole = ("excess", "advantage_sum", "delta_sum")
        return any("0" in t.places or place(t) == "0" or cell(t) in whole or r"\sum" in t.latex for t in of)
