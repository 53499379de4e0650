"""The words of what is told of one response clause by clause."""

from __future__ import annotations

import re

from prompts.read.worded.figure import U

NAME = (
    r"(?:\brewards?|\bvalues?|\bdeltas?|\badvantages?|\breturns?|(?<![A-Za-z])(?-i:[rVGAR])(?:_t)?(?![A-Za-z])"
    r"|δ(?:_t)?"
    r"|TD ?(?:errors?|误差)|奖励|价值|优势|回报|critic)"
)
TO = (
    r"(?: ?(?:分别|依次|就|的|值|都|:|=|is|are|of|being|to be|as|give|gives|come out as|(?:two|three|\d) numbers|是"
    r"|为|取|得"
    r"|给出|predicts?|says?|outputs?|turn out (?:as|to be)|then|now|序列|列表|一共|(?:at|for) [^,;:]{0,12}))* ?"
)
BARE = re.compile(  # advantages 0.7, 0.5 and 0.1
    rf"(?P<head>{NAME}{TO})(?P<row>-?{U}(?:(?: ?、 ?|, ?(?:and )?| and | 和 | ?和 ?){{1}}-?{U}){{1,15}})"
    r"(?![\d%\]A-Za-z_^]|\.\d| ?[=*×/^-])",
    re.IGNORECASE,
)
ROUND = re.compile(rf"\( ?(?P<row>-?{U}(?: ?[,;、] ?-?{U}){{1,15}}) ?,?\)")
LIST = re.compile(rf"\[ ?(?P<row>[-+]?{U}(?: ?[,;、 ] ?[-+]?{U})*) ?\]")
HELD = "\ue000"
TOKEN = re.compile(rf"{HELD}(?P<k>\d)")
CUT = re.compile(
    r"[,;:。!?\n]|\.(?=\s|$)|→|=>|->|\b(?:and|but|while|whereas|so|hence|thus|therefore|then|although|though|with"
    r"|since|because"
    r"|when|where|for|at|instead)\b(?!,)|而(?!不)|则|所以|但|且|因此|于是|那么|时(?=[^间序])"
)
APPOSED = re.compile(
    rf"(?<=[\w一-鿿]) ?, ?(?P<x>-?{U}) ?(?:,(?= ?(?:is|比|大|小|larger|smaller|>|<))|(?=[.。]?\s*$))", re.IGNORECASE
)
CONTRAST = re.compile(
    r"^\W*(?:and |but )?(?:not\b|rather than|不是|而不是|而非|并不是|并非)(?! (?:all|every|only))", re.IGNORECASE
)
SPOKEN = re.compile(
    r"^\W*(?:take|given|suppose|say|let|consider|if|设|取|已知|给定|若|如果|假设|一段|一条|这条|两步|三步|two steps"
    r"|three steps)?"
    r"(?: ?(?:回答|回复|response))?\W*$",
    re.IGNORECASE,
)
PRODUCT = re.compile(
    rf"(?:γ ?[·*×]? ?λ|\bgamma ?[·*×]? ?(?:lambda|lam)\b) ?(?:=|is|of|为|是|取|等于) ?(?P<x>{U})(?![\d%]"
    rf"|\.\d)",
    re.IGNORECASE,
)
COUNTED = re.compile(
    r"(?<![\d.])(?P<a>\d{1,2}) of (?:the |its |these )?(?:(?P<n>\d{1,2}) )?(?!\d)|(?P<nz>\d{1,2}) ?个[^\d,]{0,10}(?:里"
    r"|中)(?:面|间)?"
    r"[^\d,]{0,8}?(?P<az>\d{1,2}) ?个",
    re.IGNORECASE,
)
EACH_ONE = re.compile(r"\b(?:exactly |only |just )?one of\b", re.IGNORECASE)
UNKNOWN = re.compile(
    r"\b(?:whiten|normali[sz]|standardi[sz]|weights?|weighted|[kn]-step|\d-step|std|variance|deviation|mask|padding"
    r"|pad|GRPO"
    r"|RLOO|ratio|clip|KL|logp|if we|would|unless|without|twice|half|loss|target|batch|group)\w*"
    r"|白化|标准化|归一化|权重|系数|步优势|掩码|填充|方差|标准差|比值|裁剪|得分|如果把|改成|换成|倍|组|损失|截断",
    re.IGNORECASE,
)
LONGER = re.compile(
    r"(?<![\d.])(?P<n>\d{1,2})[ -]?(?:个|步|response)? ?(?:tokens?|steps?|词元|步|个(?=[^0-9]{0,3}token))",
    re.IGNORECASE,
)
SO_MANY = re.compile(
    r"(?<![\d.])(?P<n>\d{1,2}) ?(?:个|步|条)?(?: ?(?:tokens?|词元)的?)?(?= ?(?:tokens?|steps?|词元|步|δ|A\b|优势"
    r"|deltas?"
    r"|advantages?|TD|returns?"
    r"|回报|(?:个|条)(?!\d)))",
    re.IGNORECASE,
)
OF_OTHERS = re.compile(r"monte[- ]?carlo|蒙特卡|\bMC\b|quarter|third of|一半|\bhalf\b|\bQ\b|其他|另一", re.IGNORECASE)
LARGER = re.compile(r"更(?:大|高)|\b(?:larger|bigger|greater|higher)(?! than)\b", re.IGNORECASE)
SMALLER = re.compile(r"更(?:小|低)|\b(?:smaller|lower|less)(?! than)\b", re.IGNORECASE)
MERELY = re.compile(r"(?<=\d) (?:only|alone)\b|(?<=\d) ?而已", re.IGNORECASE)
SAME_AGAIN = re.compile(r" ?(?:估计值?|estimates?)? ?(?:=|即|也就是|,)? ?", re.IGNORECASE)
DISCOUNTED = re.compile(r"\bdiscounted\b|\bweighted\b|折扣|打折|加权", re.IGNORECASE)
