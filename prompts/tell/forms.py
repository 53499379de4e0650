"""What a page is made of, by what was asked for."""

from __future__ import annotations

from collections.abc import Mapping

from prompts.tell.sections import NEAR, PASTED, PICTURE, QUIZ, SECTIONS, SENTENCES

ANSWER, FIRST = "answer", "first"  # the lesson's own sentences; the one small table or picture with the settling line
SIMPLE = "simple"  # the block that tells it as to a child
FULL = "full"
BESIDE = "beside"  # the facts near those that are told, a line each
THEIRS = "theirs"  # a project's own code
# What a page is made of, by what was asked for: blocks of the first screen, and sections that are unfolded on it.
FORMS: Mapping[str, tuple[str, ...]] = {
    "plain": (BESIDE, ANSWER, FIRST),
    "translate": (BESIDE, ANSWER, FIRST),
    "why": (BESIDE, ANSWER, FIRST),
    "simple": (SIMPLE,),
    "rigorous": (ANSWER, FIRST, "why", "precisely", "proof"),
    "proof": (ANSWER, "proof"),
    "code": (ANSWER, "code", "why"),
    "meaning": (ANSWER, "why"),  # the section, asked for by its name
    "projects": (ANSWER, "projects"),
    "mistake": (ANSWER, "mistake"),
    "picture": (ANSWER, PICTURE),
    "precisely": (ANSWER, "precisely"),
    NEAR: (ANSWER, NEAR),
    PASTED: (ANSWER, PASTED),
    SENTENCES: (ANSWER, SENTENCES),
    "table": (ANSWER, FIRST, "numbers"),
    "numbers": (ANSWER, FIRST, "numbers"),
    "example": (ANSWER, FIRST, "numbers"),
    "quiz": (QUIZ,),
    FULL: (ANSWER, FIRST, *SECTIONS),
}
SECTIONS_ALONE = (
    "proof",
    "meaning",
    "projects",
    "mistake",
    "picture",
    "precisely",
    NEAR,
    PASTED,
)  # each with the opening
WHOLE = tuple(form for form in FORMS if form not in SECTIONS_ALONE)
ON_MODEL = "model"  # the form of a run on the language model, which takes seconds: only where it was asked for
THEIRS = "theirs"  # the form of a project's own code
SOLVED = "solved"  # the form of an unknown that was solved for
EXHIBIT = "exhibit"  # and of a public discussion, replayed, or the list of them
OWN_PAGE = "own page"  # what such forms show in the place of the lesson's first screen
# Blocks of the page that is no lesson's, by what a message without a subject does.
WAYS_IN = {form: (form,) for form in ("help", "start", "own", "hello", "thanks", "goodbye", "ok")}
TOLD_AS = {  # in an answer
    ON_MODEL: "example",
    THEIRS: "code",
    SOLVED: "numbers",
    EXHIBIT: "plain",
    "all_told": "plain",
    FULL: "plain",
    "meaning": "why",
    "projects": "code",
    "mistake": "example",
    "picture": "table",
    "precisely": "plain",
    NEAR: "plain",
    PASTED: "table",
    SENTENCES: "plain",
    **dict.fromkeys(WAYS_IN, "plain"),
}
PARTS = {
    **FORMS,
    **WAYS_IN,
    ON_MODEL: (ANSWER, ON_MODEL, FIRST),
    "all_told": (),
    THEIRS: (THEIRS,),
    SOLVED: (OWN_PAGE,),
    EXHIBIT: (OWN_PAGE,),
}
SHORT = ("plain", "why", "translate")  # forms that stay within what is read at a glance
MOST = {"zh": 900, "en": 1500}  # characters of it
EXACT = (FULL, "rigorous", "precisely", "numbers", "table", QUIZ)  # forms and sections with all digits
OPEN = (FULL, "rigorous", "proof", "code")  # forms whose sections have nothing folded that they are about
LISTS = ("numbers", "table")  # forms in which the lists that were wanted come first
FOLDED_AS = {"code": "code", "proof": "why", "precisely": "why"}  # section → the form whose foldings it has
NOTHING_ELSE = (QUIZ, *WAYS_IN, "all_told")  # forms of a page that names no sections
BRIEF = "numbers"  # the form of a page that may not be the one that was meant
