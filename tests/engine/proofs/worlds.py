"""Random situations in which theorems must hold: real responses, vocabularies and groups, run through the engine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from engine import formulas, sequences
from engine.ops import exp, log
from engine.readings.exact import Decimal
from tests.engine.proofs.evaluation import World

Overrides = dict[str, Fraction]


def _number(rng: Random, low: int = -20, high: int = 20) -> Fraction:
    return Fraction(rng.randint(low, high), 10)


def _unit(rng: Random) -> Fraction:
    return Fraction(rng.randint(1, 10), 10)


def _at(row: list[Any], beyond: Any = Fraction(0)) -> Callable[[int], Any]:
    return lambda i: row[i] if i < len(row) else beyond


def _advantages(rewards: list[Any], values: list[Any], gamma: Any, lam: Any) -> list[Any]:
    return sequences.gae_advantages(sequences.deltas(rewards, values, gamma), gamma, lam)


def response(rng: Random, given: Overrides, rewards: Any = None, values: Any = None) -> World:
    """A response of T tokens, token t of it, and token k; n, m and j count tokens around them."""
    length = rng.randint(3, 6)
    gamma, lam = given.get("gamma", _unit(rng)), given.get("lam", _unit(rng))
    t, k = rng.randint(0, length - 2), rng.randint(1, length - 2)
    surprise, outcome = _number(rng), _number(rng)
    v = [_number(rng) for _ in range(length)]
    r = [_number(rng) for _ in range(length)]
    if rewards == "foreseen":
        deltas = [Fraction(0)] * length
        deltas[t] = surprise
        r = [d - e for d, e in zip(deltas, sequences.deltas([0] * length, v, gamma), strict=True)]
    if rewards == "outcome":
        r = [Fraction(0)] * (length - 1) + [outcome]
    if values == "exact":
        v = sequences.mc_returns(r, gamma)
    symbols = {
        "T": length,
        "t": t,
        "k": k,
        "m": rng.randint(0, k),
        "j": rng.randint(1, k),
        "E": rng.randint(t, length),
        "N": length - t,
        "gamma": gamma,
        "lam": lam,
        "surprise": surprise,
        "outcome": outcome,
        "leftover": _number(rng),
    }
    quantities = {
        "rewards": _at(r),
        "values": _at(v),
        "deltas": _at(sequences.deltas(r, v, gamma)),
        "advantages": _at(_advantages(r, v, gamma, lam)),
        "mc_returns": _at(sequences.mc_returns(r, gamma)),
        "returns": _at(sequences.lambda_returns(r, v, gamma, lam)),
        "n_step_returns": lambda i, end: sequences.n_step_return(r, v, gamma, i, end - i),
        "n_step_advantages": lambda n: sequences.n_step_advantages(r, v, gamma, t)[n - 1],
    }
    return World({name: Fraction(x) for name, x in symbols.items()}, quantities)


def _rows(world: World) -> tuple[list[Fraction], list[Fraction], Fraction, Fraction]:
    length = int(world.symbols["T"])
    rewards, values = ([world.quantities[name](i) for i in range(length)] for name in ("rewards", "values"))
    return rewards, values, world.symbols["gamma"], world.symbols["lam"]


def _extended(world: World, symbols: dict[str, Any], quantities: dict[str, Any]) -> World:
    return World({**world.symbols, **symbols}, {**world.quantities, **quantities}, world.irrational)


def foreseen(rng: Random, given: Overrides) -> World:
    world = response(rng, given, rewards="foreseen")
    later = world.symbols["T"] - world.symbols["t"] - 1
    return world.with_symbols(j=Fraction(rng.randint(1, int(later))))


def shaped(rng: Random, given: Overrides) -> World:
    return response(rng, given, values="exact")


def outcome(rng: Random, given: Overrides) -> World:
    world = response(rng, given, rewards="outcome", values="exact")
    length = int(world.symbols["T"])
    extra = {"group_mean": _number(rng), "group_std": _unit(rng), "epsilon": _unit(rng)}
    return _extended(world, {"m": Fraction(rng.randint(0, length - 1)), **extra}, {})


def short_of_end(rng: Random, given: Overrides) -> World:
    """One n-step advantage is left after N."""
    world = response(rng, given)
    return world.with_symbols(N=world.symbols["T"] - world.symbols["t"] - 1)


def perturbed(rng: Random, given: Overrides) -> World:
    """Advantages are affine in each reward and value: a derivative is what one unit more changes."""
    world = response(rng, given)
    rewards, values, gamma, lam = _rows(world)
    k = int(world.symbols["k"])

    def change(program: Callable[[list[Fraction], list[Fraction]], list[Fraction]], row: str) -> list[Fraction]:
        more = {"rewards": list(rewards), "values": list(values)}
        more[row][k] += 1
        return [b - a for a, b in zip(program(rewards, values), program(**more), strict=True)]

    def advantages(rewards: list[Fraction], values: list[Fraction]) -> list[Fraction]:
        return _advantages(rewards, values, gamma, lam)

    def deltas(rewards: list[Fraction], values: list[Fraction]) -> list[Fraction]:
        return sequences.deltas(rewards, values, gamma)

    changes = {
        f"{name}_by_{row[:-1]}": _at(change(program, row))
        for name, program in (("advantages", advantages), ("deltas", deltas))
        for row in ("rewards", "values")
    }
    return _extended(world, {}, changes)


def perturbed_later(rng: Random, given: Overrides) -> World:
    world = perturbed(rng, given)
    return world.with_symbols(j=Fraction(rng.randint(1, int(world.symbols["T"] - world.symbols["k"]))))


def leaking(rng: Random, given: Overrides) -> World:
    """The recursion run over one position more, where the critic's value was left."""
    world = response(rng, given)
    rewards, values, gamma, lam = _rows(world)
    leftover = _number(rng)
    longer = ([*rewards, Fraction(0)], [*values, leftover])
    quantities = {
        "unmasked_values": _at(longer[1]),
        "leaky_deltas": _at(sequences.deltas(*longer, gamma)),
        "leaky_advantages": _at(_advantages(*longer, gamma, lam)),
    }
    last = int(world.symbols["T"]) - 1
    return _extended(world, {"value_after_end": leftover, "m": Fraction(rng.randint(0, last))}, quantities)


def noisy(rng: Random, given: Overrides, *, by_token: bool = False) -> World:
    """Every reward goes up or down by a spread of its own, independently and equally often: all outcomes are run."""
    world = response(rng, given)
    rewards, values, gamma, lam = _rows(world)
    common = _unit(rng)
    spreads = [_unit(rng) if by_token else common for _ in rewards]
    outcomes = [
        [r + side * spread for r, side, spread in zip(rewards, sides, spreads, strict=True)]
        for sides in product((-1, 1), repeat=len(rewards))
    ]

    def variance(program: Callable[[list[Fraction]], list[Fraction]]) -> Callable[[int], Fraction]:
        columns = list(zip(*(program(outcome) for outcome in outcomes), strict=True))
        means = [sum(column) / len(column) for column in columns]
        return _at([sum((x - mu) ** 2 for x in c) / len(c) for c, mu in zip(columns, means, strict=True)])

    quantities = {
        "reward_variances": _at([spread**2 for spread in spreads]),
        "delta_variances": variance(lambda r: sequences.deltas(r, values, gamma)),
        "advantage_variances": variance(lambda r: _advantages(r, values, gamma, lam)),
    }
    return _extended(world, {"reward_variance": common**2}, quantities)


def noisy_by_token(rng: Random, given: Overrides) -> World:
    return noisy(rng, given, by_token=True)


def noisy_decimal(rng: Random, given: Overrides) -> World:
    world = noisy(rng, given, by_token=True)
    symbols = {name: Decimal(x.numerator) / x.denominator for name, x in world.symbols.items()}
    spread = world.quantities["reward_variances"]
    return World(symbols, {"reward_variances": lambda i: Decimal(spread(i).numerator) / spread(i).denominator}, True)


def biased(rng: Random, given: Overrides) -> World:
    """The critic is off by an error of its own at every token."""
    world = response(rng, given)
    rewards, values, gamma, lam = _rows(world)
    errors = [_number(rng) for _ in values]
    wrong = [v + e for v, e in zip(values, errors, strict=True)]

    def shift(program: Callable[[list[Fraction]], list[Fraction]]) -> Callable[[int], Fraction]:
        return _at([b - a for a, b in zip(program(values), program(wrong), strict=True)])

    quantities = {
        "value_errors": _at(errors),
        "delta_biases": shift(lambda v: sequences.deltas(rewards, v, gamma)),
        "advantage_biases": shift(lambda v: _advantages(rewards, v, gamma, lam)),
    }
    return _extended(world, {}, quantities)


def _distribution(rng: Random, size: int) -> list[Fraction]:
    weights = [rng.randint(1, 9) for _ in range(size)]
    return [Fraction(w, sum(weights)) for w in weights]


def vocabulary(rng: Random, given: Overrides) -> World:
    size = rng.randint(2, 5)
    p = _distribution(rng, size)
    rewards, rest, after = ([_number(rng) for _ in p] for _ in range(3))
    following = [formulas.critic_target(a, b) for a, b in zip(after, rest, strict=True)]
    gamma = given.get("gamma", _unit(rng))
    exact = sum(x * formulas.mc_step(r, v, gamma) for x, r, v in zip(p, rewards, following, strict=True))
    without = gamma * sum(x * v for x, v in zip(p, following, strict=True))
    rows = {
        "probabilities": p,
        "reward_of_token": rewards,
        "expected_next_reward": after,
        "value_without_reward_after_token": rest,
        "value_after_token": following,
    }
    symbols = {"N": Fraction(size), "gamma": gamma, "value": exact, "value_without_reward": without}
    return World(symbols, {name: _at(row) for name, row in rows.items()})


def environment(rng: Random, given: Overrides, outcomes: int | None = None) -> World:
    """What may come after one token: chances, rewards and values by outcome, and the mean reward."""
    chances = _distribution(rng, outcomes or rng.randint(2, 5))
    rewards, after = ([_number(rng) for _ in chances] for _ in range(2))
    mean = sum(p * r for p, r in zip(chances, rewards, strict=True))
    symbols = {"N": Fraction(len(chances)), "gamma": given.get("gamma", _unit(rng)), "mean_reward": mean}
    rows = {"outcome_chances": chances, "outcome_rewards": rewards, "outcome_values": after}
    return World(symbols, {name: _at(row) for name, row in rows.items()})


def certain(rng: Random, given: Overrides) -> World:
    return environment(rng, given, outcomes=1)


def policies(rng: Random, _: Overrides) -> World:
    """A policy that moves with θ, and a reference."""
    size = rng.randint(2, 5)
    start, ref = ([Decimal(x.numerator) / x.denominator for x in _distribution(rng, size)] for _ in range(2))
    slopes = [Decimal(rng.randint(-9, 9)) for _ in start]

    def probability(a: int, theta: Any = 0) -> Any:
        weights = [x * exp(slope * Decimal(theta)) for x, slope in zip(start, slopes, strict=True)]
        return weights[a] / sum(weights)

    logp, ref_logp = (log(Decimal(rng.randint(1, 99)) / 100) for _ in range(2))
    symbols = {"N": Decimal(size), "theta": Decimal(rng.randint(-5, 5)) / 10, "logp": logp, "ref_logp": ref_logp}
    return World(symbols, {"probabilities": probability, "ref_probabilities": _at(ref)}, True)


def samples(rng: Random, given: Overrides) -> World:
    size = rng.randint(2, 6)
    x = [Decimal(rng.randint(-20, 20)) / 7 for _ in range(size)]
    mean = sum(x) / size
    variance = sum(formulas.squared_error(y, mean) for y in x) / (size - 1)
    epsilon = int(given.get("epsilon", 1)) * Decimal(1) * rng.randint(0, 3) / 5
    a, b = (Decimal(rng.randint(-20, 20)) / 7 for _ in range(2))
    symbols = {
        "N": Decimal(size),
        "mean": mean,
        "variance": variance,
        "epsilon": epsilon,
        "advantage": a,
        "other_advantage": b,
        "slope": Decimal(rng.randint(1, 9)) / 3,
        "shift": b,
        "k": Decimal(rng.randrange(size)),
        "value": a + b,
        "whitened_advantage": formulas.whiten(a, mean, variance, epsilon) if variance + epsilon else Decimal(0),
    }
    values = [Decimal(rng.randint(-20, 20)) / 9 for _ in x]
    return World(symbols, {"samples": _at(x), "values": _at(values)}, True)


def first_step(rng: Random, _: Overrides) -> World:
    slope, theta = (Decimal(rng.randint(-9, 9)) / 10 for _ in range(2))

    def new_logp(theta: Any) -> Any:
        return -1 + slope * theta - theta**2 / 10

    symbols = {"theta": theta, "old_logp": new_logp(theta), "advantage": Decimal(rng.randint(-9, 9)) / 10}
    return World(symbols, {"new_logp": new_logp}, True)


def scalars(rng: Random, _: Overrides) -> World:
    """Numbers for the clip and the value loss, in which derivatives can be taken."""

    def unit(low: int, high: int) -> Any:
        return Decimal(rng.randint(low, high)) / 10

    symbols = {
        "ratio": unit(1, 50),
        "advantage": unit(-20, 20),
        "floor": unit(11, 40),
        "eps_low": unit(0, 9),
        "eps_high": unit(0, 9),
        "cliprange_value": unit(0, 9),
        "vpred": unit(-20, 20),
        "old_value": unit(-20, 20),
        "return": unit(-20, 20),
    }
    return World(symbols, {}, True)


def grouped(rng: Random, _: Overrides) -> World:
    """One of several responses to a prompt, and the others."""
    scores = [_number(rng) for _ in range(rng.randint(2, 6))]
    means = [sum(scores[:i] + scores[i + 1 :]) / (len(scores) - 1) for i in range(len(scores))]
    symbols = {"N": len(scores), "i": rng.randrange(len(scores)), "group_mean": sum(scores) / len(scores)}
    return World(symbols, {"group_rewards": _at(scores), "baselines": _at(means)})


def regressed(rng: Random, _: Overrides) -> World:
    """One prediction for several targets, in which derivatives can be taken."""
    p = [Decimal(x.numerator) / x.denominator for x in _distribution(rng, rng.randint(2, 5))]
    targets = [Decimal(rng.randint(-20, 20)) / 7 for _ in p]
    symbols = {"N": Decimal(len(p)), "vpred": Decimal(rng.randint(-20, 20)) / 10}
    return World(symbols, {"probabilities": _at(p), "return_of_token": _at(targets)}, True)


BY_MODULE: dict[str, Callable[[Random, Overrides], World]] = {
    "telescoping": response,
    "monte_carlo": response,
    "returns": response,
    "lambda_one": response,
    "news": noisy_by_token,
    "mixture": response,
    "advantage_sums": response,
    "sensitivities": perturbed,
    "bellman": vocabulary,
    "ownership": environment,
    "value_shape": shaped,
    "kl": policies,
    "whitening": samples,
    "whitened_targets": samples,
    "surrogate": first_step,
    "clipping": scalars,
    "value_loss": scalars,
    "regression": regressed,
    "leak": leaking,
    "variance": noisy,
    "groups": outcome,
}
BY_NAME: dict[str, Callable[[Random, Overrides], World]] = {
    "certain_outcome_has_its_own_reward_as_mean": certain,
    "later_returns_are_values_if_later_deltas_vanish": foreseen,
    "later_monte_carlo_is_value_if_later_deltas_vanish": foreseen,
    "lambda_return_is_monte_carlo_if_later_deltas_vanish": foreseen,
    "next_n_step_advantage_adds_one_delta": short_of_end,
    "later_advantages_ignore_reward": perturbed_later,
    "later_advantages_ignore_value": perturbed_later,
    "expected_value_changes_by_expected_reward": vocabulary,
    "outcome_reward_reaches_back_discounted": outcome,
    "gae_variance_is_sum_of_squared_weights": noisy_by_token,
    "gae_variance_grows_with_lambda": noisy_decimal,
    "gae_bias_of_a_wrong_value": biased,
    "gae_bias_is_own_error_at_lambda_one": biased,
    "rloo_is_rescaled_mean_baseline": grouped,
}
