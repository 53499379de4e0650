"""What the workbench computes: rows of numbers, what a mistake makes of them, what stands behind its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import formulas, quantities, sequences
from engine.errors import EngineError
from engine.facts import Facts, Inputs, Program, compute
from engine.losses import Clip
from engine.mistakes import MISTAKES, Mistake, on_the_way_to
from engine.readings.worked import Worked
from engine.scenario import Scenario
from lessons._first import first_response, worked

SWEPT = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)  # λ
LONGEST_MATRIX = 24  # tokens
SAME = 1e-9
UPDATE = "update"  # the picture of the actor's update, where ε acts

COMPUTED = ("kl", "rewards", "deltas", "advantages", "returns", "mc_returns", "whitened")
OF_UPDATE = ("ratio", "unclipped", "clipped", "objective_terms")
FORMULAS: Mapping[str, Callable[..., Any]] = {
    "kl": formulas.k1,
    "rewards": formulas.token_reward,
    "deltas": formulas.td_error,
    "advantages": formulas.gae_step,
    "returns": formulas.critic_target,
    "mc_returns": formulas.mc_step,
    "whitened": formulas.whiten,
    "ratio": formulas.ratio,
    "unclipped": formulas.surrogate_term,
    "clipped": formulas.clipped_term,
    "objective_terms": formulas.ppo_objective,
}
_KL = {"k1": formulas.k1, "k2": formulas.k2, "k3": formulas.k3_clamped, "abs": formulas.abs_kl}


@dataclass(frozen=True)
class Row:
    """One computed list, and what the chosen mistake makes of it where that differs."""

    name: str
    numbers: tuple[float | None, ...]
    mistaken: tuple[float | None, ...] = ()

    def damaged(self, t: int) -> bool:
        if not self.mistaken:
            return False
        right, wrong = self.numbers[t], self.mistaken[t]
        if right is None or wrong is None:
            return (right is None) != (wrong is None)
        return abs(right - wrong) > SAME * max(1.0, abs(right))


@dataclass(frozen=True)
class Computed:
    rows: Mapping[str, Row]
    device: str
    used: frozenset[str]  # parts of the scenario that were read

    @property
    def damage(self) -> tuple[str, ...]:
        """The rows that the mistake changes."""
        return tuple(row.name for row in self.rows.values() if any(map(row.damaged, range(len(row.numbers)))))


def computed(given: Scenario, *, update: bool = False, mistake: str = "") -> Computed:
    """Everything that follows from what is given. Where values are missing that is the return alone."""
    program = _program(given, update=update)
    right = compute(program, given)
    wrong = _wrong(program, given, mistake)
    names = [name for name in (*COMPUTED, *OF_UPDATE) if name in right.numbers]
    rows = {name: Row(name, tuple(right.numbers[name]), tuple(wrong.get(name, ()))) for name in names}
    return Computed(rows, right.device, right.used)


def can_update(given: Scenario) -> bool:
    return given.new_logp is not None and given.logp is not None and given.values is not None


def breakable(given: Scenario, *, update: bool = False) -> tuple[Mistake, ...]:
    """The mistakes that can be made on these numbers."""
    found = [*on_the_way_to("pipeline"), *(on_the_way_to("clip") if update else ())]
    found = [mistake for mistake in found if mistake.quantity != "kl_estimators"]
    if given.scores is None or given.rewards is not None:
        found = [mistake for mistake in found if mistake.quantity != "kl_rewards"]
    return tuple(mistake for mistake in found if mistake.possible(given))


def working(given: Scenario, hidden: Sequence[str] = (), *, update: bool = False) -> Mapping[str, str]:
    """`name.t` → the line that made the number: symbols, numbers, result; of what is hidden the symbols alone."""
    places = [t for t in range(given.length) if given.mask is None or given.mask[t]]
    found = {}
    for name, row in worked(_program(first_response(given), update=update), given).items():
        for t, x in zip(places, row if isinstance(row, list) else (), strict=False):
            if isinstance(x, Worked) and x.symbol and x.made_from:
                found[f"{name}.{t}"] = x.formula("text") if name in hidden else x.line("text")
    return found


def made_by(name: str, given: Scenario) -> str:
    """The function of the engine that computes a row."""
    formula = _KL[given.kl or "k1"] if name == "kl" else FORMULAS[name]
    return f"{formula.__module__}.{formula.__name__}"


# ---------------------------------------------------------------- programs


def _program(given: Scenario, *, update: bool) -> Program:
    return _updating if update and can_update(given) else following


def following(x: Inputs) -> dict[str, Any]:
    if not x.has("values"):
        return quantities.reward_to_go(x)
    found = quantities.gae(x)
    if not x.has("rewards"):
        found = {"kl": quantities.kl(x), **found}
    if x.tokens > 1:
        found["whitened"] = x.on.whiten(found["advantages"], x.mask)
    return found


def _updating(x: Inputs) -> dict[str, Any]:
    found, ratio = following(x), quantities.ratios(x)
    terms = (ratio, found["advantages"], x.mask)
    clip = Clip(x["eps_low" if x.has("eps_low") else "eps"], x["eps_high" if x.has("eps_high") else "eps"])
    return found | {
        "ratio": ratio,
        "unclipped": x.on.surrogates(*terms),
        "clipped": x.on.clipped_terms(*terms, clip=clip),
        "objective_terms": x.on.objectives(*terms, clip=clip),
    }


def _wrong(program: Program, given: Scenario, mistake: str) -> Mapping[str, Any]:
    if mistake not in MISTAKES or not MISTAKES[mistake].possible(given):
        return {}
    try:
        return compute(MISTAKES[mistake].change(program), given).numbers
    except EngineError:  # it needs what is not there
        return {}


# ---------------------------------------------------------------- behind the pictures


def steps(own: Scenario) -> Facts:
    """Each δ as the first token counts it, between V and G."""

    def program(x: Inputs) -> dict[str, Any]:
        found = quantities.gae(x)
        counted = [formulas.discounted(d, x["gamma"], t) for t, d in enumerate(_row(found["deltas"]))]
        return {"values": found["values"], "discounted_deltas": [counted], "mc_returns": found["mc_returns"]}

    return compute(program, own)


def sweep(own: Scenario) -> Facts:
    return quantities.facts("lambda_sweep", own.merged({"lams": SWEPT}))


def heard(own: Scenario) -> tuple[float, ...]:
    """How much a token hears of its own δ, the next one, the one after."""

    def program(x: Inputs) -> dict[str, Any]:
        kept = x["gamma"] * x["lam"]
        return {"heard": [formulas.discounted(1.0, kept, n) for n in range(own.length)]}

    found = compute(program, own).numbers["heard"]
    return tuple(found) if isinstance(found, list) else (found,)


def weights(own: Scenario) -> Facts:
    """What the first token's advantage takes of each n-step advantage, and these."""

    def program(x: Inputs) -> dict[str, Any]:
        r, values = quantities.rewards(x), x["values"]
        steps = range(1, own.length + 1)
        by_n = [x.on.n_step_advantages(r, values, x.mask, gamma=x["gamma"], n=n) for n in steps]
        return {
            "weights": [sequences.mixture_weights(own.length, x["lam"])],
            "n_step_advantages": [[_row(found)[0] for found in by_n]],
        }

    return compute(program, own)


def _row(batch: Any) -> Any:
    """The one response of a batch, in either reading."""
    return list(batch[0])
