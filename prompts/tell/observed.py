"""Iterations on the language model, in tables: who puts out what, where values are read, every token, every update."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.errors import EngineError
from engine.models.observed import Observed, Round
from engine.models.progress import Progress
from engine.notation import SYMBOLS, show
from engine.scenario import written
from prompts.tell.errors import describe
from prompts.tell.ground import Grounded
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import inline, table
from prompts.tell.words import word

DIGITS = 4
NEGLIGIBLE = 1e-12
BY_ROLES = ("logp", "ref_logp", "kl", "scores", "values")
BY_PPO = ("rewards", "deltas", "advantages", "returns", "whitened", "vpreds", "ratio")
OF_CRITIC = "vf_"  # what begins like this in a log is the critic's
_WITH_SYMBOL = ("gamma", "lam", "beta", "eps_low", "eps_high", "cliprange_value")
_IN_WORDS = ("kl", "actor_lr", "critic_lr", "epochs")
Say = Callable[[str], str]


def told(found: Observed | EngineError, language: str) -> Grounded:
    """The tables and what has to be said of them; where there is no run, why and what to do."""

    def say(key: str) -> str:
        return word(language, "observed", key)

    if isinstance(found, EngineError):
        alone = found.code in ("busy", "stopped")  # nothing is missing here
        reason = describe(found, language)
        return Grounded(reason if alone else say("absent").format(reason=reason))
    first, *later = found.rounds
    parts = [
        f"<strong>{quoted(found.prompt)} → {quoted(first.response)}</strong>",
        say("model").format(model=quoted(found.model)),
        f"{say('all' if found.settings.train == 'all' else 'last')}{say('gap')}{say(_whose_words(found))}",
        _settings(found, say),
        table(
            [say("role"), say("field"), say("shape"), say("means")],
            [[say(f.role), f"`{f.name}`", str(list(f.shape)), say(f.name)] for f in found.fields],
        ),
        f"<strong>{say('slice')}</strong> {say('slice_more')}",
        _slice(first, say),
        say("fitted" if found.fitted else "random"),
        *_round(first, say, 1 if later else None),
        say("first"),
    ]
    for number, round_ in enumerate(later, start=2):
        parts += _round(round_, say, number)
    parts += [say("later")] if later and any(later[0].facts.numbers["kl"]) else []
    return Grounded("\n\n".join(parts))


def progress(found: Progress, language: str) -> str:
    """How far a run is, in one line."""
    if found.stage == "listen":
        return word(language, "progress", "listening")
    doing = word(language, "progress", found.stage)
    if found.stage not in ("wait", "load"):
        doing = f"{doing} {found.done}/{found.total}"
    if found.round > 1:
        doing = word(language, "progress", "round").format(round=found.round, doing=doing)
    return word(language, "progress", "running").format(doing=doing)


def _whose_words(found: Observed) -> str:
    drawn = found.trial.sampled or (found.trial.prompt is not None and found.trial.response is None)
    return "drawn" if drawn else "given"


def _settings(found: Observed, say: Say) -> str:
    """What it ran with, whether it was asked for or not."""
    settings: dict[str, Any] = {name: getattr(found.settings, name) for name in (*_WITH_SYMBOL, *_IN_WORDS)}
    symbols = [inline(f"{SYMBOLS[name][0]} = {_number(settings[name])}") for name in _WITH_SYMBOL]
    others = [f"{say('with_' + name)} {_plain(settings[name])}" for name in _IN_WORDS]
    if found.trial.seed is not None or _whose_words(found) == "drawn":
        others.append(f"{say('with_seed')} {found.trial.seed or 0}")
    score = sum(found.rounds[0].facts.numbers["scores"])
    others.append(say("with_score" if found.trial.score is not None else "with_rule").format(score=_number(score)))
    return f"{say('settings')}{say('gap')}{say('comma').join([*symbols, *others])}{say('stop')}"


def _plain(x: Any) -> str:
    return x if isinstance(x, str) else _number(x)


def _slice(found: Round, say: Say) -> str:
    labels = written(found.scenario.tokens or ())[0]
    body = [
        [
            str(place.position),
            _cell(place.token),
            _number(place.output),
            "–" if place.value is None else inline(f"V_{{{place.value}}}"),
            say("unused") if place.value is None else _cell(labels[place.value]),
        ]
        for place in found.places
    ]
    return table([say("position"), say("state_of"), "`logits`", say("is_value"), say("before")], body)


def _round(found: Round, say: Say, number: int | None) -> list[str]:
    head = [] if number is None else [f"<strong>{say('round').format(number=number)}</strong>"]
    critics = {name: row for name, row in found.steps.items() if name.startswith(OF_CRITIC)}
    actors = {name: row for name, row in found.steps.items() if name not in critics}
    return [
        *head,
        _by_token(found, say, BY_ROLES, {say("entropy"): found.entropies}),
        _by_token(found, say, BY_PPO, {}),
        *(_by_update(steps, say("updates")) for steps in (critics, actors)),
    ]


def _by_token(found: Round, say: Say, names: tuple[str, ...], more: Mapping[str, Sequence[float]]) -> str:
    heads = [inline("t"), say("token"), *(inline(f"{{{SYMBOLS[name][0]}}}_t") for name in names), *more]
    columns = [*(found.facts.exact[name] for name in names), *more.values()]
    labels = written(found.scenario.tokens or ())[0]
    rows = [[str(t), _cell(label), *(_number(x[t]) for x in columns)] for t, label in enumerate(labels)]
    return table(heads, rows)


def _by_update(steps: Mapping[str, tuple[float, ...]], updates: str) -> str:
    rows = zip(*steps.values(), strict=True)
    body = [[str(done), *map(_number, row)] for done, row in enumerate(rows)]
    return table([updates, *(f"`{name}`" for name in steps)], body)


def _cell(label: str) -> str:
    """A token that can be seen: a line break and a blank are written out."""
    seen = label.replace("\n", "⏎").replace("\t", "⇥")
    return quoted(seen.replace(" ", "␣") if not seen.strip() else seen)


def _number(x: object) -> str:
    """What rounding leaves of a zero is shown as zero."""
    return show(0 if isinstance(x, float) and abs(x) < NEGLIGIBLE else x, DIGITS).text
