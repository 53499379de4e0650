"""Cases: one response each, drawn under what is supposed of it, with everything that a step of PPO computes of it.

What is given can be moved, and what is computed can be set; the rest follows anew.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from engine import formulas, ops, sequences
from engine.drawn import Number, Response

LENGTHS = (2, 3, 4, 6)
EACH = 40  # cases of each length
RATES = ("gamma", "lam")
ESTIMATORS = {
    "k1": formulas.k1,
    "k2": formulas.k2,
    "k3": lambda own, ref: Fraction(formulas.k3(float(own), float(ref))),
    "abs": formulas.abs_kl,
}
COMMON = ("gamma", "lam", "beta", "eps", "cliprange_value")  # one number for all tokens


@dataclass(frozen=True)
class Setting:
    """What is supposed of every case."""

    rates: tuple[tuple[str, Fraction], ...] = ()
    inner: frozenset[str] = frozenset()  # rates strictly below 1
    rewards: str = "free"  # positive, negative, end, good_end, bad_end, zero: of every token; right, wrong: the score
    amount: Fraction | None = None  # each reward, or the one at the end
    critic: str = "free"  # exact: what really comes, nothing left to chance; zero
    penalty: bool = True  # whether a KL penalty is taken off
    estimator: str = "k1"
    fixed: tuple[tuple[str, Fraction], ...] = ()  # computed quantities that are set


@dataclass(frozen=True)
class Case:
    """What goes in, and what is set of what would be computed."""

    given: Mapping[str, Any]
    estimator: str = "k1"
    exact: bool = False
    set_to: Mapping[str, Sequence[Number]] = field(default_factory=dict)

    @property
    def length(self) -> int:
        return len(self.given["scores"])

    @cached_property
    def response(self) -> Response:
        rates = {name: self.given[name] for name in RATES}
        return Response(_Lists(self), rates)

    def moved(self, name: str, at: int, by: Fraction) -> Case | None:
        """The case with one quantity higher at one token: a rate nearer to 1, a log-probability nearer to 0."""
        if name in RATES:
            before = self.given[name]
            return None if before == 1 else Case({**self.given, name: (1 + before) / 2}, self.estimator, self.exact)
        if name in COMMON:
            return Case({**self.given, name: self.given[name] * (1 + by)}, self.estimator, self.exact)
        numbers = list(self.response.lists[name])
        if numbers[at] is None:
            return None
        numbers[at] = numbers[at] / 2 if name in _LOGS else numbers[at] + by
        if name in self.given:
            return Case({**self.given, name: numbers}, self.estimator, self.exact)
        return Case(self.given, self.estimator, self.exact, {name: numbers})


_LOGS = ("logp", "ref_logp", "new_logp")


class _Lists(dict[str, list[Number]]):
    """What a step computes of a case: a part of it when it is first asked for."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.given = case.given
        self._case = case
        for name, x in case.given.items():
            if name != "values" or not case.exact:
                self.put(name, x if isinstance(x, list) else [x] * case.length)

    def put(self, name: str, numbers: Sequence[Number]) -> None:
        self[name] = list(self._case.set_to.get(name, numbers))

    def together(self, *names: str) -> zip[tuple[Number, ...]]:
        return zip(*(self[name] for name in names), strict=True)

    def __missing__(self, name: str) -> list[Number]:
        _PART_OF[name](self, self._case)
        return self[name]


def _rewards(lists: _Lists, case: Case) -> None:
    pairs = list(lists.together("logp", "ref_logp"))
    for name, estimate in ESTIMATORS.items():
        lists.put(name, [estimate(*pair) for pair in pairs])
    lists.put("kl_values", lists[case.estimator])
    lists.put("penalty", [case.given["beta"] * x for x in lists["kl_values"]])
    lists.put("rewards", [score - off for score, off in lists.together("scores", "penalty")])


def _advantages(lists: _Lists, case: Case) -> None:
    rewards, gamma = lists["rewards"], case.given["gamma"]
    lists.put("mc_returns", sequences.mc_returns(rewards, gamma))
    if case.exact:
        lists.put("values", lists["mc_returns"])
    values = lists["values"]
    lists.put("next_values", [*values[1:], Fraction(0)])
    lists.put("deltas", sequences.deltas(rewards, values, gamma))
    lists.put("advantages", sequences.gae_advantages(lists["deltas"], gamma, case.given["lam"]))
    lists.put("returns", sequences.critic_targets(lists["advantages"], values))
    lists.put("mc_advantages", sequences.mc_advantages(lists["mc_returns"], values))
    lists.put("excess", [lists["mc_returns"][0] - values[0]] * case.length)
    for name, added in (("delta_sum", "deltas"), ("advantage_sum", "advantages"), ("reward_sum", "rewards")):
        lists.put(name, [sum(lists[added])] * case.length)


def _whitened(lists: _Lists, case: Case) -> None:
    advantages = lists["advantages"]
    mean = sum(advantages) / case.length
    std = statistics.stdev(map(float, advantages))
    lists.put("mean", [mean] * case.length)
    lists.put("whitened", [float(x - mean) / std if std else None for x in advantages])


def _ratios(lists: _Lists, _case: Case) -> None:
    lists.put("old_logp", lists["logp"])
    for side in ("", "ref_", "old_", "new_"):
        lists.put(f"{side}prob", [ops.exp(float(x)) for x in lists[f"{side}logp"]])
    lists.put("log_ratio", [new - old for new, old in lists.together("new_logp", "logp")])
    lists.put("ratio", [ops.exp(float(x)) for x in lists["log_ratio"]])


def _objective(lists: _Lists, case: Case) -> None:
    pairs = list(lists.together("ratio", "advantages"))
    eps = case.given["eps"]
    lists.put("surrogate", [formulas.surrogate_term(r, a) for r, a in pairs])
    lists.put("objective", [formulas.ppo_objective(r, a, eps, eps) for r, a in pairs])
    lists.put("policy_loss", [-x for x in lists["objective"]])
    lists.put("surrogate_gradient", [r * a for r, a in pairs])  # with respect to log π
    lists.put("policy_gradient", [0 if _clipped(r, a, eps) else r * a for r, a in pairs])


def _clipped(ratio: Number, advantage: Number, eps: Number) -> bool:
    return bool(formulas.clipped_term(ratio, advantage, eps, eps) < formulas.surrogate_term(ratio, advantage))


def _critic(lists: _Lists, case: Case) -> None:
    wide = case.given["cliprange_value"]
    rows = list(lists.together("vpreds", "old_values", "returns"))
    lists.put("vf_loss", [formulas.value_loss_term(formulas.squared_error(new, ret)) for new, _, ret in rows])
    lists.put(
        "clipped_vf_loss",
        [formulas.value_loss_term(formulas.value_error(new, old, ret, wide)) for new, old, ret in rows],
    )
    lists.put("value_gradient", [_slope(new, old, ret, wide) for new, old, ret in rows])


def _slope(new: Number, old: Number, ret: Number, wide: Number) -> Number:
    """The derivative of the clipped value loss: none where the clipped error is the larger one, outside the range."""
    held = abs(new - old) > wide and formulas.value_error(new, old, ret, wide) > formulas.squared_error(new, ret)
    return 0 if held else new - ret


def _group(lists: _Lists, _case: Case) -> None:
    scores = lists["group_scores"]
    mean, std = sum(scores) / len(scores), statistics.stdev(map(float, scores))
    others = [formulas.leave_one_out(sum(scores), score, len(scores)) for score in scores]
    lists.put("group_mean", [mean] * len(scores))
    lists.put("group_advantages", [float(x - mean) / std if std else 0 for x in scores])
    lists.put("loo_advantages", [x - other for x, other in zip(scores, others, strict=True)])


_PART_OF = {
    **dict.fromkeys((*ESTIMATORS, "kl_values", "penalty", "rewards"), _rewards),
    **dict.fromkeys(("mc_returns", "values", "next_values", "deltas", "advantages", "returns"), _advantages),
    **dict.fromkeys(("mc_advantages", "excess", "delta_sum", "advantage_sum", "reward_sum"), _advantages),
    **dict.fromkeys(("mean", "whitened"), _whitened),
    **dict.fromkeys(("old_logp", "prob", "ref_prob", "old_prob", "new_prob", "log_ratio", "ratio"), _ratios),
    **dict.fromkeys(("surrogate", "objective", "policy_loss", "surrogate_gradient", "policy_gradient"), _objective),
    **dict.fromkeys(("vf_loss", "clipped_vf_loss", "value_gradient"), _critic),
    **dict.fromkeys(("group_mean", "group_advantages", "loo_advantages"), _group),
}


@lru_cache(maxsize=32)
def drawn(setting: Setting) -> tuple[Case, ...]:
    chance = random.Random(0)
    return tuple(_drawn(setting, chance, length) for length in LENGTHS for _ in range(EACH))


def _drawn(setting: Setting, chance: random.Random, length: int) -> Case:
    given: dict[str, Any] = {name: _rate(setting, chance, name) for name in RATES}
    given["beta"] = Fraction(chance.randint(1, 18), 19) if setting.penalty else Fraction(0)
    given["eps"], given["cliprange_value"] = (Fraction(chance.randint(2, 10), 19) for _ in range(2))
    for name in _LOGS:
        given[name] = [-Fraction(chance.randint(1, 40), 13) for _ in range(length)]
    given["new_logp"] = [min(old + Fraction(chance.randint(-14, 14), 11), -Fraction(1, 50)) for old in given["logp"]]
    given["values"] = [_guess(chance) if setting.critic == "free" else Fraction(0) for _ in range(length)]
    given["old_values"] = list(given["values"])
    given["vpreds"] = [v + _guess(chance) / 2 for v in given["values"]]
    given["group_scores"] = [Fraction(chance.choice((0, 1))) for _ in range(length)]
    given["scores"] = _scores(setting, chance, given, length)
    fixed = {name: [x] * length for name, x in setting.fixed}
    common = {name: x for name, x in setting.fixed if name in COMMON}
    return Case({**given, **common}, setting.estimator, setting.critic == "exact", fixed)


def _rate(setting: Setting, chance: random.Random, name: str) -> Fraction:
    free, whole = Fraction(chance.randint(3, 18), 19), chance.random() < 0.3
    said = dict(setting.rates).get(name)
    return said if said is not None else Fraction(1) if whole and name not in setting.inner else free


def _some(chance: random.Random) -> Fraction:
    return Fraction(chance.randint(-40, 40), 7)


def _guess(chance: random.Random) -> Fraction:
    """No sum of rewards by accident."""
    return Fraction(2 * chance.randint(-40, 40) + 1, 16)


def _scores(setting: Setting, chance: random.Random, given: Mapping[str, Any], length: int) -> list[Fraction]:
    """The scores from which the rewards come out as they are supposed; those of the response, where only these are."""
    amount = setting.amount
    if setting.rewards in ("right", "wrong"):
        last = Fraction(setting.rewards == "right")
        return [Fraction(0)] * (length - 1) + [last]
    some = [_some(chance) for _ in range(length)]
    size = [amount if amount is not None else abs(x) + Fraction(1, 7) for x in some]
    end = [Fraction(0)] * (length - 1)
    rewards = {
        "free": some,
        "positive": size,
        "negative": [-x if x > 0 else x for x in size],
        "same": size,
        "end": [*end, some[-1] if amount is None else amount],
        "good_end": [*end, size[-1]],
        "bad_end": [*end, -abs(size[-1])],
        "zero": [Fraction(0)] * length,
    }[setting.rewards]
    estimate = ESTIMATORS[setting.estimator]
    off = [given["beta"] * estimate(*pair) for pair in zip(given["logp"], given["ref_logp"], strict=True)]
    return [reward + x for reward, x in zip(rewards, off, strict=True)]
