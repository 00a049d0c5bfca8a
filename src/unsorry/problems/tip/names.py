"""Lean names for TIP names: readable, stable, free of clashes."""

from __future__ import annotations

import re
from collections.abc import Iterable

KEYWORDS = frozenset(
    [
        "abbrev",
        "alias",
        "at",
        "attribute",
        "axiom",
        "break",
        "builtin_initialize",
        "by",
        "calc",
        "catch",
        "class",
        "codata",
        "coinductive",
        "continue",
        "declare_syntax_cat",
        "def",
        "deriving",
        "do",
        "dsimproc",
        "else",
        "elab",
        "end",
        "example",
        "exists",
        "export",
        "extends",
        "finally",
        "for",
        "from",
        "fun",
        "generalizing",
        "have",
        "if",
        "import",
        "in",
        "include",
        "inductive",
        "infix",
        "infixl",
        "infixr",
        "init_quot",
        "initialize",
        "instance",
        "instance",
        "lambda",
        "let",
        "local",
        "macro",
        "match",
        "meta",
        "module",
        "mut",
        "mutual",
        "namespace",
        "next",
        "noncomputable",
        "nofun",
        "nomatch",
        "nonrec",
        "notation",
        "obtain",
        "omit",
        "opaque",
        "open",
        "partial",
        "postfix",
        "prefix",
        "prelude",
        "private",
        "protected",
        "public",
        "rec",
        "return",
        "run_cmd",
        "scoped",
        "section",
        "set_option",
        "show",
        "simproc",
        "sorry",
        "structure",
        "suffices",
        "syntax",
        "termination_by",
        "decreasing_by",
        "then",
        "theorem",
        "this",
        "throw",
        "to",
        "try",
        "type",
        "Type",
        "Prop",
        "Sort",
        "universe",
        "unif_hint",
        "unless",
        "unsafe",
        "using",
        "variable",
        "where",
        "with",
        "while",
        "decide",
        "true",
        "false",
        "True",
        "False",
        "not",
        "and",
        "or",
        "ite",
        "dite",
        "id",
        "Not",
        "And",
        "Or",
        "Iff",
        "Eq",
        "Ne",
        "HEq",
        "Decidable",
        "DecidableEq",
        "Nonempty",
        "Repr",
        "forall",
        "assume",
        "hiding",
        "renaming",
        "nat_lit",
        "assert",
        "haveI",
        "letI",
    ]
)
# Types of core that a reader would confuse with a datatype of the same name.
CORE_TYPES = frozenset(
    [
        "Nat",
        "Int",
        "Bool",
        "List",
        "Option",
        "Array",
        "String",
        "Char",
        "Unit",
        "Prod",
        "Sum",
        "Fin",
        "Empty",
        "Set",
        "Vector",
        "Except",
        "Type",
    ]
)
# Names that every inductive type declares beside its constructors.
RESERVED_CONSTRUCTORS = frozenset(
    [
        "rec",
        "recOn",
        "casesOn",
        "noConfusion",
        "noConfusionType",
        "below",
        "brecOn",
        "ibelow",
        "binductionOn",
        "ctorIdx",
        "toCtorIdx",
        "ctorElim",
        "ctorElimType",
        "ofNat",
        "sizeOf_spec",
        "injEq",
        "inj",
        "mk",
        "rec_1",
        "below_1",
    ]
)

_OPERATORS = {
    "++": "append", "==": "eq", "<=": "le", ">=": "ge", "<": "lt", ">": "gt", "+": "add", "-": "sub", "*": "mul",
    "/": "div", ">>=": "bind", "!=": "ne", "!": "at_", "<=>": "iff", "=>": "imp", "+++": "append3", "#": "hash",
    "&": "and_", "|": "or_", "&&": "and_", "||": "or_", "^": "pow", "%": "mod", "=": "eq", "~": "neg", "\\\\": "diff",
    "$": "apply", "@": "at_", "?": "query", "<|>": "orElse", "<>": "append", "..": "range",
}  # fmt: skip
_CHARACTERS = {
    "+": "plus", "-": "minus", "*": "star", "/": "slash", "=": "eq", "<": "lt", ">": "gt", "!": "bang", "&": "and",
    "|": "or", "^": "hat", "%": "percent", "#": "hash", "~": "tilde", "$": "dollar", "@": "at", "?": "query",
    ".": "dot", ":": "colon", "\\": "backslash", "'": "'",
}  # fmt: skip


def readable(name: str) -> str:
    """A Lean identifier for a TIP symbol, not yet made unique: `++` is append, `|:&:|` is and, `half-1` is half_1."""
    words = []
    for part in re.findall(r"[A-Za-z0-9_']+|[^A-Za-z0-9_']+", name):
        if re.match(r"[A-Za-z0-9_']", part):
            words.append(part)
        elif part == "-" and words:  # a hyphen inside a name
            continue
        else:
            core = part.strip(".:") or part
            words.append(_OPERATORS.get(core) or "_".join(_CHARACTERS.get(c, f"u{ord(c):x}") for c in core))
    text = ""
    for word in words:
        joined = not text or (word[0] in "'0123456789" and not text[-1].isdigit())
        text += word if joined else "_" + word
    text = re.sub(r"_+", "_", text).strip("_")
    if not text or not re.match(r"[A-Za-z_]", text):
        text = "x" + text
    return text


class Names:
    """Hands out names; a name once given is never given again."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken) | KEYWORDS

    def fresh(self, hint: str) -> str:
        """`hint`, with a prime or a number if it is taken."""
        name, count = hint, 1
        while name in self.taken:
            count += 1
            name = hint + "'" if count == 2 else f"{hint}_{count}"
        self.taken.add(name)
        return name
