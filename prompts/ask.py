"""`python app.py ask`: the tutor in a terminal, one message or a batch of conversations."""

from __future__ import annotations

import argparse
import io
import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.models.progress import Listener, Progress
from lessons._lesson import LANGUAGES
from prompts.answer import Answer
from prompts.model import why_nobody
from prompts.read import STYLES
from prompts.read.language import language
from prompts.tell.errors import describe
from prompts.tell.leading import leads
from prompts.tell.learner_text import typed
from prompts.tell.observed import progress
from prompts.tell.terminal import in_terminal
from prompts.tell.words import word
from prompts.tutor import Request, answer, refusal

USAGE_ERROR = 2


def main(arguments: Sequence[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.message is None and options.picture is None) == (not options.batch):
        parser.error("give one message, a picture, or --batch")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A lone surrogate in an id or a text leaves as the JSON escape that it came as.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.stderr.write(why_nobody() or "")
    if options.batch:
        for found in batch(sys.stdin.buffer):
            print(found.json(), flush=True)
        return 0
    scenario = _file(options.scenario, parser) if options.scenario else None
    lang = options.lang or language(options.message or "") or "en"
    message = options.message
    if options.picture is not None:
        text = _text_of(options.picture, lang, parser)
        if not text or message is None:
            print(text, end="\n" if text else "")
            return 0 if text else 1
        message = f"{message}\n\n{text}"
    found = answer(Request((message,), options.lang, scenario, options.style, listener=_teller(lang)))
    print(found.json() if options.json else _page(found))
    return 0


def _page(found: Answer) -> str:
    """The page as Markdown for whatever reads it next; for a person at a terminal with nothing left to render."""
    if not sys.stdout.isatty():
        return found.markdown.rstrip("\n")
    more = [word(found.lang, "sections", "in_terminal")] if found.closed else []
    return in_terminal("\n\n".join([found.markdown.rstrip(), *more, leads(found.followups, found.lang)]))


def _teller(lang: str) -> Listener:
    """Says on standard error how far a run is."""

    def tell(found: Progress) -> None:
        sys.stderr.write(progress(found, lang) + "\n")

    return tell


def batch(lines: Iterable[bytes]) -> Iterator[Answer]:
    """One answer for each line that is not blank, in order. A line that cannot be read is an answer with an error."""
    for line in lines:
        text = line.decode("utf-8", errors="replace").strip().lstrip("\ufeff")
        if text:
            yield _answered(text)


def _answered(text: str) -> Answer:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        return refusal(EngineError("bad_line"), "en")
    messages = given.get("messages")
    return answer(
        Request(
            messages=tuple(messages) if isinstance(messages, list) else (),
            lang=given.get("lang"),
            scenario=given.get("scenario"),
            style=given.get("style") or "plain",
            id=_identifier(given.get("id")),
        )
    )


def _identifier(given: Any) -> str | float | None:
    """The id as given, where JSON can carry it back."""
    if isinstance(given, float):
        return given if math.isfinite(given) else None
    return given if isinstance(given, str | int) else None


def _file(path: str, parser: argparse.ArgumentParser) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        parser.error(f"--scenario {path}: {error.strerror}")
    except ValueError as error:
        parser.error(f"--scenario {path} is not JSON: {error}")


def _text_of(path: str, lang: str, parser: argparse.ArgumentParser) -> str:
    """What stands in a picture, what is to be looked at on standard error; empty where nothing can be read."""
    from prompts.pictures.place import MOST_BYTES
    from prompts.pictures.reading import read
    from prompts.pictures.sent import to_check

    try:
        with Path(path).open("rb") as file:
            found = read(file.read(MOST_BYTES + 1), lang)
    except OSError as error:
        parser.error(f"--picture {path}: {error.strerror}")
    except EngineError as error:
        sys.stderr.write(typed(describe(error, lang)) + "\n")
        return ""
    sys.stderr.writelines(f"{line}\n" for line in to_check(found, lang))
    return found.text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="app.py ask", description="Ask about token-level PPO; every answer is computed."
    )
    parser.add_argument("message", nargs="?", help="the question, in Chinese or English")
    parser.add_argument(
        "--picture", metavar="FILE", help="a picture: its text is read below the message; alone: written out"
    )
    parser.add_argument("--batch", action="store_true", help="read one JSON object a line from standard input")
    parser.add_argument("--json", action="store_true", help="print the whole answer as one JSON object")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the answer (default: the message's)")
    parser.add_argument("--scenario", metavar="FILE.json", help="your numbers: rewards, values, gamma, lam, …")
    parser.add_argument("--style", choices=STYLES, default="plain")
    return parser
