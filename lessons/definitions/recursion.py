"""What learners claim of the recursions: what they add, what the last token makes of them, what signs mean."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, mistakes, quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.definitions.meanings import EARLIER, HALF, LATER, ONE, of_example, paid


def _discount_from_own_token(_: Scenario) -> Judged:
    own = RUNNING.merged({"gamma": 0.5})
    right = exact_facts(quantities.gae, own)["mc_returns"][-1]
    wrong = mistakes.run("gamma_from_the_start", own).exact["mc_returns"][-1]
    reward = exact_facts(quantities.gae, own)["rewards"][-1]
    return Judged(holds(right == reward != wrong), {"gamma": HALF, "right": right, "wrong": wrong})


def _into_the_next_response(_: Scenario) -> Judged:
    """The first row of a batch, with another second row."""
    rest = {"gamma": 1.0, "lam": 0.95, "values": [[0.5, 0.5], [0.5, 0.5]]}
    first, other = (
        exact_facts(quantities.gae, Scenario().merged({**rest, "rewards": [[0.0, 1.0], [r, 0.0]]}))["advantages"][0]
        for r in (0.0, 5.0)
    )
    return Judged(holds(first != other), {"before": first[0], "after": other[0]})


def _reads(t: int) -> Check:
    """Whether the third token's advantage notices one more paid at t."""
    here = 2

    def check(_: Scenario) -> Judged:
        before, after = of_example()["advantages"][here], paid(t)["advantages"][here]
        return Judged(holds(not close(before, after)), {"t": t, "here": here, "before": before, "after": after})

    return check


def _value_less_target(_: Scenario) -> Judged:
    found = of_example()
    r, v = found["rewards"], found["values"]
    turned = v[0] - r[0] - v[1]
    return Judged(holds(turned == found["deltas"][0]), {"right": found["deltas"][0], "turned": turned})


def _recursive(_: Scenario) -> Judged:
    found = of_example()
    after = [*found["advantages"][1:], 0 * found["advantages"][0]]
    gamma, lam = Fraction(1), Fraction(str(RUNNING.lam))
    steps = [formulas.gae_step(d, a, gamma, lam) for d, a in zip(found["deltas"], after, strict=True)]
    return Judged(
        holds(close(steps, found["advantages"])), {"delta": found["deltas"][0], "next": after[0], "a": steps[0]}
    )


def _adds_the_next_value(_: Scenario) -> Judged:
    found = of_example()
    wrong = formulas.gae_step(found["deltas"][0], found["values"][1], ONE, Fraction(str(RUNNING.lam)))
    return Judged(holds(close(wrong, found["advantages"][0])), {"right": found["advantages"][0], "wrong": wrong})


def _last_is_delta(_: Scenario) -> Judged:
    found = [of_example(lam=lam) for lam in (0.0, 0.5, 1.0)]
    same = all(f["advantages"][-1] == f["deltas"][-1] for f in found)
    return Judged(holds(same), {"delta": found[0]["deltas"][-1], "a": [f["advantages"][-1] for f in found]})


def _last_return_is_reward(_: Scenario) -> Judged:
    found = [of_example(lam=lam) for lam in (0.0, 0.5, 1.0)]
    same = all(f["returns"][-1] == f["rewards"][-1] for f in found)
    return Judged(holds(same), {"reward": found[0]["rewards"][-1], "r": [f["returns"][-1] for f in found]})


def _zero_is_as_foreseen(_: Scenario) -> Judged:
    """V set to the return itself."""
    found = of_example(lam=1.0)
    again = of_example(lam=1.0, values=[float(g) for g in found["mc_returns"]])
    return Judged(
        holds(all(close(a, 0) for a in again["advantages"])),
        {"v": again["values"][0], "r": again["returns"][0], "a": again["advantages"][0]},
    )


def _overrated_is_negative(_: Scenario) -> Judged:
    values = [5.0, *RUNNING.rows("values")[0][1:]]
    found = of_example(values=values)
    return Judged(
        holds(
            all(
                (r < v) == (a < 0)
                for r, v, a in zip(found["returns"], found["values"], found["advantages"], strict=True)
            )
        ),
        {"v": found["values"][0], "r": found["returns"][0], "a": found["advantages"][0]},
    )


def _reward_to_go(_: Scenario) -> Judged:
    found = of_example()
    sums = [sum(found["rewards"][t:]) for t in range(RUNNING.length)]
    return Judged(holds(close(sums, found["mc_returns"])), {"sums": sums[:2], "g": found["mc_returns"][:2]})


def _gamma_on_the_reward(_: Scenario) -> Judged:
    own = of_example(gamma=0.5)
    wrong = HALF * (own["rewards"][-1]) - own["values"][-1]
    return Judged(holds(own["deltas"][-1] == wrong), {"gamma": HALF, "right": own["deltas"][-1], "wrong": wrong})


def _whole_only_at_first(_: Scenario) -> Judged:
    def moved(t: int) -> list[int]:
        pairs = zip(of_example()["mc_returns"], paid(t)["mc_returns"], strict=True)
        return [i for i, (a, b) in enumerate(pairs) if not close(a, b)]

    first, last = moved(EARLIER), moved(LATER)
    return Judged(holds(first == [0] and len(last) == RUNNING.length), {"first": first, "last": len(last)})


def _is_prefix_sum(_: Scenario) -> Judged:
    found = of_example()
    so_far = [sum(found["rewards"][:t]) for t in range(RUNNING.length)]
    return Judged(holds(close(so_far, found["mc_returns"])), {"own": found["mc_returns"][-1], "so_far": so_far[-1]})


RECURSION: dict[str, Check] = {
    "only_at_the_first_token_the_whole_is_covered": _whole_only_at_first,
    "returns_are_sums_of_what_was_paid_before": _is_prefix_sum,
    "discount_counts_from_the_own_token": _discount_from_own_token,
    "recursion_runs_into_the_next_response": _into_the_next_response,
    "advantage_reads_later_rewards": _reads(LATER),
    "advantage_reads_earlier_rewards": _reads(EARLIER),
    "delta_is_value_less_target": _value_less_target,
    "gae_is_recursive": _recursive,
    "gae_adds_the_next_value": _adds_the_next_value,
    "last_advantage_is_the_last_delta": _last_is_delta,
    "last_return_is_the_last_reward": _last_return_is_reward,
    "zero_advantage_means_return_equals_value": _zero_is_as_foreseen,
    "return_below_value_means_negative_advantage": _overrated_is_negative,
    "gamma_multiplies_the_reward_in_delta": _gamma_on_the_reward,
    "reward_to_go_is_the_sum_of_later_rewards": _reward_to_go,
}
