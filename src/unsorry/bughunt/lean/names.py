"""Names in Lean for what has a name in Rust."""

from __future__ import annotations

import re

from unsorry.bughunt.lean import library

_KEYWORDS = """
abbrev and at attribute axiom by calc class compute constant def default deriving do else end example exists export
extends for forall from fun have if import in inductive infix infixl infixr initialize
instance let local macro match mut mutual
namespace nomatch nofun noncomputable not notation nonrec obtain open opaque or partial postfix prefix prelude private
protected public return run_cmd scoped section set_option show sorry structure suffices syntax then theorem this try
unless unif_hint universe unsafe using variable where while with module meta
"""
# What generated text refers to, by first component: nothing of the crate may hide it.
_LIBRARY = """
true false ok fail div some none decide Nat Int Bool Unit List Option Prod String Char Result Error Rust Ordering core
Exit Type Prop Sort True False Not And Or Iff Eq Array id Wire rest fuel bind pure
"""
RESERVED = frozenset((_KEYWORDS + _LIBRARY).split()) | library.heads()


def component(text: str) -> str:
    """One part of a name: letters, digits and underscores, none that Lean or the library keeps."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII).strip("_") or "x"
    if name[0].isdigit():
        name = "f" + name
    return name + "_" if name in RESERVED else name


def field(name: str) -> str:
    """A field: `f0`, `f1`, … in tuple structs."""
    return component(name)


def global_name(path: str) -> str:
    """Of a function, type or constant, from its Rust path; `<a::T as Tr<U>>::f` becomes `a.T.Tr_U.f`."""
    if match := re.fullmatch(r"<(.*) as (.*)>::(\w+)", path):
        owner, trait, last = match.groups()
        owner = re.sub(r"<.*", "", owner)
        path = f"{owner}::{re.sub(r'[^A-Za-z0-9]+', '_', trait).strip('_')}::{last}"
    return ".".join(component(part) for part in path.split("::"))


class Names:
    """Distinct Lean names for distinct paths, all below the crate's own.

    They are always written in full: inside `def c.Point.add`, Lean reads a mere `add` as that function itself.
    """

    def __init__(self, crate: str) -> None:
        self.prefix = component(crate)
        self._by_path: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, path: str) -> str:
        """The name of this path, the same at each call."""
        if path not in self._by_path:
            base = name = f"{self.prefix}.{global_name(path)}"
            count = 1
            while name in self._taken:
                count += 1
                name = f"{base}_{count}"
            self._taken.add(name)
            self._by_path[path] = name
        return self._by_path[path]

    def reserve(self, name: str) -> None:
        """Keep a name that Lean declares by itself."""
        self._taken.add(name)

    def heads(self) -> frozenset[str]:
        """First components: locals must not be called so."""
        return frozenset(name.split(".", 1)[0] for name in self._taken)
