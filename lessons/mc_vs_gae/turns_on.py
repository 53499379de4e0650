"""What turns on something that was left unsaid: λ, the sign of what comes later, where rewards and KL are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import sequences
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact
from lessons._compare import close
from lessons._errors import STEP, moments
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, Plain, Trial, apart, judged, outcome, rational, revalued, trial
from lessons._turns import always
from lessons.mc_vs_gae.returns import RETURNS
from lessons.mc_vs_gae.stated import STATED

GOOD = trial((0, 0, 1), ("1/4", "1/2", "3/4"), HALF)  # good news at every token
BAD = trial((0, 0, 0), ("1/4", 1, "1/2"), HALF)  # a hope that is not borne out
MIXED = trial((0, 1, -1), (0, 0, 0), HALF)
RISING, FALLING = trial((0, 1, 2), (0, 0, 0), HALF), trial((3, 1, 0), (0, 0, 0), HALF)


def _firsts(own: Trial) -> list[Any]:
    """The first token's advantage by GAE and by Monte Carlo."""
    return [own.advantages[0], own.mc_advantages[0]]


def _at_one(own: Trial) -> Trial:
    return Trial(own.rewards, own.values, ONE, own.gamma)


def _equal(_: Scenario) -> Judged:
    half, one = _firsts(GOOD), _firsts(_at_one(GOOD))
    return judged([a == b for a, b in (half, one)], lam=HALF, half=half, one=one)


def _smaller(_: Scenario) -> Judged:
    good, bad = _firsts(GOOD), _firsts(BAD)
    return judged([abs(gae) < abs(mc) for gae, mc in (good, bad)], lam=HALF, good=good, bad=bad)


def _below(_: Scenario) -> Judged:
    good, bad = _firsts(GOOD), _firsts(BAD)
    return judged([gae < mc for gae, mc in (good, bad)], lam=HALF, good=good, bad=bad)


def _one_sign(_: Scenario) -> Judged:
    good, bad = _firsts(GOOD), _firsts(BAD)
    return judged([gae * mc > 0 for gae, mc in (good, bad)], lam=HALF, good=good, bad=bad)


def _rank(xs: list[Any]) -> list[int]:
    return sorted(range(len(xs)), key=lambda t: xs[t])


def _ranks(_: Scenario) -> Judged:
    found = {"falling": FALLING, "rising": RISING}
    cases = [_rank(own.advantages) == _rank(own.mc_advantages) for own in found.values()]
    shown = {
        f"{name}_{way}": getattr(own, way) for name, own in found.items() for way in ("advantages", "mc_advantages")
    }
    return judged(cases, lam=HALF, **shown)


def _between(_: Scenario) -> Judged:
    good, mixed = ([own.deltas[0], *_firsts(own)] for own in (GOOD, MIXED))
    cases = [min(delta, mc) <= gae <= max(delta, mc) for delta, gae, mc in (good, mixed)]
    return judged(cases, lam=HALF, good=good, mixed=mixed)


def _later_values(_: Scenario) -> Judged:
    half, one = (revalued(own, 1).advantages[0] - own.advantages[0] for own in (GOOD, _at_one(GOOD)))
    return judged([half != 0, one != 0], lam=HALF, half=half, one=one)


def _gaps(own: Trial) -> list[Any]:
    return [abs(gap) for gap in apart(own.mc_advantages, own.advantages)]


def _gap_at_first(_: Scenario) -> Judged:
    good, mixed = _gaps(GOOD), _gaps(trial((0, -1, 1), (0, 0, 0), HALF))
    return judged([gap[0] == max(gap) for gap in (good, mixed)], good=good, mixed=mixed)


def _gap_grows(_: Scenario) -> Judged:
    tokens = (2, 4, 6)
    blind, seeing = ([_gaps(trial(outcome(n), [v] * n, HALF))[0] for n in tokens] for v in (0, 1))
    return judged([gap[0] < gap[-1] for gap in (blind, seeing)], tokens=tokens, blind=blind, seeing=seeing)


def _too_high(_: Scenario) -> Judged:
    """All values one too high; and only the next one."""
    everywhere = trial(GOOD.rewards, [v + 1 for v in GOOD.values], HALF)
    moved = [other.advantages[0] - GOOD.advantages[0] for other in (everywhere, revalued(GOOD, 1))]
    return judged([m < 0 for m in moved], lam=HALF, everywhere=moved[0], next=moved[1])


def _returns(rewards: tuple[Plain, ...], gamma: Fraction = ONE) -> list[Any]:
    return sequences.mc_returns(rational(rewards), gamma)


def _return_falls(_: Scenario) -> Judged:
    paid, charged = _returns((1, 1, 1)), _returns((-1, -1, 1))
    return judged([g == sorted(g, reverse=True) for g in (paid, charged)], paid=paid, charged=charged)


def _first_is_total(_: Scenario) -> Judged:
    rewards = (1, 1, 1)
    plain, discounted = _returns(rewards)[0], _returns(rewards, HALF)[0]
    found = {"total": sum(rewards), "plain": plain, "discounted": discounted}
    return judged([g == sum(rewards) for g in (plain, discounted)], gamma=HALF, **found)


def _same_return(_: Scenario) -> Judged:
    found = {"end": _returns((0, 0, 1)), "steps": _returns((1, 1, 1)), "discounted": _returns((0, 0, 1), HALF)}
    return judged([len(set(g)) == 1 for g in found.values()], gamma=HALF, **found)


def _right_is_positive(_: Scenario) -> Judged:
    """A right answer with a score of one: with a critic below the score, and one above it."""
    below, above = (trial(outcome(3), [v] * 3).mc_advantages for v in (HALF, Fraction(3, 2)))
    return judged([min(a) > 0 for a in (below, above)], below=below, above=above)


def _mc_falls(_: Scenario) -> Judged:
    values = rational(("1/4", "1/2", "3/4"))
    rising, falling = (trial(outcome(3), v).mc_advantages for v in (values, values[::-1]))
    return judged([a == sorted(a, reverse=True) for a in (rising, falling)], v=values, rising=rising, falling=falling)


def _holds_kl(_: Scenario) -> Judged:
    """KL taken off the rewards; and left to the loss, which leaves the scores as the rewards."""
    inside, outside = (sequences.mc_returns(exact("kl_rewards", beta=b)["rewards"], 1) for b in (0.1, 0.0))
    scores = sequences.mc_returns(RUNNING.rows("scores")[0], 1)
    return judged([not close(g, scores) for g in (inside, outside)], inside=inside, outside=outside, scores=scores)


def _legitimate(_: Scenario) -> Judged:
    means = [moments(error, (0.5, 1.0))["mean"][1] for error in (0.0, 0.5)]
    return judged(means == [Fraction(STEP)] * 2, truth=Fraction(STEP), means=means)


def _returns_less_values_at_one(_: Scenario) -> Judged:
    found = _at_one(GOOD)
    less = apart(found.returns, found.values)
    return judged(less == found.mc_advantages, less=less, mc=found.mc_advantages)


def _score_alone(_: Scenario) -> Judged:
    simple, kl = trial(outcome(3), GOOD.values), trial(("-1/10", "-1/10", 1), GOOD.values)
    score = [ONE - v for v in GOOD.values]
    right = simple.mc_advantages == score and kl.mc_advantages != score
    return judged(right, score=score, mc=simple.mc_advantages, charged=kl.mc_advantages)


def _good_news_below(_: Scenario) -> Judged:
    """Every δ of one sign: the advantages at λ one half beside Monte Carlo's."""
    good, bad = GOOD, trial((0, 0, 0), ("3/4", "1/2", "1/4"), HALF)
    right = good.advantages[0] < good.mc_advantages[0] and bad.advantages[0] > bad.mc_advantages[0]
    return judged(right, lam=HALF, good=_firsts(good), bad=_firsts(bad))


def _all_paid_falls(_: Scenario) -> Judged:
    paid, end = _returns((1, 1, 1)), _returns((0, 0, 1))
    return judged(paid == sorted(set(paid), reverse=True) and len(set(end)) == 1, paid=paid, end=end)


TURNS: dict[str, Check] = {
    "gae_equals_monte_carlo": _equal,
    "gae_is_smaller_in_size": _smaller,
    "gae_lies_below_monte_carlo": _below,
    "gae_and_monte_carlo_agree_in_sign": _one_sign,
    "gae_and_monte_carlo_rank_this_response_alike": _ranks,
    "gae_is_between_delta_and_monte_carlo": _between,
    "gae_uses_later_values": _later_values,
    "the_first_token_has_the_largest_gap": _gap_at_first,
    "the_gap_grows_with_the_length": _gap_grows,
    "the_gap_always_grows_with_the_length": always(_gap_grows),
    "a_critic_too_high_lowers_the_advantages": _too_high,
    "the_return_falls_along_the_response": _return_falls,
    "the_return_always_falls_along_the_response": always(_return_falls),
    "the_first_return_adds_up_all_rewards": _first_is_total,
    "all_tokens_have_the_same_return": _same_return,
    "all_tokens_always_have_the_same_return": always(_same_return),
    "a_right_answer_has_positive_monte_carlo_advantages": _right_is_positive,
    "the_monte_carlo_advantage_falls_along_the_response": _mc_falls,
    "the_return_contains_the_kl": _holds_kl,
    "the_return_always_contains_the_kl": always(_holds_kl),
    "return_less_value_is_a_legitimate_estimate": _legitimate,
    "returns_less_values_is_monte_carlo_at_lambda_one": _returns_less_values_at_one,
    "a_score_alone_less_the_value_is_monte_carlo": _score_alone,
    "returns_less_values_is_always_monte_carlo": always(RETURNS["verl_returns_less_values_is_monte_carlo"]),
    "score_less_value_is_always_monte_carlo": always(RETURNS["score_less_value_is_monte_carlo"]),
    "the_whole_return_always_serves_every_token": always(RETURNS["whole_return_serves_every_token"]),
    "monte_carlo_is_always_better": always(STATED["monte_carlo_is_better_than_gae"]),
    "a_right_answer_always_has_positive_advantages": always(_right_is_positive),
    "good_later_news_puts_gae_below_monte_carlo": _good_news_below,
    "positive_rewards_make_the_return_fall": _all_paid_falls,
}
