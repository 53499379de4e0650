"""The workbench as the browser shows it: edits in, parts of the page out. Nothing that is sent in raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import EngineError
from engine.mistakes import MISTAKES
from engine.scenario import Scenario
from lessons._lesson import LANGUAGES
from prompts.bench import computing, pictures, predicting, state
from prompts.bench.names import listed, moved_by, symbol
from prompts.bench.table import Table, plain
from prompts.tell.errors import describe
from prompts.tell.learner_text import entities
from prompts.tell.words import word

MOST_EDITS, MOST_GUESSES = 64, 512  # in one request
MOST_CAUSES = 2  # that are named, the likelier first


@dataclass(frozen=True)
class Asked:
    """A request, as far as it could be read."""

    text: str
    edits: Sequence[Any]
    language: str
    picture: str
    mistake: str
    whole: bool = True
    hidden: str = ""  # the row that is to be predicted
    guesses: Mapping[int, str] = field(default_factory=dict)

    @property
    def update(self) -> bool:
        return self.picture == computing.UPDATE and not self.hidden

    def say(self, key: str, **parts: str) -> str:
        return word(self.language, "bench", key).format(**parts)


def read(request: Any) -> Asked:
    given = request if isinstance(request, Mapping) else {}

    def text(key: str) -> str:
        found = given.get(key)
        return found if isinstance(found, str) else ""

    edits, guesses = given.get("edits"), given.get("guesses")
    hidden = text("hidden") if text("hidden") in predicting.HIDEABLE else ""
    return Asked(
        text("text"),
        edits[:MOST_EDITS] if isinstance(edits, list) else (),
        text("language") if text("language") in LANGUAGES else LANGUAGES[0],
        text("picture"),
        text("mistake") if text("mistake") in MISTAKES and not hidden else "",
        given.get("whole") is not False,
        hidden,
        _guesses(guesses) if isinstance(guesses, Mapping) else {},
    )


def _guesses(sent: Mapping[Any, Any]) -> dict[int, str]:
    """Token → what was typed."""
    return {
        int(t): text[: state.LONGEST_TOKEN]
        for t, text in list(sent.items())[:MOST_GUESSES]
        if isinstance(text, str) and isinstance(t, str) and t.isascii() and t.isdigit()
    }


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
    guessed = None
    try:
        found = computing.computed(given, update=asked.update, mistake=asked.mistake)
        if asked.hidden in found.rows:
            guessed = predicting.guessed(asked.hidden, asked.guesses, found, given)
        hidden = guessed.hides if guessed else ()
        kinds = pictures.kinds(given, hidden)
        kind = asked.picture if asked.picture in kinds else kinds[0]
        drawing = _figure(kind, given, asked, hidden)
        first = asked.say("shown_first") if state.is_batch(asked.text) else ""
        note = predicted(guessed, asked) if guessed else _damage(found, asked) or first
    except EngineError as refused:
        found, drawing, note = None, "", describe(refused, asked.language)
        kinds = pictures.kinds(given)
        kind = kinds[0]
    table = Table(given, found, asked.language, asked.update, asked.whole, guessed)
    return {
        "picture": kind,
        "unreachable": asked.say("unreachable"),  # to be said when nothing more comes
        "parts": {
            "begin": _begin(given, found, asked),
            "table": table.html,
            "tabs": _tabs(kinds, kind, asked),
            "sliders": _sliders(given, kind, found, asked),
            "drawing": drawing,
            "own": _own(asked),
            "note": f"<p>{entities(note)}</p>" if note else "",
        },
    }


def _begin(given: Scenario, found: computing.Computed | None, asked: Asked) -> str:
    own = next((name for name, preset in state.presets().items() if preset == given.merged({"lams": None})), "")
    choices = [("", asked.say("own"))] if not own else []
    choices += [(name, asked.say(f"preset_{name}")) for name in state.presets()]
    breaks = computing.breakable(given, update=asked.update)
    wrong = [("", asked.say("break_nothing"))]
    wrong += [(one.id, word(asked.language, "causes", one.id)) for one in breaks]
    rows = [name for name in predicting.HIDEABLE if found and name in found.rows]
    hidden = [("", asked.say("predict_nothing"))]
    hidden += [(name, f"{symbol(name, asked.language)} {asked.say(f'row_{name}')}") for name in rows]
    look = asked.say(f"look_{own}") if own else asked.say("one")
    return (
        f"<label><span>{asked.say('begin')}</span>{_select('preset', choices, own)}</label>"
        f"<label><span>{asked.say('break')}</span>{_select('mistake', wrong, asked.mistake)}</label>"
        f"<label><span>{asked.say('predict')}</span>{_select('predict', hidden, asked.hidden)}</label>"
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


def _figure(kind: str, given: Scenario, asked: Asked, hidden: Sequence[str]) -> str:
    caption = f"<strong>{asked.say(f'picture_{kind}')}</strong> {asked.say(f'seen_{kind}')}"
    drawing = pictures.draw(kind, given, asked.language, hidden)
    held = f" <em>{asked.say('drag')}</em>" if 'class="handle"' in drawing else ""
    return f"<figure><figcaption>{caption}{held}</figcaption>{drawing}</figure>"


def _own(asked: Asked) -> str:
    """Texts of one's own, to be cut into tokens, or read by the model where there is one."""
    boxes = "".join(
        f'<label><span>{asked.say(name)}</span><textarea data-own="{name}" rows="2"></textarea></label>'
        for name in ("prompt", "response")
    )
    run, told = ("", asked.say("no_model")) if not _model() else (f"{_word('run', asked)}{_word('halt', asked)}", "")
    return (
        f"<details><summary>{asked.say('own_text')}</summary><div>{boxes}<div>{_word('tokens', asked)}{run}</div>"
        f'<progress max="1" hidden aria-label="{asked.say("run")}"></progress>'
        f'<p role="status">{told}</p></div></details>'
    )


def _word(name: str, asked: Asked) -> str:
    hidden = " hidden" if name == "halt" else ""
    return f'<button type="button" data-do="{name}"{hidden}>{asked.say(name)}</button>'


def _model() -> bool:
    from engine.models.checkpoint import at_hand

    return at_hand()


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


def predicted(guessed: predicting.Guessed, asked: Asked) -> str:
    """What is said of the numbers that were typed in the place of a row."""

    def at(outcome: predicting.Outcome) -> str:
        joint = word(asked.language, "labels", "and")
        return joint.join(symbol(guessed.row, asked.language, t) for t in guessed.places(outcome))

    right = guessed.places("right")
    if guessed.places("wrong"):
        causes = [word(asked.language, "causes", cause) for cause in guessed.causes[:MOST_CAUSES]]
        wrong = asked.say("predict_wrong", places=at("wrong"))
        ideas = asked.say("predict_idea", causes=asked.say("predict_or").join(causes)) if causes else ""
        return f"{wrong} {ideas or asked.say('predict_unknown')}"
    if guessed.places("coarse"):
        return asked.say("predict_coarse", places=at("coarse"))
    if len(right) == guessed.asked_for:
        return asked.say("predict_done", symbol=symbol(guessed.row, asked.language))
    if right:
        return asked.say("predict_right", right=str(len(right)), all=str(guessed.asked_for))
    return asked.say("predict_begin", symbol=symbol(guessed.row, asked.language))
