"""Changes of earlier numbers: small typed values, read from words in both languages and applied to a scenario."""

from prompts.read.numbers.edits.apply import applied
from prompts.read.numbers.edits.edit import Edit, Place
from prompts.read.numbers.edits.parse import Found, find_edits
from prompts.read.numbers.edits.settle import fitted, settled
from prompts.read.numbers.edits.targets import Context

__all__ = ["Context", "Edit", "Found", "Place", "applied", "find_edits", "fitted", "settled"]
