"""Entry point: `python -IS confine.py outer|keeper OPTIONS -- ARGV` (see options.py)."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    from launcher import stages  # type: ignore[import-not-found]  # as a top-level package: `unsorry` is not loaded

    stages.main(sys.argv[1:])
