"""The running example: the only place where its numbers stand."""

from __future__ import annotations

from engine.scenario import Scenario, scenario

RUNNING: Scenario = scenario(
    {
        "prompt": "请问1+1=2？",
        "tokens": ["是", "的", "，", "等于", "2", "！"],
        "scores": [0, 0, 0, 0, 0, 1],
        "kl_values": [0.1, 0.05, -0.05, 0.1, 0.2, 0.05],
        "beta": 0.1,
        "values": [0.20, 0.25, 0.30, 0.35, 0.45, 0.60],
        "gamma": 1,
        "lam": 0.95,
    }
)
