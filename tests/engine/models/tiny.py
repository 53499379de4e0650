"""Language models of a few thousand numbers, with random weights, saved as a real one is: a token for every byte."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from engine.models import Roles, checkpoint, roles

PAD, TURN, END = "<pad>", "<turn>", "<end>"
CHAT = "{% for message in messages %}<turn>{{ message['content'] }}{% endfor %}<turn>"
PLACES = 300


def saved(home: Path, *, chat: str | None = CHAT, pad: bool = True, seed: int = 0) -> Path:
    """The model in a folder of its own."""
    transformers = checkpoint.library()
    words = [PAD, TURN, END, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    marks = {"eos_token": END, "additional_special_tokens": [TURN], **({"pad_token": PAD} if pad else {})}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks)
    fast.chat_template = chat
    fast.save_pretrained(home)
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=PLACES,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=words.index(END),
        pad_token_id=words.index(PAD),
        tie_word_embeddings=True,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        transformers.LlamaForCausalLM(config).save_pretrained(home)
    return home


def loaded(home: Path) -> Roles:
    """Its roles, beside those that the process keeps."""
    return roles._loaded.__wrapped__(str(home), torch.device("cpu"))


def end_with(home: Path, ends: int | list[int]) -> Path:
    """The same model with other tokens to end with."""
    place = home / "generation_config.json"
    place.write_text(json.dumps({**json.loads(place.read_text()), "eos_token_id": ends}))
    return home
