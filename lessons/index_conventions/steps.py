"""What learners claim of single indices: which neighbour a formula reads, how many terms, where the ends are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.batches import critic_values
from engine.conventions import TRL, VERL_NEW, Rollout, run
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario
from engine.slices import sees
from engine.world import mean_deltas, one_late, small
from lessons._checks import whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds

PROMPT, RESPONSE = 4, 3  # tokens
HERE = 2  # the token that is looked at
HALF, ONE = Fraction(1, 2), Fraction(1)


def example(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, RUNNING.merged(changes))


def raised(name: str, t: int) -> dict[str, Any]:
    """The example with one number at t one higher."""
    row = [float(x) + float(i == t) for i, x in enumerate(example()[name])]
    return example(scores=None, rewards=row) if name == "rewards" else example(**{name: row})


def moved(name: str, by: str, t: int) -> list[int]:
    """At which indices one list moves with a number of another."""
    pairs = zip(example()[name], raised(by, t)[name], strict=True)
    return [i for i, (a, b) in enumerate(pairs) if not close(a, b)]


def _returns_are_the_actions(_: Scenario) -> Judged:
    """Which V makes R of A at the same index: the state's own."""
    found = example()
    own = [formulas.advantage(r, a) for r, a in zip(found["returns"], found["advantages"], strict=True)]
    return Judged(
        holds(not close(own, found["values"])), {"r": found["returns"][0], "a": found["advantages"][0], "v": own[0]}
    )


def _backwards(_: Scenario) -> Judged:
    right = example()["advantages"]
    forwards = mistakes.run("index_runs_forwards", RUNNING).exact["advantages"]
    return Judged(holds(not close(right, forwards)), {"right": right[0], "forwards": forwards[0]})


def _suttons_delta(_: Scenario) -> Judged:
    """R_{t+1} + γV(S_{t+1}) − V(S_t), the rewards named one later."""
    found = example()
    named = dict(enumerate(found["rewards"], start=1))
    after = sequences.next_values(found["values"])
    suttons = [formulas.td_error(named[t + 1], v, after[t], ONE) for t, v in enumerate(found["values"])]
    return Judged(holds(close(suttons, found["deltas"])), {"sutton": suttons[0], "verl": found["deltas"][0]})


def _stored_one_later(_: Scenario) -> Judged:
    """A list with the reward of token t at t + 1, read at t + 1: the same returns."""
    found = example()
    stored = [0, *found["rewards"]]
    read = [stored[t + 1] for t in range(RUNNING.length)]
    returns = sequences.mc_returns(read, ONE)
    return Judged(holds(close(returns, found["mc_returns"])), {"stored": returns[0], "own": found["mc_returns"][0]})


def _returns_start_later(_: Scenario) -> Judged:
    touched = moved("mc_returns", "rewards", HERE)
    return Judged(holds(HERE not in touched), {"t": HERE, "touched": touched})


def _mask_is_the_tokens(_: Scenario) -> Judged:
    """With one place masked: which entry drops out of the batch's mean."""
    mask = [float(t != HERE) for t in range(RUNNING.length)]
    found = exact_facts(quantities.gae, RUNNING.merged({"mask": mask}))["advantages"]
    out = [t for t, a in enumerate(found) if a is None]
    return Judged(holds(out == [HERE]), {"t": HERE, "out": out})


def _loss_pairs_equal_indices(_: Scenario) -> Judged:
    returns = example()["returns"]
    errors = [
        sum(formulas.squared_error(v, r) for v, r in zip(row, returns, strict=True))
        for row in (returns, [*returns[1:], returns[0] * 0])
    ]
    return Judged(holds(errors[0] == 0 and errors[1] > 0), {"same": errors[0], "shifted": errors[1]})


def _sum_ends(first: int) -> Check:
    """Whether the sum over l runs to T − t when tokens are counted from `first`."""

    def check(_: Scenario) -> Judged:
        tokens = range(first, first + RESPONSE)
        ends = [tokens[-1] - t for t in tokens]  # the largest l with a token t + l
        said = [RESPONSE - t for t in tokens]
        return Judged(holds(ends == said), {"T": RESPONSE, "first": first, "ends": ends, "said": said})

    return check


def _compares_after_with_before(_: Scenario) -> Judged:
    own, after = sees(PROMPT, RESPONSE)[1], sees(PROMPT, RESPONSE)[2]
    return Judged(holds(own[1] == 0 and after[1] == 1), {"before": own[1], "after": after[1]})


def _previous_value(_: Scenario) -> Judged:
    touched = moved("deltas", "values", HERE - 1)
    return Judged(holds(HERE in touched), {"t": HERE, "raised": HERE - 1, "touched": touched})


def _previous_advantage(_: Scenario) -> Judged:
    """Whether a change of the first token's reward, and so of its A, goes on to the later ones."""
    touched = moved("advantages", "rewards", 0)
    return Judged(holds(touched != [0]), {"touched": touched})


def _not_the_same_moment(_: Scenario) -> Judged:
    """Another token at the place: its V stays, its reward moves."""
    logp = [x - float(t == HERE) for t, x in enumerate(RUNNING.rows("logp")[0])]
    own, other = (
        exact_facts(quantities.kl_rewards, RUNNING.merged({"kl_values": None, "logp": row}))["rewards"][HERE]
        for row in (RUNNING.rows("logp")[0], logp)
    )
    seen = sees(PROMPT, RESPONSE)[HERE][HERE]
    return Judged(holds(seen == 0 and own != other), {"before": own, "after": other, "seen": seen})


def _trl_counts_alike(_: Scenario) -> Judged:
    def program(x: Inputs) -> dict[str, Any]:
        rollout = Rollout(quantities.rewards(x), x["values"], x.mask)
        found = [run(rollout, c, gamma=x["gamma"], lam=x["lam"]).advantages for c in (VERL_NEW, TRL)]
        return {"verl": found[0], "trl": found[1]}

    found = exact_facts(program, RUNNING)
    return Judged(holds(close(found["verl"], found["trl"])), {"verl": found["verl"][0], "trl": found["trl"][0]})


def _whitening_repairs(_: Scenario) -> Judged:
    right, wrong = whitened(), whitened(program=mistakes.MISTAKES["values_shift_right"].program)
    return Judged(holds(close(right, wrong)), {"right": float(right[0]), "wrong": float(wrong[0])})


def _mean_delta_reveals(_: Scenario) -> Judged:
    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        return {"right": mean_deltas(world), "late": mean_deltas(world, one_late)}

    found = exact_facts(program, Scenario())
    return Judged(holds(not any(found["right"]) and any(found["late"])), found)


def _moves_along(_: Scenario) -> Judged:
    """The rewards one place on: are the advantages the same list one place on?"""
    right = example()["advantages"]
    wrong = mistakes.run("reward_index_later", RUNNING).exact["advantages"]
    return Judged(holds(close(wrong[:-1], right[1:])), {"right": right[1], "wrong": wrong[0]})


def _after_the_previous(_: Scenario) -> Judged:
    row = sees(PROMPT, RESPONSE)[HERE]
    read = critic_values([list(range(PROMPT + RESPONSE))], RESPONSE)[0][HERE]
    return Judged(
        holds(row[HERE - 1] == 1 and row[HERE] == 0 and read == PROMPT + HERE - 1), {"t": HERE, "seen": sum(row)}
    )


def _appends(_: Scenario) -> Judged:
    tokens = RUNNING.tokens or ()
    states = [tokens[:t] for t in range(len(tokens) + 1)]
    same = all((*states[t], tokens[t]) == states[t + 1] for t in range(len(tokens)))
    return Judged(holds(same), {"before": len(states[HERE]), "after": len(states[HERE + 1])})


STEPS: dict[str, Check] = {
    "returns_belong_to_the_action": _returns_are_the_actions,
    "loop_runs_backwards": _backwards,
    "suttons_delta_is_the_same": _suttons_delta,
    "reward_stored_one_later_is_the_same_reward": _stored_one_later,
    "returns_start_at_the_next_reward": _returns_start_later,
    "mask_shares_the_tokens_index": _mask_is_the_tokens,
    "value_loss_pairs_equal_indices": _loss_pairs_equal_indices,
    "sum_ends_at_length_less_index_counting_from_one": _sum_ends(1),
    "sum_ends_at_length_less_index_counting_from_zero": _sum_ends(0),
    "delta_compares_after_with_before": _compares_after_with_before,
    "delta_reads_the_previous_value": _previous_value,
    "advantage_reads_the_previous_advantage": _previous_advantage,
    "same_index_is_not_the_same_moment": _not_the_same_moment,
    "trl_and_verl_count_alike": _trl_counts_alike,
    "whitening_repairs_an_off_by_one": _whitening_repairs,
    "mean_delta_reveals_a_shift": _mean_delta_reveals,
    "moved_rewards_only_move_the_advantages": _moves_along,
    "value_is_the_one_after_the_previous_token": _after_the_previous,
    "next_state_appends_the_token": _appends,
}
