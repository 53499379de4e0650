"""What is said of two quantities, that one is computed from the other or comes before it, settled by tracing them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.flow import (
    AS_USUAL,
    INPUTS,
    LENGTH,
    PARAMETERS,
    QUANTITIES,
    STEPS,
    Cell,
    Flow,
    Moved,
    Setting,
    beside,
    sufficient,
)

Kind: TypeAlias = Literal["moves", "needs", "from", "without", "related", "before", "waits", "only", "alone", "enough"]
Settled: TypeAlias = Literal["yes", "no", "turns"]
_LEARNT = frozenset({"values", "vpreds"})  # what training makes of them is not traced
_BY_KL = frozenset({"ref_logp", "kl"})  # reach the rewards through the KL only, which may be left out of them
_LOOSE = (
    {"eps", "whitened"},
    {"old_logp", "kl"},
    {"new_logp", "kl"},
    {"kl", "policy_loss"},
)  # of which several are meant
_PAID = frozenset({*STEPS} - {"kl", "ratio", "kl_in_loss"})  # what the rewards reach


@dataclass(frozen=True)
class Link:
    """One thing that is said. The causes are what the effect is said to be computed from, or what comes before it."""

    kind: Kind
    causes: tuple[Cell, ...]
    effects: tuple[Cell, ...]
    holds: bool = True  # else it is denied
    directly: bool = False
    every: bool = False  # of every token of the effect
    mode: Literal["", "always", "may"] = ""
    added: bool = False  # the causes are added up
    able: bool = False  # only that it can be done
    network: bool = False  # the cause is named as a model


@dataclass(frozen=True)
class Traced:
    """How one pair came out, and the change that was seen, if any."""

    cause: Cell
    effect: Cell
    found: Settled
    holds: bool  # that it is so was said, else that it is not
    moved: Moved | None
    held: frozenset[str] = frozenset()  # while it was moved
    turns_on: str = ""  # "lam", "kl", "estimator", "place" or "parameters"

    @property
    def right(self) -> bool | None:
        """Whether what was said is so; None where that turns on something."""
        return None if self.found == "turns" else (self.found == "yes") == self.holds


@dataclass(frozen=True)
class Where:
    """Under which conditions it is said: what is held, how the iteration runs, and which of that was said."""

    held: frozenset[str] = frozenset()
    setting: Setting = AS_USUAL
    said: frozenset[str] = frozenset()  # lam, in_reward: else it may turn on them


def settle(link: Link, where: Where) -> tuple[Traced, ...] | None:
    """Every pair that is spoken of; nothing where what is meant cannot be told."""
    found = []
    for effect in _updates(link, where):
        if link.kind in ("only", "enough"):
            found.append(_only(link, effect, where))
            continue
        if link.kind == "from" and (made := _made(link, effect, where)) is not None:
            found += made
            continue
        for cause in link.causes:
            found.append(_pair(link, cause, effect, where))
    return None if None in found else tuple(one for one in found if one is not None)


def _updates(link: Link, where: Where) -> tuple[Cell, ...]:
    """The effects, with the losses for "the update": one that moves is enough, to deny it takes both."""
    if not any(effect.name == "update" for effect in link.effects):
        return link.effects
    losses = (Cell("policy_loss"), Cell("value_loss"))
    flows = [Flow(cause, loss, where.held, where.setting) for loss in losses for cause in link.causes]
    moved = tuple(flow.effect for flow in flows if flow.witness() is not None)
    return (*moved, *losses)[:1] if link.holds else losses


def _pair(link: Link, cause: Cell, effect: Cell, where: Where) -> Traced | None:
    if cause.name == effect.name or {cause.name, effect.name} in _LOOSE or {cause.name, effect.name} - {*QUANTITIES}:
        return None
    if effect.name in PARAMETERS and link.kind != "related":
        return None
    flow = Flow(cause, effect, where.held, where.setting)
    back = Flow(replace(effect, place="any"), replace(cause, place="any"), where.held, where.setting)
    match link.kind:
        case "related" if flow.witness() is None and back.witness() is not None:
            return _traced(link, back, where)
        case "moves" | "related":
            return _traced(link, flow, where)
        case "alone":
            return _alone(link, flow)
        case "without":
            return _without(link, flow, where)
        case "before":
            return _before(link, flow, back)
        case "waits":
            return Traced(cause, effect, "no" if flow.witness() is None else "yes", link.holds, flow.witness())
    return _needs(link, flow, where)


def _before(link: Link, flow: Flow, back: Flow) -> Traced | None:
    if flow.witness() is not None:
        return Traced(flow.cause, flow.effect, "yes", link.holds, flow.witness())
    return Traced(back.cause, back.effect, "yes", not link.holds, back.witness()) if back.witness() else None


def _without(link: Link, flow: Flow, where: Where) -> Traced | None:
    """Whether it takes the cause; what is made on the way can be had in other ways too."""
    if flow.cause.name not in INPUTS and flow.witness() is not None:
        return None
    found = _traced(link, flow, where)
    return replace(found, found="no") if found and found.found == "turns" and flow.cause.name in _BY_KL else found


def _alone(link: Link, flow: Flow) -> Traced | None:
    """Whether the cause moves the effect at this token and at no other."""
    cause, effect = flow.cause, flow.effect
    if effect.place == "any":  # each token's own, or the one so many tokens on
        if not cause.place.startswith("t"):
            return None
        places = [Cell(cause.name, f"t{k:+d}" if k else "t") for k in range(1 - LENGTH, LENGTH)]
        others = [replace(flow, cause=place) for place in places if place != cause]
    else:
        there = {"last": LENGTH - 1, "first": 0}.get(effect.place, int(effect.place) if effect.place.isdigit() else 0)
        others = [replace(flow, effect=Cell(effect.name, str(t))) for t in range(LENGTH) if t != there]
    moved = next((one for one in others if one.witness() is not None), None)
    if moved is not None:
        return Traced(moved.cause, moved.effect, "yes", not link.holds, moved.witness())
    return Traced(cause, effect, "no" if flow.witness() is None else "yes", link.holds, flow.witness())


def _made(link: Link, effect: Cell, where: Where) -> list[Traced | None] | None:
    """That it is computed from all of these together: true where they settle it."""
    flows = [Flow(cause, effect, where.held, where.setting) for cause in link.causes]
    known = frozenset(cause.name for cause in link.causes)
    if effect.name not in STEPS or None in [flow.witness() for flow in flows]:
        return None
    if link.added or not sufficient(known, effect.name, where.setting):
        return None
    return [Traced(flow.cause, effect, "yes", link.holds, flow.witness()) for flow in flows]


def _needs(link: Link, flow: Flow, where: Where) -> Traced | None:
    """Whether the effect's program is given the cause; what reaches it only through another list is left open."""
    if flow.effect.name in where.held or flow.cause.name in where.held:
        return None
    direct = replace(flow.directly, held=flow.directly.held | where.held)
    found = _traced(link, direct, where)
    if found is None or found.moved is not None or found.turns_on:
        return found
    return None if flow.witness() is not None and (not link.directly or link.able) else found


def _traced(link: Link, flow: Flow, where: Where) -> Traced | None:
    turning = _turning(link, flow, where)
    if turning is None:
        return None
    moved = flow.witness()
    found: Settled = "yes" if _found(link, flow) else "no"
    if turning:
        found = "yes" if link.mode == "may" else "no" if link.mode == "always" else "turns"
    return Traced(flow.cause, flow.effect, found, link.holds, moved, flow.held, turning)


def _turning(link: Link, flow: Flow, where: Where) -> str | None:
    """What decides whether it moves, "" for nothing of which nothing was said, None where too much is open.

    Where λ = 0 decides, people mean all kinds of things.
    """
    cause, effect = flow.cause.name, flow.effect.name
    if effect in _LEARNT and link.kind in ("moves", "related") and cause != "lam":
        return None
    found = _found(link, flow)
    if flow.cause.place in ("later", "earlier"):
        steps = [replace(flow, cause=replace(flow.cause, place=f"t{sign}{k}")) for sign in ("+", "-") for k in (1, 2)]
        steps = steps[:2] if flow.cause.place == "later" else steps[2:]
        if len({step.witness() is None for step in steps}) > 1:
            return None if "lam" in where.said else "place"
    if "lam" not in where.said and cause not in PARAMETERS:
        if _found(link, flow.at(lam=0.0)) != found:
            return None
        if _found(link, flow.at(lam=1.0)) != found:
            return "lam"
    corners: list[tuple[str, Flow]] = []
    by_kl = cause in _BY_KL or (cause == "beta" and effect != "rewards")
    if by_kl and effect in _PAID and "in_reward" not in where.said and not link.every:
        corners += [("kl", flow.at(in_reward=False))]
    if cause in _BY_KL and effect == "policy_loss" and "in_loss" not in where.said:
        corners += [("kl", flow.at(in_loss=True))]
    if link.network and cause == "values" and link.kind == "needs" and "estimator" not in where.said:
        corners += [("estimator", flow.at(estimator="grpo"))]
    return next((name for name, corner in corners if _found(link, corner) != found), "")


def _found(link: Link, flow: Flow) -> bool:
    """Whether it is seen at some token, or at every one."""
    if not link.every or flow.effect.place != "any":
        return flow.witness() is not None
    places = [replace(flow, effect=replace(flow.effect, place=str(t) if t else "first")) for t in range(LENGTH)]
    return all(place.witness() is not None for place in places)


def _only(link: Link, effect: Cell, where: Where) -> Traced | None:
    """Whether the causes alone settle the effect; if the parameters have a say, it turns on what is meant."""
    if any(cell.place != "any" for cell in (*link.causes, effect)) or where.held:
        return None
    known = frozenset(cell.name for cell in link.causes)
    needed = [Flow(cell, effect, setting=where.setting).witness() for cell in link.causes]
    enough = sufficient(known, effect.name, where.setting)
    rates = [name for name in PARAMETERS if Flow(Cell(name), effect, known, where.setting).witness() is not None]
    open_ = enough and bool({*rates} - known) and "parameters" not in where.said
    needless = link.kind == "only" and None in needed
    found: Settled = "turns" if open_ else "yes" if enough and not needless else "no"
    if enough:
        return Traced(link.causes[0], effect, found, link.holds, needed[0], turns_on="parameters" if open_ else "")
    other = next(flow for flow in beside(known, effect.name, where.setting) if flow.witness() is not None)
    return Traced(other.cause, effect, found, link.holds, other.witness(), known)
