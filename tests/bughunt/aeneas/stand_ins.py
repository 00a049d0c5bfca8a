"""Programs in the place of Charon and Aeneas: they take the documented options and write the documented files.

The crate that they read is a text with a line `fn NAME` for each function; one called `bad` cannot be extracted.
"""

from __future__ import annotations

import sys
from pathlib import Path

VERSION = "0.1.131"

CHARON = """#!{python}
import json, pathlib, sys
if sys.argv[1:] == ["version"]:
    print("{version}")
    sys.exit()
options = dict(word[2:].split("=", 1) for word in sys.argv[2:] if word.startswith("--") and "=" in word)
assert sys.argv[1] == "cargo" and options["preset"] == "aeneas", sys.argv
start = sys.argv[sys.argv.index("--start-from") + 1] if "--start-from" in sys.argv else None
names = [line[3:] for line in pathlib.Path("src/lib.rs").read_text().splitlines() if line.startswith("fn ")]
if start is not None:
    names = [name for name in names if start == "krate::" + name]
if "bad" in names:
    print("warning: something else", file=sys.stderr)
    print("error: async functions are not supported", file=sys.stderr)
    sys.exit(2)
version = "{llbc_version}"
pathlib.Path(options["dest-file"]).write_text(json.dumps({{"charon_version": version, "translated": names}}))
"""

AENEAS = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
assert words[:2] == ["-backend", "lean"] and "-split-files" in words and "-emit-json" in words, words
names = json.loads(pathlib.Path(words[2]).read_text())["translated"]
if "fragile" in names:
    print("[Error] Internal error, please file an issue", file=sys.stderr)
    sys.exit(1)
folder = pathlib.Path(words[words.index("-dest") + 1] + words[words.index("-subdir") + 1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "Types.lean").write_text("import Aeneas\\n")
(folder / "Funs.lean").write_text("import Aeneas\\n" + "".join("def " + n + " := 0\\n" for n in names))
record = dict(file="src/lib.rs", lines=[0, 0], can_fail=True, can_diverge=False, is_opaque=False)
(folder / "translation.json").write_text(json.dumps(
    {{"functions": [dict(record, lean_name="Krate." + n, rust_name="krate::" + n) for n in names]}}))
"""


def write(folder: Path, *, llbc_version: str = VERSION) -> None:
    """Put both programs into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("charon", CHARON), ("aeneas", AENEAS)):
        path = folder / name
        path.write_text(text.format(python=sys.executable, version=VERSION, llbc_version=llbc_version))
        path.chmod(0o755)
    rustup = folder / "rustup"
    rustup.write_text("#!/bin/sh\necho nightly-2026-08-18-x86_64-unknown-linux-gnu\n")
    rustup.chmod(0o755)
