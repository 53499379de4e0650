"""The door: what is asked is checked, computed and answered; nothing that is sent in raises."""

from __future__ import annotations

import logging
import reprlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from prompts.functions import answered, asked
from prompts.functions.asked import Asked

_LOG = logging.getLogger(__name__)
_IMPORTING = threading.Lock()
LONGEST_ECHO = 80  # characters of an argument that an error repeats
TOLD = "told"  # the detail of an error that was put into words already


@dataclass(frozen=True)
class Function:
    name: str
    title: str
    asked: type[Asked]
    answers: type
    does: str  # module:function, imported when it is first called

    @property
    def description(self) -> str:
        """The first paragraph is what it does; all of it is told."""
        return " ".join((self.asked.__doc__ or "").split())

    @property
    def takes(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        schema = self.asked.model_json_schema()
        return {name: x for name, x in schema.items() if name not in ("title", "description")}

    @property
    def gives(self) -> dict[str, Any]:
        """JSON schema of an answer that is no error."""
        schema: dict[str, Any] = TypeAdapter(self.answers).json_schema()
        return schema


FUNCTIONS: Mapping[str, Function] = {
    one.name: one
    for one in (
        Function("search_facts", "Search facts", asked.SearchFacts, answered.FactsFound, "facts:search"),
        Function("read_fact", "Read a fact", asked.ReadFact, answered.FactRead, "facts:read"),
        Function(
            "read_section", "Read a section of a lesson", asked.ReadSection, answered.SectionRead, "pages:section"
        ),
        Function("read_proof", "Read a proof", asked.ReadProof, answered.ProofRead, "pages:proof"),
        Function("compute_quantity", "Compute", asked.ComputeQuantity, answered.Computed, "numbers:compute"),
        Function("settle_statement", "True or false", asked.SettleStatement, answered.Settled, "verdicts:settle"),
        Function("audit_numbers", "Check numbers", asked.AuditNumbers, answered.Audited, "verdicts:audit"),
        Function("run_mistake", "Run a mistake", asked.RunMistake, answered.MistakeRun, "numbers:mistake"),
        Function("draw_scenario", "Draw", asked.DrawScenario, answered.Drawn, "picture:draw"),
        Function("list_names", "List names", asked.ListNames, answered.NamesListed, "names:listed"),
        Function("ask", "Ask the tutor", asked.Ask, answered.Answered, "pages:ask"),
    )
}
ASK = "ask"  # not for a model that listens here: it is what asks


def call(name: str, arguments: Any) -> dict[str, Any]:
    """The answer of a function; what is wrong with the request is `{"error": {"code", "message", "field"}}`."""
    function = FUNCTIONS.get(name) if isinstance(name, str) else None
    if function is None:
        return refused("unknown_function", f"There is no function {_echo(name)}. There are: {', '.join(FUNCTIONS)}.")
    try:
        given = function.asked.model_validate({} if arguments is None else arguments)
    except ValidationError as wrong:
        return _wrong(wrong.errors(include_url=False)[0], function)
    return _computed(function, given)


def _computed(function: Function, given: Asked) -> dict[str, Any]:
    does = _imported(function.does)

    from engine.errors import EngineError
    from prompts.tell.errors import describe
    from prompts.tell.learner_text import typed

    try:
        found = does(given)
    except EngineError as error:
        said = error.details.get(TOLD) or typed(describe(error, given.lang or "en"))
        return refused(error.code, said, error.details.get("field"))
    except Exception:  # noqa: BLE001  the net below the door: a fault of ours is an honest answer
        _LOG.exception("no answer from %s", function.name)
        return refused("internal", describe(EngineError("internal"), given.lang or "en"))
    return dict(found)


def _imported(does: str) -> Callable[[Asked], Mapping[str, Any]]:
    """The function that answers. One thread imports, the rooms from the outermost: two would meet half-way."""
    module, _, name = does.partition(":")
    with _IMPORTING:
        import_module("prompts.tutor")
        found: Callable[[Asked], Mapping[str, Any]] = getattr(import_module(f"prompts.functions.{module}"), name)
    return found


def refused(code: str, message: str, field: Any = None) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "field": None if field is None else str(field)}}


def _wrong(first: ErrorDetails, function: Function) -> dict[str, Any]:
    """What is wrong with one argument, and what it may be."""
    place = ".".join(str(part)[:LONGEST_ECHO] for part in first["loc"])
    argument = str(first["loc"][0])[:LONGEST_ECHO] if first["loc"] else ""
    known = function.asked.model_fields
    if argument not in known:
        said = f"{_echo(argument)} is no argument of {function.name}" if argument else "Arguments must be an object"
        return refused("bad_arguments", f"{said}. It takes: {', '.join(known)}.", place or None)
    described = known[argument].description or "see the schema of this function."
    choices = function.takes["properties"][argument].get("enum")
    if first["type"] == "missing" and place == argument:
        said = f"{function.name} needs {argument}, which is missing"
    elif choices:
        said = f"{place} cannot be {_echo(first['input'])}"
    else:
        said = f"{place}: {first['msg']}, not {_echo(first['input'])}"
    one_of = f" One of: {', '.join(choices)}." if choices else ""
    return refused("bad_arguments", f"{said}. Give {argument}: {described}{one_of}", place)


def _echo(given: Any) -> str:
    text = repr(given[:LONGEST_ECHO]) if isinstance(given, str) else reprlib.repr(given)
    return text.encode("utf-8", "replace").decode("utf-8")
