"""The fast batched forms, batch × time: tested against the definitions in engine.sequences, on any device torch has."""

from engine.kernels.advantages import gae, n_step_advantages, td_errors
from engine.kernels.device import default_device, widest_float
from engine.kernels.returns import lambda_returns, mc_returns
from engine.kernels.scan import linear_scan

__all__ = [
    "default_device",
    "gae",
    "lambda_returns",
    "linear_scan",
    "mc_returns",
    "n_step_advantages",
    "td_errors",
    "widest_float",
]
