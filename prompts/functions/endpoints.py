"""The functions as plain callables with types and documentation, as Gradio's API wants them."""

import inspect
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from pydantic.fields import FieldInfo

from prompts.functions.door import FUNCTIONS, Function

Call = Callable[[str, Any], Awaitable[dict[str, Any]]]


def endpoints(call: Call) -> Iterator[Callable[..., Awaitable[dict[str, Any]]]]:
    """One for each function, under its name."""
    return (endpoint(function, call) for function in FUNCTIONS.values())


def endpoint(function: Function, call: Call) -> Callable[..., Awaitable[dict[str, Any]]]:
    fields = sorted(function.asked.model_fields.items(), key=_place)
    names = [name for name, _ in fields]

    async def asked(*given: Any) -> dict[str, Any]:
        return await call(function.name, {name: x for name, x in zip(names, given, strict=False) if x is not None})

    asked.__name__ = asked.__qualname__ = function.name
    asked.__doc__ = _documentation(function, names)
    asked.__annotations__ = {name: field.annotation for name, field in fields} | {"return": dict[str, Any]}
    vars(asked)["__signature__"] = inspect.Signature(
        [_parameter(name, field) for name, field in fields], return_annotation=dict[str, Any]
    )
    return asked


def _place(argument: tuple[str, FieldInfo]) -> tuple[bool, int]:
    """What is required comes first, what every function takes comes last."""
    name, field = argument
    return not field.is_required(), ("scenario", "lang").index(name) if name in ("scenario", "lang") else -1


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.is_required() else field.default
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=field.annotation
    )


def _documentation(function: Function, names: list[str]) -> str:
    properties = function.takes["properties"]
    lines = [f"    {name}: {_described(properties[name])}" for name in names]
    returned = f"Returns:\n    {', '.join(function.gives['properties'])}; or error, with code, message and field."
    return "\n".join([function.description, "", "Args:", *lines, "", returned])


def _described(schema: dict[str, Any]) -> str:
    """A parameter's own description, or that of what it may be."""
    parts = [schema, *schema.get("anyOf", ())]
    return next((str(part["description"]) for part in parts if "description" in part), "")
