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
    "simple": r"\b(1\d|[5-9]|ten|twelve|five|eight)[ -]?(year|yr|yo\b)|\btwelve\b|child|\bkids?\b|eli ?(5|12)|simpl[ey]"
    r"|simplif|\blayman|\bbeginner|\banalog|metaphor|everyday|in plain|plain (words|language|english)|dumb (it|that) down"
    r"|non-?technical|\bgrand(ma|mother|pa)|no (math|formulas?|jargon)|without (math|formulas?|jargon)|intuitive(ly)?"
    r"|\bintuition"
    r"|小孩|孩子|小朋友|1\d\s*岁|十[二三]?岁|小学|初中|中学生|通俗|大白话|白话(?!化)|说人话|讲人话|人话|比方|比喻|类比"
    r"|简单(点|些|地|来说|一点|的话|易懂)|简明|浅显|外行|门外汉|不用公式|别用公式|直观(地|点|一点|理解|解释)|生活中|奶奶",
    "quiz": r"\bquiz|\btest (me|my)|\bexercises?\b|\bchallenge me|\bask me\b|\bpractice (question|problem)|\bpop question"
    r"|考考?我|考一考|考(一|个|几|两)|出(一|道|个|几|两|三)*(道|个)?(小)?(题|测)|来(一|几|两)?(道|个)(小)?题|练习|测验|测一?测我|做题|习题",
    "code": r"\bcode\b|\bimplement|\bpython\b|\bpytorch\b|\bsnippet\b|\bsource\b|代码|源码|怎么实现|实现一?下|编程|程序(?!化)",
    "table": r"\btables?\b|\btabulate|\btabular|side by side|\bin (rows|columns)\b|表格|列(个|张|成)?表|做(个|张|成)?(一张)?表|[一张个]表|成表|制表|画(个|张)?表",
    "proof": r"\bprov(e|ing)\b|\bproofs?\b|\bderiv(e|ation|ing)\b|\bshow (that|why) it holds|\bformal argument|证明|推导|推一(遍|下)|求证",
    "numbers": r"\b(just|only) (give (me )?)?(the )?(numbers|values|results?|figures)|\bnumbers only|\bonly (the )?numbers"
    r"|\b(no|skip the|without) (words|explanations?|prose|text)\b|只(要|给|看|报)(我)?(数|结果)|直接给(我)?(数|结果|答案)|(光|就)(要|给)(我)?(数|结果)|不(要|用)解释",
    "example": r"\bexamples?\b|\bfor instance\b|\binstance\b|\billustrat|\bconcrete(ly)?\b|\bworked\b|\bdemo(nstrate)?\b|举(个|一|几|两)*(实|具体)?(个|的)?例|例子|示例|实例|具体(一?点|例|地|算|的数)|演示",
    "rigorous": r"\brigorous|\bformal(ly)?\b|\bprecise definition|严格|严谨|形式化",
}
_WISHES_READ = {form: re.compile(words, re.IGNORECASE) for form, words in _WISHES.items()}
_WHY_EN = r"why|how come|how so|what for|for what reason|what'?s the reason"
_WHY_ZH = r"为什么|为何|为啥|凭什么|怎么会|怎么就|咋(?!样)|怎么回事|什么原因|原因(是|呢)|何以"
_WHY = re.compile(
    rf"^\W*((but|and|so|ok|okay|hm+|wait|um|then|yes|right)\W+)*({_WHY_EN})\b[^.?!]{{0,40}}\W*$"
    rf"|^\W*(可是|但是|那|这|但|嗯|哦|等等|不过|呃)*[,，]?(?:是)?(这是|那是|那么)?({_WHY_ZH})[^。？?]{{0,12}}\W*$",
    re.IGNORECASE,
)
_WHY_OPENS = re.compile(
    rf"^\W*((but|and|so|ok|okay|then)\W+)*({_WHY_EN})\b|^\W*(可是|但是|那|那么|但|不过)*[,，]?({_WHY_ZH})", re.I
)
_WHY_LATER = re.compile(rf"[,，.。;；]\s*({_WHY_EN})\b|[,，。;；]\s*(可是|但是|那|那么|但)?({_WHY_ZH})", re.IGNORECASE)
_AGAIN = re.compile(
    r"^\W*((ok|okay|and|thanks|nice|good|great|cool)\W+)*((give|show) me )?(another|one more|again|once more|more|next|a new one"
    r"|a different one)( one| of (these|those)|,? please| example| question| quiz)*\W*$"
    r"|^\W*(好的?|嗯)?\W*(再|又|换|继续)(来|举|出|考|给|讲|换)?(一|个|道|几|下|遍|次|点|些)*(别的|其他|新的|例子?|题|吧|呢|试试)*\W*$|^\W*下一(个|题|道)\W*$",
    re.IGNORECASE,
)


def form(message: str) -> str | None:
    """The form that the message asks for, if it asks for one."""
    found = next((name for name, words in _WISHES_READ.items() if words.search(message)), None)
    return found or ("why" if _WHY.search(message) else None)


def asks_why(message: str) -> bool:
    """Whether a message of any length opens with why, perhaps after a word about which numbers are meant."""
    return _WHY_OPENS.search(message) is not None or _WHY_LATER.search(message) is not None


def again(message: str) -> bool:
    """Whether a message asks for one more of the same."""
    return _AGAIN.search(message) is not None


def beside_wish(message: str) -> str:
    """The message without the words of its wish."""
    for words in _WISHES_READ.values():
        message = words.sub(" ", message)
    return message
