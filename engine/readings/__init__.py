"""Four number systems that read the same formulas. Importing this package makes all four known to engine.ops."""

from engine.readings import exact, symbols, tensors, worked

__all__ = ["exact", "symbols", "tensors", "worked"]
