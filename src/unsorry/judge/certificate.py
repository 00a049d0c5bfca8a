"""What a verdict rests on, as JSON: digests of all that was judged, the kernel, the axioms, the confinement's facts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from unsorry import Problem, UnsorryError, __version__
from unsorry.canonical import json_digest, text_digest
from unsorry.judge.axioms import ALLOWED, SORRY
from unsorry.judge.reasons import one_line
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain

FORMAT = 2
KNOWN_UNSOUND = "kernel known unsound against metaprograms"
OPINIONS = ("agree", "undecided", "not asked")
NOT_ASKED = {"checker": "", "opinion": "not asked", "detail": "", "checked": 0, "steps": 0}


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
    second: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The certificate of an accepted submission; `statement` and `declarations` are digests made by digest.py.

    `submission` is None if only a compiled file was given, `targets` maps each target to its kind, `checked` counts the
    declarations put before the kernel, `replay` is "incremental" or "full", `open_holes` counts the sorries that were
    allowed to remain, `library_checked` tells whether the kernel once checked the library that the proof rests on,
    `second` is what the second checker said, NOT_ASKED if nobody asked it.
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
        "second": dict(second or NOT_ASKED),
        "axioms": list(axioms),
        "open_holes": open_holes,
        "confinement": {"name": confinement.name, "facts": dict(confinement.facts)},
        "warnings": [KNOWN_UNSOUND] if toolchain.kernel_known_unsound else [],
    }
    certificate["digest"] = _seal(certificate)
    return certificate


class DoesNotFit(UnsorryError):
    """The certificate is damaged, certifies nothing, or is about something else."""


def verify(certificate: object, problem: Problem, submission: str) -> None:
    """Checks that the certificate is intact and speaks of these texts; raises DoesNotFit that says what differs.

    Takes anything and trusts nothing in it.  This shows integrity, not truth: whoever can write a certificate can
    write a false one.  To be certain, judge again and compare (differences.py).
    """
    certificate = intact(certificate)
    about_problem(certificate, problem)
    about_submission(certificate, submission)


def intact(certificate: object) -> Mapping[str, Any]:
    """The certificate, if it is whole and its axioms are those that are allowed; raises DoesNotFit if not."""
    certificate = shaped(certificate)
    _same("its own digest", certificate["digest"], _seal(certificate))
    if certificate["second"]["opinion"] not in OPINIONS:
        raise DoesNotFit("the certificate certifies nothing: its second opinion is none that an acceptance can have")
    for what, value in (("target", certificate["problem"]["targets"]), ("kernel", certificate["kernels"])):
        if not value:
            raise DoesNotFit(f"the certificate certifies nothing: it names no {what}")
    allowed = set(map(str, ALLOWED)) | ({str(SORRY)} if certificate["open_holes"] else set())
    if illegal := sorted(set(certificate["axioms"]) - allowed):
        raise DoesNotFit(one_line(f"the certificate certifies nothing: {', '.join(illegal)} among its axioms"))
    return certificate


def about_problem(certificate: Mapping[str, Any], problem: Problem) -> None:
    """Raises DoesNotFit unless the certificate, which is intact, is about this problem: name, text, targets."""
    stated = certificate["problem"]
    _same("the problem's id", stated["id"], problem.id)
    _same("the problem's source", stated["source"], problem_digest(problem))
    _same("the targets", set(stated["targets"]), set(problem.targets))


def about_submission(certificate: Mapping[str, Any], submission: str) -> None:
    """Raises DoesNotFit unless the certificate, which is intact, is about this text."""
    _same("the submission's source", certificate["submission"]["source"], text_digest(submission))


def _same(what: str, stated: object, actual: object) -> None:
    if stated != actual:
        raise DoesNotFit(f"the certificate does not fit: {what} differs")


def shaped(certificate: object) -> Mapping[str, Any]:
    """The certificate, if it has all fields of this format with values of their types; raises DoesNotFit if not."""
    if isinstance(certificate, Mapping) and type(certificate.get("format")) is int and certificate["format"] != FORMAT:
        raise DoesNotFit(f"certificate format {certificate['format']} is not known: this is unsorry {__version__}")
    if (fault := _fault(certificate, SHAPE, "")) is not None:
        raise DoesNotFit(one_line(f"not a certificate: {fault}"))
    assert isinstance(certificate, Mapping)
    return certificate


SHAPE: Any = {
    "format": int,
    "judge": str,
    "problem": {"id": str, "source": str, "statement": str, "targets": (str,)},
    "submission": {"source": str | None, "olean": str, "declarations": str, "checked": int},
    "toolchain": {"version": str, "kind": str, "digest": str},
    "kernels": [{"name": str, "version": str, "replay": str, "library_checked": bool}],
    "second": {"checker": str, "opinion": str, "detail": str, "checked": int, "steps": int},
    "axioms": [str],
    "open_holes": int,
    "confinement": {"name": str, "facts": (object,)},
    "warnings": [str],
    "digest": str,
}  # a tuple: any names, with values like its element


def _fault(value: object, shape: Any, where: str) -> str | None:
    """What is wrong with a value, None if nothing is."""
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            return f"{where or 'it'} is no object"
        if odd := sorted(map(str, shape.keys() ^ value.keys())):
            return f"{where + '.' if where else ''}{odd[0]} is {'missing' if odd[0] in shape else 'not a field of it'}"
        parts = [(value[name], inner, f"{where}.{name}" if where else name) for name, inner in shape.items()]
    elif isinstance(shape, list):
        if not isinstance(value, list | tuple):
            return f"{where} is no list"
        parts = [(inner, shape[0], f"{where}[{index}]") for index, inner in enumerate(value)]
    elif isinstance(shape, tuple):
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            return f"{where} is no object"
        parts = [(inner, shape[0], f"{where}.{name}") for name, inner in value.items()]
    else:
        good = isinstance(value, shape) and (shape is not int or (type(value) is int and value >= 0))
        return None if good else f"{where} has the wrong type"
    return next((fault for part in parts if (fault := _fault(*part)) is not None), None)


def _seal(certificate: Mapping[str, Any]) -> str:
    """Hex sha256 of the certificate without its own digest, as sorted compact JSON in UTF-8."""
    body = {key: value for key, value in certificate.items() if key != "digest"}
    try:
        return json_digest(body)
    except (TypeError, RecursionError):
        raise DoesNotFit("not a certificate: it holds what is not JSON, or is nested too deeply") from None
