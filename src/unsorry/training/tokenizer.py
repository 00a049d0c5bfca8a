"""A tokenizer made from nothing: byte-level BPE, lossless on any text, the same for the same texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from unsorry import UnsorryError
from unsorry.provers.formats.plain import END, SPECIAL_TOKENS

PAD = "<|pad|>"

# Where a token may not reach across: names with their leading space, single digits, a line break with the indentation
# after it, runs of other spaces, runs of symbols.  Every character is in some alternative, so nothing is lost.
_PIECES = r" ?[\p{L}\p{M}_][\p{L}\p{M}\p{Nd}_'!?]*|\p{N}|\r?\n *| ?[^\s\p{L}\p{M}\p{N}_]+|\s"


def train_tokenizer(
    texts: Iterable[str], vocab_size: int, seed: int = 0, *, special_tokens: Sequence[str] = SPECIAL_TOKENS
) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer with exactly `vocab_size` tokens, special ones and the 256 bytes included.

    Training is deterministic: merges depend on the counts in `texts` alone, `seed` is there for the contract and
    changes nothing.  `END` is the end-of-text token.  Encode text that is not yours with `split_special_tokens=True`:
    the letters `<|end|>` in it are then plain text.  Raises UnsorryError if the vocabulary cannot have that size.
    """
    del seed
    special = list(dict.fromkeys((*special_tokens, PAD)))
    least = len(special) + 256
    if vocab_size < least:
        raise UnsorryError(f"a vocabulary of {vocab_size} is too small: bytes and special tokens alone are {least}")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=1,
        special_tokens=special,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    size = tokenizer.get_vocab_size()
    if size != vocab_size:
        raise UnsorryError(
            f"the texts give {size} tokens, not the {vocab_size} asked for: give more text or ask for fewer"
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END if END in special else special[0],
        pad_token=PAD,
        additional_special_tokens=[token for token in special if token not in (END, PAD)],
        clean_up_tokenization_spaces=False,
        padding_side="left",
    )
