"""What unfolds on a page: its sections, each with the name that it can be asked for by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prompts.tell.figures import Picture
from prompts.tell.markdown import folded
from prompts.tell.words import word

NEAR = "near"  # what is told beside the answer, and stands in no template
PASTED = "pasted"  # the learner's own text with its numbers marked
SENTENCES = "sentences"  # and each of its sentences beside a fact
PICTURE = "picture"
QUIZ = "quiz"
PROJECTS = "projects"
# Section → the block of a template that it is, in the order of the page.
BLOCKS: Mapping[str, str] = {
    "why": "meaning",
    "numbers": "numbers",
    PICTURE: "figures",
    "proof": "proof",
    "precisely": "rigorous",
    "mistake": "mistake",
    "code": "code",
    PROJECTS: "verl",
    QUIZ: "quiz",
}
SECTIONS = (PASTED, SENTENCES, *BLOCKS, NEAR)


@dataclass(frozen=True)
class Section:
    id: str
    language: str
    text: str
    pictures: tuple[Picture, ...] = ()
    dressed: str = ""  # the text as a browser shows it, where that is more

    @property
    def name(self) -> str:
        return word(self.language, "sections", self.id)

    @property
    def heading(self) -> str:
        return word(self.language, "headings", self.id)

    @property
    def unfolded(self) -> str:
        return f"### {self.heading}\n\n{self.text}"

    @property
    def folded(self) -> str:
        return folded(self.heading, self.text)


def names(sections: Sequence[Section]) -> str:
    """What else there is, by its names, in a line."""
    if not sections:
        return ""
    line = word(sections[0].language, "sections", "line")
    return line.replace("{names}", " · ".join(section.name for section in sections))
