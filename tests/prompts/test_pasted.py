"""The learner's own text, marked: what the marks say is so, and without them it is the text again."""

import html
import re

import pytest

from engine.audits import Audited
from engine.claims import Checked
from prompts.read import read
from prompts.read.numbers.sheet.tidy import tidy
from prompts.read.origins import origins
from prompts.tell.pasted import marked, pieces
from prompts.tutor import Request, answer
from tests.audit.generate import case

ALIGNED = """Is this right? gamma = 1, lambda = 0.95
t      r      V      delta     A
0      0     0.5     0.1      0.841
1      0     0.6     0.0      0.38
2      1     0.6     0.4      0.4
"""
SIGN = re.compile(r" (?:✗ → [-−]?\d+(?:\.\d+)?|[✓✗?])")
SPAN = re.compile(r'<span class="\w+">.*?</span>')
FRAME = re.compile(r'```(?:text)?|<pre class="pasted">|</pre>')


def _unmarked(shown: str, signs: re.Pattern[str]) -> list[str]:
    """The lines of what was shown, without its marks, their blanks counted once."""
    body = shown.partition("\n\n")[2].rpartition("</summary>")[2].removesuffix("\n\n</details>")
    return _lines(html.unescape(FRAME.sub("", signs.sub("", body))).replace("\u2060", ""))


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize("seeds", [range(k, k + 20) for k in (0, 500, 900)], ids=str)
def test_without_the_marks_it_is_the_text_again(seeds: range) -> None:
    for message in (case(seed).message for seed in seeds):
        made = answer(Request((message,)))
        shown = next((section for section in made.closed if section.id == "pasted"), None)
        assert shown is not None, message
        assert _unmarked(shown.text, SIGN) == _lines(message) == _unmarked(shown.dressed, SPAN), message
        assert ("✗" in shown.text.partition("\n\n")[2]) == bool(made.mistakes), message


def test_the_pieces_are_the_text_and_end_with_the_numbers_that_were_checked() -> None:
    claims = read([ALIGNED]).claims
    places = [place for claim in claims for place in claim.places]
    stated = [x for claim in claims for x in claim.stated]
    assert [float(ALIGNED[place:].split()[0]) for place in places] == stated
    found = Audited(tuple(Checked("a", x, x, None, 2, p) for x, p in zip(stated, places, strict=True)), (), ())
    made = pieces(ALIGNED, found)
    assert "".join(piece.text for piece in made) == ALIGNED
    assert sorted(float(piece.text.split()[-1]) for piece in made if piece.sign) == sorted(stated)


def test_columns_stay_under_one_another() -> None:
    shown = next(section for section in answer(Request((ALIGNED,))).closed if section.id == "pasted").text
    heads, rows = "A", ("0.38", "0.4")
    head = next(line for line in shown.splitlines() if line.startswith("t "))
    one, other = (line for line in shown.splitlines() if line[:2] in ("1 ", "2 "))
    assert head.index(heads) == ALIGNED.splitlines()[1].index(heads)
    assert one.rindex(rows[0]) == other.rindex(rows[1]) == ALIGNED.splitlines()[3].rindex(rows[0])


def test_places_go_through_whatever_the_reading_writes_anew() -> None:
    message = "δ₀ =  \u22120.5，\\hat{A}_{0}=\u3000\uff10.25\r\nA\u2060_1 = 0.75"
    read_as = tidy(message)
    for number in ("-0.5", "0.25", "0.75"):
        (origin,) = origins(message, tidy, [read_as.index(number)]).values()
        assert tidy(message[origin:]).startswith(number)
    assert origins("torch.zeros(2) 0.5", tidy, [1]) == {}  # a number that nobody typed


def test_what_a_learner_pastes_is_no_markup() -> None:
    wild = ALIGNED + "<script>alert(1)</script> ```\n| a | <img src=x> |\n|---|---|\n| `b` | $$x$$ |\n"
    found = Audited((Checked("a", 0.5, 0.5, None, 1, ALIGNED.index("0.5")),), (), ())
    for dressed in (False, True):
        shown = marked(wild, found, "en", dressed=dressed)
        assert "<script" not in shown and "<img" not in shown and "$$" not in shown.partition("|---|")[2]
        assert shown.count("```") == (0 if dressed else 2)


def test_a_long_text_shows_its_wrong_lines_first() -> None:
    talk = "\n".join(f"Remark {k}: nothing to see." for k in range(30))
    shown = next(x for x in answer(Request((f"{ALIGNED}\n{talk}",))).closed if x.id == "pasted").text
    first, _, whole = shown.partition("<details>")
    assert "0.841 ✗ → 0.461" in first and "0.38" not in first and "Remark 3:" in whole


def test_what_cannot_be_decided_has_a_sign_of_its_own() -> None:
    assert "A = 0.5 ?" in marked("A = 0.5", Audited((), ("a",), (), undetermined=(4,)), "en")
    assert marked("A = 0.5", Audited((), (), ()), "en") == ""
