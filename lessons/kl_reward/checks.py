"""What no relation between quantities says: the conventions of projects, what a program has read, a β that adapts."""

from __future__ import annotations

from engine import conventions, formulas, quantities
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Rollout, Scored
from engine.example import RUNNING
from engine.facts import compute
from engine.ops import exp, log
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed

REFERENCE, PAID = (0.5, 0.25, 0.25), (0.0, 0.0, 1.0)  # of three tokens: their chance, their score
TARGET, LOOSE = 0.1, 0.25  # of the KL; a β under which the policy goes far beyond it


def _same_formula(_: Scenario) -> Judged:
    """A full row of three tokens with k1, under four conventions."""
    scored = Scored([1.0], [[-0.5, -0.75, -0.25]], [[-0.75, -0.5, -0.25]], beta=0.5)
    rollout = Rollout(scored, [[0.0, 0.0, 0.0]], [[1, 1, 1]])
    found = [
        list(conventions.run(rollout, c, gamma=1.0, lam=1.0).rewards[0]) for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return Judged(holds(all(x == found[0] for x in found)), {"count": len(found), "r": found[0]})


def _trl_clamps(_: Scenario) -> Judged:
    """k3 of a token that the reference likes far better."""
    scored = Scored([0.0], [[-9.0, -0.5]], [[-1.0, -0.5]], beta=1.0, kl_kind="k3")
    rollout = Rollout(scored, [[0.0, 0.0]], [[1, 1]])
    trl, verl = (-float(conventions.run(rollout, c, gamma=1.0, lam=1.0).rewards[0][0]) for c in (TRL, VERL_NEW))
    return Judged(holds(trl == verl), {"trl": _short(trl), "verl": _short(verl)})


def _over_the_vocabulary(_: Scenario) -> Judged:
    """What the penalty has read: log-probabilities of the sampled tokens, one each."""
    found = compute(quantities.kl_rewards, RUNNING)
    read = found.used & {"logp", "ref_logp"}
    per_token = len(RUNNING.rows("logp")[0]) / len(found.exact["kl"])
    return Judged(holds(per_token > 1), {"lists": len(read), "each": int(per_token)})


def _adaptive_is_better(_: Scenario) -> Judged:
    """The KL comes to its target; but with β the critic's targets move under it."""
    beta = LOOSE
    for _step in range(60):
        beta = formulas.adaptive_kl_coefficient(beta, _kl_of_the_best(beta), TARGET, 256, 1000, 0.2)
    fixed, held = (_short(_kl_of_the_best(b)) for b in (LOOSE, beta))
    returns = [gae(beta=b)["returns"][0] for b in (0.1, 0.2)]
    return Judged(
        weighed(abs(held - TARGET) < abs(fixed - TARGET), not close(*returns)),
        {"target": TARGET, "fixed": fixed, "held": held, "returns": returns},
    )


def _kl_of_the_best(beta: float) -> float:
    """From the reference, of the policy that is best for what is paid less β·KL."""
    weights = [q * exp(r / beta) for q, r in zip(REFERENCE, PAID, strict=True)]
    p = [w / sum(weights) for w in weights]
    return float(expected(p, lambda a: log(p[a] / REFERENCE[a])))


def _short(x: float) -> float:
    return round(x, 6)


CHECKS: dict[str, Check] = {
    "projects_share_the_reward_formula": _same_formula,
    "trl_clamps_k3": _trl_clamps,
    "kl_is_summed_over_the_vocabulary": _over_the_vocabulary,
    "adaptive_beta_is_better": _adaptive_is_better,
}
