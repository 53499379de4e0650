"""Actor, reference, critic and reward on a real language model, and one PPO iteration that really runs.

Nothing is loaded by importing this; `load` loads, once a process.
"""

from engine.models.critic_training import FittedHead, Quality, fitted_head, fitted_weights
from engine.models.iteration import ActorStep, CriticStep, Iteration, iterate
from engine.models.learners import ALL_LAYERS, Learners, Settings, begin
from engine.models.progress import Listener, Progress, nobody
from engine.models.quantities import Estimates, estimate
from engine.models.reward import rule_score
from engine.models.roles import Roles, load, seeded_head
from engine.models.rollout import Rollout, collect, encode_prompt, encode_response, value_slice
from engine.models.sampling import sample
from engine.models.tokens import Piece, display_pieces, model_pieces

__all__ = [
    "ALL_LAYERS",
    "ActorStep",
    "CriticStep",
    "Estimates",
    "FittedHead",
    "Iteration",
    "Learners",
    "Listener",
    "Piece",
    "Progress",
    "Quality",
    "Roles",
    "Rollout",
    "Settings",
    "begin",
    "collect",
    "display_pieces",
    "encode_prompt",
    "encode_response",
    "estimate",
    "fitted_head",
    "fitted_weights",
    "iterate",
    "load",
    "model_pieces",
    "nobody",
    "rule_score",
    "sample",
    "seeded_head",
    "value_slice",
]
