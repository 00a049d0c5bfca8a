"""Conditions on parameters in the sentences of docs: what is asked for, and what a documented panic leaves."""

from __future__ import annotations

import re

from unsorry.bughunt import ir


def mentions_only(expression: str, names: list[str]) -> bool:
    """Whether an expression from the docs is one over these parameters, and nothing that could do anything."""
    if not re.fullmatch(r"[\w\s.()<>=!&|+\-*/%]+", expression):
        return False
    words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\b[ui](?:8|16|32|64|128|size)::(?:MAX|MIN|BITS)\b", "0", expression))
    allowed = {*names, "len", "is_empty", "is_power_of_two", "true", "false"}
    return bool(words) and all(w in allowed for w in words) and any(w in names for w in words)


def named(condition: str, function: ir.Function) -> list[str]:
    """The parameters that a condition is about."""
    words = set(re.findall(r"[A-Za-z_]\w*", condition))
    return [p.name for p in function.params if p.name in words]


def _scalars(function: ir.Function) -> list[str]:
    return [p.name for p in function.params if isinstance(p.ty, ir.Scalar) and p.ty.is_int]


_SUBJECT = r"`(?P<name>\w+)`"
_NUMBER = r"`?(?P<bound>-?\d[\d_]*|[ui](?:8|16|32|64|128|size)::(?:MAX|MIN))`?"
_IS = r"(?:is|must be|should be|shall be|has to be|needs to be|(?:is|are) (?:expected|assumed|required) to be)"
_IF = re.compile(r"\b(?:if|when|whenever|where|while|unless|once|whether|for which|in case)\s+(?:the )?$", re.I)


def stated(sentence: str, function: ir.Function) -> list[str]:
    """Conditions that a sentence asks for: "`width` is at most 32", "`b` must not be zero"."""
    found = []
    ints = _scalars(function)
    unsigned = [p.name for p in function.params if isinstance(p.ty, ir.Scalar) and p.ty.is_int and not p.ty.signed]
    for pattern, form in (
        (rf"{_SUBJECT} {_IS} (?:at most|not more than|no more than) {_NUMBER}", "{n} <= {b}"),
        (rf"{_SUBJECT} (?:must|should|may) not exceed {_NUMBER}", "{n} <= {b}"),
        (rf"{_SUBJECT} {_IS} (?:less than|below|under) {_NUMBER}", "{n} < {b}"),
        (rf"{_SUBJECT} {_IS} (?:at least|not less than) {_NUMBER}", "{n} >= {b}"),
        (rf"{_SUBJECT} (?:must|should) (?:not be|be different from) {_NUMBER}", "{n} != {b}"),
        (rf"{_SUBJECT} (?:must|should) be non-?zero(?P<bound>)", "{n} != 0"),
        (rf"{_SUBJECT} (?:must|should) not be zero(?P<bound>)", "{n} != 0"),
        (rf"{_SUBJECT} (?:must|should) be positive(?P<bound>)", "{n} > 0"),
        (rf"{_SUBJECT} {_IS} a power of (?:two|2)(?P<bound>)\b", "{n}.is_power_of_two()"),
    ):
        for match in re.finditer(pattern, sentence):
            if _IF.search(sentence[: match.start()]):
                continue  # tells what is so in one case, and asks for nothing
            if match["name"] in (unsigned if "power" in form else ints):
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
