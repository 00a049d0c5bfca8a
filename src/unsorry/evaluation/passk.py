"""pass@k."""

from __future__ import annotations

from math import comb


def pass_at_k(samples: int, correct: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of k samples is correct, from `correct` of `samples`.

    1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374, equation 1).  Raises ValueError if k > samples: the
    estimate needs at least k samples.
    """
    if not 0 <= correct <= samples or not 1 <= k <= samples:
        raise ValueError(f"pass@{k} needs 0 <= correct <= samples and 1 <= k <= samples, got {correct} of {samples}")
    return 1.0 - comb(samples - correct, k) / comb(samples, k)
