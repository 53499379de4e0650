"""What is computed from what, traced: the graph has the properties that the programs give it."""

from __future__ import annotations

import pytest

from engine.flow import INPUTS, QUANTITIES, STEPS, Cell, Flow, Setting, sufficient
from engine.links import Link, Where, settle


def moves(cause: str, effect: str, *held: str, at: tuple[str, str] = ("any", "any"), **how: object) -> bool:
    flow = Flow(Cell(cause, at[0]), Cell(effect, at[1]), frozenset(held), Setting(**how))  # type: ignore[arg-type]
    return flow.witness() is not None


def test_nothing_moves_what_comes_before_it():
    """The order in which the steps are written is one in which they can be computed."""
    names = list(QUANTITIES)
    for i, later in enumerate(names):
        for earlier in names[:i]:
            if later in STEPS:
                assert not moves(later, earlier), (later, earlier)


def test_inputs_move_themselves_only_forward():
    for one in INPUTS:
        assert not any(moves(one, other) for other in INPUTS if other != one)


def test_what_moves_what_is_passed_on():
    reached = {a: {b for b in QUANTITIES if b != a and moves(a, b)} for a in QUANTITIES}
    for a, into in reached.items():
        for b in into:
            # V_t cancels out of R_t alone, never out of the whole list
            assert reached[b] <= into, (a, b)


def test_what_is_held_passes_nothing_on():
    for cause in ("scores", "ref_logp", "old_logp", "beta", "kl"):
        assert moves(cause, "advantages")
        assert not moves(cause, "advantages", "rewards")


def test_no_advantage_hears_an_earlier_token():
    assert not moves("rewards", "advantages", at=("earlier", "any"))
    assert not moves("values", "advantages", at=("earlier", "any"))
    assert moves("rewards", "advantages", at=("later", "any"))
    assert not moves("rewards", "advantages", at=("later", "any"), lam=0.0)


def test_settings_cut_what_they_cut():
    assert moves("values", "returns") and not moves("values", "returns", lam=1.0)
    assert moves("ref_logp", "policy_loss") and not moves("ref_logp", "policy_loss", in_reward=False)
    assert moves("ref_logp", "policy_loss", in_reward=False, in_loss=True)
    assert not moves("values", "advantages", estimator="grpo")
    assert not moves("lam", "advantages", estimator="mc")
    assert not moves("ref_logp", "policy_loss", beta=0.0)


def test_own_value_cancels_out_of_the_return():
    assert not moves("values", "returns", at=("t", "any"))
    assert moves("values", "returns", at=("t+1", "any"))


def test_rewards_and_values_settle_the_advantages():
    assert sufficient(frozenset({"rewards", "values"}), "advantages")
    assert not sufficient(frozenset({"values"}), "advantages")
    assert not sufficient(frozenset({"rewards"}), "advantages")


@pytest.mark.parametrize("kind", ["moves", "needs", "from", "waits", "related"])
def test_a_denial_turns_what_is_decided(kind):
    for cause in ("rewards", "scores", "eps"):
        said = Link(kind, (Cell(cause),), (Cell("advantages"),))
        denied = Link(kind, (Cell(cause),), (Cell("advantages"),), holds=False)
        one, other = settle(said, Where()), settle(denied, Where())
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert [x.right for x in one] == [None if y.right is None else not y.right for y in other]


def test_the_usual_setting_leaves_open_what_was_not_said():
    (open_,) = settle(Link("moves", (Cell("values"),), (Cell("returns"),)), Where()) or ()
    (said,) = settle(Link("moves", (Cell("values"),), (Cell("returns"),)), Where(said=frozenset({"lam"}))) or ()
    assert open_.right is None and open_.turns_on == "lam" and said.right is True


def test_what_is_not_enough_is_shown_by_what_else_moves_it():
    (found,) = settle(Link("enough", (Cell("values"),), (Cell("advantages"),)), Where()) or ()
    assert found.right is False and found.moved is not None
    assert found.held == {"values"} and found.cause.name != "values"


@pytest.mark.parametrize(
    ("place", "tokens"),
    [
        ("t", [2]), ("t+1", [3]), ("t+2", []), ("t-1", [1]), ("t-3", []), ("0", [0]), ("4", []),
        ("last", [3]), ("later", [3]), ("earlier", [0, 1]), ("any", [0, 1, 2, 3]),
    ],
)  # fmt: skip
def test_the_tokens_of_a_place_in_four_seen_from_the_third(place, tokens):
    assert Cell("rewards", place).tokens(2, 4) == tokens
