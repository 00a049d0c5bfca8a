"""Byte-level BPE from nothing: lossless, deterministic, of the size asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training_world import TEXTS, tokenizer
from transformers import AutoTokenizer

from unsorry import UnsorryError
from unsorry.provers.formats.plain import END, PROOF, SPECIAL_TOKENS
from unsorry.training.tokenizer import train_tokenizer

TOKENIZER = tokenizer()
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
LEAN = st.lists(st.sampled_from([*TEXTS[0].split(" "), "\n", "  ", "∀", "h₁'", "\t", "\r\n", *SPECIAL_TOKENS])).map(
    " ".join
)


@settings(deadline=None, max_examples=150)
@given(TEXT | LEAN)
def test_lossless_and_never_special(text: str) -> None:
    ids = TOKENIZER.encode(text, add_special_tokens=False, split_special_tokens=True)
    assert TOKENIZER.decode(ids) == text
    assert not set(ids) & set(TOKENIZER.all_special_ids)


def test_special_tokens_are_one_token_each() -> None:
    for token in SPECIAL_TOKENS:
        assert len(TOKENIZER.encode(token, add_special_tokens=False)) == 1
    assert TOKENIZER.eos_token == END
    assert TOKENIZER.pad_token_id not in (None, TOKENIZER.eos_token_id)
    assert TOKENIZER.chat_template is None


@pytest.mark.parametrize("size", [263, 290, 320])
def test_size_is_as_asked(size: int) -> None:
    made = train_tokenizer(TEXTS, size)
    assert len(made) == size
    assert sorted(made.get_vocab().values()) == list(range(size))


def test_more_vocabulary_makes_shorter_texts() -> None:
    lengths = [len(train_tokenizer(TEXTS, size).encode(TEXTS[0])) for size in (263, 290, 320)]
    assert lengths[0] > lengths[1] > lengths[2]


def test_too_small_and_too_little_text_are_one_line() -> None:
    with pytest.raises(UnsorryError, match=r"100 is too small: bytes and special tokens alone are 263"):
        train_tokenizer(TEXTS, 100)
    with pytest.raises(UnsorryError, match=r"the texts give \d+ tokens, not the 5000 asked for"):
        train_tokenizer(TEXTS, 5000)


def test_folder_gives_the_same_tokenizer(tmp_path: Path) -> None:
    TOKENIZER.save_pretrained(tmp_path)
    again = AutoTokenizer.from_pretrained(tmp_path, local_files_only=True)
    text = TEXTS[3] + PROOF
    assert again.encode(text) == TOKENIZER.encode(text)
    assert again.encode(text, split_special_tokens=True) == TOKENIZER.encode(text, split_special_tokens=True)
    assert again.decode(again.encode(text), skip_special_tokens=True) == TEXTS[3]
    assert (again.eos_token_id, again.pad_token_id) == (TOKENIZER.eos_token_id, TOKENIZER.pad_token_id)


def test_another_process_makes_the_same() -> None:
    """Hash seeds and threads differ between processes; the merges must not."""
    code = "from training_world import tokenizer; print(tokenizer().backend_tokenizer.to_str())"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == TOKENIZER.backend_tokenizer.to_str()
