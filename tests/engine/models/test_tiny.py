"""What must hold of any model, on models made here: no rule of the roles depends on the embedded one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine.errors import EngineError
from engine.models import (
    Roles,
    begin,
    collect,
    encode_prompt,
    encode_response,
    iterate,
    measure,
    roles,
    sample,
    seeded_head,
)
from engine.models import critic_training as training
from engine.models.critic_training import FittedHead, fitted_weights
from engine.models.progress import Progress
from engine.models.roles import HEAD
from engine.models.table import head_table
from tests.engine.models import tiny
from tests.engine.models.conftest import PROMPT, RIGHT, SETTINGS, two_answers


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Roles:
    return tiny.loaded(tiny.saved(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Roles:
    """A model that was never taught to chat, nor what to pad with."""
    return tiny.loaded(tiny.saved(tmp_path_factory.mktemp("plain"), chat=None, pad=False))


def test_a_model_without_a_chat_format_is_asked_the_bare_prompt(small: Roles, plain: Roles) -> None:
    bare = encode_prompt(plain.tokenizer, PROMPT)
    assert plain.tokenizer.decode(bare) == PROMPT
    turn = small.tokenizer.convert_tokens_to_ids(tiny.TURN)
    assert encode_prompt(small.tokenizer, PROMPT) == (turn, *bare, turn)


def test_a_response_is_ended_once(small: Roles) -> None:
    end = small.tokenizer.eos_token_id
    ids = encode_response(small.tokenizer, RIGHT)
    assert ids[-1] == end and end not in ids[:-1]
    assert encode_response(small.tokenizer, RIGHT + tiny.END) == ids


def test_padding_is_the_end_where_there_is_no_other_and_never_changes_a_number(small: Roles, plain: Roles) -> None:
    for own, pad in ((small, small.tokenizer.pad_token_id), (plain, plain.tokenizer.eos_token_id)):
        learners = begin(own, SETTINGS, seeded_head(own, 0))
        rollout = two_answers(learners)
        padding = rollout.batch.attention_mask == 0
        assert padding.any() and (rollout.batch.ids[padding] == pad).all()
        row = rollout.response_mask[0].bool()
        alone = collect(learners, [PROMPT], [encode_response(own.tokenizer, RIGHT)])
        torch.testing.assert_close(rollout.values[0][row], alone.values[0], atol=1e-5, rtol=0)
        torch.testing.assert_close(rollout.old_log_probs[0][row], alone.old_log_probs[0], atol=1e-5, rtol=0)


@pytest.mark.parametrize("train", ["last", "all"])
def test_an_iteration_starts_at_ratio_one_and_moves(small: Roles, train: str) -> None:
    learners = begin(small, replace(SETTINGS, epochs=2, train=train, actor_lr=1e-3), seeded_head(small, 0))
    done = iterate(learners, two_answers(learners))
    valid = done.rollout.response_mask.bool()
    assert (done.actor_steps[0].ratios[valid] == 1).all()
    assert (done.actor_steps[-1].ratios[valid] != 1).any()
    assert done.critic_steps[-1].vf_loss < done.critic_steps[0].vf_loss


def test_the_actor_stops_at_its_end_or_at_the_longest(small: Roles) -> None:
    learners = begin(small, SETTINGS, seeded_head(small, 0))
    end = small.tokenizer.eos_token_id
    cut, ended, again = (sample(learners, PROMPT, seed, longest=40) for seed in (3, 12, 12))
    assert ended == again
    assert len(cut) == 40 and end not in cut
    assert len(ended) < 40 and ended.index(end) == len(ended) - 1


@pytest.mark.parametrize("case", [case for case in measure.CASES if case != "convert"])
def test_every_case_is_measured(small: Roles, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.setattr(measure, "load", lambda: small)
    figures = measure.run_case(case)
    assert set(figures) == {"seconds", "cpu_seconds", "peak_gb"} and min(figures.values()) >= 0


# ---------------------------------------------------------------- the value head


@pytest.mark.parametrize("model", ["small", "plain"])
def test_a_head_is_fitted_once_and_better_than_the_one_it_began_with(
    model: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also where the questions begin with nothing in common."""
    own: Roles = request.getfixturevalue(model)
    monkeypatch.setenv("TELESCOPE_CACHE", str(tmp_path))
    told: list[Progress] = []
    head = training.fitted_head(own, told.append)
    assert [p.done for p in told] == sorted(p.done for p in told) and told[-1].done == told[-1].total
    assert head.after.error < head.before.error
    count = len(told)
    assert training.fitted_head(own, told.append) == head and len(told) == count
    assert fitted_weights(own, head)[f"{HEAD}.weight"].tolist() == [pytest.approx(head.weight)]
    assert len(head_table(head).splitlines()) == 2 + len(training.QUALITIES)


def test_what_the_questions_have_in_common_is_read_once_and_changes_nothing(small: Roles) -> None:
    """The hidden states behind a shared start are those of the whole texts."""
    answers = training._answers([(1, 1), (2, 5)], training.STATED)
    shared = training._read(small, answers, lambda _: None)
    texts = [
        training._Text((*p, *encode_response(small.tokenizer, a.response)), len(p))
        for a in answers
        for p in [encode_prompt(small.tokenizer, a.prompt)]
    ]
    assert training._shared_start([text.ids for text in texts]) == 1  # the turn's mark
    for read, whole in zip(shared, training._states(small, texts, 0), strict=True):
        torch.testing.assert_close(read.features, whole, atol=1e-5, rtol=1e-4)


def test_each_answer_has_its_outcome_and_a_false_question_the_wrong_sum() -> None:
    right, wrong = training._answers([(1, 1)], training.FALSE, claim_true=False)
    assert right.prompt == wrong.prompt and "1+1=2" not in right.prompt
    assert (right.response, right.outcome, wrong.outcome) == ("等于2！", 1.0, 0.0)
    assert wrong.response.strip("等于！") in wrong.prompt


def test_other_weights_have_a_head_of_their_own(small: Roles, tmp_path: Path) -> None:
    other = tiny.loaded(tiny.saved(tmp_path, seed=1))
    assert training._fingerprint(other) != training._fingerprint(small)
    assert training._fingerprint(small) == training._fingerprint(small)


def test_a_head_with_a_bias_takes_it_and_one_without_takes_none(small: Roles, monkeypatch: pytest.MonkeyPatch) -> None:
    head = getattr(small.critic, HEAD)
    with_bias = {f"{HEAD}.weight", f"{HEAD}.bias"}
    assert set(seeded_head(small, 0)) == (with_bias if head.bias is not None else with_bias - {f"{HEAD}.bias"})
    monkeypatch.setattr(small.critic, HEAD, torch.nn.Linear(head.in_features, 1, bias=head.bias is None))
    assert set(seeded_head(small, 0)) == (with_bias if head.bias is None else with_bias - {f"{HEAD}.bias"})


# ---------------------------------------------------------------- models that cannot be used


def test_a_model_without_layers_is_refused(small: Roles) -> None:
    class Flat:
        base_model = torch.nn.Linear(1, 1)

    with pytest.raises(EngineError, match="unsupported_model"):
        roles._require_layers("flat", Flat())
    roles._require_layers("small", small.actor)


def test_a_model_that_cannot_be_cut_is_refused(small: Roles, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose upper part is not what the whole does with the lower part's states."""
    real = roles.below
    monkeypatch.setattr(roles, "below", lambda *given: real(*given) + 1)
    with pytest.raises(EngineError, match="unsupported_model") as found:
        roles._require_cut(small)
    assert found.value.details["name"] == small.name


def test_the_type_of_a_fitted_head_survives_its_file(tmp_path: Path) -> None:
    quality = training.Quality(0.1, 0.9, 0.5, 0.8, 0.2)
    head = FittedHead((0.5, -0.25), 0.125, *[quality] * len(training.QUALITIES), seconds=1.0)
    training._write(head, tmp_path)
    assert training._stored(tmp_path) == head
