"""More of what learners claim about indices: where counting starts, what shares a token's index, what a slip does."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.slices import sees
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds

PROMPT, RESPONSE = 4, 3  # tokens
HERE = 2  # the token that is looked at


def _found(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def _raised(name: str, t: int) -> list[float]:
    return [x + float(i == t) for i, x in enumerate(RUNNING.rows(name)[0])]


def _rewards_with_kl_raised(t: int) -> list[Any]:
    """The KL is given as a list: with log-probabilities it would be computed from them."""
    found = _found(kl_values=_raised("kl_values", t), logp=None, ref_logp=None)["rewards"]
    return list(found)


def _moved(before: list[Any], after: list[Any]) -> list[int]:
    return [t for t, (a, b) in enumerate(zip(before, after, strict=True)) if not close(a, b)]


def _zero_is_the_prompts_first(_: Scenario) -> Judged:
    """Whose choice the number at index 0 is: a change of the first response token's KL."""
    moved = _moved(_found()["rewards"], _rewards_with_kl_raised(0))
    return Judged(holds(moved != [0]), {"index": moved[0], "T": RUNNING.length})


def _last_index_is_one_less(_: Scenario) -> Judged:
    found = _found()["rewards"]
    last = found.index(found[-1])
    return Judged(holds(last == len(found) - 1), {"last": last, "T": len(found)})


def _log_probs_share_the_index(_: Scenario) -> Judged:
    new = RUNNING.merged({"new_logp": [x - float(t == HERE) for t, x in enumerate(RUNNING.rows("new_logp")[0])]})
    before, after = (exact_facts(quantities.surrogate, own)["terms"] for own in (RUNNING, new))
    moved = _moved(before, after)
    return Judged(holds(moved == [HERE]), {"t": HERE, "moved": moved[0]})


def _kl_shares_the_index(_: Scenario) -> Judged:
    moved = _moved(_found()["rewards"], _rewards_with_kl_raised(HERE))
    return Judged(holds(moved == [HERE]), {"t": HERE, "moved": moved[0]})


def _delta_takes_the_next_reward(_: Scenario) -> Judged:
    right = _found()["deltas"]
    wrong = mistakes.run("reward_index_later", RUNNING).exact["deltas"]
    return Judged(holds(close(right, wrong)), {"right": right[-1], "wrong": wrong[-1]})


def _a_slip_is_harmless(_: Scenario) -> Judged:
    right = _found()["advantages"][0]
    wrong = mistakes.run("values_shift_right", RUNNING).exact["advantages"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _state_holds_its_token(_: Scenario) -> Judged:
    row = sees(PROMPT, RESPONSE)[HERE]
    return Judged(holds(bool(row[HERE])), {"t": HERE, "seen": sum(row)})


def _counting_changes_numbers(_: Scenario) -> Judged:
    """The recursion with everything named 1 … T, beside the one that counts from 0."""
    found = _found()
    tokens = range(1, RUNNING.length + 1)
    r, v = (dict(zip(tokens, found[name], strict=True)) for name in ("rewards", "values"))
    named = sequences.gae_advantages(
        sequences.deltas([r[t] for t in tokens], [v[t] for t in tokens], rational(1.0)), rational(1.0), rational(0.95)
    )
    return Judged(holds(named != found["advantages"]), {"one": named[0], "zero": found["advantages"][0]})


def _own_reward_is_discounted(_: Scenario) -> Judged:
    """How G_0 moves with r_0 and with r_1 at γ = ½."""
    rewards = [float(r) for r in _found()["rewards"]]
    plain = _found(gamma=0.5)["mc_returns"][0]
    own, following = (
        _found(gamma=0.5, scores=None, rewards=[r + float(i == t) for i, r in enumerate(rewards)])["mc_returns"][0]
        - plain
        for t in (0, 1)
    )
    return Judged(holds(own != 1), {"own": own, "next": following})


def _next_reward_belongs_to_next_value(_: Scenario) -> Judged:
    """R_{t+1} = r_{t+1} + …: the return at the next token no longer holds r_t."""
    rewards = [float(r) for r in _found()["rewards"]]
    more = _found(scores=None, rewards=[rewards[0] + 1, *rewards[1:]])
    before, after = _found()["mc_returns"], more["mc_returns"]
    return Judged(holds(before[1] != after[1]), {"own": after[0] - before[0], "next": after[1] - before[1]})


def _advantage_reads_own_and_next(_: Scenario) -> Judged:
    """At λ = 0: with which V the advantage at one index moves."""
    plain = _found(lam=0.0)["advantages"][HERE]
    moves = [
        t for t in range(RUNNING.length) if _found(lam=0.0, values=_raised("values", t))["advantages"][HERE] != plain
    ]
    return Judged(holds(moves == [HERE, HERE + 1]), {"t": HERE, "moves": moves})


def _target_belongs_to_the_next_value(_: Scenario) -> Judged:
    """R_t = A_t + V_t: whether it is A_t + V_{t+1}."""
    found = _found()
    shifted = found["advantages"][0] + found["values"][1]
    return Judged(holds(close(found["returns"][0], shifted)), {"target": found["returns"][0], "shifted": shifted})


MORE: dict[str, Check] = {
    "index_zero_is_the_prompts_first_token": _zero_is_the_prompts_first,
    "last_index_is_length_less_one": _last_index_is_one_less,
    "log_probability_shares_the_advantages_index": _log_probs_share_the_index,
    "kl_at_t_is_taken_from_the_same_token": _kl_shares_the_index,
    "delta_takes_the_next_reward": _delta_takes_the_next_reward,
    "off_by_one_is_harmless": _a_slip_is_harmless,
    "state_t_contains_token_t": _state_holds_its_token,
    "counting_from_one_changes_the_numbers": _counting_changes_numbers,
    "own_reward_is_discounted_in_the_return": _own_reward_is_discounted,
    "next_return_still_holds_this_reward": _next_reward_belongs_to_next_value,
    "td_error_reads_own_and_next_value": _advantage_reads_own_and_next,
    "critic_target_is_advantage_plus_next_value": _target_belongs_to_the_next_value,
}
