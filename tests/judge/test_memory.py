"""Large blocks go back to the system, also after a larger one."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from pathlib import Path
from unsorry.judge.memory import return_large_blocks
page = 4096
def resident(): return int(Path("/proc/self/statm").read_text().split()[1]) * page
if sys.argv[1] == "yes":
    assert return_large_blocks()
first = bytearray(30 << 20); del first      # glibc learns its limit from what is freed
before = resident()
pins = []
for _ in range(4):
    giant = bytearray(b"x") * (8 << 20)
    pins.append(bytearray(100 << 10))       # a small block behind each giant
    del giant
print((resident() - before) >> 20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mallopt is glibc's")
def test_a_giant_leaves_no_hole() -> None:
    grown = {
        choice: int(subprocess.run([sys.executable, "-c", PROGRAM, choice], capture_output=True, check=True).stdout)
        for choice in ("yes", "no")
    }
    assert grown["yes"] <= 2, grown
