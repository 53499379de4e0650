"""Ways to lay out a sheet: tables across and down, data, code output, lists in prose, worked lines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.audit import wording
from tests.audit.sheets import Column, Sheet

Layout = Callable[["Plan"], str]
MARK, END = "\ue000", "\ue001"  # around what a number is, in front of the number


@dataclass(frozen=True)
class Plan:
    """A sheet to be written: its language, the manner of its heads, whether numbers are indexed and tokens shown."""

    rng: random.Random
    sheet: Sheet
    language: str
    manner: str
    first: int | None  # the first index, None: no index
    words: tuple[str, ...] | None

    def head(self, column: Column) -> str:
        found = wording.HEADS[column.head]
        key = self.manner if self.manner in found else self.language
        return self.rng.choice(found[key])

    @property
    def length(self) -> int:
        return len(self.sheet.columns[0].typed)

    def cell(self, column: Column, t: int, *, zeros: bool = True) -> str:
        """The typed number behind a mark of what it is."""
        text = column.typed[t] if zeros else json.dumps(float(column.typed[t]))
        return text if column.given else f"{MARK}{column.name}[{t}]{END}{text}"

    def leading(self) -> tuple[list[str], list[list[str]]]:
        """Heads and cells in front of the numbers: index and token."""
        grouped = self.sheet.kind in ("grpo", "rloo")
        heads, columns = [], []
        if self.first is not None:
            heads.append(self.rng.choice((wording.MEMBER if grouped else wording.INDEX)[self.language]))
            columns.append([str(t + self.first) for t in range(self.length)])
        if self.words is not None and not grouped:
            heads.append(self.rng.choice(wording.TOKEN[self.language]))
            columns.append(list(self.words))
        return heads, columns


def down(plan: Plan) -> tuple[list[str], list[list[str]]]:
    heads, leading = plan.leading()
    head = [*heads, *(plan.head(c) for c in plan.sheet.columns)]
    rows = [[*(c[t] for c in leading), *(plan.cell(c, t) for c in plan.sheet.columns)] for t in range(plan.length)]
    return head, rows


def _across(plan: Plan) -> list[list[str]]:
    heads, leading = plan.leading()
    rows = [[h, *c] for h, c in zip(heads, leading, strict=True)]
    return [*rows, *([plan.head(c), *(plan.cell(c, t) for t in range(plan.length))] for c in plan.sheet.columns)]


def _piped(row: Sequence[str]) -> str:
    return f"| {' | '.join(x.replace('|', '/') for x in row)} |"


def markdown(plan: Plan) -> str:
    head, rows = down(plan)
    rule = plan.rng.choice(("---", ":---:", "---:", ":--"))
    return "\n".join([_piped(head), _piped([rule] * len(head)), *map(_piped, rows)])


def markdown_across(plan: Plan) -> str:
    rows = _across(plan)
    if plan.first is None and plan.words is None:
        rows = [["", *(f"t={t}" for t in range(plan.length))], *rows]
    return "\n".join([_piped(rows[0]), _piped(["---"] * len(rows[0])), *map(_piped, rows[1:])])


def _separated(mark: str) -> Layout:
    def layout(plan: Plan) -> str:
        head, rows = down(plan)
        return "\n".join(mark.join(x.replace(mark, " ").replace(",", " ") for x in row) for row in [head, *rows])

    return layout


def tsv_across(plan: Plan) -> str:
    return "\n".join("\t".join(row) for row in _across(plan))


def csv_across(plan: Plan) -> str:
    return "\n".join(",".join(x.replace(",", " ") for x in row) for row in _across(plan))


def width(text: str) -> int:
    inside = text.partition(END)[2] or text
    return sum(2 if ord(c) > 0x2E7F else 1 for c in inside)


def _padded(rows: Sequence[Sequence[str]], left: bool) -> list[str]:
    widths = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))]

    def pad(x: str, w: int) -> str:
        gap = " " * (w - width(x))
        return x + gap if left else gap + x

    return ["  ".join(pad(x, w) for x, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def aligned(plan: Plan) -> str:
    head, rows = down(plan)
    lines = _padded([head, *rows], plan.rng.random() < 0.5)
    if plan.rng.random() < 0.4:
        lines.insert(1, "-" * 48)
    return _fenced(plan, "\n".join(lines))


def aligned_across(plan: Plan) -> str:
    return _fenced(plan, "\n".join(_padded(_across(plan), left=False)))


def _fenced(plan: Plan, text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```" if plan.rng.random() < 0.5 else text


def coded(plan: Plan, column: Column) -> str:
    return plan.rng.choice(wording.HEADS[column.head]["code"]).split("[")[0].split("(")[0]


def json_lists(plan: Plan) -> str:
    entries = [f'"{name}": {x}' for name, x in _setdown(plan)]
    for c in plan.sheet.columns:
        numbers = ", ".join(plan.cell(c, t, zeros=False) for t in range(plan.length))
        entries.append(f'"{coded(plan, c)}": [{numbers}]')
    inside = ",\n  ".join(entries) if plan.rng.random() < 0.6 else ", ".join(entries)
    return _fenced(plan, "{\n  " + inside + "\n}", "json")


def _setdown(plan: Plan) -> list[tuple[str, float]]:
    """Settings among the data, some of the time."""
    names = {
        "gamma": "gamma",
        "lam": plan.rng.choice(("lam", "lambda", "gae_lambda")),
        "beta": "beta",
        "eps": "clip_ratio",
    }
    told = plan.rng.random() < 0.4
    return [(names[k], x) for k, x in plan.sheet.settings.items() if k in names] if told else []


def json_records(plan: Plan) -> str:
    heads = {c.name: coded(plan, c) for c in plan.sheet.columns}
    rows = []
    for t in range(plan.length):
        entry = [f'"t": {t + plan.first}'] if plan.first is not None else []
        entry += [f'"token": "{plan.words[t]}"'] if plan.words else []
        rows.append(
            "{"
            + ", ".join([*entry, *(f'"{heads[c.name]}": {plan.cell(c, t, zeros=False)}' for c in plan.sheet.columns)])
            + "}"
        )
    lines = plan.rng.random() < 0.4
    return _fenced(plan, "\n".join(rows) if lines else "[" + ",\n ".join(rows) + "]", "json")


def python_lists(plan: Plan) -> str:
    wrap = plan.rng.choice(("[{}]", "[{}]", "torch.tensor([{}])", "np.array([{}])", "({})"))
    lines = [f"{name} = {x}" for name, x in _setdown(plan)]
    for c in plan.sheet.columns:
        numbers = ", ".join(plan.cell(c, t, zeros=plan.rng.random() < 0.5) for t in range(plan.length))
        lines.append(f"{coded(plan, c)} = {wrap.format(numbers)}")
    return _fenced(plan, "\n".join(lines), "python")


def python_dict(plan: Plan) -> str:
    entries = []
    for c in plan.sheet.columns:
        numbers = ", ".join(plan.cell(c, t, zeros=False) for t in range(plan.length))
        entries.append(f"'{coded(plan, c)}': [{numbers}]")
    return plan.rng.choice(("data = {{{}}}", "{{{}}}", "out = dict({{{}}})")).format(", ".join(entries))


def code_output(plan: Plan) -> str:
    manner = plan.rng.choice(
        (
            "{} tensor([{}])",
            "{}: tensor([{}])",
            "{}: [{}]",
            ">>> {}\narray([{}])",
            "{} = tensor([{}], dtype=torch.float64)",
        )
    )
    lines = []
    for c in plan.sheet.columns:
        lines.append(manner.format(coded(plan, c), ", ".join(plan.cell(c, t) for t in range(plan.length))))
    return _fenced(plan, "\n".join(lines))


def prose(plan: Plan) -> str:
    mark = plan.rng.choice((", ", ", ", "、") if plan.language == "zh" else (", ",))
    brackets = plan.rng.choice(("[{}]", "[{}]", "{}", "({})"))
    link = {"zh": ("：", " = ", "是 ", "为", "分别是 "), "en": (" = ", ": ", " are ", " come out as ", ": ")}[
        plan.language
    ]
    ends = {"zh": ("；", "。", "\n"), "en": ("; ", ". ", "\n")}[plan.language]
    chosen, end = plan.rng.choice(link), plan.rng.choice(ends)
    said = []
    for c in plan.sheet.columns:
        said.append(f"{plan.head(c)}{chosen}{brackets.format(mark.join(plan.cell(c, t) for t in range(plan.length)))}")
    return end.join(said) + end.strip(" ")


def bullets(plan: Plan) -> str:
    prefix = plan.rng.choice(("- ", "* ", "", "1) "))
    named = plan.rng.choice(
        ("t={}: ", "token {}: ", "step {}: ") if plan.language == "en" else ("t={}：", "第 {} 步：", "token {}：")
    )
    heads = {
        c.name: plan.rng.choice(wording.HEADS[c.head]["symbol" if plan.manner == "symbol" else "code"])
        for c in plan.sheet.columns
    }
    mark = plan.rng.choice((", ", "; ", " | ", "  "))
    first = plan.first or 0
    return "\n".join(
        prefix + named.format(t + first) + mark.join(f"{heads[c.name]}={plan.cell(c, t)}" for c in plan.sheet.columns)
        for t in range(plan.length)
    )


def subscripts(plan: Plan) -> str:
    """r_0 = 0, V_0 = 0.3, δ_0 = …: numbers one by one."""
    letters = {
        "rewards": "r",
        "values": "V",
        "deltas": "δ",
        "advantages": "A",
        "returns": "R",
        "mc_returns": "G",
        "mc_advantages": "A^{MC}",
    }
    first = plan.first or 0
    by_token = plan.rng.random() < 0.5
    cells = (
        [(c, t) for t in range(plan.length) for c in plan.sheet.columns]
        if by_token
        else [(c, t) for c in plan.sheet.columns for t in range(plan.length)]
    )
    per = len(plan.sheet.columns) if by_token else plan.length
    said = [f"{letters[c.name]}_{t + first} = {plan.cell(c, t)}" for c, t in cells]
    return "\n".join(", ".join(said[k : k + per]) for k in range(0, len(said), per))


def worked(plan: Plan) -> str:
    """The recursion line by line, from the end, over lists that are given first."""
    own, sheet = plan.sheet.own, plan.sheet
    typed = {c.name: c for c in sheet.columns}
    times = plan.rng.choice(("·", "*", "×", " × ", "\\cdot "))
    first = plan.first or 0
    lines = [
        f"{c.name[0].upper() if c.name == 'values' else c.name[0]} = [{', '.join(c.typed)}]"
        for c in sheet.columns
        if c.given
    ]
    assert own.gamma is not None and own.lam is not None
    if "deltas" in typed:
        r, v = typed["rewards"].typed, typed["values"].typed
        for t in range(plan.length):
            after = f" + {own.gamma:g}{times}{v[t + 1]}" if t + 1 < plan.length else ""
            lines.append(f"δ_{t + first} = {r[t]}{after} - {v[t]} = {plan.cell(typed['deltas'], t)}")
    a, d = typed["advantages"], typed["deltas"]
    for t in reversed(range(plan.length)):
        after = f" + {own.gamma * own.lam:.6g}{times}{a.typed[t + 1]}" if t + 1 < plan.length else ""
        lines.append(
            f"A_{t + first} = {d.typed[t]}{after} = {plan.cell(a, t)}"
            if after
            else f"A_{t + first} = {plan.cell(a, t)}"
        )
    return "\n".join(f"- {line}" if plan.rng.random() < 0.1 else line for line in lines)


def pandas_print(plan: Plan) -> str:
    heads = [coded(plan, c) for c in plan.sheet.columns]
    rows = [[str(t), *(plan.cell(c, t) for c in plan.sheet.columns)] for t in range(plan.length)]
    return _fenced(plan, "\n".join(_padded([["", *heads], *rows], left=False)))


_AS_CALLED: tuple[Layout, ...] = (
    markdown, markdown_across, tsv_across, csv_across, aligned, aligned_across, json_lists, json_records, python_lists,
    python_dict, code_output, prose, bullets, subscripts, worked,
)  # fmt: skip
_SEPARATED = {"csv": _separated(","), "csv_spaced": _separated(", "), "tsv": _separated("\t")}
_FIRST, _REST = ({f.__name__: f for f in part} for part in (_AS_CALLED[:2], _AS_CALLED[2:]))
LAYOUTS: Mapping[str, Layout] = _FIRST | _SEPARATED | _REST | {"pandas": pandas_print}
ONE_RESPONSE = ("subscripts", "worked")  # letters only for r, V, δ, A, R, G
