"""Roles and rollouts on the real model."""

from __future__ import annotations

import pytest
import torch

from engine.errors import EngineError
from engine.models import Learners, Roles, begin, collect, encode_prompt, encode_response, iterate, sample, value_slice
from engine.models.branch import Batch, above, below, depth, run
from engine.models.roles import seeded_head
from engine.models.rollout import LARGEST, token_entropies, token_log_probs
from tests.engine.models.conftest import PROMPT, RIGHT, SETTINGS, two_answers

pytestmark = pytest.mark.model


def _ask(learners: Learners, prompt: str = PROMPT, response: str = RIGHT):
    return collect(learners, [prompt], [encode_response(learners.roles.tokenizer, response)], [1.0])


def test_two_parts_are_the_whole_model(roles: Roles) -> None:
    ids = torch.tensor([encode_prompt(roles.tokenizer, PROMPT)])
    batch = Batch(ids, torch.ones_like(ids))
    whole = roles.actor(ids).logits
    for cut in (0, 1, depth(roles.actor) - 1):
        assert torch.equal(whole, above(roles.actor, {}, batch, below(roles.actor, batch, cut), cut))


def test_critic_and_actor_share_one_trunk(roles: Roles) -> None:
    own = {weight.data_ptr() for weight in roles.actor.parameters()}
    assert all(weight.data_ptr() in own for weight in roles.critic.base_model.parameters())


def test_a_seeded_head_is_its_seeds(roles: Roles) -> None:
    first, again, other = (seeded_head(roles, seed)["score.weight"] for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_the_slice_reads_values_before_tokens(learners: Learners) -> None:
    """The first value needs no response at all, the last no last token, and the output at the last token is unused."""
    rollout = _ask(learners)
    tokenizer, critic = learners.roles.tokenizer, learners.roles.critic
    prompt, response = encode_prompt(tokenizer, PROMPT), encode_response(tokenizer, RIGHT)
    for t in (0, len(response) - 1):
        ids = torch.tensor([[*prompt, *response[:t]]])
        with torch.no_grad():
            alone = run(critic, learners.critic, input_ids=ids).logits[0, -1, 0]
        assert rollout.values[0, t].item() == pytest.approx(alone.item(), abs=1e-4)
    assert torch.equal(rollout.values, rollout.critic_output[:, len(prompt) - 1 : -1])
    assert torch.equal(value_slice(rollout.critic_output, len(response)), rollout.values)


def test_padding_changes_nothing(learners: Learners) -> None:
    """A row of a padded batch says what it says alone."""
    both, alone = two_answers(learners), _ask(learners)
    for name in ("old_log_probs", "ref_log_prob", "values", "entropies"):
        torch.testing.assert_close(getattr(both, name)[:1], getattr(alone, name), atol=2e-4, rtol=0)


def test_a_rollout_is_zero_outside_the_mask(learners: Learners) -> None:
    rollout = two_answers(learners)
    outside = rollout.response_mask == 0
    assert outside.any()
    for name in ("old_log_probs", "ref_log_prob", "values", "scores", "entropies"):
        assert not getattr(rollout, name)[outside].any()
    assert rollout.scores.sum(dim=1).tolist() == [1.0, 0.0]
    assert rollout.scores[0, int(rollout.response_mask[0].sum()) - 1] == 1
    assert [len(row) for row in rollout.pieces] == rollout.response_mask.sum(dim=1).tolist()


def test_log_probabilities_and_entropies_are_those_of_the_definition() -> None:
    logits = torch.tensor([[[0.0, 1.0, -200.0], [0.5, 0.5, 0.5]]])
    p = logits.double().exp() / logits.double().exp().sum(dim=-1, keepdim=True)
    taken = torch.tensor([[1, 2]])
    torch.testing.assert_close(token_log_probs(logits, taken), p.gather(-1, taken[..., None])[..., 0].log())
    torch.testing.assert_close(token_entropies(logits), torch.special.entr(p).sum(dim=-1), rtol=1e-6, atol=1e-7)


def test_the_reference_stays_when_the_actor_moves(learners: Learners) -> None:
    before = _ask(learners)
    assert torch.equal(before.old_log_probs, before.ref_log_prob)
    iterate(learners, before)
    after = _ask(learners)
    assert torch.equal(after.ref_log_prob, before.ref_log_prob)
    assert not torch.equal(after.old_log_probs, before.old_log_probs)
    assert begin(learners.roles, SETTINGS, {}).actor.keys() == learners.actor.keys()


def test_sampling_is_its_seeds(learners: Learners) -> None:
    first, again, other = (sample(learners, "What is 1+1?", seed, longest=3) for seed in (0, 0, 1))
    assert first == again != other
    assert collect(learners, ["What is 1+1?"], [first]).old_log_probs.shape[1] == len(first)


@pytest.mark.parametrize(
    ("prompt", "response", "code"),
    [("", RIGHT, "empty_text"), (PROMPT, "  ", "empty_text"), (PROMPT, "2" * LARGEST, "text_too_long")],
)
def test_what_cannot_be_run_is_refused(learners: Learners, prompt: str, response: str, code: str) -> None:
    with pytest.raises(EngineError) as found:
        _ask(learners, prompt, response)
    assert found.value.code == code


def test_one_token_cannot_be_whitened(learners: Learners) -> None:
    rollout = collect(learners, [PROMPT], [(learners.roles.tokenizer.eos_token_id,)], [0.0])
    with pytest.raises(EngineError, match="one_value"):
        iterate(learners, rollout)
