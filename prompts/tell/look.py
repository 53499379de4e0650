"""How the page looks, and what it does in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_ROOMS = [Path(__file__).parents[1] / room for room in ("tell", "bench", "pictures")]
ICON = Path(__file__).with_name("telescope.svg")
_FONT = ["system-ui", "Segoe UI", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC"]
_FONT += ["sans-serif"]
_MONO = ["ui-monospace", "SF Mono", "Consolas", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", "monospace"]


def theme() -> Any:
    import gradio as gr

    found = gr.themes.Base(primary_hue="indigo", neutral_hue="slate", radius_size="lg", font=_FONT, font_mono=_MONO)
    return found.set(
        body_text_color_subdued="*neutral_500",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
    )


def sources(kind: str) -> str:
    """All styles, or all functions that browsers run; of the latter a list, in the order of their files' names."""
    told = [path.read_text(encoding="utf-8").strip() for room in _ROOMS for path in sorted(room.glob(f"*.{kind}"))]
    return (",\n" if kind == "js" else "\n").join(told)
