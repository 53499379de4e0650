"""What each function may be asked: its arguments with their bounds, checked at the door.

Nothing heavy is imported here: a program that only asks what there is to ask gets its answer at once.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

LONGEST_QUERY = 2_000  # characters
LONGEST_STATEMENT = 1_000
LONGEST_TEXT = 20_000
LONGEST_NAME = 120
MOST_FACTS = 30
MOST_TURNS = 20
MOST_NUMBERS = 8_192  # in all lists together
MOST_IN_MIXTURE = 512  # where every n-step advantage of every token is computed
MOST_LAMBDAS = 16

Language = Literal["zh", "en"]
Style = Literal["plain", "full", "simple", "rigorous"]
Section = Literal[
    "answer", "simple", "why", "numbers", "picture", "proof", "precisely", "mistake", "code", "projects", "quiz",
]  # fmt: skip
Kind = Literal["lessons", "quantities", "mistakes", "theorems"]
Quantity = Literal[
    "gae", "lambda_sweep", "masked_gae", "padding_leak", "mc", "reward_to_go", "kl_rewards", "kl_estimators",
    "pipeline", "whiten", "surrogate", "clip", "value_loss", "nstep_mixture", "grpo", "rloo", "probabilities",
]  # fmt: skip
BY_TOKEN = (
    "scores", "logp", "ref_logp", "kl_values", "rewards", "values", "mask", "advantages", "returns", "new_logp",
    "old_logp", "ratio", "vpreds", "old_values",
)  # fmt: skip
_PARAMETERS = ("gamma", "lam", "beta", "eps", "eps_low", "eps_high", "cliprange_value")
_SCENARIO = {
    "type": "object",
    "description": (
        "The numbers to work on, by name, all optional; without any, the running example of six tokens. One number "
        "for each response token (index 0 first; a list of lists is a batch): the arrays below. gamma and lam lie in "
        f"[0, 1] and are 1 and 0.95 where they are left out. At most {MOST_NUMBERS} numbers in all."
    ),
    "properties": {
        **{name: {"type": "array"} for name in (*BY_TOKEN, "tokens", "group_rewards", "lams")},
        **{name: {"type": "number"} for name in _PARAMETERS},
        "kl": {"enum": ["k1", "k2", "k3", "abs"]},
    },
}


def _unpacked(given: Any) -> Any:
    """An object that came as the text of one, as some assistants send it."""
    if isinstance(given, str) and given.lstrip().startswith("{") and len(given) <= LONGEST_TEXT:
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given


Given = Annotated[dict[str, Any], BeforeValidator(_unpacked), WithJsonSchema(_SCENARIO)]
_STATED = {
    "type": "object",
    "description": (
        "Numbers that someone states as results, by the names of facts: rewards, deltas, advantages, returns, "
        "mc_returns, whitened, kl, ratio, objective, vf_loss … each a number or a list."
    ),
}
Stated = Annotated[dict[str, Any], BeforeValidator(_unpacked), WithJsonSchema(_STATED)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[A-Za-z0-9_/.-]+$")]


class Asked(BaseModel):
    """Arguments of a function: known names only."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lang: Language | None = Field(None, description="Language of the words in the answer; default: the question's.")


class OnNumbers(Asked):
    scenario: Given | None = None


class SearchFacts(Asked):
    """Find true sentences about token-level PPO (GAE, γ, λ, KL rewards, whitening, clipping, the critic, GRPO …).

    Every fact has been checked by a program. Ask in English or Chinese, in any words. Returns the nearest facts, best
    first, each with an id for read_fact. A likeness near 1 is the same question; a high `outside` means that the query
    is probably about something else.
    """

    query: str = Field(
        min_length=1, max_length=LONGEST_QUERY, description="What to look for: a question or a statement."
    )
    count: int = Field(5, ge=1, le=MOST_FACTS, description="How many facts at most.")


class ReadFact(OnNumbers):
    """Read one fact: its true sentence, why it is so with the numbers its check found, and which verdict it settles.

    `settles` says what the check makes of the statement as people affirm it (with examples of how they affirm or deny
    it). With a scenario the check runs on these numbers, where it can.
    """

    id: Name = Field(description="The fact as search_facts names it: lesson/fact, for example why_lambda/…")


class ReadSection(OnNumbers):
    """Read one section of a lesson as Markdown, computed on the given numbers or on the running example."""

    lesson: Name = Field(description="A lesson's id, for example telescoping, why_lambda, kl_reward (see list_names).")
    section: Section = Field("answer", description="Which part of the page.")


class ReadProof(Asked):
    """Read a theorem with its proof: every step checked by symbolic algebra, statements for every length by induction.

    For example deltas_telescope, gae_lambda_one_is_monte_carlo; list_names gives all of them.
    """

    theorem: Name = Field(description="The theorem's name.")


class ComputeQuantity(OnNumbers):
    """Compute a quantity of token-level PPO, on tensors and exactly; returned only where the two agree.

    gae: deltas, advantages, returns from rewards, values, gamma, lam (or from scores, kl_values or logp and ref_logp,
    beta, values). pipeline: the same with KL and whitening. mc, reward_to_go: Monte Carlo. lambda_sweep: several lams.
    masked_gae, padding_leak: with a mask. kl_rewards, kl_estimators: from logp and ref_logp. whiten: advantages.
    surrogate, clip: new_logp, old_logp (or ratio), advantages, eps. value_loss: vpreds, old_values, returns,
    cliprange_value. grpo, rloo: group_rewards. Numbers come at full precision; short responses with their working.
    """

    quantity: Quantity = Field(description="Which computation.")


class SettleStatement(OnNumbers):
    """Ask whether one statement is true: settled by computation or proof where it can be, else honestly "unknown".

    Give a single sentence, for example "A_t = G_t - V_t when lambda = 1", "V_t includes r_t", or one with numbers. The
    answer says which sentence was judged, by what, and with which witness; where nothing settles it, it names the
    nearest facts.
    """

    statement: str = Field(
        min_length=1, max_length=LONGEST_STATEMENT, description="One sentence, in English or Chinese."
    )


class AuditNumbers(OnNumbers):
    """Check stated numbers against computed ones, at the digits shown, and name the mistake that explains a difference.

    Give a text or table as it is (`text`), or the inputs as `scenario` and the stated results as `stated`, or both.
    """

    text: str | None = Field(
        None, max_length=LONGEST_TEXT, description="A text, table or log with inputs and stated results."
    )
    stated: Stated | None = None


class RunMistake(OnNumbers):
    """Run a known misconception as a program beside the right one, on the same numbers, and see where they differ."""

    mistake: Name = Field(description="The mistake's id, for example gamma_lam_swap (list_names gives all of them).")


class DrawScenario(OnNumbers):
    """Draw one response as SVG: a time axis with states and tokens, rewards, values, δ and advantages; with a text."""


class ListNames(Asked):
    """List what there is by name: lessons, quantities with their facts, mistakes, or theorems."""

    kind: Kind = Field(description="What to list.")


class Ask(OnNumbers):
    """Ask the tutor in your own words and get its whole answer: page as Markdown, numbers, proof steps, verdict.

    For questions that the other functions do not fit; the answer is computed, never generated.
    """

    message: str = Field(min_length=1, max_length=LONGEST_TEXT, description="The question.")
    earlier: list[Annotated[str, Field(max_length=LONGEST_TEXT)]] = Field(
        default=[], max_length=MOST_TURNS, description="The learner's earlier messages, oldest first."
    )
    style: Style = Field("plain", description="How to tell it.")
