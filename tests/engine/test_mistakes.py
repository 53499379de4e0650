"""Every misconception is told from the right program, agrees with it where it says so, and breaks a theorem."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import mistakes, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import compute, exact_facts, quick_facts, work
from engine.mistakes import MISTAKES
from engine.quantities import QUANTITIES
from engine.scenario import scenario
from tests.engine.properties import PROPERTIES
from tests.engine.situations import numbers, situation

SEEDS = range(5)
TELLING = situation(2)  # the first on which each mistake shows: found by search
every = pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
DIGITS = 3

REQUIRED = {  # the plain word for it, which the id contains
    "values_shift_right": "shift",
    "values_shift_left": "shift",
    "value_reward_left_out": "value_reward",
    "reward_index_later": "index",
    "bootstrap_forgotten": "bootstrap",
    "bootstrap_after_the_end": "bootstrap",
    "gamma_forgotten": "gamma",
    "lam_forgotten_leaves_mc": "lam",
    "gamma_lam_swap": "swap",
    "lam_on_values": "lam",
    "mc_for_gae_as_if_lam_were_one": "mc",
    "mc_for_returns": "mc",
    "advantage_sum_for_delta_sum": "sum",
    "whiten_before_returns": "whiten",
    "whiten_population": "population",
    "whiten_mask_ignored": "mask",
    "mask_ignored_in_recursion": "mask",
    "mask_shift_keeps_value_after_eos": "mask",
    "kl_sign_flipped": "kl",
    "kl_added": "kl",
    "kl_k1_k3_swap": "swap",
    "ratio_to_reference": "reference",
    "score_index_first_padding": "padding",
    "clip_max_for_min": "clip",
    "value_loss_without_half": "half",
    "mask_mean_over_padded_length": "mean",
    "grpo_population": "population",
}
LESSONS = {
    *("token_pipeline", "definitions", "index_conventions", "critic_slice", "reward_owner", "value_includes_reward"),
    *("value_shape", "kl_reward", "critic_target", "advantage_inputs", "padding_mask", "mc_vs_gae", "why_not_delta"),
    *("telescoping", "why_lambda", "why_gamma", "gae_mixture", "variance", "bootstrap", "credit_assignment"),
    *("advantage_sum", "whitening", "returns_identity", "ppo_loop", "surrogate", "ppo_clip", "reference_policy"),
    *("group_baselines", "audit", "out_of_scope"),
}
# The same program by a theorem: GAE at λ = 1 is G − V.
TWINS = {frozenset({"lam_forgotten_leaves_mc", "mc_for_gae_as_if_lam_were_one"})}


def right_and_wrong(mistake, given):
    return (compute(program, given).numbers for program in (QUANTITIES[mistake.quantity], mistake.program))


def differing(right, wrong):
    return [name for name in right if numbers(right[name]) != pytest.approx(numbers(wrong[name]), abs=1e-9)]


def rounded(x):
    if isinstance(x, dict):
        return {name: rounded(y) for name, y in x.items()}
    if isinstance(x, list):
        return [rounded(y) for y in x]
    return None if x is None else round(x, DIGITS)


# ---------------------------------------------------------------- the list


@pytest.mark.parametrize(("name", "word"), REQUIRED.items())
def test_what_is_required_is_there_and_contains_its_word(name, word):
    assert word in MISTAKES[name].id


@every
def test_its_lesson_and_its_quantity_exist(mistake):
    assert mistake.lesson in LESSONS
    assert mistake.quantity in QUANTITIES
    assert mistake in mistakes.of(mistake.lesson)
    assert mistake in mistakes.on_the_way_to(mistake.quantity)


# ---------------------------------------------------------------- told apart


@every
def test_it_has_the_names_of_the_right_facts_and_other_numbers(mistake):
    right, wrong = right_and_wrong(mistake, TELLING)
    assert list(wrong) == list(right)
    assert differing(right, wrong)


@pytest.mark.parametrize("mistake", [m for m in MISTAKES.values() if m.coincides], ids=lambda mistake: mistake.id)
@settings(max_examples=3)
@given(seed=st.integers(0, 1000))
def test_it_agrees_where_it_says(mistake, seed):
    right, wrong = right_and_wrong(mistake, mistake.coincides(situation(seed)))
    assert not differing(right, wrong)


AGREEMENTS = {
    *("no_padding", "right_padded", "one_score_no_padding", "equal_bounds", "equal_scores", "equal_advantages"),
    *("one_value", "lam_equals_gamma", "policy_not_moved", "old_policy_is_reference", "without_kl"),
    *("critic_not_moved", "critic_not_moved_and_right", "advantages_are_0", "rewards_are_0", "values_are_0"),
    *("rewards_and_values_are_0", "gamma_is_0", "gamma_is_1", "lam_is_0", "lam_is_1", "lam_is_0.5"),
    *("gamma_is_1_and_lam_is_0", "beta_is_0", "beta_is_1", "nowhere"),
}


def test_where_each_agrees_has_a_name():
    assert {mistake.agreement for mistake in MISTAKES.values()} == AGREEMENTS
    assert MISTAKES["mc_for_returns"].agreement == "lam_is_1"


@pytest.mark.parametrize("mistake", [m for m in MISTAKES.values() if not m.coincides], ids=lambda mistake: mistake.id)
def test_where_it_agrees_nowhere_no_situation_hides_it(mistake):
    assert all(differing(*right_and_wrong(mistake, situation(seed))) for seed in range(50))


@every
def test_it_runs_on_a_batch(mistake):
    found = mistakes.run(mistake.id, situation(1, rows=2))
    assert all(check.ok for check in found.checks)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_it_runs_on_the_way_to_other_quantities(quantity):
    given = situation(2)
    right = compute(QUANTITIES[quantity], given).numbers
    for mistake in mistakes.on_the_way_to(quantity):
        assert list(compute(mistake.on(quantity), given).numbers) == list(right), mistake.id


@pytest.mark.parametrize(
    "pair",
    [pair for pair in combinations(MISTAKES.values(), 2) if pair[0].quantity == pair[1].quantity],
    ids=lambda pair: "-".join(mistake.id for mistake in pair),
)
def test_no_two_are_the_same_but_by_a_theorem(pair):
    found = [[quick_facts(mistake.program, situation(seed)) for mistake in pair] for seed in SEEDS]
    same = not any(differing(one, other) for one, other in found)
    assert same == (frozenset(mistake.id for mistake in pair) in TWINS)


@every
def test_it_can_be_worked_line_by_line(mistake):
    assert list(work(mistake.program, TELLING)) == list(quick_facts(mistake.program, TELLING))


def test_the_working_shows_what_is_wrong():
    worked = work(MISTAKES["lam_forgotten_leaves_mc"].program, RUNNING)
    assert worked["advantages"][0].line("text") == "A₀ = δ₀ + γλ·A₁ = 0.04 + 1·1·0.715 = 0.755"


def test_with_values_of_kl_alone_the_sign_can_be_flipped():
    given = scenario({"scores": [0, 1], "kl_values": [0.5, -0.5], "beta": 0.1})
    assert mistakes.run("kl_sign_flipped", given).numbers["rewards"] == pytest.approx([0.05, 0.95])
    assert mistakes.run("kl_never_negative", given).numbers["rewards"] == pytest.approx([-0.05, 0.95])
    assert not differing(*right_and_wrong(MISTAKES["kl_sign_flipped"], MISTAKES["kl_sign_flipped"].coincides(given)))


def test_with_ratios_given_the_policy_that_did_not_move_has_ratio_one():
    given = scenario({"ratio": [1.5, 0.5], "advantages": [1, -1], "eps": 0.2})
    still = MISTAKES["clip_max_for_min"].coincides(given)
    right, wrong = right_and_wrong(MISTAKES["clip_max_for_min"], still)
    assert not differing(right, wrong)


# ---------------------------------------------------------------- mutants


@pytest.mark.parametrize("quantity", PROPERTIES)
def test_the_right_programs_have_all_properties(quantity):
    for seed in SEEDS:
        for holds in PROPERTIES[quantity]:
            assert holds(QUANTITIES[quantity], situation(seed)), holds.__name__


@every
def test_as_a_mutant_it_is_killed(mistake):
    assert not all(holds(mistake.program, TELLING) for holds in PROPERTIES[mistake.quantity])


@pytest.mark.parametrize("quantity", PROPERTIES)
def test_every_property_kills_some_mutant(quantity):
    mutants = [mistake.on(quantity) for mistake in mistakes.on_the_way_to(quantity)]
    for holds in PROPERTIES[quantity]:
        assert not all(holds(mutant, TELLING) for mutant in mutants), holds.__name__


# ---------------------------------------------------------------- explaining


@every
def test_its_own_numbers_at_three_digits_are_explained_by_it(mistake):
    given = TELLING
    right, wrong = right_and_wrong(mistake, given)
    for name in differing(rounded(right), rounded(wrong)):
        found = mistakes.explaining(mistake.quantity, given, name, rounded(wrong[name]), 0.5 * 10**-DIGITS)
        assert mistake.id in found


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_right_numbers_need_no_explanation(quantity):
    given = situation(0)
    for name, fact in quantities.facts(quantity, given).numbers.items():
        assert mistakes.explaining(quantity, given, name, rounded(fact), 0.5 * 10**-DIGITS) == []


@pytest.mark.parametrize(
    ("quantity", "name", "wrong"),
    [
        ("pipeline", "advantages", "bootstrap_forgotten"),
        ("pipeline", "returns", "whiten_before_returns"),
        ("pipeline", "whitened", "whiten_population"),
        ("pipeline", "kl", "kl_sign_flipped"),
        ("gae", "delta_sum", "advantage_sum_for_delta_sum"),
    ],
)
def test_on_the_running_example_it_is_the_only_explanation(quantity, name, wrong):
    stated = rounded(quick_facts(MISTAKES[wrong].on(quantity), RUNNING)[name])
    assert mistakes.explaining(quantity, RUNNING, name, stated, 0.5 * 10**-DIGITS) == [wrong]


@pytest.mark.parametrize(
    ("quantity", "name", "likelier", "also"),
    [
        ("gae", "advantages", "gamma_lam_swap", {"lam_on_values"}),  # the same, as γ = 1
        ("gae", "returns", "mc_for_returns", {"mc_for_gae_as_if_lam_were_one", "lam_forgotten_leaves_mc"}),
        ("pipeline", "rewards", "kl_added", {"kl_sign_flipped"}),
    ],
)
def test_of_several_explanations_the_likelier_comes_first(quantity, name, likelier, also):
    stated = rounded(quick_facts(MISTAKES[likelier].on(quantity), RUNNING)[name])
    first, *others = mistakes.explaining(quantity, RUNNING, name, stated, 0.5 * 10**-DIGITS)
    assert first == likelier
    assert {*others} == also


def test_one_position_is_enough():
    wrong = exact_facts(MISTAKES["bootstrap_forgotten"].program, RUNNING)["advantages"]
    third = {2: round(float(wrong[2]), 4)}
    assert mistakes.explaining("gae", RUNNING, "advantages", third, 0.00005) == ["bootstrap_forgotten"]
    listed = [None, None, third[2], None, None, None]
    assert mistakes.explaining("gae", RUNNING, "advantages", listed, 0.00005) == ["bootstrap_forgotten"]


def test_nonsense_has_no_explanation():
    assert mistakes.explaining("gae", RUNNING, "advantages", [7.0] * RUNNING.length, 0.0005) == []
    assert mistakes.explaining("gae", RUNNING, "advantages", [7.0], 0.0005) == []


def test_a_ratio_beyond_all_floats_explains_nothing():
    far = scenario({"new_logp": [-1], "old_logp": [-1], "ref_logp": [-1000], "advantages": [1]})
    assert mistakes.explaining("surrogate", far, "ratio", [2.0], 0.0005) == []


def test_a_number_outside_the_mask_explains_nothing():
    assert mistakes.explaining("masked_gae", situation(0), "advantages", {2: 0.0}, 0.0005) == []


def test_a_single_token_cannot_be_whitened_by_mistake_either():
    given = scenario({"rewards": [1], "values": [0.5], "gamma": 0.9, "lam": 0.5})
    assert mistakes.explaining("gae", given, "returns", [9.0], 0.0005) == []
    with pytest.raises(EngineError, match="one_value_has_no_sample_variance"):
        mistakes.run("whiten_returns_first", given)


def test_what_is_missing_is_named():
    with pytest.raises(EngineError, match="values"):
        mistakes.explaining("gae", scenario({"rewards": [1], "gamma": 1, "lam": 1}), "advantages", [1], 0.1)


def test_a_mistake_whose_lists_are_not_there_explains_nothing():
    alone = scenario({"rewards": [0, 1], "gamma": 0.5})
    assert mistakes.explaining("reward_to_go", alone, "mc_returns", [9.0, 9.0], 0.1) == []
    assert not MISTAKES["values_shift_right"].possible(alone)
