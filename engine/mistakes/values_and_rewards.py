"""Which V and which r: on the way to δ, A and R."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas, quantities
from engine.facts import Inputs
from engine.mistakes.agreements import one_value, with_parameters, without
from engine.mistakes.mistake import (
    Change,
    Mistake,
    Terms,
    concluding,
    each,
    none,
    reading,
    recursing,
    supplying,
)
from engine.ops import Number


def _from_the_next(row: Any) -> list[Any]:
    """At every token what belongs to the next, 0 at the last."""
    return [*row[1:], 0 * row[-1]]


def _from_the_one_before(row: Any) -> list[Any]:
    return [0 * row[0], *row[:-1]]


def _first_twice(row: Any) -> list[Any]:
    """At every token what belongs to the one before; what stood before the first is not known, so it stays."""
    return [row[0], *row[:-1]]


def _values_in(order: Callable[[Any], list[Any]]) -> Change:
    return reading(values=lambda x: x.on.over_valid(order, x.mask, x["values"]))


def _rewards_in(order: Callable[[Any], list[Any]]) -> Change:
    return supplying(rewards=lambda x: x.on.over_valid(order, x.mask, quantities.rewards(x)))


def _values_without_rewards(x: Inputs) -> Any:
    return each(x.on, lambda v_t, r_t: v_t - r_t, x.mask, x["values"], quantities.rewards(x))


def _returns_with(combine: Callable[[Number, Number], Number]) -> Change:
    """The returns, of either kind, combined with each token's reward once they are computed."""

    def outcome(x: Inputs, found: Any) -> dict[str, Any]:
        kinds = [kind for kind in ("returns", "mc_returns") if kind in found]
        return {kind: each(x.on, combine, x.mask, found[kind], quantities.rewards(x)) for kind in kinds}

    return concluding(outcome)


def _no_rewards(x: Inputs, terms: Terms) -> Terms:
    return terms._replace(rewards=none(x.on, terms.mask))


def _no_values(x: Inputs, terms: Terms) -> Terms:
    return terms._replace(values=none(x.on, terms.mask))


def _no_next_values(x: Inputs, terms: Terms) -> Terms:
    """r_t − V_t in the place of the reward leaves no V to look ahead to."""
    return _no_values(x, terms._replace(rewards=x.on.advantages_of(terms.rewards, terms.values, terms.mask)))


def _a_value_after_the_end(x: Inputs, terms: Terms) -> Terms:
    """The last V once more, as if the last token had earned it."""

    def more(rewards: Any, values: Any, mask: Any) -> list[Any]:
        ends = [keep - after for keep, after in zip(mask, _from_the_next(mask), strict=True)]
        columns = zip(rewards, values, ends, strict=True)
        return [formulas.mc_step(r_t, v_t * end, terms.gamma) for r_t, v_t, end in columns]

    return terms._replace(rewards=x.on.over_valid(more, terms.mask, terms.rewards, terms.values, terms.mask))


VALUES_AND_REWARDS = (
    Mistake(
        id="values_shift_right",  # logits[:, -response_length:]
        lesson="critic_slice",
        quantity="gae",
        change=_values_in(_from_the_next),
        coincides=without("values"),
        needs=("values",),
    ),
    Mistake(
        id="values_shift_left",  # logits[:, -response_length - 2 : -2]
        lesson="critic_slice",
        quantity="gae",
        change=_values_in(_first_twice),
        coincides=one_value,
        needs=("values",),
    ),
    Mistake(
        id="value_reward_left_out",  # V_t is taken for what comes after r_t
        lesson="value_includes_reward",
        quantity="gae",
        change=reading(values=_values_without_rewards),
        coincides=without("rewards"),
        needs=("values",),
    ),
    Mistake(
        id="value_reward_dropped",  # V alone decides the advantage
        lesson="advantage_inputs",
        quantity="gae",
        change=recursing(_no_rewards),
        coincides=without("rewards"),
        needs=("values",),
    ),
    Mistake(
        id="value_reward_not_in_returns",
        lesson="value_includes_reward",
        quantity="gae",
        change=_returns_with(lambda return_t, r_t: return_t - r_t),
        coincides=without("rewards"),
    ),
    Mistake(
        id="value_reward_twice_in_returns",
        lesson="value_includes_reward",
        quantity="gae",
        change=_returns_with(lambda return_t, r_t: return_t + r_t),
        coincides=without("rewards"),
    ),
    Mistake(
        id="reward_index_later",  # r_{t+1} for r_t
        lesson="index_conventions",
        quantity="gae",
        change=_rewards_in(_from_the_next),
        coincides=without("rewards"),
    ),
    Mistake(
        id="reward_index_earlier",  # r_{t−1} for r_t
        lesson="reward_owner",
        quantity="gae",
        change=_rewards_in(_from_the_one_before),
        coincides=without("rewards"),
    ),
    Mistake(
        id="bootstrap_forgotten",  # r_t for δ_t
        lesson="bootstrap",
        quantity="gae",
        change=recursing(_no_values),
        coincides=without("values"),
        needs=("values",),
    ),
    Mistake(
        id="bootstrap_next_value_forgotten",  # r_t − V_t for δ_t
        lesson="bootstrap",
        quantity="gae",
        change=recursing(_no_next_values),
        coincides=with_parameters(gamma=0.0),
        needs=("values",),
    ),
    Mistake(
        id="bootstrap_after_the_end",
        lesson="padding_mask",
        quantity="gae",
        change=recursing(_a_value_after_the_end),
        coincides=with_parameters(gamma=0.0),
        needs=("values",),
    ),
)
