"""The functions, asked directly: what they answer is what they say, computed, bounded, and never an exception."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib import import_module
from typing import Any, get_args
from urllib.parse import parse_qs
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import types
from mcp.server.lowlevel import Server

from engine import mistakes, proofs, quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import PER_TOKEN, Scenario, scenario
from lessons._lesson import LANGUAGES, lessons
from prompts.functions import asked, offered
from prompts.functions.door import FUNCTIONS, call
from prompts.functions.offered import result
from prompts.tell.figures import MOST
from prompts.tell.words import words
from prompts.tutor import Request, answer
from tests.over_stdio import ROOT
from tests.prompts.functions.asking import OWN, REFUSED, check, every_question

# ------------------------------------------------------------ contracts


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_describes_itself_and_all_it_takes(name):
    function = FUNCTIONS[name]
    assert len(function.description) > 60
    assert function.takes["additionalProperties"] is False
    for argument, schema in function.takes["properties"].items():
        assert any("description" in part for part in (schema, *schema.get("anyOf", ()))), argument
        for part in (schema, *schema.get("anyOf", ())):
            bounded = {"enum", "const", "maxLength"} & set(part) or part.get("type") not in ("string", "integer")
            assert bounded or "maximum" in part, argument
    jsonschema.Draft202012Validator.check_schema(function.takes)
    jsonschema.Draft202012Validator.check_schema(function.gives)


@pytest.mark.parametrize(("name", "arguments"), every_question(), ids=str)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_is_what_the_function_says(name, arguments, lang):
    jsonschema.validate({**arguments, "lang": lang}, FUNCTIONS[name].takes)
    found = call(name, {**arguments, "lang": lang})
    check(name, found)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    with pytest.raises(jsonschema.ValidationError):
        check(name, {key: x for key, x in found.items() if key != "source"})


@pytest.mark.parametrize(("name", "arguments", "code", "named"), REFUSED, ids=str)
def test_what_is_wrong_is_said_and_what_to_do(name, arguments, code, named):
    error = call(name, arguments)["error"]
    assert error["code"] == code and named in error["message"]
    assert len(error["message"]) < 1500 and "&#" not in error["message"]
    assert result({"error": error}).isError


@pytest.mark.parametrize(("name", "arguments"), every_question(), ids=str)
def test_the_source_is_ours_and_there(name, arguments):
    module, _, function = call(name, arguments)["source"].partition(":")
    assert module.split(".")[0] in ("engine", "lessons", "prompts")
    there = vars(import_module(module))
    assert function.split(".")[0] in there or function in there.get("MISTAKES", ())


def test_the_door_knows_what_the_engine_knows():
    """The door imports nothing heavy, so it has names of its own."""
    assert set(get_args(asked.Quantity)) == set(quantities.QUANTITIES)
    assert asked.BY_TOKEN == PER_TOKEN
    named = set(asked._SCENARIO["properties"]) | {"prompt"}
    assert named == set(Scenario.model_fields)
    assert set(get_args(asked.Language)) == set(LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_computation_is_said_to_take_is_enough(lang):
    listed = {one["id"]: one for one in call("list_names", {"kind": "quantities", "lang": lang})["names"]}
    assert set(listed) == set(quantities.QUANTITIES) == set(words(lang)["computations"])
    numbers = {"mask": [1, 1, 1], "lams": [0, 1], "logp": [-1, -2, -3], "ref_logp": [-2, -1, -3]}
    numbers |= {"new_logp": [-1, -1, -2], "old_logp": [-2, -1, -1]}
    for name, one in listed.items():
        own = {part: numbers.get(part, [0.5, 1, 0]) for part in one["takes"]}
        assert "numbers" in call("compute_quantity", {"quantity": name, "scenario": own}), name


def test_what_there_is_to_ask_is_told_before_anything_heavy_is_imported():
    code = (
        "import sys, prompts.functions.stdio, prompts.functions.offered as o; [o.tool(f) for f in o.FUNCTIONS.values()]"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.split()
    assert "mcp.server" in loaded and not {"torch", "sympy", "gradio", "lessons", "engine"} & set(loaded)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*OWN, "x"]), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_arguments_raise(name):
    sound = next(arguments for known, arguments in every_question() if known == name)

    @settings(derandomize=True, deadline=None, max_examples=25)
    @given(st.dictionaries(st.sampled_from([*FUNCTIONS[name].takes["properties"], "x"]), json_values), st.booleans())
    def holds(given_, beside):
        found = call(name, {**sound, **given_} if beside else given_)
        json.dumps(found, allow_nan=False).encode("utf-8", "surrogatepass")
        if "error" in found:
            assert set(found) == {"error"} and found["error"]["message"] and found["error"]["code"] != "internal"
        else:
            check(name, found)

    holds()


@pytest.mark.parametrize(
    "arguments", [None, 3, "x", {"query": "\ud800"}, {"query": "\x00"}, {1: 2}, {"query": b"\xff"}]
)
def test_odd_arguments_are_answered(arguments):
    assert json.dumps(call("search_facts", arguments)).encode()


def test_a_fault_of_ours_is_an_honest_answer(monkeypatch):
    monkeypatch.setattr("prompts.functions.facts.nearest", lambda *_: 1 / 0)
    assert call("search_facts", {"query": "λ"})["error"]["code"] == "internal"


def test_where_too_many_wait_one_more_is_told_so():
    asked_for = types.CallToolRequestParams(name="ask", arguments={})
    server = Server("one")

    async def crowd():
        ready = asyncio.Event()

        async def answered(*_: Any) -> dict[str, Any]:
            await ready.wait()
            return {"answered": True}

        offered.offer(server, answered, waiting=3)
        answering = server.request_handlers[types.CallToolRequest]
        asking = [
            asyncio.ensure_future(answering(types.CallToolRequest(params=asked_for)))
            for _ in range(offered.AT_ONCE + 3)
        ]
        await asyncio.sleep(0.1)
        refused = await answering(types.CallToolRequest(params=asked_for))
        ready.set()
        return refused, await asyncio.gather(*asking)

    refused, answered = asyncio.run(crowd())
    assert refused.root.isError and refused.root.structuredContent["error"]["code"] == "crowded"
    assert all(one.root.structuredContent == {"answered": True} for one in answered)


def test_an_object_may_come_as_its_text():
    whole = call("compute_quantity", {"quantity": "gae", "scenario": OWN})
    assert call("compute_quantity", {"quantity": "gae", "scenario": json.dumps(OWN)}) == whole


# ------------------------------------------------------------ what is computed

numbers = st.floats(-5, 5).map(lambda x: round(x, 3))


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6), st.floats(0, 1), st.floats(0, 1))
def test_computed_numbers_are_the_exact_ones_rounded_once(pairs, gamma, lam):
    own = {"rewards": [r for r, _ in pairs], "values": [v for _, v in pairs], "gamma": gamma, "lam": lam}
    found = call("compute_quantity", {"quantity": "gae", "scenario": own})
    exact = exact_facts(quantities.gae, scenario(own))
    assert found["numbers"]["advantages"] == [float(x) for x in exact["advantages"]]
    assert found["whose"] == dict.fromkeys(own, "learner") and all(check["ok"] for check in found["checks"])
    assert len(found["working"]) >= 3 * len(pairs)


def test_what_is_left_out_is_the_running_examples():
    found = call("compute_quantity", {"quantity": "gae", "scenario": {"rewards": [1], "values": [0]}})
    assert found["params"]["lam"] == RUNNING.lam and found["whose"]["lam"] == "example"


@pytest.mark.parametrize("mistake", ["gamma_lam_swap", "lam_on_values", "delta_for_advantage"])
def test_an_audit_names_the_mistake_whose_numbers_are_stated(mistake):
    run = call("run_mistake", {"mistake": mistake, "scenario": OWN})
    assert "advantages" in run["differs"]
    assert run["right"] == call("compute_quantity", {"quantity": run["quantity"], "scenario": OWN})["numbers"]
    stated = {"advantages": run["wrong"]["advantages"]}
    audited = call("audit_numbers", {"scenario": OWN, "stated": stated})
    assert audited["verdict"] == "false"
    assert {one["cause"] for one in audited["checked"] if not one["right"]} == {mistake}
    right = call("audit_numbers", {"scenario": OWN, "stated": {"advantages": run["right"]["advantages"]}})
    assert right["verdict"] == "true" and all(one["right"] for one in right["checked"])


def test_an_audit_says_what_it_assumed():
    bare = {name: OWN[name] for name in ("rewards", "values")}
    found = call("audit_numbers", {"scenario": bare, "stated": {"advantages": [0.82675, 0.765, 0.7]}})
    assert found["verdict"] == "true" and found["assumed"] == {"gamma": RUNNING.gamma, "lam": RUNNING.lam}
    assert call("audit_numbers", {"scenario": OWN, "stated": {"deltas": [0.08, 0.07, 0.7]}})["assumed"] == {}


def test_every_mistake_that_the_example_allows_can_be_run():
    for id, one in mistakes.MISTAKES.items():
        found = call("run_mistake", {"mistake": id})
        assert ("error" in found) == (not one.possible(RUNNING)), id


def test_a_table_is_audited():
    table = "| t | r | V | A |\n|---|---|---|---|\n| 0 | 0 | 0.1 | 0.9 |\n| 1 | 0 | 0.2 | 0.8 |\n| 2 | 1 | 0.3 | 0.6 |"
    found = call("audit_numbers", {"text": f"{table}\n\ngamma = 1, lambda = 1"})
    assert [one["where"] for one in found["checked"] if not one["right"]] == ["advantages[2]"]
    assert call("audit_numbers", {"text": "hello"})["verdict"] == "unknown"


SETTLED = [
    ("A_t = G_t - V_t when lambda = 1", {}, "true", "relation", "in general"),
    ("A_t = G_t - V_t", {}, "depends", "relation", "in general"),
    ("A_t = δ_t", {"lam": 0, "gamma": 1}, "true", "relation", "here"),
    ("V_t includes r_t", {}, "true", "fact", "in general"),
    ("V_t does not include r_t", {}, "false", "fact", "in general"),
    ("with rewards = [0,0,1], values = [0.1,0.2,0.3], gamma = 1, δ_0 = 0.1", {}, "true", "figures", "here"),
    ("with rewards = [0,0,1], values = [0.1,0.2,0.3], gamma = 1, δ_0 = 0.3", {}, "false", "figures", "here"),
    ("the sun is hot", {}, "unknown", None, None),
    ("GAE is great", {}, "unknown", None, None),
    ("gamma = 1.5 is fine", {}, "unknown", None, None),
    ("V_t 包含 r_t", {}, "true", "fact", "in general"),
    (  # a fact of ours, word for word, whatever else is read in it
        "At λ = 1 the advantage A_t is the discounted sum of δ's from t on; at λ < 1 the weights are powers of γλ, "
        "and the two generally differ.",
        {},
        "true",
        "fact",
        "in general",
    ),
]


@pytest.mark.parametrize(("statement", "own", "verdict", "by", "holds"), SETTLED, ids=lambda x: str(x))
def test_a_statement_is_settled_or_honestly_not(statement, own, verdict, by, holds):
    found = call("settle_statement", {"statement": statement, "scenario": own or None})
    assert (found["verdict"], found["by"], found["holds"]) == (verdict, by, holds)
    assert found["judged"] == (None if verdict == "unknown" else statement)
    assert bool(found["witness"]) == (verdict != "unknown") and found["near"]


# ------------------------------------------------------------ what is read


def a_few(things, every):
    return list(things)[::every]


NEAREST = 3  # twins of a sentence in another lesson may stand before it
FACTS = a_few([f"{lesson.id}/{id}" for lesson in lessons().values() for id in lesson.facts], 101)


@pytest.mark.parametrize("id", FACTS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fact_is_found_by_its_sentence_and_its_link_opens_it(id, lang):
    read = call("read_fact", {"id": id, "lang": lang})
    assert read["sentence"] and read["reason"] and not set("{}") & set(read["sentence"])
    assert id in [one["id"] for one in call("search_facts", {"query": read["sentence"], "count": 3})["facts"]]
    opened = answered(read["link"])
    assert id in [fact for point in opened.points for fact in point["near"][:NEAREST]]
    assert opened.lang == lang


def answered(link):
    """The answer that a page gives which is opened by a link."""
    address = parse_qs(link.removeprefix("?"))
    return answer(Request(tuple(address["q"]), lang=address["lang"][0]))


LINKED = {
    "gae": OWN,
    "masked_gae": {**OWN, "mask": [1, 1, 0]},
    "lambda_sweep": {**OWN, "lams": [0, 0.5, 1]},
    "whiten": {"advantages": [1, 2, 4]},
    "clip": {"new_logp": [-1, -0.5], "old_logp": [-1.1, -0.4], "advantages": [1, -1], "eps": 0.2},
    "grpo": {"group_rewards": [1, 0, 0.5]},
}


@pytest.mark.parametrize("quantity", LINKED)
def test_the_link_of_a_computation_shows_the_same_numbers(quantity):
    found = call("compute_quantity", {"quantity": quantity, "scenario": LINKED[quantity]})
    opened = answered(found["link"])
    assert opened.quantity == quantity
    for name, x in found["numbers"].items():
        assert flat(opened.facts[name]) == pytest.approx(flat(x)), name


def flat(x):
    if isinstance(x, dict):
        return [z for key in sorted(x) for z in flat(x[key])]
    return [z for y in x for z in flat(y)] if isinstance(x, list) else [x] if x is not None else []


@pytest.mark.parametrize("name", a_few(proofs.theorem_names(), 9))
def test_a_proof_is_read_step_by_step(name):
    found = call("read_proof", {"theorem": name})
    assert len(found["steps"]) == len(list(proofs.theorem(name).steps()))
    relations = {step.move.relation for step in proofs.theorem(name).steps()}
    assert all("=" in step["statement"] for step in found["steps"]) or relations != {"="}


def test_an_inequality_is_not_told_as_an_equation():
    (step,) = call("read_proof", {"theorem": "k3_is_never_negative"})["steps"]
    assert step["statement"].endswith(r"\ge 0")


@pytest.mark.parametrize("lesson", a_few(lessons(), 6))
def test_a_section_is_read_alone(lesson):
    known = [section for section in get_args(asked.Section) if "error" not in read(lesson, section)]
    told = [read(lesson, section)["markdown"] for section in known]
    assert known and all(told) and len(set(told)) == len(told)


def read(lesson, section):
    return call("read_section", {"lesson": lesson, "section": section})


# ------------------------------------------------------------ pictures

NAMESPACE = "{http://www.w3.org/2000/svg}"


def picture(own, lang="en"):
    found = call("draw_scenario", {"scenario": own, "lang": lang})
    return found, ElementTree.fromstring(found["svg"])


def test_a_picture_says_in_words_what_it_shows():
    found, drawn = picture({**OWN, "tokens": ["a", "b", "c"]})
    assert drawn.find(f"{NAMESPACE}desc").text == found["alt"]
    texts = ["".join(text.itertext()) for text in drawn.iter(f"{NAMESPACE}text")]
    assert {"a", "b", "c", "Aₜ", "δₜ", "0.08"} <= set(texts)
    assert "δₜ = 0.08" in found["alt"] and found["numbers"]["deltas"][0] == 0.08


def test_a_long_response_shows_its_ends_and_says_so():
    found, drawn = picture({"rewards": [1] * 100, "values": [0] * 100})
    assert "93" in found["alt"] and len(found["numbers"]["rewards"]) == 100
    assert len([one for one in drawn.iter(f"{NAMESPACE}circle") if one.get("r") == "6"]) == MOST


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_no_token_breaks_a_picture(tokens):
    own = {"tokens": tokens, "rewards": [1] * len(tokens), "values": [0.5] * len(tokens)}
    try:
        json.dumps(own, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    _, drawn = picture(own)
    assert {child.tag for child in drawn.iter()} <= {
        NAMESPACE + tag for tag in ("svg", "g", "title", "desc", "path", "circle", "rect", "text")
    }
