"""What versions of verl do with the value behind a response's end, and with a response that has none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from engine.conventions import VERL_NEW, VERL_OLD, Convention, Rollout, Whitening, run
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._trials import judged, rational
from lessons._turns import always

OLD, NEW = (replace(version, whitening=Whitening.NONE) for version in (VERL_OLD, VERL_NEW))
OUTPUTS = rational(["1/2", "3/5", "4/5"])  # of the critic, at three places of a row
ENDED, FULL = [1, 1, 0], [1, 1, 1]


def _must_be_masked(_: Scenario) -> Judged:
    """A number left behind the end, under a loop that skips masked places and under the older one."""
    zero, one, junk = Fraction(0), Fraction(1), Fraction(5)

    def first(convention: Convention, after: Fraction) -> Fraction:
        rollout = Rollout([[zero, one, zero, zero]], [[zero, zero, after, after]], [[1, 1, 0, 0]])
        return Fraction(run(rollout, convention, gamma=one, lam=Fraction(1, 2)).returns[0][0])

    old, new = ((first(version, zero), first(version, junk)) for version in (OLD, NEW))
    matters, idle = old[0] != old[1], new[0] == new[1]
    return Judged("depends" if matters and idle else holds(matters), {"old": list(old), "new": list(new)})


def _cut_off_responses_bootstrap(_: Scenario) -> Judged:
    """A response without an end: every place is a token, and nothing stands behind."""
    rewards, values = [[0.0, 0.0, 0.0]], [[0.5, 0.5, 0.5]]
    last = run(Rollout(rewards, values, [FULL]), VERL_NEW, gamma=1.0, lam=1.0).advantages[0][-1]
    return Judged(holds(close(last, 0.0)), {"last": last, "value": values[0][-1], "reward": rewards[0][-1]})


def _kept(convention: Convention, mask: list[int]) -> list[Fraction]:
    """The values that the recursion of this version is given."""
    rollout = Rollout([rational([0, 1, 0])], [OUTPUTS], [mask])
    return list(run(rollout, convention, gamma=Fraction(1), lam=Fraction(1)).values[0])


def _last_kept(mask: list[int]) -> list[Fraction]:
    """By the old version and by the new."""
    return [_kept(version, mask)[-1] for version in (OLD, NEW)]


def _after_eos(_: Scenario) -> Judged:
    old, new = _last_kept(ENDED)
    return judged([v != 0 for v in (old, new)], old=old, new=new)


def _only_the_old_keeps_it(_: Scenario) -> Judged:
    old, new = _last_kept(ENDED)
    return judged(old != 0 and new == 0, old=old, new=new)


def _mask_is_shifted(_: Scenario) -> Judged:
    """How many values each version leaves of a response of two tokens in a wider row."""
    counts = [sum(v != 0 for v in _kept(version, ENDED)) for version in (OLD, NEW)]
    return judged([n > sum(ENDED) for n in counts], old=counts[0], new=counts[1], tokens=sum(ENDED))


def _versions_agree(_: Scenario) -> Judged:
    full, ended = _last_kept(FULL), _last_kept(ENDED)
    return judged([old == new for old, new in (full, ended)], full=full, ended=ended)


VERSIONS: dict[str, Check] = {
    "values_must_be_masked_after_the_slice": _must_be_masked,
    "verl_bootstraps_cut_off_responses": _cut_off_responses_bootstrap,
    "value_after_eos_is_kept": _after_eos,
    "only_old_verl_keeps_the_value_after_eos": _only_the_old_keeps_it,
    "verls_value_mask_is_shifted": _mask_is_shifted,
    "old_and_new_verl_have_the_same_values": _versions_agree,
    "every_version_keeps_the_value_after_eos": always(_after_eos),
}
