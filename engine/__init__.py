"""Numbers and proofs of token-level PPO. Knows no language, no lesson, no page."""

from engine.kernels import gae

__all__ = ["gae"]
