"""From a hole to the problem that a prover is asked, and from its answer back to edits of the file.

The problem is the file up to the end of the hole's declaration: nothing that follows can matter to it, so an error
there does not either.  The hole that is asked for is the only `sorry` of the text; the others are written
`sorryAx _ false`, which means the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from unsorry import Problem, UnsorryError
from unsorry.lean.source import TRIVIA, Command, Hole, Text, full_name, parse
from unsorry.lean.source.commands import words
from unsorry.scaffolds.fill.document import Document, Edit, Unit, apply

PLACEHOLDER = {"term": "(sorryAx _ false)", "tactic": "exact sorryAx _ false"}
QUIET = "set_option warn.sorry false in\n"  # before what holds placeholders: a prover may look out for warnings
_PROOF = "_root_.And.left (b := _root_.True) (sorryAx _ false)"  # elaborates only where a proof is wanted
PROBE = {"term": f"({_PROOF})", "tactic": f"exact {_PROOF}"}


# Words after which a term may begin with `by`; elsewhere, as an argument, it needs brackets.
_BEFORE_BY = words(":= => ↦ ( , ⟨ [ from exact then else <| $ refine return fun")


@dataclass(frozen=True, slots=True)
class Question:
    """A problem, and where in `problem.source` its hole is.  `bracketed`: the hole is written `(sorry)` there."""

    problem: Problem
    bracketed: bool
    start: int
    end: int
    unit_start: int  # where the hole's declaration begins


def label(document: Document, hole: Hole) -> str:
    return document.source.label(document.source.commands[hole.command])


def target_name(document: Document, command: Command) -> str:
    """The name under which a declaration is judged: its own, or the one it is given for that."""
    if command.name:
        return command.name
    return full_name(_alias(document, command), command.scopes)


def _alias(document: Document, command: Command) -> str:
    return f"unsorry_{command.kind}_{document.source.lines.line(command.keyword)}"


def naming_edits(document: Document, unit: Unit) -> list[Edit]:
    """Names for the `example`s and nameless instances of the unit, which no compiled file keeps."""
    edits = []
    for command in document.source.commands[unit.first : unit.last + 1]:
        if not command.is_declaration or command.name:
            continue
        alias, end = _alias(document, command), command.keyword + len(command.kind)
        if command.kind == "example":
            edits.append(Edit(command.keyword, end, f"theorem {alias}"))
        elif command.kind == "instance":
            at = _after_priority(document.text, end)
            edits.append(Edit(at, at, f" {alias}"))
    return edits


def _after_priority(text: str, at: int) -> int:
    rest = text[at:]
    if rest.lstrip().startswith("(") and rest.lstrip()[1:].lstrip().startswith("priority"):
        return at + rest.index(")") + 1
    return at


def build(
    document: Document,
    unit: Unit,
    edits: Iterable[Edit],
    dropped: Collection[int],
    identifier: str,
    targets: tuple[str, ...],
) -> Problem:
    """The file up to the end of the unit, with the edits made and the `dropped` commands left out."""
    text, commands = document.text, document.source.commands
    removed = [Edit(commands[i].start, commands[i].end, "") for i in dropped if i < unit.first]
    kept = [e for e in edits if not any(r.start <= e.start and e.end <= r.end for r in removed)]
    kept += [*removed, *naming_edits(document, unit)]
    inside = [e for e in kept if e.start >= unit.start and not (e.start == e.end == unit.start)]
    before = [e for e in kept if e.end <= unit.start and e not in inside]
    header = document.source.header.end
    return Problem(
        id=identifier,
        header=text[:header],
        preamble=apply(text, before, header, unit.start).strip("\n"),
        statement=apply(text, inside, unit.start, unit.end),
        targets=targets,
        origin=document.path.name,
        family=document.path.name,
    )


def ask(
    document: Document,
    hole: Hole,
    unit: Unit,
    edits: Iterable[Edit],
    dropped: Collection[int],
    identifier: str,
    quiet: str = "",
) -> Question:
    """The problem for one hole; `quiet` is put before each declaration that holds placeholders."""
    bracketed = hole.position == "term" and not _may_begin_with_by(document, hole)
    own = [*edits, Edit(hole.start, hole.end, "(sorry)" if bracketed else "sorry")]
    filled = {(e.start, e.end) for e in own}
    unfilled: set[int] = set()
    for other in document.source.holes:
        if other.start < unit.end and (other.start, other.end) not in filled:
            own.append(Edit(other.start, other.end, PLACEHOLDER[other.position]))
            unfilled.add(document.unit(other.command).start)
    own += [Edit(start, start, quiet) for start in unfilled if start != unit.start]
    command = document.source.commands[hole.command]
    problem = build(document, unit, own, dropped, identifier, (target_name(document, command),))
    prefix = quiet if unit.start in unfilled else ""
    problem = replace(problem, statement=prefix + problem.statement)
    own += naming_edits(document, unit)
    inside = [e for e in own if e.start >= unit.start and not (e.start == e.end == unit.start)]
    unit_start = len(problem.source) - len(problem.statement) - (not problem.statement.endswith("\n"))
    start = unit_start + len(prefix) + len(apply(document.text, inside, unit.start, hole.start)) + bracketed
    return Question(problem, bracketed, start, start + len("sorry"), unit_start)


def _may_begin_with_by(document: Document, hole: Hole) -> bool:
    command = document.source.commands[hole.command]
    before = [t.text for t in Text(document.text[command.start : hole.start]) if t.kind not in TRIVIA]
    return bool(before) and before[-1] in _BEFORE_BY


@dataclass(frozen=True, slots=True)
class Answer:
    """What a completion puts in the place of the hole, and what it adds before the declaration."""

    proof: str
    before: str = ""
    bracketed: bool = False

    def edits(self, hole: Hole, unit: Unit) -> list[Edit]:
        made = [Edit(hole.start, hole.end, f"({self.proof})" if self.bracketed else self.proof)]
        if self.before:
            made.append(Edit(unit.start, unit.start, self.before.strip("\n") + "\n\n"))
        return made


def read_answer(question: Question, completion: str) -> Answer | None:
    """Finds the answer in a complete source: the question's text with the hole replaced, and commands added before.

    A completion that rewrites the declaration is understood if only its proof, from `:=` on, is new.  None if the
    completion is neither; the judge decides on the edited file, so nothing is believed here.
    """
    asked = question.problem.source
    after = asked[question.end :].rstrip()
    body = completion.replace("\r\n", "\n").rstrip()
    opening, rest = asked[: question.unit_start], asked[question.unit_start : question.start]
    if body.startswith(opening) and body.endswith(after):
        middle = body[len(opening) : len(body) - len(after)]
        at = middle.rfind(rest)
        if at >= 0:
            return Answer(middle[at + len(rest) :], middle[:at], question.bracketed)
    return _rewritten(question, body)


def _rewritten(question: Question, completion: str) -> Answer | None:
    """The proof of a declaration that was written anew, when the hole was its whole proof."""
    asked, target = question.problem.source, question.problem.targets[0]
    try:
        ours, theirs = parse(asked), parse(completion)
    except UnsorryError:
        return None
    mine, other = ours.declaration(target), theirs.declaration(target)
    if mine is None or other is None or mine.body < 0 or other.body < 0:
        return None
    opening = asked[mine.body : question.start].split()
    if opening not in ([":="], [":=", "by"]) or asked[question.end : mine.end].strip():
        return None
    if not completion.startswith(":=", other.body):
        return None
    proof = completion[other.body + 2 : other.end].strip()
    if opening == [":=", "by"]:
        if not proof.startswith("by") or proof[2:3].isalnum():
            return Answer(f"exact ({proof})")
        proof = _outdent(proof[2:])
    known = {asked[c.start : c.end] for c in ours.commands}
    added = [completion[c.start : c.end] for c in theirs.commands if c.end <= other.start]
    return Answer(proof, "\n\n".join(text for text in added if text not in known))


def _outdent(block: str) -> str:
    """A tactic block with its indentation removed after the first line and two spaces put instead."""
    lines = block.strip("\n").split("\n")
    if len(lines) == 1:
        return lines[0].strip()
    widths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    least = min(widths)
    return "\n".join([lines[0].strip(), *(("  " + line[least:]) if line.strip() else "" for line in lines[1:])])
