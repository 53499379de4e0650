"""Advantages without a critic: GRPO, RLOO and REINFORCE++ on one group of responses, and GAE beside them."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from engine import by_group, quantities
from engine.errors import EngineError
from engine.example import BOTH, RUNNING
from engine.facts import Inputs, Program, compute, work
from engine.mistakes import MISTAKES
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario, scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, over_responses
from lessons._lesson import Shown
from lessons.group_baselines.basics import BASICS
from lessons.group_baselines.checks import MORE
from lessons.group_baselines.further import FURTHER
from lessons.group_baselines.judged import JUDGED
from lessons.group_baselines.logged import LOGGED
from lessons.group_baselines.quantified import QUANTIFIED
from lessons.group_baselines.stepwise import STEPWISE
from lessons.group_baselines.summed import SUMMED
from lessons.group_baselines.turns_on import TURNS_ON

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


# ---------------------------------------------------------------- what learners claim


def _found(rewards: tuple[Any, ...], program: Program = side_by_side) -> dict[str, Any]:
    return dict(compute(program, scenario({"group_rewards": list(rewards)})).exact)


def _numbers(given: Scenario) -> tuple[float, ...]:
    """The learner's first group, else the running example's."""
    own = given if given.group_rewards is not None else RUNNING
    row = own.rows("group_rewards")[0]
    return row if len(row) > 1 else RUNNING.rows("group_rewards")[0]


def _tokens_share(_: Scenario) -> Judged:
    theorem("grpo_gives_all_tokens_one_advantage")
    gae = quantities.facts("gae", RUNNING).exact["advantages"]
    return Judged("true", {"grpo": _found(_numbers(RUNNING))["advantages"][0], "first": gae[0], "last": gae[-1]})


def _equal_scores_teach_nothing(_: Scenario) -> Judged:
    found = _found((1, 1, 1, 1))
    return Judged(holds(not any(found["advantages"])), {"score": 1, "advantage": found["advantages"][0]})


def _is_gae(_: Scenario) -> Judged:
    gae = quantities.facts("gae", RUNNING.merged({"lam": 1.0})).exact["advantages"]
    return Judged(
        holds(len(set(gae)) == 1),
        {"first": gae[0], "last": gae[-1], "grpo": _found(_numbers(RUNNING))["advantages"][0]},
    )


def _needs_critic(_: Scenario) -> Judged:
    """Which parts of a scenario the programs read."""
    used = compute(side_by_side, RUNNING).used
    return Judged(holds("values" in used), {"count": len(_numbers(RUNNING))})


def _rescaled(given: Scenario) -> Judged:
    theorem("rloo_is_rescaled_mean_baseline")
    scores = _numbers(given)
    found = _found(scores)
    factor = len(scores) / (len(scores) - 1)
    pairs = list(zip(found["rloo_advantages"], found["centered"], strict=True))
    same = all(abs(float(a) - factor * float(b)) < 1e-9 for a, b in pairs)
    return Judged(holds(same), {"rloo": pairs[0][0], "centered": pairs[0][1], "factor": factor})


def _sums_to_zero(given: Scenario) -> Judged:
    found = _found(_numbers(given))["advantages"]
    return Judged(holds(abs(sum(found)) < 1e-9), {"first": found[0], "sum": abs(round(float(sum(found)), 9))})


def _own_score_biases(_: Scenario) -> Judged:
    """A baseline with one's own score shrinks every advantage alike: the mean gradient keeps its direction."""
    found = _found(_numbers(RUNNING))
    pairs = list(zip(found["centered"], found["rloo_advantages"], strict=True))
    factors = {round(float(a / b), 9) for a, b in pairs if b}
    return Judged(holds(len(factors) > 1), {"with_own": pairs[0][0], "without": pairs[0][1], "factor": factors.pop()})


def _population(_: Scenario) -> Judged:
    found = _found((2, 4, 6))
    return Judged(
        holds(found["advantages"] == found["advantages_population"]),
        {"sample": found["advantages"][2], "population": found["advantages_population"][2]},
    )


def _whole_batch(_: Scenario) -> Judged:
    found = compute(prompts_together, scenario({"group_rewards": PROMPTS})).exact
    return Judged(
        holds(found["grpo"] != found["reinforce_plus_plus"]),
        {"easy": found["grpo"][0][0], "hard": found["grpo"][1][-1], "whole": found["reinforce_plus_plus"][0][0]},
    )


def _no_variance(_: Scenario) -> Judged:
    one, other = (_found(group)["advantages"][0] for group in ((1, 0, 0, 1), (1, 0, 0, 0)))
    return Judged(holds(one == other), {"one": one, "other": other})


def _two_are_opposite(_: Scenario) -> Judged:
    found = _found((0.25, 1))["rloo_advantages"]
    return Judged(holds(found[0] == -found[1]), {"one": found[0], "other": found[1]})


FACTS: dict[str, Check] = {
    "tokens_share_one_advantage": _tokens_share,
    "equal_scores_teach_nothing": _equal_scores_teach_nothing,
    "grpo_is_gae_at_lambda_one": _is_gae,
    "groups_need_a_critic": _needs_critic,
    "rloo_is_rescaled_mean_baseline": _rescaled,
    "grpo_sums_to_zero": _sums_to_zero,
    "own_score_in_baseline_biases": _own_score_biases,
    "grpo_uses_population_std": _population,
    "reinforce_plus_plus_takes_the_batch": _whole_batch,
    "no_critic_no_variance": _no_variance,
    "two_responses_are_opposite": _two_are_opposite,
    **MORE,
    **FURTHER,
    **JUDGED,
    **BASICS,
    **TURNS_ON,
    **QUANTIFIED,
    **LOGGED,
    **SUMMED,
    **STEPWISE,
}
