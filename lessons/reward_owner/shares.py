"""What learners claim of a reward's place: what it depends on, who earned it, what moving or sharing it changes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.ops import log
from engine.proofs.programs import expected
from engine.rewards import place_score
from engine.scenario import Scenario, scenario
from engine.world import World, small
from lessons._compare import close
from lessons._fact import Check, Judged, holds

ONE, NONE = Fraction(1), Fraction(0)
CALL = {"chances": (Fraction(3, 4), Fraction(1, 4)), "rewards": (ONE, NONE), "after": (Fraction(1, 5), Fraction(1, 10))}


def world() -> World:
    return small(lambda _name, x: Fraction(str(x)))


def example(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, RUNNING.merged(changes))


def returns_of(*rewards: Fraction) -> list[Any]:
    return list(sequences.mc_returns(list(rewards), ONE))


def _context_counts(_: Scenario) -> Judged:
    """The same second token after either first one."""
    paid = [world().rewards[(first, 0)] for first in range(2)]
    return Judged(holds(paid[0] != paid[1]), {"paid": paid})


def _score_of_the_whole(_: Scenario) -> Judged:
    """Responses that end alike and begin otherwise: what the last place is paid."""
    paid = [world().rewards[path] for path in ((0, 0), (1, 0))]
    return Judged(holds(paid[0] != paid[1]), {"paid": paid})


def _last_alone_earned_it(_: Scenario) -> Judged:
    """The two tokens' shares in what the best response earns, by Q − V."""
    w = world()
    merits = [formulas.advantage(w.q((), 0), w.value(())), formulas.advantage(w.q((0,), 0), w.value((0,)))]
    return Judged(holds(merits[0] == 0), {"first": merits[0], "last": merits[1]})


def _kl_moved_on(_: Scenario) -> Judged:
    """Every token's KL charged to the next one."""
    own = RUNNING.rows("kl_values")[0]
    right = example(logp=None, ref_logp=None)["advantages"]
    moved = example(kl_values=[0.0, *own[:-1]], logp=None, ref_logp=None)["advantages"]
    return Judged(holds(close(right, moved)), {"right": right[1], "moved": moved[1]})


def _sampled_kl(x: Inputs) -> dict[str, Any]:
    p, q = x.number("p", 0.8), x.number("p", 0.5)
    samples = [log(p) - log(q), log(1 - p) - log(1 - q)]
    return {"samples": samples, "mean": p * samples[0] + (1 - p) * samples[1]}


def _sample_depends_on_the_token(_: Scenario) -> Judged:
    found = exact_facts(_sampled_kl, Scenario())
    return Judged(holds(found["samples"][0] != found["samples"][1]), {"samples": found["samples"]})


def _mean_kl_is_the_states(_: Scenario) -> Judged:
    """The sum over the vocabulary takes no token; its samples differ."""
    found = exact_facts(_sampled_kl, Scenario())
    return Judged(holds(found["mean"] not in found["samples"]), found)


def _behind_the_end(_: Scenario) -> Judged:
    mask = [1, 1, 0, 0]
    placed = place_score(ONE, mask)
    return Judged(holds(any(placed[sum(mask) :])), {"mask": mask, "placed": placed})


def _end_token_is_paid(_: Scenario) -> Judged:
    tokens, mask = ["y", "eos", "pad"], [1, 1, 0]
    placed = place_score(ONE, mask)
    return Judged(holds(placed[tokens.index("eos")] == 1), {"mask": mask, "placed": placed})


def _cut_off_is_unscored(_: Scenario) -> Judged:
    placed = place_score(ONE, [1, 1, 1])
    return Judged(holds(not any(placed)), {"placed": placed})


def _prompt_earns(_: Scenario) -> Judged:
    """One reward for each response token, the prompt's length notwithstanding."""
    count = len(example()["rewards"])
    prompt = len(RUNNING.prompt or "")
    return Judged(holds(count == prompt + RUNNING.length), {"count": count, "T": RUNNING.length, "prompt": prompt})


def _suttons_index_shifts_it(_: Scenario) -> Judged:
    right = example()["mc_returns"]
    wrong = mistakes.run("reward_index_later", RUNNING).exact["mc_returns"]
    return Judged(holds(close(right, wrong)), {"right": right[0], "wrong": wrong[0]})


def _mean_over_outcomes(_: Scenario) -> Judged:
    """r(s, a) so made keeps Q: the mean over what can come back of reward and V."""
    p, r, after = CALL["chances"], CALL["rewards"], CALL["after"]
    mean = expected(p, lambda o: r[o])
    by_outcome = expected(p, lambda o: formulas.mc_step(r[o], after[o], ONE))
    by_mean = expected(p, lambda o: formulas.mc_step(mean, after[o], ONE))
    return Judged(holds(by_outcome == by_mean), {"rewards": list(r), "mean": mean, "q": by_outcome})


def _q_averages(_: Scenario) -> Judged:
    p, r, after = CALL["chances"], CALL["rewards"], CALL["after"]
    each = [formulas.mc_step(x, v, ONE) for x, v in zip(r, after, strict=True)]
    q = expected(p, lambda o: each[o])
    return Judged(holds(q not in each and min(each) < q < max(each)), {"each": each, "q": q})


def _effect_reaches_before_the_tool(_: Scenario) -> Judged:
    """A hole in the middle: the last reward and the token that made the call."""
    rest = {"values": [0.2, 0.3, 0.9, 0.4], "mask": [1, 1, 0, 1], "gamma": 1, "lam": 1}
    less, more = (
        quantities.facts("masked_gae", scenario({**rest, "rewards": [0, 0, 0, last]})).exact["advantages"][1]
        for last in (1, 2)
    )
    return Judged(holds(more > less), {"before": less, "after": more})


def _gae_rewrites_rewards(_: Scenario) -> Judged:
    rewards = [[example(lam=lam)["rewards"], example(lam=lam)["advantages"]] for lam in (0.0, 1.0)]
    return Judged(
        holds(rewards[0][0] != rewards[1][0]),
        {"reward": rewards[0][0][0], "zero": rewards[0][1][0], "one": rewards[1][1][0]},
    )


def _settled_by_its_token(_: Scenario) -> Judged:
    """Along responses with a common first token: is the first reward one number?"""
    w = world()
    paid = {w.rewards_along(path)[0] for path in w.responses if path[0] == 0}
    return Judged(holds(len(paid) == 1), {"count": len(paid), "paid": sorted(paid)})


def _place_within_a_step(_: Scenario) -> Judged:
    last, first = returns_of(NONE, NONE, ONE, NONE), returns_of(ONE, NONE, NONE, NONE)
    return Judged(holds(last == first), {"last": last, "first": first})


def _even_split_keeps_the_first(_: Scenario) -> Judged:
    share = Fraction(1, 4)
    end, even = returns_of(NONE, NONE, NONE, ONE), returns_of(*[share] * 4)
    return Judged(holds(end[0] == even[0] and end[1:] != even[1:]), {"end": end, "even": even})


def _zero_reward_no_part(_: Scenario) -> Judged:
    """Every reward but the last is zero; the tokens' advantages."""
    found = example(beta=0.0)
    return Judged(
        holds(not any(found["advantages"][:-1])), {"reward": found["rewards"][0], "a": found["advantages"][0]}
    )


def _negative_reward_bad_token(_: Scenario) -> Judged:
    found = example()
    t = min(range(RUNNING.length), key=lambda i: found["rewards"][i])
    return Judged(holds(found["advantages"][t] < 0), {"reward": found["rewards"][t], "a": found["advantages"][t]})


def _on_entering(_: Scenario) -> Judged:
    """Whether V(s_1) still holds what the first token was paid, or it is past there; by raising it."""
    more = [b - a for a, b in zip(returns_of(NONE, ONE), returns_of(ONE, ONE), strict=True)]
    return Judged(holds(more[0] == 0), {"before": more[0], "after": more[1]})


def _name_changes_numbers(_: Scenario) -> Judged:
    """In text: δ with r(s, a), the mean over the one next state, and with r(s, a, s')."""
    w = world()
    v, after = w.value(()), w.value((0,))
    of_transition = formulas.td_error(w.rewards[(0,)], v, after, ONE)
    of_action = formulas.td_error(expected((ONE,), lambda _o: w.rewards[(0,)]), v, after, ONE)
    return Judged(holds(of_transition != of_action), {"transition": of_transition, "action": of_action})


def _batch_matters(_: Scenario) -> Judged:
    rest = {"kl_values": [[0.1, 0.1], [0.1, 0.1]], "beta": 0.1}
    own, other = (
        exact_facts(quantities.kl_rewards, scenario({**rest, "scores": [[0, 1], [0, s]]}))["rewards"][0] for s in (0, 5)
    )
    return Judged(holds(own != other), {"before": own, "after": other})


def _sampling_is_the_transition(_: Scenario) -> Judged:
    """Chance is in which token is drawn; what it leads to is settled."""
    w = world()
    leads = {(path[:-1], path[-1]): [q for q in w.rewards if q == path] for path in w.rewards}
    most = max(map(len, leads.values()))
    return Judged(holds(most > 1), {"tokens": len(w.chances), "states": most})


def _reply_is_chance(_: Scenario) -> Judged:
    """One call, what can come back."""
    after = CALL["after"]
    return Judged(holds(len(set(after)) > 1), {"count": len(after), "after": list(after)})


def _parts_known_when(_: Scenario) -> Judged:
    """Only the end is another: the first token's KL, and the score."""
    own = example(kl_values=None)
    late = [*RUNNING.rows("logp")[0][:-1], -3.0]
    other = example(kl_values=None, logp=late, scores=[0, 0, 0, 0, 0, 0])
    return Judged(
        holds(own["rewards"][0] == other["rewards"][0] and own["rewards"][-1] != other["rewards"][-1]),
        {"first": other["rewards"][0], "before": own["rewards"][-1], "after": other["rewards"][-1]},
    )


def _equal_tokens_equal_rewards(_: Scenario) -> Judged:
    """One word twice in a response, with other log-probabilities each time."""
    given = {"tokens": ["a", "a"], "scores": [0, 0], "logp": [-1, -2], "ref_logp": [-1.5, -1.5], "beta": 0.1}
    found = exact_facts(quantities.kl_rewards, scenario(given))["rewards"]
    return Judged(holds(found[0] == found[1]), {"rewards": found})


SHARES: dict[str, Check] = {
    "same_token_elsewhere_is_paid_otherwise": _context_counts,
    "score_depends_on_all_tokens": _score_of_the_whole,
    "last_token_alone_earned_the_score": _last_alone_earned_it,
    "kl_could_be_charged_to_the_next_token": _kl_moved_on,
    "sampled_kl_depends_on_the_drawn_token": _sample_depends_on_the_token,
    "full_kl_belongs_to_the_state": _mean_kl_is_the_states,
    "tokens_behind_the_end_are_paid": _behind_the_end,
    "end_token_is_paid_the_score": _end_token_is_paid,
    "cut_off_responses_have_no_score_in_the_rewards": _cut_off_is_unscored,
    "prompt_tokens_earn_rewards": _prompt_earns,
    "suttons_index_makes_it_the_next_tokens": _suttons_index_shifts_it,
    "action_reward_is_the_mean_over_outcomes": _mean_over_outcomes,
    "q_averages_over_what_comes_back": _q_averages,
    "effect_of_a_tool_reaches_the_token_that_called": _effect_reaches_before_the_tool,
    "gae_rewrites_the_rewards": _gae_rewrites_rewards,
    "reward_is_settled_once_its_token_is_written": _settled_by_its_token,
    "place_within_a_step_does_not_matter": _place_within_a_step,
    "even_split_keeps_only_the_first_return": _even_split_keeps_the_first,
    "zero_reward_means_no_part_in_it": _zero_reward_no_part,
    "negative_reward_means_a_bad_token": _negative_reward_bad_token,
    "reward_is_earned_on_entering_its_state": _on_entering,
    "name_of_the_owner_changes_the_numbers_in_text": _name_changes_numbers,
    "reward_depends_on_the_other_responses": _batch_matters,
    "sampling_makes_the_transition_random": _sampling_is_the_transition,
    "a_users_reply_makes_the_transition_random": _reply_is_chance,
    "kl_part_is_known_at_once_and_the_score_at_the_end": _parts_known_when,
    "equal_tokens_have_equal_rewards": _equal_tokens_equal_rewards,
}
