"""Is a task a fair one?  Its stub builds with the sorries that it names, its answer is accepted, cheats are not."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from unsorry import UnsorryError, durable
from unsorry.canonical import json_line
from unsorry.judge.reasons import one_line
from unsorry.judge.sandbox import choose
from unsorry.lean.source import Command, Source
from unsorry.lean.toolchain import Toolchain
from unsorry.repos.declarations import outline
from unsorry.repos.elaborated import CannotBuild
from unsorry.repos.score import Case, Scorer
from unsorry.repos.scoring import absent, toolchain_of
from unsorry.repos.sources import Source as Tasks
from unsorry.repos.sources import open_source
from unsorry.repos.store import SUBMODULE
from unsorry.repos.tamper import editable
from unsorry.scaffolds.agent.git import Entry
from unsorry.scaffolds.agent.trees import PROOFS, Tree

FORMAT = 1
FILE = "preflight.jsonl"
TELLING = 60  # characters of a proof that are looked for in what an agent sees; shorter ones are anybody's
PRODUCTS = (".olean", ".ilean", ".c.o", ".trace")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold; `said` is one line."""

    name: str
    ok: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class Flight:
    """The checks of a task; `stub` and `answer` are the trees that they were made with."""

    id: str
    stub: str
    answer: str
    checks: tuple[Check, ...]
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a worker is given."""

    bench: Path
    objects: Path
    repository: str
    id: str
    sandbox: str
    environments: str = ""


def preflight(bench: Path, objects: Path, *, ids: Sequence[str] = (), repository: str = "", sandbox: str = "strict",
              workers: int = 1, again: bool = False, environments: str = "") -> Iterator[Flight]:  # fmt: skip
    """The tasks that BENCH/preflight.jsonl does not tell of yet, as they are checked; each is kept there.

    With `again`, those that it tells of too.  Those whose packages are not compiled are left out (`scoring.absent`).
    """
    choose(sandbox)
    source = open_source(bench, objects, Path(repository) if repository else None)
    known = {flight.id: flight for flight in read(bench)}
    wanted = [item.id for item in source.items if not ids or item.id in ids]
    left = [id for id in wanted if again or id not in known or known[id].stub != source.case(id).stub]
    missing = absent(source, left, Path(environments) if environments else None)
    left = [id for id in left if id not in missing]
    asked = [Asked(bench, objects, repository, id, sandbox, environments) for id in left]
    if workers <= 1 or len(left) <= 1:
        yield from (keep(bench, check_task(one)) for one in asked)
        return
    with ProcessPoolExecutor(min(workers, len(left)), multiprocessing.get_context("spawn")) as pool:
        for flight in pool.map(check_task, asked):
            yield keep(bench, flight)


def read(bench: Path) -> list[Flight]:
    """What is known of a benchmark's tasks, the last word on each."""
    path, found = bench / FILE, dict[str, Flight]()
    try:
        data = path.read_bytes() if path.is_file() else b""
        for line in data[: data.rfind(b"\n") + 1].splitlines():  # what a kill left unfinished is passed over
            raw = json.loads(line)
            if raw.pop("format") == FORMAT:
                raw.pop("ok", None)
                raw["checks"] = tuple(Check(**check) for check in raw["checks"])
                found[raw["id"]] = Flight(**raw)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnsorryError(f"{path} cannot be read: {error}; remove it and run the preflight again") from None
    return list(found.values())


def keep(bench: Path, flight: Flight) -> Flight:
    """Has a flight on disk, behind the others, and returns it."""
    line = json_line({"format": FORMAT, "ok": flight.ok, **asdict(flight)})
    try:
        handle = os.open(bench / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            whole = (bench / FILE).read_bytes().rfind(b"\n") + 1
            os.ftruncate(handle, whole)
            durable.append(handle, line, whole)
        finally:
            os.close(handle)
    except OSError as error:
        raise UnsorryError(f"cannot write {bench / FILE}: {error.strerror or error}") from None
    return flight


def check_task(asked: Asked) -> Flight:
    """All checks of one task; raises UnsorryError only where its trees are not at hand."""
    begun = time.monotonic()
    source = open_source(asked.bench, asked.objects, Path(asked.repository) if asked.repository else None)
    case = source.case(asked.id)
    toolchain, why = toolchain_of(source, case, Path(asked.environments) if asked.environments else None)
    if toolchain is None:
        checks = [Check("toolchain", False, why)]
    else:
        checks = list(_checks(source, case, toolchain, asked.sandbox))
    return Flight(asked.id, case.stub, case.answer, tuple(checks), round(time.monotonic() - begun, 3))


def _checks(source: Tasks, case: Case, toolchain: Toolchain, sandbox: str) -> Iterator[Check]:
    with Scorer(source.trees, toolchain, choose(sandbox)) as scorer:
        yield from _stub(scorer, case)
        yield from _hidden(scorer, case)
        if not case.answer:
            yield Check("gold", False, "the answer is not at hand")
            return
        gold = scorer.score_tree(case, case.answer)
        told = gold.verdict()
        yield Check("gold", gold.strict, "" if gold.strict else f"{told.reason}: {told.message}")
        empty = scorer.score_tree(case, case.stub)
        yield Check("empty", empty.fraction == 0, "" if empty.fraction == 0 else "what changes nothing scores")
        for name, edit in CHEATS.items():
            yield _cheat(scorer, case, name, edit)
    with Scorer(source.trees, toolchain, choose(sandbox)) as again:
        second = again.score_tree(case, case.answer)
        same = [(o.name, o.met, o.reason) for o in second.obligations] == [
            (o.name, o.met, o.reason) for o in gold.obligations
        ]
        yield Check("twice", same and second.reason == gold.reason, "" if same else "another verdict the second time")


def _stub(scorer: Scorer, case: Case) -> Iterator[Check]:
    """The stub builds, and has exactly the sorries that the task names."""
    roots = scorer.builds.roots(case.task, case.stub)
    tree = Tree(scorer.trees.git, case.stub, roots)
    files = [f for f in dict.fromkeys([*(h.file for h in case.task.holes), *(o.file for o in case.task.obligations)])
             if f in tree]  # fmt: skip
    try:
        if case.task.track == "main":
            scorer.builds.compile(case.task, case.stub, files)
        yield Check("stub builds", True)
    except CannotBuild as error:
        yield Check("stub builds", False, one_line(str(error)))
    found: dict[tuple[str, str], int] = {}
    for file in files:
        for declared in outline(tree.text(file).encode("utf-8", "surrogatepass")).declarations:
            if declared.holes:
                key = file, declared.name or f"{declared.kind} {declared.statement}"
                found[key] = found.get(key, 0) + declared.holes
    named: dict[tuple[str, str], int] = {}
    for hole in case.task.holes:
        named[hole.file, hole.name] = named.get((hole.file, hole.name), 0) + hole.count
    different = sorted(f"{name or file}: {found.get((file, name), 0)}, not {named.get((file, name), 0)}"
                       for file, name in found.keys() | named.keys()
                       if found.get((file, name), 0) != named.get((file, name), 0))  # fmt: skip
    yield Check("sorries", not different, f"sorries in {'; '.join(different[:5])}" if different else "")


def _hidden(scorer: Scorer, case: Case) -> Iterator[Check]:
    """Nothing of the answer is in what an agent sees: no proof of it, no compiled file."""
    trees = scorer.trees
    entries = trees.entries(case.stub)
    built = [p.decode("utf-8", "replace") for p in entries if p.decode("utf-8", "replace").endswith(PRODUCTS)]
    yield Check("nothing compiled", not built, f"{built[0]} is a compiled file" if built else "")
    if not case.answer:
        return
    proofs = dict(_proofs(scorer, case))
    files = [entry for entry in entries.values() if entry.mode != SUBMODULE]
    texts = list(_texts(trees.git.read_blobs, files))
    leaks = [f"the proof of {name} is in {path}" for name, proof in proofs.items() for path, text in texts
             if proof in text]  # fmt: skip
    yield Check("answer hidden", not leaks, leaks[0] if leaks else "")


def _texts(read_blobs: Callable[[Sequence[str]], list[bytes]], entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    for start in range(0, len(entries), 200):
        some = entries[start : start + 200]
        for entry, data in zip(some, read_blobs([e.blob for e in some]), strict=True):
            yield entry.path.decode("utf-8", "replace"), " ".join(data.decode("utf-8", "replace").split())


def _proofs(scorer: Scorer, case: Case) -> Iterator[tuple[str, str]]:
    """The bodies of the answer that are long enough to tell, white space folded."""
    tree = Tree(scorer.trees.git, case.answer, scorer.builds.roots(case.task, case.stub))
    for one in case.task.obligations:
        if one.role == "keep" or one.file not in tree:
            continue
        source = tree.source(one.file)
        command = source.declaration(one.name) if one.name else None
        if command is not None and command.body >= 0:
            proof = " ".join(source.text[command.body : command.end].split())
            if len(proof) >= TELLING:
                yield one.name, proof


Edit = Callable[[Source, Command], str | None]  # the file with another text for a declaration, None where it has none


def _with(source: Source, start: int, end: int, text: str) -> str:
    return source.text[:start] + text + source.text[end:]


def _sorry(source: Source, command: Command) -> str | None:
    return _with(source, command.body, command.end, ":= sorry")


def _native(source: Source, command: Command) -> str | None:
    return _with(source, command.body, command.end, ":= by native_decide") if command.kind in PROOFS else None


def _axiom(source: Source, command: Command) -> str | None:
    if command.kind not in PROOFS:
        return None
    stated = source.text[command.keyword + len(command.kind) : command.body].rstrip()
    return _with(source, command.start, command.end, f"axiom{stated}")


def _weaker(source: Source, command: Command) -> str | None:
    if command.kind not in PROOFS or command.name_at < 0:
        return None
    name = source.text[command.name_at :].split(None, 1)[0].rstrip(":({[")
    return _with(source, command.start, command.end, f"theorem {name} : True := trivial")


CHEATS: dict[str, Edit] = {
    "sorry scores 0": _sorry, "axiom scores 0": _axiom, "native_decide scores 0": _native,
    "another statement scores 0": _weaker,
}  # fmt: skip


def _cheat(scorer: Scorer, case: Case, name: str, edit: Edit) -> Check:
    """The answer with every obligation that can be cheated on cheated on: none of these may be met."""
    trees = scorer.trees
    tree = Tree(trees.git, case.answer, scorer.builds.roots(case.task, case.stub))
    entries = trees.entries(case.answer)
    cheated: set[str] = set()
    may = editable(case.task, frozenset(p.decode("utf-8", "surrogateescape") for p in trees.entries(case.stub)))
    for file in dict.fromkeys(o.file for o in case.task.obligations if o.role != "keep" and o.file in may):
        names = {o.name for o in case.task.obligations if o.file == file and o.name}
        text = tree.text(file)
        for command in reversed([c for c in tree.source(file).declarations if c.name in names]):
            changed = edit(_parsed(text), _again(text, command)) if command.body >= 0 else None
            if changed is not None and changed != text:
                text = changed
                cheated.add(command.name)
        key = file.encode("utf-8", "surrogateescape")
        entries[key] = Entry(key, entries[key].mode, trees.git.write_blob(text.encode("utf-8", "surrogatepass")))
    if not cheated:
        return Check(name, True, "nothing to cheat on")
    found = scorer.score_tree(case, trees.git.write_tree(entries.values()))
    met = [o.name for o in found.obligations if o.met == "met" and o.name in cheated] if not found.reason else []
    return Check(name, not met and not found.strict, f"{met[0]} is accepted" if met else "")


def _parsed(text: str) -> Source:
    from unsorry.lean.source import parse

    return parse(text)


def _again(text: str, command: Command) -> Command:
    """The command in a text that was changed behind it."""
    return next(c for c in _parsed(text).declarations if c.start == command.start)
