"""What the programs read and refuse: no critic, no γ, a score for each response, and never a group of one."""

from __future__ import annotations

from engine import groups, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import judged
from lessons._turns import always
from lessons._weighed import weighed


def _shown(xs: list[float]) -> list[float]:
    return [round(float(x), 4) for x in xs]


def _reads(quantity: str, part: str) -> bool:
    return part in quantities.facts(quantity, RUNNING).used


def _refuses_single_responses(scores: list[float]) -> bool:
    """Each of them to a prompt of its own."""
    try:
        groups.rloo(scores, range(len(scores)))
    except EngineError:
        return True
    return False


def _critic(_: Scenario) -> Judged:
    count = len(RUNNING.rows("group_rewards")[0])
    return Judged(holds(_reads("grpo", "values") or _reads("rloo", "values")), {"count": count})


def _no_gamma(_: Scenario) -> Judged:
    low, high = (
        quantities.facts("grpo", scenario({"group_rewards": [1, 0], "gamma": x, "lam": x})) for x in (0.5, 1.0)
    )
    unread = not {"gamma", "lam"} & set(low.used)
    return Judged(holds(unread and low.exact == high.exact), {"adv": _shown(low.exact["advantages"])[0]})


def _token_rewards(_: Scenario) -> Judged:
    return Judged(holds(_reads("grpo", "rewards")), {"count": 2, "found": _shown(groups.grpo([1, 0], [0, 0]))})


def _one_list(_: Scenario) -> Judged:
    """A program without values makes one list; there is nothing to add to it."""
    found = quantities.facts("grpo", RUNNING).exact
    return Judged(holds("returns" not in found), {"found": _shown(found["advantages"])})


def _needs_two(_: Scenario) -> Judged:
    return Judged(holds(_refuses_single_responses([1])), {"count": 1, "two": groups.rloo([1, 0], [0, 0])})


def _cheaper(_: Scenario) -> Judged:
    """GAE reads the values of a critic, and one response is enough; RLOO none, but no response alone."""
    alone = _refuses_single_responses([1])
    spared = _reads("gae", "values") and not _reads("rloo", "values")
    return Judged(weighed(spared, alone), {"least": 2 if alone else 1, "one": 1})


def _needs_several(_: Scenario) -> Judged:
    """Two prompts with one response each: RLOO has nobody to compare it with, REINFORCE++ has the batch."""
    scores = [1.0, 0.0]
    whole = [row[0] for row in groups.reinforce_plus_plus([[s] for s in scores], [[1]] * len(scores))]
    return judged([_refuses_single_responses(scores), not whole], least=2, scores=scores, whole=_shown(whole))


PROGRAMS: dict[str, Check] = {
    "groups_need_a_critic": _critic,
    "grpo_reads_no_gamma_or_lambda": _no_gamma,
    "grpo_needs_token_rewards": _token_rewards,
    "grpo_returns_are_its_advantages": _one_list,
    "rloo_needs_at_least_two": _needs_two,
    "group_methods_are_cheaper": _cheaper,
    "several_responses_per_prompt_are_needed": _needs_several,
    "several_responses_are_always_needed": always(_needs_several),
}
