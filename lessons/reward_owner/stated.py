"""What else learners state of the reward: what it is not, where it comes from, what it moves, and what it should be."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine import formulas, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import changed
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row
from lessons._weighed import weighed
from lessons.reward_owner.judged import HERE
from lessons.reward_owner.shares import NONE, ONE, example, returns_of

SHOWN = 3  # tokens
SHORT, LONG = 6, 200


def _raised() -> dict[str, Any]:
    """The example with one more paid to one token."""
    return example(scores=None, rewards=changed([float(r) for r in example()["rewards"]], HERE, 1.0))


def _moved(name: str) -> list[int]:
    pairs = zip(example()[name], _raised()[name], strict=True)
    return [t for t, (a, b) in enumerate(pairs) if not close(a, b)]


def _own_delta_only(_: Scenario) -> Judged:
    return Judged(holds(_moved("deltas") == [HERE]), {"here": HERE, "moved": _moved("deltas")})


def _same_as(other: str) -> Check:
    """Whether the rewards are that list too."""

    def check(_: Scenario) -> Judged:
        found = example()
        r, x = found["rewards"], found[other]
        return Judged(holds(close(list(r), list(x))), {"r": r[:SHOWN], "x": x[:SHOWN]})

    return check


def _change_of_value(_: Scenario) -> Judged:
    found = example()
    steps = [b - a for a, b in pairwise(found["values"])]
    return Judged(holds(close(steps, found["rewards"][:-1])), {"r": found["rewards"][:SHOWN], "x": steps[:SHOWN]})


def _from_the_critic(_: Scenario) -> Judged:
    before, after = (example(values=[v] * RUNNING.length)["rewards"][-1] for v in (0.0, 0.9))
    return Judged(holds(before != after), {"before": before, "after": after})


def _first_has_none(_: Scenario) -> Judged:
    return Judged(holds(example()["rewards"][0] == 0), {"r": example()["rewards"][0]})


def _bare() -> dict[str, Any]:
    """The example with no KL in its rewards."""
    return example(beta=0.0)


def _only_the_paid_one(_: Scenario) -> Judged:
    found = _bare()
    paid, felt = ([t for t, x in enumerate(found[name]) if x != 0] for name in ("rewards", "advantages"))
    return Judged(holds(paid == felt), {"paid": paid, "felt": felt})


def _score_moves_the_last(_: Scenario) -> Judged:
    scores = list(RUNNING.rows("scores")[0])
    pairs = zip(example()["rewards"], example(scores=[*scores[:-1], 3.0])["rewards"], strict=True)
    moved = [t for t, (a, b) in enumerate(pairs) if a != b]
    return Judged(holds(moved == [RUNNING.length - 1]), {"moved": moved})


def _one_for_one(_: Scenario) -> Judged:
    before, after = example()["advantages"][HERE], _raised()["advantages"][HERE]
    return Judged(holds(close(after - before, ONE)), {"before": before, "after": after})


def _values_move(_: Scenario) -> Judged:
    return Judged(holds(bool(_moved("values"))), {"moved": _moved("returns"), "v": example()["values"][HERE]})


def _right_means_positive(_: Scenario) -> Judged:
    """The rewards of a response that got its score."""
    rewards = example()["rewards"]
    return Judged(holds(min(rewards) > 0), {"score": RUNNING.rows("scores")[0][-1], "least": min(rewards)})


def _sum_is_the_return(_: Scenario) -> Judged:
    found = example(gamma=1)
    total = sum(found["rewards"])
    return Judged(holds(close(total, found["mc_returns"][0])), {"total": total, "g": found["mc_returns"][0]})


def _end_is_enough(_: Scenario) -> Judged:
    """What of a score at the end reaches the first token's advantage: of a short response, and of a long one."""
    short, long = (formulas.discounted(ONE, fraction("0.95"), n - 1) for n in (SHORT, LONG))
    shares = [round(float(x), 6) for x in (short, long)]
    return Judged(
        weighed(shares[0] > 0.5, shares[1] < 0.01), {"shares": shares, "few": SHORT, "many": LONG, "lam": 0.95}
    )


def _fines(_: Scenario) -> Judged:
    """A fine for wrong answers instead of nothing: with a value that knows the mean, and with a discount."""
    plain, fined = ([formulas.advantage(s, m) for s in scores] for scores, m in _scored(NONE, -ONE))
    gaps = [a[0] - a[1] for a in (plain, fined)]
    early, late = (sequences.mc_returns([*[NONE] * n, -ONE], fraction("0.9"))[0] for n in (2, 8))
    return Judged(weighed(gaps[1] > gaps[0], late > early), {"gaps": gaps, "early": early, "late": late})


def _scored(*wrong: Fraction) -> list[tuple[tuple[Fraction, Fraction], Fraction]]:
    """Scores of a right and a wrong answer, and their mean, for each price of the wrong one."""
    return [((ONE, w), (ONE + w) / 2) for w in wrong]


def _paid_is_pushed_up(_: Scenario) -> Judged:
    """A reward that was expected in full: what is left of it in the advantage."""
    rewards = [NONE, ONE / 2, ONE]
    found = row(rewards, returns_of(*rewards))["advantages"]
    return Judged(holds(found[1] > 0), {"r": rewards[1], "a": found[1]})


def _beta_zero_first() -> Any:
    return exact_facts(quantities.kl_rewards, RUNNING.merged({"beta": 0.0}))["rewards"][0]


def _reads_beta(_: Scenario) -> Judged:
    """The first token's reward with β and without."""
    found = example()["rewards"][0]
    return Judged(holds(found == _beta_zero_first()), {"with_kl": found, "without": _beta_zero_first()})


STATED: dict[str, Check] = {
    "a_reward_enters_its_own_delta_only": _own_delta_only,
    "reward_counts_what_comes_later": _same_as("mc_returns"),
    "reward_is_the_advantage": _same_as("advantages"),
    "delta_is_the_reward": _same_as("deltas"),
    "reward_is_the_value": _same_as("values"),
    "reward_is_the_change_of_value": _change_of_value,
    "rewards_come_from_the_critic": _from_the_critic,
    "the_first_token_has_no_reward": _first_has_none,
    "only_the_rewarded_token_has_an_advantage": _only_the_paid_one,
    "another_score_changes_the_last_reward_only": _score_moves_the_last,
    "one_more_reward_is_one_more_advantage": _one_for_one,
    "rewards_change_the_values_of_the_batch": _values_move,
    "right_answers_have_positive_rewards_only": _right_means_positive,
    "rewards_add_up_to_the_first_return": _sum_is_the_return,
    "a_paid_token_is_always_reinforced": _paid_is_pushed_up,
    "token_rewards_do_not_depend_on_beta": _reads_beta,
    "a_score_at_the_end_is_enough": _end_is_enough,
    "wrong_answers_should_be_fined": _fines,
}
