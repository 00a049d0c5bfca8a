"""`.unsorry/lemmas`: lemmas that were proved, with what they need; judged when saved, and again whenever they are used.

Nothing in these files is believed: they are texts, and the strict judge decides anew, in the place where they are to be
used.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from unsorry import Problem, Status, UnsorryError, Verdict
from unsorry.judge.reasons import Refusal, one_line
from unsorry.lean.source import Command, Source
from unsorry.lean.source.commands import words
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.notes import FOLDER
from unsorry.scaffolds.agent.reviewer import reviewer

FORMAT = 1
PROVED = frozenset({"theorem", "lemma"})
_LASTING = words("open variable universe set_option include omit")
MAX_SHOWN = 40
PLACE = f"{FOLDER}/lemmas"
MAX_FILES = 2000  # that are looked at
MAX_BYTES = 1 << 20  # of one


@dataclass(frozen=True, slots=True)
class Lemma:
    """`header` and `preamble` are the text that it was proved behind; `opening` the namespaces, variables and options
    around it there; `text` the whole declaration, `statement` the same with `sorry` for its proof."""

    name: str  # full
    file: str
    header: str
    preamble: str
    opening: str
    closing: str
    statement: str
    text: str
    digest: str  # of the elaborated statement, as the judge computes it
    axioms: tuple[str, ...] = ()
    toolchain: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A lemma and the verdict on it now; `inserted`: what to put into the file where it is to be used."""

    lemma: Lemma
    verdict: Verdict
    digest: str
    inserted: str

    @property
    def usable(self) -> bool:
        return self.verdict.accepted

    @property
    def same(self) -> bool:
        """Whether the statement has the digest that it was saved with.  What a file declares enters it by value, what
        it imports by name, so that a lemma moved to an importing file has another one without meaning anything else."""
        return self.digest == self.lemma.digest

    @property
    def reason(self) -> str:
        """The verdict in one line."""
        return f"{self.verdict.reason}: {self.verdict.message}"


class Lemmas:
    """The lemmas of a project's copy."""

    def __init__(self, project: LeanProject) -> None:
        self.project = project
        self.beneath = Beneath(project.root, links=False)

    def save(self, path: Path, name: str) -> Judged:
        """Judges a declaration of a file and keeps it if it is accepted; raises UnsorryError for what is no lemma."""
        document, told = self.project.document(path)
        source = document.source
        command = _find(source, name, told)
        text = source.text
        opening, closing = _around(source, command)
        lemma = Lemma(
            name=command.name,
            file=told,
            header=text[: source.header.end],
            preamble=text[source.header.end : command.start].strip("\n"),
            opening=opening,
            closing=closing,
            statement=f"{text[command.start : command.body].rstrip()} := by sorry",
            text=text[command.start : command.end],
            digest="",
        )
        verdict, digest = self._judge(lemma, lemma.header, lemma.preamble, "", "")
        kept = Lemma(**{
            **{f.name: getattr(lemma, f.name) for f in fields(Lemma)},
            "digest": digest, "axioms": verdict.axioms, "toolchain": self.project.toolchain.version,
        })  # fmt: skip
        judged = Judged(kept, verdict, digest, kept.text)
        if verdict.accepted:
            raw = {"format": FORMAT, **asdict(kept)}
            self.beneath.write(_path(kept.name), json.dumps(raw, ensure_ascii=False, indent=1).encode() + b"\n")
        return judged

    def list(self) -> tuple[list[Lemma], list[str]]:
        """(the lemmas by name, files that are none)."""
        found, bad = [], []
        try:
            with self.beneath.find(PLACE) as place:
                entries = os.scandir(place.folder) if place.is_folder else iter(())
                names = sorted(e.name for e in itertools.islice(entries, MAX_FILES) if e.name.endswith(".json"))
        except UnsorryError as error:
            return [], [f"saved lemmas are left out: {error}"]
        for name in names:
            try:
                found.append(_read(self.beneath, name))
            except UnsorryError as error:
                bad.append(str(error))
        return found, bad

    def get(self, name: str) -> Lemma:
        """The lemma of that name, or whose last part it is; raises UnsorryError if there is none, or several."""
        lemmas, _ = self.list()
        found = [x for x in lemmas if x.name == name] or [x for x in lemmas if x.name.endswith("." + name)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(x.name for x in lemmas[:MAX_SHOWN]) or "none yet"
        what = f"several lemmas are called {name}" if found else f"no lemma {name} was saved"
        raise UnsorryError(f"{what}; saved are: {known}")

    def judge(self, name: str, path: Path | None = None) -> Judged:
        """Judges a saved lemma again: behind the text of `path`, or where it was proved.

        Raises UnsorryError where there is no such lemma, or the file declares it already.
        """
        lemma = self.get(name)
        if path is None:
            verdict, digest = self._judge(lemma, lemma.header, lemma.preamble, "", "")
            return Judged(lemma, verdict, digest, lemma.opening + lemma.text + "\n" + lemma.closing)
        document, told = self.project.document(path)
        source = document.source
        if source.declaration(lemma.name) is not None:
            raise UnsorryError(f"{told} declares {lemma.name} already")
        header, preamble = source.text[: source.header.end], source.text[source.header.end :].strip("\n")
        verdict, digest = self._judge(lemma, header, preamble, lemma.opening, lemma.closing)
        return Judged(lemma, verdict, digest, lemma.opening + lemma.text + "\n" + lemma.closing)

    def _judge(self, lemma: Lemma, header: str, preamble: str, opening: str, closing: str) -> tuple[Verdict, str]:
        """(verdict, digest of the statement) behind this header and preamble."""
        problem = Problem(
            f"lemma:{lemma.name}", f"{opening}{lemma.statement}\n{closing}", (lemma.name,), header, preamble, lemma.file
        )
        parts = (header, preamble, f"{opening}{lemma.text}\n{closing}")
        submission = "".join(part if part.endswith("\n") else part + "\n" for part in parts if part)
        with self.project.toolchain_for(submission, lemma.file) as toolchain:
            own = toolchain.library != self.project.toolchain.library
            with reviewer(toolchain, self.project.confinement, full_replay=own) as judge:
                verdict = judge.judge(problem, submission)
                try:
                    return verdict, judge.prepare(problem).digest
                except Refusal:
                    return verdict, ""

    def shown(self) -> str:
        """The library for a model's eyes: names and statements."""
        lemmas, bad = self.list()
        lines = [" ".join(x.statement.removesuffix(":= by sorry").split()) + f"   [{x.name}]" for x in lemmas]
        return "\n".join([*lines[:MAX_SHOWN], *bad])


def _find(source: Source, name: str, told: str) -> Command:
    """The theorem of that name; raises UnsorryError for what is none, or cannot stand elsewhere."""
    named = [c for c in source.declarations if c.name and (c.name == name or c.name.endswith("." + name))]
    named = [c for c in named if c.name == name] or named
    if len(named) != 1:
        what = "declares no" if not named else "declares several"
        raise UnsorryError(f"{told} {what} {name}")
    command = named[0]
    if command.kind not in PROVED or command.body < 0 or command.in_mutual:
        raise UnsorryError(f"{name} in {told} is no theorem that can stand alone: only those are saved")
    if any(source.commands[hole.command] is command for hole in source.holes):
        raise UnsorryError(f"{name} in {told} still has a sorry: prove it first")
    return command


def _around(source: Source, command: Command) -> tuple[str, str]:
    """What is in force at a declaration (namespaces, sections, variables, options), and the `end`s that close it."""
    frames: list[tuple[str, str, list[str]]] = [("section", "", [])]
    for other in source.commands:
        if other.start > command.start:
            break
        del frames[len(other.scopes) + 1 :]
        for scope in other.scopes[len(frames) - 1 :]:
            frames.append((scope.kind, scope.name, []))
        text = source.text[other.start : other.end]
        if other.kind in _LASTING and text.split()[-1] != "in":
            frames[-1][2].append(text)
    if not any(lasting for _, _, lasting in frames[:1]):
        frames = frames[1:]
    opening = "".join(f"{kind} {name}".rstrip() + "\n" + "".join(f"{t}\n" for t in last) for kind, name, last in frames)
    closing = "".join(f"end {name}".rstrip() + "\n" for _, name, _ in reversed(frames))
    return opening, closing


def _path(name: str) -> str:
    plain = re.sub(r"[^\w.'-]", "_", name, flags=re.ASCII)
    if plain != name:  # two names may not share a file
        plain += "-" + name.encode().hex()[-16:]
    return f"{PLACE}/{plain[:120]}.json"


def _read(beneath: Beneath, name: str) -> Lemma:
    try:
        raw = json.loads(beneath.read(f"{PLACE}/{name}", MAX_BYTES))
        if raw.pop("format") != FORMAT:
            raise ValueError("another format")
        raw["axioms"] = tuple(str(a) for a in raw["axioms"])
        lemma = Lemma(**raw)
        texts = [getattr(lemma, f.name) for f in fields(Lemma) if f.name != "axioms"]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("a field is no text")
        "".join(texts).encode()  # lone surrogates are an error here, and not where it is used
        return lemma
    except (UnsorryError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnsorryError(f"{one_line(name)} is no saved lemma and is left out: {one_line(str(error))}") from None


class UseLemmas:
    """The tool: keep proved lemmas, and take them out again."""

    spec = ToolSpec(
        "lemmas",
        "Your library of proved lemmas, which outlives your context. `save` judges a theorem of a file and keeps it; "
        "`list` shows what is kept; `use` judges a lemma again, behind the text of `file` if given, and returns "
        "what to put there. Nothing is kept or returned that the strict judge does not accept.",
        {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["save", "list", "use"]},
                "name": {"type": "string", "description": "Of the theorem, for `save` and `use`."},
                "file": {"type": "string", "description": "`save`: where it is. `use`: where it is wanted."},
            },
            "required": ["action"],
            "additionalProperties": False,
        },
    )

    def __init__(self, lemmas: Lemmas) -> None:
        self.lemmas = lemmas

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        action, name, file = arguments["action"], str(arguments.get("name", "")), arguments.get("file")
        if action == "list":
            return Observation(self.lemmas.shown() or "No lemma has been saved yet.")
        if not name or (action == "save" and file is None):
            return Observation(f"`{action}` needs a name{' and a file' if action == 'save' else ''}", "error")
        try:
            if action == "save":
                judged = self.lemmas.save(Path(str(file)), name)
                text = f"saved {judged.lemma.name}"
            else:
                judged = self.lemmas.judge(name, Path(str(file)) if file is not None else None)
                note = "" if judged.same else "\n(its statement does not have the digest it was saved with: read it)"
                text = f"accepted again; put this there:\n{judged.inserted}{note}"
        except UnsorryError as error:
            return Observation(str(error), "error")
        data = {"name": judged.lemma.name, "reason": judged.verdict.reason, "axioms": list(judged.verdict.axioms)}
        if judged.usable:
            return Observation(text, "ok", data)
        status: Literal["error", "unknown"] = "error" if judged.verdict.status is Status.REJECTED else "unknown"
        verb = "not saved" if action == "save" else "cannot be used"
        return Observation(f"{judged.lemma.name} {verb}: {judged.reason}", status, data)
