"""Numbers in free text, by a bounded grammar of our own."""

from prompts.read.numbers.model import Numbers, Unnamed
from prompts.read.numbers.reader import read_numbers
from prompts.read.numbers.wanted import calls_a_method, names_method, wanted_facts, wanted_quantity

__all__ = [
    "Numbers",
    "Unnamed",
    "calls_a_method",
    "names_method",
    "read_numbers",
    "wanted_facts",
    "wanted_quantity",
]
