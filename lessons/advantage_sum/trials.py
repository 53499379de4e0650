"""More of what learners claim about sums, tried: how often each δ is counted, and what the sum does not tell."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, quantities, sequences, world
from engine.chance import walk
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, outcome, raised, rational, trial

LAMS = (NONE, HALF, ONE)


def _counts(lam: Fraction, tokens: int = 4) -> list[Any]:
    """By how much ΣA moves with each δ."""
    nothing = [NONE] * tokens
    return [sum(sequences.gae_advantages(raised(nothing, k), ONE, lam)) for k in range(tokens)]


def _geometric(_: Scenario) -> Judged:
    theorem("sum_of_advantages_weighs_deltas")
    moved = _counts(HALF)
    return judged(moved == [sum(HALF**j for j in range(k + 1)) for k in range(4)], moved=moved)


def _first_once(_: Scenario) -> Judged:
    moved = _counts(HALF)
    return judged(moved[0] == 1 < moved[-1], first=moved[0], last=moved[-1])


def _k_plus_one(_: Scenario) -> Judged:
    theorem("sum_of_advantages_counts_deltas")
    moved = _counts(ONE)
    return judged(moved == [1, 2, 3, 4], moved=moved)


def _coincidence(_: Scenario) -> Judged:
    one, other = trial((0, 0, 1), (HALF, ONE, ONE)), trial((0, 0, 1), (HALF, HALF, ONE))
    sums = [sum(found.advantages) for found in (one, other)]
    return judged(
        sums[0] == one.excess and sums[1] != other.excess,
        v=one.values, a=one.advantages, excess=one.excess, w=other.values, sum=sums[1], other=other.excess,
    )  # fmt: skip


def _one_token(_: Scenario) -> Judged:
    found = [trial((1,), ("1/4",), lam) for lam in LAMS]
    sums, excess = [sum(one.advantages) for one in found], found[0].excess
    return judged(set(sums) == {excess}, r=ONE, v=found[0].values[0], lams=list(LAMS), sums=sums, excess=excess)


def _weighed(_: Scenario) -> Judged:
    gamma = Fraction(9, 10)
    own = trial((0, 0, 1), ("1/4", "1/2", "3/4"), HALF, gamma)
    later = [formulas.discounted(a, gamma, k) for k, a in enumerate(own.advantages)][1:]
    weighed = own.advantages[0] + (1 - own.lam) * sum(later)
    return judged(weighed == own.excess, gamma=gamma, weighed=weighed, excess=own.excess, plain=sum(own.advantages))


def _discounted(_: Scenario) -> Judged:
    gamma = HALF
    own = trial((0, 0, 1), ("1/4", "1/2", "3/4"), HALF, gamma)
    advantages, deltas = (sequences.discounted_sum(xs, gamma) for xs in (own.advantages, own.deltas))
    return judged(advantages == own.excess, gamma=gamma, advantages=advantages, deltas=deltas, excess=own.excess)


def _zero_sum(_: Scenario) -> Judged:
    found, whitened = gae()["advantage_sum"], sum(exact("whiten")["whitened"])
    return judged(found == 0, sum=found, whitened=round(float(whitened), 6))


def _zero_on_average(_: Scenario) -> Judged:
    known = walk(3, step=0.25)
    courses = zip(known.rewards, known.values, strict=True)
    sums = [sum(trial(map(Fraction, r), map(Fraction, v), HALF).advantages) for r, v in courses]
    mean = formulas.mean(sum(sums), len(sums))
    return judged(mean == 0, least=min(sums), most=max(sums), mean=mean)


def _total_reward(_: Scenario) -> Judged:
    found = gae()
    rewards = sum(found["rewards"])
    return judged(found["advantage_sum"] == rewards, sum=found["advantage_sum"], rewards=rewards)


def _returns_less_values(_: Scenario) -> Judged:
    found = gae()
    returns, values = sum(found["returns"]), sum(found["values"])
    difference = returns - values
    return judged(
        close(difference, found["advantage_sum"]),
        returns=returns, values=values, difference=difference, sum=found["advantage_sum"],
    )  # fmt: skip


def _undiscounted(_: Scenario) -> Judged:
    counterexample("undiscounted_deltas_telescope")
    own = trial((0, 0, 1), ("1/4", "1/2", "3/4"), 1, HALF)
    plain, discounted = sum(own.deltas), sequences.discounted_sum(own.deltas, own.gamma)
    return judged(plain == own.excess, gamma=own.gamma, plain=plain, discounted=discounted, excess=own.excess)


def _from_t_on(_: Scenario) -> Judged:
    theorem("telescoping")
    found = gae()
    sums = [sequences.discounted_sum(found["deltas"][t:], ONE) for t in range(at_hand().length)]
    return judged(close(sums, found["mc_advantages"]), sums=sums, excesses=found["mc_advantages"])


def _by_lambda(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 1.0)
    found = [gae(lam=lam) for lam in lams]
    deltas, advantages = ([one[name] for one in found] for name in ("delta_sum", "advantage_sum"))
    return judged(len(set(deltas)) > 1, lams=list(lams), deltas=deltas, advantages=advantages)


def _ranks(_: Scenario) -> Judged:
    high, low = ONE, Fraction(4, 5)
    short, long = trial(outcome(2, high), [HALF] * 2), trial(outcome(8, low), [HALF] * 8)
    sums = [sum(one.advantages) for one in (short, long)]
    return judged(sums[0] > sums[1], high=high, low=low, short=sums[0], long=sums[1])


def _excess_ranks(_: Scenario) -> Judged:
    v, scores = Fraction(2, 5), rational((0, "1/2", 1))
    found = [trial(outcome(3, score), (v, score, score)) for score in scores]
    returns, excesses = [one.mc_returns[0] for one in found], [one.excess for one in found]
    return judged(returns == sorted(returns) and excesses == sorted(excesses), v=v, returns=returns, excesses=excesses)


def _first_loss(_: Scenario) -> Judged:
    found = exact("surrogate", old_logp=at_hand().logp, new_logp=at_hand().logp)
    total = sum(found["advantages"])
    mean = formulas.mean(total, at_hand().length)
    return judged(close(found["surrogate"], mean), surrogate=found["surrogate"], mean=mean, sum=total)


def _negative_sum(_: Scenario) -> Judged:
    own = trial((1, "-3/5"), (0, 0))
    total = sum(own.advantages)
    return judged(not (total < 0 < own.excess), r=own.rewards, sum=total, excess=own.excess)


def _padding(_: Scenario) -> Judged:
    parts = {"gamma": 1, "lam": 0.5}
    alone = {"rewards": [0, 0, 1], "values": [0.25, 0.5, 0.75], **parts}
    padded = {"rewards": [0, 0, 1, 5, 5], "values": [0.25, 0.5, 0.75, 9, 9], "mask": [1, 1, 1, 0, 0], **parts}
    sums = [quantities.facts("gae", scenario(given)).exact["advantage_sum"] for given in (alone, padded)]
    return judged(sums[0] != sums[1], sums=sums)


def _whitened_batch(_: Scenario) -> Judged:
    given = {"rewards": [[0, 1], [0, 0]], "values": [[0.5, 0.5], [0.5, 0.25]], "gamma": 1, "lam": 1}
    whitened = quantities.facts("whiten", scenario(given)).exact["whitened"]
    rows = [round(float(sum(row)), 6) for row in whitened]
    total = round(float(sum(map(sum, whitened))), 6)
    return judged(total == 0 and any(rows), rows=rows, total=abs(total))


def _bounded(_: Scenario) -> Judged:
    tokens = 5
    own = trial(outcome(tokens), [0] * tokens)
    total = sum(own.advantages)
    return judged(total <= 1, tokens=tokens, reward=ONE, sum=total)


def _linear(_: Scenario) -> Judged:
    own = gae()
    twice = gae(
        rewards=[2 * float(r) for r in own["rewards"]], scores=None, values=[2 * float(v) for v in own["values"]]
    )
    before, after = own["advantage_sum"], twice["advantage_sum"]
    return judged(close(after, 2 * before), before=before, after=after)


def _overestimate(_: Scenario) -> Judged:
    parts = {"gamma": 1.0, "lam": 1.0}
    before, after = gae(**parts), gae(values=[v + 1 for v in at_hand().rows("values")[0]], **parts)
    moved, excess = (after[name] - before[name] for name in ("advantage_sum", "excess"))
    return judged(moved == -at_hand().length and excess == -1, sum=moved, tokens=at_hand().length, excess=excess)


def _delta_contributes(_: Scenario) -> Judged:
    theorem("excess")
    found = gae()
    total = sum(found["deltas"])
    return judged(
        close(total, found["excess"]), gamma=at_hand().gamma, deltas=found["deltas"], sum=total, excess=found["excess"]
    )


def _advantage_contributes(_: Scenario) -> Judged:
    counterexample("sum_of_advantages_is_initial_advantage")
    found = gae()
    total = found["advantage_sum"]
    return judged(close(total, found["excess"]), advantages=found["advantages"], sum=total, excess=found["excess"])


def _positive_excess(_: Scenario) -> Judged:
    own = trial((0, 1), ("1/2", "1/4"), 0)
    return judged(
        all(a > 0 for a in own.advantages) or own.excess <= 0,
        r=own.rewards, v=own.values, excess=own.excess, a=own.advantages,
    )  # fmt: skip


def _sign_of_first(_: Scenario) -> Judged:
    own = trial((0, 0), ("1/2", "5/4"), HALF)
    first = own.advantages[0]
    return judged(not (first > 0 > own.excess), r=own.rewards, v=own.values, first=first, excess=own.excess)


def _sum_to_rewards(_: Scenario) -> Judged:
    found = gae()
    deltas, rewards = sum(found["deltas"]), sum(found["rewards"])
    return judged(close(deltas, rewards), deltas=deltas, rewards=rewards, v=rewards - deltas)


def _last_is_excess(_: Scenario) -> Judged:
    found = gae()
    last = found["advantages"][-1]
    return judged(close(last, found["excess"]), last=last, excess=found["excess"])


def _exact_ones(_: Scenario) -> Judged:
    """Q − V along every response of a world that is counted through."""
    known = world.small(lambda _name, x: Fraction(str(x)))

    def along(response: world.Path) -> Any:
        return sum(
            formulas.advantage(known.q(response[:t], token), known.value(response[:t]))
            for t, token in enumerate(response)
        )

    sums = [along(response) for response in known.responses]
    excesses = [sum(known.rewards_along(response)) - known.value(()) for response in known.responses]
    return judged(sums == excesses, sums=sums, excesses=excesses)


TRIED: dict[str, Check] = {
    "delta_k_is_counted_by_a_geometric_sum": _geometric,
    "first_delta_is_counted_once": _first_once,
    "at_lambda_one_delta_k_counts_k_plus_one_times": _k_plus_one,
    "equality_above_lambda_zero_is_a_coincidence": _coincidence,
    "one_token_sum_is_the_excess": _one_token,
    "excess_is_first_plus_a_share_of_the_later": _weighed,
    "discounting_the_advantages_repairs_the_sum": _discounted,
    "raw_advantages_always_sum_to_zero": _zero_sum,
    "the_sum_averages_zero_with_an_exact_critic": _zero_on_average,
    "the_sum_is_the_total_reward": _total_reward,
    "the_sum_is_returns_less_values": _returns_less_values,
    "undiscounted_deltas_sum_to_the_excess_for_any_gamma": _undiscounted,
    "deltas_from_t_on_sum_to_the_excess_from_t_on": _from_t_on,
    "delta_sum_depends_on_lambda": _by_lambda,
    "advantage_sum_ranks_responses": _ranks,
    "excess_ranks_responses_to_one_prompt": _excess_ranks,
    "first_loss_is_minus_the_mean_advantage": _first_loss,
    "negative_sum_means_less_than_expected": _negative_sum,
    "padding_adds_to_the_sum": _padding,
    "whitened_batch_sums_to_zero": _whitened_batch,
    "the_sum_is_bounded_by_the_total_reward": _bounded,
    "doubling_rewards_and_values_doubles_the_sum": _linear,
    "uniform_overestimate_lowers_the_sum_by_every_token": _overestimate,
    "each_tokens_contribution_to_the_excess_is_its_delta": _delta_contributes,
    "each_tokens_contribution_to_the_excess_is_its_advantage": _advantage_contributes,
    "positive_excess_makes_every_advantage_positive": _positive_excess,
    "sign_of_the_first_advantage_is_that_of_the_excess": _sign_of_first,
    "deltas_sum_to_the_rewards": _sum_to_rewards,
    "last_advantage_is_the_excess": _last_is_excess,
    "exact_advantages_do_sum_to_the_excess": _exact_ones,
}
