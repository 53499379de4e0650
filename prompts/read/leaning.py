"""The words by which a message leans on what was said before it: on its subject, its numbers, its choices."""

from __future__ import annotations

import re

from prompts.read.characters import clean
from prompts.read.form import beside_wish
from prompts.read.numbers.cues import FACTS

_LEANING = re.compile(
    r"^\W*(and|but|so|then|now|ok(ay)?|why|how so|again|another|more|what (about|if)|how about|same|also"
    r"|what does that mean"
    r"|can you|could you|please|give|show|put|make|let'?s|try|got it|i see|hm+|sorry|oops|no|wait)\b"
    r"|^\W*(那|再|还|又|接着|然后|继续|换|改成|如果|要是|为什么|为何|好的|好|嗯|可是|但是|也|请|给|能|把|来|不|等|哦|没|还是)"
    r"|\b(those|these|that|it|same|previous|above|last one|instead|too|as well) ?(numbers|values|example|lists?)?\W*$"
    r"|(刚才|上面|之前|前面|同样|还是)|呢\W*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"^\W{0,4}(?:(?:and|but|so|then|ok|well|那么?|所以|但是?|可是|不过)\W{0,2}){0,2}"
    r"(?:(?:it|this|that|they|these)\b(?! (?:is|was) (?:true|right|correct) that)"
    r"(?! (?:returns?|advantages?|values?|deltas?|rewards?|numbers?|weights?|ratios?|scores?|lists?)\b)"
    r"|它们?|这(?:个|东西|样)?(?=只|就|也|不|会|能|是))",
    re.IGNORECASE,
)
_HANDING_OVER = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|now|so|then|well|please|好的?|那么?|嗯)\W*){0,3}"
    r"(?:with|use|using|on|for|take|try|say|here|like|let'?s|if|suppose|as an example|e\.?g|for example|my numbers"
    r"|就?用|拿|以|换成?|如果|假如|比如|例如|试试|我的|按|对)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(those|these|same|my|previous|above|earlier) (numbers|values|example|lists?|data|rewards|logps?|scores"
    r"|setup|setting|inputs?|ones)\b"
    r"|\bthe same\b|\bsame\b(?= (but|with|for|using|except|again|thing))|^\W*same\W*$"
    r"|(刚才|上面|之前|前面|刚刚|方才)(那|的|这|给)|刚才|同样(的|这|那)|还(是|用)(那|这|刚|上|同|原)|那组数|这组数|那些数|这些数|(这|那|同)一?组(数|奖励|例子)|原来那组|上述",
    re.IGNORECASE,
)
_FILLING = re.compile(
    r"\b(and|but|so|then|now|ok(ay)?|please|pls|can|could|would|you|i|me|my|it|this|that|the|a|an|in|as|of|for"
    r"|to|with|on|by|give|show"
    r"|put|make|let'?s|see|again|also|too|just|do|get|have|like|want|need|thanks?|thank|nice|good|great|cool"
    r"|well|hm+|still|got|one"
    r"|explain|tell|say|write|same|numbers?|what|about|how|here|there|i'?m|form|format|version|is|be|at|all|bit"
    r"|more|into|lay|out|help|some|real|same)\b"
    r"|[的了吧呢啊呀吗嘛么把给我你请再一个下来就也还能不能可以好嗯那这看得用上成个整理帮忙想要说讲遍些点次并都它是做]|麻烦|谢谢|明白|没听懂|不懂",
    re.IGNORECASE,
)
_ONCE_MORE = re.compile(
    r"^\W{0,4}(?:(?:but|so|wait|hm+)\W{1,3}){0,3}(?:are )?you sure(?: about (?:that|this|it))?\W{0,4}$"
    r"|^\W{0,4}(?:are you )?(?:certain|positive)\W{0,4}$|^\W{0,4}(?:really|no way)\W{0,4}$"
    r"|^\W{0,4}(?:that|this) (?:can'?t|cannot|doesn'?t|isn'?t|is not)(?: \w{1,16}){0,4}\W{0,4}$"
    r"|^\W{0,4}(?:does|do|is|are|will|would) (?:that|it|this|the same|they) (?:(?:also|still|always) )?"
    r"(?:hold|apply|applies|true|work|go|the same|so)\b[^.?!]{0,40}\W{0,4}$"
    r"|^\W{0,4}你?(?:真的|真|确定|肯定)的?(?:吗|么|假的|没错吗|不会错吗|对吗)?\W{0,4}$"
    r"|^\W{0,4}(?:这|那)?不太?(?:对|可能)(?:吧|啊|呀)?\W{0,4}$|^\W{0,4}你(?:确定|肯定)"
    r"|^\W{0,4}(?:结果|那|再|重新|麻烦|请){0,4}(?:再|重新)(?:算|计算)一?(?:遍|次|下)?\W{0,4}$"
    r"|^\W{0,4}(?:please )?(?:re-?compute|recalculate|redo|compute)(?: (?:it|that|this))?(?: again)?\W{0,4}$"
    r"|^[^。？?]{0,16}也(?:成立|一样|适用|如此|是这样|同样)[^。？?]{0,4}[吗么]?\W{0,4}$",
    re.IGNORECASE,
)
_REPORTED = (
    r"^\W{0,4}(?:(?:but|and|so|well|hm+|那|可是|但是|但|不过|可)\W{0,2}){0,2}"
    r"(?:[^,，。.]{0,32}?(?:说|认为|觉得|回答|告诉我|says?|said|claims?|claimed|told me|thinks?|insists?|answered"
    r"|wrote)\W{0,3}(?:that\b)?\W{0,2})?"
)
_SO = re.compile(
    rf"{_REPORTED}(?:(?:it|they|this|that|he|she) (?:does|do|is|are|will|can|has)|yes|(?:确实|就)?"
    rf"(?:是|会|对|有|能|可以|包含|包括|成立|一样|相等|等于|需要|影响|没错|正确)(?:的|了)?)(?:吧|啊|呀|吗|么|呢)?\W{{0,4}}$",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    rf"{_REPORTED}(?:(?:it|they|this|that|he|she) (?:(?:does|do|is|are|will|can|has)(?:n'?t| not)|can'?t|won'?t)"
    rf"|no|(?:the )?opposite|(?:正好|恰好|刚好)?相反|(?:并|其实|根本)?(?:不|没有?|并非)"
    rf"(?:是|会|对|能|可以|包含|包括|成立|一样|相等|等于|需要|影响|有|行)?(?:的|了)?)(?:吧|啊|呀|吗|么|呢)?\W{{0,4}}$",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"不|没|并非|无关|n't\b|\bnot\b|\bnever\b|\bno\b", re.IGNORECASE)
_MOVING_ON = re.compile(
    r"^\W{0,4}(?:(?:ok(?:ay)?|and|but|thanks?|please|can you|could you|let'?s|好的?|行|嗯|那)\W{0,3}){0,4}"
    r"(?:now|then|next|instead|also|with|add|use|apply|do|show|write|re-?write|express|turn|split|make|break"
    r"|give me|compute|calculate|back to|go back to|switch to|try|check|verify"
    r"|再|接着|然后|现在|接下来|换|改|写成|拆|表示|把|加|用|验证|算|看看)"
    r"|\binstead\W{0,4}$",
    re.IGNORECASE,
)
_EXPLAINING = re.compile(r"\bexplain|\bhow\b|\btell me\b|\bdefin|解释|讲|说说|介绍|原理", re.IGNORECASE)
_SUPPOSING = re.compile(
    r"呢[?？]?\W{0,4}$"
    r"|^\W{0,4}(?:(?:ok(?:ay)?|and|but|so|then|now|well)\W{1,3}){0,3}(?:with|without|using|for|at|on|under|in|if|when|given)\b"
    r"(?:(?!\b(?:is|are|does|do|will|would|should|must|can|has|have|equals?|gives?|becomes?)\b)[^.?!=]){1,60}[?？]\W{0,4}$"
    r"|^\W{0,4}(?:(?:ok(?:ay)?|and|but|so|then|now|well|那么?|再)\W{0,3}){0,3}"
    r"(?:(?:what )?if|with|for|at|under|when|如果|要是|换成?|取)?"
    r"\W{0,2}(?:gamma|lambda|lam|beta|eps(?:ilon)?|[γλβε])\s*(?:=|is|to|was|were|取|是|为)?\s*[\d.]{1,8}\W{0,4}$",
    re.IGNORECASE,
)
_IN_GENERAL = re.compile(
    r"\b(?:in general|generally|always|ever|never|every time|in all cases|regardless|whatever"
    r"|(?<!\bis )(?<!\bare )any|for all|normally|usually|typically|necessarily|guaranteed)\b"
    r"|一般(?:来说|而言|情况)?|总是|永远|任何|任意|所有情况|通常|恒|一定|必然|必定|无论|不管|不论|从来|每次",
    re.IGNORECASE,
)
_IN_THE_CASE = re.compile(
    r"^\W{0,4}(?:(?:ok(?:ay)?|and|but|so|then|now|well)\W{1,3}){0,3}(?:when|if|once|in case|what if)\b"
    r"[^,.?!=]{1,60}\?\W{0,4}$",
    re.IGNORECASE,
)
_VERBS = re.compile(
    r"\b(?:is|are|was|were|does|do|did|will|would|should|must|can|has|have|equals?|gives?|becomes?|gets?|makes?|stays?)\b",
    re.IGNORECASE,
)
MOST_VERBS = 2  # a case has one verb; a statement about it another
_OF_IT = re.compile(
    r"^\W{0,4}(?:(?:and|but|so|then|ok|well)\W{1,3}){0,2}(?:is|are|was|does|do|did|will|would|can|could|should|has)(?:n'?t)?"
    r" (?:it|that|this|they|these|those|(?:either|both|all|neither|each) of (?:them|these|those))\b"
    r"(?! (?:true|right|correct) that)"
    r"|^\W{0,4}(?:那|所以|但)?(?:它们?|这(?:个|样)?|那(?:个|样)?)(?=只|就|也|不|会|能|是|有|要|算|占|拿|得)",
    re.IGNORECASE,
)
_HERE = re.compile(r"\bhere\b|\bin (?:this|my) (?:case|example)\b|这里|此时|这组|这个例子|这些数", re.IGNORECASE)
_YES_OR_NO = re.compile(r"是不是|对不对|是否|难道|不是.{0,24}吗|[会能要]不[会能要]")
LONGEST_REQUEST = 90  # characters of one that wants the numbers before in another way
LONGEST_ECHO = 60  # characters of a message that says yes or no to what was claimed before
_CONTENT = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]")
_FORMULA = re.compile(r"[α-ωΣ]|(?<![A-Za-z])[A-Z](?![A-Za-z])")
_ELEMENT = re.compile(
    r"第 ?[一二三四五六\d] ?个|最后(一|那)个|首个|(这|那)么(大|小|高|低)|变(大|小|高|低|负)|为(负|正|零)|是(负|正)的"
    r"|\b(first|second|third|fourth|last|middle) (one|number|entry|element|token|advantage|value|return"
    r"|delta)\b|\bso (small|large|big|low|high)\b"
    r"|\b(negative|bigger|smaller|larger|higher|lower)\b",
    re.IGNORECASE,
)
_CHECKING = re.compile(
    r"\b(is|are|was|were|does|do|did) (this|that|it|these|those|they|he|she|i|my|the)\b"
    r".{0,60}\b(right|correct|ok|fine|true|add up|wrong|match|agree)\b"
    r"|\b(right|correct|true|ok)\W*$|\b(check|verify|audit|double.?check|spot|find)\b"
    r".{0,40}\b(this|these|my|the|number|error|mistake|table|result)"
    r"|\b(?:possible|consistent|plausible|reachable)\W*$|\bcan (?:that|this|it|these|those) be\b"
    r"|可能吗|可能么|有可能|怎么可能"
    r"|对吗|对么|对不对|对没|正确吗|是否正确|没错吧|有没有(算)?错|哪里错|哪儿错|错在|算得对|检查|核对|验算|验证一下",
    re.IGNORECASE,
)
_CONCEPT = re.compile(
    r"\bwhy\b|\bmean(s|ing)?\b(?! (and|of|std))|\bdefin|\bdifferen(ce|t)\b|\bpurpose\b|\bpoint of\b|\bwhat (is"
    r"|are|does|do)\b|\bhow (is|are|does|do|come)\b"
    r"|\b(is|are|does|(?<!now )(?<!then )(?<!instead )do|should|must|can) (it|the"
    r"|they|this|returns?|advantages?|values?)\b"
    r"|\bwhat\b.{1,24}\bfor\W*$"
    r"|为什么|为何|为啥|什么|干嘛|干吗|啥用|作用|用处|目的|原理|含义|意思|区别|定义|是不是|吗|怎么|如何|一样|包含|还是(?!那|这|刚)|关系",
    re.IGNORECASE,
)
_ORDINALS = (
    r"1|one|first|a|一|甲", r"2|two|second|b|二|两|乙", r"3|three|third|c|三|丙",
)  # fmt: skip
_CHOOSING = (
    r"yes|ok|okay|i mean|i meant|the|number|option|choice|no\.?|my|it'?s|q|question|choose|pick|take|go with"
    r"|选|第|是|我?(?:想问|要|问|说)的?是|那就|就|看"
)
_CHOICE = tuple(
    re.compile(
        rf"^\W{{0,4}}(?:(?:{_CHOOSING})\W{{0,2}}){{0,4}}(?:{words})(?:st|nd|rd|th)?\W{{0,3}}"
        rf"(?:(?:one|option|question|choice|please|个|条|项|吧|问题|那个|的|是)\W{{0,2}}){{0,4}}$",
        re.IGNORECASE,
    )
    for words in _ORDINALS
)
_LAST_CHOICE = re.compile(r"^\W{0,4}(?:the last(?: one| option)?|最后一?(?:个|条|项)吧?)\W{0,4}$", re.IGNORECASE)
LONGEST_CHOICE = 32
FEW_WORDS, FEW_CHARACTERS = 2, 4


def leans(message: str) -> bool:
    """Whether a message begins or ends as one that goes on."""
    return _LEANING.search(message) is not None


def speaks_of_it(message: str) -> bool:
    """Whether a message begins with what was spoken of: so it only affects the first one?"""
    return _PRONOUN.search(message) is not None


def asks_again(message: str) -> bool:
    """Whether a message doubts what was said, or asks whether it holds elsewhere too, and names no other subject."""
    return _ONCE_MORE.search(message) is not None


def echoes(message: str, claimed: str) -> bool | None:
    """Whether a message says again what was claimed before (True), or the opposite (False): he says it doesn't."""
    if len(message) > LONGEST_ECHO:
        return None
    negated = _NOT_SO.search(message) is not None
    if not negated and not _SO.search(message):
        return None
    return negated == (_NEGATED.search(claimed) is not None)


def speaks_in_general(message: str) -> bool:
    """Whether a message says something of all cases, whatever the numbers at hand are."""
    return _IN_GENERAL.search(message) is not None and _HERE.search(message) is None


def supposes(message: str) -> bool:
    """Whether a brief message only asks how it is in another case: 用总体标准差呢 · and when a tool is called?"""
    if len(message) > LONGEST_ECHO or _YES_OR_NO.search(message):
        return False
    case = _IN_THE_CASE.match(message)
    return _SUPPOSING.search(message) is not None or (case is not None and len(_VERBS.findall(message)) < MOST_VERBS)


def asks_of_it(message: str) -> bool:
    """Whether a brief message asks for yes or no of what was spoken of: does it get more?"""
    return len(message) <= LONGEST_ECHO and _OF_IT.match(message) is not None


def moves_on(message: str) -> bool:
    """Whether a message wants something else done with what there is: now the …, 写成 …, use … instead."""
    brief = len(message) <= LONGEST_REQUEST and only_names(message)
    return brief and _MOVING_ON.search(message) is not None and _EXPLAINING.search(message) is None


def explains(message: str) -> bool:
    """Whether a message wants something explained, not computed."""
    return not only_names(message) or _EXPLAINING.search(message) is not None


def wants_it_explained(message: str) -> bool:
    """Whether a message asks for an explanation and names nothing to be explained: explain."""
    return _EXPLAINING.search(message) is not None and _little(message) and only_names(message)


def hands_over(message: str) -> bool:
    """Whether a message begins as one that brings numbers for what was spoken of."""
    return _HANDING_OVER.search(message) is not None


def refers_back(message: str) -> bool:
    """Whether a message speaks of numbers that were given before."""
    return _BACK.search(message) is not None


def doubts(message: str) -> bool:
    """Whether results are to be checked."""
    return _CHECKING.search(message) is not None


def only_wishes(message: str) -> bool:
    """Whether nothing but the form or the language that is wished for is said."""
    return _little(beside_wish(message))


def says_little(words: str) -> bool:
    """Whether words that are left over name no subject."""
    return _little(words)


def speaks_of_an_element(message: str) -> bool:
    """Whether a message is about one of the computed numbers: why is the first one so small?"""
    return _ELEMENT.search(message) is not None


def only_names(message: str) -> bool:
    """Whether a message asks for a quantity without asking what it is."""
    return _CONCEPT.search(clean(message)) is None


def _little(words: str) -> bool:
    if _FORMULA.search(words):
        return False
    left = _CONTENT.findall(_FILLING.sub(" ", words))
    return sum(len(word) > 1 for word in left) <= FEW_WORDS and sum(len(word) == 1 for word in left) <= FEW_CHARACTERS


def names_a_fact(message: str) -> bool:
    """Whether a short message only names what is wanted: what about the returns?"""
    words = clean(message)
    return any(pattern.search(words) for pattern in FACTS.values()) and only_names(message)


def chosen(message: str, offered: int) -> int | None:
    """Which of the offered choices a message picks, counted from 0."""
    plain = clean(message).strip()
    if len(plain) > LONGEST_CHOICE:
        return None
    if offered and _LAST_CHOICE.match(plain):
        return offered - 1
    return next((i for i, pattern in enumerate(_CHOICE[:offered]) if pattern.match(plain)), None)
