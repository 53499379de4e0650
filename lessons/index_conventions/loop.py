"""What learners claim of the loop and of who stands beside whom: lastgaelam, nextvalues, what a number reaches."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, sequences
from engine.batches import critic_values
from engine.example import RUNNING
from engine.scenario import Scenario
from engine.slices import sees
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed
from lessons.index_conventions.steps import HERE, PROMPT, RESPONSE, example, moved

LAM = Fraction(str(RUNNING.lam))


def _collected() -> tuple[list[Fraction], list[Fraction]]:
    """What the loop holds before each step, and the advantages in the order in which it finds them."""
    held, found, last = [], [], Fraction(0)
    for delta in reversed(example()["deltas"]):
        held.append(last)
        last = Fraction(formulas.gae_step(delta, last, Fraction(1), LAM))
        found.append(last)
    return held, found


def _taken_in_its_state(_: Scenario) -> Judged:
    """The tokens before token t make s_t; with it they make the next state."""
    tokens = RUNNING.tokens or ()
    before, after = tokens[:HERE], tokens[: HERE + 1]
    same = (*before, tokens[HERE]) == after
    return Judged(holds(same and len(before) == HERE), {"t": HERE, "before": len(before), "after": len(after)})


def _needs_the_next_token(_: Scenario) -> Judged:
    """Whether the next value, the latest thing in δ_t, has seen the next token."""
    row = sees(PROMPT, RESPONSE)[HERE]
    return Judged(holds(bool(row[HERE])), {"t": HERE - 1, "own": int(row[HERE - 1]), "next": int(row[HERE])})


def _holds_the_next(_: Scenario) -> Judged:
    held, right = _collected()[0], example()["advantages"]
    return Judged(holds(close(held[::-1], [*right[1:], 0])), {"held": held[-1], "next": right[1], "own": right[0]})


def _shifted_left(_: Scenario) -> Judged:
    values = example()["values"]
    following = sequences.next_values(values)
    return Judged(holds(close(following, [*values[1:], 0])), {"values": values, "next": following})


def _must_be_reversed(_: Scenario) -> Judged:
    found, right = _collected()[1], example()["advantages"]
    return Judged(
        holds(close(found[::-1], right) and not close(found, right)), {"first": right[0], "collected": found[0]}
    )


def _count_differently(_: Scenario) -> Judged:
    """At which place the critic is read for token t, and at which the actor's logits that predict it stand."""
    whole = list(range(PROMPT + RESPONSE))
    critic = critic_values([whole], RESPONSE)[0][HERE]
    actor = next(p for p in whole if p + 1 == whole[-RESPONSE:][HERE])
    return Judged(holds(critic != actor), {"t": HERE, "critic": critic, "actor": actor})


def _later_ones_move(_: Scenario) -> Judged:
    found = moved("advantages", "values", HERE)
    return Judged(holds(max(found) > HERE), {"here": HERE, "moved": found})


def _less_the_next_value(_: Scenario) -> Judged:
    found = example()
    shifted = formulas.advantage(found["returns"][0], found["values"][1])
    return Judged(holds(shifted == found["advantages"][0]), {"right": found["advantages"][0], "shifted": shifted})


def _one_later_is_better(_: Scenario) -> Judged:
    """What the name t + 1 says of when a reward comes, and what the name t says of whose it is."""
    come = [len((RUNNING.tokens or ())[: t + 1]) for t in range(RUNNING.length)]  # tokens written when it is paid
    columns = list(range(len(example()["rewards"])))
    says_when, says_whose = come == [t + 1 for t in columns], columns == list(range(RUNNING.length))
    return Judged(weighed(says_when, says_whose), {"come": come, "columns": columns})


def _returns_up_to_it(_: Scenario) -> Judged:
    found = moved("mc_returns", "rewards", HERE)
    return Judged(holds(found == list(range(HERE + 1))), {"here": HERE, "moved": found})


def _first_return(_: Scenario) -> Judged:
    found = example()
    whole = sum(found["rewards"])
    return Judged(
        holds(close(found["mc_returns"][0], whole)),
        {"first": found["mc_returns"][0], "whole": whole, "second": found["mc_returns"][1]},
    )


def _last_stored_is_terminal(_: Scenario) -> Judged:
    values = example()["values"]
    after = sequences.next_values(values)[-1]
    return Judged(holds(values[-1] == after), {"last": values[-1], "after": after})


def _log_prob_of_its_token(_: Scenario) -> Judged:
    """How many response tokens the place that predicts token t has read, and whether token t is one of them."""
    row = sees(PROMPT, RESPONSE)[HERE]
    return Judged(holds(sum(row) == HERE and not row[HERE]), {"t": HERE, "seen": int(sum(row)), "own": int(row[HERE])})


def _less_the_next_return(_: Scenario) -> Judged:
    found = example(gamma=0.5)
    g, half = found["mc_returns"], Fraction(1, 2)
    left = [a - half * b for a, b in zip(g, [*g[1:], 0], strict=True)]
    return Judged(
        holds(close(left, found["rewards"])),
        {"gamma": half, "g": g[0], "next": g[1], "left": left[0], "reward": found["rewards"][0]},
    )


def _less_the_decayed_next(_: Scenario) -> Judged:
    found = example()
    a = found["advantages"]
    left = [x - LAM * y for x, y in zip(a, [*a[1:], 0], strict=True)]
    return Judged(
        holds(close(left, found["deltas"])), {"a": a[0], "next": a[1], "left": left[0], "delta": found["deltas"][0]}
    )


def _one_column(_: Scenario) -> Judged:
    """Take one column of the four lists: do they fit together in the definitions of that step?"""
    found = example()
    r, v, a, ret = (found[name][HERE] for name in ("rewards", "values", "advantages", "returns"))
    delta = formulas.td_error(r, v, found["values"][HERE + 1], Fraction(1))
    fits = close(formulas.critic_target(a, v), ret) and close(delta, found["deltas"][HERE])
    return Judged(holds(fits), {"t": HERE, "r": r, "v": v, "a": a, "ret": ret})


def _delta_after_the_end(_: Scenario) -> Judged:
    count = len(example()["deltas"])
    return Judged(holds(count > RUNNING.length), {"count": count, "T": RUNNING.length})


def _whole_response(_: Scenario) -> Judged:
    tokens = RUNNING.tokens or ()
    states = [tokens[:t] for t in range(len(tokens) + 1)]
    return Judged(
        holds(states[-1] == tokens and states[-2] != tokens), {"last": len(states[-1]), "before": len(states[-2])}
    )


LOOP: dict[str, Check] = {
    "four_lists_are_read_at_one_column": _one_column,
    "there_is_a_delta_after_the_last_token": _delta_after_the_end,
    "final_state_holds_the_whole_response": _whole_response,
    "first_return_is_from_the_prompt": _first_return,
    "values_minus_one_is_the_terminal_value": _last_stored_is_terminal,
    "log_prob_t_is_of_token_t_given_state_t": _log_prob_of_its_token,
    "return_less_discounted_next_is_the_reward": _less_the_next_return,
    "advantage_less_decayed_next_is_delta": _less_the_decayed_next,
    "action_t_is_taken_in_state_t": _taken_in_its_state,
    "delta_needs_the_next_token": _needs_the_next_token,
    "lastgaelam_holds_the_next_advantage": _holds_the_next,
    "nextvalues_is_values_shifted_left": _shifted_left,
    "collected_advantages_must_be_reversed": _must_be_reversed,
    "actor_and_critic_count_differently": _count_differently,
    "value_moves_later_advantages": _later_ones_move,
    "advantage_is_return_less_next_value": _less_the_next_value,
    "naming_the_reward_one_later_is_better": _one_later_is_better,
    "reward_moves_returns_up_to_its_token": _returns_up_to_it,
}
