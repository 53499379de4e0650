"""What a statement may name: quantities and rates, short or in full, and which computation of the pipeline has each."""

from __future__ import annotations

from collections.abc import Mapping

from engine.scenario import FRACTIONS, LISTS, WIDTHS
from engine.statements.terms import Call, Change, Node, Place, Term, children, free

SHORT: Mapping[str, str] = {
    "r": "rewards",
    "V": "values",
    "delta": "deltas",
    "A": "advantages",
    "R": "returns",
    "G": "mc_returns",
    "score": "scores",
    "rho": "ratio",
    "white": "whitened",
}
IN_SHORT = {name: short for short, name in SHORT.items()}
# computation → what it is asked for; the first that has a name and can be computed gives it
COMPUTED: Mapping[str, tuple[str, ...]] = {
    "gae": (
        "rewards", "values", "deltas", "advantages", "returns", "mc_returns", "mc_advantages", "excess", "delta_sum",
        "advantage_sum",
    ),
    "mc": ("rewards", "mc_returns", "mc_advantages", "excess"),
    "reward_to_go": ("rewards", "mc_returns"),
    "kl_rewards": ("kl", "rewards"),
    "kl_estimators": ("k1", "k2", "k3", "abs"),
    "whiten": ("advantages", "mean", "std_sample", "std_population", "whitened", "whitened_population"),
    "clip": ("ratio", "unclipped", "clipped", "objective_terms", "objective", "clipfrac"),
    "surrogate": ("ratio", "terms", "surrogate"),
    "value_loss": ("vpred_clipped", "max_sq_err", "vf_loss", "vf_clipfrac"),
    "nstep_mixture": ("weights", "n_step_advantages", "mixture"),
    "padding_leak": ("masked", "unmasked"),
    "probabilities": ("prob", "ref_prob", "new_prob", "old_prob"),
    "grpo": ("centered",),
    "rloo": ("baselines",),
}  # fmt: skip
RATES = (*FRACTIONS, *WIDTHS)
INPUTS = frozenset({*LISTS, *RATES, "kl"})
QUANTITIES = frozenset({*INPUTS, *(name for found in COMPUTED.values() for name in found), "T"})
SITUATIONS = ("example", "batch", "here")  # the running example, the batch at hand, what the statement is asked of
ENDS = ("first", "last")  # places
ESTIMATORS = ("k1", "k2", "k3", "abs")  # what kl can be set to
OF_WORDS = ("mistake", "counterexample", "slopes", "total_slope")  # functions that take names
CONSTANTS = frozenset({"true", "false", "none"})
_SINGLE = frozenset({*QUANTITIES, *COMPUTED, *SITUATIONS, *ENDS, *CONSTANTS})


def full(name: str) -> str:
    return SHORT.get(name, name)


def is_known(name: str) -> bool:
    return full(name) in _SINGLE


def split(name: str) -> tuple[str, str | None]:
    """A quantity, and the place that is written behind it: mc_advantages_0 is mc_advantages at 0."""
    if full(name) in _SINGLE or "_" not in name:
        return full(name), None
    head, place = name.rsplit("_", 1)
    return (full(head), place) if full(head) in QUANTITIES else (name, None)


def computations(name: str) -> tuple[str, ...]:
    return tuple(program for program, found in COMPUTED.items() if name in found)


def unknown(term: Term) -> set[str]:
    """Names in it that nothing has; t is every token where a relation stands around it."""
    from engine.statements.functions import FUNCTIONS

    strange = {name for name in free(term) if name not in _SINGLE and name != "t"}
    for node in _all(term):
        match node:
            case Call(function):
                strange |= {function} - FUNCTIONS.keys() - {*OF_WORDS}
            case Place(quantity):
                strange |= {quantity} - QUANTITIES
            case Change(name):
                strange |= {name} - INPUTS
    return strange


def _all(node: Node) -> list[Node]:
    return [node, *(inner for child in children(node) for inner in _all(child))]
