"""The workbench as the browser shows it: edits in, parts of the page out. Nothing that is sent in raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError
from engine.mistakes import MISTAKES
from engine.scenario import Scenario
from lessons._lesson import LANGUAGES
from prompts.bench import computing, pictures, state
from prompts.bench.names import listed, moved_by, symbol
from prompts.bench.table import Table, plain
from prompts.tell.errors import describe
from prompts.tell.learner_text import entities
from prompts.tell.words import word

MOST_EDITS = 64  # in one request


@dataclass(frozen=True)
class Asked:
    """A request, as far as it could be read."""

    text: str
    edits: Sequence[Any]
    language: str
    picture: str
    mistake: str
    whole: bool = True

    @property
    def update(self) -> bool:
        return self.picture == computing.UPDATE

    def say(self, key: str, **parts: str) -> str:
        return word(self.language, "bench", key).format(**parts)


def read(request: Any) -> Asked:
    given = request if isinstance(request, Mapping) else {}

    def text(key: str) -> str:
        found = given.get(key)
        return found if isinstance(found, str) else ""

    edits = given.get("edits")
    return Asked(
        text("text"),
        edits[:MOST_EDITS] if isinstance(edits, list) else (),
        text("language") if text("language") in LANGUAGES else LANGUAGES[0],
        text("picture"),
        text("mistake") if text("mistake") in MISTAKES else "",
        given.get("whole") is not False,
    )


def shown(request: Any) -> dict[str, Any]:
    """The scenario after the edits, and the parts of the page that show it; or what is wrong with them."""
    asked = read(request)
    try:
        given = state.opened(asked.text)
        for edit in asked.edits:
            given = state.edited(given, edit)
    except EngineError as refused:
        return {"error": describe(refused, asked.language)}
    return {"text": state.written(given), **_parts(given, asked)}


def _parts(given: Scenario, asked: Asked) -> dict[str, Any]:
    kinds = pictures.kinds(given)
    kind = asked.picture if asked.picture in kinds else kinds[0]
    try:
        found = computing.computed(given, update=asked.update, mistake=asked.mistake)
        drawing = _figure(kind, given, asked)
        note = _damage(found, asked) or (asked.say("shown_first") if state.is_batch(asked.text) else "")
    except EngineError as refused:
        found, drawing, note = None, "", describe(refused, asked.language)
    table = Table(given, found, asked.language, asked.update, asked.whole)
    return {
        "picture": kind,
        "unreachable": asked.say("unreachable"),  # to be said when nothing more comes
        "parts": {
            "begin": _begin(given, asked),
            "table": table.html,
            "tabs": _tabs(kinds, kind, asked),
            "sliders": _sliders(given, kind, found, asked),
            "drawing": drawing,
            "note": f"<p>{entities(note)}</p>" if note else "",
        },
    }


def _begin(given: Scenario, asked: Asked) -> str:
    own = next((name for name, preset in state.presets().items() if preset == given), "")
    choices = [("", asked.say("own"))] if not own else []
    choices += [(name, asked.say(f"preset_{name}")) for name in state.presets()]
    breaks = computing.breakable(given, update=asked.update)
    wrong = [("", asked.say("break_nothing"))]
    wrong += [(one.id, word(asked.language, "causes", one.id)) for one in breaks]
    look = asked.say(f"look_{own}") if own else asked.say("one")
    return (
        f"<label><span>{asked.say('begin')}</span>{_select('preset', choices, own)}</label>"
        f"<label><span>{asked.say('break')}</span>{_select('mistake', wrong, asked.mistake)}</label>"
        f'<div class="hands">{_button("undo", "↶", asked)}{_button("redo", "↷", asked)}'
        f"{_button('shorter', '−', asked)}{_button('longer', '+', asked)}"
        f"{_button('rows', '⋯', asked, pressed=asked.whole)}</div>"
        f'<p class="look">{entities(look)}</p>'
    )


def _select(name: str, choices: Sequence[tuple[str, str]], chosen: str) -> str:
    options = "".join(
        f'<option value="{key}"{" selected" if key == chosen else ""}>{entities(told)}</option>'
        for key, told in choices
    )
    return f'<select data-do="{name}">{options}</select>'


def _button(name: str, sign: str, asked: Asked, *, pressed: bool | None = None) -> str:
    told = asked.say(name)
    state = "" if pressed is None else f' aria-pressed="{str(pressed).lower()}"'
    return f'<button type="button" data-do="{name}" aria-label="{told}" title="{told}"{state}>{sign}</button>'


def _tabs(kinds: Sequence[str], chosen: str, asked: Asked) -> str:
    tabs = "".join(
        f'<button type="button" data-picture="{kind}" aria-pressed="{str(kind == chosen).lower()}">'
        f"{entities(asked.say(f'tab_{kind}'))}</button>"
        for kind in kinds
    )
    return f'<div role="group" aria-label="{asked.say("pictures")}">{tabs}</div>'


def _sliders(given: Scenario, kind: str, found: computing.Computed | None, asked: Asked) -> str:
    return "".join(_slider(name, given, found, asked) for name in pictures.moving(kind, given))


def _figure(kind: str, given: Scenario, asked: Asked) -> str:
    caption = f"<strong>{asked.say(f'picture_{kind}')}</strong> {asked.say(f'seen_{kind}')}"
    return f"<figure><figcaption>{caption}</figcaption>{pictures.draw(kind, given, asked.language)}</figure>"


def _slider(name: str, given: Scenario, found: computing.Computed | None, asked: Asked) -> str:
    number = getattr(given, name)
    moved = moved_by(name, given, found.rows if found else ())
    acts = asked.say("acts", rows=listed(moved, asked.language)) if moved else ""
    letter, called = symbol(name, asked.language), asked.say(name)
    written = "" if number is None else plain(number)
    return (
        f'<label class="slider" data-acts="{" ".join(moved)}"><span><var>{letter}</var> {entities(called)}</span>'
        f'<input type="range" min="0" max="1" step="0.01" value="{written or 0}" '
        f'data-set="{name}" aria-label="{letter} {entities(called)}">'
        f'<input class="number" value="{written}" data-set="{name}" aria-label="{letter}" autocomplete="off">'
        f"<small>{entities(acts)}</small></label>"
    )


def _damage(found: computing.Computed, asked: Asked) -> str:
    if not asked.mistake:
        return ""
    cause = word(asked.language, "causes", asked.mistake)
    if not found.damage:
        return asked.say("no_damage", cause=cause)
    return asked.say("damage", cause=cause, rows=listed(found.damage, asked.language))
