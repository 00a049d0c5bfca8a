"""What SARIF 2.1.0 demands of the parts that are written here, as a JSON schema (chapter 3 of the standard)."""

from __future__ import annotations

from typing import Any


def _object(required: str = "", /, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item}


TEXT = {"type": "string"}
FULL = {"type": "string", "minLength": 1}
BAG = {"type": "object"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = _object("text", text=FULL)
ARTIFACT = _object("", uri={"type": "string", "pattern": "^[A-Za-z0-9._~/%()!$&'*+,;=:@-]+$"}, uriBaseId=FULL)
LINE = {"type": "integer", "minimum": 1}
REGION = _object("startLine", startLine=LINE, endLine=LINE)
PHYSICAL = _object("artifactLocation", artifactLocation=ARTIFACT, region=REGION)
LOCATION = _object(
    "",
    id={"type": "integer", "minimum": -1},
    physicalLocation=PHYSICAL,
    logicalLocations=_list(_object("", fullyQualifiedName=FULL, kind=FULL)),
    message=MESSAGE,
)
RULE = _object("id", id=FULL, name=FULL, shortDescription=MESSAGE, defaultConfiguration=_object("", level=LEVEL))
RESULT = _object(
    "message",
    ruleId=FULL,
    ruleIndex={"type": "integer", "minimum": -1},
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    level=LEVEL,
    message=MESSAGE,
    locations=_list(LOCATION),
    relatedLocations=_list(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    properties=BAG,
)
RUN = _object(
    "tool",
    tool=_object("driver", driver=_object("name", name=FULL, version=FULL, semanticVersion=FULL, rules=_list(RULE))),
    automationDetails=_object("", id=FULL),
    originalUriBaseIds={"type": "object", "additionalProperties": _object("", uri=FULL, description=MESSAGE)},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=_list(
        _object(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=_list(
                _object("message", message=MESSAGE, level=LEVEL, locations=_list(LOCATION))
            ),
        )
    ),
    results=_list(RESULT),
    properties=BAG,
)
LOG = _object("version runs", **{"$schema": FULL, "version": {"const": "2.1.0"}, "runs": _list(RUN)})
