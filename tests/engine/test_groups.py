"""Group baselines: exact identities, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import groups, sequences
from engine.errors import EngineError
from engine.readings.exact import Decimal, decimal, rational
from engine.statistics import whiten_batch
from tests.engine.batch_strategies import batches, grouped_scores, lifted

TINY = Decimal("1e-35")


@given(grouped_scores())
def test_rloo_is_the_mean_centred_score_stretched_by_n_over_n_minus_1(drawn):
    scores, members = lifted(drawn[0], rational), drawn[1]
    sizes = [members.count(g) for g in members]
    centred = groups.mean_centred(scores, members)
    assert groups.rloo(scores, members) == [x * n / (n - 1) for x, n in zip(centred, sizes, strict=True)]


@given(grouped_scores())
def test_advantages_of_a_group_sum_to_0(drawn):
    scores, members = lifted(drawn[0], rational), drawn[1]
    for estimate in (groups.mean_centred, groups.rloo):
        for group in set(members):
            assert sum(a for a, g in zip(estimate(scores, members), members, strict=True) if g == group) == 0


@given(grouped_scores(), st.integers(-20, 20))
def test_a_bonus_for_a_whole_group_changes_nothing(drawn, bonus):
    scores, members = lifted(drawn[0], rational), drawn[1]
    raised = [s + bonus if g == members[0] else s for s, g in zip(scores, members, strict=True)]
    for estimate in (groups.mean_centred, groups.rloo):
        assert estimate(raised, members) == estimate(scores, members)


@given(grouped_scores(), st.integers(1, 20))
def test_only_the_division_by_std_makes_the_scale_of_scores_irrelevant(drawn, scale):
    scores, members = lifted(drawn[0]), drawn[1]
    assume(all(len({s for s, h in zip(scores, members, strict=True) if h == g}) > 1 for g in members))
    stretched = [scale * s for s in scores]
    with_std = groups.grpo(scores, members, epsilon=0)
    assert all(abs(a - b) < TINY for a, b in zip(groups.grpo(stretched, members, epsilon=0), with_std, strict=True))
    without = groups.grpo(scores, members, divide_by_std=False)
    assert all(
        abs(a - scale * b) < TINY
        for a, b in zip(groups.grpo(stretched, members, divide_by_std=False), without, strict=True)
    )


def test_grpo_by_hand():
    scores, members = lifted([1.0, 0.0, 0.0, 1.0]), ["a", "a", "b", "b"]
    expected = decimal(0.5) / (decimal(0.5) ** decimal(0.5) + decimal(1e-6))
    assert all(
        abs(a - sign * expected) < TINY for a, sign in zip(groups.grpo(scores, members), (1, -1, -1, 1), strict=True)
    )
    assert groups.grpo(lifted([2.0, 2.0]), [0, 0]) == [0, 0]


@given(batches(1))
def test_all_tokens_of_a_response_share_its_advantage(drawn):
    mask, _ = drawn
    advantages = lifted([float(i) for i in range(len(mask))], rational)
    for shared, row, own in zip(groups.share(advantages, mask), mask, advantages, strict=True):
        assert shared == [own if m else None for m in row]


@given(batches(1))
def test_reinforce_plus_plus_has_mean_0_over_the_batch(drawn):
    mask, returns = drawn
    advantages = groups.reinforce_plus_plus(lifted(returns), mask)
    assert abs(sum(x for row in advantages for x in row if x is not None)) < TINY


def test_reinforce_plus_plus_baseline_whitens_the_shared_centred_scores():
    scores, members, mask = lifted([1.0, 0.0, 3.0]), [0, 0, 0], [[1, 1, 1], [1, 0, 0], [1, 1, 0]]
    shared = groups.share(groups.mean_centred(scores, members), mask)
    assert groups.reinforce_plus_plus_baseline(scores, members, mask) == whiten_batch(shared, mask)


def test_remax_subtracts_the_greedy_score_from_every_return():
    returns = sequences.mc_returns(lifted([0.0, 0.0, 1.0], rational), rational(1.0))
    assert groups.remax(returns, rational(0.25), [1, 1, 1]) == [rational(0.75)] * 3
    assert groups.remax([*returns, None], rational(0.25), [1, 1, 1, 0])[3] is None


@pytest.mark.parametrize("estimate", [groups.grpo, groups.rloo, groups.mean_centred])
def test_a_group_of_one_is_refused(estimate):
    with pytest.raises(EngineError) as refused:
        estimate(lifted([1.0, 2.0, 3.0]), ["a", "a", "b"])
    assert (refused.value.code, refused.value.details) == ("group_of_one", {"group": "b"})


def test_a_group_is_summed_once_however_many_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sums: list[int] = []

    def counted(group: list[float]) -> float:
        sums.append(len(group))
        return sum(group)

    monkeypatch.setattr(groups, "total", counted)
    groups.rloo([float(k) for k in range(64)], ["a"] * 64)
    assert sums == [64]
