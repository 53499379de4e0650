"""A language model, where one is named: it listens, and chooses words. Every word of it is answered for here.

connection/       the model: on this machine, behind an address, or nobody; limits, a queue, a cache
listen.py         a message and what a model makes of it: heard first, then answered with facts and results
candidates.py     what it is shown: the facts nearest to what it would answer, what was said before
prompt.py         in words: templates/
asking.py         asked for one JSON object, within the tokens of a message;  reply.py: its fields, each by itself
calls.py          what is computed for it to speak of;  sums.py: arithmetic on the learner's figures
understood.py     what it heard, checked: words and numbers that stand in the message, names that are known
entrance.py       what a model is asked once, before anybody listens to it
lock.py           what a sentence may not do that marks facts;  turning.toml: words that turn a meaning
speak.py          the opening under lock, and a second look at it;  numerals.py, parts.py: what texts are compared by
"""

from prompts.model.connection import Connection, connected, who_listens, why_nobody
from prompts.model.listen import Listened, listened
from prompts.model.speak import Said

__all__ = ["Connection", "Listened", "Said", "connected", "listened", "who_listens", "why_nobody"]
