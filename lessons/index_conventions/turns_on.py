"""What turns on where one starts to count, whose notation it is, or the KL, where people do not say which."""

from __future__ import annotations

from engine import quantities
from engine.conventions import TRL, VERL_NEW, Rollout, run
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from engine.slices import sees
from lessons._fact import Check, Judged
from lessons._trials import judged, trial
from lessons.index_conventions.steps import HERE, PROMPT, RESPONSE, example

TENSOR = list(range(RESPONSE))
PAPER = [place + 1 for place in TENSOR]


def _first_is_one(_: Scenario) -> Judged:
    return judged([count[0] == 1 for count in (TENSOR, PAPER)], tensor=TENSOR[0], paper=PAPER[0])


def _always_from_one(_: Scenario) -> Judged:
    return judged(TENSOR[0] == PAPER[0] == 1, tensor=TENSOR[0], paper=PAPER[0])


def _last_is_the_count(_: Scenario) -> Judged:
    cases = [count[-1] == RESPONSE for count in (TENSOR, PAPER)]
    return judged(cases, T=RESPONSE, tensor=TENSOR[-1], paper=PAPER[-1])


def _written_one_later(_: Scenario) -> Judged:
    """The number that what the token earned has in a list of rewards that starts at one, as Sutton's, and at zero."""
    rewards = trial(range(RESPONSE), [0] * RESPONSE).rewards
    numbers = [dict(zip(rewards, count, strict=True))[rewards[HERE]] for count in (PAPER, TENSOR)]
    return judged([number == HERE + 1 for number in numbers], t=HERE, sutton=numbers[0], verl=numbers[1])


def _the_books_t(_: Scenario) -> Judged:
    books = {"zero": TENSOR[HERE], "one": PAPER[HERE]}
    return judged([t == TENSOR[HERE] for t in books.values()], tensor=TENSOR[HERE], **books)


def _terms_of_the_first() -> int:
    """How many rewards reach the first advantage."""
    paid = (trial([int(t == k) for t in range(RESPONSE)], [0] * RESPONSE) for k in range(RESPONSE))
    return sum(one.advantages[0] != 0 for one in paid)


def _upper_limit(_: Scenario) -> Judged:
    terms = _terms_of_the_first()
    found = {"T": RESPONSE, "terms": terms, "last": terms - 1, "tensor": TENSOR[0], "paper": PAPER[0]}
    return judged([RESPONSE - count[0] == terms - 1 for count in (TENSOR, PAPER)], **found)


def _first_reward(_: Scenario) -> Judged:
    none = 0.0
    free, own = (exact_facts(quantities.kl_rewards, RUNNING.merged(given)) for given in ({"beta": none}, {}))
    found = {"free": free["rewards"][0], "reward": own["rewards"][0], "kl": own["kl"][0]}
    return judged([found["free"] == 0, found["reward"] == 0], none=none, beta=RUNNING.beta, **found)


def _other_libraries(_: Scenario) -> Judged:
    """Where the list that is read at the token's own index, or one later, has what the token earned."""
    rewards = [0.0, 2.0, 1.0]
    rollout = Rollout([rewards], [[0.25, 0.5, 0.25]], [[1] * len(rewards)])
    verl, trl = (list(run(rollout, c, gamma=1.0, lam=1.0).advantages[0]) for c in (VERL_NEW, TRL))
    t, stored = 1, [0.0, *rewards]
    later = next(k for k, r in enumerate(stored) if r == rewards[t])
    return judged([trl == verl, later == t], t=t, same=t, later=later)


def _lengths(_: Scenario) -> Judged:
    found = example()
    lengths = [len(found[name]) for name in ("rewards", "values", "deltas", "advantages", "returns")]
    return judged(len(set(lengths)) > 1, T=RUNNING.length, lengths=lengths)


def _state_holds_t(_: Scenario) -> Judged:
    """How many response tokens the value at one place has read, and that place's names."""
    seen = int(sum(sees(PROMPT, RESPONSE)[HERE]))
    names = {"zero": TENSOR[HERE], "one": PAPER[HERE]}
    return judged([name == seen for name in names.values()], seen=seen, **names)


def _terms(_: Scenario) -> Judged:
    terms = _terms_of_the_first()
    return judged([RESPONSE - count[0] == terms for count in (TENSOR, PAPER)], T=RESPONSE, terms=terms)


TURNS: dict[str, Check] = {
    "the_first_token_has_index_one": _first_is_one,
    "every_text_counts_from_one": _always_from_one,
    "the_last_token_has_index_t": _last_is_the_count,
    "the_actions_reward_is_written_one_later": _written_one_later,
    "the_books_t_is_the_tensors_index": _the_books_t,
    "the_gae_sum_ends_at_t_total_less_t": _upper_limit,
    "the_first_tokens_reward_is_nought": _first_reward,
    "another_library_has_the_same_reward_index": _other_libraries,
    "lists_differ_in_length": _lengths,
    "the_state_holds_t_response_tokens": _state_holds_t,
    "an_advantage_sums_t_total_less_t_deltas": _terms,
}
