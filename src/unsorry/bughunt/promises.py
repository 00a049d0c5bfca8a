"""Bounds of results that docs promise: "as a number from 0 to 99", "The result is always less than `cap`"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.docs import CODE, sentences
from unsorry.bughunt.findings import Kind
from unsorry.bughunt.harness import module_of

WITHIN = re.compile(
    r"(?:\bas an? (?:number|integer|value) (?:from|between) |: (?:a number |a value )?(?:from )?)"
    r"(-?\d+) (?:to|and) (-?\d+)(?=[.,;]|$)"
)
RESULT = (
    r"(?:\b(?:the|this) (?:result|return value|returned value|value returned|returned index|output|answer) "
    r"(?:is|lies|stays|will be) (?:always |thus )?|(?:^|[,;(] ?|\bwhich is |\band )always (?:\w+ing )?|^)"
)
VALUE = r"`?(?P<{}>-?\d[\d_]*|[A-Za-z_][\w:]*(?:\.len\(\))?)`?"
BETWEEN = re.compile(
    RESULT + rf"(?:in `(?P<a>[\w:-]+)\.\.(?P<closed>=?)(?P<b>[\w:]+)`|between {VALUE.format('c')} and "
    rf"{VALUE.format('d')}(?: inclusive)?)(?=[.,;)]|$)",
    re.I,
)
BELOW = re.compile(
    RESULT.removesuffix("|^)") + r")(?P<how>(?:strictly )?(?:less|smaller) than|below|at most|no more than|"
    rf"not (?:more|greater|larger) than|at least|not less than) {VALUE.format('x')}(?=[.,;)]|$)",
    re.I,
)
EXCEEDS = re.compile(
    r"(?:^|\b(?:the|this) (?:result|return value|returned value|value returned) )never exceeds "
    rf"{VALUE.format('x')}(?=[.,;)]|$)",
    re.I,
)
CASE = re.compile(
    r"\b(if|when|whenever|where|unless|except|but|only|should|must|may|usually|provided|otherwise)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a sentence says of the result: Rust's comparison and the other side; `text` is the sentence.

    `other`: the bound is the smaller (of `>=`) or larger one of two parameters.
    """

    comparison: str
    value: str
    text: str
    other: str = ""


def ranges(subject: Subject) -> list[Candidate]:
    """A result that the docs bound by two numbers; bounds by numbers, parameters and constants."""
    ret = subject.function.ret
    if isinstance(ret, ir.Adt) and ret.path == "Option":
        return bounds(subject, ret.args[0], optional=True)
    if not (isinstance(ret, ir.Scalar) and ret.is_int):
        return []
    for sentence in subject.contract.text.split(". "):
        if match := WITHIN.search(sentence):
            low, high = int(match[1]), int(match[2])
            if not (ret.min <= low <= high <= ret.max):
                continue
            if (low, high) == (ret.min, ret.max):
                continue
            lower = f"result >= {low}" if low > ret.min else "true"
            return [
                subject.make(
                    Kind.BOUNDS, "range", f"{subject.original.path} is between {low} and {high}",
                    f'"{" ".join(sentence.split())}"',
                    predicate=f"let result = {subject.call()}; {lower} && result <= {high}",
                    shape=f"range {low} {high}",
                )
            ]  # fmt: skip
    return bounds(subject, ret)


def bounds(subject: Subject, ret: ir.Type, *, optional: bool = False) -> list[Candidate]:
    """One property for each bound that a sentence states without a case."""
    if not (isinstance(ret, ir.Scalar) and ret.is_int and ret.bits < 128) or not subject.copies():
        return []
    if any(i.mutable for i in subject.inputs or ()):
        return []  # a parameter may have another value afterwards
    found = []
    for number, bound in enumerate(stated(subject.original.docs)):
        value = _value(bound.value, subject)
        other = _value(bound.other, subject) if bound.other else ""
        if value is None or other is None:
            continue
        if other:
            end = "min" if bound.comparison == ">=" else "max"
            value = f"core::cmp::{end}({value} as i128, {other} as i128)"
        claim = f"(result as i128) {bound.comparison} ({value} as i128)"
        call = subject.call(again=True)
        predicate = (
            f"match {call} {{ Some(result) => {claim}, None => true }}" if optional else
            f"let result = {call}; {claim}"
        )  # fmt: skip
        found.append(
            subject.make(
                Kind.BOUNDS, f"bound-{number}", f"{subject.original.path} is {bound.comparison} {bound.value}",
                f'"{bound.text}"', predicate=predicate,
            )
        )  # fmt: skip
    return found


def stated(docs: str) -> list[Bound]:
    """The bounds in docs; a sentence that tells cases states none."""
    found: list[Bound] = []
    for sentence in sentences(CODE.sub("", docs)):
        if CASE.search(re.sub(r"`[^`]*`", "", sentence)):
            continue
        for match in filter(lambda m: _of_result(m, sentence), BETWEEN.finditer(sentence)):
            low, high = match["a"] or match["c"], match["b"] or match["d"]
            below = "<" if match["a"] and not match["closed"] else "<="
            if match["c"] and not (low.lstrip("-").isdigit() or high.lstrip("-").isdigit()):
                found += [Bound(">=", low, sentence, high), Bound("<=", high, sentence, low)]
            else:
                found += [Bound(">=", low, sentence), Bound(below, high, sentence)]
        for match in filter(lambda m: _of_result(m, sentence), BELOW.finditer(sentence)):
            how = match["how"].lower()
            kind = ">=" if how in ("at least", "not less than") else "<" if "than" in how and "no" not in how else "<="
            found.append(Bound("<" if how == "below" else kind, match["x"], sentence))
        found += [Bound("<=", m["x"], sentence) for m in EXCEEDS.finditer(sentence)]
    return found


def _of_result(match: re.Match[str], sentence: str) -> bool:
    """Whether a bound is one of the result: it says so, or it ends the sentence and stands behind no parameter."""
    if re.search(r"\b(?:result|value|index|output|answer) ", match.group()):
        return True
    return not sentence[match.end() :].strip(" .)") and not sentence[: match.start()].rstrip().endswith("`")


def _value(text: str, subject: Subject) -> str | None:
    """The other side as Rust: a number, a parameter, its length, a constant of the crate; None for anything else."""
    if re.fullmatch(r"-?\d[\d_]*", text):
        return f"{text}i128"
    if re.fullmatch(r"[ui](?:8|16|32|64|128|size)::(?:MAX|MIN|BITS)", text):
        return text
    given = {i.name: i.ty for i in subject.inputs or ()}
    name, dot, _ = text.partition(".")
    ty = given.get(name)
    if dot:
        return text if isinstance(ty, ir.Vec | ir.Array) else None
    if isinstance(ty, ir.Scalar) and ty.is_int and ty.bits < 128:
        return text
    constants = {c.path for c in subject.all.crate.consts}
    type_home = subject.original.path.rpartition("::")[0]
    homes = dict.fromkeys((type_home, module_of(subject.function)))
    return next((f"crate::{p}" for h in homes if (p := f"{h}::{text}".removeprefix("::")) in constants), None)
