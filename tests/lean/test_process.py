"""One run of lean: messages, limits, what a hostile child does with its pipes and files."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from unsorry.lean.process import Limits, Unconfined, environment, parse_messages, run_lean, take_file
from unsorry.lean.toolchain import Toolchain


def python(code: str, work: Path, *, stdin: bytes = b"", **limits: float):
    return Unconfined().run(
        [sys.executable, "-c", code],
        work=work,
        readable=(),
        env={"PATH": "/usr/bin:/bin"},
        limits=Limits(**{"wall": 20.0, **limits}),
        stdin=stdin,
    )  # type: ignore[arg-type]


def test_error_message_has_its_place(embedded: Toolchain) -> None:
    run = run_lean(embedded, "theorem t : 1 + 1 = 3 := by\n  rfl\n")
    assert not run.ok
    (error,) = run.errors
    assert (error.line, error.column) == (2, 2)


def test_olean_is_returned_only_when_the_file_elaborates(embedded: Toolchain) -> None:
    good = run_lean(embedded, "theorem t : 1 + 1 = 2 := rfl\n", olean=True)
    assert good.ok
    assert good.olean is not None and good.olean.startswith(b"olean")
    assert run_lean(embedded, "theorem t : 1 + 1 = 3 := rfl\n", olean=True).olean is None


def test_search_path_makes_modules_importable(embedded: Toolchain, tmp_path: Path) -> None:
    made = run_lean(embedded, "def answer := 42\n", olean=True)
    assert made.olean
    (tmp_path / "Dep.olean").write_bytes(made.olean)
    assert run_lean(embedded, "import Dep\nexample : answer = 42 := rfl\n", search_path=[tmp_path]).ok


def test_names_that_the_binary_knows_do_not_change_a_users_definition(embedded: Toolchain) -> None:
    run = run_lean(embedded, "def Lean.isStructure (n : Nat) : Bool := n == 3\n#eval Lean.isStructure 3\n")
    assert run.ok
    assert [m.text for m in run.messages] == ["true"]


def test_nothing_of_the_users_environment_is_passed_on(embedded: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    assert "SECRET_TOKEN" not in environment(embedded)


def test_lines_that_are_no_messages_are_passed_over() -> None:
    real = b'{"severity":"error","pos":{"line":1,"column":2},"endPos":null,"data":"no","kind":"k"}'
    junk = b'{\n{}\n[1]\nnot json\n{"severity": "error", "pos": 3}\n' + b"[" * 100_000 + b"\n{" + b'"a":[' * 50_000
    (message,) = parse_messages(junk + b"\n" + real)
    assert (message.severity, message.text, message.line, message.column, message.kind) == ("error", "no", 1, 2, "k")


def test_time_limit_kills_the_process(tmp_path: Path) -> None:
    done = python("while True: pass", tmp_path, wall=0.5)
    assert done.timed_out and done.returncode is None


def test_output_is_capped_and_drained(tmp_path: Path) -> None:
    done = python(
        "import sys\nfor _ in range(3000): sys.stdout.write('x' * 10000); sys.stderr.write('y' * 10000)",
        tmp_path,
        output=1000,
    )
    assert done.returncode == 0 and done.output_truncated
    assert (len(done.stdout), len(done.stderr)) == (1000, 1000)


def test_large_input_to_a_process_that_does_not_read(tmp_path: Path) -> None:
    assert python("print('done')", tmp_path, stdin=b"z" * 10_000_000).stdout == b"done\n"


def test_large_input_arrives_whole(tmp_path: Path) -> None:
    code = "import sys; print(len(sys.stdin.buffer.read()))"
    assert python(code, tmp_path, stdin=b"z" * 5_000_000).stdout == b"5000000\n"


def test_a_grandchild_in_the_session_is_dead_on_return(tmp_path: Path) -> None:
    code = "import subprocess; p = subprocess.Popen(['sleep', '300']); print(p.pid, flush=True)"
    done = python(code, tmp_path)
    assert not done.timed_out
    pid = int(done.stdout)
    for _ in range(100):  # init reaps it in its own time
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")


@pytest.mark.parametrize("kind", ["symlink", "hardlink", "fifo", "folder", "large", "missing"])
def test_take_file_refuses_what_is_no_plain_file(tmp_path: Path, kind: str) -> None:
    secret, path = tmp_path / "secret", tmp_path / "result"
    secret.write_text("secret")
    match kind:
        case "symlink":
            path.symlink_to(secret)
        case "hardlink":
            os.link(secret, path)
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "large":
            path.write_bytes(b"x" * 101)
    assert take_file(path, 100) is None


def test_take_file_reads_a_plain_file(tmp_path: Path) -> None:
    (tmp_path / "result").write_bytes(b"x" * 100)
    assert take_file(tmp_path / "result", 100) == b"x" * 100
