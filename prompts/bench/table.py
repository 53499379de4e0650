"""The scenario as a table: a row for each list, a column for each token; what is given can be typed into."""

from __future__ import annotations

from dataclasses import dataclass

from engine.notation import DIGITS, show
from engine.scenario import Scenario
from prompts.bench.computing import COMPUTED, OF_UPDATE, Computed
from prompts.bench.names import symbol
from prompts.bench.predicting import Guessed
from prompts.bench.state import DERIVED, is_derived
from prompts.tell.learner_text import entities
from prompts.tell.marks import near
from prompts.tell.texts import texts
from prompts.tell.words import word

SIGNED = ("deltas", "advantages", "whitened", "objective_terms")  # rows whose cells are coloured by their sign
_SIGNS = {"right": "✓", "wrong": "✗", "coarse": "…"}


@dataclass(frozen=True)
class Table:
    given: Scenario
    found: Computed | None
    language: str
    update: bool
    whole: bool = True  # the rows that are seldom typed into with the others
    guessed: Guessed | None = None

    @property
    def html(self) -> str:
        return f"<table><thead>{self._head()}</thead>{self._body()}</table>"

    @property
    def names(self) -> tuple[str, ...]:
        """The rows that can be typed into."""
        from_scores = self.given.rewards is None and self.given.scores is not None
        logs = [name for name in ("logp", "ref_logp") if self.whole and getattr(self.given, name) is not None]
        before = ("scores", *logs, "kl_values") if from_scores else ()
        masked = self.whole or not all(self.given.mask or (1,))
        after = ("logp", "new_logp") if self.update else ()
        return tuple(dict.fromkeys((*before, "rewards", "values", *(["mask"] if masked else []), *after)))

    @property
    def tokens(self) -> tuple[str, ...]:
        known = texts(self.given, {}, self.language)
        return known.rows[0] if known.tokens else ("",) * self.given.length

    def _say(self, key: str) -> str:
        return word(self.language, "bench", key)

    def _head(self) -> str:
        cells = []
        for t, token in enumerate(self.tokens):
            label = self._say("token_at").format(t=t)
            cells.append(
                f'<th scope="col" data-column="{t}"><span>{t}</span><input class="token" data-at="token.{t}" '
                f'value="{entities(token.strip())}" aria-label="{label}" autocomplete="off" spellcheck="false"></th>'
            )
        return f'<tr><th scope="row" class="name"><var>t</var></th>{"".join(cells)}</tr>'

    def _body(self) -> str:
        given = "".join(self._typed(name) for name in self.names)
        hidden = self.guessed.hides if self.guessed else ()
        shown = [name for name in (*COMPUTED, *OF_UPDATE) if self._shows(name) and name not in hidden[1:]]
        follows = "".join(self._guess() if name in hidden else self._computed(name) for name in shown)
        return f"<tbody>{given}</tbody><tbody class='follows'>{follows}</tbody>"

    def _shows(self, name: str) -> bool:
        return self.found is not None and name in self.found.rows and name not in DERIVED.values()

    def _name(self, name: str) -> str:
        called, letter = self._say(f"row_{name}"), symbol(name, self.language)
        more = f"<span>{entities(called)}</span>" if called != letter else ""
        return f'<th scope="row" class="name" title="{entities(called)}"><var>{entities(letter)}</var>{more}</th>'

    def _typed(self, name: str) -> str:
        row = getattr(self.given, name)
        derived = self.found.rows.get(DERIVED[name]) if self.found and is_derived(name, self.given) else None
        if derived is not None:
            row = derived.numbers
        elif row is None:
            row = (1.0 if name == "mask" else None,) * self.given.length
        cells = []
        for t, x in enumerate(row):
            shown = "" if x is None else plain(x, short=derived is not None)
            damaged = derived is not None and derived.damaged(t)
            wrong = wrong_number(derived.mistaken[t]) if derived and damaged else ""
            look = ("derived" if derived else "typed") + (" damaged" if damaged else "") + self._off(t)
            cells.append(
                f'<td data-column="{t}" class="{look}">'
                f'<input data-at="{name}.{t}" value="{shown}" inputmode="text" autocomplete="off" '
                f'aria-label="{entities(symbol(name, self.language, t))}">{wrong}</td>'
            )
        return f'<tr data-row="{name}">{self._name(name)}{"".join(cells)}</tr>'

    def _guess(self) -> str:
        guessed, cells = self.guessed, []
        assert guessed is not None, "nothing is hidden"
        for t, right in enumerate(guessed.right):
            if right is None:
                cells.append(f'<td data-column="{t}" class="off"></td>')
                continue
            cell = guessed.cells.get(t)
            text, outcome = (cell.text, cell.outcome or "") if cell else ("", "")
            told = near(right) if outcome == "right" else ""
            sign = f"<small>{_SIGNS[outcome]} {entities(told)}</small>" if outcome else ""
            wrong = ' aria-invalid="true"' if outcome == "wrong" else ""
            label = entities(symbol(guessed.row, self.language, t))
            cells.append(
                f'<td data-column="{t}" class="typed {outcome}"><input data-at="{guessed.row}.{t}" data-guess="{t}" '
                f'value="{entities(text)}" aria-label="{label}" placeholder="?" autocomplete="off"{wrong}>{sign}</td>'
            )
        return f'<tr data-row="{guessed.row}" class="guess">{self._name(guessed.row)}{"".join(cells)}</tr>'

    def _computed(self, name: str) -> str:
        assert self.found is not None, "nothing was computed"
        row = self.found.rows[name]
        largest = max((abs(x) for x in row.numbers if x is not None), default=0) or 1
        cells = []
        for t, x in enumerate(row.numbers):
            look = f"computed{self._off(t)}"
            style = ""
            if name in SIGNED and x:
                look += " rises" if x > 0 else " falls"
                style = f' style="--share:{abs(x) / largest:.2f}"'
            wrong = ""
            if row.damaged(t):
                look += " damaged"
                wrong = wrong_number(row.mistaken[t])
            label = entities(f"{symbol(name, self.language, t)} = {near(x)}")
            cells.append(
                f'<td data-column="{t}" data-at="{name}.{t}" class="{look}"{style} aria-label="{label}" '
                f'tabindex="{-1 if t else 0}"><span>{entities(near(x))}</span>{wrong}</td>'
            )
        return f'<tr data-row="{name}">{self._name(name)}{"".join(cells)}</tr>'

    def _off(self, t: int) -> str:
        return " off" if self.given.mask is not None and not self.given.mask[t] else ""


def wrong_number(x: float | None) -> str:
    return f"<small>✗ {entities(near(x))}</small>"


def plain(x: float, *, short: bool = False) -> str:
    """A number as it can be typed again."""
    written = show(x, 3 if short else DIGITS)
    if written.exponent is not None or not (short or written.exact):
        return f"{x:.3g}" if short else f"{x:.15g}"
    return written.text
