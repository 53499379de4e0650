"""audit: stated numbers, the digits they show, the order of the text, and the program behind a wrong one."""

from __future__ import annotations

import pytest

from engine import audits
from engine.audits import Claim
from engine.doctor.search import OTHER_RATES
from engine.mistakes import MISTAKES
from engine.quantities import QUANTITIES
from engine.scenario import scenario
from lessons._lesson import LANGUAGES, lessons
from lessons.audit.lesson import TWINS
from prompts.judging import audited, mistakes
from prompts.read import read
from prompts.read.stated import claims
from prompts.tell.forms import WHOLE
from prompts.tell.page import Telling, render
from prompts.tell.words import words
from prompts.tutor import Request, answer
from tests.lessons import policies

ID = "audit"
MESSAGES = {  # message → (where, cause) of what is wrong in it, in the order of the text
    "r=[0,0,1] V=[0.5,0.6,0.9] γ=1 λ=0.95 advantages=[0.47525,0.395,0.1] returns=[0.97525,0.995,1.0] 对吗": [],
    "check: A=[0.500,0.400,0.100] V=[.5,.6,.9] r=[0,0,1] λ=.95": [
        ("advantages[0]", "mc_for_gae_as_if_lam_were_one"),
        ("advantages[1]", "mc_for_gae_as_if_lam_were_one"),
    ],
    "whitened [-1.22, 0, 1.22] from advantages [1, 2, 3], correct?": [
        ("whitened[0]", "whiten_population"),
        ("whitened[2]", "whiten_population"),
    ],
    "scores=[0,0,2]，KL=[0.3,-0.1,0.2]，β=0.1，rewards=[0.03,-0.01,2.02]，请检查": [
        ("rewards[0]", "kl_added"),
        ("rewards[1]", "kl_added"),
        ("rewards[2]", "kl_added"),
    ],
    "ratio=[1.5,0.5]，A=[1,-1]，ε=0.2，裁剪项=[1.2,-0.5]，平均 0.35，请审阅": [
        ("objective_terms[1]", "unknown"),
        ("objective", "unknown"),
    ],
    "核对：δ=[.1,.3,.1] λ=.95 γ=1 A=[.47525,.395,.1]": [],
    "mask 1 1 1 0, r 0 0 1 0, V .5 .6 .9 100, λ .95, and the code says advantages 4.99, 5.15, 5.10. Right?": [
        (f"advantages[{t}]", "mask_ignored_in_recursion") for t in range(3)
    ],
    "GRPO 组奖励 [2,4,6] 优势 [-1.2247,0,1.2247] 请核对": [
        ("advantages[0]", "grpo_population"),
        ("advantages[2]", "grpo_population"),
    ],
    "The table says δ = 0.3 for r = 0, V = 0.6, V' = 0.9 with γ = 0.9, correct?": [("deltas[0]", "gamma_forgotten")],
    "vf_loss=0.296667, vpreds=[.5,1.2,.1] old_values=[.6,.6,.6] returns=[.9,.9,.9] cliprange_value=.2, check": [
        ("vf_loss", "value_loss_without_half")
    ],
    "check this: r = [0,0,1], V = [.5,.6,.9], λ = .95, advantages = [0.475, 0.395]": [("advantages", "count")],
    "k1=[.1,-.2] k3=[.0048,.0214], right?": [],
    "这组数对不对": [],
}


def shown(message):
    return audited(lessons()[ID].audit, read([message]))


@pytest.mark.parametrize("message", MESSAGES)
def test_what_is_wrong_is_found_and_named(message):
    assert [(x["where"], x["cause"]) for x in mistakes(shown(message).audited)] == MESSAGES[message]


def test_the_learners_own_table_is_unreachable():
    """004-q1-07: no γ and no λ give these advantages."""
    message = (
        "rewards=[-0.0003,-0.0002,-0.0003,-0.0002,-0.0003,0.9999], values=[0.82,0.85,0.88,0.90,0.92,0.95], "
        "advantages=[0.13,0.10,0.08,0.05,0.03,0.05]: are they right?"
    )
    found = mistakes(shown(message).audited)
    assert {x["cause"] for x in found} == {"unreachable"}
    assert "advantages[5]" not in {x["where"] for x in found}


def test_the_digits_are_those_of_the_text():
    (found,) = claims({"advantages": [0.5, 0.4]}, {"values": [0.5, 0.6]}, "V=[0.5, 0.6], A=[0.500, 0.400]")
    assert (found.decimals, found.places) == (3, (2, 3))
    assert claims({"returns": [1.0]}, {}, "R=[1]")[0].decimals == 1


def test_a_table_is_read_row_by_row():
    rows = ("γ=1 λ=1", "| t | r | V | δ | A |", "|---|---|---|---|---|", "| 0 | 0 | 0.2 | 0.4 | 0.9 |",
            "| 1 | 1 | 0.5 | 0.6 | 0.7 |", "对吗")  # fmt: skip
    table = "\n".join(rows)
    assert [x["where"] for x in mistakes(shown(table).audited)] == [
        "deltas[0]", "advantages[0]", "deltas[1]", "advantages[1]",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["plain", "simple", "numbers"])
def test_a_number_that_there_cannot_be_is_told(form):
    message = "rewards=[0,0,1], values=[0.5,0.6,0.9], gamma=1, lam=0.95, advantages[7]=0.3, is it right?"
    question = read((message,))
    found = audited(lessons()["audit"].audit, question)
    for language in LANGUAGES:
        assert "0.3" in render(lessons()["audit"], _telling(question, language, form, found))


def test_a_cause_does_not_contradict_the_rest_of_the_page():
    """The advantages alone could be the Monte Carlo ones; the returns beside them say that the error is elsewhere."""
    base = scenario({"rewards": [0, 0, 1], "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 0.95})
    alone = audits.audit(base, [Claim("advantages", [0.5, 0.4, 0.1], 5)], "gae")
    beside = audits.audit(
        base, [Claim("advantages", [0.5, 0.4, 0.1], 5), Claim("returns", [0.97525, 0.995, 1.0], 5)], "gae"
    )
    assert {x.cause for x in alone.wrong} == {"mc_for_gae_as_if_lam_were_one"}
    assert {x.cause for x in beside.wrong} == {audits.UNKNOWN}


def test_every_cause_has_words():
    known = {
        *MISTAKES,
        audits.ARITHMETIC,
        audits.COUNT,
        audits.UNREACHABLE,
        audits.ROUNDED,
        audits.UNKNOWN,
        OTHER_RATES,
    }
    for language in LANGUAGES:
        assert set(words(language)["causes"]) == known


def test_the_answer_carries_themistakes():
    found = answer(Request(("请核对 r=[0,0,1] V=[0.5,0.6,0.9] γ=1 λ=0.95，A=[0.6,0.395,0.1]，算错了吗",)))
    assert found.lesson == ID
    assert found.mistakes == (
        {"where": "advantages[0]", "stated": 0.6, "correct": pytest.approx(0.47525), "cause": "unknown"},
    )


@pytest.mark.parametrize("message", MESSAGES)
def test_pages_of_audits(message):
    question, found = read([message]), shown(message)
    for form in WHOLE:
        zh, en = (
            set(policies.NUMERAL.findall(render(lessons()[ID], _telling(question, language, form, found))))
            for language in ("zh", "en")
        )
        assert zh == en


def _telling(question, language, form, found):
    return Telling(language, form, question.scenario, question.origin, found)


def test_pages():
    policies.check_pages(ID, policies.ALL)


def test_propositions():
    policies.check_propositions(ID)


def test_every_quantity_has_the_code_of_its_numbers():
    assert set(TWINS) == set(QUANTITIES)


@pytest.mark.parametrize(
    ("name", "stated", "worked"),
    [
        ("advantages", [0.9, 0.5, 0.1], "A_{1}"),  # made from its end: the error is the later one's
        ("advantages", [0.9, 0.395, 0.1], "A_{0}"),
        ("deltas", [0.2, 0.4, 0.1], r"\delta_{0}"),  # each made for itself: the first is as good as any
    ],
)
def test_the_working_is_that_of_the_number_where_the_error_begins(name, stated, worked):
    own = scenario({"rewards": [0, 0, 1], "values": [0.5, 0.6, 0.9], "gamma": 1, "lam": 0.95})
    (line,) = lessons()[ID].audit(own, [Claim(name, stated, 3)], "gae", free=frozenset()).work.values()
    assert line.line("latex").startswith(worked)
