"""What learners claim of the KL's part of the rewards, of which list is made first, and of who makes it."""

from __future__ import annotations

from fractions import Fraction

from engine.example import RUNNING
from engine.scenario import Scenario
from engine.slices import sees
from engine.statistics import total
from lessons._checks import whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.token_pipeline.effects import pipeline, same, three

PROMPT = 4  # tokens
LONGER = Fraction(1, 10)  # the KL sample of one token more, above zero or below


def _deltas_first(_: Scenario) -> Judged:
    """With another λ the advantages are others and the δ's are not: they don't read them."""
    one, half = pipeline(lam=1.0), pipeline(lam=0.5)
    free = close(one["deltas"], half["deltas"]) and not close(one["advantages"], half["advantages"])
    return Judged(holds(free), {"delta": one["deltas"][0], "one": one["advantages"][0], "half": half["advantages"][0]})


def _charged_once(_: Scenario) -> Judged:
    """How many rewards move when β does."""
    pairs = zip(pipeline()["rewards"], pipeline(beta=0.0)["rewards"], strict=True)
    moved = [t for t, (a, b) in enumerate(pairs) if a != b]
    return Judged(holds(len(moved) == 1), {"moved": moved, "T": RUNNING.length})


def _longer_pays_more(_: Scenario) -> Judged:
    """One token more, whose KL sample is above zero, or below."""
    own = total(pipeline()["kl"])
    more, less = own + LONGER, own - LONGER
    grows, falls = more > own, less < own
    return Judged("depends" if grows and falls else holds(grows), {"own": own, "more": more, "less": less})


def _scores_at_the_start(_: Scenario) -> Judged:
    found = pipeline(kl_values=None, ref_logp=list(RUNNING.rows("logp")[0]))
    scores = [Fraction(str(s)) for s in RUNNING.rows("scores")[0]]
    return Judged(holds(close(found["rewards"], scores)), {"kl": found["kl"], "rewards": found["rewards"]})


def _last_is_the_score(_: Scenario) -> Judged:
    score = Fraction(str(RUNNING.rows("scores")[0][-1]))
    plain = pipeline()
    free, paying = pipeline(beta=0.0)["rewards"][-1], plain["rewards"][-1]
    equal, differs = free == score, paying != score
    return Judged(
        "depends" if equal and differs else holds(equal),
        {"score": score, "free": free, "paying": paying, "kl": plain["kl"][-1]},
    )


def _add_up_to_the_score(_: Scenario) -> Judged:
    """The advantages without any KL, added up."""
    found = pipeline(beta=0.0)
    added, score = total(found["advantages"]), Fraction(str(RUNNING.rows("scores")[0][-1]))
    return Judged(holds(close(added, score)), {"sum": added, "score": score})


def _values_of_the_actor(_: Scenario) -> Judged:
    other = [x - 1 for x in RUNNING.rows("logp")[0]]
    stays = same("values", logp=other, new_logp=other, kl_values=None)
    return Judged(
        holds(not stays), {"value": pipeline()["values"][0], "logp": RUNNING.rows("logp")[0][0], "other": other[0]}
    )


def _sign_of_the_score(_: Scenario) -> Judged:
    rewards, score = pipeline()["rewards"], RUNNING.rows("scores")[0][-1]
    opposite = [t for t, r in enumerate(rewards) if r * Fraction(str(score)) < 0]
    return Judged(holds(not opposite), {"score": score, "t": opposite[0], "reward": rewards[opposite[0]]})


def _largest_together(_: Scenario) -> Judged:
    found = three([0.0, 0.0, 1.0], values=[0.1, 0.2, 0.99])
    places = [list(found[name]).index(max(found[name])) for name in ("rewards", "advantages")]
    return Judged(
        holds(places[0] == places[1]),
        {"rewards": found["rewards"], "advantages": found["advantages"], "t": places[0], "a": places[1]},
    )


def _double_beta(_: Scenario) -> Judged:
    """What is taken off the first reward, at β and at twice β."""
    beta = RUNNING.beta or 0.0
    free = pipeline(beta=0.0)["rewards"]
    once, twice = ([f - r for f, r in zip(free, pipeline(beta=b)["rewards"], strict=True)] for b in (beta, 2 * beta))
    return Judged(holds(close([2 * x for x in once], twice)), {"once": once, "twice": twice})


def _lifted(lam: float) -> list[Fraction]:
    """How much one more point of score lifts each advantage."""
    rest = [0.0] * (RUNNING.length - 1)
    low, high = (pipeline(scores=[*rest, last], lam=lam, gamma=1.0)["advantages"] for last in (1.0, 2.0))
    return [Fraction(b) - Fraction(a) for a, b in zip(low, high, strict=True)]


def _stays_at_the_end(_: Scenario) -> Judged:
    lifted = _lifted(0.0)
    return Judged(holds(not any(lifted[:-1]) and lifted[-1] == 1), {"lifted": lifted})


def _reaches_all_in_full(_: Scenario) -> Judged:
    lifted = _lifted(1.0)
    return Judged(holds(all(x == 1 for x in lifted)), {"lifted": lifted})


def _whitening_last(_: Scenario) -> Judged:
    """The whitened list under the returns: nothing before it has used it."""
    found, white = pipeline(), whitened()
    made = [a + v for a, v in zip(found["advantages"], found["values"], strict=True)]
    free = close(made, found["returns"]) and not close(white, found["advantages"])
    return Judged(
        holds(free),
        {"a": found["advantages"][0], "whitened": round(float(white[0]), 6), "ret": found["returns"][0]},
    )


def _needs_it_whole(_: Scenario) -> Judged:
    """How many of the response tokens the place has read at which the score is given."""
    seen = int(sum(sees(PROMPT, RUNNING.length, 1)[-1]))
    return Judged(holds(seen == RUNNING.length), {"seen": seen, "T": RUNNING.length})


def _earlier_are_larger(_: Scenario) -> Judged:
    """The same outcome under a critic that grows surer and under one that is level."""
    surer, level = (three([0.0, 0.0, 1.0], values=v)["advantages"] for v in ([0.1, 0.5, 0.9], [0.4, 0.4, 0.4]))
    larger, smaller = surer[0] > surer[-1], level[0] < level[-1]
    return Judged("depends" if larger and smaller else holds(larger), {"surer": surer, "level": level})


def _equal_returns(_: Scenario) -> Judged:
    free, own = pipeline(beta=0.0, lam=1.0, gamma=1.0)["returns"], pipeline()["returns"]
    equal, differ = len(set(free)) == 1, len(set(own)) > 1
    return Judged("depends" if equal and differ else holds(equal), {"free": free, "own": own})


PARTS: dict[str, Check] = {
    "the_score_needs_the_whole_response": _needs_it_whole,
    "earlier_advantages_are_larger": _earlier_are_larger,
    "all_returns_are_equal": _equal_returns,
    "at_lambda_zero_the_score_stays_at_the_last_token": _stays_at_the_end,
    "at_lambda_one_the_score_reaches_all_tokens_in_full": _reaches_all_in_full,
    "whitening_comes_last": _whitening_last,
    "deltas_come_before_advantages": _deltas_first,
    "kl_is_charged_once_per_response": _charged_once,
    "longer_responses_pay_more_kl": _longer_pays_more,
    "rewards_are_scores_while_policy_is_the_reference": _scores_at_the_start,
    "last_reward_is_the_score": _last_is_the_score,
    "advantages_add_up_to_the_score": _add_up_to_the_score,
    "values_come_from_the_actor": _values_of_the_actor,
    "every_reward_has_the_scores_sign": _sign_of_the_score,
    "largest_reward_has_the_largest_advantage": _largest_together,
    "doubling_beta_doubles_the_kl_part": _double_beta,
}
