"""`python -m engine.models`: run one PPO iteration on the language model and print its tables."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace

from engine.models import checkpoint, measure
from engine.models.critic_training import fitted_head, fitted_weights
from engine.models.iteration import iterate
from engine.models.learners import ALL_LAYERS, Settings, begin
from engine.models.progress import Progress
from engine.models.roles import load, seeded_head
from engine.models.rollout import collect, encode_response
from engine.models.sampling import sample
from engine.models.table import head_table, step_table, token_table


def main(words: list[str]) -> None:
    asked = _parser().parse_args(words)
    if asked.prepare:
        _say(checkpoint.locate(_report))
    elif asked.measure:
        _say(measure.write_readme())
    elif asked.case:
        _say(json.dumps(measure.run_case(asked.case)))
    else:
        _iterate(asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.models", description=__doc__)
    parser.add_argument("--prompt", default=measure.PROMPT)
    parser.add_argument("--response", default=measure.RESPONSE)
    parser.add_argument("--sample", action="store_true", help="let the actor answer instead")
    parser.add_argument("--score", type=float, help="the response's score, instead of the rule's")
    parser.add_argument("--seed", type=int, default=0, help="of the sampling and of the value head")
    parser.add_argument("--epochs", type=int, default=Settings().epochs)
    parser.add_argument("--iterations", type=int, default=1, help="the second is the first whose KL is not 0")
    parser.add_argument("--all", action="store_true", help="train all layers, not the last ones")
    parser.add_argument("--seeded", action="store_true", help="start the critic from a random head, not the fitted one")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--prepare", action="store_true", help="convert the embedded model if need be, and stop")
    parser.add_argument("--measure", action="store_true", help="measure time and memory and rewrite the README's table")
    parser.add_argument("--case", choices=measure.CASES, help=argparse.SUPPRESS)
    return parser


def _iterate(asked: argparse.Namespace) -> None:
    roles = load(asked.device, _report)
    if asked.seeded:
        head = seeded_head(roles, asked.seed)
    else:
        fitted = fitted_head(roles, _report)
        head = fitted_weights(roles, fitted)
        _say(head_table(fitted))
    learners = begin(roles, replace(ALL_LAYERS if asked.all else Settings(), epochs=asked.epochs), head)
    for _ in range(asked.iterations):
        if asked.sample:
            ids = sample(learners, asked.prompt, asked.seed, listener=_report)
        else:
            ids = encode_response(roles.tokenizer, asked.response)
        rollout = collect(learners, [asked.prompt], [ids], None if asked.score is None else [asked.score], _report)
        run = iterate(learners, rollout, _report)
        _say(f"{roles.name}\n{asked.prompt} → {rollout.responses[0]}")
        _say(token_table(run))
        _say(step_table(run))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n\n")


def _report(progress: Progress) -> None:
    sys.stderr.write(f"{progress.stage} {progress.done}/{progress.total}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
