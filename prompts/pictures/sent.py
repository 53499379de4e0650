"""A picture as a page sends it, and what the page is told of it. It is in memory while it is read, nowhere else."""

from __future__ import annotations

import base64
import binascii
import json
import logging
from typing import Any

from engine.errors import EngineError
from lessons._lesson import LANGUAGES
from prompts.pictures.place import MOST_BYTES
from prompts.pictures.reading import MARK, Read, read
from prompts.tell.errors import describe
from prompts.tell.learner_text import typed
from prompts.tell.words import word

_LOG = logging.getLogger(__name__)
LONGEST = 4 * (MOST_BYTES // 3 + 2) + 100  # characters of a picture as an address of its data


def on_picture(address: Any, lang: Any) -> str:
    """The text of a picture, and what there is to say of it, as JSON."""
    known = lang if lang in LANGUAGES else LANGUAGES[0]
    try:
        found = read(_data(address), known)
    except EngineError as error:
        return _as_json("", typed(describe(error, known)))
    except Exception:  # noqa: BLE001  a fault of ours is said, not raised into the page
        _LOG.exception("no text of a picture")
        return _as_json("", word(known, "errors", "internal"))
    said = [word(known, "pictures", "read")] if found.text else []
    return _as_json(found.text, ("" if known == "zh" else " ").join([*said, *to_check(found, known)]))


def to_check(found: Read, lang: str) -> list[str]:
    """What is to be looked at before the text is used."""
    if not found.text:
        return [word(lang, "pictures", "nothing")]
    counts = {"unsure": found.unsure, "unread": found.unread}
    return [word(lang, "pictures", key).format(mark=MARK, count=count) for key, count in counts.items() if count]


def _data(address: Any) -> bytes:
    if not isinstance(address, str) or len(address) > LONGEST:
        raise EngineError("picture_too_large", most=MOST_BYTES // 2**20)
    try:
        return base64.b64decode(address.partition(",")[2], validate=True)
    except binascii.Error as error:
        raise EngineError("bad_picture") from error


def _as_json(text: str, said: str) -> str:
    return json.dumps({"text": text, "said": said}, ensure_ascii=False)
