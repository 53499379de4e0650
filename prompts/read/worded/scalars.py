"""Numbers of one token that are named one by one, and one that follows from the others: ratio, KL, reward, δ, loss."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import formulas
from engine.readings.exact import exactly
from prompts.read.worded.figure import NUMERAL, Figure, blank, figures, without
from prompts.read.worded.finding import Finding, Read, one
from prompts.read.worded.follows import BESIDE, FOLLOWS, LESSONS, TARGETS
from prompts.read.worded.scalar_names import ALIKE, LOG, NAME
from prompts.read.worded.settings import Given

_FROM_TO = re.compile(
    r"(?P<log>log[ -]?)?(?:\bprob(?:ability)?|概率)[^\d,，。;；]{0,24}?(?:\bfrom|从|由)[^\d,，。]{0,6}?"
    r"(?P<a>-?\d*\.?\d+%?)[^\d,，。;]{0,14}?(?:\bto|到|成|为)[^\d,，。]{0,4}?(?P<b>-?\d*\.?\d+%?)",
    re.IGNORECASE,
)
_SAME_BOTH = re.compile(
    rf"(?:更新前后|新旧|\bboth|\bsame|\bunchanged)[^\d]{{0,30}}?{LOG}?[^\d,，。]{{0,16}}?(?P<x>-?\d*\.?\d+)",
    re.IGNORECASE,
)
_PAIR = re.compile(
    rf"{LOG}(?: of| are|是|为|=)? ?(?P<a>-?\d*\.?\d+)[^\d,，。;-]{{0,10}}?(?: and|,|和|与|、) ?"
    rf"(?P<b>-?\d*\.?\d+) ?\(?(?:(?P<ref>ref(?:erence)?|参考)|(?P<new>new|新)|(?P<old>old|旧))\w*\)?",
    re.IGNORECASE,
)
_BY = re.compile(
    rf"{LOG}[^\d,，。;]{{0,12}}?(?:\b(?:rises?|rose|increases?d?|goes up|went up|grows?|grew|up)|升高?|增加?|涨"
    r"|(?P<down>\b(?:falls?|fell|drops?|dropped|decreases?d?|goes down|went down|down)|降低?|下降|减少?|跌))"
    r"(?: ?by|了)? ?(?P<x>\d*\.?\d+)",
    re.IGNORECASE,
)
_NEW_OVER_OLD = re.compile(
    rf"新(?:策略)?的? ?{LOG} ?比 ?旧(?:策略)?的? ?{LOG} ?(?:要|还)?(?:[高大多]|(?P<down>[低小少]))(?:出"
    rf"|了)? ?(?P<x>\d*\.\d+)"
    rf"|\bnew {LOG} is (?P<y>\d*\.\d+) (?:above|higher than|larger than|greater than|(?P<less>below|lower than"
    rf"|smaller than))"
    rf" (?:the )?old (?:{LOG}|one)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?: ?(?:there|of|is|=|:|was|are|be|at|a|about|≈|→|equals?|comes|out|to|then|so|the|gives?|should|now"
    r"|with|estimate|just|only|exactly"
    r"|takes?|uses?|term|为|是|取|等于|的|约为|约|大约|应该|就|也|算出来|估计|用|得到|得|它|会|会被|被|里|值|\(|\)|this"
    r"|that|token|for"
    r"|on|its|in|here|there|becomes?|turns?|into|will|would|有|变成|变为|成了?|变|概率|probability|prob|token|means?"
    r"|说明)){0,7} ?",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:last|final|terminal)\b|最后|末尾", re.IGNORECASE)
_NOT_LAST = re.compile(
    r"\b(?:middle|inner|intermediate|not (?:the )?last|non-?terminal)\b|中间|不是最后", re.IGNORECASE
)
_SIGN_OF_A = re.compile(
    r"(?:(?<![A-Za-z])A|\badvantage|优势) ?(?:is |为|是)?(?P<s>> ?0(?!\.)|< ?0(?!\.)|positive|negative|正"
    r"|负)|(?P<p>正|负|positive |negative )(?:优势|advantage)",
    re.IGNORECASE,
)
_IS_CLIPPED = re.compile(
    r"\b(?:is|are|gets?|being|will be) (?:clipped|cut off)\b|被(?:裁剪?|截断)(?:掉|了)?(?!到|成|为)|\bclipped"
    r"(?=\W*$)|\bgradient (?:of (?:that|this|the) token )?(?:vanish\w*|is (?:zero|gone|cut))"
    r"|\bclip(?:ping)? kicks in\b|\bno gradient\b|zero gradient|没有?梯度|梯度(?:是|为|等于)?(?:零|0(?!\.))",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"[变][大小高低多少]|幅度|\b(?:raises?|lowers?|larger|smaller|bigger|increases?|decreases?|reduces?) (?:the|this"
    r"|its|that|by)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"不(?!同|变)|没|(?:^|[,，;；:。])\s*(?:\b(?:if|when)\b|如果|若|要是|当|只要)[^,，;；:。]*(?:than|above|below"
    r"|exceeds|[<>]|大于|小于)",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"\bnegative\b|[是为]负|负的|小于 ?(?:0(?!\.)|零)|< ?0(?!\.\d)", re.IGNORECASE)
_POSITIVE = re.compile(r"\bpositive\b|[是为]正|正的|大于 ?(?:0(?!\.)|零)|> ?0(?!\.\d)", re.IGNORECASE)


class Mention(NamedTuple):
    name: str
    figure: Figure | None
    start: int
    end: int


def scalars(own: Given, standing: Mapping[str, Any]) -> Read | None:
    """The last number that follows from the others."""
    del standing
    if own.lists or own.unnamed or own.everywhere is not None:
        return None
    known = {name: float(x) for name, x in own.numbers.items()}
    body = own.body
    if own.at_the_end is not None:
        known["scores"] = float(own.at_the_end)
    known, body = pairs_of(known, body)
    sign = _SIGN_OF_A.search(body)
    if sign and not re.match(r"[^\d]{0,3}\d*\.\d", body[sign.end() :]):
        body = blank(body, *sign.span())
    else:
        sign = None
    mentions, body = mentions_of(body)
    stated = figures(body)
    if re.search(r"\d", without(body, [(x.start, x.end) for x in stated])):
        return None
    compares = any(x.relation for x in (*stated, *(m.figure for m in mentions if m.figure is not None)))
    if compares and _SUPPOSED.search(own.body):
        return None
    found = _coefficient(known, mentions, stated, sign) or _clipped(own.body, known, mentions, stated, sign)
    if found:
        return Read(found, "ppo_clip")
    if sign is not None and any(x.name == "objective" for x in mentions):
        return None
    return _followed(own.body, known, mentions, stated)


def pairs_of(known: dict[str, float], body: str) -> tuple[dict[str, float], str]:
    """The probability goes from .2 to .3; both log-probabilities are −.7."""
    moved = _FROM_TO.search(body)
    if moved:
        kind = "logp" if moved["log"] else "prob"
        return {**known, f"old_{kind}": _value(moved["a"]), f"new_{kind}": _value(moved["b"])}, blank(
            body, *moved.span()
        )
    pair = _PAIR.search(body)
    if pair:
        first, second = (
            ("logp", "ref_logp")
            if pair["ref"]
            else ("old_logp", "new_logp")
            if pair["new"]
            else ("new_logp", "old_logp")
        )
        return {**known, first: float(pair["a"]), second: float(pair["b"])}, blank(body, *pair.span())
    apart = _NEW_OVER_OLD.search(body)
    if apart:
        x = float(apart["x"] or apart["y"])
        return {**known, "log_ratio": -x if apart["down"] or apart["less"] else x}, blank(body, *apart.span())
    by = _BY.search(body)
    if by:
        return {**known, "log_ratio": float(by["x"]) * (-1 if by["down"] else 1)}, blank(body, *by.span())
    same = _SAME_BOTH.search(body)
    if same and re.search(LOG, same.group(), re.IGNORECASE):
        return {**known, "old_logp": float(same["x"]), "new_logp": float(same["x"])}, blank(body, *same.span())
    return known, body


def _value(written: str) -> float:
    return float(written.rstrip("%")) / (100 if written.endswith("%") else 1)


def mentions_of(body: str, names: re.Pattern[str] = NAME) -> tuple[list[Mention], str]:
    """Every name, with the number that stands behind it; the words without names and their numbers."""
    found: list[Mention] = []
    numbers = {}
    for match in names.finditer(body):
        name = ALIKE.get(match.lastgroup or "", match.lastgroup or "")
        link = _BETWEEN.match(body, match.end())
        figure = None
        number = NUMERAL.match(body, link.end()) if link else None
        number = number or NUMERAL.match(body, match.end())
        if number is None and link:
            number = NUMERAL.match(body, max(match.end(), link.end() - 1))
        if number is not None:
            figure = next((x for x in figures(body) if x.start >= number.start() and x.end <= number.end()), None)
        found.append(Mention(name, figure, *match.span()))
        if figure is not None:
            numbers[figure.start] = figure
    if not any(x.name == "ratio" for x in found):  # 目标 is what the critic is to say, too
        found = [x._replace(name="returns") if x.name == "objective" and body[x.start] == "目" else x for x in found]
    spans = [(x.start, x.end) for x in found] + [(x.start, x.end) for x in numbers.values()]
    return found, without(body, spans)


def _followed(
    text: str, known: Mapping[str, float], mentions: Sequence[Mention], loose: Sequence[Figure]
) -> Read | None:
    given = inputs_of(text, known, mentions)
    values = [x for x in mentions if x.figure is not None]
    candidates = [x for x in reversed(mentions) if x.name in TARGETS]
    for target in candidates:
        stated = [target.figure] if target.figure is not None else list(loose)
        weighed = target.name == "kl" and "beta" in given  # KL, or β·KL?
        if loose and (target.figure is not None or weighed or _EFFECT.search(text)):
            continue
        if any(x.both or x.times for x in stated):
            continue
        others = {x.name for x in values if x is not target}
        if len([x for x in values if x is not target]) > len(others):
            return None
        for name, arguments, formula, written in FOLLOWS:
            has = {
                **given,
                **{x.name: float(x.figure.value) for x in values if x is not target and x.figure is not None},
            }
            if (
                name != target.name
                or not set(arguments) <= set(has)
                or not others <= {*arguments, *BESIDE.get(name, ())}
            ):
                continue
            correct = _exact(formula, [has[argument] for argument in arguments])
            if stated:
                return Read(one(written, correct, stated), LESSONS[name]) if len(stated) == 1 else None
            signed = _sign(written, correct, text)
            return Read(signed, LESSONS[name]) if signed else None
    return None


def _exact(formula: Callable[..., Any], numbers: Sequence[float]) -> Any:
    return exactly(lambda number: formula(*map(number, numbers)), len(numbers))


def _sign(written: str, correct: Any, text: str) -> list[Finding] | None:
    negative, positive = _NEGATIVE.search(text), _POSITIVE.search(text)
    if bool(negative) == bool(positive):
        return None
    return [Finding(written, "< 0" if negative else "> 0", correct, correct < 0 if negative else correct > 0)]


def inputs_of(text: str, known: Mapping[str, float], mentions: Sequence[Mention]) -> dict[str, float]:
    """What is known, and what goes without saying: γ = 1, no V after the last token, no score before it."""
    given = {"gamma": 1.0, **known}
    named = {x.name for x in mentions if x.figure is not None}
    if _LAST.search(text) and "next_values" not in named and not _NOT_LAST.search(text):
        given["next_values"] = 0.0
        given["next_advantages"] = 0.0
    if "scores" not in named and "scores" not in given and _NOT_LAST.search(text):
        given["scores"] = 0.0
    if "eps" in given and "cliprange_value" not in given and named & {"vpreds", "old_values"}:
        given["cliprange_value"] = given["eps"]
    return given


def _numbers(mentions: Sequence[Mention]) -> dict[str, float]:
    return {x.name: float(x.figure.value) for x in mentions if x.figure is not None and not x.figure.times}


def _positive(sign: re.Match[str] | None) -> bool:
    return sign is not None and bool(re.match(r">|pos|正", (sign["s"] or sign["p"]), re.IGNORECASE))


def _coefficient(
    known: Mapping[str, float], mentions: Sequence[Mention], loose: Sequence[Figure], sign: re.Match[str] | None
) -> list[Finding] | None:
    """A > 0, ratio 1.5, ε .2: the objective is 1.2·A."""
    has = {**known, **_numbers(mentions)}
    times = [x.figure for x in mentions if x.figure is not None and x.figure.times] + [x for x in loose if x.times]
    if sign is None and "advantages" in has:
        positive = has["advantages"] > 0
    elif sign is not None:
        positive = _positive(sign)
    else:
        return None
    if len(times) != 1 or len(loose) > 1 or not {"ratio", "eps"} <= set(has):
        return None
    unit = 1 if positive else -1
    correct = unit * _exact(formulas.ppo_objective, [has["ratio"], unit, has["eps"], has["eps"]])
    return one(rf"\min(\rho A,\ \mathrm{{clip}}(\rho)\,A) / A\ (A {'>' if positive else '<'} 0)", correct, times)


def _clipped(
    text: str,
    known: Mapping[str, float],
    mentions: Sequence[Mention],
    loose: Sequence[Figure],
    sign: re.Match[str] | None,
) -> list[Finding] | None:
    """This token is clipped, it has no gradient."""
    has = {**known, **_numbers(mentions)}
    low, high = (has.get(side, has.get("eps")) for side in ("eps_low", "eps_high"))
    if not _IS_CLIPPED.search(text) or loose or "ratio" not in has or low is None or high is None:
        return None
    signs = [_positive(sign)] if sign else [has["advantages"] > 0] if has.get("advantages") else [True, False]
    ratio = has["ratio"]
    units = [1.0 if positive else -1.0 for positive in signs]
    decided = {_exact(formulas.is_clipped, [ratio, unit, low, high]) for unit in units}
    if len(decided) != 1:
        return None
    clipped = bool(decided.pop())
    used = int(units[0]) * _exact(formulas.ppo_objective, [ratio, units[0], low, high])
    return [Finding(r"\min(\rho A,\ \mathrm{clip}(\rho)\,A) / A", r"1 \pm \varepsilon", used, clipped)]
