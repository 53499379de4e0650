"""What was read from a picture, in a conversation."""

from __future__ import annotations

import pytest

from prompts.beside import said
from prompts.pictures.formulas import LONGEST, latex
from prompts.pictures.layout import Cell, Line, laid_out
from prompts.pictures.reading import MARK
from prompts.pictures.told import pasted
from prompts.pictures.wish import wished_text
from prompts.tell.words import word
from prompts.tutor import Request, answer

TABLE = """| t | r_t | V_t | A_t |
|---|---|---|---|
| 0 | 0 | 0.4 | 0.085 |
| 1 | 1 | 0.7 | 0.3 |

γ = 0.9, λ = 0.5"""
WISHES = [
    "识别图中的文字，一比一输出！",
    "把截图里的内容原样输出",
    "Transcribe this screenshot, please",
    "read the text in the image",
]
OTHERS = [
    "图中的下标是不是写得不太对？",
    "How do I read the picture of λ?",
    "别输出图中的文字",
    "Why does the image of A matter?",
    "Draw a picture",
]


@pytest.mark.parametrize("wish", WISHES)
def test_the_text_is_written_out_as_it_stands(wish):
    found = answer(Request((f"{wish}\n\n{TABLE}",)))
    assert f"\n{TABLE}\n" in found.markdown and found.replies == (word(found.lang, "pictures", "check"),)


@pytest.mark.parametrize("wish", WISHES)
def test_without_a_picture_it_is_said_how_to_send_one(wish):
    found = answer(Request((wish,)))
    assert found.markdown == word(found.lang, "pictures", "none_here") + "\n"


@pytest.mark.parametrize("message", OTHERS)
def test_other_questions_about_pictures_are_questions(message):
    assert wished_text(message) is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_next_question_is_about_these_numbers(language):
    wish = {"en": WISHES[2], "zh": WISHES[0]}[language]
    found = answer(Request((f"{wish}\n\n{TABLE}", word(language, "pictures", "check"))))
    assert [one["where"] for one in found.mistakes] == ["advantages[0]"]


def test_what_is_written_out_stands_beside_the_conversation_too():
    assert said([f"{WISHES[0]}\n\n{TABLE}"])["values"] == [0.4, 0.7]


def test_own_lines_keep_the_text_away():
    assert pasted([f"{WISHES[0]}\n\n{TABLE}", "a\nb", "c"]) == ("a\nb", "c")


def test_ticks_do_not_end_the_text():
    text = "```\n1\n```"
    assert f"````text\n{text}\n````" in answer(Request((f"{WISHES[0]}\n{text}",))).markdown


@pytest.mark.parametrize("number", [f"0.{MARK}85", f"{MARK}.085", f"-{MARK}", MARK])
def test_numbers_with_a_mark_are_completed_before_any_is_judged(number):
    found = answer(Request(("Are these numbers right?\n\n" + TABLE.replace("0.085", number),)))
    assert found.verdict is None and found.mistakes == () and number in found.markdown


def test_a_mark_in_a_word_is_no_number():
    assert answer(Request((f"Are these numbers r{MARK}ght?\n\n{TABLE}",))).mistakes


# ------------------------------------------------------------ lines and columns


def _line(middle: float, *cells: tuple[str, float]) -> Line:
    return Line(tuple(Cell(text, left, left + 10 * len(text)) for text, left in cells), middle)


def test_lines_keep_their_indent_and_the_empty_line_between_them():
    lines = [_line(10, ("for t in", 0)), _line(30, ("A = 1", 40)), _line(50, ("B = 2", 40)), _line(95, ("end", 0))]
    assert laid_out(lines) == "for t in\n    A = 1\n    B = 2\n\nend"


def test_a_table_has_an_empty_cell_where_there_is_none():
    lines = [
        _line(10, ("t", 0), ("r", 50), ("V", 100)),
        _line(30, ("0", 0), ("0.5", 95)),
        _line(50, ("1", 0), ("2", 50)),
    ]
    assert laid_out(lines) == "| t | r | V |\n|---|---|---|\n| 0 |  | 0.5 |\n| 1 | 2 |  |"


def test_words_side_by_side_are_no_table():
    lines = [_line(10, ("step", 0), ("done", 100)), _line(30, ("mean", 0), ("loss", 100))]
    assert laid_out(lines) == "step      done\nmean      loss"


def test_cells_that_share_a_column_are_no_table():
    lines = [_line(10, ("reward value", 0), ("A", 200)), _line(30, ("0.5", 0), ("0.7", 80), ("1", 200))]
    assert "|" not in laid_out(lines)


@pytest.mark.parametrize(
    "written, kept",
    [
        (r"$$ \frac{a}{b} $$", r"\frac{a}{b}"),
        (r"\[ x \]", "x"),
        (r"\frac{a}{b", ""),
        ("", ""),
        ("x" * (LONGEST + 1), ""),
    ],
)
def test_what_a_recogniser_writes_is_one_formula_or_none(written, kept):
    assert latex(written) == kept
