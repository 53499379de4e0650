"""One iteration on the language model, in tables: who puts out what, every token's numbers, every update."""

from __future__ import annotations

from engine.errors import EngineError
from engine.models.observed import Observed
from engine.notation import SYMBOLS, show
from prompts.tell.errors import describe
from prompts.tell.ground import Grounded
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import inline, table
from prompts.tell.words import word

DIGITS = 4
BY_TOKEN = (
    "logp",
    "ref_logp",
    "kl",
    "scores",
    "rewards",
    "values",
    "advantages",
    "returns",
    "whitened",
    "vpreds",
    "ratio",
)


def told(found: Observed | EngineError, language: str) -> Grounded:
    """The tables and what has to be said of them; where there is no model, that and what to do."""

    def say(key: str) -> str:
        return word(language, "observed", key)

    if isinstance(found, EngineError):
        return Grounded(say("absent").format(reason=describe(found, language)))
    parts = [
        say("model").format(
            model=quoted(found.model), prompt=quoted(found.scenario.prompt or ""), response=quoted(found.response)
        ),
        table(
            [say("role"), say("field"), say("shape"), say("means")],
            [[say(f.role), f"`{f.name}`", str(list(f.shape)), say(f.name)] for f in found.fields],
        ),
        say("fitted" if found.fitted else "random"),
        _by_token(found, say("token")),
        say("first") if not any(found.facts.numbers["kl"]) else "",
        _by_update(found, say("updates")),
    ]
    return Grounded("\n\n".join(filter(None, parts)))


def _by_token(found: Observed, token: str) -> str:
    heads = [inline("t"), token, *(inline(f"{{{SYMBOLS[name][0]}}}_t") for name in BY_TOKEN)]
    columns = [found.facts.exact[name] for name in BY_TOKEN]
    labels = found.scenario.tokens or ()
    rows = [[str(t), quoted(label), *(_number(x[t]) for x in columns)] for t, label in enumerate(labels)]
    return table(heads, rows)


def _by_update(found: Observed, updates: str) -> str:
    rows = zip(*found.steps.values(), strict=True)
    body = [[str(done), *map(_number, row)] for done, row in enumerate(rows)]
    return table([updates, *(f"`{name}`" for name in found.steps)], body)


def _number(x: object) -> str:
    return show(x, DIGITS).text
