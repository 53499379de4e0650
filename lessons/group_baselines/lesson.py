"""Advantages without a critic: GRPO, RLOO and REINFORCE++ on one group of responses, and GAE beside them."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from engine import by_group, quantities
from engine.errors import EngineError
from engine.example import BOTH
from engine.facts import Inputs, Program, compute, work
from engine.mistakes import MISTAKES
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario, scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure, over_responses
from lessons._lesson import Shown
from lessons.group_baselines.checks import CHECKS
from lessons.group_baselines.judged import JUDGED
from lessons.group_baselines.programs import PROGRAMS
from lessons.group_baselines.weights import WEIGHTS

QUANTITIES: tuple[str, ...] = ("grpo", "rloo")
MISTAKEN = {
    "grpo_population": "grpo_advantages",
    "grpo_without_std": "grpo_advantages",
    "rloo_own_score_in_baseline": "rloo_advantages",
}
PROMPTS = ((1.0, 1.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))  # an easy prompt and a hard one


def show(learners: Scenario) -> Shown:
    own = grouped(learners)
    facts = compute(side_by_side, own)
    two = compute(prompts_together, scenario({"group_rewards": PROMPTS}))
    gae = compute(with_a_critic, BOTH)
    return Shown(
        facts=facts.beside(two.under("constants")).beside(gae.under("counterexample")),
        work=work(side_by_side, own),
        proofs={
            "rescaled": theorem("rloo_is_rescaled_mean_baseline"),
            "same_return": theorem("outcome_return_is_the_same_at_every_token"),
            "one_for_all": theorem("grpo_gives_all_tokens_one_advantage"),
        },
        counterexamples={"same": counterexample("rloo_is_mean_baseline")},
        mistakes={id: compute(mistaken(id, name), own) for id, name in MISTAKEN.items()},
        figures={"responses": _figure(facts.numbers), **_by_token(facts.numbers, gae.numbers)},
        twins=(twins.groups,),
    )


def with_a_critic(x: Inputs) -> dict[str, Any]:
    """GAE on two responses of a group, and what they scored."""
    return {**quantities.gae(x), "outcomes": x.on.total(x["scores"], x.mask)}


def grouped(given: Scenario) -> Scenario:
    """Scores of responses to one prompt: as given, or a list that stands alone, or the sums of the rows of a batch."""
    if given.group_rewards is not None:
        return given
    name = "scores" if given.scores is not None else "rewards"
    if getattr(given, name) is None or (not given.batched and given.values is not None):
        raise EngineError("missing", field="group_rewards")
    if not given.batched:
        return scenario({"group_rewards": getattr(given, name)})
    masks = given.rows("mask") if given.mask else [(1.0,) * given.length for _ in given.rows(name)]
    rows = zip(given.rows(name), masks, strict=True)
    return scenario({"group_rewards": [sum(x for x, m in zip(row, mask, strict=True) if m) for row, mask in rows]})


def side_by_side(x: Inputs) -> dict[str, Any]:
    """Each way's advantage for every response, by the name of the way: `advantages` is what was asked for."""
    grpo, rloo = by_group.grpo(x), by_group.rloo(x)
    scores = [_scores(x, row) for row in x.scenario.rows("group_rewards")]
    return {
        "group_scores": scores,
        "reinforce_plus_plus": _together(x, scores),
        **grpo,
        "grpo_advantages": grpo["advantages"],
        "baselines": rloo["baselines"],
        "rloo_advantages": rloo["advantages"],
    }


def mistaken(id: str, name: str) -> Program:
    """A program with a mistake, its advantages under the name of the way that it gets wrong."""

    def run(x: Inputs) -> dict[str, Any]:
        found = MISTAKES[id].program(x)
        return {**found, name: found["advantages"]}

    return run


def _scores(x: Inputs, row: tuple[float, ...]) -> Any:
    (scores,) = x.series("group_rewards", (row,))
    return scores


def _together(x: Inputs, groups_scores: list[Any]) -> list[Any]:
    """REINFORCE++ over the whole batch, every response one token, cut into the groups again."""
    flat = tuple(score for row in x.scenario.rows("group_rewards") for score in row)
    everyone = x.series("mask", ((1.0,) * len(flat),))
    whitened = x.on.reinforce_plus_plus(x.series("group_rewards", (flat,)), everyone)[0]
    ends = list(accumulate(map(len, groups_scores)))
    return [whitened[end - len(row) : end] for row, end in zip(groups_scores, ends, strict=True)]


def prompts_together(x: Inputs) -> dict[str, Any]:
    """GRPO, prompt by prompt, and REINFORCE++ over all of the batch; every response is one token."""
    scores = x.series("group_rewards", x.scenario.rows("group_rewards"))
    everyone = x.series("mask", tuple(tuple(1.0 for _ in row) for row in x.scenario.rows("group_rewards")))
    return {
        "prompts": scores,
        "grpo": by_group.grpo(x)["advantages"],
        "reinforce_plus_plus": x.on.reinforce_plus_plus(scores, everyone),
    }


def _by_token(found: Any, gae: Any) -> dict[str, Figure]:
    """GAE's advantages beside those of GRPO, where the example's two responses begin the group."""
    scores, advantages = (
        x[0] if isinstance(x[0], list) else x for x in (found["group_scores"], found["grpo_advantages"])
    )
    if [*scores[:2]] != gae["outcomes"]:
        return {}
    shared = [[a] * len(row) for a, row in zip(advantages, gae["advantages"], strict=False)]
    series = {"gae_advantages": gae["advantages"], "grpo_advantages": shared}
    return {"by_token": over_responses("together", series, *series)}


def _figure(found: Any) -> Figure:
    first = {name: found[name][0] if isinstance(found[name][0], list) else found[name] for name in
             ("centered", "grpo_advantages", "rloo_advantages")}  # fmt: skip
    return Figure(
        "together",
        x=tuple(range(len(first["grpo_advantages"]))),
        series={name: tuple(numbers) for name, numbers in first.items()},
        x_name="row",
        y_name="number",
    )


FACTS: dict[str, Check] = {**PROGRAMS, **WEIGHTS, **JUDGED, **CHECKS}  # the other facts are claimed in facts.toml
