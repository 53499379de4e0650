"""A question of judgement: a case for it and a case against it, each of them computed."""

from __future__ import annotations

from lessons._fact import Verdict, holds


def weighed(for_it: bool, against: bool) -> Verdict:
    """What depends on conditions has both; without a case against it the case for it decides."""
    return "depends" if for_it and against else holds(for_it)
