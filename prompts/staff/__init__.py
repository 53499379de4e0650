"""Those who answer: a few processes beside the page's own, which keeps its breath for its visitors.

pool.py       what is asked goes to whoever has least to do; who falls over is replaced
loaded.py     what they load before anybody asks
worker.py     one of them: requests in, what answers them out, a JSON object on a line
reception.py  how much a visitor may ask, and how much is asked at once; what they are told else
"""

from prompts.staff.pool import NobodyAnsweredError, Staff

__all__ = ["NobodyAnsweredError", "Staff"]
