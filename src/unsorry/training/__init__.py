"""Training: a numeric core of pure functions, and thin loops over it (needs the `train` extra).

The core, in the order data passes through it: `masks` (attempts to rows of tokens), `packing` (rows to tensors),
`logprobs` (hidden states to log-probabilities of the loss tokens), `advantages`, `cispo` (the loss), `averaging` (of
adapters and weights), `tripwires` (when to stop).
"""
