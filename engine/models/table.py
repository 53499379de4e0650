"""An iteration as plain text tables: one row per response token, one row per mini-step."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from torch import Tensor

from engine.models.critic_training import QUALITIES, FittedHead
from engine.models.iteration import Iteration
from engine.models.rollout import places
from engine.notation import show

DIGITS = 4
NEGLIGIBLE = 1e-12


def token_table(run: Iteration, row: int = 0) -> str:
    """What each role put out for every token of one response, and what PPO made of it."""
    rollout, found = run.rollout, run.estimates
    columns = {
        "old_log_prob": rollout.old_log_probs,
        "ref_log_prob": rollout.ref_log_prob,
        "KL": found.kl,
        "entropy": rollout.entropies,
        "score": rollout.scores,
        "reward": found.rewards,
        "V": rollout.values,
        "δ": found.deltas,
        "A": found.advantages,
        "R": found.returns,
        "A whitened": found.whitened,
        "V after": run.critic_steps[-1].values,
        "ratio after": run.actor_steps[-1].ratios,
    }
    pieces = rollout.pieces[row]
    body = [
        [str(t), repr(piece.label)[1:-1], *(_number(x[row, t]) for x in columns.values())]
        for t, piece in enumerate(pieces)
    ]
    return aligned([["t", "token", *columns], *body])


def slice_table(run: Iteration, row: int = 0) -> str:
    """Where each value is read: at which position of the critic's output, and so at which token's hidden state."""
    pieces, body = run.rollout.pieces[row], []
    for place in places(run.rollout, row):
        t = place.value
        read = ["-", "-"] if t is None else [f"V_{t}", repr(pieces[t].label)[1:-1]]
        body.append([str(place.position), repr(place.token)[1:-1], _number(place.output), *read])
    return aligned([["position", "hidden state of", "critic output", "is", "before token"], *body])


def step_table(run: Iteration) -> str:
    """What is logged, before each update and after the last."""
    heads = ["updates", "vf_loss", "vf_clipfrac", "vf grad_norm", "pg_loss", "pg_clipfrac", "approx_kl", "entropy"]
    body = [
        [
            str(done),
            *map(_number, (critic.vf_loss, critic.vf_clipfrac, critic.grad_norm)),
            *map(_number, (actor.pg_loss, actor.pg_clipfrac, actor.approx_kl, actor.entropy, actor.grad_norm)),
            f"{_number(actor.ratios[run.rollout.response_mask.bool()].min())} … "
            f"{_number(actor.ratios[run.rollout.response_mask.bool()].max())}",
        ]
        for done, (critic, actor) in enumerate(zip(run.critic_steps, run.actor_steps, strict=True))
    ]
    return aligned([[*heads, "pg grad_norm", "ratios"], *body])


def head_table(head: FittedHead) -> str:
    """The value head on held-out sums, before it was fitted and after, and where it was not fitted at all."""
    names = {
        "before": "stated sums, seeded head",
        "after": "stated sums, fitted head",
        "open": "open questions, fitted head",
        "false": "falsely stated sums, fitted head",
    }
    heads = ["held-out", "squared error", "right above wrong", "V at prompt", "V at end, right", "V at end, wrong"]
    body = []
    for quality in QUALITIES:
        found = getattr(head, quality)
        numbers = (found.error, found.ranked, found.at_prompt, found.end_of_right, found.end_of_wrong)
        body.append([names[quality], *map(_number, numbers)])
    return aligned([heads, *body])


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with columns of equal width; wide characters count twice."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _line(row: Iterable[str], widths: Sequence[int]) -> str:
    cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
    return "| " + " | ".join(cells) + " |"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _number(x: float | Tensor) -> str:
    """What rounding leaves of a zero is shown as zero."""
    number = float(x)
    return show(0 if abs(number) < NEGLIGIBLE else number, DIGITS).text
