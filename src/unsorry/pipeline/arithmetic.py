"""What a Qwen3-architecture model takes, from the numbers of its config: parameters, bytes, FLOPs, tokens a second.

Nothing here is measured.  bf16 is 2 bytes a value, float32 is 4.  The sums for Qwen3-8B are checked against published
and measured figures in tests/pipeline/test_plan.py.
"""

from __future__ import annotations

from dataclasses import dataclass

GIB = 1 << 30
ADAM = 16  # bytes a trained parameter: float32 weight, gradient, two moments
VLLM_OVERHEAD = (
    1.2 * GIB
)  # a card: activations, CUDA graphs; fitted to TP1, TP2 and TP4 KV sizes of vLLM on 24 GB cards


@dataclass(frozen=True, slots=True)
class Dimensions:
    """A decoder with grouped-query attention, gated MLP, RMS norms, and norms of queries and keys."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    tied: bool = False  # LM head and embedding are one matrix

    @property
    def linears(self) -> tuple[tuple[int, int], ...]:
        """(inputs, outputs) of the linear maps of one layer: q, k, v, o, gate, up, down."""
        attention, kv = self.heads * self.head_dim, self.kv_heads * self.head_dim
        return (
            (self.hidden, attention),
            (self.hidden, kv),
            (self.hidden, kv),
            (attention, self.hidden),
            (self.hidden, self.intermediate),
            (self.hidden, self.intermediate),
            (self.intermediate, self.hidden),
        )

    @property
    def layer_parameters(self) -> int:
        return sum(a * b for a, b in self.linears) + 2 * self.hidden + 2 * self.head_dim

    @property
    def parameters(self) -> int:
        embeddings = self.vocab * self.hidden * (1 if self.tied else 2)
        return self.layers * self.layer_parameters + embeddings + self.hidden

    @property
    def multiplied(self) -> int:
        """Parameters that every token is multiplied with: all but the embedding, the LM head included."""
        return self.layers * sum(a * b for a, b in self.linears) + self.vocab * self.hidden

    def weight_bytes(self, value: int = 2) -> int:
        return self.parameters * value

    def lora_parameters(self, rank: int) -> int:
        """A and B of every linear map but the LM head."""
        return self.layers * rank * sum(a + b for a, b in self.linears)

    def kv_bytes(self, tokens: int = 1, value: int = 2) -> int:
        """Keys and values of `tokens` tokens, all layers."""
        return tokens * 2 * self.layers * self.kv_heads * self.head_dim * value

    def checkpoint_bytes(self, tokens: int, value: int = 2) -> int:
        """Hidden states that gradient checkpointing keeps: the input of every layer."""
        return tokens * self.layers * self.hidden * value

    def logits_bytes(self, tokens: int, value: int = 2) -> int:
        """A full logits tensor, which is never made here: the head runs over chunks of tokens."""
        return tokens * self.vocab * value

    def recomputed_bytes(self, tokens: int, value: int = 2) -> int:
        """One layer in its backward pass: what is recomputed, and the gradients alive at its widest place, the MLP."""
        attention, kv = self.heads * self.head_dim, self.kv_heads * self.head_dim
        saved = 3 * self.hidden + 2 * attention + 2 * kv + 4 * self.intermediate
        gradients = self.hidden + 3 * self.intermediate
        return tokens * (saved + gradients) * value

    def train_flops(self, length: int) -> float:
        """FLOPs of one training pass over a sequence of `length` tokens, frozen weights and LoRA, checkpointed.

        6 N for each token: forward, recomputed forward, gradients of activations (those of frozen weights are not
        made; with all weights trained and no checkpointing the sum is the same).  Causal attention: 2 L T^2 d forward,
        4.5 times that with the recomputation and FlashAttention's backward pass.
        """
        attention = 2.0 * self.layers * length**2 * self.heads * self.head_dim
        return 6.0 * self.multiplied * length + 4.5 * attention


@dataclass(frozen=True, slots=True)
class TrainingMemory:
    """Bytes on each card (and in host memory, of all cards together) while training on `length` tokens a card."""

    weights: int  # bf16, sharded
    gathered: int  # two layers, whole
    optimiser: int  # LoRA (or all weights) in float32 with gradient and moments, sharded
    hidden: int  # checkpointed hidden states on the card
    layer: int  # one layer's backward pass
    head: int  # logits and their gradient for one chunk, float32
    host: int  # checkpointed hidden states in host memory, all cards

    @property
    def card(self) -> int:
        return self.weights + self.gathered + self.optimiser + self.hidden + self.layer + self.head


def training_memory(
    model: Dimensions, *, length: int, rank: int, cards: int, offload: bool, value: int = 2, chunk: int = 1024
) -> TrainingMemory:
    """FSDP over `cards`, one sequence a card, gradient checkpointing; `rank` 0 trains all weights."""
    cards = max(1, cards)
    trained = model.lora_parameters(rank) if rank else model.parameters
    hidden = model.checkpoint_bytes(length, value)
    return TrainingMemory(
        weights=model.weight_bytes(value) // cards,
        gathered=2 * model.layer_parameters * value if cards > 1 else 0,
        optimiser=trained * ADAM // cards,
        hidden=2 * hidden // model.layers if offload else hidden,
        layer=model.recomputed_bytes(length, value),
        head=2 * model.logits_bytes(min(chunk, length), 4),
        host=hidden * cards if offload else 0,
    )


def kv_tokens(
    model: Dimensions, *, card_bytes: float, utilisation: float, tensor_parallel: int, data_parallel: int
) -> int:
    """Tokens of KV cache that fit, all copies together; 0 where the weights alone do not fit."""
    free = card_bytes * utilisation - model.weight_bytes() / tensor_parallel - VLLM_OVERHEAD
    return max(0, int(free * tensor_parallel / model.kv_bytes())) * data_parallel


def sampling_bound(
    model: Dimensions, *, tokens: int, mean_context: float, bandwidth: float, tensor_parallel: int, data_parallel: int
) -> float:
    """Tokens a second of the box if memory bandwidth (bytes/s a card) were all that counts.

    Each step reads the weights once and the keys and values of every sequence; `tokens` of KV cache hold
    tokens / mean_context sequences.
    """
    if tokens <= 0 or mean_context <= 0 or bandwidth <= 0:
        return 0.0
    held = tokens / data_parallel
    read = model.weight_bytes() + held * model.kv_bytes()
    return data_parallel * (held / mean_context) * bandwidth * tensor_parallel / read


def training_rate(model: Dimensions, *, length: int, flops: float, mfu: float, cards: int) -> float:
    """Tokens a second of the box at `mfu` of the peak `flops` of a card."""
    return length * cards * flops * mfu / model.train_flops(length) if length > 0 else 0.0
