"""A language model for words, where TELESCOPE_WRITER names one. It can choose words and lessons, never a number.

writer.py      who writes: the named model, or nobody
retell.py      a finished page in other words;  choose.py: a lesson for a message that was not surely read
faithful.py    what a re-telling may not do;  parts.py, numerals.py: what it is compared by
prompt.py      the prompts: templates/, one file for each purpose and language
"""

from prompts.model.choose import decided
from prompts.model.retell import told_again
from prompts.model.writer import Writer, writer

__all__ = ["Writer", "decided", "told_again", "writer"]
