"""What the advantages read: the trace, the derivatives in closed form, the claims as they should be judged."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import scenario
from lessons._lesson import lessons
from lessons.advantage_inputs.mask import LEFT
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages

LESSON = lessons()["advantage_inputs"]
READ = ("rewards", "values", "gamma", "lam", "mask")


def facts(**given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


def test_the_audited_example():
    found = LESSON.show(RUNNING).facts.numbers
    assert found["deltas"] == pytest.approx([0.04, 0.045, 0.055, 0.09, 0.13, 0.395])
    assert found["advantages"] == pytest.approx([0.621081, 0.611664, 0.596488, 0.569987, 0.50525, 0.395], abs=1e-6)


def test_with_the_rewards_held_only_four_things_and_the_mask_move_the_advantages():
    found = LESSON.show(RUNNING).facts.exact
    assert {name for name, moved in found["direct"].items() if moved} == set(READ)
    assert {name for name, moved in found["through"].items() if moved} == {
        "scores", "logp", "ref_logp", "beta", "values", "gamma", "lam", "mask"
    }  # fmt: skip


def test_given_rewards_have_no_way_behind_them():
    found = facts(rewards=[0, 1], values=[0.2, 0.4], logp=[-1, -2])
    assert "through" not in found
    assert found["direct"]["logp"] == 0


def test_the_size_of_a_move():
    found = facts(rewards=[0, 1], values=[0.2, 0.4], gamma=1, lam=0.5)
    assert found["direct"]["rewards"] == pytest.approx(1.5 + 1)
    assert found["direct"]["values"] == pytest.approx(abs(1 - 0.5) + 1)


def test_without_the_last_token_the_others_have_the_advantages_of_a_shorter_response():
    given = {"gamma": 0.9, "lam": 0.5}
    whole = facts(rewards=[0, 1, 0.5], values=[0.2, 0.4, 0.6], **given)
    shorter = facts(rewards=[0, 1], values=[0.2, 0.4], **given)
    moved = sum(abs(a - b) for a, b in zip(whole["advantages"], shorter["advantages"], strict=False))
    assert whole["direct"]["mask"] == pytest.approx(moved)
    padded = facts(rewards=[0, 1, 0.5, 7], values=[0.2, 0.4, 0.6, 9], mask=[1, 1, 1, 0], **given)
    assert padded["direct"]["mask"] == pytest.approx(moved)


def test_a_single_token_cannot_be_masked():
    assert "mask" not in facts(rewards=[1], values=[0.4])["direct"]


@pytest.mark.parametrize(("gamma", "lam"), [(1, 1), (0.9, 0.8), (1, 0), (0, 0.5)])
def test_the_maps_have_their_closed_forms(gamma, lam):
    found = facts(rewards=[0.3, -1, 2, 0], values=[0.1, 0.5, -0.2, 0.4], gamma=gamma, lam=lam)
    for t in range(4):
        for k in range(4):
            reward = 0 if k < t else (gamma * lam) ** (k - t)
            value = 0 if k < t else -1 if k == t else gamma * (1 - lam) * (gamma * lam) ** (k - t - 1)
            assert found["by_reward"][t][k] == pytest.approx(reward, abs=1e-12)
            assert found["by_value"][t][k] == pytest.approx(value, abs=1e-12)


def test_what_is_masked_is_handed_over_set_to_zero_or_taken_for_a_step():
    gamma, lam, left = 0.9, 0.5, LEFT
    found = facts(rewards=[0, 1, 0.5], values=[0.2, 0.4, 0.6], gamma=gamma, lam=lam)
    whole, mask = found["constants"], [1, 1, 0, 1, 0]
    assert whole["mask"] == mask
    assert [a for a in whole["carried"] if a is not None] == pytest.approx(found["advantages"])

    def by_hand(after_two, end):
        """The response's own three tokens, with these values where the actor wrote nothing."""
        values, rewards = [0.2, 0.4, after_two, 0.6, end], [0, 1, 0, 0.5, 0]
        adv, found = 0, []
        for t in reversed(range(5)):
            delta = rewards[t] + gamma * (values[t + 1] if t < 4 else 0) - values[t]
            adv = delta + gamma * lam * adv
            found.insert(0, adv)
        return found

    assert whole["unmasked"] == pytest.approx(by_hand(left, left))
    zeroed = by_hand(0, 0)
    assert [a for a, m in zip(whole["as_zeros"], mask, strict=True) if m] == pytest.approx(
        [a for a, m in zip(zeroed, mask, strict=True) if m]
    )


def test_what_is_missing_is_named():
    with pytest.raises(EngineError, match="values"):
        facts(rewards=[0, 1])
    for given in ({"values": [0, 1]}, {"scores": [0, 1], "values": [0, 1]}):
        with pytest.raises(EngineError, match="rewards"):
            facts(**given)


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
