"""The running example: the only place where its numbers stand."""

from __future__ import annotations

from engine.scenario import Scenario, scenario

LAM = 0.95
RUNNING: Scenario = scenario(
    {
        "prompt": "请问1+1=2？",
        "tokens": ["是", "的", "，", "等于", "2", "！"],
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
