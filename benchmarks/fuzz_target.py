"""The process that fuzzes: atheris (libFuzzer's loop, coverage of the reader's bytecode) over fuzz_check.check.

    python -m benchmarks.fuzz_target FINDINGS CORPUS [libFuzzer's options]

What fails is written to FINDINGS, once for each place in the code, and the search goes on.
"""

from __future__ import annotations

import hashlib
import random
import sys
import traceback
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["unsorry.lean", "unsorry.judge"], enable_loader_override=False):
    from benchmarks import fuzz_check
    from benchmarks.fuzz_mutations import MOST, mutate

FINDINGS = Path(sys.argv[1])


def test_one_input(data: bytes) -> None:
    try:
        fuzz_check.check(data)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{type(error).__name__}-{Path(frames[-1].filename).stem}-{frames[-1].lineno}"
        if not list(FINDINGS.glob(f"{place}-*")):
            (FINDINGS / f"{place}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)
            print(f"FINDING {place}: {error}", flush=True)


def custom_mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Mostly changes of structure, sometimes libFuzzer's own."""
    luck = random.Random(seed)
    if luck.random() < 0.2:
        return atheris.Mutate(data, max_size)
    parts = list(fuzz_check.files(data))
    which = luck.randrange(len(parts))
    parts[which] = mutate(parts[which], luck)
    return (parts[0] if len(parts) == 1 else fuzz_check.pack(*parts))[: min(max_size, MOST)]


def main() -> None:
    FINDINGS.mkdir(parents=True, exist_ok=True)
    atheris.Setup([sys.argv[0], *sys.argv[2:]], test_one_input, custom_mutator=custom_mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
