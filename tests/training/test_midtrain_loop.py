"""Causal language modelling over documents."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from training_world import TEXTS, Interrupted, StopAt, model, same, tokenizer, weights

from unsorry import UnsorryError
from unsorry.training.batches import MicroBatches
from unsorry.training.checkpoint import Checkpointer
from unsorry.training.midtrain import MidtrainConfig, document_rows, tokenised, train_midtrain

END = 5
CONFIG = MidtrainConfig(lr=1e-2, epochs=3, step_tokens=300, micro=MicroBatches(400))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(10, 99), max_size=70), max_size=4), st.integers(2, 40), st.integers(0, 12))
def test_every_token_is_predicted_once(documents: list[list[int]], context: int, overlap: int) -> None:
    if context <= max(1, overlap):
        with pytest.raises(UnsorryError, match="longer than the overlap"):
            document_rows(documents, context=context, end=END, overlap=overlap)
        return
    rows = document_rows(documents, context=context, end=END, overlap=overlap)
    for number, document in enumerate(documents):
        learned = []
        for row in (row for row in rows if row.group == str(number)):
            assert len(row.input_ids) <= context
            learned += [token for token, loss in zip(row.input_ids, row.loss_mask, strict=True) if loss]
        assert learned == [*document, END]


def test_documents_do_not_see_one_another() -> None:
    """The loss of a document is that of the document alone, packed or not; read as one stream it is not."""
    documents = tokenised(TEXTS[:6], tokenizer())
    rows = document_rows(documents, context=160, end=END)
    policy = model().eval()
    alone = []
    for row in rows:
        logs = policy(torch.tensor([row.input_ids])).logits[0].log_softmax(-1)
        alone += [-float(logs[i - 1, row.input_ids[i]].detach()) for i in range(1, len(row.input_ids))]
    wanted = sum(alone) / len(alone)
    for layout in ("padded", "packed"):
        config = MidtrainConfig(lr=1e-9, step_tokens=10_000, micro=MicroBatches(400, layout), weight_decay=0.0)
        assert train_midtrain(model(), rows, config).first_loss == pytest.approx(wanted, rel=1e-5)
    stream = torch.tensor([[token for row in rows for token in row.input_ids]])
    logs = policy(stream).logits[0].log_softmax(-1)
    naive = -logs[:-1].gather(1, stream[0, 1:, None]).mean().item()
    assert abs(naive - wanted) > 1e-3 * wanted


def test_text_that_looks_like_a_special_token_stays_text() -> None:
    tokens = tokenizer()
    [ids] = tokenised(["a<|end|>b"], tokens)
    assert tokens.eos_token_id not in ids
    assert tokens.decode(ids) == "a<|end|>b"


def test_it_learns_and_resumes_bit_for_bit(tmp_path: Path) -> None:
    rows = document_rows(tokenised(TEXTS, tokenizer()), context=160, end=END)
    unbroken, resumed = model(), model()
    wanted = train_midtrain(unbroken, rows, CONFIG)
    assert wanted.last_loss < 0.9 * wanted.first_loss
    assert wanted.tokens == 3 * sum(len(row.input_ids) for row in rows)
    with pytest.raises(Interrupted):
        train_midtrain(model(), rows, CONFIG, Checkpointer(tmp_path, every=4), StopAt(6))
    assert train_midtrain(resumed, rows, CONFIG, Checkpointer(tmp_path, every=4)).steps == wanted.steps
    assert same(weights(resumed), weights(unbroken))
