"""What the agent may do without asking: a rule for each tool, and patterns for what it is called with.

    [tools.bash]
    permission = "ask"                 # always | ask | never: where no pattern decides
    allowlist = ["lake build*", "git log*"]
    denylist = ["*curl*"]

A denied pattern wins over everything, then an allowed one, then the tool's rule; `[tools."*"]` is for tools without an
entry.  Patterns are shell globs, or `re:` and a regular expression; they are matched with each command of a shell line,
or with the path of a file tool.  A line is allowed where each of its commands is, and denied where one of them is; one
that cannot be taken apart (`$(...)`, `eval`, ...) matches no allowed pattern.

The rules say what the user wants to be asked about.  They are no fence: that is the sandbox.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from unsorry import UnsorryError
from unsorry.scaffolds.agent import Observation, Tool, ToolSpec

EVERY = "*"
KEYS = ("permission", "allowlist", "denylist")
ARGUMENTS = ("command", "path")  # what patterns are matched with, the first that a call has
_SEPARATORS = re.compile(r"\|\||&&|[;|&\n]")
_OPAQUE = re.compile(r"[`$(){}<>\\!]|\b(eval|exec|source|env|xargs|sudo|nohup|time|command|builtin)\b")


class Permission(StrEnum):
    ALWAYS = "always"
    ASK = "ask"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Rule:
    """Of one tool; denied patterns win over allowed ones, and these over `permission`."""

    permission: Permission = Permission.ASK
    allowlist: tuple[str, ...] = ()
    denylist: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """`rule` names what decided, as a user finds it in the settings."""

    permission: Permission
    rule: str


READING = ("list_files", "search_files", "read_file", "lean_check", "lean_goal", "lean_search", "submit")
WRITING = ("edit_file", "write_file", "create_file")
LOOKING = (
    "ls", "ls *", "pwd", "cat *", "head *", "tail *", "grep *", "wc *", "git status*", "git diff*", "git log*",
    "git show *", "lake build*", "lean *",
)  # fmt: skip
DEFAULTS: Mapping[str, Rule] = {
    **{name: Rule(Permission.ALWAYS) for name in (*READING, *WRITING)},  # on a copy, of which the user gets a patch
    "bash": Rule(Permission.ASK, LOOKING),
    EVERY: Rule(Permission.ASK),
}
Answer = Literal["yes", "no", "always"]


@dataclass(slots=True)
class Permissions:
    """The rules of a run.

    `ask` puts a question to the user: tool, what it is called with; None where nobody is there (headless).  There,
    `unattended` says what becomes of what would be asked: refused, with words that tell how to allow it, or allowed
    because the profile trusts the sandbox with it.
    """

    rules: Mapping[str, Rule] = field(default_factory=lambda: DEFAULTS)
    ask: Callable[[str, str], Answer] | None = None
    unattended: Literal["refuse", "allow"] = "refuse"
    granted: set[str] = field(default_factory=set)  # tools that the user allowed for the rest of the run

    @classmethod
    def from_config(cls, tools: Mapping[str, Any], **settings: Any) -> Permissions:
        """From the `[tools.NAME]` tables of a settings file, over the defaults.  Raises UnsorryError."""
        rules = dict(DEFAULTS)
        for name, table in tools.items():
            if not isinstance(table, Mapping):
                raise UnsorryError(f"tools.{name} must be a table with {', '.join(KEYS)}")
            for key in table:
                if key not in KEYS:
                    raise UnsorryError(f"tools.{name} has no setting {key!r}: use {', '.join(KEYS)}")
            base = rules.get(name, rules[EVERY])
            rules[name] = Rule(
                _permission(name, table.get("permission", base.permission)),
                _patterns(name, "allowlist", table.get("allowlist", base.allowlist)),
                _patterns(name, "denylist", table.get("denylist", base.denylist)),
            )
        return cls(rules, **settings)

    def rule(self, tool: str) -> tuple[str, Rule]:
        """The rule of a tool, and its name in the settings; names may be globs, such as `lean-lsp_*`."""
        if tool in self.rules:
            return tool, self.rules[tool]
        globs = sorted((g for g in self.rules if g != EVERY and fnmatch.fnmatchcase(tool, g)), key=len, reverse=True)
        name = globs[0] if globs else EVERY
        return name, self.rules.get(name, Rule())

    def decide(self, tool: str, arguments: Mapping[str, Any]) -> Decision:
        """What the rules say of a call; nobody is asked yet."""
        name, rule = self.rule(tool)
        subject = _subject(arguments)
        parts = commands(subject) if "command" in arguments else [subject]
        for pattern in rule.denylist:
            if any(_matches(pattern, part) for part in (subject, *(parts or ()))):
                return Decision(Permission.NEVER, f"tools.{name}.denylist {pattern!r}")
        if rule.permission is Permission.NEVER:
            return Decision(Permission.NEVER, f'tools.{name}.permission = "never"')
        if parts and rule.allowlist:
            used = [next((p for p in rule.allowlist if _matches(p, part)), None) for part in parts]
            if all(used):
                return Decision(Permission.ALWAYS, f"tools.{name}.allowlist {used[0]!r}")
        if tool in self.granted:
            return Decision(Permission.ALWAYS, "allowed by you for this run")
        return Decision(rule.permission, f'tools.{name}.permission = "{rule.permission}"')

    def refusal(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Why a call is not made, and how to allow it; "" where it may be made, after asking if need be."""
        decision = self.decide(tool, arguments)
        if decision.permission is Permission.ALWAYS:
            return ""
        if decision.permission is Permission.NEVER:
            return (
                f"{tool} was not run: {decision.rule} forbids it. It will be forbidden again; find another way, or "
                "submit and say what could not be done"
            )
        if self.ask is not None:
            answer = self.ask(tool, _subject(arguments))
            if answer == "always":
                self.granted.add(tool)
            return "" if answer in ("yes", "always") else f"{tool} was not run: the user declined. Find another way"
        if self.unattended == "allow":
            return ""
        name = self.rule(tool)[0]
        return (
            f"{tool} was not run: {decision.rule}, and nobody is here to ask. To allow it, the user sets "
            f'permission = "always" in [tools.{name}], or adds a pattern to its allowlist. Go on without it, or submit '
            "and say what could not be done"
        )

    def unmet(self, needed: Iterable[str]) -> list[str]:
        """For a headless start: a line for each tool that the task needs and that would be refused, before money is
        spent."""
        lines = []
        for tool in needed:
            decision = self.decide(tool, {})
            refused = decision.permission is Permission.ASK and self.ask is None and self.unattended == "refuse"
            if refused or decision.permission is Permission.NEVER:
                partly = " but for its allowlist" if self.rule(tool)[1].allowlist and refused else ""
                lines.append(
                    f'{tool} will be refused{partly}: {decision.rule}; set [tools.{tool}] permission = "always"'
                )
        return lines


class Permitted:
    """A tool behind the rules."""

    def __init__(self, tool: Tool, permissions: Permissions) -> None:
        self.tool, self.permissions = tool, permissions

    @property
    def spec(self) -> ToolSpec:
        return self.tool.spec

    @property
    def repeatable(self) -> bool:
        return bool(getattr(self.tool, "repeatable", False))

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        why = self.permissions.refusal(self.spec.name, arguments)
        if why:
            return Observation(why, "error", {"fault": "not_permitted"})
        return self.tool.run(arguments)


def commands(line: str) -> list[str]:
    """The commands of a shell line, blanks evened out; empty where the line cannot be taken apart for certain."""
    line = re.sub(r"(?<=\s)2>&1(?=\s|$)", "", line)  # what the tool does by itself
    plain = re.sub(r"'[^']*'|\"[^\"$`\\!]*\"", lambda quoted: "Q" * len(quoted[0]), line)
    if "'" in plain or '"' in plain or _OPAQUE.search(plain):
        return []
    cuts = [(m.start(), m.end()) for m in _SEPARATORS.finditer(plain)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(line)]
    parts = (" ".join(line[a:b].split()) for a, b in zip(starts, ends, strict=True))
    return [part for part in parts if part]


def _subject(arguments: Mapping[str, Any]) -> str:
    return next((str(arguments[name]) for name in ARGUMENTS if name in arguments), "")


def _matches(pattern: str, text: str) -> bool:
    if pattern.startswith("re:"):
        return re.search(pattern[3:], text) is not None
    return fnmatch.fnmatchcase(text.strip(), pattern)


def _permission(tool: str, given: Any) -> Permission:
    try:
        return Permission(given)
    except ValueError:
        raise UnsorryError(f"tools.{tool}.permission is {given!r}: use {', '.join(Permission)}") from None


def _patterns(tool: str, key: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(p, str) for p in given):
        raise UnsorryError(f"tools.{tool}.{key} must be a list of patterns")
    for pattern in given:
        if pattern.startswith("re:"):
            try:
                re.compile(pattern[3:])
            except re.error as error:
                raise UnsorryError(f"tools.{tool}.{key}: {pattern[3:]!r} is no regular expression: {error}") from None
    return tuple(given)
