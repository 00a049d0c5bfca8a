"""False neighbours of true statements: one part of one side changed, with values on which the change shows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

from unsorry.problems.world.language import Language
from unsorry.problems.world.statements import Draft, Statement, counterexample
from unsorry.problems.world.terms import Term

MOST_TRIES = 12


def false_neighbour(draft: Draft, rng: random.Random) -> tuple[Draft, Mapping[str, Term]] | None:
    """A mutant of a draft and its witness; None where none of the tries is false."""
    mutants = list(dict.fromkeys(_mutants(draft.statement, draft.language)))
    rng.shuffle(mutants)
    for mutant in mutants[:MOST_TRIES]:
        witness = counterexample(mutant, draft.language)
        if witness is not None:
            return replace(draft, statement=mutant, lemmas=(), form=f"false:{draft.form}"), witness
    return None


def _mutants(statement: Statement, spoken: Language) -> Iterator[Statement]:
    """Swapped arguments, another variable or constant, a constructor more or less, on either side."""
    types = statement.types
    for turned, term in ((False, statement.left), (True, statement.right)):
        for path, part in term.places():
            type_ = spoken.type_of(part, types)
            options = [Term(name) for name, t in statement.variables if t == type_]
            options += [arg for arg in part.args if spoken.type_of(arg, types) == type_]
            if type_ in spoken.datatypes:
                for constructor in spoken.datatypes[type_].constructors:
                    if constructor.fields == (type_,):
                        options.append(Term(constructor.name, (part,)))
                    elif not constructor.fields:
                        options.append(Term(constructor.name))
            else:
                options.append(Term("not", (part,)))
            if len(part.args) == 2 and spoken.type_of(part.args[0], types) == spoken.type_of(part.args[1], types):
                options.append(Term(part.head, (part.args[1], part.args[0])))
            for option in options:
                if option != part:
                    changed = term.replaced(path, option)
                    yield replace(statement, right=changed) if turned else replace(statement, left=changed)
