"""Whether stated advantages are the GAE of given rewards and values under any γ and λ at all."""

from __future__ import annotations

from collections.abc import Sequence

FINENESS = 1000  # values of γ that are tried; for each of them γλ is solved for


def reachable(rewards: Sequence[float], values: Sequence[float], advantages: Sequence[float], tolerance: float) -> bool:
    """Some γ in [0, 1] and λ in [0, 1] give the stated numbers, each up to the tolerance.

    A_t = r_t + γV_{t+1} − V_t + γλ A_{t+1}, and with γ fixed each token leaves an interval for γλ.
    """
    following = [*values[1:], 0.0]
    rest = [(a - r + v, nxt) for a, r, v, nxt in zip(advantages, rewards, values, following, strict=True)]
    if abs(rest[-1][0]) > tolerance:  # the last advantage asks neither γ nor λ
        return False
    steps = list(zip(rest[:-1], advantages[1:], strict=True))
    return any(_solvable(steps, k / FINENESS, tolerance) for k in range(FINENESS + 1))


def _solvable(steps: Sequence[tuple[tuple[float, float], float]], gamma: float, tolerance: float) -> bool:
    """Whether one γλ in [0, γ] brings every token within the tolerance; the later advantage is rounded as well."""
    low, high = 0.0, gamma
    slack = tolerance * (1 + gamma) + 1 / FINENESS**2
    for (needed, following), later in steps:
        gap = needed - gamma * following  # what γλ A_{t+1} has to be
        if abs(later) <= tolerance:
            if abs(gap) > slack:
                return False
            continue
        ends = sorted(((gap - slack) / later, (gap + slack) / later))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low <= high + 1 / FINENESS**2
