"""Whether a message wishes the text of a picture written out, and that text."""

from __future__ import annotations

import re

LONGEST = 120  # characters of its first line: what is longer is about something else

_WISH = re.compile(
    r"(?:识别|提取|转写|抄录|读出|打出|输出|OCR).{0,12}(?:图|照片|截屏)[^，。,.]{0,6}(?:文字|文本|内容|数字|公式)"
    r"|(?:图|照片|截屏)[^，。,.]{0,6}(?:文字|文本|内容|数字).{0,8}(?:识别|提取|转写|抄录|读出来|打出来|输出)"
    r"|\b(?:read|transcribe|extract|recogni[sz]e|ocr|type out|write out|copy)\b"
    r"[^.?!]{0,40}\b(?:picture|image|screenshot|photo)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:how|why|can't|cannot|does|did|don't)\b|怎么|为什么|如何|不要|(?<!识)别", re.IGNORECASE)


def wished_text(message: str) -> str | None:
    """What is to be written out, as it was read and corrected; None: nothing of the kind is wished."""
    line, _, text = message.strip().partition("\n")
    wished = len(line) <= LONGEST and _WISH.search(line) and not _NOT.search(line)
    return text.strip("\n") if wished else None
