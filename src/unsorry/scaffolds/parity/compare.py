"""A source and its translation side by side: what is the same, differs, is missing, or was not compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from unsorry import Judge, Problem
from unsorry.lean.declarations import InductiveInfo, Kind
from unsorry.lean.source import parse
from unsorry.scaffolds.migrate.failing import Check
from unsorry.scaffolds.parity.lean import LeanFile
from unsorry.scaffolds.parity.rocq import Binder, Inductive, Rocq, Sample, Signature

AGREES = "Lean computes the same value"
Word = Literal["same", "differs", "missing", "unknown"]
TYPES = {
    "nat": "Nat", "bool": "Bool", "string": "String", "list": "List", "option": "Option", "Set": "Type", "Z": "Int",
    "unit": "Unit", "ascii": "Char", "True": "True", "False": "False", "->": "→",
}  # fmt: skip
TERMS = {"true": "true", "false": "false", "O": "Nat.zero", "S": "Nat.succ", "nil": "[]", "None": "none",
         "Some": "some", "andb": "and", "orb": "or", "negb": "not", "<=?": "≤", "=?": "=="}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing of the source: `what` is inductive, constructor, function, theorem or sample."""

    what: str
    name: str
    word: Word
    detail: str = ""
    line: int = 0  # in the source


@dataclass(frozen=True, slots=True)
class Report:
    """`only_here`: declarations of the translation that the source has not, which a reviewer must read."""

    findings: tuple[Finding, ...]
    only_here: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Everything of the source was read, and is the same."""
        return not self.unread and all(finding.word == "same" for finding in self.findings)

    def count(self, what: str) -> tuple[int, int]:
        """(the same, all) of a kind of thing."""
        these = [f for f in self.findings if f.what == what]
        return sum(f.word == "same" for f in these), len(these)

    def as_json(self) -> dict[str, Any]:
        return {
            "complete": self.complete,
            "findings": [
                {"what": f.what, "name": f.name, "result": f.word, "detail": f.detail, "line": f.line}
                for f in self.findings
            ],
            "only_here": list(self.only_here),
            "unread": list(self.unread),
        }

    def text(self) -> str:
        """For a person, as Markdown."""
        lines = ["| | same | of |", "|---|---|---|"]
        for what in ("inductive", "constructor", "function", "sample", "theorem"):
            same, total = self.count(what)
            lines.append(f"| {what}s | {same} | {total} |")
        lines.append("")
        other = [f for f in self.findings if f.word != "same"]
        lines += [f"- {f.what} `{f.name}` (line {f.line}): **{f.word}**, {f.detail}" for f in other]
        lines += [f"- not read: {text}" for text in self.unread]
        if self.only_here:
            lines.append(f"- only in the translation, to be read: {', '.join(f'`{n}`' for n in self.only_here)}")
        return "\n".join(lines) + "\n"


def compare(
    source: Rocq, lean: LeanFile, check: Check, judge: Judge | None = None, names: Mapping[str, str] | None = None
) -> Report:
    """Every declaration of `source` looked for in `lean`; `names` maps those that are called otherwise.

    Samples are evaluated by Lean, theorems judged strictly where a judge is given: without one, `carried` is unknown.
    """
    names = names or {}
    findings: list[Finding] = []
    for inductive in source.inductives:
        findings += _inductive(inductive, lean, names)
    orders: dict[str, list[int]] = {}
    for function in source.functions:
        finding, order = _function(function, lean, names)
        findings.append(finding)
        if order:
            orders[names.get(function.name, function.name)] = order
    findings += _samples(source, lean, check, names, orders)
    findings += _theorems(source.theorems, lean, judge, names)
    known = {names.get(n, n) for n in _source_names(source)}
    written = [c.name for c in parse(lean.text).declarations if c.name]
    extra = tuple(n for n in written if n not in known and n.rpartition(".")[2] not in known)
    return Report(tuple(findings), extra, source.unread)


def _source_names(source: Rocq) -> Iterator[str]:
    for part in (source.inductives, source.functions, source.theorems, source.samples):
        yield from (thing.name for thing in part)


def _inductive(inductive: Inductive, lean: LeanFile, names: Mapping[str, str]) -> Iterator[Finding]:
    name, line = inductive.name, inductive.line
    found = lean.find(names.get(name, name))
    if found is None or not isinstance(found.info, InductiveInfo):
        what = "no such declaration" if found is None else f"it is a {found.kind.value}"
        yield Finding("inductive", name, "missing", what, line)
        return
    theirs, ours = inductive.constructors, lean.constructors(found)
    mine = [str(c.name).rpartition(".")[2] for c in ours]
    wanted = [names.get(c.name, c.name) for c in theirs]
    extra = [n for n in mine if n not in wanted]
    if found.info.params != len(inductive.parameters):
        detail = f"{len(inductive.parameters)} parameters in the source, {found.info.params} here"
        yield Finding("inductive", name, "differs", detail, line)
    elif extra:
        detail = f"it has constructors that the source has not: {', '.join(extra)}"
        yield Finding("inductive", name, "differs", detail, line)
    elif mine != wanted and set(mine) == set(wanted):
        yield Finding("inductive", name, "differs", "its constructors are in another order", line)
    else:
        yield Finding("inductive", name, "same", f"{len(mine)} constructors", line)
    for constructor, called in zip(theirs, wanted, strict=True):
        if called not in mine:
            yield Finding("constructor", constructor.name, "missing", f"`{name}` has no such constructor", line)
            continue
        binders, _ = lean.telescope(ours[mine.index(called)])
        yield _binders("constructor", constructor, binders, lean, names)


def _binders(what: str, theirs: Signature, ours: Sequence[Binder], lean: LeanFile, names: Mapping[str, str]) -> Finding:
    """Number and types of binders; types are compared where both sides are plain, propositions only counted."""
    if len(theirs.binders) != len(ours):
        detail = f"{len(theirs.binders)} binders in the source, {len(ours)} here ({_shown(ours)})"
        return Finding(what, theirs.name, "differs", detail, theirs.line)
    for position, (their, our) in enumerate(zip(theirs.binders, ours, strict=True), 1):
        wanted = _type(their.type, names)
        if wanted and not _same_type(wanted, our.type, lean):
            detail = f"binder {position} has type `{their.type}` in the source and `{our.type}` here"
            return Finding(what, theirs.name, "differs", detail, theirs.line)
    return Finding(what, theirs.name, "same", f"{len(ours)} binders", theirs.line)


def _shown(binders: Sequence[Binder]) -> str:
    return ", ".join(f"{b.name or '_'} : {b.type}" for b in binders) or "none"


def _type(text: str, names: Mapping[str, str]) -> str:
    """A plain type in Lean's words, "" for what has to be read as a proposition or is left out."""
    words = re.findall(r"[\w.']+|->|[()]|\S", text)
    if not words or any(not re.fullmatch(r"[\w.']+|->|[()]", word) for word in words) or len(words) > 6:
        return ""
    return " ".join(names.get(word, TYPES.get(word, word)) for word in words)


def _same_type(wanted: str, found: str, lean: LeanFile) -> bool:
    return " ".join(map(lean.unfolded, _words(wanted))) == " ".join(map(lean.unfolded, _words(found)))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w.'✝]+|\S", text)


def _function(function: Signature, lean: LeanFile, names: Mapping[str, str]) -> tuple[Finding, list[int]]:
    """The finding, and the order of the source's binders here if it is another."""
    name, line = function.name, function.line
    found = lean.find(names.get(name, name))
    if found is None:
        return Finding("function", name, "missing", "no such declaration", line), []
    if found.kind not in (Kind.DEFINITION, Kind.OPAQUE):
        return Finding("function", name, "differs", f"it is a {found.kind.value}", line), []
    binders, result = lean.telescope(found)
    given = list(function.binders)
    missing = len(given) - len(binders)
    if missing > 0:  # a type whose name hides an arrow: `state` is `ident → Nat`
        binders = _opened(binders, result, lean, missing)
    finding = _binders("function", function, binders, lean, names)
    if finding.word == "same" or len(given) != len(binders):
        return finding, []
    order: list[int] = []
    for their in given:
        wanted = _type(their.type, names)
        free = [i for i, b in enumerate(binders) if i not in order and wanted and _same_type(wanted, b.type, lean)]
        if not free:
            return finding, []
        order.append(free[0])
    return Finding("function", name, "same", "the same binders in another order", line), order


def _opened(binders: list[Binder], result: str, lean: LeanFile, count: int) -> list[Binder]:
    more = [part.strip() for part in lean.unfolded(result).split("→")]
    return [*binders, *(Binder("", part) for part in more[:count])] if len(more) > count else binders


def _samples(
    source: Rocq, lean: LeanFile, check: Check, names: Mapping[str, str], orders: Mapping[str, list[int]]
) -> Iterator[Finding]:
    """Each sample as an equation that evaluation proves, or refutes; else it is unknown."""
    spaces = " ".join(sorted({names.get(i.name, i.name) for i in source.inductives}))
    opening = f"open {spaces} in\n" if spaces else ""
    equations = [_equation(sample, names, orders) for sample in source.samples]
    if check(lean.text.rstrip() + "".join(_example(opening, e) for e in equations)).ok:
        yield from (Finding("sample", s.name, "same", AGREES, s.line) for s in source.samples)
        return
    for sample, equation in zip(source.samples, equations, strict=True):
        yield _sample(sample, equation, lean, check, opening)


def _example(opening: str, statement: str) -> str:
    return f"\n\n{opening}example : {statement} := by first | rfl | decide\n"


def _equation(sample: Sample, names: Mapping[str, str], orders: Mapping[str, list[int]]) -> str:
    equation = f"{_term(sample.term, names)} = {_term(sample.value, names)}"
    for name, order in orders.items():
        if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w'])", equation):
            variables = [f"x{i}" for i in range(len(order))]
            given = [variables[order.index(i)] for i in range(len(order))]
            equation = f"(fun {name} => {equation}) (fun {' '.join(variables)} => {name} {' '.join(given)})"
    return equation


def _sample(sample: Sample, equation: str, lean: LeanFile, check: Check, opening: str) -> Finding:
    statements: tuple[tuple[str, Word], ...] = ((equation, "same"), (f"¬({equation})", "differs"))
    for statement, word in statements:
        run = check(lean.text.rstrip() + _example(opening, statement))
        if run.ok:
            detail = AGREES if word == "same" else f"Lean does not compute `{sample.value}`"
            return Finding("sample", sample.name, word, detail, sample.line)
        if run.timed_out:
            return Finding("sample", sample.name, "unknown", "Lean did not finish in time", sample.line)
    first = run.errors[0].text.strip().splitlines()[0] if run.errors else ""
    detail = f"`{equation}` is neither proved nor refuted: {first}"
    return Finding("sample", sample.name, "unknown", detail, sample.line)


def _term(text: str, names: Mapping[str, str]) -> str:
    """A term in Lean's words: application, numerals, strings, lists and pairs are written alike."""
    words = re.findall(r'"[^"]*"(?:%\w+)?|[\w.\']+|<=\?|=\?|::|\S', text)
    out = [names.get(w, TERMS.get(w, w.partition("%")[0] if w.startswith('"') else w)) for w in words]
    return " ".join(out).replace(" ;", ",")


def _theorems(
    theorems: Sequence[Signature], lean: LeanFile, judge: Judge | None, names: Mapping[str, str]
) -> Iterator[Finding]:
    found = {t.name: lean.find(names.get(t.name, t.name)) for t in theorems}
    proved = [str(d.name) for d in found.values() if d is not None and d.kind is Kind.THEOREM and lean.proved(d)]
    refused = _refused(proved, lean, judge) if judge is not None else {}
    for theorem in theorems:
        declaration = found[theorem.name]
        if declaration is None:
            yield Finding("theorem", theorem.name, "missing", "no such declaration", theorem.line)
            continue
        name = str(declaration.name)
        if declaration.kind is not Kind.THEOREM:
            yield Finding("theorem", theorem.name, "differs", f"it is a {declaration.kind.value}", theorem.line)
        elif name not in proved:
            yield Finding("theorem", theorem.name, "differs", "stated, not carried: it rests on a sorry", theorem.line)
        elif name in refused:
            yield Finding("theorem", theorem.name, "differs", f"the judge says {refused[name]}", theorem.line)
        else:
            binders, _ = lean.telescope(declaration)
            yield _carried(theorem, _binders("theorem", theorem, binders, lean, names), judged=judge is not None)


def _carried(theorem: Signature, shape: Finding, *, judged: bool) -> Finding:
    name, line = theorem.name, theorem.line
    if shape.word != "same":
        return Finding("theorem", name, "differs", f"carried, but {shape.detail}: read both statements", line)
    if not judged:
        return Finding("theorem", name, "unknown", "proved, not judged", line)
    return Finding("theorem", name, "same", f"carried, {shape.detail}", line)


def _refused(proved: Sequence[str], lean: LeanFile, judge: Judge) -> dict[str, str]:
    """What the strict judge does not accept: all together first, one by one where that fails."""
    if not proved or judge.judge(_stated(lean, proved), lean.text).accepted:
        return {}
    verdicts = {name: judge.judge(_stated(lean, [name]), lean.text) for name in proved}
    return {name: verdict.reason for name, verdict in verdicts.items() if not verdict.accepted}


def _stated(lean: LeanFile, names: Sequence[str]) -> Problem:
    """The file with these theorems' proofs taken out."""
    source = parse(lean.text)
    text = lean.text
    for command in reversed(source.commands):
        if command.name in names:
            text = text[: command.body] + ":= sorry" + text[command.end :]
    return Problem("parity", text, tuple(names))
