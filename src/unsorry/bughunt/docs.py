"""What the documentation of a function says: preconditions, promises, intent, examples.

Only sentences of known shapes become conditions; any other sentence that seems to restrict the inputs is kept as a
restriction that is not understood, and makes a claim no more than suspected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from unsorry.bughunt import ir
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
    that name a panic; `unclear` sentences that may restrict the inputs; `total` tells that the docs rule out panics.
    """

    text: str
    conditions: tuple[str, ...] = ()
    sorted_inputs: tuple[str, ...] = ()
    panics: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    total: str = ""  # the sentence
    wraps: str = ""
    saturates: str = ""


CODE = re.compile(r"^(?P<fence>```+|~~~+)(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=fence)[ \t]*$", re.M | re.S)
HEADING = re.compile(r"^#+[ \t]+(.*?)[ \t#]*$", re.M)
RESTRICTS = re.compile(
    r"(?<!\w)(must|caller|callers|assum\w*|precondition\w*|requires?|required|expects?|only valid|valid only|undefined|"
    r"should (?:not )?be|ought|non-?zero|non-?empty|not empty|unspecified|meaningless|unsupported|provided that|"
    r"as long as|is allowed|are allowed|garbage|may panic|never pass|do not pass|don't pass|"
    r"`\w+` (?:is|are) (?:at most|at least|less than|greater than|(?:not |no )?more than|positive|sorted))\b",
    re.I,
)
OUTCOME = re.compile(
    r"`?\b(?:None|Err|Ok|Some|false|true)\b`?|\berrors?\b|\breturns?\b|\bgives?\b|\b0 (?:if|for)\b", re.I
)
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
        if not found and not sorted_names(sentence, function) and restricts(sentence):
            unclear.append(sentence)
    for sentence in panics:
        conditions += negated(sentence, function)
    wraps = next((s for s in sentences(body) if affirmed(WRAPS, s)), "")
    saturates = next((s for s in sentences(body) if affirmed(SATURATES, s)), "")
    ordered = [name for s in sentences(plain) for name in sorted_names(s, function)]
    conditions = [c for c in dict.fromkeys(conditions) if mentions_only(c, names)]
    return Contract(
        " ".join(body.split()), tuple(conditions), tuple(dict.fromkeys(ordered)), tuple(dict.fromkeys(panics)),
        tuple(unclear), total, wraps, saturates,
    )  # fmt: skip


def restricts(sentence: str) -> bool:
    """Whether a sentence may ask something of the inputs; what tells an outcome asks nothing."""
    return RESTRICTS.search(sentence) is not None and OUTCOME.search(sentence) is None


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


def mentions_only(expression: str, names: list[str]) -> bool:
    """Whether an expression from the docs is one over these parameters, and nothing that could do anything."""
    if not re.fullmatch(r"[\w\s.()<>=!&|+\-*/%]+", expression):
        return False
    words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\b[ui](?:8|16|32|64|128|size)::(?:MAX|MIN|BITS)\b", "0", expression))
    allowed = {*names, "len", "is_empty", "true", "false"}
    return bool(words) and all(w in allowed for w in words) and any(w in names for w in words)


def _scalars(function: ir.Function) -> list[str]:
    return [p.name for p in function.params if isinstance(p.ty, ir.Scalar) and p.ty.is_int]


_SUBJECT = r"`(?P<name>\w+)`"
_NUMBER = r"`?(?P<bound>-?\d[\d_]*|[ui](?:8|16|32|64|128|size)::(?:MAX|MIN))`?"


def stated(sentence: str, function: ir.Function) -> list[str]:
    """Conditions that a sentence asks for: "`width` is at most 32", "`b` must not be zero"."""
    found = []
    ints = _scalars(function)
    for pattern, form in (
        (rf"{_SUBJECT} (?:is|must be|should be) (?:at most|not more than|no more than) {_NUMBER}", "{n} <= {b}"),
        (rf"{_SUBJECT} (?:is|must be|should be) (?:less than|below|under) {_NUMBER}", "{n} < {b}"),
        (rf"{_SUBJECT} (?:is|must be|should be) (?:at least|not less than) {_NUMBER}", "{n} >= {b}"),
        (rf"{_SUBJECT} (?:must|should) (?:not be|be different from) {_NUMBER}", "{n} != {b}"),
        (rf"{_SUBJECT} (?:must|should) be non-?zero(?P<bound>)", "{n} != 0"),
        (rf"{_SUBJECT} (?:must|should) not be zero(?P<bound>)", "{n} != 0"),
        (rf"{_SUBJECT} (?:must|should) be positive(?P<bound>)", "{n} > 0"),
    ):
        for match in re.finditer(pattern, sentence):
            if match["name"] in ints:
                found.append(form.format(n=match["name"], b=match["bound"]))
    for match in re.finditer(rf"{_SUBJECT} (?:must|should) (?:not be empty|be non-?empty)", sentence):
        if match["name"] in lists(function):
            found.append(f"!{match['name']}.is_empty()")
    for match in re.finditer(r"(?:must|should) (?:hold that |have )?`([^`]+)`|requires (?:that )?`([^`]+)`", sentence):
        expression = match.group(1) or match.group(2)
        if re.search(r"[<>=]", expression):
            found.append(expression)
    return found


def negated(sentence: str, function: ir.Function) -> list[str]:
    """Conditions that exclude a documented panic: "Panics if `b` is 0", "Panics if `lo > hi`"."""
    match = re.search(r"\bpanics?\b.*?\b(?:if|when|for|unless)\b(?P<rest>.*)", sentence, re.I)
    if not match:
        return []
    rest = match["rest"]
    if re.search(r"\b(and|or)\b", re.sub(r"`[^`]*`", "", rest)):
        return []
    unless = bool(re.search(r"\bunless\b", sentence, re.I))
    ints = _scalars(function)
    if comparison := re.fullmatch(r"\s*`([^`]*[<>=][^`]*)`[.]?", rest):
        return [comparison[1]] if unless else [f"!({comparison[1]})"]
    if unless:
        return []
    for pattern, form in (
        (rf"\s*{_SUBJECT} (?:is|equals) (?:zero|`?0`?)[.]?", "{n} != 0"),
        (rf"\s*{_SUBJECT} is (?:greater|more|larger) than {_NUMBER}[.]?", "{n} <= {b}"),
        (rf"\s*{_SUBJECT} is not less than {_NUMBER}[.]?", "{n} < {b}"),
        (rf"\s*{_SUBJECT} is less than {_NUMBER}[.]?", "{n} >= {b}"),
    ):
        if (match := re.fullmatch(pattern, rest)) and match["name"] in ints:
            bound = match.groupdict().get("bound") or "0"
            return [form.format(n=match["name"], b=bound)]
    if (match := re.fullmatch(r"\s*`(\w+)` is not in `(\S+?)\.\.(=?)(\S+?)`[.]?", rest)) and match[1] in ints:
        return [f"{match[1]} >= {match[2]}", f"{match[1]} {'<=' if match[3] else '<'} {match[4]}"]
    if (match := re.fullmatch(rf"\s*{_SUBJECT} is empty[.]?", rest)) and match["name"] in lists(function):
        return [f"!{match['name']}.is_empty()"]
    return []


def lists(function: ir.Function) -> list[str]:
    """Parameters with a length."""

    def is_list(ty: ir.Type) -> bool:
        return isinstance(ty, ir.Vec | ir.Array | ir.Slice) or (isinstance(ty, ir.Ref) and is_list(ty.target))

    return [p.name for p in function.params if is_list(p.ty)]


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
