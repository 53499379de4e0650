"""Definitions in both countings, as LaTeX that the engine wrote."""

from __future__ import annotations

from engine.definitions import definitions


def test_the_countings_differ_only_in_where_things_end():
    zero, one = definitions(0), definitions(1)
    assert list(zero) == list(one)
    assert {name for name in zero if zero[name] != one[name]} == {
        "state", "mc_returns", "advantages",
    }  # fmt: skip
    assert zero["mc_returns"] == r"G_{t} = \sum_{k=0}^{T - t - 1} \gamma^{k} r_{t + k}"
    assert zero["true_values"] == r"V^{\pi}(s_t) = \mathbb{E}_{\pi}\left[G_{t} \mid s_t\right]"
    assert one["mc_returns"] == r"G_{t} = \sum_{k=0}^{T - t} \gamma^{k} r_{t + k}"


def test_a_bar_does_not_break_the_table():
    assert not any("|" in formula for formula in definitions(0).values())
