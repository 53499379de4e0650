"""Small worlds: every course is there, probabilities sum to 1, closed forms are what counting gives."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.chance import (
    bias_of_later_values,
    blind,
    coins,
    noise_of_later_tokens,
    one_coin,
    sampled,
    spread,
    value_errors,
    walk,
    wild_critic,
)
from engine.facts import compute
from engine.scenario import Scenario

WORLDS = {
    "walk": walk(4, step=0.25),
    "given": walk(4, step=0.25, error=0.5, fade=0.5, first=1),
    "blind": blind(walk(3, step=0.5)),
    "coins": coins(3),
    "one_coin": one_coin(3),
    "wild": wild_critic(swing=2.0),
}


def moments(world, *lams, gamma=1.0):
    """Means and variances by λ; a λ more is asked for, since one number alone stands without its list."""
    found = compute(spread(world, (*lams, 0.75), gamma=gamma), Scenario()).exact
    return found["mean"][:-1], found["variance"][:-1]


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_whole(name):
    world = WORLDS[name]
    assert sum(world.probabilities) == 1
    assert len(world.probabilities) == len(world.rewards) == len(world.values)
    assert {len(row) for row in (*world.rewards, *world.values)} == {world.length}


def test_the_walks_critic_is_exact():
    """V before each token is the mean of what is earned from there on, over all courses that begin alike."""
    world = walk(3, step=0.25)
    for t in range(world.length):
        for rewards, values in zip(world.rewards, world.values, strict=True):
            alike = [
                sum(r[t:])
                for r, v in zip(world.rewards, world.values, strict=True)
                if (r[:t], v[: t + 1]) == (rewards[:t], values[: t + 1])
            ]
            assert values[t] == pytest.approx(sum(alike) / len(alike))


def test_a_given_first_token():
    assert len(walk(4, step=0.25, first=1).rewards) == 8
    good, bad = (moments(walk(4, step=0.25, first=first), 0.0)[0][0] for first in (1, -1))
    assert (good, bad) == (Fraction(1, 4), Fraction(-1, 4))


@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("gamma", [1.0, 0.5])
def test_closed_forms_of_coins_and_errors(gamma, lam):
    (mean,), (variance,) = moments(coins(3, size=2.0), lam, gamma=gamma)
    assert mean == 0
    assert variance == noise_of_later_tokens(Fraction(4), 3, Fraction(gamma), Fraction(lam), own=True)


@pytest.mark.parametrize("lam", [0.0, 0.25, 0.5, 1.0])
def test_closed_form_of_the_bias(lam):
    (mean,), (variance,) = moments(WORLDS["given"], lam)
    errors = value_errors(4, Fraction(1, 2), Fraction(1, 2))
    assert errors == [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]
    assert mean - Fraction(1, 4) == bias_of_later_values(errors, Fraction(1), Fraction(lam))
    assert variance == noise_of_later_tokens(Fraction(1, 16), 4, Fraction(1), Fraction(lam))


def test_a_blind_critic_says_one_number():
    assert {v for row in WORLDS["blind"].values for v in row} == {0.5}


def test_a_sample_is_the_same_every_time_and_has_its_frequencies():
    one, other = sampled(WORLDS["walk"], 100, seed=1), sampled(WORLDS["walk"], 100, seed=1)
    assert one == other != sampled(WORLDS["walk"], 100, seed=2)
    assert sum(one.probabilities) == pytest.approx(1)
    assert all(round(p * 100) == pytest.approx(p * 100) for p in one.probabilities)
