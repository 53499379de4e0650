"""Who whitens what, and how: what learners claim of whitening in verl, in OpenRLHF, in TRL and in textbook PPO."""

from __future__ import annotations

from typing import Any

import torch

from engine import formulas, quantities, statistics
from engine.conventions import OPENRLHF, TEXTBOOK, TRL_LATER, VERL_NEW, Convention, Outcome, Rollout, run
from engine.example import LAM
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.proofs import counterexample
from engine.scenario import Scenario
from engine.statistics import WHITENING_EPSILON
from lessons._at_hand import at_hand, batch_at_hand
from lessons._checks import alone, gae
from lessons._fact import Check, Judged, holds
from lessons._trials import judged
from lessons._turns import always, sometimes

CLOSE = 1e-6
GIVEN, ROWS = [1.0, 2.0, 4.0], [[1, 2], [4, 5]]
SMALL = [1e-4, 2e-4, 4e-4]  # advantages so small that ε is seen
PADDED, MASK = [1, 2, 4, 99], [1, 1, 1, 0]


def _white(advantages: Any) -> Any:
    return alone("whiten", advantages=advantages)["whitened"]


def _near(a: Any, b: Any) -> bool:
    return abs(float(a) - float(b)) < CLOSE


def _short(xs: Any) -> list[float]:
    return [round(float(x), 4) + 0.0 for x in xs]


def _rows(name: str) -> list[list[Any]]:
    """A fact of GAE, response by response."""
    found = quantities.facts("gae", batch_at_hand()).exact[name]
    return list(found) if isinstance(found[0], list) else [found]


def _flat(rows: Any) -> list[float]:
    return [float(x) for row in rows for x in row]


def _raw() -> list[float]:
    return _flat(_rows("advantages"))


def _run(convention: Convention) -> Outcome:
    """The responses at hand as a project treats them."""
    values = _rows("values")
    rollout = Rollout(rewards=_rows("rewards"), values=values, mask=[[1] * len(row) for row in values])
    return run(rollout, convention, gamma=1.0, lam=LAM)


def _same(xs: list[float], ys: list[float]) -> bool:
    return all(abs(x - y) < CLOSE for x, y in zip(xs, ys, strict=True))


def _first(found: list[Any]) -> list[float]:
    """Of whitened rows the first response's."""
    return [float(x) for x in (found[0] if isinstance(found[0], list) else found)]


def _advantages(rewards: list[float], values: list[float]) -> list[float]:
    return [float(a) for a in gae(rewards=rewards, values=values, scores=None, kl_values=None)["advantages"]]


def _handed_out(convention: Convention, given: list[float]) -> list[float]:
    """What the actor gets where these are the advantages of one response."""
    rollout = Rollout(rewards=[given], values=[[0.0] * len(given)], mask=[[1] * len(given)])
    return [float(x) for x in run(rollout, convention, gamma=0.0, lam=0.0).normalised[0]]


def _variances() -> dict[str, Any]:
    found = {"verl": _handed_out(VERL_NEW, GIVEN), "openrlhf": _handed_out(OPENRLHF, GIVEN), "sample": _white(GIVEN)}
    return {"given": GIVEN, **{name: _short(row)[0] for name, row in found.items()}}


def _returns_use_raw(_: Scenario) -> Judged:
    """The convention's own returns are the raw advantages plus the values."""
    counterexample("returns_may_use_whitened_advantages")
    raw = quantities.facts("gae", at_hand()).exact
    found = compute(MISTAKES["whiten_before_returns"].on("whiten"), batch_at_hand()).exact["returns"]
    wrong = found[0] if isinstance(found[0], list) else found
    rollout = Rollout(rewards=[raw["rewards"]], values=[raw["values"]], mask=[[1] * len(raw["values"])])
    outcome = run(rollout, VERL_NEW, gamma=at_hand().gamma, lam=LAM)
    same = all(abs(float(a - b)) < 1e-9 for a, b in zip(outcome.returns[0], raw["returns"], strict=True))
    return Judged(holds(same), {"right": raw["returns"][-1], "wrong": wrong[-1], "value": raw["values"][-1]})


def _sample_variance(_: Scenario) -> Judged:
    found = alone("whiten", advantages=GIVEN)
    verl, other = (_handed_out(project, GIVEN)[0] for project in (VERL_NEW, OPENRLHF))
    sample, population = (found[name][0] for name in ("whitened", "whitened_population"))
    return Judged(
        holds(_near(verl, sample) and not _near(other, sample)),
        {"given": GIVEN, "sample": sample, "population": population},
    )


def _epsilon_beside_std(_: Scenario) -> Judged:
    """Inside the root, as in verl, or beside the standard deviation."""
    verl = _handed_out(VERL_NEW, SMALL)[0]
    mean, variance = sum(SMALL) / 3, statistics.masked_variance(SMALL, [1] * 3)
    beside = formulas.standardise(SMALL[0], mean, float(variance) ** 0.5, float(WHITENING_EPSILON))
    return Judged(
        holds(abs(verl - beside) < CLOSE), {"verl": round(verl, 4), "beside": round(beside, 4), "given": SMALL}
    )


def _critic_is_touched(_: Scenario) -> Judged:
    """The targets of a convention that whitens, and of one that does not."""
    with_it, without = (_run(project).returns[0][0] for project in (VERL_NEW, TEXTBOOK))
    return Judged(
        holds(not _near(with_it, without)), {"with_it": round(float(with_it), 6), "without": round(float(without), 6)}
    )


def _ppo_needs_it(_: Scenario) -> Judged:
    """Whether a policy gradient exists without it: the textbook's convention hands over the raw advantages."""
    handed = [round(float(x), 4) for x in _run(TEXTBOOK).normalised[0]]
    return Judged(holds(not any(handed)), {"handed": handed})


def _padding_zero(_: Scenario) -> Judged:
    """verl's line reads every place; only its mean and variance are masked."""
    mean, variance = statistics.masked_mean(PADDED, MASK), statistics.masked_variance(PADDED, MASK)
    left = formulas.whiten(PADDED[-1], float(mean), float(variance), float(WHITENING_EPSILON))
    return Judged(holds(left == 0), {"given": PADDED, "left": round(left, 4)})


def _openrlhf_sample(_: Scenario) -> Judged:
    theirs, sample = _handed_out(OPENRLHF, GIVEN)[0], float(_white(GIVEN)[0])
    return Judged(
        holds(_near(theirs, sample)), {"given": GIVEN, "theirs": round(theirs, 4), "sample": round(sample, 4)}
    )


def _verl_inside(_: Scenario) -> Judged:
    """What comes out of the function: advantages of mean zero, beside returns that are not."""
    found = _run(VERL_NEW)
    out = _flat(found.normalised)
    mean = sum(out) / len(out)
    return Judged(holds(_near(mean, 0)), {"mean": round(mean, 6) + 0.0, "raw": round(float(found.advantages[0][0]), 4),
                                          "out": round(float(found.normalised[0][0]), 4)})  # fmt: skip


def _by_minibatch(_: Scenario) -> Judged:
    """verl whitens before the batch is cut up: a half of it alone would come out otherwise."""
    rollout = Rollout(rewards=ROWS, values=[[0, 0], [0, 0]], mask=[[1, 1], [1, 1]])
    verl = _short(run(rollout, VERL_NEW, gamma=0, lam=0).normalised[0])
    half = _short(_white(ROWS[0]))
    return Judged(holds(verl == half), {"verl": verl, "half": half, "rows": ROWS})


def _rewards_too(_: Scenario) -> Judged:
    """verl's raw advantages, beside those of whitened rewards."""
    found = [float(a) for a in _run(VERL_NEW).advantages[0]]
    rewards, values = [[*map(float, row)] for row in _rows("rewards")], list(at_hand().rows("values")[0])
    other = _advantages(_first(_white(rewards)), values)
    return Judged(holds(_same(found, other)), {"found": _short(found)[0], "other": _short(other)[0]})


def _values_too(_: Scenario) -> Judged:
    """verl's returns less its raw advantages: the values it used."""
    found = _run(VERL_NEW)
    used = [float(r) - float(a) for r, a in zip(found.returns[0], found.advantages[0], strict=True)]
    white = _first(_white([[*map(float, row)] for row in _rows("values")]))
    return Judged(holds(_same(used, white)), {"used": _short(used)[0], "white": _short(white)[0]})


def _at_each_step(_: Scenario) -> Judged:
    """Each advantage is handed to the token before as it is, and all are whitened once the recursion is through."""
    found = _run(VERL_NEW)
    own, out = ([float(x) for x in row[0]] for row in (found.advantages, found.normalised))
    handed_on = [own[t] - (LAM * own[t + 1] if t + 1 < len(own) else 0) for t in range(len(own))]
    deltas = [float(d) for d in gae()["deltas"]]
    return Judged(holds(not _same(handed_on, deltas)), {"raw": round(own[1], 4), "white": round(out[1], 4)})


def _actors(_: Scenario) -> Judged:
    """At ratio one the terms of verl's policy objective, beside whitened and raw advantages."""
    found = _run(VERL_NEW)
    out = _flat(found.normalised)
    terms = [float(x) for x in alone("surrogate", ratio=[1.0] * len(out), advantages=out)["terms"]]
    white = [float(x) for x in _white(_raw())]
    return Judged(holds(_same(terms, white)), {"term": _short(terms)[0], "raw": _short(_raw())[0]})


def _is_gae(_: Scenario) -> Judged:
    """What the definition gives, and what comes out where it is whitened as well."""
    own, out = (_flat(_run(project).normalised) for project in (TEXTBOOK, VERL_NEW))
    return Judged(holds(not _same(own, _raw())), {"raw": _short(own)[0], "white": _short(out)[0]})


def _comes_last(_: Scenario) -> Judged:
    """What verl's actor is given, beside the raw advantages that are whitened when all else is done."""
    found = _run(VERL_NEW)
    raw, out = map(_flat, (found.advantages, found.normalised))
    same = _same(out, [float(x) for x in _white(raw)])
    return Judged(holds(same and _same(raw, _raw())), {"raw": _short(raw)[0], "out": _short(out)[0]})


def _is_sample(_: Scenario) -> Judged:
    found = _variances()
    return judged([found[name] == found["sample"] for name in ("verl", "openrlhf")], **found)


def _is_sample_everywhere(_: Scenario) -> Judged:
    found = _variances()
    return Judged(holds(found["verl"] == found["openrlhf"] == found["sample"]), found)


def _rewards_whitened(_: Scenario) -> Judged:
    """What enters GAE: the rewards divided by their deviation, as TRL's switch has it, and as they are."""
    given = [0.0, 0.0, 1.0]
    option = _short(statistics.whiten(given, [1] * 3, shift_mean=False))
    verl = _short(run(Rollout([given], [[0.0] * 3], [[1] * 3]), VERL_NEW, gamma=1.0, lam=1.0).rewards[0])
    return judged([row != given for row in (option, verl)], given=given, option=option, verl=verl)


def _padding(_: Scenario) -> Judged:
    """What stands behind the end of a response of three tokens when the projects are through."""
    rewards, values = (torch.tensor([row], dtype=torch.float64) for row in ([*GIVEN, 0.0], [0.0, 0.0, 0.0, 9.0]))
    rollout = Rollout(rewards, values, torch.tensor([MASK]))
    trl, verl = (_short(run(rollout, c, gamma=0.0, lam=0.0).normalised[0])[-1] for c in (TRL_LATER, VERL_NEW))
    return judged([x == 0 for x in (trl, verl)], trl=trl, verl=verl)


def _is_whitened(_: Scenario) -> Judged:
    """What the actor is given in verl, and where nothing is switched on."""
    verl, bare = (_short(_handed_out(project, GIVEN)) for project in (VERL_NEW, TEXTBOOK))
    return judged([row != GIVEN for row in (verl, bare)], given=GIVEN, verl=verl, bare=bare)


PROJECTS: dict[str, Check] = {
    "returns_use_raw_advantages": _returns_use_raw,
    "verl_divides_by_n_minus_one": _sample_variance,
    "epsilon_is_added_to_the_std": _epsilon_beside_std,
    "changes_what_the_critic_learns": _critic_is_touched,
    "ppo_cannot_do_without": _ppo_needs_it,
    "padding_becomes_zero_in_verl": _padding_zero,
    "openrlhf_uses_the_sample_variance": _openrlhf_sample,
    "verl_hands_out_whitened_advantages": _verl_inside,
    "verl_whitens_each_minibatch": _by_minibatch,
    "verl_whitens_the_rewards": _rewards_too,
    "verl_whitens_the_values": _values_too,
    "whitens_inside_the_recursion": _at_each_step,
    "actor_gets_the_whitened_ones": _actors,
    "gae_includes_whitening": _is_gae,
    "whitening_is_the_last_step_before_the_actor": _comes_last,
    "variance_is_the_samples": _is_sample,
    "variance_is_the_samples_in_every_project": _is_sample_everywhere,
    "rewards_are_whitened": _rewards_whitened,
    "rewards_are_always_whitened": always(_rewards_whitened),
    "rewards_can_be_whitened": sometimes(_rewards_whitened),
    "padding_is_zero_after_whitening": _padding,
    "padding_is_always_zero_after_whitening": always(_padding),
    "advantages_are_whitened": _is_whitened,
    "advantages_are_always_whitened": always(_is_whitened),
}
