"""A session answers as plain runs do, and survives what is done to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from unsorry.lean.process import Limits, publish, run_lean, temporary_folder
from unsorry.lean.session import OWN, Session
from unsorry.lean.toolchain import Toolchain

TEXTS = [
    "theorem t : 1 + 1 = 2 := rfl\n",
    "theorem t : 1 + 1 = 3 := by decide\n",
    "theorem t (n : Nat) : 0 + n = n := by\n  induction n with\n  | zero => skip\n  | succ n ih => omega\n",
    "#eval (1 : Nat) + 1\n#check foo\n",
    "theorem t : True := by sorry\n",
    "def",
    "",
]


def heart(run):  # type: ignore[no-untyped-def]
    return [(m.severity, m.text, m.line, m.column) for m in run.messages], run.ok


def test_answers_as_a_plain_run_does(embedded: Toolchain) -> None:
    with Session(embedded) as session:
        for text in TEXTS:
            assert heart(session.check(text)) == heart(run_lean(embedded, text))


def test_positions_refer_to_the_text_after_the_header(embedded: Toolchain) -> None:
    header = "def two := 2\n\nopen Nat\n"
    with Session(embedded, header) as session:
        run = session.check("example : two = 2 := rfl\nexample : two = 3 := rfl\n")
    (error,) = run.errors
    assert error.line == 2


def test_no_state_passes_from_one_check_to_the_next(embedded: Toolchain) -> None:
    with Session(embedded) as session:
        assert session.check("theorem one : True := trivial\n").ok
        assert not session.check("example : True := one\n").ok


def test_imports_from_the_search_path_are_in_the_snapshot(embedded: Toolchain, tmp_path: Path) -> None:
    made = run_lean(embedded, "def answer := 42\n", olean=True)
    assert made.olean
    (tmp_path / "Dep.olean").write_bytes(made.olean)
    with Session(embedded, "import Dep\n", search_path=[tmp_path]) as session:
        assert session.check("example : answer = 42 := rfl\n").ok


def test_a_hanging_check_is_ended_and_the_session_goes_on(embedded: Toolchain) -> None:
    loop = "partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0\n"
    with Session(embedded) as session:
        assert session.check(loop, timeout=1.0).timed_out
        assert session.check(TEXTS[0]).ok


def test_memory_is_limited(embedded: Toolchain) -> None:
    big = "#eval (List.replicate 300000000 (1 : Nat)).length\n"
    with Session(embedded, limits=Limits(memory=512 << 20)) as session:
        run = session.check(big, timeout=60)
        assert not run.ok
        assert session.check(TEXTS[0]).ok


def test_a_killed_server_costs_one_check(embedded: Toolchain) -> None:
    with Session(embedded) as session:
        assert session.check(TEXTS[0]).ok
        assert session._process is not None
        os.kill(session._process.pid, signal.SIGKILL)
        time.sleep(0.2)
        lost = session.check(TEXTS[0])
        assert not lost.ok and lost.errors[0].kind == "unsorry.died"
        assert session.check(TEXTS[0]).ok


WRITES = """inductive Ret (α : Type) where | ok (a : α) | error (e : Nat)
@[extern "c"] opaque IO.FS.writeFile (f s : String) (w : Unit) : Ret Unit := .error 0
macro "write" f:str : tactic => do
  match IO.FS.writeFile f.getString "theorem" () with
  | .ok _ => `(tactic| rfl)
  | _ => `(tactic| fail "not writable")
theorem t : 1 = 1 := by write "NAME"
"""


@pytest.mark.parametrize("name", ["mine", "header.snap", "Main.olean"])
@pytest.mark.parametrize("header", ["", "def two := 2\n"])
def test_nothing_that_a_check_writes_reaches_the_next(embedded: Toolchain, name: str, header: str) -> None:
    with Session(embedded, header) as session:
        assert session.check("").ok
        before = session.work
        run = session.check(WRITES.replace("NAME", name))
        assert run.ok or name == "header.snap", run.messages  # it wrote; the snapshot is mapped into its own memory
        assert session.check("theorem t : 1 + 1 = 2 := rfl\n").ok
        assert session.work != before and not before.exists()
        kept = session.work
        assert session.check("theorem t : 1 + 1 = 3 := rfl\n").errors and session.work == kept
        assert {p.name for p in session.work.iterdir()} <= OWN


SHELL = """inductive Ret (α : Type) where | ok (a : α) | error (e : Nat)
inductive Stdio where | piped | inherit | null
structure StdioConfig where
  stdin : Stdio := .null
  stdout : Stdio := .piped
  stderr : Stdio := .piped
structure SpawnArgs where
  cfg : StdioConfig := {}
  cmd : String
  args : Array String := #[]
  cwd : Option String := none
  env : Array (String × Option String) := #[]
  inheritEnv : Bool := true
  setsid : Bool := false
structure Output where
  exitCode : UInt32
  stdout : String
  stderr : String
@[extern "c"] opaque IO.Process.output (a : SpawnArgs) (input : Option String) (w : Unit) : Ret Output := .error 0
def sh (c : String) (_ : Unit) : String :=
  match IO.Process.output { cmd := "sh", args := #["-c", c] } none () with
  | .ok o => o.stdout
  | .error _ => "failed"
"""


def test_what_a_check_starts_in_a_session_of_its_own_ends_with_it(embedded: Toolchain, tmp_path: Path) -> None:
    """It could write into what the next checks are told: their errors would be another submission's."""
    told = tmp_path / "pid"
    command = f"(setsid sh -c 'echo $$ > {told}.new; mv {told}.new {told}; sleep 600' > /dev/null 2>&1 &)"
    wait = f"while ! test -e {told}; do sleep 0.05; done; echo started"
    with Session(embedded) as session:
        run = session.check(f'{SHELL}#eval sh "{command} ; {wait}" ()\n', timeout=300)
        assert "started" in str(run.messages)
        with pytest.raises(ProcessLookupError):
            os.kill(int(told.read_text()), 0)
        assert session.check(TEXTS[0]).ok


@pytest.mark.parametrize("line", ["{}", "[]", "[" * 30_000, "{Qid Q:QQ}", "{Qstdout Q:3}"])
def test_an_answer_that_a_check_wrote_is_nobodys(embedded: Toolchain, tmp_path: Path, line: str) -> None:
    forged = tmp_path / "line"
    forged.write_text(line.replace(" Q", '"').replace("Q", '"') + "\n")
    server = "$(awk '/PPid/{print $2}' /proc/$PPID/status)"
    command = (
        f"cd /proc/{server}/fd; for f in [3-9] 1?; do case $(readlink $f) in pipe*) cat {forged} > $f;; esac; done"
    )
    with Session(embedded) as session:
        assert session.check("").ok
        run = session.check(f'{SHELL}#eval sh "{command}" ()\n', timeout=300)
        assert [m.kind for m in run.errors] in ([], ["unsorry.died"])  # it cannot write there, unless it is root
        assert session.check(TEXTS[0]).ok
        assert session.check(TEXTS[1]).errors


def test_a_folder_in_the_place_of_a_file_costs_one_check(embedded: Toolchain) -> None:
    with Session(embedded) as session:
        assert session.check("").ok
        (session.work / "Header.lean").unlink()
        (session.work / "Header.lean").mkdir()  # the next server could not write its own
        assert session.check("").ok
        assert session.check("").ok and not (session.work / "Header.lean").is_dir()


def test_compiled_bytes_are_returned(embedded: Toolchain) -> None:
    with Session(embedded) as session:
        run = session.check(TEXTS[0], olean=True)
        assert run.olean is not None and run.olean.startswith(b"olean")
        assert session.check(TEXTS[1], olean=True).olean is None


def test_without_a_native_library_it_runs_lean_each_time(embedded: Toolchain) -> None:
    with Session(replace(embedded, native=None), "def two := 2\n") as session:
        assert session.check("example : two = 2 := rfl\n").ok
        assert session.check("example : two = 3 := rfl\n").errors[0].line == 1


def test_nothing_is_left_when_the_owner_is_killed(embedded: Toolchain, tmp_path: Path) -> None:
    """kill -9 on the process that owns a session, in the middle of a check: server and check end too."""
    script = tmp_path / "owner.py"
    script.write_text(
        "import sys\n"
        "from unsorry.lean import toolchain\n"
        "from unsorry.lean.session import OWN, Session\n"
        "with Session(toolchain.embedded()) as s:\n"
        "    s.check('')\n"
        "    print(s._process.pid, flush=True)\n"
        "    s.check('partial def spin (n : Nat) : Nat := spin (n + 1)\\n#eval spin 0\\n', timeout=600)\n"
    )
    owner = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    server = int(owner.stdout.readline())
    time.sleep(0.5)
    children = [int(p) for p in Path(f"/proc/{server}/task/{server}/children").read_text().split()]
    assert children
    owner.kill()
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in [server, *children]):
        if time.monotonic() > deadline:
            pytest.fail("the fork server or its check outlived its owner")
        time.sleep(0.1)


def test_a_confined_session_imports_what_its_owner_published(embedded: Toolchain) -> None:
    """The folder of a search path must be readable for another user, whatever the umask."""
    from unsorry import UnsorryError
    from unsorry.judge.sandbox import choose

    try:
        confinement = choose("strict")
    except UnsorryError as error:
        pytest.skip(f"no strict sandbox on this host: {error}")
    made = run_lean(embedded, "def answer := 42\n", olean=True)
    assert made.olean
    old = os.umask(0o077)
    try:
        with temporary_folder(shared=True) as name:
            publish(Path(name) / "Dep.olean", made.olean)
            with Session(embedded, "import Dep\n", search_path=[Path(name)], confinement=confinement) as session:
                assert session.check("example : answer = 42 := rfl\n").ok
    finally:
        os.umask(old)
