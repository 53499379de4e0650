"""Padding: the three ways against recursions written out, the closed form of the leak, the claims."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction

import pytest

from engine import conventions
from engine.conventions import OPENRLHF, VERL_NEW, VERL_OLD, Whitening
from engine.errors import EngineError
from engine.scenario import scenario
from engine.statements import evaluating
from engine.statements.defined import Definitions
from engine.statements.given import EMPTY
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons.judging import GIVEN, pages, shapes

LESSON = lessons()["padding_mask"]
PADDED = {"rewards": [0, 0, 1, 0, 0], "values": [0.3, 0.4, 0.6, 0.5, 0], "mask": [1, 1, 1, 0, 0], "gamma": 1}


def facts(**given):
    return LESSON.show(completed(scenario(given))[0]).facts.numbers


def recursion(r, v, gamma, lam):
    advantages, after, v_next = [], 0.0, 0.0
    for reward, value in zip(reversed(r), reversed(v), strict=True):
        after = reward + gamma * v_next - value + gamma * lam * after
        v_next = value
        advantages.append(after)
    return advantages[::-1]


def test_the_three_ways():
    found = facts(**PADDED, lam=0.95)
    assert found["masked"][:3] == pytest.approx([0.651, 0.58, 0.4])
    assert found["masked"][3:] == [None, None]
    assert found["unmasked"] == pytest.approx(recursion(PADDED["rewards"], PADDED["values"], 1, 0.95))
    assert found["shifted"][:3] == pytest.approx([0.6735625, 0.60375, 0.425])
    assert found["shifted_leak_last"] == pytest.approx(1 * (1 - 0.95) * 0.5)


@pytest.mark.parametrize(("gamma", "lam"), [(1, 1), (1, 0), (0.9, 0.5), (0, 0.9)])
def test_the_leak_of_one_value_has_its_closed_form(gamma, lam):
    found = facts(**{**PADDED, "gamma": gamma}, lam=lam)
    for m, leak in enumerate(reversed(found["shifted_leak"][:3])):
        assert leak == pytest.approx((gamma * lam) ** m * gamma * (1 - lam) * 0.5)


def test_a_response_without_padding_gets_some():
    found = facts(rewards=[0, 1], values=[0.2, 0.4], gamma=1, lam=0.5)
    assert found["advantages"] == pytest.approx(recursion([0, 1], [0.2, 0.4], 1, 0.5))
    through = recursion([0, 1, 0, 0], [0.2, 0.4, 0.8, 0.7], 1, 0.5)
    assert found["constants"]["unmasked"] == pytest.approx(through)
    assert found["leak_last"] == pytest.approx(through[1] - found["advantages"][1])


def test_a_hole():
    found = facts(**PADDED)["constants"]
    assert found["hole_skipped"][0] == pytest.approx(0.676)
    assert found["hole_decayed"][0] == pytest.approx(0.5914)


def test_padding_before_the_response_does_nothing():
    found = LESSON.show(shapes()["left_padded"]).facts.exact
    assert found["leak_last"] == found["leak_first"] == 0


@pytest.mark.parametrize("row", ["padded_row", "holed"])
@pytest.mark.parametrize(
    ("term", "convention"), [("A", VERL_NEW), ("$by_shifted_mask", VERL_OLD), ("$by_zeroing", OPENRLHF)]
)
def test_what_the_claims_call_a_projects_loop_is_the_projects(row, term, convention):
    shared = tomllib.loads((LESSON.folder / "facts.toml").read_text(encoding="utf-8"))["given"]
    said = Definitions(shared)
    rewards, values, mask, lam, found = (
        evaluating.value(said.read(f"({one}) of ${row}"), EMPTY) for one in ("r", "V", "mask", "lam", term)
    )
    rollout = conventions.Rollout([rewards], [values], [[int(m) for m in mask]])
    plain = replace(convention, whitening=Whitening.NONE)
    theirs = conventions.run(rollout, plain, gamma=Fraction(1), lam=lam).advantages[0]
    valid = [t for t, m in enumerate(mask) if m]
    assert [found[t] for t in valid] == [theirs[t] for t in valid]


def test_values_are_needed():
    with pytest.raises(EngineError, match="missing"):
        facts(rewards=[0, 1])
    with pytest.raises(EngineError, match="missing"):
        facts(values=[0, 1])


@pytest.mark.parametrize("name", GIVEN)
def test_every_shape_has_its_pages(name):
    assert all(pages(LESSON, GIVEN[name]).values())
