"""What is said of returns without the condition it turns on: λ, γ, the rewards, the critic, where the KL is put."""

from __future__ import annotations

from engine import sequences
from engine.fork import small_world
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, rational, revalued, rewarded, trial
from lessons._turns import always, either_way
from lessons.returns_identity.checks import MORE
from lessons.returns_identity.further import FURTHER
from lessons.returns_identity.grid import GRID

VALUES = ("1/4", "1/2", "3/4")
END = outcome(3)
SPIKE = ("0", "0", "5", "0")  # one value that is far too high, in the middle


def _ends(lam_below: str = "1/2") -> tuple[Trial, Trial]:
    """The same response with λ below one and at one."""
    return trial(END, VALUES, lam_below), trial(END, VALUES, 1)


def _monte_carlo(_: Scenario) -> Judged:
    below, one = _ends()
    return judged(
        [t.returns == t.mc_returns for t in (below, one)], below=below.returns, one=one.returns, mc=one.mc_returns
    )


def _turns_on_lambda(_: Scenario) -> Judged:
    below, one = _ends()
    return judged(
        one.returns == one.mc_returns and below.returns != below.mc_returns,
        below=below.returns, one=one.returns, mc=one.mc_returns,
    )  # fmt: skip


def _hold_values(_: Scenario) -> Judged:
    """By how much the first return moves when a later value is raised by one."""
    moves = [revalued(t, 1).returns[0] - t.returns[0] for t in _ends()]
    return judged([move != 0 for move in moves], below=moves[0], one=moves[1], lam=HALF)


def _later_values_tell_them_apart(_: Scenario) -> Judged:
    below, _one = _ends()
    other = revalued(below, 1)
    moved = apart(other.returns, below.returns)
    return judged(
        any(moved) and other.mc_returns == below.mc_returns, moved=moved, mc=apart(other.mc_returns, below.mc_returns)
    )


def _rise(_: Scenario) -> Judged:
    """Discounted with a prize at the end; a reward at each token."""
    later, gains = trial(END, VALUES, 1, HALF).returns, trial([1, 1, 1], VALUES).returns
    return judged([r == sorted(set(r)) for r in (later, gains)], later=later, gains=gains, gamma=HALF)


def _positive(_: Scenario) -> Judged:
    gains, costs = trial([1, 1, 1], VALUES).returns, trial([-1, -1, -1], VALUES).returns
    return judged([min(r) > 0 for r in (gains, costs)], gains=gains, costs=costs)


def _plain_recursion(_: Scenario) -> Judged:
    below, one = _ends()
    sums = [t.rewards[0] + t.gamma * t.returns[1] for t in (below, one)]
    firsts = [t.returns[0] for t in (below, one)]
    return judged([s == r for s, r in zip(sums, firsts, strict=True)], sums=sums, firsts=firsts, lam=HALF)


def _one_step(_: Scenario) -> Judged:
    found = [trial(END, VALUES, lam) for lam in (0, HALF)]
    step = found[0].rewards[0] + found[0].values[1]
    firsts = [t.returns[0] for t in found]
    return judged([r == step for r in firsts], step=step, zero=firsts[0], half=firsts[1], lam=HALF)


def _monte_carlo_advantage(_: Scenario) -> Judged:
    below, one = _ends()
    own = [apart(t.returns, t.values) for t in (below, one)]
    return judged([a == one.mc_advantages for a in own], below=own[0], one=own[1], mc=one.mc_advantages, lam=HALF)


def _always_with_lambda(_: Scenario) -> Judged:
    """λ from zero to one, where the end is better than expected and where it is worse."""
    found = {}
    for name, score in (("good", 1), ("bad", 0)):
        found[name] = [trial(outcome(3, score), ["1/2"] * 3, lam).returns[0] for lam in (0, 1)]
    return judged(all(high > low for low, high in found.values()), **found)


def _always_with_gamma(_: Scenario) -> Judged:
    found = {}
    for name, score in (("prize", 1), ("fine", -1)):
        found[name] = [trial(outcome(3, score), [0] * 3, 1, gamma).returns[0] for gamma in (HALF, ONE)]
    return judged(all(high > low for low, high in found.values()), **found)


def _above_advantages(_: Scenario) -> Judged:
    """R − A is V: with values above zero, and below."""
    gaps = {name: apart(t.returns, t.advantages) for name, t in (
        ("above", trial(END, VALUES)), ("below", trial([-1, -1, -1], ["-3", "-2", "-1"])),
    )}  # fmt: skip
    return judged(all(min(gap) > 0 for gap in gaps.values()), **gaps)


def _hold_the_kl(_: Scenario) -> Judged:
    """The first return with the KL taken off the rewards; and with it kept for the loss."""
    scored, charged = trial(END, VALUES), trial([*rational(["-1/10", "-1/10"]), ONE], VALUES)
    loss = trial(END, VALUES)
    moves = [t.returns[0] != scored.returns[0] for t in (charged, loss)]
    return judged(moves, plain=scored.returns[0], charged=charged.returns[0])


def _between(_: Scenario) -> Judged:
    """The first return beside its two ends: in a short response, and past a value that is far too high."""
    found = {}
    for name, rewards, values in (("short", outcome(2), VALUES[:2]), ("spike", [NONE] * 4, SPIKE)):
        found[name] = [trial(rewards, values, lam).returns[0] for lam in (0, HALF, 1)]
    inside = [min(r[0], r[-1]) <= r[1] <= max(r[0], r[-1]) for r in found.values()]
    return judged(inside, lam=HALF, **found)


def _equal_the_score(_: Scenario) -> Judged:
    cases = {"one": trial(END, VALUES), "below": trial(END, VALUES, HALF), "less": trial(END, VALUES, 1, HALF)}
    return judged([set(t.returns) == {ONE} for t in cases.values()], **{name: t.returns for name, t in cases.items()})


def _reach(_: Scenario) -> Judged:
    """What one more at the end adds to the first return."""
    zero, half = (rewarded(t, -1).returns[0] - t.returns[0] for t in (trial(END, VALUES, 0), trial(END, VALUES, HALF)))
    return judged([move != 0 for move in (zero, half)], zero=zero, half=half, lam=HALF)


def _approximate(_: Scenario) -> Judged:
    """A + V beside R of its own recursion, for a critic that is far off."""
    wild = trial(END, ["7", "-5", "9"], HALF)
    sums = [a + v for a, v in zip(wild.advantages, wild.values, strict=True)]
    own = sequences.lambda_returns(wild.rewards, wild.values, wild.gamma, wild.lam)
    return judged(sums != own, sums=sums, r=own, v=wild.values)


def _moves_every_return(_: Scenario) -> Judged:
    moves = apart(*(t.returns for t in _ends()))
    return judged(all(moves), moves=moves)


def _unbiased_for_q(_: Scenario) -> Judged:
    world = small_world().exact
    means = [world["mean"], world["mean_with_wrong_critic"]]
    return judged([m == world["q"] for m in means], q=world["q"], right=means[0], wrong=means[1])


def _exceed_monte_carlo(_: Scenario) -> Judged:
    """Critics that promise too little and too much, at λ of one half; and at λ of one."""
    low, high = (trial(END, [said] * 3, HALF).returns[0] for said in (0, 2))
    one = trial(END, [2] * 3, 1)
    return judged([r > one.mc_returns[0] for r in (low, high, one.returns[0])], low=low, high=high, one=one.returns[0])


def _same_sign(_: Scenario) -> Judged:
    found = {name: trial(END, [said] * 3) for name, said in (("under", HALF), ("over", 2))}
    pairs = {name: [t.returns[0], t.advantages[0]] for name, t in found.items()}
    return judged([r * a > 0 for r, a in pairs.values()], **pairs)


def _last_value_moves(_: Scenario) -> Judged:
    rows = [trial(END, VALUES, lam) for lam in (0, HALF, 1)]
    moves = [revalued(t, -1).returns[0] - t.returns[0] for t in rows]
    return judged([move != 0 for move in moves], moves=moves)


TURNS_ON: dict[str, Check] = {
    "returns_are_monte_carlo_returns": _monte_carlo,
    "monte_carlo_or_not_turns_on_lambda": _turns_on_lambda,
    "returns_hold_later_values": _hold_values,
    "later_values_enter_returns_and_not_monte_carlo": _later_values_tell_them_apart,
    "returns_rise_along_the_response": _rise,
    "returns_are_positive": _positive,
    "returns_are_summed_backwards": _plain_recursion,
    "returns_are_one_step_targets": _one_step,
    "less_value_they_are_monte_carlo_advantages": _monte_carlo_advantage,
    "larger_lambda_always_means_larger_return": _always_with_lambda,
    "larger_gamma_always_means_larger_return": _always_with_gamma,
    "returns_are_always_above_advantages": _above_advantages,
    "the_kl_is_in_the_returns": _hold_the_kl,
    "the_return_is_between_its_two_ends": _between,
    "every_return_is_the_score": _equal_the_score,
    "a_later_reward_reaches_the_return": _reach,
    "every_return_is_always_the_score": always(_equal_the_score),
    "a_later_reward_always_reaches_the_return": always(_reach),
    "returns_always_hold_the_kl": always(_hold_the_kl),
    "whether_returns_read_the_critic_turns_on_lambda": either_way(_hold_values),
    "returns_exceed_monte_carlo_returns": _exceed_monte_carlo,
    "returns_have_the_sign_of_advantages": _same_sign,
    "a_positive_return_means_a_positive_advantage": always(_same_sign),
    "the_last_value_moves_the_first_return": _last_value_moves,
    "a_higher_next_value_always_raises_the_return": always(MORE["raising_the_next_value_raises_the_return"]),
    "no_reward_always_means_no_return": always(MORE["no_reward_means_no_return"]),
    "doubling_rewards_always_doubles_returns": always(FURTHER["doubling_rewards_doubles_returns"]),
    "first_return_is_always_the_total_reward": always(FURTHER["first_return_is_the_total_reward"]),
    "returns_are_always_larger_than_values": always(GRID["returns_are_larger_than_values"]),
    "returns_are_always_unbiased": always(FURTHER["is_unbiased"]),
    "the_identity_is_only_approximate": _approximate,
    "lambda_moves_every_return": _moves_every_return,
    "returns_are_unbiased_for_q": _unbiased_for_q,
}
