"""`python -m engine.models`: run PPO iterations on the language model and print their tables."""

from __future__ import annotations

import argparse
import json
import sys

import torch
from torch import Tensor

from engine.errors import EngineError
from engine.models import checkpoint, measure
from engine.models.cache import first_line
from engine.models.critic_training import fitted_head, fitted_weights
from engine.models.iteration import iterate
from engine.models.learners import begin
from engine.models.progress import Progress, of_round
from engine.models.roles import Roles, load, seeded_head
from engine.models.rollout import collect, encode_response
from engine.models.sampling import sample
from engine.models.table import head_table, slice_table, step_table, token_table
from engine.models.trial import Trial
from engine.scenario import PARAMETERS, scenario

TOLD = {  # for those who work with the engine in a terminal; the pages have their own words, in both languages
    "no_model": "The language model {name} cannot be loaded ({reason}). Run make setup, or set TELESCOPE_LM.",
    "missing_package": "The package {package} is missing. Install it with: {command}.",
    "disk_full": "The disk is full while writing to {path}. Free some space, or set TELESCOPE_CACHE.",
    "cache_unwritable": "Nothing can be written to {path} ({reason}). Set TELESCOPE_CACHE to a directory that can be.",
    "unsupported_model": "The model {name} cannot be used here ({reason}). Set TELESCOPE_LM to another.",
    "no_rule": "No rule can score an answer to {prompt!r}. Give --score.",
    "text_too_long": "Prompt and response have {places} places; at most {limit} are computed.",
    "empty_text": "The {field} is empty.",
    "one_value_has_no_sample_variance": "One token cannot be whitened. Give a response of two or more.",
    "out_of_range": "{field} is {value}, and must lie between {low} and {high}.",
    "unknown_kl": "--kl is one of k1, k2, k3, abs.",
    "not_finite": "{field} is {value}: give a finite number.",
}
PREPARED_WITHOUT = "Everything that does not run the model works without it."


def main(words: list[str]) -> int:
    asked = _parser().parse_args(words)
    try:
        _do(asked)
    except KeyboardInterrupt:
        return 130
    except EngineError as trouble:
        sys.stderr.write(_told(trouble) + "\n")
        if not asked.prepare:
            return 1
        sys.stderr.write(PREPARED_WITHOUT + "\n")
    return 0


def _do(asked: argparse.Namespace) -> None:
    if asked.prepare:
        _say(checkpoint.locate(_report))
        fitted_head(load(asked.device, _report), _report)
    elif asked.measure:
        _say(measure.write_readme())
    elif asked.case:
        _say(json.dumps(measure.run_case(asked.case)))
    else:
        _iterate(asked)


def _told(trouble: EngineError) -> str:
    return TOLD[trouble.code].format(**trouble.details) if trouble.code in TOLD else str(trouble)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.models", description=__doc__)
    parser.add_argument("--prompt", default=measure.PROMPT)
    parser.add_argument("--response", default=measure.RESPONSE)
    parser.add_argument("--sample", action="store_true", help="let the actor answer instead")
    parser.add_argument("--score", type=float, help="the response's score, instead of the rule's")
    parser.add_argument("--seed", type=int, default=0, help="of the sampling and of the value head")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=2, help="the second is the first whose KL is not 0")
    for name in PARAMETERS:
        if name != "kl":
            parser.add_argument(f"--{name.replace('_', '-')}", type=float, dest=name)
    parser.add_argument("--kl", help="the estimator: k1, k2, k3 or abs")
    parser.add_argument("--actor-lr", type=float)
    parser.add_argument("--critic-lr", type=float)
    parser.add_argument("--all", action="store_true", help="train all layers, not the last ones")
    parser.add_argument("--seeded", action="store_true", help="start the critic from a random head, not the fitted one")
    parser.add_argument("--device", default="cpu", type=_device)
    parser.add_argument("--prepare", action="store_true", help="convert the model and fit the value head, once; stop")
    parser.add_argument("--measure", action="store_true", help="measure time and memory and rewrite the README's table")
    parser.add_argument("--case", choices=measure.CASES, help=argparse.SUPPRESS)
    return parser


def _device(name: str) -> str:
    """A device that is there."""
    try:
        torch.empty(0, device=name)
    except (AssertionError, RuntimeError, NotImplementedError) as absent:
        raise argparse.ArgumentTypeError(f"{name} is not there: {first_line(absent)}") from absent
    return name


def _iterate(asked: argparse.Namespace) -> None:
    trial = Trial(
        score=asked.score,
        epochs=asked.epochs,
        iterations=asked.iterations,
        actor_lr=asked.actor_lr,
        critic_lr=asked.critic_lr,
        seed=asked.seed,
        all_layers=asked.all,
    )
    given = {name: getattr(asked, name) for name in PARAMETERS if getattr(asked, name) is not None}
    settings = trial.settings(scenario(given))
    roles = load(asked.device, _report)
    learners = begin(roles, settings, _head(roles, asked))
    for number in range(1, asked.iterations + 1):
        report = of_round(number, _report)
        if asked.sample:
            ids = sample(learners, asked.prompt, asked.seed, listener=report)
        else:
            ids = encode_response(roles.tokenizer, asked.response)
        rollout = collect(learners, [asked.prompt], [ids], None if asked.score is None else [asked.score], report)
        run = iterate(learners, rollout, report)
        _say(f"{roles.name}, iteration {number}\n{asked.prompt} → {rollout.responses[0]}")
        _say(slice_table(run))
        _say(token_table(run))
        _say(step_table(run))


def _head(roles: Roles, asked: argparse.Namespace) -> dict[str, Tensor]:
    if asked.seeded:
        return seeded_head(roles, asked.seed)
    fitted = fitted_head(roles, _report)
    _say(head_table(fitted))
    return fitted_weights(roles, fitted)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n\n")


def _report(progress: Progress) -> None:
    round_ = f"iteration {progress.round}: " if progress.round > 1 else ""
    sys.stderr.write(f"{round_}{progress.stage} {progress.done}/{progress.total}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
