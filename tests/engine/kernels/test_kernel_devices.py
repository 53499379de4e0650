"""Where tensors live: chosen once, and never left by a kernel."""

from __future__ import annotations

import pytest
import torch

from engine.errors import EngineError
from engine.kernels import (
    default_device,
    gae,
    lambda_returns,
    linear_scan,
    mc_returns,
    n_step_advantages,
    td_errors,
    widest_float,
)
from engine.kernels.scan import _weights
from tests.engine.kernels.kernel_oracle import KINDS, Devices, random_mask

KERNELS = {
    "gae": lambda r, v, m: torch.stack(gae(r, v, m, gamma=0.9, lam=0.8)),
    "gae into out": lambda r, v, m: torch.stack(
        gae(r, v, m, gamma=0.9, lam=0.8, out=(torch.empty_like(r), torch.empty_like(r)))
    ),
    "differentiable gae": lambda r, v, m: torch.stack(gae(r.requires_grad_(), v, m, gamma=0.9, lam=0.8)),
    "lambda_returns": lambda r, v, m: lambda_returns(r, v, m, gamma=0.9, lam=0.8),
    "mc_returns": lambda r, _, m: mc_returns(r, m, gamma=0.9),
    "td_errors": lambda r, v, m: td_errors(r, v, m, gamma=0.9),
    "n_step_advantages": lambda r, v, m: n_step_advantages(r, v, m, gamma=0.9, n=3),
    "linear_scan": lambda r, _, __: linear_scan(r, 0.9),
}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 7), (3, 75), (3, 96), (2, 2048)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_every_kernel_stays_on_its_device(kernel, kind, shape, dtype):
    mask = random_mask(kind, *shape)
    rewards = torch.empty(shape, dtype=dtype, device="meta")
    values = torch.empty(shape, dtype=dtype, device="meta")
    mask = None if mask is None else mask.to("meta")
    _weights.cache_clear()
    with Devices() as devices:
        found = kernel(rewards, values, mask)
    assert found.is_meta and found.shape[-2:] == shape and found.dtype == dtype
    assert devices.seen == {"meta"}


def test_a_tensor_made_elsewhere_is_noticed():
    with Devices() as devices:
        torch.mm(torch.empty(2, 3, device="meta"), torch.empty(3, 3))
    assert devices.seen == {"meta", "cpu"}


@pytest.fixture
def fresh_choice():
    default_device.cache_clear()
    yield
    default_device.cache_clear()


@pytest.mark.usefixtures("fresh_choice")
@pytest.mark.parametrize(("cuda", "mps", "chosen"), [(1, 1, "cuda"), (0, 1, "mps"), (0, 0, "cpu")])
def test_the_fastest_device_is_chosen(monkeypatch, cuda, mps, chosen):
    monkeypatch.delenv("TELESCOPE_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: bool(cuda))
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: bool(mps))
    assert default_device().type == chosen


@pytest.mark.usefixtures("fresh_choice")
def test_the_environment_decides_once(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setenv("TELESCOPE_DEVICE", "cpu")
    assert default_device().type == "cpu"
    monkeypatch.delenv("TELESCOPE_DEVICE")
    assert default_device().type == "cpu"


@pytest.mark.usefixtures("fresh_choice")
@pytest.mark.parametrize("name", ["meta", "abacus", "", "cuda:77"])
def test_a_device_without_numbers_is_refused(monkeypatch, name):
    monkeypatch.setenv("TELESCOPE_DEVICE", name)
    with pytest.raises(EngineError) as refused:
        default_device()
    assert (refused.value.code, refused.value.details) == ("no_such_device", {"device": name})


def test_the_widest_float():
    assert widest_float(torch.device("mps")) == torch.float32
    assert widest_float(torch.device("cuda")) == widest_float(torch.device("cpu")) == torch.float64
