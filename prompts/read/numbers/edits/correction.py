"""The words by which a message says that its writer meant something else: no, I meant …, 不对，我说的是 …"""

from __future__ import annotations

import re

_AH_EN = r"no|nope|wait|sorry|oops|ah|oh|hm+|wrong one|my bad|actually|scratch that|typo|correction"
_AH_ZH = r"不(?:是|对)?|(?:我?(?:刚才|刚刚)?(?:说|打|写|搞|改|弄))?错了|口误|更正|等等|等下|抱歉|啊|哦|呃|噢"
_EN = (
    r"i (?:actually |really )?(?:meant|mean\b|was (?:talking|speaking) (?:about|of))"
    r"|not (?:the |for )?[^,;.?!]{1,24}[,;] ?(?:but )?"
)
_ZH = (
    r"我(?:的意思)?(?:其实)?(?:想)?(?:是说|是指|说的是|指的是|是要改|要改的是|想改的是|意思是)|(?:说的|要改的|想改的)是"
    r"|不是[^,;.。]{1,16}[,;]? ?(?:而|应该)?(?:是|改)"
)
MEANT = re.compile(rf"\W*(?:(?:{_AH_EN}|{_AH_ZH})\W*){{0,3}}(?:{_EN}|{_ZH})", re.IGNORECASE)
