"""What learners turn round in the definitions, what they leave open, and which of two critics they ask for."""

from __future__ import annotations

from itertools import product
from math import prod

from engine import formulas
from engine.scenario import Scenario
from engine.world import small
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction
from lessons._weighed import weighed
from lessons.definitions.meanings import ONE, of_example

SAMPLES = 3  # responses to one prompt


def _v_less_q(_: Scenario) -> Judged:
    world = small(lambda _name, x: fraction(x))
    v, q = world.value(()), [world.q((), a) for a in range(2)]
    best = q.index(max(q))
    right, turned = formulas.advantage(q[best], v), formulas.advantage(v, q[best])
    return Judged(holds(turned > 0), {"v": v, "q": q[best], "right": right, "turned": turned})


def _q_is_reward_plus_next(_: Scenario) -> Judged:
    world = small(lambda _name, x: fraction(x))
    q = [world.q((), a) for a in range(2)]
    made = [formulas.mc_step(world.rewards[(a,)], world.value((a,)), ONE) for a in range(2)]
    return Judged(holds(q == made), {"q": q, "made": made})


def _subtracts_the_next(_: Scenario) -> Judged:
    found = of_example()
    r, v, after = found["rewards"][0], found["values"][0], found["values"][1]
    turned = formulas.td_error(r, after, v, ONE)
    return Judged(holds(turned == found["deltas"][0]), {"right": found["deltas"][0], "turned": turned})


def _return_reads_more(_: Scenario) -> Judged:
    """The actual returns with another critic, another λ, another γ."""
    plain = of_example()["mc_returns"]
    other = of_example(values=[9.0] * len(plain), lam=0.0)["mc_returns"]
    less = of_example(gamma=0.5)["mc_returns"]
    return Judged(holds(plain != other), {"plain": plain[0], "other": other[0], "gamma": less[0]})


def _v_is_better(_: Scenario) -> Judged:
    """How often some token's Q has no sample among a few responses, where V has all; and what tells tokens apart."""
    world = small(lambda _name, x: fraction(x))
    q = [world.q((), a) for a in range(len(world.chances))]
    drawn = product(range(len(q)), repeat=SAMPLES)
    unseen = sum(prod(world.chances[a] for a in tokens) for tokens in drawn if set(tokens) != set(range(len(q))))
    return Judged(
        weighed(unseen > 0, max(q) > min(q)), {"v": world.value(()), "q": q, "samples": SAMPLES, "unseen": unseen}
    )


def _gae_is_delta(_: Scenario) -> Judged:
    zero, more = of_example(lam=0.0), of_example()
    same, other = close(zero["advantages"], zero["deltas"]), not close(more["advantages"], more["deltas"])
    return Judged(
        "depends" if same and other else holds(same),
        {"delta": more["deltas"][0], "zero": zero["advantages"][0], "more": more["advantages"][0]},
    )


JUDGED: dict[str, Check] = {
    "advantage_is_v_minus_q": _v_less_q,
    "q_is_reward_plus_discounted_next_value": _q_is_reward_plus_next,
    "delta_subtracts_the_next_value": _subtracts_the_next,
    "return_depends_on_lambda_or_the_critic": _return_reads_more,
    "learning_v_is_better_than_learning_q": _v_is_better,
    "gae_advantage_is_the_td_error": _gae_is_delta,
}
