"""The templates of lessons: how they are read, and the names that stand in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from lessons._lesson import ROOT, Shown
from prompts.tell.blocks import Blocks
from prompts.tell.ground import emit, release
from prompts.tell.tables import Tables
from prompts.tell.values import LONGEST_WORKING, Values

ENDS_WITH_TAG = re.compile(r"^(?!(?:\s*<%(?:(?!%>).)*%>)+\s*$).*%>\n(?=\n)", re.MULTILINE)  # a line with words


class Templates(FileSystemLoader):
    """A paragraph that ends with a tag keeps the empty line after it, of which `trim_blocks` would take half."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        source, path, unchanged = super().get_source(environment, template)
        return ENDS_WITH_TAG.sub(r"\g<0>\n", source), path, unchanged


def strict(loader: FileSystemLoader, **more: Any) -> Environment:
    """Templates with our marks; a name that nobody gave raises."""
    return Environment(
        loader=loader,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        **more,
    )


@cache
def environment() -> Environment:
    return strict(Templates(ROOT), finalize=emit)


def names(values: Values, shown: Shown, blocks: Blocks | None = None) -> dict[str, Any]:
    """All that a lesson's template can say."""
    facts = shown.facts
    return {
        **_methods(values, blocks),
        "short": values.scenario.length <= LONGEST_WORKING,
        "fact": SimpleNamespace(**(facts.exact if facts else {})),
        "wrong": SimpleNamespace(**{id: SimpleNamespace(**found.exact) for id, found in shown.mistakes.items()}),
        "parameter": values.scenario,
    }


def _methods(values: Values, blocks: Blocks | None = None) -> dict[str, Any]:
    rooms = (values, Tables(values), blocks or Blocks(values))
    return {name: getattr(room, name) for room in rooms for name in dir(room) if name[0] != "_"}


def reason(text: str, found: Mapping[str, Any], values: Values) -> str:
    """Why a proposition holds or not, in words around what its check found."""
    return release(environment().from_string(text).render(**_methods(values), found=SimpleNamespace(**found)))
