"""Rust text to syntax trees, with the places of everything; a fault in one item never reaches the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tree_sitter import Language, Node, Parser
from tree_sitter_rust import language

from .. import ir

MAX_BYTES = 1 << 20  # of one file
MAX_NESTING = 250  # of syntax nodes in one item


def words(listed: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(listed.split())


HARMLESS = words(
    """
    allow warn deny forbid expect inline must_use doc cold derive non_exhaustive repr default deprecated
    track_caller automatically_derived no_std macro_use test should_panic ignore no_mangle
    """
)

OF_CRATES = words("feature recursion_limit type_length_limit crate_name crate_type no_main no_builtins")  # `#![…]` only
UNCONDITIONAL = words(
    "default test should_panic ignore repr"
)  # what they mean is needed: they may not depend on a `cfg`

_LANGUAGE = Language(language())


class Refused(Exception):
    """What stops one item; `refusal` says why."""

    def __init__(self, code: str, message: str, span: ir.Span = ir.NOWHERE) -> None:
        super().__init__(message)
        self.refusal = ir.Refusal(code, message, span)


@contextmanager
def guarded(span: ir.Span) -> Iterator[None]:
    """Faults of ours refuse the item; they never end the run."""
    try:
        yield
    except Refused:
        raise
    except RecursionError:
        raise Refused("nesting", "nested too deep", span) from None
    except (AssertionError, AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError) as fault:
        raise Refused("internal", f"the front end failed: {type(fault).__name__}: {fault}"[:200], span) from None


@dataclass(frozen=True)
class Source:
    """A file, or a stretch of one that was parsed by itself: then `offset` and `line` say where it begins."""

    file: str
    offset: int = 0
    line: int = 0

    def span(self, node: Node) -> ir.Span:
        """Where the node is."""
        first, last = node.start_point[0] + 1 + self.line, node.end_point[0] + 1 + self.line
        return ir.Span(self.file, first, last, node.start_byte + self.offset, node.end_byte + self.offset)


def parse(data: bytes) -> Node:
    """The tree of Rust text; faults are nodes in it."""
    return Parser(_LANGUAGE).parse(data).root_node


def fragment(source: Source, node: Node, text: bytes, start: int, prefix: bytes, suffix: bytes) -> tuple[Source, Node]:
    """`text`, which stands `start` bytes after the beginning of `node`, parsed between `prefix` and `suffix`."""
    whole = node.text or b""
    line = node.start_point[0] + whole[:start].count(b"\n") + source.line
    root = parse(prefix + text + suffix)
    if root.has_error or depth(root) > MAX_NESTING:
        raise Refused("syntax", "arguments of a macro that are not expressions", source.span(node))
    return Source(source.file, source.offset + node.start_byte + start - len(prefix), line), root


def depth(node: Node) -> int:
    """How deep the tree below the node is."""
    cursor, level, deepest = node.walk(), 0, 0
    while True:
        if cursor.goto_first_child():
            level += 1
            deepest = max(deepest, level)
            continue
        while not cursor.goto_next_sibling():
            if level == 0 or not cursor.goto_parent():
                return deepest
            level -= 1
            if level == 0:
                return deepest


def text(node: Node | None) -> str:
    """The text of a node; "" for none."""
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def named(node: Node) -> list[Node]:
    """The named children but comments."""
    return [c for c in node.named_children if c.type not in ("line_comment", "block_comment")]


def child(node: Node, kind: str) -> Node | None:
    """The first child of that kind."""
    return next((c for c in node.children if c.type == kind), None)


@dataclass(frozen=True)
class Item:
    """An item with what stands before it."""

    node: Node
    attributes: tuple[str, ...]
    docs: str

    def attribute(self, name: str) -> str | None:
        """The text of the attribute of that name, if there."""
        return next((a for a in self.attributes if attribute_name(a) == name), None)


def attribute_name(attribute: str) -> str:
    """`inline` for `inline(always)`."""
    return re.split(r"[\s(=\[{]", attribute.strip(), maxsplit=1)[0]


def derives(item: Item) -> frozenset[str]:
    """The traits named in `#[derive(…)]`, by their last part."""
    found: set[str] = set()
    for attribute in item.attributes:
        if attribute_name(attribute) == "derive":
            inside = attribute[attribute.find("(") + 1 : attribute.rfind(")")]
            found |= {part.split("::")[-1].strip() for part in inside.split(",") if part.strip()}
    return frozenset(found)


def _doc(node: Node) -> tuple[str, bool] | None:
    """The text of a doc comment, and whether it is of what encloses it; None for other comments."""
    body = child(node, "doc_comment")
    if body is None:
        return None
    inner = child(node, "inner_doc_comment_marker") is not None
    lines = text(body).rstrip("\n")
    if node.type == "block_comment":
        lines = "\n".join(re.sub(r"^\s*\* ?", "", line) for line in lines.split("\n"))
        return lines.strip(), inner
    return lines[1:] if lines.startswith(" ") else lines, inner


def items(parent: Node) -> list[Item]:
    """The items directly below a node (a file, a body of a module or impl), with attributes and docs."""
    found: list[Item] = []
    attributes: list[str] = []
    docs: list[str] = []
    for node in parent.named_children:
        if node.type in ("line_comment", "block_comment"):
            doc = _doc(node)
            if doc is not None and not doc[1]:
                docs.append(doc[0])
        elif node.type == "attribute_item":
            written = text(node).strip()[2:-1].strip()
            attributes.append(written)
            if match := re.fullmatch(r'doc\s*=\s*"(.*)"', written, re.S):
                docs.append(match[1].strip())
        elif node.type in ("inner_attribute_item", "empty_statement"):
            continue
        else:
            found.append(Item(node, tuple(attributes), "\n".join(docs)))
            attributes, docs = [], []
    return found


def inner_attributes(parent: Node) -> list[str]:
    """`#![…]` of a file or block."""
    return [text(n).strip()[3:-1].strip() for n in parent.named_children if n.type == "inner_attribute_item"]


def skipped(attributes: tuple[str, ...]) -> bool:
    """Whether the item exists for tests only."""
    names = {attribute_name(a) for a in attributes}
    return "test" in names or "bench" in names or any(re.fullmatch(r"cfg\s*\(\s*test\s*\)", a) for a in attributes)


def check_attributes(attributes: tuple[str, ...], span: ir.Span) -> None:
    """Refuse attributes that may change what the item means."""
    for attribute in attributes:
        name = attribute_name(attribute)
        if name == "cfg" or (name == "cfg_attr" and not harmless(attribute)):
            raise Refused("cfg", f"conditional compilation: #[{attribute[:60]}]", span)
        if not harmless(attribute):
            raise Refused("attribute", f"attribute #[{name[:60]}], which may rewrite the item", span)


def harmless(attribute: str, *, inner: bool = False) -> bool:
    """Whether the attribute changes nothing that is hunted; `cfg_attr` does not if none of what it may apply does.

    `inner`: it is one of a whole crate or module, `#![…]`.
    """
    name = attribute_name(attribute)
    if name == "cfg_attr":
        applied = conditional(attribute)
        return bool(applied) and all(
            harmless(a, inner=inner) and attribute_name(a) not in UNCONDITIONAL for a in applied
        )
    known = name in HARMLESS or (inner and name in OF_CRATES)
    return known or name.startswith(("clippy::", "rustfmt::", "rustdoc::"))


def conditional(attribute: str) -> list[str]:
    """What `cfg_attr(condition, a, b)` may apply: a, b.  Empty where it is not understood."""
    match = re.fullmatch(r"cfg_attr\s*\((.*)\)", attribute.strip(), re.S)
    if match is None:
        return []
    parts, level = [""], 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|.', match[1], re.S):
        level += (token in "([{") - (token in ")]}")
        if token == "," and level == 0:
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts[1:] if part.strip()] if level == 0 else []


def check_syntax(node: Node, span: ir.Span) -> None:
    """Refuse an item with syntax errors or nesting beyond reason."""
    if node.has_error:
        raise Refused("syntax", "syntax error inside", span)
    if depth(node) > MAX_NESTING:
        raise Refused("nesting", f"nested deeper than {MAX_NESTING} levels", span)
