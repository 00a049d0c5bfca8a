"""Modes, facts, output, files, life of the sandbox: what the judge relies on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.judge import confinement
from unsorry.judge import sandbox as sandboxes
from unsorry.judge.launcher.options import Options, parse
from unsorry.judge.sandbox import choose, probe
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import system_libraries

sys.path.insert(0, str(Path(__file__).parent))  # whether or not this folder is a package
from sandboxes import BACKENDS, ENVIRONMENT, LIMITS, PYTHON, PYTHON_FILES, python, running, said, strict

linux = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


@pytest.fixture(params=[*BACKENDS, "limits"])
def sandbox(request: pytest.FixtureRequest) -> Confinement:
    if request.param == "limits":
        return choose("limits")
    found, why = strict(request.param)
    if found is None:
        pytest.skip(why)
    return found


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


# modes and facts


def test_unknown_words_are_told() -> None:
    with pytest.raises(UnsorryError, match="strict, limits, none"):
        choose("lenient")
    with pytest.raises(UnsorryError, match="launcher"):
        choose("strict", "chroot")


def test_none_says_so() -> None:
    assert choose("none").facts["confinement"] == "none"


@linux
@pytest.mark.parametrize("backend", BACKENDS)
def test_facts_of_strict(backend: str) -> None:
    found, why = strict(backend)
    if found is None:
        pytest.skip(why)
    facts = probe(backend)
    assert found.name == "strict"
    assert found.facts["backend"] == backend
    assert all(found.facts[name] is True for name in sandboxes.REQUIRED)
    assert facts.given_up == ""
    assert probe(backend) is facts, "probed once in a process"


@linux
def test_facts_of_limits_state_what_is_given_up() -> None:
    facts = choose("limits").facts
    assert facts["pidns"] is False and facts["no_outside_reads"] is False
    assert "no_outside_reads" in str(facts["given_up"]) and "pidns" in str(facts["given_up"])


def in_user_namespace(script: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a user namespace that may have no other, as on a host that forbids them."""
    source = Path(sandboxes.__file__).parents[2]
    shell = f'echo 0 > /proc/sys/user/max_user_namespaces && exec {sys.executable} -c "$SCRIPT"'
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(source), "SCRIPT": script}
    return subprocess.run(
        ["unshare", "--user", "--map-root-user", "sh", "-c", shell],
        env=environment,
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )


@linux
def test_strict_fails_closed_with_one_line() -> None:
    if in_user_namespace("pass").returncode != 0:
        pytest.skip("unshare of util-linux cannot make the host that this test needs")
    done = in_user_namespace("""
from unsorry import UnsorryError
from unsorry.judge import sandbox
try:
    sandbox.choose("strict")
    print("given")
except UnsorryError as error:
    print(error)
facts = sandbox.probe()
print(facts.strict, bool(facts.missing))
""")
    told, facts = done.stdout.splitlines()
    assert told.startswith("no strict sandbox here: ")
    assert "--sandbox limits" in told and len(told) < 500
    assert facts == "False True"


# running


def test_stdin_stdout_stderr_and_code(sandbox: Confinement, work: Path) -> None:
    program = "print(sys.stdin.read()[::-1])\nprint('oh', file=sys.stderr)\nsys.exit(7)"
    result = python(sandbox, work, program, stdin=b"abc")
    assert (result.stdout, result.stderr, result.returncode) == (b"cba\n", b"oh\n", 7)
    assert not result.timed_out and not result.output_truncated


def test_whatever_the_user_keeps_to_itself(sandbox: Confinement, work: Path) -> None:
    before = os.umask(0o077)
    try:
        found = python(sandbox, work, "print('ran')")
    finally:
        os.umask(before)
    assert said(found) == "ran"


def test_signal_is_seen(sandbox: Confinement, work: Path) -> None:
    assert python(sandbox, work, "os.kill(os.getpid(), 15)").returncode == -signal.SIGTERM


def test_arguments_and_environment_survive(sandbox: Confinement, work: Path) -> None:
    words = ["", "--", "a=b", "two\nlines", '∀ x, "y"', "--work", "-n"]
    env = {**ENVIRONMENT, "A": "b=c\n∀", "EMPTY": ""}
    program = "import os, sys; print([sys.argv[1:], os.environ['A'], os.environ['EMPTY']])"
    result = sandbox.run(
        [PYTHON, "-IS", "-c", program, *words],
        work=work,
        readable=[*system_libraries(), *PYTHON_FILES],
        env=env,
        limits=LIMITS,
    )
    assert result.stdout.decode() == f"{[words, env['A'], '']}\n"


@given(
    st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1),
    st.dictionaries(st.text(st.characters(exclude_characters="=\0"), min_size=1), st.text()),
    st.lists(st.text(min_size=1)),
)
@settings(max_examples=200)
def test_options_read_back(argv: list[str], environment: dict[str, str], readable: list[str]) -> None:
    options = Options()
    options.argv, options.environment, options.readable = argv, environment, readable
    options.limits = {"wall": 1, "memory": 1 << 40}
    options.work, options.uid, options.status = "/work --", 65533, 7
    assert vars(parse(options.words())) == vars(options)


def test_starts_in_the_work_folder_with_what_is_there(sandbox: Confinement, work: Path) -> None:
    (work / "Main.lean").write_text("theorem t : True := trivial")
    (work / "sub" / "deep").mkdir(parents=True)
    (work / "sub" / "deep" / "file").write_bytes(b"\0" * 5000)
    program = "print(os.getcwd(), open('Main.lean').read(), len(open('sub/deep/file').read()))"
    assert said(python(sandbox, work, program)) == f"{work} theorem t : True := trivial 5000"


def test_files_come_back(sandbox: Confinement, work: Path) -> None:
    (work / "kept").write_text("kept")
    (work / "changed").write_text("before")
    program = (
        "open('changed', 'w').write('after')\nopen('new', 'wb').write(b'x' * 100000)\n"
        "os.makedirs('a/b')\nopen('a/b/c', 'w').write('c')\nos.chmod('a/b/c', 0o777)"
    )
    assert python(sandbox, work, program).returncode == 0
    contents = {str(f.relative_to(work)): f.read_bytes() for f in work.rglob("*") if f.is_file()}
    assert contents == {"kept": b"kept", "changed": b"after", "new": b"x" * 100000, "a/b/c": b"c"}
    assert all(f.stat().st_uid == os.geteuid() for f in work.rglob("*"))


def test_work_folder_below_something_readable(sandbox: Confinement, tmp_path: Path) -> None:
    project = tmp_path / "project"
    work = project / "build" / "work"
    work.mkdir(parents=True)
    (project / "lib.txt").write_text("library")
    program = "open('out', 'w').write(open('../../lib.txt').read())"
    assert python(sandbox, work, program, readable=(project,)).returncode == 0
    assert (work / "out").read_text() == "library"


def test_readable_link_and_nested_paths(sandbox: Confinement, work: Path, tmp_path: Path) -> None:
    real = tmp_path / "real" / "lib"
    real.mkdir(parents=True)
    (real / "x").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    shown = (tmp_path / "link", tmp_path / "link" / "lib", real / "x", tmp_path / "link")
    program = "print(open(sys.argv[1] + '/link/lib/x').read() + open(sys.argv[1] + '/real/lib/x').read())"
    assert said(python(sandbox, work, program, tmp_path, readable=shown)) == "xx"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_huge_output_is_cut_and_nothing_blocks(sandbox: Confinement, work: Path, stream: str) -> None:
    program = f"for _ in range(100): sys.{stream}.buffer.write(b'x' * (1 << 20))\nsys.{stream}.flush()\nsys.exit(3)"
    result = python(sandbox, work, program, wall=60.0)
    assert result.returncode == 3 and result.output_truncated
    assert getattr(result, stream) == b"x" * LIMITS.output


def test_input_that_nobody_reads(sandbox: Confinement, work: Path) -> None:
    assert said(python(sandbox, work, "print('done')", stdin=b"x" * (10 << 20))) == "done"


def test_large_input_and_output_at_once(sandbox: Confinement, work: Path) -> None:
    program = "import shutil\nshutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"
    data = os.urandom(1 << 20)
    assert python(sandbox, work, program, stdin=data).stdout == data


def test_time_limit(sandbox: Confinement, work: Path) -> None:
    result = python(sandbox, work, "print('begun', flush=True)\nimport time\ntime.sleep(60)", wall=1.0)
    assert result.timed_out and result.returncode is None and result.stdout == b"begun\n"


@pytest.mark.parametrize(
    "argv, readable, told",
    [
        (["/no/such/program"], [], "/no/such/program"),
        ([PYTHON], ["/no/such/library"], "/no/such/library"),
        ([PYTHON, "a\0b"], [], "null"),
        ([PYTHON, "x" * 200_000], [], "too long"),
    ],
)
def test_what_cannot_start_is_told(
    sandbox: Confinement, work: Path, argv: list[str], readable: list[str], told: str
) -> None:
    for start in (sandbox.run, sandbox.popen):
        with pytest.raises(UnsorryError) as error:
            start(argv, work=work, readable=[Path(p) for p in readable], env={}, limits=LIMITS)
        assert told in str(error.value) and "\n" not in str(error.value)


def test_missing_work_folder_is_told(sandbox: Confinement, tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="does not exist"):
        sandbox.run([PYTHON], work=tmp_path / "none", readable=[], env={}, limits=LIMITS)


# a process that stays

ECHO = """
import sys
for line in sys.stdin:
    open('last', 'w').write(line)
    print(line.upper(), end='', flush=True)
"""


def test_popen_talks_and_shares_its_folder(sandbox: Confinement, work: Path) -> None:
    with sandbox.popen(
        [PYTHON, "-IS", "-c", ECHO],
        work=work,
        readable=[*system_libraries(), *PYTHON_FILES],
        env=ENVIRONMENT,
        limits=LIMITS,
    ) as process:
        assert process.stdin and process.stdout
        for word in (b"one\n", b"two\n"):
            process.stdin.write(word)
            process.stdin.flush()
            assert process.stdout.readline() == word.upper()
            assert (work / "last").read_bytes() == word
        process.stdin.close()
        assert process.wait(20) == 0


SERVER = """
import sys
from pathlib import Path
from unsorry.judge.sandbox import choose
from unsorry.lean.process import Limits
from unsorry.lean.toolchain import python_interpreter, system_libraries
mode, backend, work, marker = sys.argv[1:]
program, files = python_interpreter()
sleeper = "import time; print('up', flush=True); time.sleep(100)"
child = choose(mode, backend).popen([program, "-IS", "-c", sleeper, marker], work=Path(work),
    readable=[*system_libraries(), *files], env={}, limits=Limits(wall=90.0))
print(child.stdout.readline().decode().strip(), flush=True)
sys.stdin.read()
"""


@linux
def test_dies_with_the_judge(sandbox: Confinement, work: Path) -> None:
    marker = f"orphan-{uuid.uuid4()}"
    backend = str(sandbox.facts["backend"])
    source = Path(sandboxes.__file__).parents[2]
    words = [sandbox.name, "auto" if backend == "limits" else backend, str(work), marker]
    judge = subprocess.Popen(
        [sys.executable, "-c", SERVER, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(source)},
    )
    assert judge.stdout and judge.stdin
    assert judge.stdout.readline() == b"up\n"
    assert running(marker)
    judge.kill()
    judge.wait()
    deadline = time.monotonic() + 20
    while running(marker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in running(marker) if pid != judge.pid]
    judge.stdin.close()
    judge.stdout.close()


def test_killed_popen_leaves_nothing(sandbox: Confinement, work: Path) -> None:
    marker = f"served-{uuid.uuid4()}"
    sleeper = "print('up', flush=True); import time; time.sleep(100)"
    process = sandbox.popen(
        [PYTHON, "-IS", "-c", sleeper, marker],
        work=work,
        readable=[*system_libraries(), *PYTHON_FILES],
        env={},
        limits=LIMITS,
    )
    with process:
        assert process.stdout and process.stdout.readline() == b"up\n"
        process.kill()
        process.wait(20)
    deadline = time.monotonic() + 20
    while running(marker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running(marker) == []


def test_popen_outlives_the_thread_that_made_it(sandbox: Confinement, work: Path) -> None:
    made: list[subprocess.Popen[bytes]] = []

    def make() -> None:
        made.append(
            sandbox.popen(
                [PYTHON, "-IS", "-c", ECHO],
                work=work,
                readable=[*system_libraries(), *PYTHON_FILES],
                env=ENVIRONMENT,
                limits=LIMITS,
            )
        )

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    with made[0] as process:
        out, _ = process.communicate(b"still here\n", timeout=20)
    assert out == b"STILL HERE\n"


def test_what_root_may_not_show_is_told(work: Path, tmp_path: Path) -> None:
    if not confinement.privileged():
        pytest.skip("an ordinary user shows its own files")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(UnsorryError, match=r"chmod -R go\+rX"):
        python(choose("strict"), work, "pass", readable=(closed,))


# taking a file that a hostile process left


GAMES = """
os.symlink('/etc/passwd', 'link')
os.mkfifo('fifo')
os.mkdir('folder')
os.symlink('/', 'folder/root')
open('one', 'w').write('1')
os.link('one', 'two')
open('closed', 'w').write('x')
os.chmod('closed', 0)
os.makedirs('/'.join('d' * 40))
open('/'.join('d' * 40) + '/deep', 'w').write('x')
open('fine', 'w').write('fine')
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_only_plain_files_come_back(backend: str, work: Path) -> None:
    found, why = strict(backend)
    if found is None:
        pytest.skip(why)
    assert python(found, work, GAMES).returncode == 0
    assert not any(f.is_symlink() or f.is_fifo() for f in work.rglob("*"))
    files = {f.name for f in work.rglob("*") if f.is_file()}
    assert "fine" in files and files <= {"fine", "closed"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_names_that_change_their_kind_do_no_harm(backend: str, work: Path) -> None:
    found, why = strict(backend)
    if found is None:
        pytest.skip(why)
    (work / "folder").mkdir()
    (work / "folder" / "inner").write_text("as it was")
    (work / "file").write_text("as it was")
    program = """
os.unlink('folder/inner'); os.rmdir('folder'); open('folder', 'w').write('a file now')
os.unlink('file'); os.mkdir('file'); open('file/x', 'w').write('a folder now')
os.mkdir('closed'); open('closed/x', 'w').write('x'); os.chmod('closed', 0)
open('result', 'w').write('result')
"""
    assert python(found, work, program).returncode == 0
    assert (work / "folder" / "inner").read_text() == (work / "file").read_text() == "as it was"
    assert (work / "result").read_text() == "result"


@linux
def test_giving_a_folder_follows_no_link(work: Path, tmp_path: Path) -> None:
    if not confinement.privileged():
        pytest.skip("only root gives its folder to another user")
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    (work / "link").symlink_to(precious)
    (work / "inner").mkdir()
    (work / "inner" / "mine").write_text("x")
    confinement.give(work, confinement.SANDBOX_UID)
    assert (work / "inner" / "mine").stat().st_uid == confinement.SANDBOX_UID
    assert precious.stat().st_uid == (precious / "file").stat().st_uid == 0
