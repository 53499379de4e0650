"""Whether a message wishes to keep the conversation itself."""

from __future__ import annotations

import re

LONGEST = 120  # characters of its first line: what is longer is about something else

_WISH = re.compile(
    r"(?:保存|导出|存(?:成|为|下来?)|下载|整理成?).{0,12}(?:对话|聊天|会话)|(?:对话|聊天|会话)(?:内容|记录)?.{0,16}(?:保存|导出|存成|存为|存下|下载)"
    r"|(?:对话|聊天|会话)(?!模板).{0,16}写[入进成].{0,12}(?:文件|文档|\bmd\b|markdown)"
    r"|\b(?:save|export|download|keep)\b.{0,24}\b(?:conversation|chat|dialogue|dialog|discussion)\b",
    re.IGNORECASE | re.DOTALL,
)
_ASIDE = re.compile(r"（[^（）]*）|\([^()]*\)")
_NOT = re.compile(
    r"\b(?:how|why|what|who|where|do|does|did|don't|not|is|are)\b|怎么|为什么|如何|不要|别|会|是否|在哪", re.IGNORECASE
)


def wishes_to_keep(message: str) -> bool:
    """A wish to be given this conversation as a file, and no question about saving anything."""
    line = _ASIDE.sub("", message.strip().partition("\n")[0])
    return len(line) <= LONGEST and bool(_WISH.search(line)) and not _NOT.search(line)
