"""Why the TD errors of a response add up to its return minus what the critic expected."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import Inputs, compute
from engine.proofs import counterexample, theorem
from engine.proofs.telescoping import excess, telescoping, written_out
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, first_of
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.telescoping.checks import MORE
from lessons.telescoping.claimed import CHECKS
from lessons.telescoping.grid import GRID
from lessons.telescoping.needs import NEEDS
from lessons.telescoping.stated import STATED
from lessons.telescoping.terms import TERMS
from lessons.telescoping.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("advantage_sum_for_delta_sum", "bootstrap_forgotten", "bootstrap_after_the_end")
LONGEST_WRITTEN_OUT = 8  # tokens
CLOSE = 1e-9


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario)
    proofs = {"for_all": telescoping(), "excess": excess(), "stopped": theorem("n_step_advantage_is_sum_of_deltas")}
    length = first_response(scenario).length
    if length <= LONGEST_WRITTEN_OUT:
        proofs["own"] = written_out(length)
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs=proofs,
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"steps": _steps(first_response(scenario))},
        twins=(twins.telescoping,),
    )


def counted(x: Inputs) -> dict[str, Any]:
    """Every δ as the sum at the first token counts it."""
    found = quantities.gae(x)
    deltas = [formulas.discounted(d, x["gamma"], t) for t, d in enumerate(found["deltas"][0])]
    return {"values": found["values"], "deltas": [deltas], "mc_returns": found["mc_returns"]}


def _steps(own: Scenario) -> Figure:
    found = first_of(compute(counted, own).numbers, "values", "deltas", "mc_returns")
    return Figure(
        "waterfall",
        tuple(range(len(found["deltas"]))),
        {"discounted_deltas": found["deltas"]},
        x_name="token",
        y_name="values",
        z_name="mc_returns",
        start=found["values"][0],
        end=found["mc_returns"][0],
    )


# ---------------------------------------------------------------- what learners claim


def _at(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _agree(found: dict[str, Any]) -> bool:
    return abs(float(found["delta_sum"] - found["excess"])) < CLOSE


def _sums(found: dict[str, Any]) -> dict[str, Any]:
    return {"sum": found["delta_sum"], "excess": found["excess"]}


def _holds(scenario: Scenario) -> Judged:
    theorem("excess")
    found = _at(scenario)
    return Judged(holds(_agree(found)), _sums(found))


def _needs_an_exact_critic(_: Scenario) -> Judged:
    """A critic that says what nobody would believe."""
    values = [7.0, -3.0, 0.0, 12.0, -8.0, 5.0]
    found = _at(RUNNING, values=values)
    return Judged(holds(not _agree(found)), {"v": [int(v) for v in values], **_sums(found)})


def _only_on_average(_: Scenario) -> Judged:
    """A single response, good or bad, by itself."""
    ends = [_at(RUNNING, scores=[0.0] * (RUNNING.length - 1) + [score]) for score in (1.0, 0.0)]
    return Judged(
        holds(not all(map(_agree, ends))),
        {"good": ends[0]["delta_sum"], "good_excess": ends[0]["excess"], "bad": ends[1]["delta_sum"],
         "bad_excess": ends[1]["excess"]},
    )  # fmt: skip


def _needs_gamma_one(_: Scenario) -> Judged:
    found = _at(RUNNING, gamma=0.9)
    return Judged(holds(not _agree(found)), {"gamma": 0.9, **_sums(found)})


def _plain_sum_is_enough(_: Scenario) -> Judged:
    found = counterexample("undiscounted_deltas_telescope")
    given = dict(found.inputs)
    return Judged(
        holds(found.left == found.right),
        {
            "r": given["rewards"],
            "v": given["values"],
            "gamma": given["gamma"],
            "sum": found.left,
            "excess": found.right,
        },
    )


def _with_value(t: int) -> dict[str, Any]:
    return _at(at_hand(), values=[v + float(i == t) for i, v in enumerate(at_hand().rows("values")[0])])


def _middle_values_drop_out(_: Scenario) -> Judged:
    before, after = _at(at_hand())["delta_sum"], [_with_value(t)["delta_sum"] for t in range(1, at_hand().length)]
    return Judged(holds(all(abs(float(x - before)) < CLOSE for x in after)), {"before": before, "after": after[0]})


def _critic_has_no_part(_: Scenario) -> Judged:
    before, after = _at(RUNNING)["delta_sum"], _with_value(0)["delta_sum"]
    return Judged(holds(before == after), {"before": before, "after": after})


def _tail_of_a_value_after_the_end(_: Scenario) -> Judged:
    """The sum with V_T in the place of 0: the last reward and γV_T on top of it."""
    theorem("telescoping")
    rewards, values, gamma, after = (
        [Fraction(0), Fraction(1)],
        [Fraction(1, 2), Fraction(3, 5)],
        Fraction(9, 10),
        Fraction(1, 2),
    )
    plain = sequences.discounted_sum(sequences.deltas(rewards, values, gamma), gamma)
    longer = sequences.deltas([*rewards, -after], [*values, after], gamma)[:2]
    extra = sequences.discounted_sum(longer, gamma) - plain
    tail = formulas.discounted(after, gamma, len(values))
    return Judged(holds(extra == tail), {"extra": extra, "tail": tail, "after": after, "gamma": gamma})


def _part_of_the_sum_is_enough(_: Scenario) -> Judged:
    found = _at(at_hand())
    part = sequences.discounted_sum(found["deltas"][:2], Fraction(1))
    return Judged(holds(part == found["excess"]), {"part": part, "excess": found["excess"], "v": found["values"][2]})


FACTS: dict[str, Check] = {
    **CHECKS,
    **NEEDS,
    **TERMS,
    "deltas_sum_to_return_minus_value": _holds,
    "needs_an_exact_critic": _needs_an_exact_critic,
    "holds_only_on_average": _only_on_average,
    "needs_gamma_one": _needs_gamma_one,
    "plain_sum_for_any_gamma": _plain_sum_is_enough,
    "middle_values_drop_out": _middle_values_drop_out,
    "independent_of_the_critic": _critic_has_no_part,
    "value_after_the_end_leaves_a_tail": _tail_of_a_value_after_the_end,
    "some_deltas_are_enough": _part_of_the_sum_is_enough,
    **MORE,
    **STATED,
    **GRID,
    **TURNS,
}
