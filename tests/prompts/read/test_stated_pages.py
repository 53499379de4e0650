"""Pages as assistants write them, with known mistakes: every stated number is found, and judged at the digits shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine import quantities
from engine.facts import quick_facts
from engine.scenario import scenario
from prompts.read.numbers import read_numbers
from prompts.tutor import Request, answer

R, V, GAMMA, LAM = (0.25, 0, 2), (0.5, 1.25, 0.75), 0.8, 0.5
Stated = Mapping[str, Any]


def _right() -> dict[str, Any]:
    given = scenario({"rewards": R, "values": V, "gamma": GAMMA, "lam": LAM})
    return dict(quick_facts(quantities.QUANTITIES["gae"], given))


def _worked(stated: Stated, minus: str = "-", times: str = "×") -> list[str]:
    following = (*V[1:], 0)
    return [f"{R[t]} + {GAMMA}{times}{following[t]} {minus} {V[t]} = {stated['deltas'][t]:.3f}" for t in range(len(R))]


def _bullets(stated: Stated) -> str:
    lines = [f"- δ_{t} = r_{t} + γV_{t + 1} − V_{t} = {line}" for t, line in enumerate(_worked(stated, "−"))]
    steps = [f"- A_{t} = {stated['advantages'][t]:.3f}" for t in (1, 0)]
    last = f"- A_2 = δ_2 = {stated['advantages'][2]:.3f}"
    returns = [f"- R_{t} = A_{t} + V_{t} = {stated['returns'][t]:.3f}" for t in range(3)]
    setup = f"rewards {list(R)}, values {list(V)}, γ={GAMMA}, λ={LAM}."
    return "\n".join(["Is this page right?", setup, *lines, last, *steps, *returns])


def _only_worked(stated: Stated) -> str:
    deltas = "，".join(f"δ_{t} = {line}" for t, line in enumerate(_worked(stated)))
    advantages = "；".join(f"A_{t} = {stated['advantages'][t]:.3f}" for t in (2, 1, 0))
    return f"λ 取 {LAM}。{deltas}。{advantages}。请检查一下。"


def _latex(stated: Stated) -> str:
    lines = [rf"$$\delta_{t} = {line}$$" for t, line in enumerate(_worked(stated, times=r" \times "))]
    last = [rf"$$\hat{{A}}_{t} = {stated['advantages'][t]:.3f}$$" for t in (2, 1, 0)]
    setup = rf"$r = {list(R)}$, $V = {list(V)}$, $\gamma = {GAMMA}$, $\lambda = {LAM}$."
    return "\n".join([setup, *lines, *last, "Any mistake?"])


def _backwards(stated: Stated) -> str:
    steps = " ".join(
        f"For t={t}: delta = {stated['deltas'][t]:.3f}, A = {stated['advantages'][t]:.3f}, "
        f"R = {stated['returns'][t]:.3f}."
        for t in (2, 1, 0)
    )
    return f"{steps} Rewards {list(R)}; values {list(V)}; gamma {GAMMA}; lambda {LAM}. Check it please."


PAGES: tuple[tuple[Callable[[Stated], str], tuple[str, ...]], ...] = (
    (_bullets, ("deltas", "advantages", "returns")),
    (_only_worked, ("deltas", "advantages")),
    (_latex, ("deltas", "advantages")),
    (_backwards, ("deltas", "advantages", "returns")),
)


@pytest.mark.parametrize(("page", "names"), PAGES, ids=[page.__name__ for page, _ in PAGES])
def test_a_right_page_is_right(page: Callable[[Stated], str], names: tuple[str, ...]) -> None:
    found = answer(Request((page(_right()),)))
    assert (found.lesson, found.error, found.mistakes) == ("audit", None, ())
    assert set(names) <= set(read_numbers(page(_right())).claimed) | {
        claim.partition("[")[0] for claim in read_numbers(page(_right())).claimed
    }


@pytest.mark.parametrize(("page", "names"), PAGES, ids=[page.__name__ for page, _ in PAGES])
def test_each_wrong_number_of_a_page_is_found_where_it_stands(
    page: Callable[[Stated], str], names: tuple[str, ...]
) -> None:
    for name in names:
        for t in range(len(R)):
            stated = _right()
            stated[name] = [x + (0.2 if k == t else 0) for k, x in enumerate(stated[name])]
            found = answer(Request((page(stated),)))
            assert [mistake["where"] for mistake in found.mistakes] == [f"{name}[{t}]"]


def test_a_stated_length_is_counted() -> None:
    found = answer(Request((f"rewards {list(R)}, values {list(V)}, so T = 4. Right?",)))
    assert [(mistake["where"], mistake["cause"]) for mistake in found.mistakes] == [("T", "count")]


def test_advantages_that_nothing_gives_are_unreachable() -> None:
    found = answer(Request(("advantages 0.9, 0.1, 0.3 from rewards 0, 0, 1 and values .2, .4, .5, possible?",)))
    assert {mistake["cause"] for mistake in found.mistakes} == {"unreachable"}


def test_a_stated_number_of_a_token_that_is_not_there_breaks_no_page() -> None:
    found = answer(Request(("r=[0,1], V=[.5,.25], γ=1, λ=.5 by GAE", "code: R_3 0.5 by GAE? telescoping")))
    assert found.error is None or found.error["code"] != "internal"
