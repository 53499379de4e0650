"""Where a claim turns on the case: that it holds in every case is false, that it holds in some is true."""

from __future__ import annotations

from lessons._fact import Check, Judged, holds


def always(check: Check) -> Check:
    return lambda scenario: Judged(holds(check(scenario).verdict == "true"), check(scenario).found)


def sometimes(check: Check) -> Check:
    return lambda scenario: Judged(holds(check(scenario).verdict != "false"), check(scenario).found)


def either_way(check: Check) -> Check:
    """That it is one thing in one case and another in another."""
    return lambda scenario: Judged(holds(check(scenario).verdict == "depends"), check(scenario).found)
