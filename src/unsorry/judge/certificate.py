"""What a verdict rests on, as JSON: digests of all that was judged, the kernel, the axioms, the confinement's facts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from unsorry import Problem, UnsorryError, __version__
from unsorry.canonical import json_digest, text_digest
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain

FORMAT = 1
KNOWN_UNSOUND = "kernel known unsound against metaprograms"


def problem_digest(problem: Problem) -> str:
    """Hex sha256 of what the problem asks: its source and its targets."""
    return json_digest([problem.source, *problem.targets])


def make(
    problem: Problem,
    submission: str | None,
    *,
    toolchain: Toolchain,
    confinement: Confinement,
    statement: str,
    targets: Mapping[str, str],
    declarations: str,
    checked: int,
    axioms: Sequence[str],
    replay: str,
    olean: bytes,
    open_holes: int = 0,
    library_checked: bool = False,
) -> dict[str, Any]:
    """The certificate of an accepted submission; `statement` and `declarations` are digests made by digest.py.

    `submission` is None if only a compiled file was given, `targets` maps each target to its kind, `checked` counts the
    declarations put before the kernel, `replay` is "incremental" or "full", `open_holes` counts the sorries that were
    allowed to remain, `library_checked` tells whether the kernel once checked the library that the proof rests on.
    """
    certificate: dict[str, Any] = {
        "format": FORMAT,
        "judge": f"unsorry {__version__}",
        "problem": {
            "id": problem.id,
            "source": problem_digest(problem),
            "statement": statement,
            "targets": dict(targets),
        },
        "submission": {
            "source": None if submission is None else text_digest(submission),
            "olean": hashlib.sha256(olean).hexdigest(),
            "declarations": declarations,
            "checked": checked,
        },
        "toolchain": {"version": toolchain.version, "kind": toolchain.kind, "digest": toolchain.digest},
        "kernels": [
            {"name": "lean", "version": toolchain.version, "replay": replay, "library_checked": library_checked}
        ],
        "axioms": list(axioms),
        "open_holes": open_holes,
        "confinement": {"name": confinement.name, "facts": dict(confinement.facts)},
        "warnings": [KNOWN_UNSOUND] if toolchain.kernel_known_unsound else [],
    }
    certificate["digest"] = _seal(certificate)
    return certificate


def verify(certificate: Mapping[str, Any], problem: Problem, submission: str) -> None:
    """Checks that the certificate is intact and speaks of these texts; raises UnsorryError that says what differs.

    This shows integrity, not truth: whoever can write a certificate can write a false one.  To be certain, judge again
    and compare the digests.
    """
    try:
        if certificate["format"] != FORMAT:
            raise UnsorryError(
                f"certificate format {certificate['format']!r} is not known: this is unsorry {__version__}"
            )
        found = {
            "its own digest": (certificate["digest"], _seal(certificate)),
            "the problem's source": (certificate["problem"]["source"], problem_digest(problem)),
            "the targets": (set(certificate["problem"]["targets"]), set(problem.targets)),
            "the submission's source": (certificate["submission"]["source"], text_digest(submission)),
        }
    except (KeyError, TypeError) as error:
        raise UnsorryError(f"not a certificate: {error} is missing or has the wrong type") from None
    for what, (stated, actual) in found.items():
        if stated != actual:
            raise UnsorryError(f"the certificate does not fit: {what} differs")


def _seal(certificate: Mapping[str, Any]) -> str:
    """Hex sha256 of the certificate without its own digest, as sorted compact JSON in UTF-8."""
    body = {key: value for key, value in certificate.items() if key != "digest"}
    return json_digest(body)
