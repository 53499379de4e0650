"""Numbers in free text, by a bounded grammar of our own."""

from prompts.read.numbers.edits import edited
from prompts.read.numbers.model import Edit, Numbers, Unnamed
from prompts.read.numbers.reader import read_numbers
from prompts.read.numbers.wanted import wanted_facts, wanted_quantity

__all__ = ["Edit", "Numbers", "Unnamed", "edited", "read_numbers", "wanted_facts", "wanted_quantity"]
