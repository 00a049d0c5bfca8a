"""Texts of others inside Markdown: nothing in them may end a block, make a link, hide a line or command a terminal."""

from __future__ import annotations

import re

from unsorry.judge.reasons import one_line

_TRICKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")  # invisible, or turning what follows around


def code(text: str) -> str:
    """A text as inline code, whatever it holds."""
    text = visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}" if text else ""


def plain(text: str) -> str:
    """Words in which nothing is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#!~@&])", r"\\\1", visible(text))


def visible(text: str) -> str:
    """One line without controls and without characters that are not seen."""
    return _TRICKS.sub(lambda m: f"\\u{ord(m[0]):04x}", one_line(text.replace("\t", "    ")))


def block(text: str, language: str = "") -> str:
    """Lines as a code block, whatever they hold."""
    lines = [visible_line(line) for line in text.rstrip().split("\n")]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", "\n".join(lines))), default=0))
    return "\n".join([f"{fence}{language}", *lines, fence])


def visible_line(line: str) -> str:
    """As `visible`, but what the line is indented by stays."""
    line = line.replace("\t", "    ").rstrip()
    return " " * (len(line) - len(line.lstrip(" "))) + visible(line.lstrip(" "))
