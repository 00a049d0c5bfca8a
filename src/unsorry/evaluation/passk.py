"""pass@k: the one function of the project; every estimate and table is made with it."""

from __future__ import annotations

from math import prod


def pass_at_k(samples: int, correct: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of k samples is correct, from `correct` of `samples`.

    1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374, equation 1) as a product of min(k, c) factors, so that
    large n neither overflow nor take time.  Raises ValueError if k > samples: the estimate needs at least k samples.
    What works on many problems (`outcomes.Outcomes.pass_at`) puts NaN for a problem with fewer, and its mean refuses.
    """
    if not 0 <= correct <= samples or not 1 <= k <= samples:
        raise ValueError(f"pass@{k} needs 0 <= correct <= samples and 1 <= k <= samples, got {correct} of {samples}")
    few, many = sorted((k, correct))  # C(n-c, k) / C(n, k) = C(n-k, c) / C(n, c): take the form with fewer factors
    return 1.0 - prod(max(0, samples - many - i) / (samples - i) for i in range(few))
