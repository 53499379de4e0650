"""The functions as lines to copy into a program, each of which runs as it stands."""

from typing import Any

from prompts.functions.door import FUNCTIONS

ADDRESS = "ADDRESS"  # of the page: the browser knows it
CHAT = "chat"
_GIVEN: dict[str, dict[str, Any]] = {
    "search_facts": {"query": "why λ?"},
    "read_fact": {"id": "why_lambda/lambda_zero_is_delta"},
    "read_section": {"lesson": "why_lambda"},
    "read_proof": {"theorem": "telescoping"},
    "compute_quantity": {"quantity": "gae"},
    "settle_statement": {"statement": "A_t = G_t - V_t"},
    "audit_numbers": {"text": "rewards = [0, 1], values = [0, 1], gamma = 1, lam = 1, advantages = [1, 0]"},
    "run_mistake": {"mistake": "gamma_lam_swap"},
    "draw_scenario": {},
    "list_names": {"kind": "lessons"},
    "ask": {"message": "why λ?", "earlier": []},
}


def lines() -> str:
    """Python for the page's endpoints; help(…) of each is told by `view_api`."""
    asked = {CHAT: {"message": "why λ?"}, **{name: _GIVEN[name] for name in FUNCTIONS}}
    calls = [f"telescope.predict({_arguments(given)}api_name={f'/{name}'!r})" for name, given in asked.items()]
    begin = ["from gradio_client import Client", "", f"telescope = Client({ADDRESS!r})"]
    mcp = f"# MCP: {ADDRESS}gradio_api/mcp/"
    return "\n".join([*begin, *calls, "telescope.view_api()", mcp])


def _arguments(given: dict[str, Any]) -> str:
    return "".join(f"{name}={value!r}, " for name, value in given.items())
