"""What γ and λ do, and what the recursion gives: on the way to A, R and G."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas, sequences
from engine.facts import Inputs
from engine.mistakes.agreements import lam_equals_gamma, with_parameters, without
from engine.mistakes.mistake import Mistake, Terms, advancing, concluding, reading, stepping
from engine.ops import Number


def _one(x: Inputs, name: str) -> Number:
    return x.number(name, 1.0)


def _advantages(x: Inputs, terms: Terms, *, gamma: Number, lam: Number) -> Any:
    return x.on.gae(terms.rewards, terms.values, terms.mask, gamma=gamma, lam=lam)[0]


def _deltas(x: Inputs, terms: Terms) -> Any:
    return x.on.td_errors(terms.rewards, terms.values, terms.mask, gamma=terms.gamma)


def _with_gamma(name: str, gamma: Callable[[Inputs, Number], Number]) -> Any:
    """The step of this name with another γ."""

    def step(x: Inputs) -> Callable[..., Any]:
        return lambda *batches, **given: vars(x.on)[name](*batches, **{**given, "gamma": gamma(x, given["gamma"])})

    return step


def _swapped(x: Inputs) -> Callable[..., Any]:
    return lambda rewards, values, mask, *, gamma, lam: x.on.gae(rewards, values, mask, gamma=lam, lam=gamma)


def _discounted_values(x: Inputs, terms: Terms, lam: Number) -> Any:
    """γλ in the place of γ, which leaves nothing of λ for the recursion."""
    return _advantages(x, terms, gamma=terms.gamma * lam, lam=_one(x, "lam"))


def _undiscounted_values(x: Inputs, terms: Terms, lam: Number) -> Any:
    return _advantages(x, terms, gamma=_one(x, "gamma"), lam=terms.gamma * lam)


def _undiscounted_recursion(x: Inputs, terms: Terms, lam: Number) -> Any:
    return x.on.over_valid(
        lambda deltas: sequences.gae_advantages(deltas, _one(x, "gamma"), lam), terms.mask, _deltas(x, terms)
    )


def _forwards(x: Inputs, terms: Terms, lam: Number) -> Any:
    """The recursion along the response instead of against it."""
    return x.on.over_valid(
        lambda deltas: sequences.gae_advantages(deltas[::-1], terms.gamma, lam)[::-1], terms.mask, _deltas(x, terms)
    )


def _monte_carlo(x: Inputs, terms: Terms, _lam: Number) -> Any:
    return x.on.advantages_of(x.on.mc_returns(terms.rewards, terms.mask, gamma=terms.gamma), terms.values, terms.mask)


def _targeting_monte_carlo(x: Inputs) -> Callable[..., Any]:
    def gae(rewards: Any, values: Any, mask: Any, *, gamma: Number, lam: Number) -> tuple[Any, Any]:
        found, _ = x.on.gae(rewards, values, mask, gamma=gamma, lam=lam)
        return found, x.on.mc_returns(rewards, mask, gamma=gamma)

    return gae


def _summed_advantages(_x: Inputs, found: Any) -> dict[str, Any]:
    return dict.fromkeys(("delta_sum", "excess"), found["advantage_sum"]) if "advantage_sum" in found else {}


def _discounted_from_the_start(x: Inputs) -> Callable[..., Any]:
    def mc_returns(rewards: Any, mask: Any, *, gamma: Number) -> Any:
        present = x.on.over_valid(
            lambda row: [formulas.discounted(r_t, gamma, t) for t, r_t in enumerate(row)], mask, rewards
        )
        return x.on.mc_returns(present, mask, gamma=_one(x, "gamma"))

    return mc_returns


def _the_whole_return(x: Inputs) -> Callable[..., Any]:
    def mc_returns(rewards: Any, mask: Any, *, gamma: Number) -> Any:
        found = x.on.mc_returns(rewards, mask, gamma=gamma)
        return x.on.over_valid(lambda row: [row[0] for _ in row], mask, found)

    return mc_returns


def _without_tail(x: Inputs, found: Any) -> dict[str, Any]:
    """Each weight is (1 − λ)λ^{n−1}, the last one too: λ of what that one had is missing."""
    lam, length = x["lam"], x.scenario.length
    after = [formulas.tail_weight(length - t + 1, lam) for t in range(length)]
    longest = [[row[t] for t in range(length)] for row in found["mc_advantages"]]
    return {
        "weights": [[*row[:-1], row[-1] - after[0]] for row in found["weights"]],
        "mixture": [
            [mixed - weight * advantage for mixed, weight, advantage in zip(row, after, last, strict=True)]
            for row, last in zip(found["mixture"], longest, strict=True)
        ],
    }


DISCOUNTING = (
    Mistake(
        id="gamma_lam_swap",
        lesson="why_gamma",
        quantity="gae",
        change=stepping(
            gae=_swapped,
            td_errors=_with_gamma("td_errors", lambda x, _: x["lam"]),
            mc_returns=_with_gamma("mc_returns", lambda x, _: x["lam"]),
            discounted_sum=_with_gamma("discounted_sum", lambda x, _: x["lam"]),
        ),
        coincides=lam_equals_gamma,
        needs=("gamma", "lam"),
    ),
    Mistake(
        id="gamma_forgotten",
        lesson="why_gamma",
        quantity="gae",
        change=reading(gamma=lambda x: _one(x, "gamma")),
        coincides=with_parameters(gamma=1.0),
    ),
    Mistake(
        id="mc_for_returns",
        lesson="returns_identity",
        quantity="gae",
        change=stepping(gae=_targeting_monte_carlo),
        coincides=with_parameters(lam=1.0),
    ),
    Mistake(
        id="mc_for_gae_as_if_lam_were_one",
        lesson="mc_vs_gae",
        quantity="gae",
        change=advancing(_monte_carlo),
        coincides=with_parameters(lam=1.0),
    ),
    Mistake(
        id="lam_forgotten_leaves_mc",
        lesson="why_lambda",
        quantity="gae",
        change=advancing(lambda x, terms, _: _advantages(x, terms, gamma=terms.gamma, lam=_one(x, "lam"))),
        coincides=with_parameters(lam=1.0),
    ),
    Mistake(
        id="lam_on_values",  # r_t + γλV_{t+1} − V_t
        lesson="why_lambda",
        quantity="gae",
        change=lambda program: advancing(_discounted_values)(
            stepping(td_errors=_with_gamma("td_errors", lambda x, gamma: gamma * x["lam"]))(program)
        ),
        coincides=with_parameters(lam=1.0),
        needs=("lam",),
    ),
    Mistake(
        id="delta_for_advantage",
        lesson="why_not_delta",
        quantity="gae",
        change=advancing(lambda x, terms, _: _deltas(x, terms)),
        coincides=with_parameters(lam=0.0),
    ),
    Mistake(
        id="gamma_forgotten_in_recursion",
        lesson="why_gamma",
        quantity="gae",
        change=advancing(_undiscounted_recursion),
        coincides=with_parameters(gamma=1.0),
    ),
    Mistake(
        id="gamma_forgotten_in_delta",
        lesson="why_gamma",
        quantity="gae",
        change=lambda program: advancing(_undiscounted_values)(
            stepping(td_errors=_with_gamma("td_errors", lambda x, _: _one(x, "gamma")))(program)
        ),
        coincides=with_parameters(gamma=1.0),
    ),
    Mistake(
        id="gamma_from_the_start",  # γ^t counted from the first token
        lesson="why_gamma",
        quantity="mc",
        change=stepping(mc_returns=_discounted_from_the_start),
        coincides=with_parameters(gamma=1.0),
    ),
    Mistake(
        id="lam_upside_down",  # 1 − λ for λ
        lesson="why_lambda",
        quantity="gae",
        change=advancing(lambda x, terms, lam: _advantages(x, terms, gamma=terms.gamma, lam=1 - lam)),
        coincides=with_parameters(lam=0.5),
    ),
    Mistake(
        id="lam_tail_forgotten",
        lesson="gae_mixture",
        quantity="nstep_mixture",
        change=concluding(_without_tail),
        coincides=with_parameters(lam=0.0),
    ),
    Mistake(
        id="mc_whole_return_everywhere",  # G_0 at every token
        lesson="credit_assignment",
        quantity="mc",
        change=stepping(mc_returns=_the_whole_return),
        coincides=without("rewards"),
    ),
    Mistake(
        id="advantage_sum_for_delta_sum",
        lesson="advantage_sum",
        quantity="gae",
        change=concluding(_summed_advantages),
        coincides=with_parameters(gamma=1.0, lam=0.0),
    ),
    Mistake(
        id="index_runs_forwards",
        lesson="credit_assignment",
        quantity="gae",
        change=advancing(_forwards),
        coincides=with_parameters(lam=0.0),
    ),
)
