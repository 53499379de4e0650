"""Groups like coins, against what the closed forms say."""

from fractions import Fraction

import pytest

from engine.coin_groups import batch_variance, dropped, moments, ways

HALF, NONE = Fraction(1, 2), Fraction(0)


@pytest.mark.parametrize("chance", [HALF, Fraction(1, 8), NONE])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_step_is_the_sample_variance_and_its_mean_the_slope(chance, size):
    """E[step] = p(1 − p), as ∂p/∂logit is; Var of the sample variance of n is (μ₄ − σ⁴(n − 3)/(n − 1))/n."""
    found = moments(list(ways(chance, [NONE] * size)))
    variance = chance * (1 - chance)
    fourth = chance * (1 - chance) ** 4 + (1 - chance) * chance**4
    assert found.mean == variance
    assert found.variance == (fourth - variance**2 * Fraction(size - 3, size - 1)) / size


def test_a_batch_of_unlike_prompts_varies_by_the_prompts_too():
    within = moments(list(ways(HALF, [NONE] * 2))).variance / 2
    between = moments(list(ways(HALF, [NONE] * 2))).mean ** 2 / 4
    assert batch_variance((HALF, NONE), 2, 8) == (within + between) / 4


def test_silent_groups():
    found = dropped(Fraction(3, 4), [NONE] * 4)
    assert found.silent == Fraction(3**4 + 1, 4**4)
    assert found.generated == 1 / (1 - found.silent)
    assert dropped(HALF, [Fraction(k, 10) for k in range(3)]).silent == 0
