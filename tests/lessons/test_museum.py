"""The museum: every exhibit's two programs run, differ where it says so, and its words hold beside the numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.mistakes import MISTAKES
from lessons._lesson import LANGUAGES, lessons
from lessons._museum import CONVENTION, Exhibit, exhibits

LEAST = 25
EXHIBITS = {one.id: one for one in exhibits()}
ALL = pytest.mark.parametrize("exhibit", EXHIBITS.values(), ids=EXHIBITS)


def test_there_are_enough_and_no_two_hang_in_one_place():
    threads = [thread.name for one in exhibits() for thread in one.threads]
    assert len(exhibits()) >= LEAST
    assert len(threads) == len(set(threads))


@ALL
def test_an_exhibit_is_whole(exhibit):
    assert exhibit.lesson in lessons()
    assert exhibit.ruling in ("right", "wrong", "depends")
    assert exhibit.threads[0].day
    assert all(set(words) == set(LANGUAGES) for words in (exhibit.title, exhibit.claim, exhibit.says))
    assert all("found." in words for words in exhibit.says.values())
    for program in (exhibit.disputed, exhibit.settled):
        assert not program or program in MISTAKES or program.startswith(CONVENTION)
    if exhibit.disputed in MISTAKES:
        assert set(exhibit.wrong.exact) <= set(exhibit.right.exact)


def replayed(exhibit: Exhibit) -> bool:
    """Whether the programs agree as far as it says, tensors and exact numbers alike."""
    checks = (*exhibit.right.checks, *exhibit.wrong.checks)
    return bool(exhibit.apart) != exhibit.agree and all(check.ok for check in checks)


@ALL
def test_both_programs_run_and_differ_where_it_says_so(exhibit):
    assert replayed(exhibit)


def test_an_exhibit_whose_readings_are_one_would_be_noticed():
    assert not replayed(replace(EXHIBITS["delta_is_enough"], disputed=""))
    assert not replayed(replace(EXHIBITS["delta_is_enough"], agree=True))


# ---------------------------------------------------------------- what the words say beside the numbers


def both(id: str, **more):
    found = replace(EXHIBITS[id], **more).found
    return found["settled"], found["disputed"]


def test_one_lambda_is_where_the_dispute_ends():
    at_one = {"settled_with": {"lam": 1.0}, "disputed_with": {"lam": 1.0}}
    for id in ("returns_by_sum", "value_after_eos", "only_a_final_reward", "gae_at_one"):
        assert not replace(EXHIBITS[id], **at_one).apart
    assert replace(EXHIBITS["gae_at_one"], settled_with={}, disputed_with={}).apart


def test_delta_is_the_advantage_at_lambda_zero():
    assert not replace(EXHIBITS["delta_is_enough"], settled_with={"lam": 0.0}).apart


def test_a_group_changes_by_one_factor():
    for id, factor in (("rloo_own_score", Fraction(3, 4)), ("grpo_bessel", None), ("grpo_std", None)):
        settled, disputed = both(id)
        ratios = {round(float(b) / float(a), 9) for a, b in zip(settled, disputed, strict=True) if a}
        assert len(ratios) == 1
        assert factor is None or ratios == {float(factor)}


def test_whitening_over_the_padding_leaves_a_sum():
    settled, disputed = both("mean_over_padding")
    assert abs(sum(x for x in settled if x is not None)) < 1e-9
    assert abs(sum(x for x in disputed if x is not None)) > 0.1


def test_reward_minus_value_is_right_at_the_last_token_and_negative_before():
    settled, disputed = both("reward_minus_value")
    assert settled[-1] == disputed[-1]
    assert all(x < 0 for x in disputed[:-1])


def test_the_score_behind_the_end_still_reaches_the_response():
    settled, disputed = both("score_after_eos")
    without = replace(EXHIBITS["score_after_eos"], given={**EXHIBITS["score_after_eos"].given, "scores": [0] * 5})
    assert all(a > b > c for a, b, c in zip(settled[:3], disputed[:3], without.found["disputed"][:3], strict=True))


def test_the_value_loss_doubles_and_its_clip_is_of_the_larger_error():
    settled, disputed = both("half_lost")
    assert disputed == 2 * settled
    larger, smaller = both("value_clip_max")
    assert all(a >= b for a, b in zip(larger, smaller, strict=True))


def test_the_kl_of_one_token_is_negative_and_k3_is_not():
    settled, disputed = both("negative_kl")
    assert settled[2] < 0 < disputed[2]
    k3, k1 = both("k3_is_it_kl")
    assert k3[2] > 0 > k1[2]
