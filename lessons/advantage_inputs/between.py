"""What learners say of an advantage's ingredients: who is compared with whom, what is discounted, which sign counts."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._checks import alone
from lessons._fact import Check, Judged, holds
from lessons._row import moved, row
from lessons._trials import raised
from lessons._weighed import weighed

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")
LAM, GAMMA = "0.5", "0.5"


def _advantages(
    rewards: tuple[str, ...] | list[Fraction] = REWARDS,
    values: tuple[str, ...] | list[Fraction] = VALUES,
    gamma: str = "1",
    lam: str = LAM,
) -> list[Fraction]:
    return list(row(rewards, values, gamma=gamma, lam=lam)["advantages"])


def _place_discounts(_: Scenario) -> Judged:
    """A token without any surprise in front: the others stand one place later."""
    before = _advantages(gamma=GAMMA)
    front = Fraction(GAMMA) * Fraction(VALUES[0])
    after = _advantages(("0", *REWARDS), (str(front), *VALUES), gamma=GAMMA)
    return Judged(holds(after[1:] != before), {"gamma": Fraction(GAMMA), "before": before, "after": after[1:]})


def _divided_by_length(_: Scenario) -> Judged:
    short, long = _advantages(REWARDS[-1:], VALUES[-1:]), _advantages()
    return Judged(
        holds(short[-1] != long[-1]), {"few": len(short), "many": len(long), "short": short[-1], "long": long[-1]}
    )


def _sparse_is_enough(_: Scenario) -> Judged:
    rewards = ["0", "0", "1"]
    found = _advantages(tuple(rewards))
    return Judged(holds(all(found)), {"r": [Fraction(r) for r in rewards], "a": found})


def _no_negative_rewards(_: Scenario) -> Judged:
    """Costs on the way: A plus V is still what comes."""
    rewards = ("-0.5", "-0.25", "-1")
    found = row(rewards, VALUES, lam="1")
    same = found["returns"] == found["mc_returns"]
    return Judged(holds(not same), {"r": found["rewards"], "a": found["advantages"], "made": found["returns"]})


def _next_reward_weighs(_: Scenario) -> Judged:
    after = _advantages(raised(REWARDS, 1), gamma=GAMMA, lam=LAM)
    found = moved(after, _advantages(gamma=GAMMA, lam=LAM))[0]
    return Judged(
        holds(found == Fraction(GAMMA) * Fraction(LAM)),
        {"gamma": Fraction(GAMMA), "lam": Fraction(LAM), "moved": found},
    )


def _next_value_weighs(_: Scenario) -> Judged:
    lam = "0.25"
    after = _advantages(values=raised(VALUES, 1), gamma=GAMMA, lam=lam)
    found = moved(after, _advantages(gamma=GAMMA, lam=lam))[0]
    return Judged(
        holds(found == Fraction(GAMMA) * (1 - Fraction(lam))),
        {"gamma": Fraction(GAMMA), "lam": Fraction(lam), "moved": found},
    )


def _next_outweighs_the_own(_: Scenario) -> Judged:
    """How far the first advantage moves with its own value and with the next one."""
    lams = ("0", "0.5", "1")
    own, following = (
        [abs(moved(_advantages(values=raised(VALUES, k), lam=lam), _advantages(lam=lam))[0]) for lam in lams]
        for k in (0, 1)
    )
    return Judged(
        holds(any(b > a for a, b in zip(own, following, strict=True))),
        {"lams": [Fraction(lam) for lam in lams], "own": own, "following": following},
    )


def _first_value_is_the_baseline(_: Scenario) -> Judged:
    """The prompt's value raised: whose advantage moves."""
    found = moved(_advantages(values=raised(VALUES, 0)), _advantages())
    return Judged(holds(all(found)), {"moved": found})


def _relative_to_the_others(_: Scenario) -> Judged:
    """One token does better: whether the others of the response look worse for it."""
    found = moved(_advantages(raised(REWARDS, 0)), _advantages())
    return Judged(holds(min(found) < 0), {"moved": found})


def _exceeds_rewards(_: Scenario) -> Judged:
    found = row(("1", "1", "1"), ("0", "0", "0"), lam="1")
    return Judged(
        holds(max(found["advantages"]) > max(found["rewards"])), {"r": found["rewards"], "a": found["advantages"]}
    )


def _better_score_larger(_: Scenario) -> Judged:
    """A better score under the same values, and one that was foreseen beside a worse one that was not."""
    low, high = (_advantages(("0", score), ("0.5", "0.5"))[-1] for score in ("0.5", "1"))
    foreseen, unforeseen = _advantages(("1",), ("0.9",))[0], _advantages(("0.5",), ("0.1",))[0]
    return Judged(
        weighed(high > low, foreseen < unforeseen),
        {"low": low, "high": high, "foreseen": foreseen, "unforeseen": unforeseen},
    )


def _values_are_a_baseline_only(_: Scenario) -> Judged:
    """A later value raised: the first advantage at λ one and below."""
    one, below = (moved(_advantages(values=raised(VALUES, 1), lam=x), _advantages(lam=x))[0] for x in ("1", LAM))
    return Judged(weighed(one == 0, below != 0), {"one": one, "below": below, "lam": Fraction(LAM)})


def _can_be_negative(_: Scenario) -> Judged:
    found = _advantages(("0",), ("0.5",))[0]
    return Judged(holds(found < 0), {"v": Fraction("0.5"), "a": found})


def _prompts_value_is_read(_: Scenario) -> Judged:
    found = moved(_advantages(values=raised(VALUES, 0)), _advantages())[0]
    return Judged(holds(found != 0), {"moved": found})


def _two_steps_on(_: Scenario) -> Judged:
    """The value two places on, between the ends of λ."""
    found = moved(_advantages(values=raised(VALUES, 2)), _advantages())[0]
    return Judged(holds(found > 0), {"lam": Fraction(LAM), "moved": found})


def _doubled_values(_: Scenario) -> Judged:
    plain, doubled = _advantages(), _advantages(values=[2 * Fraction(v) for v in VALUES])
    return Judged(holds(doubled == [2 * a for a in plain]), {"plain": plain, "doubled": doubled})


def _negated(_: Scenario) -> Judged:
    plain = _advantages()
    turned = _advantages([-Fraction(r) for r in REWARDS], [-Fraction(v) for v in VALUES])
    return Judged(holds(turned == [-a for a in plain]), {"plain": plain, "turned": turned})


def _gamma_at_lambda_one(_: Scenario) -> Judged:
    one, less = (_advantages(gamma=g, lam="1")[0] for g in ("1", GAMMA))
    return Judged(holds(one != less), {"one": one, "less": less, "gamma": Fraction(GAMMA)})


def _random(_: Scenario) -> Judged:
    found = [_advantages()[0] for _ in range(3)]
    return Judged(holds(len(set(found)) > 1), {"found": found})


def _whitened(advantages: list[Fraction]) -> list[float]:
    found = alone("whiten", advantages=[float(a) for a in advantages])["whitened"]
    return [round(float(a), 4) for a in found]


def _scale_matters(_: Scenario) -> Judged:
    """Rewards and values a hundredfold: before whitening and after."""
    rewards, values = ([100 * Fraction(x) for x in xs] for xs in (REWARDS, VALUES))
    plain, large = _advantages(), _advantages(rewards, values)
    white = [_whitened(xs) for xs in (plain, large)]
    return Judged(
        weighed(plain != large, white[0] == white[1]),
        {"plain": plain[0], "large": large[0], "white": white[0][0], "white_large": white[1][0]},
    )


def _shift_matters(_: Scenario) -> Judged:
    """One more at the end, unforeseen and foreseen by every value."""
    plain, more = _advantages(), raised(REWARDS, 2)
    unforeseen, foreseen = _advantages(more), _advantages(more, [Fraction(v) + 1 for v in VALUES])
    return Judged(
        weighed(unforeseen != plain, foreseen == plain),
        {"plain": plain, "unforeseen": unforeseen, "foreseen": foreseen},
    )


def _batch_matters(_: Scenario) -> Judged:
    """One response beside another: its first advantage as it comes out of GAE, and after whitening."""
    rewards, values = [[0, 0, 1], [0, 0, 5]], [[0.5, 0.25, 0.75]] * 2
    own = alone("gae", rewards=rewards[0], values=values[0], gamma=1, lam=0.5)["advantages"]
    both = alone("gae", rewards=rewards, values=values, gamma=1, lam=0.5)["advantages"]
    white = _whitened(own)[0]
    among = round(float(alone("whiten", advantages=[[float(a) for a in one] for one in both])["whitened"][0][0]), 4)
    found = {"own": own[0], "both": both[0][0], "white": white, "among": among}
    return Judged(weighed(white != among, own[0] == both[0][0]), found)


def _mean_is_zero(_: Scenario) -> Judged:
    raw = _advantages()
    white = abs(round(sum(_whitened(raw)), 3))
    mean = sum(raw, Fraction(0)) / len(raw)
    return Judged(weighed(white == 0, mean != 0), {"mean": mean, "white": white})


def _mask_is_needed(_: Scenario) -> Judged:
    """Whitening with one padded place and with none, the mask regarded and disregarded."""
    padded, full = [1.0, 2.0, 4.0, 99.0], [1.0, 2.0, 4.0]
    with_mask, without = alone("whiten", advantages=padded, mask=[1, 1, 1, 0]), alone("whiten", advantages=padded)
    all_ones, none = alone("whiten", advantages=full, mask=[1, 1, 1]), alone("whiten", advantages=full)
    first = [round(float(found["whitened"][0]), 4) for found in (with_mask, without, all_ones, none)]
    return Judged(weighed(first[0] != first[1], first[2] == first[3]), {"padded": first[:2], "full": first[2:]})


def _probability(_: Scenario) -> Judged:
    found = row(("0", "1", "1"), ("0.9", "0.1", "0.2"), lam="1")["advantages"]
    return Judged(holds(min(found) >= 0 and max(found) <= 1), {"a": found})


def _own_reward_less_value(_: Scenario) -> Judged:
    made = [Fraction(r) - Fraction(v) for r, v in zip(REWARDS, VALUES, strict=True)]
    return Judged(holds(made == _advantages()), {"made": made, "a": _advantages()})


def _change_of_value(_: Scenario) -> Judged:
    values = [Fraction(v) for v in VALUES]
    made = [after - v for v, after in zip(values, [*values[1:], Fraction(0)], strict=True)]
    return Judged(holds(made == _advantages()), {"made": made, "a": _advantages()})


BETWEEN: dict[str, Check] = {
    "own_place_discounts_the_advantage": _place_discounts,
    "advantages_are_divided_by_the_length": _divided_by_length,
    "sparse_rewards_are_enough": _sparse_is_enough,
    "rewards_must_not_be_negative": _no_negative_rewards,
    "next_reward_weighs_gamma_lambda": _next_reward_weighs,
    "next_value_weighs_gamma_times_one_less_lambda": _next_value_weighs,
    "next_value_outweighs_the_own": _next_outweighs_the_own,
    "baseline_is_the_prompts_value": _first_value_is_the_baseline,
    "advantage_is_relative_to_the_other_tokens": _relative_to_the_others,
    "advantage_may_exceed_every_reward": _exceeds_rewards,
    "the_better_scored_response_has_larger_advantages": _better_score_larger,
    "values_are_a_baseline_and_nothing_else": _values_are_a_baseline_only,
    "advantages_can_be_negative": _can_be_negative,
    "first_advantage_reads_the_prompts_value": _prompts_value_is_read,
    "value_two_steps_on_raises_the_advantage": _two_steps_on,
    "doubled_values_double_the_advantages": _doubled_values,
    "negated_inputs_negate_the_advantages": _negated,
    "gamma_matters_at_lambda_one": _gamma_at_lambda_one,
    "advantages_are_random_given_the_inputs": _random,
    "reward_scale_matters_to_the_advantages": _scale_matters,
    "a_shift_of_the_score_changes_the_advantages": _shift_matters,
    "advantages_depend_on_the_batch": _batch_matters,
    "advantages_have_mean_zero": _mean_is_zero,
    "the_mask_is_needed": _mask_is_needed,
    "advantage_is_a_probability": _probability,
    "advantage_is_own_reward_less_own_value": _own_reward_less_value,
    "advantage_is_the_change_of_value": _change_of_value,
}
