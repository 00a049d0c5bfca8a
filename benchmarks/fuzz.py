"""Fuzz the reader of compiled files, guided by coverage, for some minutes.

    python -m benchmarks.fuzz [MINUTES] [--folder build/fuzz]

The corpus in the folder grows from run to run; new inputs that fail are in `findings/` there.  Exit code 1 if any is.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import fuzz_check, fuzz_lines, fuzz_seeds
from unsorry.judge import digest, replay
from unsorry.lean import olean, olean_image, olean_objects, olean_shapes, olean_terms, terms, traversal

LONGEST = 1 << 18  # bytes of an input
PATIENCE, MEMORY = 300, 3000  # seconds of wall clock for one input, MiB for the process: libFuzzer's own guards
READ = (olean, olean_image, olean_objects, olean_shapes, olean_terms)
USED = (terms, traversal, digest, replay)


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzz the reader of compiled files")
    parser.add_argument("minutes", nargs="?", type=float, default=30.0)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    options = parser.parse_args()
    corpus, findings = options.folder / "corpus", options.folder / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    for data in fuzz_seeds.load().values():
        (corpus / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    runs, cover = fuzz(corpus, findings, options.minutes * 60)
    console = Console()
    table = Table("what", "figure", title=f"{options.minutes:g} minutes of fuzzing")
    inputs = [path.read_bytes() for path in sorted(corpus.iterdir())]
    table.add_row("executions", f"{runs:,}")
    table.add_row("edges of bytecode, features (libFuzzer)", cover)
    table.add_row("corpus", f"{len(inputs):,} inputs, {sum(map(len, inputs)) / 1e6:.1f} MB")
    seen = fuzz_lines.reached((*READ, *USED), fuzz_check.check, inputs)
    for module in (*READ, *USED):
        whole = fuzz_lines.lines(module)
        hit = whole & seen[str(module.__file__)]
        missed = ", ".join(map(str, sorted(whole - hit))) if module in READ and len(whole - hit) < 12 else ""
        table.add_row(
            f"lines of {module.__name__}", f"{len(hit)} of {len(whole)}" + (f" (not {missed})" if missed else "")
        )
    found = sorted(findings.iterdir())
    table.add_row("findings", str(len(found)))
    console.print(table)
    for path in found:
        console.print(f"FINDING {path}", markup=False)
    return int(bool(found))


def fuzz(corpus: Path, findings: Path, seconds: float) -> tuple[int, str]:
    """(executions, last coverage); starts again when the process ends early, which leaves its input in `findings`."""
    end, runs, cover = time.monotonic() + seconds, 0, ""
    while (left := round(end - time.monotonic())) > 0:
        command = [
            sys.executable, "-m", "benchmarks.fuzz_target", str(findings), str(corpus), f"-max_total_time={left}",
            f"-max_len={LONGEST}", f"-timeout={PATIENCE}", f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={findings}/",
            f"-report_slow_units={PATIENCE}",
        ]  # fmt: skip
        last = 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if status := re.match(r"#(\d+)\s.*cov: (\d+) ft: (\d+)", line):
                    last, cover = int(status[1]), f"{status[2]}, {status[3]}"
                if re.match(r"FINDING|SUMMARY|Traceback|\w*Error", line):
                    print(line.rstrip(), flush=True)
        runs += last
        if process.returncode and time.monotonic() < end - 5:
            time.sleep(1)
    return runs, cover


if __name__ == "__main__":
    sys.exit(main())
