"""What stands after a message of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import EngineError
from engine.models.trial import Trial
from engine.scenario import PARAMETERS
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.memory import Memory
from prompts.read.practising import Practised
from prompts.read.trial import Asked

RUN, ON_MODEL = "ppo_loop", "model"  # the lesson that runs the language model, and the form of its page
Alternatives = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Talk:
    """What has been shown in a conversation, whatever it was about."""

    count: int = 0  # messages so far
    page: int = 0  # the message that the last lesson's page answered, counted from 1
    shown: tuple[tuple[str, str, str], ...] = ()  # pages: lesson, form, numbers
    asked: int = 0  # sets of numbers that were drawn
    drawn: Mapping[str, Any] = field(default_factory=dict)  # the last of them
    practice: Practised | None = None  # as it stood last


@dataclass(frozen=True)
class Turn:
    """What stands after a message: the subject, the learner's numbers so far, the wishes."""

    alternatives: Alternatives = ()
    sure: bool = True
    given: Mapping[str, Any] = field(default_factory=dict)
    claimed: Mapping[str, Any] = field(default_factory=dict)
    stated: str = ""  # the message in which the claimed numbers stand
    origin: Mapping[str, str] = field(default_factory=dict)  # part → learner (this message), earlier, drawn or example
    memory: Memory = field(default_factory=Memory)
    language: str = "en"
    form: str | None = None
    quantity: str | None = None
    computed: str | None = None  # what the learner's numbers were last used for, whatever was asked about since
    wanted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    carried: bool = False  # the numbers are there since before, and the message asks for nothing to be computed
    only_numbers: bool = False  # the message gives or changes numbers and says nothing else
    past: Turn | None = None  # the last one with a subject, where this one has none: thanks, or a joke
    history: tuple[Turn, ...] = ()  # the subjects so far, each as it stood last
    trial: Trial | None = None  # what is to be run on the language model
    error: EngineError | None = None
    talk: Talk = field(default_factory=Talk)
    move: bool = False  # the message asks for no subject: nothing else is read of it
    spoken: str | None = None  # the question that it stands for: next
    practice: Practised | None = None  # where the message goes on with one, or begins one
    retells: int = 0  # the message whose page is told again, counted from 1
    brief: bool = False  # in a sentence or two
    unfolds: bool = False  # the form is a section of the page before, asked for by its name
    without: tuple[str, ...] = ()  # blocks that were read already
    leads: tuple[str, ...] = ()  # what comes next, instead of what the lesson leads to

    @property
    def lesson(self) -> str:
        return self.alternatives[0][0] if self.alternatives else OUT_OF_SCOPE


def first(id: str, alternatives: Alternatives) -> Alternatives:
    """The lesson before the others, with the best score."""
    best = alternatives[0][1] if alternatives else 1.0
    return ((id, best), *((other, score) for other, score in alternatives if other != id))


def run(before: Turn, wanted: Asked) -> Turn:
    """A run of the language model: with the parameters that were given so far, whatever else was spoken of."""
    kept = {name: x for name, x in before.memory.params.items() if name in PARAMETERS}
    if "eps" in wanted.params:  # one for both
        kept = {name: x for name, x in kept.items() if name not in ("eps_low", "eps_high")}
    given = {**kept, **wanted.params}
    return Turn(
        alternatives=first(RUN, before.alternatives),
        given=given,
        origin={name: "learner" if name in wanted.params else "earlier" for name in given},
        memory=replace(before.memory, params={**before.memory.params, **wanted.params}),
        form=ON_MODEL,
        trial=wanted.trial,
        error=wanted.error,
    )
