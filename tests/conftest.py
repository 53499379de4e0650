"""Deterministic tests: one thread, no time limits, the same random cases every time."""

from __future__ import annotations

import torch
from hypothesis import settings

settings.register_profile("telescope", derandomize=True, deadline=None, max_examples=60, print_blob=False)
settings.load_profile("telescope")
torch.set_num_threads(1)
