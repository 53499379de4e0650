"""Layouts that were not looked at while the reader was made."""

from __future__ import annotations

from collections.abc import Mapping

from tests.audit.layouts import Layout, Plan, coded, down, width


def boxed(plan: Plan) -> str:
    head, rows = down(plan)
    widths = [max(width(row[k]) for row in [head, *rows]) for k in range(len(head))]
    bar = "+" + "+".join("-" * (w + 2) for w in widths) + "+"
    lines = [
        "|" + "|".join(f" {x}{' ' * (w - width(x))} " for x, w in zip(row, widths, strict=True)) + "|"
        for row in [head, *rows]
    ]
    return "\n".join([bar, lines[0], bar, *lines[1:], bar])


def latex_table(plan: Plan) -> str:
    head, rows = down(plan)
    body = " \\\\\n".join(" & ".join(row) for row in [head, *rows])
    first, rest = body.split("\n", 1)
    return f"\\begin{{tabular}}{{{'c' * len(head)}}}\n\\hline\n{first}\n\\hline\n{rest} \\\\\n\\hline\n\\end{{tabular}}"


def yaml(plan: Plan) -> str:
    lines = []
    for c in plan.sheet.columns:
        lines.append(f"{coded(plan, c)}:")
        lines += [f"  - {plan.cell(c, t)}" for t in range(plan.length)] if plan.rng.random() < 0.5 else []
        if lines[-1].endswith(":"):
            lines[-1] += f" [{', '.join(plan.cell(c, t) for t in range(plan.length))}]"
    return "\n".join(lines)


def semicolons(plan: Plan) -> str:
    head, rows = down(plan)
    return "\n".join(";".join(row) for row in [head, *rows])


def data_frame(plan: Plan) -> str:
    entries = ", ".join(
        f'"{coded(plan, c)}": [{", ".join(plan.cell(c, t, zeros=False) for t in range(plan.length))}]'
        for c in plan.sheet.columns
    )
    return f"df = pd.DataFrame({{{entries}}})"


def thin_bars(plan: Plan) -> str:
    head, rows = down(plan)
    return "\n".join(" │ ".join(row) for row in [head, ["──"] * len(head), *rows])


def printed_loop(plan: Plan) -> str:
    heads = {c.name: coded(plan, c) for c in plan.sheet.columns}
    return "\n".join(
        f"[{t}] " + " ".join(f"{heads[c.name]}: {plan.cell(c, t)}" for c in plan.sheet.columns)
        for t in range(plan.length)
    )


HELD_OUT: Mapping[str, Layout] = {
    "boxed": boxed, "latex_table": latex_table, "yaml": yaml, "semicolons": semicolons, "data_frame": data_frame,
    "thin_bars": thin_bars, "printed_loop": printed_loop,
}  # fmt: skip
