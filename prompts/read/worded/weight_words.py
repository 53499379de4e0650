"""The words of weights: of n-step advantages, of δ, of rewards, and the horizon."""

from __future__ import annotations

import re

from prompts.read.worded.figure import U

WEIGHT = re.compile(
    r"\bweigh(?:t|ts|s|ted)?\b|\bcoefficients?\b|\bfactors?\b|权重|比重|系数|占|加权|\bcounts?\b|\bworth\b|剩|算|打折"
    r"|折成|折到|值"
    r"|\bdiscounted\b|\bshrinks?\b|\bleft of\b|\bkeeps?\b|\bretains?\b|\bmultiplied\b|乘",
    re.IGNORECASE,
)
LEFT = re.compile(
    r"(?:还|只|仅)?(?:剩|余)下?(?:有|了)? ?(?P<a>\d{1,3})(?!\.\d|\d) ?(?:个|步)?(?: ?(?:token|词元))?"
    r"|(?P<b>\d{1,3}) (?:more |response )?(?:tokens?|steps?) (?:are |is |still )?(?:left|remaining"
    r"|remain|to go|long|ahead)"
    r"|(?P<c>\d{1,3}) remaining (?:steps?|tokens?)|(?<![A-Za-z])T ?= ?(?P<d>\d{1,3})"
    r"|(?:长度|length)(?: of| is|为|是| =)? ?(?P<e>\d{1,3})|共 ?(?P<f>\d{1,3}) ?(?:个|步)(?: ?(?:token|词元))?"
    r"|(?P<g>\d{1,3})[- ]?(?:个|response)? ?(?:tokens?|词元)(?! ?(?:之?后|以后|later|ahead|之?前|earlier|away"
    r"|before|after))(?: (?:response|answer|reply))?",
    re.IGNORECASE,
)
N = r"(?<![\d.])\d{1,2}(?![\d%]|\.\d)"
N_STEP = re.compile(
    rf"(?P<ns>{N}(?:(?: ?步| ?-?step|-)?(?: ?(?:,|、|和|与|and|/|及) ?)+{N}){{0,7}})(?: ?步|-steps?"
    rf"|[- ]step)(?!s? (?:later|ahead|left|remain))(?!(?:之|以)?后)"
    r"(?: ?的?(?:advantages?|estimates?|returns?|优势|回报|估计|那项|项))?",
    re.IGNORECASE,
)
THE_LONGEST = re.compile(r"\blongest(?: n-step)?(?: advantage| one)?\b|最长(?:的|那个|那项)?", re.IGNORECASE)
DELTA = re.compile(r"δ(?:_?\{?t ?(?:\+ ?(?P<k>\d))?\}?)?|\bdeltas?\b|\bTD[ -]errors?\b|TD ?误差", re.IGNORECASE)
LATER = re.compile(
    r"(?:\bstep|\btoken|\btime|\bposition|第|在) ?t ?\+ ?(?P<p>\d{1,3})(?: ?步)?(?=[^\d+]|$)|(?:往后|相?隔了?) ?(?:数"
    r"|隔"
    r"|看)? ?(?P<m>\d{1,4}) ?(?:个|步)(?: ?(?:tokens?|词元))?|(?:往后|后面|之后) ?(?:的)?第 ?"
    r"(?P<n>\d{1,4}) ?(?:个|步)|(?P<a>\d{1,4}) ?(?:个|步)?(?: ?(?:tokens?|steps?|positions?|places?|词元))? ?(?:later"
    r"|ahead"
    r"|away|earlier|before|after|(?:之|以)(?:后|前|外)|开外|后|远)(?:的)?",
    re.IGNORECASE,
)
NEXT = re.compile(r"\bnext\b|下一?个?|后一个", re.IGNORECASE)
REWARD = re.compile(
    rf"\brewards?\b(?: of (?P<en>{U})(?![\d.]))?|奖励(?: ?(?:是|为)? ?(?P<zh>{U})(?![\d.]))?|得 ?1 ?分|(?<![\d.])1 ?分"
    r"|\br_\{?(?:T ?- ?1|t ?\+ ?(?P<k>\d+))\}?",
    re.IGNORECASE,
)
ALONE = re.compile(r"\b(?:single|sole|one) rewards?\b|\bonly reward\b|\bnothing else\b|唯一|只有", re.IGNORECASE)
HALF = re.compile(
    r"(?P<worth>\b(?:worth|counts(?: for)?|only|about) )half\b(?: of (?:what it is(?: now)?|its value|it))?"
    r"|(?P<zh>[值剩])一半",
    re.IGNORECASE,
)
STEPS_ZH = re.compile(
    r"(?<![第\d])[一二两三四五六七八九](?: ?[、,和与] ?[一二两三四五六七八九\d]){0,7}(?= ?步(?!之?后|以后|之?前|以前|,"
    r"|，))"
)
AT_END = re.compile(r"\b(?:last|final|terminal|end)\b|最后|末尾|结尾|最终", re.IGNORECASE)
ADVANTAGE = re.compile(
    r"(?<![A-Za-z])(?-i:A)(?:_?\{?(?P<i>\d{1,3}|t)\}?)?(?![A-Za-z\d])|\badvantages?\b|优势", re.IGNORECASE
)
RETURN = re.compile(
    r"(?<![A-Za-z])(?-i:G)(?:_?\{?(?P<i>\d{1,3}|t)\}?)?(?![A-Za-z\d])|\breturns?\b|回报|现在|当前|眼下|\bnow\b"
    r"|\btoday\b",
    re.IGNORECASE,
)
HORIZON = re.compile(r"\bhorizon\b|视野|时间尺度|视界|1 ?/ ?\( ?1 ?- ?(?:γ ?λ|λ|γ)\)", re.IGNORECASE)
FORM = re.compile(r"1 ?/ ?\( ?1 ?- ?(?P<of>γ ?[·*]? ?λ|λ|γ) ?\)")
MOST = re.compile(r"\bmost of\b|大部分|大多数|一多半|过半|超过一半|more than half", re.IGNORECASE)
LONG = re.compile(
    rf"(?<![A-Za-z])(?-i:A)\^\{{?\(? ?(?P<n>\d) ?\)?\}}?(?:_\{{?[t0]\}}?)? ?(?:=|is|is then|为"
    rf"|是) ?(?P<x>-?{U})(?![\d%]|\.\d)"
    rf"|(?<![\d.])(?P<m>\d)(?:-step| ?步)(?: advantage| estimate|的?优势|的?估计)?(?: one)? ?(?:=|is|of|为"
    rf"|是)? ?(?P<y>-?{U})(?![\d%]|\.\d)",
    re.IGNORECASE,
)
MIXED = re.compile(
    r"\bGAE\b(?: (?:advantage|estimate))?|优势|\bmix(?:ture|ed)?\b|混合|加权平均|\badvantage\b", re.IGNORECASE
)
SO_MANY_WEIGHTS = (  # three n-step weights
    r"(?: ?个)? ?(?:(?:n ?[- ]?)?(?:step|步)s?)? ?(?:advantages?|estimates?|优势|估计)?(?:'s?)? ?的? ?(?:权重"
    r"|weights|系数)"
)
OVER = re.compile(
    r"\b(?:over|after|across|in) \d{1,4} (?:time ?)?(?:steps?|tokens?)\b|(?:经过|过了?|走了?|传了?"
    r"|连乘) ?\d{1,4}"
    r" ?(?:个)?(?:步|次|token|词元)(?:之?后|以后)?",
    re.IGNORECASE,
)
