"""What a statement says of γ and λ: set to a number, not discounted, strictly inside."""

from __future__ import annotations

import re
from fractions import Fraction

from engine.drawn import Where

RATES = {"γ": "gamma", "λ": "lam"}
_AMOUNTS = {"one": "1", "zero": "0", "half": "1/2", "一": "1", "零": "0", "一半": "1/2", "½": "1/2", "one half": "1/2"}
_AMOUNT = r"(?P<amount>\d+(?:\.\d+)?|one half|one|zero|half|一半|一|零|½)(?![\w.]*\d)"
_LEAD = (
    r"(?:when|whenever|if|at|for|with|under|where|once|given|setting|set|as long as|provided"
    r"|当|若|如果|假如|只要|取|令|设|在)?\s*"
)
_IS = r"(?:[\s=都均取是为]|both|equals|equal|is|are|to|being|等于|设为|设成|取成|调到|of|at)*"
_TRAIL = r"\s*(?:(?:时候?|的话|的时候|的情况下|的情形下|之下|下(?!一)))?"
_SETTING = re.compile(
    rf"{_LEAD}(?P<one>[γλ])(?:\s*(?:=|and|和|与|,|、|&)\s*(?P<other>[γλ]))?{_IS}{_AMOUNT}{_TRAIL}", re.IGNORECASE
)
_UNDISCOUNTED = re.compile(
    r"(?:when |if |with )?(?:rewards? (?:is|are) )?"
    r"(?:undiscounted|no discount(?:ing)?|without (?:a )?discount(?:ing)?)\b(?! or not| sum)"
    r"|(?:如果|当)?(?:奖励)?(?:不打折|不折扣|没有折扣|无折扣)(?:时|的时候|的话|的情况下|(?=\s*[,，]))",
    re.IGNORECASE,
)
_PLAIN = re.compile(  # said of the sum and not of γ
    r"(?:\b(?:undiscounted|unweighted)|(?:不打折|不加权|不折扣|直接|简单)[的地]?)"
    r"(?=,? ?(?:sum|total|Σ|\\sum|δ|deltas|td|求?和|相?加))",
    re.IGNORECASE,
)
_INNER = re.compile(  # γ and λ strictly inside
    rf"{_LEAD}(?:0\s*[<]\s*[γλ]\s*<\s*1|[γλ]\s*(?:is )?(?:strictly )?(?:between 0 and 1|in \(0, ?1\))"
    rf"|[γλ]\s*(?:is )?(?:<|below|less than|小于)\s*(?:1|one)|[γλ]\s*(?:is )?(?:>|above|大于)\s*(?:0|zero))"
    rf"(?:\s*(?:and|且|,)\s*)?{_TRAIL}",
    re.IGNORECASE,
)


_NO_REWARD = re.compile(
    r"(?:\b(?:with|and|when|if|at|for)|,|^)\s*(?:there is |there are )?(?:no|zero) (?:token )?rewards?"
    r"(?: at (?:token )?t\b)?"
    r"(?=\s*[,δAVG]|\s*$|\s+the\b)"
    r"|(?:(?:没有|无|不给)(?:中间)?奖励|r_t\s*=\s*0)\s*(?:时|的时候|的话|的情况下|,)",
    re.IGNORECASE,
)


def settled(text: str) -> tuple[str, Where | None]:
    """The text without what it says of γ and λ, and that; None where it says two things of one."""
    rates: dict[str, Fraction] = {}
    names: list[str] = []

    def setting(found: re.Match[str]) -> str:
        amount = found["amount"].lower()
        for letter in filter(None, (found["one"], found["other"])):
            names.append(RATES[letter.lower()])
            rates[RATES[letter.lower()]] = Fraction(_AMOUNTS.get(amount, amount))
        return " , "

    below_one = any("γ" in found.group() for found in _INNER.finditer(text))
    text, inner = _INNER.subn(" , ", text)
    text, undiscounted = _UNDISCOUNTED.subn(" , ", _SETTING.sub(setting, _PLAIN.sub(" ", text)))
    text, unpaid = _NO_REWARD.subn(" , ", text)
    zero = frozenset({"rewards"} if unpaid else ())
    if undiscounted and "gamma" not in rates and not below_one:
        names.append("gamma")
        rates["gamma"] = Fraction(1)
    return text, None if len(names) > len(rates) else Where(tuple(sorted(rates.items())), zero, inner=inner > 0)
