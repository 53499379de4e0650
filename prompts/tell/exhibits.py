"""An exhibit of the museum on a page: what was held, what is so, both programs' numbers side by side; and the list."""

from __future__ import annotations

from engine.notation import DIGITS, shown_to
from lessons._museum import Exhibit, Thread, exhibits
from prompts.tell.ground import Grounded, release
from prompts.tell.markdown import cell, table
from prompts.tell.templates import reason
from prompts.tell.values import Values
from prompts.tell.words import word

FEW = 3  # digits, where they are enough


def told(exhibit: Exhibit, values: Values) -> Grounded:
    """In as few digits as keep different numbers apart."""
    for digits in range(FEW, DIGITS + 1):
        with shown_to(digits) as numbers:
            text = _told(exhibit, values)
        if not numbers.confuses:
            break
    return text


def _told(exhibit: Exhibit, values: Values) -> Grounded:
    language = values.language

    def say(key: str, **inside: str) -> str:
        return word(language, "museum", key).format(**inside)

    def worded(text: str) -> str:
        return reason(text, exhibit.found, values)

    first, *others = exhibit.threads
    where = say("where", thread=_cited(first, language), title=worded(exhibit.title[language]))
    also = say("also", threads=say("and").join(_cited(one, language) for one in others)) if others else ""
    parts = [
        where + also,
        say("held", claim=worded(exhibit.claim[language])),
        f"{say(exhibit.ruling)}{worded(exhibit.says[language])}",
        release(values.here()),
        _table(exhibit, values),
        _check(exhibit, language),
    ]
    return Grounded("\n\n".join(filter(None, parts)))


def _table(exhibit: Exhibit, values: Values) -> str:
    """Token by token, or response by response of a group."""
    settled, disputed = exhibit.found["settled"], exhibit.found["disputed"]
    if not isinstance(settled, list):
        settled, disputed = [settled], [disputed]
    language = values.language
    of_group = "group_rewards" in exhibit.right.used
    heads = [word(language, "museum", "response") if of_group else r"\(t\)"]
    tokens = values.texts.rows[0] if not of_group and len(values.texts.rows[0]) == len(settled) > 1 else ()
    heads += [values.label("token")] if tokens else []
    heads += [word(language, "museum", key) for key in ("as_it_is", "as_held")]
    if len(settled) == 1:
        return table(heads[1:], [[cell(settled[0]), cell(disputed[0])]])
    rows = [
        [str(t), *([values.token(t)] if tokens else []), cell(a), cell(b)]
        for t, (a, b) in enumerate(zip(settled, disputed, strict=True))
    ]
    return table(heads, rows)


def _check(exhibit: Exhibit, language: str) -> str:
    """That both were run, and how far apart they are."""
    inside = {"symbol": f"`{exhibit.fact}`", "count": str(len(exhibit.apart)), "of": str(exhibit.compared)}
    if not exhibit.apart:
        return word(language, "museum", "same").format(**inside)
    furthest = max(exhibit.apart.values(), key=abs)
    return word(language, "museum", "apart").format(**inside, far=cell(abs(furthest)))


def _cited(thread: Thread, language: str) -> str:
    day = word(language, "museum", "day").format(day=thread.day) if thread.day else ""
    return f"`{thread.name}`{day}"


def listed(values: Values) -> Grounded:
    """All of them, by what they ask."""
    language = values.language
    lines = [f"- `{one.threads[0].short}`: {reason(one.title[language], one.found, values)}" for one in exhibits()]
    head = word(language, "museum", "list").format(count=len(lines))
    return Grounded(
        "\n\n".join(
            [head, "\n".join(lines), word(language, "museum", "ask").format(one=exhibits()[0].threads[0].short)]
        )
    )
