"""The doctor names the convention of right numbers, the mistake of wrong ones, and no mistake where there is none."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
import torch

from engine import doctor, kernels
from engine.conventions import CONVENTIONS, OPENRLHF, TEXTBOOK, VERL_NEW, VERL_OLD, Kept, Rollout
from engine.doctor.given import given as at_the_door
from engine.doctor.recursions import PROJECTS, WRONG, followed
from engine.doctor.whitening import KINDS, Moments, line_of
from engine.errors import EngineError
from engine.mistakes import MISTAKES
from tests.engine.doctor import made
from tests.engine.doctor.made import GAMMA, LAM, lists, planted, rollout

RATES = {"gamma": GAMMA, "lam": LAM}
OTHER_RATES = {  # with which the right recursion gives what the mistake does
    "gamma_lam_swap": (LAM, GAMMA),
    "gamma_forgotten": (1.0, LAM),
    "mc_for_gae_as_if_lam_were_one": (GAMMA, 1.0),
    "lam_forgotten_leaves_mc": (GAMMA, 1.0),
    "lam_on_values": (GAMMA * LAM, 1.0),
    "delta_for_advantage": (GAMMA, 0.0),
    "gamma_forgotten_in_recursion": (GAMMA, LAM / GAMMA),
    "gamma_forgotten_in_delta": (1.0, GAMMA * LAM),
    "lam_upside_down": (GAMMA, 1 - LAM),
}
PROJECTS_OWN = {  # the mistakes that are what a project does
    "mask_ignored_in_recursion": "verl_old",
    "mask_shift_keeps_value_after_eos": "verl_old",
    "mask_holes_are_steps": "trl",
}
IN_RETURNS = ("mc_for_returns", "value_reward_not_in_returns", "value_reward_twice_in_returns", "whiten_before_returns")
IN_WHITENED = ("whiten_population", "whiten_mask_ignored", "whiten_by_variance", "whiten_without_shift")
OF_TENSORS = [*(one.name for one in WRONG), *(m.id for m in MISTAKES.values() if m.lesson == "whitening")]
by_name = pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: c.name)
every_batch = pytest.mark.parametrize(("holes", "garbage"), [(False, 0.0), (False, 1.0), (True, 0.0), (True, 1.0)])


@every_batch
@by_name
@pytest.mark.parametrize("given", [RATES, {}], ids=["rates", "none"])
@pytest.mark.parametrize("names", [("raw", "returns"), ("whitened", "returns"), ("whitened",), ("returns",)])
def test_a_projects_own_numbers_are_recognised(convention, holes, garbage, given, names):
    batch = rollout(holes=holes, garbage=garbage)
    own = made.followed(batch, convention)
    found = doctor.check(**lists(batch), **_given(own, names), **given)
    assert found.right and convention.name in found.conventions
    assert (found.gamma, found.lam) == (GAMMA, LAM)
    assert found.departing == 0 and found.residual <= found.tolerance


@pytest.mark.parametrize("convention", [VERL_NEW, VERL_OLD, OPENRLHF], ids=lambda c: c.name)
def test_with_holes_the_project_is_the_only_one(convention):
    batch = rollout(holes=True, garbage=1.0)
    own = made.followed(batch, convention)
    found = doctor.check(**lists(batch), **_given(own, ("whitened", "returns")))
    assert found.conventions == (convention.name,)
    assert found.masked is (convention is VERL_NEW)


def test_verl_old_on_values_that_nobody_masked():
    batch = rollout(garbage=1.0)
    own = made.followed(batch, replace(VERL_OLD, values=Kept.AS_GIVEN))
    found = doctor.check(**lists(batch), **_given(own, ("whitened", "returns")), **RATES)
    assert found.right and found.conventions == ("verl_old",)
    assert found.others == ("mask_ignored_in_recursion",)


@pytest.mark.parametrize("given", [RATES, {}], ids=["rates", "none"])
@pytest.mark.parametrize("name", OF_TENSORS)
def test_a_planted_mistake_is_found_or_what_else_it_is(name, given):
    batch = rollout(rows=12, tokens=24, holes=True, garbage=1.0)
    shown = ("raw" if name in ("whiten_before_returns", "whiten_returns_first") else "whitened", "returns")
    found = doctor.check(**lists(batch), **_given(planted(name, batch), shown), **given)
    if name in PROJECTS_OWN:
        assert found.right and PROJECTS_OWN[name] in found.conventions and name in found.others
    elif not given and name in OTHER_RATES:
        assert found.right and (found.gamma, found.lam) == pytest.approx(OTHER_RATES[name], abs=1e-5)
    else:
        assert not found.right and name in (found.cause, *found.others)
        assert found.departures and found.departures[0].stated != found.departures[0].correct


@pytest.mark.parametrize("name", [*IN_RETURNS, *IN_WHITENED])
def test_what_the_given_lists_do_not_hold_is_not_claimed(name):
    batch = rollout(holes=True)
    found = doctor.check(**lists(batch), **_given(planted(name, batch), ("raw",)), **RATES)
    assert found.right


def test_where_padding_holds_only_zeros_population_is_openrlhfs():
    batch = rollout()
    found = doctor.check(
        **lists(batch), **_given(planted("whiten_population", batch), ("whitened", "returns")), **RATES
    )
    assert found.conventions == ("openrlhf",)


def test_the_first_wrong_number_is_named_and_the_count():
    batch = rollout(padded=False)
    own = made.followed(batch, TEXTBOOK)
    own["raw"][5, 7] += 0.5
    own["raw"][9, 3] -= 0.5
    found = doctor.check(**lists(batch), **_given(own, ("raw", "returns")), **RATES)
    assert (found.outcome, found.cause, found.departing, found.departing_rows) == ("departs", "unknown", 2, 2)
    first = found.mistakes()[0]
    assert (first["where"], first["cause"]) == ("advantages[5][7]", "unknown")
    assert first["stated"] - first["correct"] == pytest.approx(0.5, abs=1e-5)


def test_a_mistake_in_some_responses_only():
    batch = rollout(rows=64, tokens=30)
    right, wrong = made.followed(batch, TEXTBOOK), planted("bootstrap_after_the_end", batch)
    some = torch.arange(64) % 5 == 0
    own = {name: torch.where(some[:, None], wrong[name], right[name]) for name in ("raw", "returns")}
    found = doctor.check(**lists(batch), **_given(own, ("raw", "returns")), **RATES)
    assert found.cause == "bootstrap_after_the_end"
    assert found.departing_rows <= int(some.sum())


def test_other_rates_than_those_named():
    batch = rollout()
    own = made.followed(batch, VERL_NEW, gamma=0.97, lam=0.6)
    found = doctor.check(**lists(batch), **_given(own, ("whitened", "returns")), **RATES)
    assert (found.cause, found.gamma, found.lam) == ("other_rates", 0.97, 0.6)


@pytest.mark.parametrize("convention", [VERL_NEW, OPENRLHF], ids=lambda c: c.name)
def test_in_half_precision_right_is_right_and_a_mistake_is_a_mistake(convention):
    batch = rollout(rows=32, tokens=64)
    own = made.followed(batch, convention)
    half = {name: x.bfloat16() for name, x in {**lists(batch), **_given(own, ("whitened", "returns"))}.items()}
    found = doctor.check(**{**half, "mask": batch.mask}, **RATES)
    assert found.right and found.dtype == "bfloat16" and found.residual > 1e-4
    wrong = _given(planted("bootstrap_next_value_forgotten", batch), ("raw", "returns"))
    half |= {name: x.bfloat16() for name, x in wrong.items()}
    found = doctor.check(**{**half, "mask": batch.mask}, **RATES)
    assert found.cause == "bootstrap_next_value_forgotten"


def test_one_token_responses_leave_the_rates_open():
    mask = torch.zeros(12, 5)
    mask[:, 0] = 1
    draw = torch.Generator().manual_seed(1)
    batch = Rollout(torch.randn(12, 5, generator=draw) * mask, torch.randn(12, 5, generator=draw) * mask, mask)
    own = made.followed(batch, TEXTBOOK)
    found = doctor.check(**lists(batch), **_given(own, ("raw", "returns")))
    assert found.right and found.gamma is found.lam is None and "rates" in found.decides


def test_without_values_only_the_product_shows():
    batch = replace(rollout(), values=torch.zeros(24, 40))
    found = doctor.check(**lists(batch), **_given(made.followed(batch, TEXTBOOK), ("raw",)))
    assert found.right and found.gamma is None and found.product == pytest.approx(GAMMA * LAM, abs=1e-5)


def test_a_part_of_a_whitened_batch_says_so():
    batch = rollout(rows=48)
    own = made.followed(batch, VERL_NEW)
    part = {name: x[:24] for name, x in {**lists(batch), **_given(own, ("whitened", "returns"))}.items()}
    found = doctor.check(**part, **RATES)
    assert found.right and found.whitening == ("elsewhere",) and "all_ranks" in found.decides


def test_noise_is_nobodys():
    batch = rollout()
    own = {"raw": torch.randn(24, 40, generator=torch.Generator().manual_seed(3))}
    found = doctor.check(**lists(batch), **_given(own, ("raw",)), **RATES)
    assert found.cause == "unknown" and "returns" in found.decides


def test_a_verdict_is_a_value():
    batch = rollout()
    own = _given(made.followed(batch, VERL_NEW), ("whitened", "returns"))
    one, other = (doctor.check(**lists(batch), **own, **RATES) for _ in range(2))
    assert one == other and hash(one) == hash(other)
    with pytest.raises(FrozenInstanceError):
        one.gamma = 0.5


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rewards": None}, "doctor_missing"),
        ({"returns": None}, "doctor_nothing_to_check"),
        ({"values": torch.zeros(24, 41)}, "doctor_one_value_more"),
        ({"mask": torch.ones(24, 60)}, "doctor_prompt_too"),
        ({"values": torch.zeros(23, 40)}, "doctor_shapes"),
        ({"rewards": torch.tensor(1.0)}, "doctor_not_per_token"),
        ({"mask": torch.full((24, 40), 2.0)}, "mask_not_binary"),
        ({"mask": torch.zeros(24, 40)}, "nothing_valid"),
        ({"values": torch.full((24, 40), torch.nan)}, "not_finite"),
        ({"rewards": "words"}, "doctor_no_tensor"),
        ({"gamma": 1.5}, "out_of_range"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_by_name(change, code):
    batch = rollout()
    whole = {**lists(batch), "returns": batch.values, **RATES, **change}
    if "mask" not in change and change.keys() & {"values", "rewards"}:
        del whole["mask"]
    with pytest.raises(EngineError) as error:
        doctor.check(**whole)
    assert error.value.code == code


def test_garbage_outside_the_mask_is_no_error():
    batch = rollout()
    values = torch.where(batch.mask.bool(), batch.values, torch.nan)
    own = made.followed(batch, TEXTBOOK)
    found = doctor.check(**{**lists(batch), "values": values}, **_given(own, ("raw",)), **RATES)
    assert found.right and "verl_old" not in found.conventions


@by_name
def test_the_fast_recursion_is_the_definition(convention):
    batch = rollout(holes=True, garbage=1.0)
    door = at_the_door(**lists(batch), advantages=batch.values)
    advantages, returns = followed(door.part(slice(None)), convention, GAMMA, LAM)
    own = made.followed(batch, convention)
    inside = batch.mask.bool()
    assert torch.allclose(advantages[inside], own["raw"][inside], atol=1e-5)
    assert torch.allclose(returns[inside], own["returns"][inside], atol=1e-5)


def test_every_project_has_its_recursion():
    assert {name for one in PROJECTS for name in one.names} == {convention.name for convention in CONVENTIONS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_way_of_whitening_is_its_program(kind):
    batch = rollout()
    raw, inside = made.followed(batch, TEXTBOOK)["raw"].double(), batch.mask.bool()
    x = raw[inside]
    moments = Moments(len(x), raw.numel(), float(x.mean()), float((x - x.mean()).square().sum()))
    if kind in MISTAKES:
        due = planted(kind, batch)["whitened"]
    else:
        due = kernels.whiten(raw, batch.mask, sample=kind == "sample", floors=kind == "population")
    assert torch.allclose(line_of(kind, moments)(x), due[inside].double(), atol=1e-5)


def _given(own, names):
    shown = {"raw": "advantages", "whitened": "advantages", "returns": "returns"}
    return {shown[name]: own[name] for name in names}
