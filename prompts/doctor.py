"""`python app.py doctor FILE`: what dumps of training tensors follow, in words. And `report`, for training code."""

from __future__ import annotations

import argparse
import json
import locale
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.doctor.given import check_rate
from engine.doctor.on_ray import mapped
from engine.doctor.search import Given
from engine.doctor.survey import Survey, survey
from engine.doctor.verdict import Verdict
from engine.errors import EngineError
from engine.notation import show
from lessons._lesson import LANGUAGES
from prompts.tell.errors import describe
from prompts.tell.learner_text import typed
from prompts.tell.words import word

RIGHT, DEPARTS, USAGE_ERROR = 0, 1, 2
BAR = 30  # characters
NAMES = {
    "verl_old": "verl 0.2",
    "verl_new": "verl 0.9.1",
    "trl": "TRL 0.11.4",
    "trl_later": "TRL 0.12–1.9",
    "openrlhf": "OpenRLHF 0.11.2",
}


def report(found: Verdict, language: str = "en") -> str:
    """The verdict as a few lines to print."""

    def say(key: str, **details: str) -> str:
        return word(language, "doctor", key).format_map(details)

    names = say("or").join(NAMES.get(name) or say(name) for name in found.conventions)
    lines = [_headline(found, names, language)]
    lines.append(_rates(found, language))
    lines.append(say("whitening_" + "_or_".join(found.whitening)) if _known(found) else say("whitening_mistaken"))
    if found.masked is not None:
        lines.append(say("masked" if found.masked else "unmasked"))
    for one in found.departures:
        place = say("place", name=one.name, row=str(one.row), token=str(one.token))
        lines.append(say("departure", place=place, stated=_number(one.stated), due=_number(one.correct)))
    if found.others:
        words = say("or").join(_cause(other, language) for other in found.others)
        lines.append(say("others" if found.cause else "flaw", causes=words))
    given = {"residual": _number(found.residual), "allowed": _number(found.tolerance), "dtype": found.dtype}
    lines.append(say("residual" if found.cause != "unknown" else "distance", **given))
    lines += [say("decides_" + one) for one in found.decides]
    return "\n".join(lines)


def _known(found: Verdict) -> bool:
    return all(kind in ("none", "sample", "population", "elsewhere") for kind in found.whitening)


def _headline(found: Verdict, names: str, language: str) -> str:
    counts = {"tokens": str(found.tokens), "rows": str(found.rows)}
    if found.right:
        return word(language, "doctor", "follows").format(names=names, **counts)
    counts |= {"departing": str(found.departing), "departing_rows": str(found.departing_rows)}
    cause = _cause(str(found.cause), language)
    return word(language, "doctor", "departs").format(names=names, cause=cause, **counts)


def _cause(id: str, language: str) -> str:
    return word(language, "causes", id)


def _rates(found: Verdict, language: str) -> str:
    def one(name: str) -> str:
        symbol, x = {"gamma": "γ", "lam": "λ"}[name], getattr(found, name)
        if x is None:
            return word(language, "doctor", "rate_open").format(symbol=symbol)
        return word(language, "doctor", "rate_found" if name in found.found else "rate").format(
            symbol=symbol, x=_number(x)
        )

    parts = [one("gamma"), one("lam")]
    if found.gamma is None and found.lam is None:
        parts.append(word(language, "doctor", "rate").format(symbol="γλ", x=_number(found.product)))
    return word(language, "doctor", "comma").join(parts) + word(language, "doctor", "stop")


def _number(x: float) -> str:
    return show(float(x), 6).text if x == x and abs(x) != float("inf") else str(x)


def survey_report(found: Survey, language: str) -> str:
    """The verdict on all pieces; of those that depart, which."""
    text = report(found.verdict, language)
    if len(found.found) == 1:
        return text
    counts = {"pieces": str(len(found.found)), "departing": str(len(found.departing))}
    if not found.departing:
        return word(language, "doctor", "pieces_right").format(**counts) + "\n" + text
    listed = [f"{one.piece.path} [{one.piece.start}:{one.piece.stop}]" for one in found.departing]
    head = word(language, "doctor", "pieces_depart").format(**counts, first=listed[0])
    return "\n".join([head, text, *listed[1:]])


# ---------------------------------------------------------------- the command


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    language = options.lang or _spoken()
    try:
        rates = Given(check_rate("gamma", options.gamma), check_rate("lam", options.lam))
        found = survey(Path(options.file), rates, _progress, mapped if options.ray else None)
    except EngineError as error:
        sys.stderr.write(typed(describe(error, language)) + "\n")
        return USAGE_ERROR
    print(json.dumps(found.data(), ensure_ascii=False) if options.json else survey_report(found, language))
    return RIGHT if found.right else DEPARTS


def _progress(done: int, total: int, path: str) -> None:
    """A bar on standard error, where somebody watches and there is something to wait for."""
    if total > 1 and sys.stderr.isatty():
        full = BAR * done // total
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r[{'█' * full}{'·' * (BAR - full)}] {done}/{total} {Path(path).name:<40.40}{end}")
        sys.stderr.flush()


def _spoken() -> str:
    """The terminal's language, where it is one of ours."""
    spoken = (locale.getlocale()[0] or "")[:2].lower()
    return spoken if spoken in LANGUAGES else "en"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="app.py doctor",
        description="Which convention dumped training tensors follow, or where they first depart from it, and why.",
    )
    parser.add_argument("file", metavar="FILE", help=".safetensors, .npz, .parquet, .jsonl, or a folder of them")
    parser.add_argument("--gamma", type=float, help="γ; found where it is not given")
    parser.add_argument("--lam", type=float, help="λ; found where it is not given")
    parser.add_argument("--json", action="store_true", help="print the verdict as one JSON object")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the report (default: the terminal's)")
    parser.add_argument("--ray", action="store_true", help='on a Ray cluster: pip install ".[ray]"')
    return parser
