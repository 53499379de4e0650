"""What the functions are asked in these tests, and the clients that ask."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

import jsonschema
from mcp import ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from prompts.functions.door import FUNCTIONS

OWN = {"rewards": [0, 0, 1], "values": [0.1, 0.2, 0.3], "gamma": 0.9, "lam": 0.5}
ASKED: dict[str, list[dict[str, Any]]] = {  # function → arguments that it answers
    "search_facts": [{"query": "why λ?"}, {"query": "为什么要白化", "count": 1}],
    "read_fact": [
        {"id": "why_lambda/lambda_zero_is_delta"},
        {"id": "why_lambda/lambda_zero_is_delta", "lang": "zh", "scenario": OWN},
    ],
    "read_section": [{"lesson": "why_lambda"}, {"lesson": "telescoping", "section": "numbers", "scenario": OWN}],
    "read_proof": [{"theorem": "telescoping"}, {"theorem": "k3_is_never_negative", "lang": "zh"}],
    "compute_quantity": [{"quantity": "gae", "scenario": OWN}, {"quantity": "grpo"}],
    "settle_statement": [{"statement": "A_t = G_t - V_t"}, {"statement": "the sun is hot"}],
    "audit_numbers": [
        {"scenario": OWN, "stated": {"deltas": [0.08, 0.07, 0.8], "luck": 3}},
        {"text": "rewards = [0, 0, 1], values = [0.1, 0.2, 0.3], gamma = 1, lam = 1, advantages = [0.9, 0.8, 0.7]"},
    ],
    "run_mistake": [{"mistake": "gamma_lam_swap", "scenario": OWN}, {"mistake": "gamma_forgotten", "lang": "zh"}],
    "draw_scenario": [{}, {"scenario": {"rewards": [1, -1]}, "lang": "zh"}],
    "list_names": [{"kind": kind} for kind in ("lessons", "quantities", "mistakes", "theorems")],
    "ask": [{"message": "why λ?"}, {"message": "再简单点", "earlier": ["什么是 λ"], "style": "simple"}],
}
REFUSED: list[tuple[str, Any, str, str]] = [  # function, arguments, code, what the message names
    ("nobody", {}, "unknown_function", "compute_quantity"),
    ("search_facts", {}, "bad_arguments", "query"),
    ("search_facts", [], "bad_arguments", "query"),
    ("search_facts", {"query": "λ", "count": 31}, "bad_arguments", "30"),
    ("search_facts", {"query": "λ" * 2001}, "bad_arguments", "2000"),
    ("search_facts", {"query": "λ", "limit": 3}, "bad_arguments", "count"),
    ("search_facts", {"query": "λ", "lang": "fr"}, "bad_arguments", "zh"),
    ("read_fact", {"id": "why_lambda/lambda_zero"}, "bad_option", "lambda_zero_is_delta"),
    ("read_fact", {"id": "../../etc/passwd"}, "bad_option", "audit/"),
    ("read_section", {"lesson": "why_lamda"}, "bad_option", "why_lambda"),
    ("read_section", {"lesson": "audit", "section": "projects"}, "bad_option", "answer"),
    ("read_proof", {"theorem": "k3"}, "bad_option", "k3_is_never_negative"),
    ("compute_quantity", {"quantity": "gea"}, "bad_arguments", "gae"),
    ("compute_quantity", {"quantity": "gae", "scenario": {"rewards": [1], "values": [1, 2]}}, "length_mismatch", "2"),
    ("compute_quantity", {"quantity": "gae", "scenario": {"rewards": [1]}}, "missing", "values"),
    ("compute_quantity", {"quantity": "lambda_sweep"}, "missing", "lams"),
    ("compute_quantity", {"quantity": "gae", "scenario": {"rewards": [0] * 5000}}, "too_long", "4096"),
    ("compute_quantity", {"quantity": "gae", "scenario": {"rewards": [[0] * 99] * 99}}, "too_long", "8192"),
    ("compute_quantity", {"quantity": "nstep_mixture", "scenario": {"rewards": [[0] * 64] * 9}}, "too_long", "512"),
    ("compute_quantity", {"quantity": "gae", "scenario": {"rewards": [float("nan")]}}, "not_finite", "rewards[0]"),
    ("compute_quantity", {"quantity": "gae", "scenario": {"reward": [1]}}, "unknown_field", "rewards"),
    ("compute_quantity", {"quantity": "gae", "scenario": "__import__('os')"}, "bad_arguments", "scenario"),
    (
        "compute_quantity",
        {"quantity": "surrogate", "scenario": {"new_logp": [-1], "old_logp": [-1e12], "advantages": [1]}},
        "overflow",
        "smaller",
    ),
    ("settle_statement", {"statement": ""}, "bad_arguments", "statement"),
    ("audit_numbers", {}, "nothing_to_check", "stated"),
    ("audit_numbers", {"scenario": OWN, "stated": {"deltas": [0, "x"]}}, "not_a_number", "deltas[1]"),
    ("run_mistake", {"mistake": "gamma_swap"}, "bad_option", "gamma_lam_swap"),
    ("run_mistake", {"mistake": "mask_holes_are_steps"}, "missing", "mask"),
    ("draw_scenario", {"scenario": {"gamma": 2}}, "out_of_range", "gamma"),
    ("ask", {"message": "λ", "scenario": {"rewards": [1], "values": [1, 2]}}, "length_mismatch", "values"),
]


def every_question() -> list[tuple[str, dict[str, Any]]]:
    return [(name, arguments) for name, some in ASKED.items() for arguments in some]


def check(name: str, found: dict[str, Any]) -> None:
    """An answer is what the function says that it gives."""
    jsonschema.validate(found, FUNCTIONS[name].gives)


@asynccontextmanager
async def over_http(address: str):
    async with (
        streamable_http_client(f"{address}/gradio_api/mcp/") as (read, write, _),
        ClientSession(read, write) as c,
    ):
        await c.initialize()
        yield c


@asynccontextmanager
async def over_sse(address: str):
    async with sse_client(f"{address}/gradio_api/mcp/sse") as streams, ClientSession(*streams) as client:
        await client.initialize()
        yield client
