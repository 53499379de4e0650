"""The front door: `python app.py` opens the chat page, `python app.py ask "…"` answers in the terminal."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["ask"]:
        from prompts.ask import main as ask

        return ask(arguments[1:])
    from page import launch

    return launch(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
