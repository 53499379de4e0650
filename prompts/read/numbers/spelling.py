"""Numbers in unusual dress, written as plain ones: one third, 零点三, 0,95, \\frac{1}{2}, matrices."""

from __future__ import annotations

import re

from prompts.read.numbers.steps import in_order

_X = r"[+-]?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})"
_DIGIT = dict(zip("零〇一二两三四五六七八九十", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_ENGLISH = {
    "a": 1, "an": 1, "nought": 0, "zero": 0, "nothing": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip

# ---------------------------------------------------------------- LaTeX

_FRACTION = re.compile(r"\\[dtc]?frac ?\{ ?([+-]?\d{1,6}) ?\} ?\{ ?(\d{1,6}) ?\}|\\[dtc]?frac ?(\d) ?(\d)(?!\d)")
_MATRIX = re.compile(
    r"\\begin ?\{(?P<kind>[pbvB]?matrix|array|smallmatrix)\}(?: ?\{[lcr| ]{1,16}\})?"
    r"(?P<inside>[^\[\]{}]{0,4000}?)\\end ?\{(?P=kind)\}"
    r"(?: ?\^ ?\{? ?(?:\\top|T|\\intercal|\\mathsf ?\{T\}) ?\}?)?"
)
_TURNED = re.compile(r"(?<=[)\]]) ?\^ ?\{? ?(?:\\top|\\intercal|T) ?\}?")
_SPACING = re.compile(r"\\(?:[,;:!]|quad|qquad|left|right|big[lr]?|Big[lr]?)(?![A-Za-z])")


def _matrix(found: re.Match[str]) -> str:
    cells = [cell.strip() for cell in re.split(r"&|\\\\|\n", found["inside"])]
    return f"[{', '.join(cell for cell in cells if cell)}]"


# ---------------------------------------------------------------- in words

_POINT_ZH = re.compile(
    r"(负)?([零〇一二两三四五六七八九])点([零〇一二三四五六七八九]{1,6})(?![一二两三四五六七八九]?[个步种])"
)
_PART_ZH = re.compile(r"([二两三四五六七八九十])分之([一二两三四五六七八九])")
_POWER_OF_TEN = re.compile(r"(?<![\w.])10 ?(?:\^|\*\*) ?\{?([+-]?\d{1,4})\}?(?![\w.])")
_PERCENT_ZH = re.compile(rf"百分之 ?({_X})")
_PART_EN = re.compile(
    r"(?<!by )(?<!in )(?<!to )(?<!into )\b(a|an|one|two|three|four|five) "
    r"(half|halves|third|quarter|fifth|sixth|eighth|tenth)s?\b"
    r"(?= ?(?:[,;.)\]]|$|and\b|or\b|\n|γ|λ|gamma|lambda))",
    re.IGNORECASE,
)
_POINT_EN = re.compile(
    r"\b(?:(zero|nought|one) )?point ((?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b ?-?){1,6})",
    re.IGNORECASE,
)
_WORD = r"(?:minus )?(?:zero|nothing|nought|one|two|three|four|five|six|seven|eight|nine|ten)(?![\w-])"
_IN_A_ROW = rf"(?:{_WORD}|{_X}(?![\w.%-]))"
_ROW_EN = re.compile(
    rf"(?<![\w.-])(?=(?:{_X}[ ,]{{1,3}}(?:and |then )?){{0,16}}{_WORD}){_IN_A_ROW}"
    rf"(?:(?: ?, ?(?:and |then )?| and | then ){_IN_A_ROW}){{1,64}}",
    re.IGNORECASE,
)
_DIGIT_ZH = rf"(?:负?[零〇一二两三四五六七八九十](?![零〇一二两三四五六七八九十点])|{_X}(?![\w.%-]))"
_ROW_ZH = re.compile(
    rf"(?<![第其零〇一二两三四五六七八九十\d.])(?=[-\d. 、,，]{{0,64}}[负零〇一二两三四五六七八九十]){_DIGIT_ZH}"
    rf"(?:(?: ?[、,，] ?和?| |和){_DIGIT_ZH}){{1,64}}(?![个步次条种样组些层轮位名倍者])"
)
_PARAMETER = re.compile(
    r"(?P<name>\b(?:gamma|lambda|lam|beta)\b|[γλβ])(?P<link> ?(?:=|is|at|equals?|取|为|是|等于)? ?)"
    r"(?P<word>zero|one|零|一)"
    r"(?![\w一-鿿]|\.\d|-| (?:of|more|half|third|quarter|point|step|by)\b)",
    re.IGNORECASE,
)
_ITEM_EN = r"(?:(?:one|a) half|half|zero|nought|one|\d?\.?\d{1,6})(?![\w.-]*\w)"
_ITEM_ZH = r"(?:取|为|是|等于)? ?(?:一半|零|一(?![个步种般些样次遍点定直起条])|\d?\.?\d{1,6})"
_PARAMETER_ROW = re.compile(
    r"(?P<name>\b(?:gamma|lambda|lam|beta)\b|[γλβ])(?P<link> ?(?:=|is|of|at|equals?|取|为|是|等于) ?)"
    rf"(?P<row>{_ITEM_EN}(?:(?: ?, ?(?:and |or )?| and | or ){_ITEM_EN}){{1,8}}"
    rf"|{_ITEM_ZH}(?: ?[、,，和或还] ?(?:是 ?)?{_ITEM_ZH}){{1,8}})",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:one|a) half|half|zero|nought|one|一半|零|一|\d?\.?\d{1,6}", re.IGNORECASE)
_AMOUNT = {"zero": "0", "nought": "0", "one": "1", "零": "0", "一": "1"}
_NAMED = re.compile(
    r"rewards?|values?|scores?|advantages?|returns?|ratios?|deltas?|\br\b|\bV\b|奖励|价值|得分|打分|分数|优势|回报|比率",
    re.IGNORECASE,
)


def _spelt(row: re.Match[str]) -> str:
    items = re.findall(rf"(minus |负)?(?:([a-z]+|[{''.join(_DIGIT)}])|({_X}))", row.group().lower())
    spelt = ((sign, _ENGLISH.get(word, _DIGIT.get(word)), x) for sign, word, x in items if word not in ("and", "then"))
    return ", ".join(x or f"{'-' if sign else ''}{number}" for sign, number, x in spelt)


def _after_a_name(pattern: re.Pattern[str], text: str) -> str:
    """Rows of words become numbers where a list was named right before."""

    def written(row: re.Match[str]) -> str:
        before = text[max(0, row.start() - 24) : row.start()]
        return _spelt(row) if _NAMED.search(before) else row.group()

    return pattern.sub(written, text)


# ---------------------------------------------------------------- decimal commas

_DECIMAL_COMMAS = re.compile(r"(?<![\d,.])-?\d{1,3},\d{1,6}(?: ?; ?-?\d{1,3}(?:,\d{1,6})?(?![\d,])){1,4096}")
_IF_SO = re.compile(r"(?<=\d) ?的话(?=[^\s,，。;；:：?？!！])")  # what follows is said of it
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_POINT = re.compile(r"\d\.\d|(?<!\d)\.\d")


def plainly(text: str) -> str:
    """The text with such numbers written as people usually do, and with its steps in the order of the tokens."""
    return in_order(in_digits(text))


def in_digits(text: str) -> str:
    """The text with such numbers written as people usually do."""
    if "\\" in text:
        text = _FRACTION.sub(lambda m: f" {m[1] or m[3]}/{m[2] or m[4]}", text)
        text = _TURNED.sub("", _MATRIX.sub(_matrix, text))
        text = _SPACING.sub(" ", text)
    text = _IF_SO.sub("的话,", text)
    if _DECIMAL_COMMAS.search(text) and not _POINT.search(text):
        text = _COMMA.sub(".", text)
    text = _POINT_ZH.sub(lambda m: f"{'-' if m[1] else ''}{_DIGIT[m[2]]}.{''.join(str(_DIGIT[c]) for c in m[3])}", text)
    text = _PART_ZH.sub(lambda m: f"{_DIGIT[m[2]]}/{_DIGIT[m[1]]}", text)
    text = _POWER_OF_TEN.sub(r"1e\1", text)
    text = _PERCENT_ZH.sub(r"\1%", text)
    text = _PARAMETER_ROW.sub(_amounts, text)
    text = _PART_EN.sub(lambda m: f"{_ENGLISH[m[1].lower()]}/{_PARTS[m[2].lower()]}", text)
    text = _POINT_EN.sub(_point, text)
    text = _PARAMETER.sub(lambda m: f"{m['name']}{m['link']}{int(m['word'].lower() in ('one', '一'))}", text)
    return _after_a_name(_ROW_ZH, _after_a_name(_ROW_EN, text))


def _amounts(found: re.Match[str]) -> str:
    """One parameter at several values in a row: zero, one half and one."""
    amounts = [_AMOUNT.get(item, item) for item in _ITEM.findall(found["row"].lower())]
    return f"{found['name']}{found['link']}{', '.join('0.5' if item[-1] in 'f半' else item for item in amounts)} "


def _point(found: re.Match[str]) -> str:
    digits = [0 if word == "oh" else _ENGLISH[word] for word in re.findall(r"[a-z]+", found[2].lower())]
    behind = " " if found.group().endswith(" ") else ""
    return f"{_ENGLISH[(found[1] or 'zero').lower()]}.{''.join(map(str, digits))}{behind}"
