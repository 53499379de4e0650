"""The running example, a right response and a wrong one: the only place with its numbers, and its words by language."""

from __future__ import annotations

from dataclasses import dataclass

from engine.scenario import PER_TOKEN, Row, Scenario, Words, scenario, written


@dataclass(frozen=True)
class Texts:
    """What a response says, or each of a batch, and what it answers: no number comes out of them."""

    prompt: str
    tokens: Words = ()  # none where none are known

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The tokens as the rows of a batch, one row when it is a single response."""
        return written(self.tokens)


TEXTS = {  # language → the same numbers' tokens, the right response's first; the prompts have eight tokens each
    "zh": Texts("请问1+1=2？", (("是", "的", "，", "等于", "2", "！"), ("不", "是", "，", "等于", "3", "！"))),
    "en": Texts("Is 1+1=2?", (("Yes", ",", " it", " is", " 2", "!"), ("No", ",", " it", " is", " 3", "!"))),
}
_COMPUTED_ON = TEXTS["zh"]  # whose words stand in the scenario; pages tell the others'

LAM = 0.95
RUNNING: Scenario = scenario(
    {
        "prompt": _COMPUTED_ON.prompt,
        "tokens": _COMPUTED_ON.rows[0],
        "scores": [0, 0, 0, 0, 0, 1],
        "kl_values": [0.1, 0.05, -0.05, 0.1, 0.2, 0.05],
        "beta": 0.1,
        "kl": "k1",
        "values": [0.20, 0.25, 0.30, 0.35, 0.45, 0.60],
        "gamma": 1,
        "lam": LAM,
        # Log-probabilities whose difference is the KL above, and those of the same tokens after an update.
        "logp": [-0.35, -0.20, -0.60, -0.15, -0.10, -0.05],
        "ref_logp": [-0.45, -0.25, -0.55, -0.25, -0.30, -0.10],
        "new_logp": [-0.30, -0.28, -0.35, -0.15, -0.40, -0.03],
        "eps": 0.2,
        # What the critic says after an update.
        "vpreds": [0.30, 0.28, 0.55, 0.40, 0.50, 0.85],
        "cliprange_value": 0.2,
        # Scores of four responses to the same prompt: of the one above, of the one below, and of two more.
        "group_rewards": [1, 0, 0.5, 0],
    }
)
# In the first state both responses are one: the critic says the same, before and after, and no policy gives the two
# first tokens more than one in all.
_WRONG: dict[str, Row] = {
    "scores": (0, 0, 0, 0, 0, 0),
    "kl_values": (-0.2, 0.05, 0.05, 0, 0.3, 0.05),
    "values": (0.20, 0.10, 0.15, 0.20, 0.35, -0.05),
    "logp": (-1.40, -0.10, -0.50, -0.20, -0.90, -0.30),
    "ref_logp": (-1.20, -0.15, -0.55, -0.20, -1.20, -0.35),
    "new_logp": (-1.80, -0.19, -0.58, -0.31, -0.70, -0.57),
    "vpreds": (0.30, 0.05, 0.10, 0.05, 0.10, -0.10),
}
BOTH: Scenario = RUNNING.merged(
    {"tokens": _COMPUTED_ON.tokens, **{name: (getattr(RUNNING, name), row) for name, row in _WRONG.items()}}
)


def batch_of(given: Scenario) -> Scenario:
    """Both responses, where the one given is the example's, whatever its parameters; else what is given."""
    own = all(getattr(given, name) == getattr(RUNNING, name) for name in ("prompt", "tokens", *PER_TOKEN))
    return beside_the_wrong_one(given) if own else given


def beside_the_wrong_one(given: Scenario) -> Scenario:
    """The example's right response as one of a batch, the wrong one the other; the parameters stay as they are."""
    return given.merged({name: getattr(BOTH, name) for name in ("tokens", *PER_TOKEN)})


def texts(given: Scenario, language: str) -> Texts:
    """A scenario's prompt and tokens: in a language, where they are the example's or what is left of its response."""
    own = Texts(given.prompt or "", given.tokens or ())
    if own.prompt != _COMPUTED_ON.prompt or len(own.rows) > len(_COMPUTED_ON.rows):
        return own
    said = [dict(zip(*rows, strict=True)) for rows in zip(_COMPUTED_ON.rows, TEXTS[language].rows, strict=True)]
    if not all(known.keys() >= {*row} for row, known in zip(own.rows, said, strict=False)):
        return own
    told = tuple(tuple(known[token] for token in row) for row, known in zip(own.rows, said, strict=False))
    return Texts(TEXTS[language].prompt, told if len(told) > 1 else told[0])
