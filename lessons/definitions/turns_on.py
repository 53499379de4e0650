"""What is said of the quantities without the condition it turns on: γ, λ, β, the token, whitening."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.proofs.programs import mean
from engine.scenario import Scenario
from engine.world import small
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._row import fraction
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, trial
from lessons._turns import always, either_way
from lessons.definitions.slopes import SLOPES

VALUES = ("1/4", "1/2", "3/4")
END = outcome(3)
LOGP, REF = [-0.5, -0.7, -0.2], [-0.6, -0.6, -0.3]


def _ends() -> tuple[Trial, Trial]:
    """The same response with λ below one and at one."""
    return trial(END, VALUES, HALF), trial(END, VALUES, 1)


def _unweighted(_: Scenario) -> Judged:
    one, half = (trial([1, 1, 1], VALUES, 1, gamma).mc_returns[0] for gamma in (ONE, HALF))
    return judged([g == 3 * ONE for g in (one, half)], one=one, half=half, gamma=HALF)


def _rewards(beta: float) -> list[Fraction]:
    scores = [float(x) for x in END]
    found = alone("kl_rewards", scores=scores, logp=LOGP, ref_logp=REF, beta=beta, kl="k1")["rewards"]
    return [fraction(float(r)) for r in found]


def _same_numbers(_: Scenario) -> Judged:
    """The rewards with KL taken off the scores, and with none."""
    charged, free = _rewards(0.1), _rewards(0.0)
    return judged([close(r, END) for r in (charged, free)], scores=END, charged=charged, free=free)


def _sums_at_every_lambda(_: Scenario) -> Judged:
    below, one = _ends()
    return judged(
        all(t.returns == t.mc_returns for t in (below, one)), below=below.returns, lam=HALF, mc=below.mc_returns
    )


def _q_and_v(_: Scenario) -> Judged:
    world = small(lambda _name, x: fraction(x))
    v, q = world.value(()), [world.q((), a) for a in range(2)]
    return judged(all(x == v for x in q), v=v, q=q)


def _q_above_v(_: Scenario) -> Judged:
    world = small(lambda _name, x: fraction(x))
    v, q = world.value(()), [world.q((), a) for a in range(2)]
    return judged([x > v for x in q], v=v, q=q)


def _advantage_positive(_: Scenario) -> Judged:
    world = small(lambda _name, x: fraction(x))
    v = world.value(())
    advantages = [world.q((), a) - v for a in range(2)]
    return judged([a > 0 for a in advantages], a=advantages)


def _mean_zero(_: Scenario) -> Judged:
    raw = trial(END, VALUES).advantages
    white = alone("whiten", advantages=[float(a) for a in raw])["whitened"]
    middle = round(float(sum(white)) / len(white), 9)
    return judged([middle == 0, mean(raw) == 0], raw=mean(raw), white=abs(middle))


def _return_less_value(_: Scenario) -> Judged:
    below, one = _ends()
    return judged(
        [t.advantages == t.mc_advantages for t in (below, one)],
        below=below.advantages[0], one=one.advantages[0], mc=one.mc_advantages[0], lam=HALF,
    )  # fmt: skip


def _rewards_positive(_: Scenario) -> Judged:
    free, charged = _rewards(0.0), _rewards(0.1)
    return judged([min(r) >= 0 for r in (free, charged)], free=free, charged=charged)


def _exceeds_the_reward(_: Scenario) -> Judged:
    gain, loss = (trial([1, later], [0, 0]) for later in (1, -1))
    pairs = [[t.mc_returns[0], t.rewards[0]] for t in (gain, loss)]
    return judged([g > r for g, r in pairs], gain=pairs[0], loss=pairs[1])


def _always_the_td_error(_: Scenario) -> Judged:
    zero, half = (trial(END, VALUES, lam) for lam in (NONE, HALF))
    off = apart(half.advantages, half.deltas)
    return judged(zero.advantages == zero.deltas and not any(off), off=off, lam=HALF)


def _always_the_score(_: Scenario) -> Judged:
    """The first return where γ is one and nothing is charged; discounted; with KL in the rewards."""
    plain, less = (trial(END, VALUES, 1, gamma).mc_returns[0] for gamma in (ONE, HALF))
    charged = trial(_rewards(0.1), VALUES).mc_returns[0]
    return judged(plain == less == charged, plain=plain, less=less, charged=charged, gamma=HALF)


def _deltas(off: Fraction) -> tuple[list[Any], list[Any]]:
    """Both first tokens' δ in a small world, with the next values off by so much; and their advantages."""
    world = small(lambda _name, x: fraction(x))
    v, tokens = world.value(()), range(2)
    deltas = [formulas.td_error(world.rewards[(a,)], v, world.value((a,)) + off, ONE) for a in tokens]
    return deltas, [formulas.advantage(world.q((), a), v) for a in tokens]


def _delta_unbiased(_: Scenario) -> Judged:
    (exact, advantages), (wrong, _same) = _deltas(NONE), _deltas(HALF)
    return judged([d == advantages for d in (exact, wrong)], exact=exact, wrong=wrong, a=advantages)


def _deltas_average(_: Scenario) -> Judged:
    exact, wrong = (mean(_deltas(off)[0]) for off in (NONE, HALF))  # both tokens are equally likely
    return judged([m == 0 for m in (exact, wrong)], exact_mean=exact, wrong_mean=wrong)


def _last_is_the_score(_: Scenario) -> Judged:
    free, charged = (_rewards(beta)[-1] for beta in (0.0, 0.1))
    return judged([r == END[-1] for r in (free, charged)], score=END[-1], free=free, charged=charged)


def _inner_zero(_: Scenario) -> Judged:
    free, charged = _rewards(0.0), _rewards(0.1)
    return judged([not any(r[:-1]) for r in (free, charged)], free=free, charged=charged)


TURNS_ON: dict[str, Check] = {
    "return_is_an_unweighted_sum": _unweighted,
    "scores_and_rewards_hold_the_same_numbers": _same_numbers,
    "returns_are_actual_sums_at_every_lambda": _sums_at_every_lambda,
    "q_and_v_are_one": _q_and_v,
    "q_is_larger_than_v": _q_above_v,
    "advantage_is_positive": _advantage_positive,
    "advantages_have_mean_zero": _mean_zero,
    "advantage_is_return_minus_value": _return_less_value,
    "rewards_are_positive": _rewards_positive,
    "return_exceeds_the_reward": _exceeds_the_reward,
    "delta_is_an_unbiased_estimate_of_the_advantage": _delta_unbiased,
    "deltas_average_to_zero": _deltas_average,
    "last_reward_is_the_score": _last_is_the_score,
    "inner_rewards_are_zero": _inner_zero,
    "advantage_is_always_return_minus_value": always(_return_less_value),
    "scores_and_rewards_always_agree": always(_same_numbers),
    "scores_equal_rewards_or_not_by_the_kl": either_way(_same_numbers),
    "value_is_always_positive": always(SLOPES["value_is_positive"]),
    "return_always_exceeds_the_reward": always(_exceeds_the_reward),
    "advantage_is_always_the_td_error": _always_the_td_error,
    "first_return_is_always_the_score": _always_the_score,
}
