"""Figures that a sentence states in words, and that what it says itself decides: read, computed, compared."""
