"""Equations in the sentences of docs: "`decode(encode(x)) == x`", "`from(d.a(), d.b())` is `Some(d)`".

Only calls of the crate's functions, variables, numbers and arithmetic are read; a variable has the type of the
parameter that it is passed for, or of the type whose method is called on it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.docs import CODE, sentences
from unsorry.bughunt.findings import Kind
from unsorry.bughunt.inputs import Input, call_path, owned

TOKEN = re.compile(r"\s*([A-Za-z_]\w*|\d[\d_]*|::|==|[().,&!+\-*/%])")
HEDGED = re.compile(
    r"\b(if|when|whenever|where|while|unless|except|but|only|not|never|no|may|might|can|could|should|must|usually|"
    r"generally|typically|mostly|often|almost|nearly|approximately|about|modulo|up to|valid|given|provided|assum\w*|"
    r"unlike|instead|whether|for(?! (?:all|any|every|each) (?:\w+(?:, | and )?){1,3}[.;:)]*$))\b",
    re.I,
)
IS = r"(?:is|equals|gives|returns|yields|is equal to|is the same as)"
BEFORE = r"(?:^|: |\bso that |\bensures? that |\bguarantees? (?:that )?|\bsatisf(?:y|ies) |\bi\.e\.,? |, hence )"
AFTER = r"(?=[.,;:)]*$|[,;] | (?:always )?holds\b| for (?:all|any|every)\b)"
WHOLE = re.compile(rf"{BEFORE}`([^`]{{1,120}}[^=!<>`]==[^=`][^`]{{0,120}})`{AFTER}", re.I)
PARTS = re.compile(rf"`([^`]{{0,120}}\w\([^`]{{0,120}}\))` {IS} `([^`]{{1,120}})`(?=[.,;:)]|$)")
CONSTANT = re.compile(r"==\s*(?:\d\w*|[A-Z][\w:]*|true|false)$")  # may be what a function tests
MOST = 4  # variables


class Unread(Exception):
    """The text is no equation that is read."""


def of(subject: Subject, others: Sequence[Subject]) -> list[Candidate]:
    """The equations that the docs of a function state without a case."""
    found: list[Candidate] = []
    for sentence in sentences(CODE.sub("", subject.original.docs)):
        if subject.function.ret == ir.BOOL or HEDGED.search(re.sub(r"`[^`]*`", "``", sentence).replace("``", "x")):
            continue
        for text in stated(sentence):
            try:
                reader = Reader(subject, others, text)
                predicate = reader.equation()
            except Unread:
                continue
            found.append(
                subject.make(
                    Kind.MODEL, f"equation-{len(found)}", f"{subject.original.path}: `{text}`",
                    f'"{sentence}"', predicate=predicate, inputs=reader.inputs(), assumptions=(),
                    also=tuple(dict.fromkeys(s.original.path for s in reader.used if s is not subject)),
                )
            )  # fmt: skip
    return found


def stated(sentence: str) -> list[str]:
    """The texts of equations in a sentence."""
    whole = [m for m in WHOLE.findall(sentence) if not CONSTANT.search(m)]
    parts = PARTS.findall(sentence)
    return [*whole, *(f"{left} == {right}" for left, right in parts if "=" not in left + right)]


class Reader:
    """Reads one equation and writes it as a Rust expression; `used` are the functions in it."""

    def __init__(self, subject: Subject, others: Sequence[Subject], text: str) -> None:
        self.subject = subject
        self.others = others
        self.tokens = self._split(text)
        self.at = 0
        self.types: dict[str, ir.Type] = {}
        self.names: dict[str, None] = {}
        self.used: list[Subject] = []

    def _split(self, text: str) -> list[str]:
        found: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if match is None:
                raise Unread
            found.append(match[1])
            at = match.end()
        return found

    def equation(self) -> str:
        """The predicate.  Raises Unread."""
        left = self._sum()
        self._take("==")
        right = self._sum()
        if self.at != len(self.tokens) or self.subject not in self.used:
            raise Unread
        if any(s.contract.unclear or s.contract.conditions or s.contract.sorted_inputs for s in self.used):
            raise Unread  # outside of what they are for they may give anything
        return f"{self._cloned(left)} == {self._cloned(right)}"

    def inputs(self) -> tuple[Input, ...]:
        """One for each variable.  Raises Unread for one of no known type."""
        return tuple(Input(n, self._type(n)) for n in self.names)

    def _type(self, name: str) -> ir.Type:
        known = {i.name: i.ty for i in self.subject.inputs or ()}
        ty = self.types.get(name, known.get(name))
        if ty is None or not self.subject.all.makes(ty) or not self.subject.clones(ty):
            raise Unread
        return ty

    def _cloned(self, text: str) -> str:
        if len(self.names) > MOST:
            raise Unread
        for name in self.names:
            plain = isinstance(self._type(name), ir.Scalar)
            text = text.replace(f"\0{name}\0", name if plain else f"{name}.clone()")
        return text

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token or (wanted and token != wanted):
            raise Unread
        self.at += 1
        return token

    def _sum(self) -> str:
        text = self._one()
        while self._peek() in ("+", "-", "*", "/", "%"):
            text += f" {self._take()} {self._one()}"
        return text

    def _one(self) -> str:
        if self._peek() in ("&", "!", "-"):
            return self._take() + self._one()
        text = self._primary()
        while self._peek() == ".":
            self._take()
            name = self._take()
            if not re.match(r"[A-Za-z_0-9]", name):
                raise Unread
            if self._peek() != "(":
                text += f".{name}"
                continue
            method = self._method(name)
            variable = re.fullmatch(r"\0(\w+)\0", text)
            if variable and method is not None and method.function.owner is not None:
                self._typed(variable[1], method.function.owner)
            text += f".{name}({self._arguments(method.function.params[1:] if method is not None else None)})"
        return text

    def _primary(self) -> str:
        token = self._take()
        if token == "(":
            parts = [self._sum()]
            while self._peek() == ",":
                self._take()
                parts.append(self._sum())
            self._take(")")
            return f"({', '.join(parts)})"
        if not re.match(r"\w", token):
            raise Unread
        path = token
        while self._peek() == "::":
            self._take()
            path += "::" + self._take()
        if self._peek() != "(":
            if token[0].isdigit() or "::" in path or token[0].isupper() or token in ("true", "false"):
                return path
            name = "this" if token == "self" else token
            self.names[name] = None
            return f"\0{name}\0"
        if path in ("Some", "Ok", "Err"):
            return f"{path}({self._arguments(None)})"
        called = self._function(path)
        return f"{call_path(called.function)}({self._arguments(called.function.params)})"

    def _arguments(self, params: tuple[ir.Param, ...] | None) -> str:
        self._take("(")
        found: list[str] = []
        while self._peek() != ")":
            text = self._sum()
            variable = re.fullmatch(r"(&?)\0(\w+)\0", text)
            if params is not None:
                if len(found) >= len(params):
                    raise Unread
                wanted = params[len(found)].ty
                if isinstance(wanted, ir.Ref) and wanted.mutable:
                    raise Unread
                if variable and (ty := owned(wanted)) is not None:
                    self._typed(variable[2], ty)
                    text = f"&\0{variable[2]}\0" if isinstance(wanted, ir.Ref) else f"\0{variable[2]}\0"
            found.append(text)
            if self._peek() == ",":
                self._take()
            elif self._peek() != ")":
                raise Unread
        self._take(")")
        if params is not None and len(found) != len(params):
            raise Unread
        return ", ".join(found)

    def _typed(self, name: str, ty: ir.Type) -> None:
        if self.types.setdefault(name, ty) != ty:
            raise Unread

    def _function(self, path: str) -> Subject:
        """The function of a call: of the same module or type, or named by its type.  Raises Unread."""
        name = path.rpartition("::")[2]
        home = self.subject.original.path.rpartition("::")[0]
        wanted = f"{home}::{name}" if "::" not in path or path.startswith("Self::") else path
        wanted = wanted.removeprefix("::")
        fitting = [s for s in self.others if s.original.path == wanted or s.original.path.endswith("::" + wanted)]
        if len(fitting) != 1:
            raise Unread
        self.used.append(fitting[0])
        return fitting[0]

    def _method(self, name: str) -> Subject | None:
        """The crate's only method of this name, or that of the same type; None for one of the standard library."""
        all_of_it = [
            s for s in self.others
            if s.original.name == name and s.function.params and s.function.params[0].name == "self"
        ]  # fmt: skip
        same = [s for s in all_of_it if s.function.owner == self.subject.function.owner]
        chosen = same if len(same) == 1 else all_of_it
        if len(chosen) > 1 or any(isinstance(s.function.params[0].ty, ir.Ref) and s.function.params[0].ty.mutable
                                  for s in chosen):  # fmt: skip
            raise Unread
        self.used += chosen
        return chosen[0] if chosen else None
