"""How many inductive problems the search prover solves: one JSON line a problem, then a summary line.

.venv/bin/python benchmarks/search_isaplanner.py DIR [--only prop_01,prop_02] [--timeout 60] [--out FILE] [--shard 0/2]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from unsorry.lean.toolchain import find
from unsorry.problems.tip.importer import find_files, import_files
from unsorry.provers.search import SearchProver


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--only", default="", help="comma-separated problem ids")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each problem")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="append one JSON object for each problem")
    parser.add_argument("--shard", default="0/1", help="I/N: every N-th problem, from the I-th")
    options = parser.parse_args()
    wanted = set(filter(None, options.only.split(",")))
    index, count = map(int, options.shard.split("/"))
    toolchain = find()
    problems = [p for found in import_files(find_files(options.directory), None) for p in found.problems]
    problems = [p for p in problems if not wanted or p.id in wanted][index::count]
    prover = SearchProver(toolchain=toolchain)
    solved: list[str] = []
    failed: list[str] = []
    start = time.monotonic()
    for problem in problems:
        result = prover.search(problem, options.timeout, options.seed)
        (solved if result.proof else failed).append(problem.id)
        row = {
            "id": problem.id,
            "solved": bool(result.proof),
            "seconds": round(result.seconds, 2),
            "reason": result.reason,
            "lemmas": len(result.lemmas),
            "checks": result.checks,
            "candidates": result.candidates,
            "explored": result.explored,
            "refuted": result.refuted,
            "proof": result.proof,
        }
        shown = {key: value for key, value in row.items() if key != "proof"}
        print(json.dumps(shown), flush=True)
        if options.out:
            with options.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
    print(
        json.dumps(
            {
                "problems": len(problems),
                "solved": len(solved),
                "seconds": round(time.monotonic() - start, 1),
                "failed": failed,
            }
        ),
        flush=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
