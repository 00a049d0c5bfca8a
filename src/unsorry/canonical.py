"""Texts and JSON values as bytes: different values have different bytes, so that a digest of them names one value.

Python's `json.dumps` escapes to ASCII by default, and there two lone surrogates and the character that they would make
as a pair read the same; what is read back is the character.  Here every code point has its own bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # two code points: a character beyond U+FFFF is one


def text_bytes(text: str) -> bytes:
    """UTF-8; a lone surrogate, which has none, is written as the three bytes that its number would have."""
    return text.encode("utf-8", "surrogatepass")


def json_bytes(value: Any) -> bytes:
    """Compact JSON with sorted keys, for digests; raises TypeError for what is not JSON."""
    return text_bytes(json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def json_line(value: Any, **options: Any) -> bytes:
    """One line of JSON for a file, its end included; `json.loads` gives an equal value back, any text included.

    It is UTF-8 as other programs read it, lone surrogates escaped, unless two of them stand together as a pair: those
    have no other form that is read back as it was.  `options` are those of `json.dumps`.
    """
    text = json.dumps(value, ensure_ascii=False, **options)
    return text.encode("utf-8", "surrogatepass" if PAIR.search(text) else "backslashreplace") + b"\n"


def text_digest(text: str) -> str:
    """Hex sha256 of a text."""
    return hashlib.sha256(text_bytes(text)).hexdigest()


def json_digest(value: Any) -> str:
    """Hex sha256 of a JSON value: equal for equal values, in any process."""
    return hashlib.sha256(json_bytes(value)).hexdigest()
