"""Where on the page a picture is chosen, and what the page says of it by itself."""

from __future__ import annotations

import json
from html import escape

from prompts.tell.words import word

KINDS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 4 * 1024 * 1024


def place(language: str) -> str:
    """As HTML: how a picture comes in, and what has become of it."""
    most = MOST_BYTES // 2**20
    told = {key: word(language, "pictures", key) for key in ("reading", "again")}
    told["bad"] = word(language, "errors", "bad_picture")
    told["large"] = word(language, "errors", "picture_too_large").format(most=most)
    words = escape(json.dumps(told, ensure_ascii=False))
    kinds = ",".join(f"image/{kind.lower()}" for kind in KINDS)
    more = word(language, "pictures", "more").format(most=most)
    return (
        f'<div data-words="{words}"><label title="{escape(more)}">{word(language, "pictures", "choose")}'
        f'<input type="file" accept="{kinds}" class="unseen"></label> <span>{more}</span>'
        '<p role="status"></p></div>'
    )
