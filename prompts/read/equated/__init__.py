"""Equations that a sentence states in words: noun phrases for quantities, what equates them, and conditions."""
