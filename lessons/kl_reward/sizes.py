"""How large the charge is: summed or averaged, against the score, for long answers and for short ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import formulas, rewards, sequences, statistics
from engine.ops import log
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

POLICY, REFERENCE, KEPT = (0.5, 0.3, 0.2), (0.6, 0.32, 0.08), 2  # three tokens, and how many top-k leaves
KL = (0.1, 0.3, -0.1, 0.1)  # of a response's tokens
BETA, SCORE = Fraction(1, 10), Fraction(1)
EACH, SHORT, LONG = Fraction(1, 5), 2, 6  # the mean KL of every token, and two lengths
SCORES, CHARGES, TIMES = (Fraction(1, 2), Fraction(3, 5)), (Fraction(1), Fraction(4)), 10


def _truncated(_: Scenario) -> Judged:
    """The mean of k1 on tokens of the policy itself, and on those that top-k lets through."""
    k1 = [formulas.k1(log(p), log(q)) for p, q in zip(POLICY, REFERENCE, strict=True)]
    drawn = [p / sum(POLICY[:KEPT]) for p in POLICY[:KEPT]]
    own, through = (round(expected(chances, lambda a: k1[a]), 4) for chances in (POLICY, drawn))
    return Judged(
        holds(through < 0 < own), {"samples": [round(k, 4) for k in k1], "kept": KEPT, "own": own, "through": through}
    )


def _sum_or_mean(_: Scenario) -> Judged:
    """Two responses, the second the first twice over."""
    long = (*KL, *KL)
    sums = [round(float(statistics.total(row)), 4) for row in (KL, long)]
    means = [round(float(statistics.masked_mean(row, [1] * len(row))), 4) for row in (KL, long)]
    lengths = [len(KL), len(long)]
    return Judged(
        holds(means[0] == means[1] and all(close(s, m * n) for s, m, n in zip(sums, means, lengths, strict=True))),
        {"lengths": lengths, "sums": sums, "means": means},
    )


def _earned(length: int, kl: Fraction, beta: Fraction) -> Fraction:
    """The return of a response from its start, γ = 1: one score, and as much KL at every token."""
    mask = [1] * length
    paid = rewards.token_rewards(rewards.place_score(SCORE, mask), [kl] * length, mask, beta=beta)
    return Fraction(sequences.mc_returns(paid, Fraction(1))[0])


def _draws_to_short(_: Scenario) -> Judged:
    charged, free = ([_earned(length, EACH, beta) for length in (SHORT, LONG)] for beta in (BETA, Fraction(0)))
    return Judged(
        holds(charged[0] > charged[1] and free[0] == free[1]),
        {"score": SCORE, "beta": BETA, "kl": EACH, "lengths": [SHORT, LONG], "charged": charged, "free": free[0]},
    )


def _copied(_: Scenario) -> Judged:
    """The score at every token, and at the last one only."""
    copied, once = [], []
    for length in (SHORT, LONG):
        copied.append(sequences.mc_returns([SCORE] * length, Fraction(1))[0])
        once.append(_earned(length, Fraction(0), BETA))
    return Judged(
        holds(copied[0] < copied[1] and once[0] == once[1]),
        {"score": SCORE, "lengths": [SHORT, LONG], "copied": copied, "once": once[0]},
    )


def _against_the_score(_: Scenario) -> Judged:
    """Two responses, the better of which has gone further from the reference; then all scores ten times as large."""

    def left(times: int) -> list[Fraction]:
        pairs: Sequence[tuple[Fraction, Fraction]] = list(zip(SCORES, CHARGES, strict=True))
        return [Fraction(formulas.token_reward(times * score, kl, BETA)) for score, kl in pairs]

    plain, large = left(1), left(TIMES)
    return Judged(
        holds(plain[0] > plain[1] and large[0] < large[1]),
        {
            "scores": SCORES,
            "kl": CHARGES,
            "beta": BETA,
            "charges": [BETA * kl for kl in CHARGES],
            "plain": plain,
            "times": TIMES,
            "large": large,
        },
    )


SIZES: dict[str, Check] = {
    "sampling_settings_can_turn_the_mean_k1_negative": _truncated,
    "logged_kl_is_a_sum_or_a_mean": _sum_or_mean,
    "kl_in_the_reward_favours_short_answers": _draws_to_short,
    "score_on_every_token_favours_long_answers": _copied,
    "beta_is_read_against_the_scores": _against_the_score,
}
