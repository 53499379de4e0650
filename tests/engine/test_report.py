"""The report of coverage adds up, and the one that is kept says what is asked of the engine."""

from __future__ import annotations

from tests.engine.report import WRITTEN, Proved, by_room, report

FILES = {
    "engine/a.py": {"num_statements": 10, "covered_lines": 9, "num_branches": 4, "covered_branches": 3},
    "engine/b/c.py": {"num_statements": 30, "covered_lines": 30, "num_branches": 0, "covered_branches": 0},
    "engine/b/d.py": {"num_statements": 10, "covered_lines": 1, "num_branches": 6, "covered_branches": 6},
}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_rooms_add_up() -> None:
    rooms = by_room(FILES)
    assert list(rooms) == ["engine", "engine/b", "all"]
    assert rooms["engine/b"].row == ["2", "40", "77.5 %", "6", "100.0 %"]
    assert rooms["all"].row == ["3", "50", "80.0 %", "10", "90.0 %"]
    written = report(rooms, Proved(2, 9, 1, 3.14159))
    assert "| engine | 1 | 10 | 90.0 % | 4 | 75.0 % |" in written
    assert "| 2 | 9 | 1 | 3.1 |" in written


def test_the_kept_report_meets_what_is_asked() -> None:
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    (everything,) = (cells(line) for line in lines if line.startswith("| all "))
    run, taken = (float(everything[i].removesuffix(" %")) for i in (3, 5))
    assert min(run, taken) >= 95
    assert float(cells(lines[-1])[-1]) < 20
