"""When the tests run as root: the workspace and its sandbox again as an ordinary user, where both work another way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from unsorry.lean.toolchain import Toolchain

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--", "env"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="not root: the other tests were this one")
def test_as_an_ordinary_user(embedded: Toolchain) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed: apt install util-linux")
    python = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    if subprocess.run([*NOBODY, python, "-IS", "-c", "pass"], capture_output=True, check=False).returncode:
        pytest.skip(f"there is no {python} that user 65534 may run")
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o777)
        cache, home = Path(scratch, "cache"), embedded.library[0].parents[1]
        shutil.copytree(home, cache / home.name)
        subprocess.run(["chmod", "-R", "a+rwX", cache], check=True)
        done = subprocess.run(
            [*NOBODY, python, "-m", "pytest", "-p", "no:cacheprovider", f"--basetemp={scratch}/run",
             str(HERE / "test_bash.py"), str(HERE / "test_patch.py"), str(HERE / "test_edit.py")],
            env={
                "PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'src'}:{Path(pytest.__file__).parents[1]}",
                "PYTHONDONTWRITEBYTECODE": "1", "HOME": scratch, "UNSORRY_CACHE": str(cache),
            },
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
