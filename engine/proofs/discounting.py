"""What γ does and λ does not: claims that take the one for the other, refuted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine import sequences
from engine.proofs.programs import gae
from engine.proofs.proof import Theorem
from engine.proofs.refutation import Claim, Counterexample, refute


@cache
def gamma_and_lambda_are_interchangeable() -> Counterexample:
    """The claim that only the product γλ matters: the two exchanged, the product is the same."""
    claim = Claim(
        "gamma_and_lambda_are_interchangeable",
        left=lambda rewards, values, gamma, lam: gae(rewards, values, gamma, lam)[0],
        right=lambda rewards, values, gamma, lam: gae(rewards, values, lam, gamma)[0],
    )
    return refute(claim, rewards=(0, 1), values=(0.5, 0.6), gamma=1, lam=0.5)


@cache
def lambda_stands_in_the_td_error() -> Counterexample:
    """The claim that with λ in the place of γ δ would be the same."""
    claim = Claim(
        "lambda_stands_in_the_td_error",
        left=lambda rewards, values, gamma, **_: sequences.deltas(rewards, values, gamma)[0],
        right=lambda rewards, values, gamma, lam: sequences.deltas(rewards, values, gamma * lam)[0],
    )
    return refute(claim, rewards=(0, 1), values=(0.5, 0.6), gamma=1, lam=0.5)


@cache
def smaller_gamma_means_smaller_return() -> Counterexample:
    """The claim that the return falls with γ: a late penalty is discounted, too."""
    claim = Claim(
        "smaller_gamma_means_smaller_return",
        left=lambda rewards, gamma, **_: sequences.mc_returns(rewards, gamma * gamma)[0],
        right=lambda rewards, gamma: sequences.mc_returns(rewards, gamma)[0],
        relation="<=",
    )
    return refute(claim, rewards=(0, -1), gamma=0.5)


THEOREMS: dict[str, Callable[[], Theorem]] = {}
COUNTEREXAMPLES = {
    counterexample.__name__: counterexample
    for counterexample in (
        gamma_and_lambda_are_interchangeable,
        lambda_stands_in_the_td_error,
        smaller_gamma_means_smaller_return,
    )
}
