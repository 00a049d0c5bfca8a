"""When the tests run as root: the escape tests again as an ordinary user, whose namespaces are made another way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# setpriv starts its program while it still holds capabilities; env starts the next one without
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--", "env"]


def interpreter() -> str:
    """A Python that an ordinary user may run and that has the version of this one, whose pytest it borrows."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{name}", f"/usr/local/bin/{name}"):
        check = [*NOBODY, candidate, "-IS", "-c", "pass"]
        if os.path.exists(candidate) and subprocess.run(check, capture_output=True, check=False).returncode == 0:
            return candidate
    return ""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="not root: the other tests were this one")
def test_escapes_as_an_ordinary_user() -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed: apt install util-linux")
    python = interpreter()
    if not python:
        pytest.skip(f"no python{sys.version_info.major}.{sys.version_info.minor} that user 65534 may run")
    packages = Path(pytest.__file__).parents[1]
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o777)
        done = subprocess.run(
            [
                *NOBODY,
                python,
                "-m",
                "pytest",
                "-p",
                "no:cacheprovider",
                f"--basetemp={scratch}/run",
                str(HERE / "test_sandbox_escape.py"),
            ],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": f"{ROOT / 'src'}:{packages}",
                "PYTHONDONTWRITEBYTECODE": "1",
                "HOME": scratch,
            },
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    if " passed" not in done.stdout:
        pytest.skip("no strict sandbox for an ordinary user here: " + done.stdout.strip().splitlines()[-1])
