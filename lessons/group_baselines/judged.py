"""Questions of judgement about groups: cases for and against, over all the ways that groups can come out."""

from __future__ import annotations

from fractions import Fraction

from engine.coin_groups import batch_variance, dropped
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._weighed import weighed

HALF = Fraction(1, 2)
BUDGET, SIZES = 64, (2, 8)  # responses that can be generated, responses in a group
ALIKE, UNLIKE = (HALF,), (HALF, Fraction(0))  # how likely a right response is, by the kind of prompt
EASY, COSTS = Fraction(3, 4), (Fraction(0),) * 4  # of one prompt; what each response of its group pays


def _larger_group(_: Scenario) -> Judged:
    """A budget spent on small groups and on large ones: what the step varies by, over prompts alike and unlike."""
    alike, unlike = ([batch_variance(kinds, n, BUDGET) for n in SIZES] for kinds in (ALIKE, UNLIKE))
    return Judged(
        weighed(alike[1] < alike[0], unlike[1] > unlike[0]),
        {
            "counts": list(SIZES),
            "budget": BUDGET,
            "prompts": [BUDGET // n for n in SIZES],
            "alike": [round(float(x), 5) for x in alike],
            "unlike": [round(float(x), 5) for x in unlike],
        },
    )


def _drop_silent(_: Scenario) -> Judged:
    """Groups as they come, and only those that tell, others sampled for the rest: how steady a step is, its price."""
    found = dropped(EASY, COSTS)
    return Judged(
        weighed(found.kept > found.plain, found.generated > 1),
        {
            "group": len(COSTS),
            "chance": EASY,
            "plain": round(found.plain, 4),
            "kept": round(found.kept, 4),
            "generated": round(float(found.generated), 4),
        },
    )


JUDGED: dict[str, Check] = {
    "larger_group_is_better": _larger_group,
    "silent_groups_should_be_dropped": _drop_silent,
}
