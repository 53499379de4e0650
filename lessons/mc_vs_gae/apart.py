"""What learners claim of how the two differ: when they agree, what lies between them, what weighs how much in each."""

from __future__ import annotations

from engine.example import LAM, RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._checks import gae, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, moved, row

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")
HALF = "0.5"


def _lambda_one_at_any_gamma(_: Scenario) -> Judged:
    theorem("gae_lambda_one_is_monte_carlo")
    found = row(REWARDS, VALUES, gamma="0.9")
    return Judged(
        holds(found["advantages"] == found["mc_advantages"]),
        {"gamma": fraction("0.9"), "a": found["advantages"][0], "mc": found["mc_advantages"][0]},
    )


def _gamma_one_is_enough(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, gamma=1, lam=HALF)
    return Judged(
        holds(found["advantages"] == found["mc_advantages"]),
        {"a": found["advantages"][0], "mc": found["mc_advantages"][0], "lam": fraction(HALF)},
    )


def _weighs_all_fully(_: Scenario) -> Judged:
    """By how much each δ moves G − V and A at the first token: each reward moves its own δ by as much."""
    plain, by_mc, by_gae = row(REWARDS, VALUES, lam=HALF), [], []
    for k in range(len(REWARDS)):
        raised = row([fraction(r) + (t == k) for t, r in enumerate(REWARDS)], VALUES, lam=HALF)
        by_mc.append(moved(raised["mc_advantages"], plain["mc_advantages"])[0])
        by_gae.append(moved(raised["advantages"], plain["advantages"])[0])
    return Judged(
        holds(set(by_mc) == {1} and by_gae[0] > by_gae[1] > by_gae[2]),
        {"mc": by_mc, "gae": by_gae, "lam": fraction(HALF)},
    )


def _own_value_alike(_: Scenario) -> Judged:
    plain, raised = (row(REWARDS, (first, *VALUES[1:]), lam=HALF) for first in (VALUES[0], "1.5"))
    change = [moved(raised[name], plain[name])[0] for name in ("mc_advantages", "advantages")]
    return Judged(holds(change == [-1, -1]), {"mc": change[0], "gae": change[1]})


def _outcome_makes_equal(_: Scenario) -> Judged:
    found = row(("0", "0", "1"), VALUES, lam=HALF)
    return Judged(
        holds(found["advantages"] == found["mc_advantages"]),
        {"gae": found["advantages"], "mc": found["mc_advantages"]},
    )


def _no_later_news(_: Scenario) -> Judged:
    """All δ after the first token are zero."""
    found = row(("0", "0", "0.75"), (HALF, "0.75", "0.75"), lam=HALF)
    same = found["advantages"][0] == found["mc_advantages"][0] and not any(found["deltas"][1:])
    return Judged(holds(same), {"deltas": found["deltas"], "both": found["advantages"][0]})


def _mean_of_two_ends(_: Scenario) -> Judged:
    """(1 − λ)δ + λ(G − V) beside GAE."""
    found, lam = row(REWARDS, VALUES, lam=HALF), fraction(HALF)
    mixed = (1 - lam) * found["deltas"][0] + lam * found["mc_advantages"][0]
    return Judged(holds(mixed == found["advantages"][0]), {"mixed": mixed, "gae": found["advantages"][0], "lam": lam})


def _rank_alike(_: Scenario) -> Judged:
    found = row(("0", "0", "1"), (HALF, "0.25", "0.375"), lam="0.1")
    orders = [sorted(range(3), key=found[name].__getitem__) for name in ("mc_advantages", "advantages")]
    return Judged(holds(orders[0] == orders[1]), {"mc": found["mc_advantages"], "gae": found["advantages"]})


def _gap_knows_own_value(_: Scenario) -> Judged:
    gaps = []
    for first in (VALUES[0], "1.5"):
        found = row(REWARDS, (first, *VALUES[1:]), lam=HALF)
        gaps.append(moved(found["mc_advantages"], found["advantages"])[0])
    return Judged(holds(gaps[0] != gaps[1]), {"before": gaps[0], "after": gaps[1]})


def _gap_before_the_last(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    gap = moved(found["mc_advantages"], found["advantages"])[1]
    share = (1 - fraction(HALF)) * found["deltas"][2]
    return Judged(holds(gap == share), {"gap": gap, "share": share, "delta": found["deltas"][2]})


def _whitening_evens_out(_: Scenario) -> Judged:
    one, other = (whitened(name) for name in ("advantages", "mc_advantages"))
    first = [round(float(x[0]), 6) for x in (one, other)]
    return Judged(holds(close(one, other)), {"gae": first[0], "mc": first[1]})


def _less_of_the_final_reward(_: Scenario) -> Judged:
    weights = [fraction(lam) ** (RUNNING.length - 1) for lam in (LAM, 1)]
    plain = gae()
    last = [float(r) for r in plain["rewards"]]
    raised = gae(scores=None, rewards=[*last[:-1], last[-1] + 1])
    change = [raised[name][0] - plain[name][0] for name in ("advantages", "mc_advantages")]
    return Judged(holds(close(change, weights) and weights[0] < weights[1]), {"gae": change[0], "mc": change[1]})


def _two_tokens(_: Scenario) -> Judged:
    found = row(("0", "1"), (HALF, "0.75"), lam=HALF)
    equal = [a == m for a, m in zip(found["advantages"], found["mc_advantages"], strict=True)]
    return Judged(holds(all(equal)), {"gae": found["advantages"], "mc": found["mc_advantages"]})


def _order_of_loop(_: Scenario) -> Judged:
    """G summed from each token on, without a loop from the end."""
    found = row(REWARDS, VALUES)
    sums = [sum(found["rewards"][t:]) for t in range(len(REWARDS))]
    return Judged(holds(sums == found["mc_returns"]), {"sums": sums, "g": found["mc_returns"]})


def _last_value_only(_: Scenario) -> Judged:
    """Which values move A at the first token when λ is below one."""
    change = []
    for k in range(len(VALUES)):
        raised = row(REWARDS, [fraction(v) + (t == k) for t, v in enumerate(VALUES)], lam=HALF)
        change.append(moved(raised["advantages"], row(REWARDS, VALUES, lam=HALF)["advantages"])[0])
    return Judged(holds(not any(change[1:])), {"moved": change, "lam": fraction(HALF)})


APART: dict[str, Check] = {
    "lambda_one_is_monte_carlo_for_any_gamma": _lambda_one_at_any_gamma,
    "gamma_one_is_monte_carlo": _gamma_one_is_enough,
    "monte_carlo_weighs_all_later_deltas_fully": _weighs_all_fully,
    "both_take_off_the_own_value_in_full": _own_value_alike,
    "outcome_reward_makes_them_equal": _outcome_makes_equal,
    "no_later_news_makes_them_equal": _no_later_news,
    "gae_is_the_weighted_mean_of_delta_and_monte_carlo": _mean_of_two_ends,
    "both_rank_the_tokens_alike": _rank_alike,
    "gap_depends_on_the_own_value": _gap_knows_own_value,
    "gap_before_the_last_token_is_a_share_of_its_delta": _gap_before_the_last,
    "whitening_makes_monte_carlo_and_gae_equal": _whitening_evens_out,
    "gae_gives_the_first_token_less_of_the_final_reward": _less_of_the_final_reward,
    "two_tokens_make_them_equal": _two_tokens,
    "return_needs_no_backward_loop": _order_of_loop,
    "gae_uses_no_later_values": _last_value_only,
}
