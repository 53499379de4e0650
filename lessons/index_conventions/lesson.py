"""Which index belongs to what: V, R and G to the state before a token; r, δ and A to the token."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.facts import Facts, Inputs, compute
from engine.mistakes.mistake import each
from engine.proofs.bellman import exact_value_has_unbiased_delta
from engine.scenario import Scenario
from engine.world import in_place, mean_deltas, one_early, one_late, small
from lessons import _twins as twins
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._figure import lanes
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.index_conventions.checks import MORE
from lessons.index_conventions.claimed import CHECKS
from lessons.index_conventions.ends import ENDS
from lessons.index_conventions.flags import FLAGS
from lessons.index_conventions.judged import JUDGED
from lessons.index_conventions.loop import LOOP
from lessons.index_conventions.scan import SCAN
from lessons.index_conventions.steps import STEPS
from lessons.index_conventions.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("reward_index_later", "reward_index_earlier")


def show(scenario: Scenario) -> Shown:
    own = compute(quantities.gae, first_response(scenario))
    return Shown(
        facts=compute(in_place_and_one_off, scenario).beside(_small_world()),
        work=worked(quantities.gae, scenario),
        proofs={"unbiased": exact_value_has_unbiased_delta()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={"timeline": lanes(own.numbers, "values", "returns", "rewards", "deltas", "advantages")},
        twins=(twins.gae,),
    )


def in_place_and_one_off(x: Inputs) -> dict[str, Any]:
    """A + V with both at the same index, and with V taken from the next."""
    found = quantities.gae(x)
    after = x.on.over_valid(one_late, x.mask, found["values"])
    return {
        **found,
        "added_in_place": each(x.on, formulas.critic_target, x.mask, found["advantages"], found["values"]),
        "added_one_off": each(x.on, formulas.critic_target, x.mask, found["advantages"], after),
    }


def _small_world() -> Facts:
    """E[δ] over every response of a world of two tokens, with V in its place and beside it."""

    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        orders = {"in_place": in_place, "one_late": one_late, "one_early": one_early}
        return {
            "responses": len(world.responses),
            **{name: mean_deltas(world, order) for name, order in orders.items()},
        }

    return compute(program, Scenario()).under("constants")


# ---------------------------------------------------------------- what learners claim


def _found(scenario: Scenario) -> dict[str, Any]:
    return dict(compute(in_place_and_one_off, numbers(scenario)).exact)


def _world() -> dict[str, Any]:
    return dict(_small_world().exact["constants"])


def _returns_share_the_values_index(_: Scenario) -> Judged:
    found = _found(Scenario())
    aligned = close(found["returns"], found["added_in_place"]) and not close(found["returns"], found["added_one_off"])
    names = {"target": "returns", "in_place": "added_in_place", "one_off": "added_one_off"}
    return Judged(holds(aligned), {key: found[name][0] for key, name in names.items()})


def _moved(name: str, t: int) -> list[int]:
    """The tokens whose reward, δ or A is another once the number at t is another: by running both."""
    own = numbers(Scenario())
    rewards = list(_found(own)["rewards"])
    before = compute(quantities.gae, own.merged({"rewards": list(map(float, rewards))})).numbers[name]
    rewards[t] += 1
    after = compute(quantities.gae, own.merged({"rewards": list(map(float, rewards))})).numbers[name]
    return [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if not close(a, b)]


def _rewards_and_deltas_belong_to_the_token(_: Scenario) -> Judged:
    """r_t enters one δ, that of its own token."""
    t = 2
    return Judged(holds(_moved("deltas", t) == [t]), {"t": t, "token": _moved("deltas", t)[0]})


def _advantage_belongs_to_the_token(_: Scenario) -> Judged:
    """A_t holds what token t and the later ones did, and nothing of the earlier."""
    t = 2
    touched = _moved("advantages", t)
    return Judged(holds(max(touched) == t), {"t": t, "last": max(touched), "count": len(touched)})


def _tensor_index_is_one_less(scenario: Scenario) -> Judged:
    length = numbers(scenario).length
    pairs = list(zip(range(length), range(1, length + 1), strict=True))
    return Judged(holds(all(i == t - 1 for i, t in pairs)), {"first": pairs[0], "last": pairs[-1]})


def _value_is_read_after_the_token(_: Scenario) -> Judged:
    means = _world()
    return Judged(holds(not any(means["one_late"])), {"late": means["one_late"][0], "right": means["in_place"][0]})


def _delta_pairs_the_wrong_values(_: Scenario) -> Judged:
    means = _world()
    return Judged(holds(any(means["in_place"])), {"right": means["in_place"][0], "responses": means["responses"]})


def _last_state_is_worth_nothing(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    found = _found(own)
    last = found["deltas"][-1]
    alone = found["rewards"][-1] - found["values"][-1]
    return Judged(holds(close(last, alone)), {"delta": last, "reward": found["rewards"][-1], "T": own.length})


def _sutton_reward_is_index_t(_: Scenario) -> Judged:
    """G_0 needs the first action's reward: index t has it, index t + 1 has lost it."""
    own = numbers(Scenario())
    here = compute(quantities.gae, own).exact["mc_returns"][0]
    literal = mistakes.run("reward_index_later", own).exact["mc_returns"][0]
    earned = sum(_found(own)["rewards"])
    return Judged(holds(here == earned and literal != earned), {"here": here, "literal": literal, "earned": earned})


def _one_value_more_than_tokens(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    count = len(_found(own)["values"])
    return Judged(holds(count == own.length + 1), {"states": own.length + 1, "count": count, "tokens": own.length})


FACTS: dict[str, Check] = {
    **CHECKS,
    "returns_share_the_values_index": _returns_share_the_values_index,
    "rewards_and_deltas_belong_to_the_token": _rewards_and_deltas_belong_to_the_token,
    "advantage_belongs_to_the_token": _advantage_belongs_to_the_token,
    "tensor_index_is_paper_index_less_one": _tensor_index_is_one_less,
    "value_is_read_after_the_token": _value_is_read_after_the_token,
    "delta_pairs_the_wrong_values": _delta_pairs_the_wrong_values,
    "last_state_is_worth_nothing": _last_state_is_worth_nothing,
    "sutton_reward_is_index_t": _sutton_reward_is_index_t,
    "one_value_more_than_tokens": _one_value_more_than_tokens,
    **MORE,
    **JUDGED,
    **STEPS,
    **ENDS,
    **LOOP,
    **TURNS,
    **FLAGS,
    **SCAN,
}
