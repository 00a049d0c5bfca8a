"""Hostile programs in a strict sandbox.  Where that is safe, the same program runs outside first and must succeed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import system_libraries

sys.path.insert(0, str(Path(__file__).parent))  # whether or not this folder is a package
from sandboxes import BACKENDS, LIMITS, PYTHON, PYTHON_FILES, python, running, said, strict, unconfined

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


@pytest.fixture(params=BACKENDS)
def sandbox(request: pytest.FixtureRequest) -> Confinement:
    found, why = strict(request.param)
    if found is None:
        pytest.skip(why)
    return found


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


TRY = """
def attempt(action):
    try:
        action()
        print("DONE", flush=True)
    except OSError as error:
        print("refused", error, flush=True)
"""


def refused(sandbox: Confinement, work: Path, action: str, *arguments: object, control: bool = True) -> None:
    """`action` works outside (if it is safe to try) and raises OSError inside."""
    program = f"{TRY}\nimport ctypes, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n{action}"
    if control:
        assert said(unconfined(work, program, *arguments)) == "DONE"
    assert said(python(sandbox, work, program, *arguments)).startswith("refused")


def all_refused(
    sandbox: Confinement,
    work: Path,
    actions: list[str],
    *arguments: object,
    prelude: str = "",
    readable: tuple[Path, ...] = (),
) -> None:
    """Each expression or function named in `actions` raises OSError inside; one run for all."""
    attempts = "".join(f"\nattempt(lambda: {action})" for action in actions)
    program = f"{TRY}\nimport ctypes, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n{prelude}{attempts}"
    lines = python(sandbox, work, program, *arguments, readable=readable).stdout.decode().splitlines()
    assert len(lines) == len(actions), lines
    assert [line for line in lines if not line.startswith("refused")] == [], list(zip(actions, lines, strict=True))


# other processes


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "120"])
    yield process
    process.kill()
    process.wait()


def test_kills_nothing_outside(sandbox: Confinement, work: Path, victim: subprocess.Popen[bytes]) -> None:
    refused(sandbox, work, "attempt(lambda: os.kill(int(sys.argv[1]), 0))", victim.pid)
    # -1 is everyone whom it may signal: never tried outside
    python(sandbox, work, "os.kill(-1, 9)")
    python(sandbox, work, "for pid in range(2, 70000):\n try: os.kill(pid, 9)\n except OSError: pass")
    assert victim.poll() is None


@pytest.mark.parametrize("whom", ["keeper", "judge"])
def test_ptrace(sandbox: Confinement, work: Path, whom: str) -> None:
    program = f"""
{TRY}
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def trace():
    if libc.ptrace(16, int(sys.argv[1]), None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
attempt(trace)
"""
    assert said(python(sandbox, work, program, 1 if whom == "keeper" else os.getpid())).startswith("refused")


@pytest.mark.parametrize("file", ["mem", "environ", "root", "cwd", "fd", "maps"])
def test_looks_not_into_its_keeper(sandbox: Confinement, work: Path, file: str) -> None:
    call = {"root": "os.stat", "cwd": "os.listdir", "fd": "os.listdir"}.get(file, "open")
    look = f"{TRY}\nattempt(lambda: {call}('/proc/' + sys.argv[1] + '/{file}'))"
    assert said(python(sandbox, work, look, 1)).startswith("refused [Errno 13]")
    assert said(python(sandbox, work, look, "self")) == "DONE"


def test_proc_shows_only_the_sandbox(sandbox: Confinement, work: Path) -> None:
    listing = said(python(sandbox, work, "print(*sorted(n for n in os.listdir('/proc') if n.isdigit()))"))
    assert 1 <= len(listing.split()) <= 2
    assert all(int(pid) < 100 for pid in listing.split())


def test_walk_of_proc_finds_no_secret(sandbox: Confinement, work: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the reference proof")
    secret.chmod(0o644)
    program = """
import glob
found = []
bases = [base for kind in ("root", "cwd", "fd/*") for base in glob.glob("/proc/*/" + kind)]
for base in ["", "/proc/self/root/../..", *bases]:
    try:
        found.append(open(base + sys.argv[1]).read())
    except OSError:
        pass
print(found)
"""
    assert said(unconfined(work, program, secret)) != "[]"
    assert said(python(sandbox, work, program, secret)) == "[]"


def test_changes_no_kernel_setting(sandbox: Confinement, work: Path) -> None:
    names = ("sys/kernel/core_pattern", "sys/user/max_user_namespaces", "self/oom_score_adj", "sysrq-trigger")
    all_refused(sandbox, work, [f"open('/proc/{name}', 'w').write('0')" for name in names])


# the network and sockets


def test_tcp(sandbox: Confinement, work: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        action = "attempt(lambda: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5))"
        refused(sandbox, work, action, server.getsockname()[1])


def test_no_internet_socket_at_all(sandbox: Confinement, work: Path) -> None:
    if not sandbox.facts["seccomp"]:
        pytest.skip("without seccomp sockets can be made, and reach nothing")
    families = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK")
    kinds = ("SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW")
    pairs = [(family, kind) for family in families for kind in kinds]
    all_refused(sandbox, work, [f"socket.socket(socket.{family}, socket.{kind})" for family, kind in pairs])


@pytest.mark.parametrize("abstract", [False, True])
def test_unix_socket_outside(sandbox: Confinement, work: Path, tmp_path: Path, abstract: bool) -> None:
    name = f"\0unsorry-{uuid.uuid4()}" if abstract else str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        action = "attempt(lambda: socket.socket(socket.AF_UNIX).connect(sys.argv[1].replace('@', chr(0))))"
        refused(sandbox, work, action, name.replace("\0", "@"))


# files


def test_writes_nothing_outside(sandbox: Confinement, work: Path, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("as it was")
    target.chmod(0o666)
    refused(sandbox, work, "attempt(lambda: open(sys.argv[1], 'r+').write('as it was'))", target)
    assert target.read_text() == "as it was"


def test_reads_no_other_folder(sandbox: Confinement, work: Path, tmp_path: Path) -> None:
    other = tmp_path / "other-submission"
    other.mkdir()
    (other / "Main.lean").write_text("theorem")
    refused(sandbox, work, "attempt(lambda: open(sys.argv[1]).read())", other / "Main.lean")
    refused(sandbox, work, "attempt(lambda: os.listdir(sys.argv[1]))", other)
    all_refused(sandbox, work, [f"os.listdir({path!r})" for path in ("/etc", "/home", "/root", "/var", "/sys")])


def test_what_is_readable_is_not_writable(sandbox: Confinement, work: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir(mode=0o777)
    (library / "Init.olean").write_text("compiled")
    (library / "Init.olean").chmod(0o666)
    library.chmod(0o777)
    actions = [
        "open(path, 'w')",
        "os.unlink(path)",
        "os.mkdir(path + 'new')",
        "os.chmod(path, 0o600)",
        "os.link(path, 'mine')",
        "os.rename(path, 'mine')",
        "os.truncate(path, 0)",
        "os.utime(path)",
    ]
    all_refused(sandbox, work, actions, library, prelude="path = sys.argv[1] + '/Init.olean'", readable=(library,))
    read = python(sandbox, work, "print(open(sys.argv[1] + '/Init.olean').read())", library, readable=(library,))
    assert said(read) == "compiled"


def test_links_out_of_the_work_folder_lead_nowhere(sandbox: Confinement, work: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (work / "before").symlink_to(tmp_path / "secret")
    program = f"{TRY}\nos.symlink(sys.argv[1], 'after')\nattempt(lambda: open('after').read())"
    assert said(python(sandbox, work, program, tmp_path / "secret")).startswith("refused")
    assert said(python(sandbox, work, f"{TRY}\nattempt(lambda: open('before').read())")).startswith("refused")


def test_runs_nothing_that_it_wrote(sandbox: Confinement, work: Path) -> None:
    program = f"""
{TRY}
for folder in (".", "/tmp"):
    path = folder + "/true"
    open(path, "wb").write(open(sys.executable, "rb").read(100))
    os.chmod(path, 0o700)
    attempt(lambda: os.execv(path, [path]))
"""
    result = python(sandbox, work, program)
    assert result.stdout.count(b"refused [Errno 13]") == 2


# more privilege


@pytest.mark.parametrize("flags", [0x10000000, 0x10020000, 0x20000, 0x20000000, 0x40000000, 0x8000000])
def test_no_new_namespace(sandbox: Confinement, work: Path, flags: int) -> None:
    how = f"""
def unshare():
    if libc.unshare({flags}) != 0: raise OSError(ctypes.get_errno(), "unshare")
def clone():
    if libc.syscall(56, {flags} | 17, None, None, None, None) < 0: raise OSError(ctypes.get_errno(), "clone")
def clone3():
    arguments = (ctypes.c_uint64 * 8)({flags}, 0, 0, 0, 17)
    if libc.syscall(435, arguments, 64) < 0: raise OSError(ctypes.get_errno(), "clone3")
"""
    all_refused(sandbox, work, ["unshare()", "clone()", "clone3()"], prelude=how)


def test_mounts_nothing(sandbox: Confinement, work: Path) -> None:
    prelude = """
def check(result):
    if result != 0: raise OSError(ctypes.get_errno(), "refused")
"""
    mounts = [(b"tmpfs", b"tmpfs", 0), (b"proc", b"proc", 0), (b"/", b"", 4096), (b"none", b"", 0x1020)]
    actions = [f"check(libc.mount({source!r}, b'/tmp', {kind!r}, {flags}, None))" for source, kind, flags in mounts]
    all_refused(sandbox, work, [*actions, "check(libc.umount2(b'/proc', 2))"], prelude=prelude)


def test_no_other_identity(sandbox: Confinement, work: Path) -> None:
    all_refused(
        sandbox,
        work,
        [
            "os.setuid(0)",
            "os.setgid(0)",
            "os.setgroups([0])",
            "os.setresuid(0, 0, 0)",
            "os.chroot('/tmp')",
            "os.mknod('d', 0o20600, os.makedev(1, 1))",
            "os.chown('.', 0, 0)",
        ],
    )


def test_holds_no_capability_and_gets_none(sandbox: Confinement, work: Path) -> None:
    status = python(sandbox, work, "print(open('/proc/self/status').read())").stdout.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] in ("0", "2")
    assert fields["Groups"].strip() in ("", "1000", "65534")


@pytest.mark.parametrize(
    "name, number",
    [
        ("bpf", 321),
        ("userfaultfd", 323),
        ("keyctl", 250),
        ("perf_event_open", 298),
        ("io_uring_setup", 425),
        ("process_vm_readv", 310),
        ("memfd_create", 319),
    ],
)
def test_kernel_interfaces_are_closed(sandbox: Confinement, work: Path, name: str, number: int) -> None:
    if os.uname().machine != "x86_64" or not sandbox.facts["seccomp"]:
        pytest.skip("needs seccomp and the call numbers of x86_64")
    program = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall({number}, 0, 0, 0, 0, 0), ctypes.get_errno())
"""
    assert said(python(sandbox, work, program)) == "-1 1"


# what a process holds


def test_holds_only_its_three_pipes(sandbox: Confinement, work: Path) -> None:
    program = """
names = [n for n in os.listdir('/proc/self/fd') if os.path.lexists('/proc/self/fd/' + n)]
print({n: os.readlink('/proc/self/fd/' + n)[:4] for n in names})
"""
    assert said(python(sandbox, work, program)) == "{'0': 'pipe', '1': 'pipe', '2': 'pipe'}"


def test_environment_is_what_was_given(sandbox: Confinement, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    assert said(python(sandbox, work, "print(sorted(os.environ))")) in ("['LC_CTYPE', 'PATH']", "['PATH']")


def test_no_terminal(sandbox: Confinement, work: Path) -> None:
    refused(sandbox, work, "attempt(lambda: open('/dev/tty'))", control=False)
    assert said(python(sandbox, work, "print(os.getsid(0) == os.getpid(), os.isatty(0))")) == "True False"
    devices = said(python(sandbox, work, "print(*sorted(os.listdir('/dev')))"))
    assert devices == "fd full null random stderr stdin stdout urandom zero"


# exhaustion


def test_fork_bomb(sandbox: Confinement, work: Path) -> None:
    marker = f"bomb-{uuid.uuid4()}"
    result = python(sandbox, work, "while True:\n try: os.fork()\n except OSError: pass", marker, wall=1.5)
    assert result.timed_out
    assert running(marker) == []


def test_no_more_processes_than_allowed(sandbox: Confinement, work: Path) -> None:
    program = """
count = 1
try:
    while count < 100:
        if os.fork() == 0:
            os.read(os.pipe()[0], 1)
        count += 1
except OSError:
    pass
print(count, flush=True)
"""
    assert int(said(python(sandbox, work, program))) == LIMITS.processes


def test_memory_of_one_process(sandbox: Confinement, work: Path) -> None:
    result = python(sandbox, work, "held = []\nwhile True: held.append(b'x' * (1 << 20))", memory=128 << 20)
    assert result.returncode == -signal.SIGKILL
    assert b"limit of memory" in result.stderr


@pytest.mark.parametrize("flags", ["MAP_PRIVATE", "MAP_SHARED"])
def test_memory_of_many_processes(sandbox: Confinement, work: Path, flags: str) -> None:
    program = f"""
import mmap
for _ in range(8):
    if os.fork() == 0:
        held = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_ANONYMOUS | mmap.{flags})
        for page in range(0, 64 << 20, 4096): held[page] = 1
        os.read(os.pipe()[0], 1)
os.read(os.pipe()[0], 1)
"""
    result = python(sandbox, work, program, memory=256 << 20)
    assert not result.timed_out
    assert b"limit of memory" in result.stderr


def test_disk(sandbox: Confinement, work: Path) -> None:
    program = f"""
{TRY}
import resource
for folder in (".", "/tmp"):
    written = 0
    def fill():
        global written
        for name in range(10000):
            with open(folder + "/" + str(name), "wb", buffering=0) as file:
                for _ in range(4):
                    written += file.write(bytes(1 << 20))
    attempt(fill)
    print(written >> 20)
"""
    result = python(sandbox, work, program, file_size=8 << 20)
    refusal, size, refusal_tmp, size_tmp = result.stdout.decode().splitlines()
    assert "No space left" in refusal and "No space left" in refusal_tmp
    assert int(size) <= 9 and int(size_tmp) <= 65
    assert sum(f.stat().st_size for f in work.iterdir()) <= 9 << 20


def test_size_of_a_file(sandbox: Confinement, work: Path) -> None:
    program = f"""
{TRY}
import signal
signal.signal(25, signal.SIG_IGN)
attempt(lambda: os.truncate(open('f', 'w').name, 9 << 20))
"""
    assert "File too large" in said(python(sandbox, work, program, file_size=8 << 20))


def test_many_small_files(sandbox: Confinement, work: Path) -> None:
    program = f"{TRY}\nattempt(lambda: [open(str(i), 'w').close() for i in range(100000)])"
    result = python(sandbox, work, program)
    if sandbox.facts["backend"] == "bubblewrap":  # it gives a tmpfs no limit of inodes; the keeper counts them
        assert b"limit of files" in result.stderr
    else:
        assert "No space left" in said(result)


def test_descriptors(sandbox: Confinement, work: Path) -> None:
    program = f"""
{TRY}
held = []
attempt(lambda: [held.append(open('/dev/null')) for _ in range(100000)])
print(len(held))
"""
    result = python(sandbox, work, program)
    assert b"Too many open files" in result.stdout
    assert int(result.stdout.split()[-1]) < 256


def test_cpu(sandbox: Confinement, work: Path) -> None:
    result = python(sandbox, work, "while True: pass", cpu=1.0)
    assert result.returncode == -signal.SIGXCPU


def test_cannot_end_its_keeper(sandbox: Confinement, work: Path) -> None:
    program = "for n in range(1, 65):\n try: os.kill(1, n)\n except OSError: pass\nprint('alive', flush=True)"
    assert said(python(sandbox, work, program)) == "alive"


def test_keeper_has_no_handler_to_reach(sandbox: Confinement, work: Path) -> None:
    """Landlock may stop the signals of the test above before they arrive; these come from outside."""
    program = "print(input(), flush=True)\nprint(input(), flush=True)"
    process = sandbox.popen(
        [PYTHON, "-IS", "-c", program], work=work, env={}, readable=[*system_libraries(), *PYTHON_FILES], limits=LIMITS
    )
    with process:
        assert process.stdin and process.stdout
        process.stdin.write(b"one\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"one\n"
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) == 1
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            os.kill(int(children[0]), number)
        process.stdin.write(b"two\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"two\n"
        assert process.wait(20) == 0


def test_no_core_file(sandbox: Confinement, work: Path) -> None:
    result = python(sandbox, work, "os.abort()")
    assert result.returncode == -signal.SIGABRT
    assert list(work.iterdir()) == []


# life and death

DAEMON = """
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-IS", "-c", "import time; time.sleep(60)", sys.argv[1]])
    os._exit(0)
os.wait()
print("started", flush=True)
"""


def test_detached_daemon_is_dead(sandbox: Confinement, work: Path) -> None:
    marker = f"daemon-{uuid.uuid4()}"
    assert said(unconfined(work, DAEMON, marker)) == "started"
    survivors = running(marker)
    for pid in survivors:
        os.kill(pid, signal.SIGKILL)
    assert survivors, "outside, it survives"
    assert said(python(sandbox, work, DAEMON, marker)) == "started"  # returns although the daemon holds the pipes
    assert running(marker) == []


def test_time_out_kills_all(sandbox: Confinement, work: Path) -> None:
    marker = f"sleeper-{uuid.uuid4()}"
    result = python(sandbox, work, DAEMON + "\ntime.sleep(60)", marker, wall=1.0)
    assert result.timed_out and result.returncode is None
    assert result.stdout == b"started\n"
    assert running(marker) == []


def test_ignores_no_signal_that_ends_it(sandbox: Confinement, work: Path) -> None:
    marker = f"stubborn-{uuid.uuid4()}"
    program = """
import signal, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
time.sleep(60)
"""
    assert python(sandbox, work, program, marker, wall=1.0).timed_out
    assert running(marker) == []


def test_many_at_once(sandbox: Confinement, tmp_path: Path) -> None:
    results: dict[int, str] = {}

    def one(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        program = "open('out', 'w').write(sys.argv[1])\nprint(sys.argv[1])"
        results[number] = said(python(sandbox, folder, program, number))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: str(number) for number in range(8)}
    assert [(tmp_path / str(n) / "out").read_text() for n in range(8)] == [str(n) for n in range(8)]


def test_leaves_no_descriptor_and_no_process(sandbox: Confinement, work: Path) -> None:
    def held() -> int:
        return len(os.listdir("/proc/self/fd"))

    def children() -> set[str]:
        tasks = Path("/proc/self/task").iterdir()
        return {pid for task in tasks for pid in (task / "children").read_text().split()}

    python(sandbox, work, "pass")
    before, others = held(), children()
    for _ in range(5):
        python(sandbox, work, "pass")
        with contextlib.suppress(Exception):
            sandbox.run(["/no/such/program"], work=work, readable=[], env={}, limits=LIMITS)
    assert held() == before
    assert children() == others
