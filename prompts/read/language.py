"""In which language a message is written."""

from __future__ import annotations

import re

_CHINESE = re.compile(r"[\u3400-\u9fff]")


def language(text: str) -> str:
    """zh as soon as there is a Chinese character: learners mix English terms into Chinese, not the other way round."""
    return "zh" if _CHINESE.search(text) else "en"
