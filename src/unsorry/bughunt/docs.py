"""What the documentation of a function says: preconditions, promises, intent, examples.

Only sentences of known shapes become conditions; any other sentence that seems to restrict the inputs is kept as a
restriction that is not understood, and makes a claim no more than suspected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from unsorry.bughunt import ir
from unsorry.bughunt.conditions import lists, mentions_only, named, negated, stated
from unsorry.bughunt.crate import doc_examples


@dataclass(frozen=True, slots=True)
class Example:
    """A code block of the docs, as rustdoc would test it; `number` counts the blocks of one item from 0."""

    code: str
    number: int
    should_panic: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """What the docs of a function ask and promise.

    `conditions` are Rust expressions over the parameters; `panics` the text of the section "Panics" and of sentences
    that name a panic; `unclear` sentences that may restrict the inputs; `total` tells that the docs rule out panics;
    `overflows` is the sentence that tells of an overflow and of no other outcome.
    """

    text: str
    conditions: tuple[str, ...] = ()
    sorted_inputs: tuple[str, ...] = ()
    panics: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    total: str = ""  # the sentence
    wraps: str = ""
    saturates: str = ""
    overflows: str = ""


CODE = re.compile(r"^(?P<fence>```+|~~~+)(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=fence)[ \t]*$", re.M | re.S)
HEADING = re.compile(r"^#+[ \t]+(.*?)[ \t#]*$", re.M)
RESTRICTS = re.compile(
    r"(?<!\w)(must|caller|callers|assum\w*|precondition\w*|requires?|required|expects?|only valid|valid only|undefined|"
    r"should (?:not )?be|ought|non-?zero|non-?empty|not empty|unspecified|meaningless|unsupported|provided that|"
    r"as long as|is allowed|are allowed|garbage|may panic|never pass|do not pass|don't pass|(?:is|are) expected|"
    r"(?:logic|programming|programmer) error|not (?:supported|meaningful)|`\w+` (?:ha(?:s|ve)|needs?) to be|"
    r"bugs? (?:in|of) the|known to (?:exist|be)|stays? (?:with)?in (?:range|bounds)|"
    r"`\w+` (?:counts|runs|ranges|goes|starts) from|for an? (?:\w+ ){1,2}(?:from|between) \w+ (?:to|and)|"
    r"`\w+` (?:is|are) (?:at most|at least|less than|greater than|(?:not |no )?more than|positive|sorted))\b",
    re.I,
)
OUTCOME = re.compile(
    r"`?\b(?:None|Err|Ok|Some|false|true)\b`?|\berrors?\b|\breturns?\b|\bgives?\b|\b0 (?:if|for)\b", re.I
)
GIVEN = re.compile(r"`(\w+)` \((?:from )?-?\w+ ?(?:to|-|–|\.\.=?) ?-?\w+[^)]*\)")  # "`month` (1 to 12)"
BLAME = re.compile(r"\b(?:logic|programming|programmer) errors?\b", re.I)  # of the caller, not what is returned
OVERFLOWS = re.compile(
    r"\b(?:may|can|might|could) (?:also |still )?(?:over|under)flow\b|\b(?:over|under)flows (?:if|when|for)\b", re.I
)
HANDLED = re.compile(r"\b(?:so|therefore|thus|hence|instead|without|detect\w*|checked|handled)\b", re.I)
TOTAL = re.compile(
    r"\b(never panics?|does not panic|doesn't panic|cannot panic|can't panic|no panics?|panic-free)\b", re.I
)
WRAPS = re.compile(r"\b(wraps?(?: around)?|wrapping|modulo|modular|two's complement|overflows? silently)\b", re.I)
SATURATES = re.compile(r"\b(saturat\w+|stops at|caps? at|capped at|clamped?)\b", re.I)
NEGATED = re.compile(r"\b(not|never|without|no)\b[^.;,]{0,20}$", re.I)


def contract(function: ir.Function) -> Contract:
    """The contract of a function, from its docs alone."""
    docs = function.docs
    plain = CODE.sub("", docs)
    sections = split_sections(plain)
    names = [p.name for p in function.params]
    body = " ".join(
        text for title, text in sections if title.lower() not in ("panics", "examples", "example", "errors")
    )
    panics = [s for title, text in sections if title.lower() == "panics" for s in sentences(text)]
    conditions: list[str] = []
    unclear: list[str] = []
    total = ""
    for sentence in sentences(body):
        if TOTAL.search(sentence):
            total = sentence
            continue
        if re.search(r"\bpanic", sentence, re.I):
            panics.append(sentence)
            continue
        found = stated(sentence, function)
        conditions += found
        if not sorted_names(sentence, function) and any(restricts(c) for c in _open(sentence, found, function)):
            unclear.append(sentence)
    for sentence in panics:
        conditions += negated(sentence, function)
    wraps = next((s for s in sentences(body) if affirmed(WRAPS, s)), "")
    saturates = next((s for s in sentences(body) if affirmed(SATURATES, s)), "")
    ordered = [name for s in sentences(plain) for name in sorted_names(s, function)]
    conditions = [c for c in dict.fromkeys(conditions) if mentions_only(c, names)]
    overflows = next((s for s in sentences(body) if affirmed(OVERFLOWS, s) and not _handled(s)), "")
    return Contract(
        " ".join(body.split()), tuple(conditions), tuple(dict.fromkeys(ordered)), tuple(dict.fromkeys(panics)),
        tuple(unclear), total, wraps, saturates, overflows,
    )  # fmt: skip


def restricts(sentence: str) -> bool:
    """Whether a sentence may ask something of the inputs; what tells an outcome asks nothing."""
    return any(p.search(sentence) for p in (RESTRICTS, GIVEN)) and OUTCOME.search(BLAME.sub("misuse", sentence)) is None


def _open(sentence: str, found: list[str], function: ir.Function) -> list[str]:
    """What of a sentence is not understood: all of it, or its clauses about parameters that no condition names."""
    if not found:
        return [sentence]
    known = {n for condition in found for n in named(condition, function)}
    clauses = re.split(r",\s*|\s+(?:and|but|while)\s+", sentence)
    return [c for c in clauses if any(f"`{n}`" in c and n not in known for n in (p.name for p in function.params))]


def _handled(sentence: str) -> bool:
    """Whether a sentence that names an overflow tells what comes of it."""
    return any(p.search(sentence) is not None for p in (OUTCOME, WRAPS, SATURATES, HANDLED))


def affirmed(pattern: re.Pattern[str], sentence: str) -> bool:
    match = pattern.search(sentence)
    return match is not None and not NEGATED.search(sentence[: match.start()])


def split_sections(docs: str) -> list[tuple[str, str]]:
    """Titles and texts; what stands before the first heading has the title ""."""
    found: list[tuple[str, str]] = []
    at, title = 0, ""
    for match in HEADING.finditer(docs):
        found.append((title, docs[at : match.start()]))
        title, at = match.group(1), match.end()
    found.append((title, docs[at:]))
    return found


def sentences(text: str) -> list[str]:
    """Sentences and half sentences (`;`), without line breaks; points inside backticks do not end one."""
    flat = " ".join(text.split())
    held = re.sub(r"`[^`]*`", lambda m: m.group().replace(".", "\0").replace(";", "\1").replace(":", "\2"), flat)
    parts = re.split(r"(?<=[.;!?])\s+", held)
    whole = [p.replace("\0", ".").replace("\1", ";").replace("\2", ":").strip(" ;") for p in parts]
    return [p for p in whole if p]


def sorted_names(sentence: str, function: ir.Function) -> list[str]:
    """Parameters that a sentence calls sorted: "in sorted `items`", "if they are sorted"."""
    if not re.search(r"\b(?:sorted|ascending|increasing order)\b", sentence) or re.search(
        r"\b(whether|returns?|makes?|sorts?)\b", sentence, re.I
    ):
        return []
    shared = [p.name for p in function.params if isinstance(p.ty, ir.Ref) and not p.ty.mutable]
    known = [name for name in lists(function) if name in shared]
    named = [name for name in known if f"`{name}`" in sentence]
    return named or (known if len(known) == 1 else [])


def examples(docs: str) -> tuple[Example, ...]:
    """The code blocks that rustdoc would run."""
    blocks = enumerate(doc_examples(docs))
    return tuple(
        Example(block.code.strip("\n"), number, "should_panic" in block.flags)
        for number, block in blocks
        if not {"no_run", "compile_fail"} & set(block.flags)
    )
