"""The claims as SARIF 2.1.0, for editors and code scanning."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from unsorry import __version__
from unsorry.bughunt.findings import CrateReport, Fault, Finding, Lines
from unsorry.bughunt.report.figures import witness

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "CRATE"  # the folder of Cargo.toml; the reader says where it is


def sarif(*reports: CrateReport) -> dict[str, Any]:
    """One log, a run for each crate.  Paths are relative: nothing tells where the crate was hunted."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report) for report in reports]}


def _run(report: CrateReport) -> dict[str, Any]:
    faults = sorted({f.fault for f in report.findings}, key=lambda fault: fault.value)
    return {
        "tool": {
            "driver": {
                "name": "unsorry hunt",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(fault) for fault in faults],
            }
        },
        "automationDetails": {"id": f"unsorry-hunt/{report.crate}/"},
        "originalUriBaseIds": {BASE: {"description": {"text": "The folder of the crate's Cargo.toml."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}],
        "results": [_result(f, faults.index(f.fault)) for f in report.findings],
        "properties": {"crate": report.crate, "sources": report.hash},
    }


def _rule(fault: Fault) -> dict[str, Any]:
    return {
        "id": rule_id(fault),
        "name": "".join(word.capitalize() for word in fault.value.split()),
        "shortDescription": {"text": fault.value[0].upper() + fault.value[1:]},
        "defaultConfiguration": {"level": "error"},
    }


def rule_id(fault: Fault) -> str:
    """`rust/arithmetic-overflow`."""
    return "rust/" + fault.value.replace(" ", "-")


def _result(finding: Finding, index: int) -> dict[str, Any]:
    at = finding.at if finding.at.first else finding.rust
    builds = ", ".join(build.value for build in finding.builds)
    text = [f"{finding.function}: {finding.fault.value}. {finding.explanation}"]
    if finding.witness:
        text.append(f"Input: {witness(finding.witness)}.")
    text.append(f"The test {finding.test_name} fails in {builds}." if finding.confirmed else "")
    text.append("" if finding.confirmed else f"Only suspected: {finding.reason.value}.")
    result: dict[str, Any] = {
        "ruleId": rule_id(finding.fault),
        "ruleIndex": index,
        # SARIF: what a person still has to decide on has no level of its own
        "kind": "fail" if finding.confirmed else "review",
        "level": "error" if finding.confirmed else "none",
        "message": {"text": " ".join(part for part in text if part)},
        "locations": [
            {
                **_place(at),
                "logicalLocations": [{"fullyQualifiedName": finding.function, "kind": "function"}],
            }
        ],
        "partialFingerprints": {"unsorryClaim/v1": _fingerprint(finding)},
        "properties": {
            "claim": finding.claim.value,
            "kind": finding.kind.value,
            "test": finding.test,
            "builds": [build.value for build in finding.builds],
        },
    }
    if finding.at.first and finding.rust.first and finding.rust != finding.at:
        result["relatedLocations"] = [{"id": 0, **_place(finding.rust), "message": {"text": "the function"}}]
    return result


def _place(where: Lines) -> dict[str, Any]:
    if not where.file:
        return {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(where.file), "uriBaseId": BASE}}
    if where.first:
        physical["region"] = {"startLine": where.first, "endLine": max(where.first, where.last)}
    return {"physicalLocation": physical}


def _fingerprint(finding: Finding) -> str:
    """The same for the same claim after lines have moved."""
    words = "\0".join((finding.function, finding.fault.value, finding.kind.value))
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _notifications(report: CrateReport) -> list[dict[str, Any]]:
    """What was not hunted, and why."""
    out = []
    for f in report.functions:
        if f.state != "translated":
            said = f"{f.path} is {f.state}" + (f": {f.reason}" if f.reason else "")
            location = _place(f.rust)
            out.append({"level": "note", "message": {"text": said}, **({"locations": [location]} if location else {})})
    out += [{"level": "note", "message": {"text": f"{item}: {why}"}} for item, why in report.refused]
    return out + [{"level": "note", "message": {"text": note}} for note in report.notes]
