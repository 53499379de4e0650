"""The running example: the only place where its numbers stand, and its words in each language."""

from __future__ import annotations

from dataclasses import dataclass

from engine.scenario import Scenario, scenario


@dataclass(frozen=True)
class Texts:
    """What a response says and what it answers: no number comes out of them."""

    prompt: str
    tokens: tuple[str, ...] = ()  # none where none are known


TEXTS = {  # language → the same six numbers' tokens; the prompts have eight tokens each
    "zh": Texts("请问1+1=2？", ("是", "的", "，", "等于", "2", "！")),
    "en": Texts("Is 1+1=2?", ("Yes", ",", " it", " is", " 2", "!")),
}
_COMPUTED_ON = TEXTS["zh"]  # whose words stand in the scenario; pages tell the others'

LAM = 0.95
RUNNING: Scenario = scenario(
    {
        "prompt": _COMPUTED_ON.prompt,
        "tokens": _COMPUTED_ON.tokens,
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
        # Scores of four responses to the same prompt.
        "group_rewards": [1, 0, 0.5, 0],
    }
)


def texts(given: Scenario, language: str) -> Texts:
    """A scenario's prompt and tokens: in a language, where they are the example's or what is left of its response."""
    own = Texts(given.prompt or "", given.tokens or ())
    said = dict(zip(_COMPUTED_ON.tokens, TEXTS[language].tokens, strict=True))
    if own.prompt != _COMPUTED_ON.prompt or not said.keys() >= {*own.tokens}:
        return own
    return Texts(TEXTS[language].prompt, tuple(said[token] for token in own.tokens))
