"""A model cut in two at a layer: below it nothing is trained and is computed once, above it is run at every step.

The cut is made on shallow copies in which the layers of the other part let the hidden states pass. Weights are
never copied and keep their names; those that are trained are handed in from outside (torch.func.functional_call),
so one loaded model serves as reference, as actor and as the critic's trunk.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.func import functional_call

Weights: TypeAlias = Mapping[str, Tensor]

_ALONE = threading.Lock()  # while a model runs with other weights, they are in it


@dataclass(frozen=True, slots=True)
class Batch:
    """Prompts padded on the left, responses on the right, in one rectangle."""

    ids: Int[Tensor, "B S"]
    attention_mask: Int[Tensor, "B S"]

    @property
    def position_ids(self) -> Int[Tensor, "B S"]:
        """Positions counted from each row's first token."""
        return (self.attention_mask.cumsum(dim=1) - 1).clamp_min(0)


class _Pass(nn.Module):
    """A layer that does nothing."""

    def forward(self, hidden_states: Tensor, *_args: Any, **_options: Any) -> Tensor:
        return hidden_states


def _with_layers(model: Any, first: int, end: int) -> tuple[Any, Any]:
    """A shallow copy of the model in which only layers first … end−1 do anything, and its base model."""
    whole, base = copy.copy(model), copy.copy(model.base_model)
    layers = [layer if first <= i < end else _Pass() for i, layer in enumerate(base.layers)]
    base._modules = {**base._modules, "layers": nn.ModuleList(layers)}
    whole._modules = {**whole._modules, model.base_model_prefix: base}
    return whole, base


def run(model: Any, weights: Weights, **inputs: Any) -> Any:
    """The model with these weights in place of its own, one thread at a time."""
    with _ALONE:
        return functional_call(model, dict(weights), kwargs=inputs)


def _masks(batch: Batch) -> dict[str, Tensor]:
    return {"attention_mask": batch.attention_mask, "position_ids": batch.position_ids}


def depth(model: Any) -> int:
    return len(model.base_model.layers)


def below(model: Any, batch: Batch, cut: int) -> Float[Tensor, "B S H"] | None:
    """The hidden states that enter layer `cut`; None where the cut is below the whole model."""
    if cut == 0:
        return None
    _, base = _with_layers(model, 0, cut)
    base._modules = {**base._modules, "norm": nn.Identity()}
    with torch.no_grad():
        output = run(base, {}, input_ids=batch.ids, use_cache=False, **_masks(batch))
    return output.last_hidden_state


def above(
    model: Any, weights: Weights, batch: Batch, hidden: Tensor | None, cut: int, **options: Any
) -> Float[Tensor, "B K C"]:
    """The model's outputs when `hidden` enters layer `cut` and these weights stand in for the model's own."""
    whole, _ = _with_layers(model, cut, depth(model))
    entering = {"input_ids": batch.ids} if hidden is None else {"inputs_embeds": hidden}
    return run(whole, weights, use_cache=False, **entering, **_masks(batch), **options).logits


def weights_above(model: Any, cut: int) -> dict[str, Tensor]:
    """Copies, to be trained, of the layers from `cut` on. Embeddings and the last norm are never trained."""
    prefixes = tuple(f"{model.base_model_prefix}.layers.{i}." for i in range(cut, depth(model)))
    return {
        name: weight.detach().clone().requires_grad_()
        for name, weight in model.named_parameters()
        if name.startswith(prefixes)
    }
