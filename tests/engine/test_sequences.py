"""The recursions against their definitions, for random responses in exact numbers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from engine import formulas, sequences
from tests.responses import fractions, responses


def gae(rewards, values, gamma, lam):
    return sequences.gae_advantages(sequences.deltas(rewards, values, gamma), gamma, lam)


@given(responses(), fractions)
def test_lambda_one_is_monte_carlo(response, gamma):
    rewards, values = response
    returns = sequences.mc_returns(rewards, gamma)
    assert gae(rewards, values, gamma, Fraction(1)) == sequences.mc_advantages(returns, values)


@given(responses(), fractions)
def test_lambda_zero_is_the_td_error(response, gamma):
    rewards, values = response
    assert gae(rewards, values, gamma, Fraction(0)) == sequences.deltas(rewards, values, gamma)


@given(responses(), fractions, fractions)
def test_the_recursion_is_the_double_sum(response, gamma, lam):
    rewards, values = response
    after = [*values[1:], 0]
    length = len(rewards)
    for t, advantage in enumerate(gae(rewards, values, gamma, lam)):
        assert advantage == sum(
            (gamma * lam) ** (k - t) * (rewards[k] + gamma * after[k] - values[k]) for k in range(t, length)
        )


@given(responses(), fractions)
def test_the_return_is_the_discounted_sum_of_later_rewards(response, gamma):
    rewards, _ = response
    for t, found in enumerate(sequences.mc_returns(rewards, gamma)):
        assert found == sum(gamma ** (k - t) * rewards[k] for k in range(t, len(rewards)))


@given(responses(), fractions, fractions)
def test_advantage_plus_value_is_the_lambda_return(response, gamma, lam):
    rewards, values = response
    targets = sequences.critic_targets(gae(rewards, values, gamma, lam), values)
    assert targets == sequences.lambda_returns(rewards, values, gamma, lam)


@given(responses(), fractions, fractions)
def test_gae_is_the_weighted_mean_of_n_step_advantages(response, gamma, lam):
    rewards, values = response
    for t, advantage in enumerate(gae(rewards, values, gamma, lam)):
        steps = sequences.n_step_advantages(rewards, values, gamma, t)
        weights = sequences.mixture_weights(len(steps), lam)
        assert sum(weights) == 1
        assert advantage == sum(w * a for w, a in zip(weights, steps, strict=True))


@given(responses(), fractions)
def test_the_deltas_telescope(response, gamma):
    rewards, values = response
    news = sequences.discounted_sum(sequences.deltas(rewards, values, gamma), gamma)
    assert news == formulas.advantage(sequences.mc_returns(rewards, gamma)[0], values[0])


def test_the_hand_computed_response():
    rewards = [Fraction(0), Fraction(0), Fraction(1)]
    values = [Fraction(3, 10), Fraction(2, 5), Fraction(3, 5)]
    assert sequences.deltas(rewards, values, Fraction(1)) == [Fraction(1, 10), Fraction(1, 5), Fraction(2, 5)]
    assert gae(rewards, values, Fraction(1), Fraction(19, 20)) == [
        Fraction(651, 1000),
        Fraction(29, 50),
        Fraction(2, 5),
    ]
