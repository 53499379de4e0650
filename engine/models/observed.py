"""PPO iterations as a lesson shows them: each role's fields with their shapes, every token's numbers, every update.

The models' outputs become a scenario like any learner's, so what PPO makes of them is computed on tensors and exactly,
and must be what the iteration itself used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from torch import Tensor

from engine import quantities
from engine.errors import EngineError
from engine.facts import Check, DisagreementError, Facts, Inputs, compute
from engine.models.critic_training import fitted_head, fitted_weights
from engine.models.iteration import Iteration, iterate
from engine.models.learners import Learners, Settings, begin
from engine.models.progress import Listener, of_round
from engine.models.quantities import Estimates
from engine.models.roles import Roles, load, seeded_head
from engine.models.rollout import Place, Rollout, collect, encode_response, places
from engine.models.sampling import sample
from engine.models.trial import ITERATIONS, Trial
from engine.scenario import Scenario, scenario, written

Role: TypeAlias = Literal["rollout", "actor", "reference", "reward", "critic", "trainer"]
SEED = 0
_CRITIC_STEP = ("vf_loss", "vf_clipfrac", "grad_norm")
_ACTOR_STEP = ("pg_loss", "pg_clipfrac", "approx_kl", "entropy", "grad_norm")


class Field(NamedTuple):
    """A tensor of the iteration under the name that verl gives it."""

    role: Role
    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Round:
    """One iteration."""

    response: str
    scenario: Scenario  # what the roles put out, as a learner would have given it
    entropies: tuple[float, ...]
    facts: Facts
    steps: Mapping[str, tuple[float, ...]]  # name → one number before each update, one after the last
    places: tuple[Place, ...]  # from the prompt's last token to the end

    @property
    def numbers(self) -> dict[str, Any]:
        return {
            **self.facts.numbers,
            "entropies": list(self.entropies),
            **{name: list(row) for name, row in self.steps.items()},
        }


@dataclass(frozen=True)
class Observed:
    model: str
    prompt: str
    fitted: bool  # whether the critic's head has been fitted, or is random
    trial: Trial
    settings: Settings
    fields: tuple[Field, ...]  # of the first round
    rounds: tuple[Round, ...]

    @property
    def checks(self) -> tuple[Check, ...]:
        return tuple(check for found in self.rounds for check in found.facts.checks)

    @property
    def numbers(self) -> dict[str, Any]:
        """The first round's, the later ones' and the settings they ran with."""
        later = [found.numbers for found in self.rounds[1:]]
        return {**self.rounds[0].numbers, "later": later, "settings": asdict(self.settings)}


def run(asked: Scenario, trial: Trial, listener: Listener) -> Observed:
    """The iterations on a scenario's parameters, and on the trial's or the scenario's texts."""
    roles = load(listener=listener)
    head = (
        seeded_head(roles, SEED if trial.seed is None else trial.seed)
        if trial.seeded_head
        else fitted_weights(roles, fitted_head(roles, listener))
    )
    settings = trial.settings(asked)
    learners = begin(roles, settings, head)
    prompt = asked.prompt or "" if trial.prompt is None else trial.prompt
    rounds: list[Round] = []
    fields: tuple[Field, ...] = ()
    for number in range(1, (trial.iterations or ITERATIONS) + 1):
        heard = of_round(number, listener)
        done = iterate(learners, _rollout(learners, asked, trial, prompt, heard), heard)
        fields = fields or _fields(done)
        rounds.append(_round(done, settings))
    return Observed(_name(roles), prompt, not trial.seeded_head, trial, settings, fields, tuple(rounds))


def _name(roles: Roles) -> str:
    return Path(roles.name).name if Path(roles.name).is_dir() else roles.name


def _rollout(learners: Learners, asked: Scenario, trial: Trial, prompt: str, listener: Listener) -> Rollout:
    """The response that was given, or one that the actor draws: also where a prompt came without a response."""
    if trial.sampled or (trial.response is None and trial.prompt is not None):
        ids = sample(learners, prompt, SEED if trial.seed is None else trial.seed, listener=listener)
    else:
        text = trial.response if trial.response is not None else "".join(written(asked.tokens or ())[0])
        ids = encode_response(learners.roles.tokenizer, text)
    return collect(learners, [prompt], [ids], None if trial.score is None else [trial.score], listener)


def _round(done: Iteration, settings: Settings) -> Round:
    rollout = done.rollout
    seen = _as_scenario(done, settings)
    facts = _agreeing(compute(_pipeline, seen), done.estimates)
    entropies = tuple(rollout.entropies[0].tolist())
    return Round(rollout.responses[0], seen, entropies, facts, _steps(done), places(rollout))


def _as_scenario(done: Iteration, settings: Settings) -> Scenario:
    rollout = done.rollout
    lists = {
        "scores": rollout.scores,
        "logp": rollout.old_log_probs,
        "ref_logp": rollout.ref_log_prob,
        "values": rollout.values,
        "ratio": done.actor_steps[-1].ratios,
        "vpreds": done.critic_steps[-1].values,
    }
    said = [*(x for tensor in lists.values() for x in tensor[0].tolist()), *chain(*_steps(done).values())]
    if not all(map(math.isfinite, said)):
        raise EngineError("diverged")
    names = ("gamma", "lam", "beta", "eps_low", "eps_high", "cliprange_value", "kl")
    return scenario(
        {
            "prompt": rollout.prompts[0],
            "tokens": [piece.label for piece in rollout.pieces[0]],
            **{name: x[0].tolist() for name, x in lists.items()},
            **{name: getattr(settings, name) for name in names},
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


def _fields(done: Iteration) -> tuple[Field, ...]:
    rollout, found = done.rollout, done.estimates
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


def _steps(done: Iteration) -> dict[str, tuple[float, ...]]:
    critic = {_logged("vf", name): tuple(getattr(step, name) for step in done.critic_steps) for name in _CRITIC_STEP}
    actor = {_logged("pg", name): tuple(getattr(step, name) for step in done.actor_steps) for name in _ACTOR_STEP}
    ends = {
        "ratio_least": tuple(step.ratios.min().item() for step in done.actor_steps),
        "ratio_largest": tuple(step.ratios.max().item() for step in done.actor_steps),
    }
    return {**critic, **actor, **ends}


def _logged(part: str, name: str) -> str:
    return f"{part}_grad_norm" if name == "grad_norm" else name
