"""In which form an answer is wanted, read from the words of the message."""

from __future__ import annotations

import re

# The first form whose words stand in the message; the more particular wish comes first.
_WISHES = {
    "model": r"\b(run|try|do|compute|show|execute)\b[^.?!]{0,60}\bon (a|an|the|your) ([a-z]+ )?"
    r"(language model|llm|real model|actual model)\b|\brun (it|one|this) for real\b"
    r"|\b(really|actually) run (it|one|an? (real )?(ppo )?(iteration|step))\b"
    r"|\brun an? (real|actual) (ppo )?(iteration|step)\b"
    r"|在[^。，？?]{0,6}(语言|真实?的?|实际的?)(小)?模型上[^。，？?]{0,6}(跑|算|运行|试|执行)"
    r"|(跑|运行|执行)[^。，？?]{0,6}(语言|真实?的?|实际的?)(小)?模型|(真的|真正|真|实际)跑(一|1)(遍|次|轮|下)",
    "simple": r"12[ -]?year|twelve|child|\bkids?\b|eli5|simpl[ey]|\blayman|\banalog|metaphor|everyday"
    r"|plain (words|language)|dumb it down"
    r"|小孩|孩子|12\s*岁|十二岁|小学生|初中生|通俗|大白话|说人话|讲人话|比方|比喻|类比|简单(点|些|地|来说|一点)",
    "quiz": r"\bquiz|\btest me|\bexercise|考考?我|出(道|个|几道)?题|练习题|测验",
    "code": r"\bcode\b|\bimplement|\bpython\b|代码|源码|怎么实现",
    "table": r"\btable\b|\btabulate|side by side|表格|列(个|张|成)?表|做(个|张)表|一张表|成表",
    "proof": r"\bprov(e|ing)\b|\bproof\b|\bderiv(e|ation)\b|证明|推导",
    "numbers": r"\bjust the (numbers|values|result)|\bnumbers only|\bonly the numbers"
    r"|只要(数字|结果|数)|直接给(数|结果)",
    "example": r"\bexample\b|\binstance\b|举(个)?例|例子|示例",
    "rigorous": r"\brigorous|\bformal(ly)?\b|\bprecise definition|严格|严谨|形式化",
    "why": r"^\W*(but )?(why|how come|how so|what for)\b[^.?!]{0,40}\W*$"
    r"|^\W*(可是|但是|那|这)?(为什么|为何|为啥|凭什么|怎么会)[^。？?]{0,12}\W*$",
}
_WISHES_READ = {form: re.compile(words, re.IGNORECASE) for form, words in _WISHES.items()}


def form(message: str) -> str | None:
    """The form that the message asks for, if it asks for one."""
    return next((name for name, words in _WISHES_READ.items() if words.search(message)), None)
