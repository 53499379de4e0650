"""What the stated numbers beside a stated number give: a result of rounded intermediate results, or of wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import formulas
from engine.scenario import Scenario

NUDGE = 1e-9  # half a unit may be rounded either way


@dataclass(frozen=True)
class Beside:
    """The stated lists and numbers by name, the computed ones, and what they were computed from."""

    stated: Mapping[str, Any]
    correct: Mapping[str, Any]
    base: Scenario
    distrusted: frozenset[str] = frozenset()  # "advantages[3]": stated numbers that are not to be used
    decimals: int | None = None  # to which results on the way may have been rounded

    def either(self, name: str, t: int) -> list[float]:
        """A number as it was stated, as it is right, exactly or rounded, and as it was given."""
        found = []
        stated = None if f"{name}[{t}]" in self.distrusted else self.stated.get(name)
        for numbers in (stated, self.correct.get(name), getattr(self.base, name, None)):
            if isinstance(numbers, Sequence) and 0 <= t < len(numbers):
                x = numbers[t]
                if x is not None and not isinstance(x, Sequence):
                    found.append(float(x))
        found += [round(x + nudge, self.decimals) for x in found[-1:] for nudge in (-NUDGE, NUDGE) if self.decimals]
        return list(dict.fromkeys(found))

    def row(self, name: str) -> list[float] | None:
        numbers = self.stated.get(name)
        if not isinstance(numbers, Sequence) or any(x is None or isinstance(x, Sequence) for x in numbers):
            return None
        return [float(x) for x in numbers]

    def rate(self, name: str) -> float:
        found = getattr(self.base, name)
        return 1.0 if found is None else float(found)


def _advantages(x: Beside, t: int) -> Iterator[float]:
    last = not x.either("advantages", t + 1)
    for delta in x.either("deltas", t):
        for after in [0.0] if last else x.either("advantages", t + 1):
            yield formulas.gae_step(delta, after, x.rate("gamma"), x.rate("lam"))


def _returns(x: Beside, t: int) -> Iterator[float]:
    for adv in x.either("advantages", t):
        for value in x.either("values", t):
            yield formulas.critic_target(adv, value)


def _deltas(x: Beside, t: int) -> Iterator[float]:
    for r in x.either("rewards", t):
        for v in x.either("values", t):
            for after in x.either("values", t + 1) or [0.0]:
                yield formulas.td_error(r, v, after, x.rate("gamma"))


def _mc_returns(x: Beside, t: int) -> Iterator[float]:
    for r in x.either("rewards", t):
        for after in x.either("mc_returns", t + 1) or [0.0]:
            yield formulas.mc_step(r, after, x.rate("gamma"))


def _mc_advantages(x: Beside, t: int) -> Iterator[float]:
    for target in x.either("mc_returns", t):
        for value in x.either("values", t):
            yield formulas.advantage(target, value)


def _rewards(x: Beside, t: int) -> Iterator[float]:
    for score in x.either("scores", t):
        for kl in x.either("kl", t):
            yield formulas.token_reward(score, kl, x.rate("beta"))


def _whitened(x: Beside, t: int) -> Iterator[float]:
    row = x.row("advantages")
    moments = [(float(m), float(s)) for m in _known(x, "mean") for s in _known(x, "std_sample")]
    if row is not None and len(row) > 1:
        mean = formulas.mean(sum(row), len(row))
        variance = formulas.sample_variance(sum((a - mean) ** 2 for a in row), len(row))
        moments.append((mean, variance**0.5))
    for mean, std in moments:
        for adv in x.either("advantages", t):
            if std > 0:
                yield formulas.whiten(adv, mean, std**2)


def _known(x: Beside, name: str) -> list[Any]:
    return [n for n in (x.stated.get(name), x.correct.get(name)) if n is not None and not isinstance(n, Sequence)]


def _terms(x: Beside, t: int) -> Iterator[float]:
    for ratio in x.either("ratio", t):
        for adv in x.either("advantages", t):
            yield formulas.surrogate_term(ratio, adv)


def _objective_terms(x: Beside, t: int) -> Iterator[float]:
    for plain in x.either("unclipped", t) or x.either("terms", t):
        for clipped in x.either("clipped", t):
            yield min(plain, clipped)
    eps = x.rate("eps")
    for ratio in x.either("ratio", t):
        for adv in x.either("advantages", t):
            yield formulas.ppo_objective(ratio, adv, eps, eps)


def _clipped(x: Beside, t: int) -> Iterator[float]:
    eps = x.rate("eps")
    for ratio in x.either("ratio", t):
        for adv in x.either("advantages", t):
            yield formulas.clipped_term(ratio, adv, eps, eps)


def _max_sq_err(x: Beside, t: int) -> Iterator[float]:
    for vpred in x.either("vpreds", t):
        for target in x.either("returns", t):
            for clipped in x.either("vpred_clipped", t):
                yield max(formulas.squared_error(vpred, target), formulas.squared_error(clipped, target))


def _rloo_or_grpo(x: Beside, t: int) -> Iterator[float]:
    for score in x.either("group_rewards", t):
        for baseline in x.either("baselines", t):
            yield formulas.advantage(score, baseline)


def _k2(x: Beside, t: int) -> Iterator[float]:
    for k1 in x.either("k1", t):
        yield formulas.k2(k1, 0.0)


def _k3(x: Beside, t: int) -> Iterator[float]:
    for k1 in x.either("k1", t):
        yield formulas.k3(k1, 0.0)


def _mean_of(*names: str) -> Callable[[Beside, int], Iterator[float]]:
    def mean(x: Beside, _t: int) -> Iterator[float]:
        for name in names:
            row = x.row(name)
            if row:
                yield formulas.mean(sum(row), len(row))

    return mean


def _half_mean(x: Beside, _t: int) -> Iterator[float]:
    row = x.row("max_sq_err")
    if row:
        yield formulas.value_loss_term(formulas.mean(sum(row), len(row)))


WAYS: Mapping[str, tuple[Callable[[Beside, int], Iterator[float]], ...]] = {
    "deltas": (_deltas,),
    "advantages": (_advantages, _rloo_or_grpo),
    "returns": (_returns,),
    "mc_returns": (_mc_returns,),
    "mc_advantages": (_mc_advantages,),
    "rewards": (_rewards,),
    "whitened": (_whitened,),
    "terms": (_terms,),
    "unclipped": (_terms,),
    "clipped": (_clipped,),
    "objective_terms": (_objective_terms,),
    "max_sq_err": (_max_sq_err,),
    "k2": (_k2,),
    "k3": (_k3,),
    "mean": (_mean_of("advantages"),),
    "surrogate": (_mean_of("terms", "unclipped"),),
    "objective": (_mean_of("objective_terms"),),
    "vf_loss": (_half_mean,),
}


def follows(name: str, t: int, stated: float, tolerance: float, beside: Beside) -> bool:
    """Whether some of the stated numbers around it give a stated number, at the digits shown."""
    return any(abs(x - stated) <= tolerance + 1e-9 for way in WAYS.get(name, ()) for x in way(beside, t))
