"""What there is, by name."""

from __future__ import annotations

from engine import mistakes, proofs, quantities
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.functions.answered import Named, NamesListed
from prompts.functions.asked import ListNames
from prompts.functions.given import source
from prompts.tell.proofs import statement
from prompts.tell.words import word

_NEEDS = {  # what a computation starts from, in the order in which it is best given
    "gae": ["rewards", "values"],
    "lambda_sweep": ["rewards", "values", "lams"],
    "masked_gae": ["rewards", "values", "mask"],
    "padding_leak": ["rewards", "values", "mask"],
    "mc": ["rewards", "values"],
    "reward_to_go": ["rewards"],
    "kl_rewards": ["scores", "logp", "ref_logp"],
    "kl_estimators": ["logp", "ref_logp"],
    "pipeline": ["scores", "logp", "ref_logp", "values"],
    "whiten": ["advantages"],
    "surrogate": ["new_logp", "old_logp", "advantages"],
    "clip": ["new_logp", "old_logp", "advantages"],
    "value_loss": ["vpreds", "old_values", "returns"],
    "nstep_mixture": ["rewards", "values"],
    "grpo": ["group_rewards"],
    "rloo": ["group_rewards"],
    "probabilities": ["logp"],
}


def listed(asked: ListNames) -> NamesListed:
    lang = asked.lang or "en"
    names = {"lessons": _lessons, "quantities": _quantities, "mistakes": _mistakes, "theorems": _theorems}[asked.kind]
    return {"kind": asked.kind, "names": names(lang), "source": source(names), "link": None}


def _lessons(lang: str) -> list[Named]:
    return [
        {"id": lesson.id, "title": lesson.title[lang]} for lesson in lessons().values() if lesson.id != OUT_OF_SCOPE
    ]


def _quantities(lang: str) -> list[Named]:
    return [
        {"id": name, "title": word(lang, "computations", name), "takes": _NEEDS[name]} for name in quantities.QUANTITIES
    ]


def _mistakes(lang: str) -> list[Named]:
    return [
        {"id": one.id, "title": word(lang, "causes", one.id), "takes": list(one.needs), "lesson": one.lesson}
        for one in mistakes.MISTAKES.values()
    ]


def _theorems(_lang: str) -> list[Named]:
    return [{"id": name, "title": statement(proofs.theorem(name))} for name in proofs.theorem_names()]
