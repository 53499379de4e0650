"""One PPO iteration as a lesson shows it: each role's fields with their shapes, every token's numbers, every update.

The models' outputs become a scenario like any learner's, so what PPO makes of them is computed on tensors and exactly,
and must be what the iteration itself used.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from torch import Tensor

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Check, DisagreementError, Facts, Inputs, compute
from engine.models.critic_training import fitted_weights, stored_head
from engine.models.iteration import Iteration, iterate
from engine.models.learners import Settings, begin
from engine.models.quantities import Estimates
from engine.models.roles import Roles, load, seeded_head
from engine.models.rollout import collect, encode_response
from engine.scenario import Scenario, scenario

Role: TypeAlias = Literal["rollout", "actor", "reference", "reward", "critic", "trainer"]
EPOCHS = 2  # as many as a page can wait for
SEED = 0
_ONE_AT_A_TIME = threading.Lock()


class Field(NamedTuple):
    """A tensor of the iteration under the name that verl gives it."""

    role: Role
    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Observed:
    model: str
    response: str
    fitted: bool  # whether the critic's head has been fitted, or is random
    fields: tuple[Field, ...]
    scenario: Scenario  # what the roles put out, as a learner would have given it
    facts: Facts
    steps: Mapping[str, tuple[float, ...]]  # name → one number before each update, one after the last

    @property
    def numbers(self) -> dict[str, Any]:
        return {**self.facts.numbers, **{name: list(row) for name, row in self.steps.items()}}


def observed(asked: Scenario) -> Observed | EngineError:
    """The iteration on a scenario's parameters, prompt and response (or the running example's), run once a process; or
    why it cannot be run."""
    settings = {name: getattr(asked, name) for name in ("gamma", "lam", "beta", "eps", "cliprange_value")}
    known = tuple((name, x) for name, x in settings.items() if x is not None)
    text = asked if asked.prompt and asked.tokens else RUNNING
    score = sum(text.rows("scores")[0]) if text.scores is not None else None
    with _ONE_AT_A_TIME:
        return _observed(text.prompt or "", "".join(text.tokens or ()), score, known)


@lru_cache(maxsize=32)
def _observed(
    prompt: str, response: str, score: float | None, settings: tuple[tuple[str, Any], ...]
) -> Observed | EngineError:
    try:
        return _run(load(), prompt, response, score, Settings(**dict(settings), epochs=EPOCHS))
    except EngineError as reason:
        return reason


def _run(roles: Roles, prompt: str, response: str, score: float | None, settings: Settings) -> Observed:
    head = stored_head(roles)
    learners = begin(roles, settings, seeded_head(roles, SEED) if head is None else fitted_weights(roles, head))
    ids = encode_response(roles.tokenizer, response)
    run = iterate(learners, collect(learners, [prompt], [ids], None if score is None else [score]))
    seen = _as_scenario(run, settings)
    facts = _agreeing(compute(_pipeline, seen), run.estimates)
    name = Path(roles.name).name if Path(roles.name).is_dir() else roles.name
    return Observed(name, response, head is not None, _fields(run), seen, facts, _steps(run))


def _as_scenario(run: Iteration, settings: Settings) -> Scenario:
    rollout = run.rollout
    lists = {
        "scores": rollout.scores,
        "logp": rollout.old_log_probs,
        "ref_logp": rollout.ref_log_prob,
        "values": rollout.values,
        "ratio": run.actor_steps[-1].ratios,
        "vpreds": run.critic_steps[-1].values,
    }
    return scenario(
        {
            "prompt": rollout.prompts[0],
            "tokens": [piece.label for piece in rollout.pieces[0]],
            **{name: x[0].tolist() for name, x in lists.items()},
            "kl": "k1",
            **{name: getattr(settings, name) for name in ("gamma", "lam", "beta", "eps", "cliprange_value")},
        }
    )


def _pipeline(x: Inputs) -> dict[str, Any]:
    inputs = {name: x[name] for name in ("scores", "logp", "ref_logp", "values", "ratio", "vpreds")}
    return {**inputs, **quantities.pipeline(x)}


def _agreeing(facts: Facts, estimates: Estimates) -> Facts:
    """The facts, if the iteration used the same; else an error and never a page."""
    checks = []
    for name in ("kl", "rewards", "deltas", "advantages", "returns", "whitened"):
        used: Tensor = getattr(estimates, name)
        pairs = zip(used[0].tolist(), facts.numbers[name], strict=True)
        checks.append(Check(f"iteration.{name}", max(abs(a - b) for a, b in pairs)))
    if not all(check.ok for check in checks):
        raise DisagreementError(f"the iteration did not use these facts: {checks}")
    return Facts(facts.numbers, facts.exact, (*facts.checks, *checks), facts.used, facts.device)


def _fields(run: Iteration) -> tuple[Field, ...]:
    rollout, found = run.rollout, run.estimates
    tensors: tuple[tuple[Role, str, Tensor], ...] = (
        ("rollout", "input_ids", rollout.batch.ids),
        ("rollout", "attention_mask", rollout.batch.attention_mask),
        ("rollout", "responses", rollout.batch.ids[:, -rollout.response_mask.shape[1] :]),
        ("rollout", "response_mask", rollout.response_mask),
        ("actor", "old_log_probs", rollout.old_log_probs),
        ("actor", "entropys", rollout.entropies),
        ("reference", "ref_log_prob", rollout.ref_log_prob),
        ("reward", "token_level_scores", rollout.scores),
        ("critic", "logits", rollout.critic_output),
        ("critic", "values", rollout.values),
        ("trainer", "token_level_rewards", found.rewards),
        ("trainer", "returns", found.returns),
        ("trainer", "advantages", found.whitened),
    )
    return tuple(Field(role, name, tuple(tensor.shape)) for role, name, tensor in tensors)


def _steps(run: Iteration) -> dict[str, tuple[float, ...]]:
    critic = {name: tuple(getattr(step, name) for step in run.critic_steps) for name in ("vf_loss", "vf_clipfrac")}
    names = ("pg_loss", "pg_clipfrac", "approx_kl", "entropy")
    actor = {name: tuple(getattr(step, name) for step in run.actor_steps) for name in names}
    ends = {
        "ratio_least": tuple(step.ratios.min().item() for step in run.actor_steps),
        "ratio_largest": tuple(step.ratios.max().item() for step in run.actor_steps),
    }
    return {**critic, **actor, **ends}
