"""A prover that reads only the text of its problem, shown the project's imports as text.

What it finds is put behind the real imports again; Lean and the judge see only that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import Completion, Problem, Prompt, Prover, Sampling, UnsorryError
from unsorry.lean.source import Source, parse
from unsorry.scaffolds.migrate.inline import closed, file_of, imported

PROVED = frozenset(("theorem", "lemma"))


@dataclass(slots=True)
class Inlined:
    """`prover`, for problems whose texts import files below `root`."""

    prover: Prover
    root: Path
    id: str = "search"

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """As the prover does; without a word where the imports cannot be shown."""
        return [self._one(prompt, n, sampling) for prompt in prompts]

    def _one(self, prompt: Prompt, n: int, sampling: Sampling) -> list[Completion]:
        try:
            shown = inlined(prompt.problem, self.root)
        except UnsorryError:
            shown = None
        problem, prefix, header = shown or (prompt.problem, "", "")
        (found,) = self.prover.propose([replace(prompt, problem=problem)], n=n, sampling=sampling)
        if not prefix:
            return found
        return [replace(c, text=header + c.text[len(prefix) :]) for c in found if c.text.startswith(prefix)]


def inlined(problem: Problem, root: Path) -> tuple[Problem, str, str] | None:
    """(the problem with imports as text, that text, what stood there); None if it imports nothing of the project."""
    source = parse(problem.source)
    modules = [i.module for i in source.header.imports]
    below, outside = imported(root, modules, root)
    if not below:
        return None
    outside = [*outside, *(module for module in modules if not file_of(root, module).is_file())]
    header, rest = source.text[: source.header.end], source.text[source.header.end :]
    prefix = "".join(f"import {module}\n" for module in dict.fromkeys(outside))
    prefix += "\n".join(_shown(one) for one in below.values())
    return replace(problem, header="", preamble=prefix, statement=rest.lstrip("\n")), prefix, f"{header}\n\n"


def _shown(source: Source) -> str:
    """A module without proofs; theorems that have none yet are left out, so that nothing rests on them."""
    text, open_ = source.text, {hole.command for hole in source.holes}
    for index in reversed(range(len(source.commands))):
        command = source.commands[index]
        if command.kind in PROVED and not command.in_mutual:
            if index in open_:
                text = text[: command.start] + text[command.end :]
            elif command.body >= 0:
                text = text[: command.body] + ":= (sorryAx _ false)" + text[command.end :]
    section = closed(source, text)
    return section.replace("section\n", "section\nset_option warn.sorry false\n", 1)
