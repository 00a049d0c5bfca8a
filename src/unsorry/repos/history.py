"""The first-parent history of a branch: what was merged, when, and as which pull request.

Nothing but git's objects is asked: the number of a pull request is in the subject that GitHub, bors or a person gave
the commit, and its base is the commit's first parent.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.repos.objects import LARGEST_FOLDER, Repository, Unreadable

LONGEST = 20_000  # characters of a body that are kept
_MERGE = re.compile(r"Merge pull request #(\d{1,9})\b")
_BORS = re.compile(r"(?:Merge|Auto merge of|Rollup merge of) #(\d{1,9})\b(.*)")
_SQUASH = re.compile(r"\(#(\d{1,9})\)\s*\Z")
_BORS_TITLE = re.compile(r"(?:#?\d+: )?(.*?)(?:\s+r=\S+)?(?:\s+a=\S+)?\Z")
_STAMP = re.compile(rb">\s+(-?\d{1,12})(?:\s|\Z)")
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as it matters here; `date` is the committer's, ISO 8601 in UTC, "" where it has none that can be read.

    `number` is the pull request's, 0 where the subject names none.
    """

    id: str
    tree: str
    parents: tuple[str, ...]
    date: str
    number: int
    title: str
    body: str
    subject: str

    @property
    def reverts(self) -> bool:
        return self.title.lower().startswith(("revert ", "revert:", 'revert"')) or "This reverts commit " in self.body


def walk(repository: Repository, head: str) -> Iterator[Commit]:
    """The commits from `head` along first parents, newest first; raises Unreadable where the history breaks off."""
    id, seen = head, 0
    while id:
        commit = read(repository, id)
        yield commit
        seen += 1
        id = commit.parents[0] if commit.parents else ""
        if seen > 10_000_000:
            raise UnsorryError(f"the history of {head[:12]} does not end")


def read(repository: Repository, id: str) -> Commit:
    """One commit, whatever bytes it is made of; raises Unreadable."""
    kind, data = repository.read(id, LARGEST_FOLDER)
    if kind != "commit":
        raise Unreadable(f"{id[:12]} is a {kind}, not a commit")
    head, _, message = data.partition(b"\n\n")
    tree, parents, date, encoding = "", [], "", "utf-8"
    for line in head.split(b"\n"):
        word, _, rest = line.partition(b" ")
        if word == b"tree":
            tree = tree or _id(rest)
        elif word == b"parent":
            parents.append(_id(rest))
        elif word == b"committer":
            date = _date(rest)
        elif word == b"encoding":
            encoding = rest.decode("ascii", "replace")
    if not tree:
        raise Unreadable(f"the commit {id[:12]} has no tree")
    subject, body = _message(_text(message, encoding))
    number, title, body = pull_request(subject, body)
    return Commit(id, tree, tuple(p for p in parents if p), date, number, title, body[:LONGEST], subject)


def pull_request(subject: str, body: str) -> tuple[int, str, str]:
    """(number, title, body) of the pull request that a commit merges; number 0 and the subject where it names none."""
    if found := _MERGE.match(subject):
        return int(found[1]), *_title_in(body, subject)
    if found := _BORS.match(subject):
        title, rest = _title_in(body, subject)
        plain = _BORS_TITLE.match(title)
        return int(found[1]), (plain[1] if plain else title) or title, rest
    if found := _SQUASH.search(subject):
        return int(found[1]), subject[: found.start()].rstrip(), body
    return 0, subject, body


def _title_in(body: str, subject: str) -> tuple[str, str]:
    """A merge has the title as the first line of its body."""
    first, _, rest = body.lstrip("\n").partition("\n")
    return (first.strip(), rest.strip("\n")) if first.strip() else (subject, "")


def _message(text: str) -> tuple[str, str]:
    """The first line that is not empty, and what comes after it."""
    lines = text.replace("\r\n", "\n").lstrip("\n").split("\n")
    return " ".join(lines[0].split()), "\n".join(lines[1:]).strip("\n")


def _text(data: bytes, encoding: str) -> str:
    for name in (encoding, "utf-8"):
        try:
            return data.decode(name).replace("\0", "\ufffd")
        except (UnicodeError, LookupError):
            continue
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")


def _id(data: bytes) -> str:
    text = data.strip().decode("ascii", "replace")
    return text if _ID.fullmatch(text) else ""


def _date(who: bytes) -> str:
    """`Name <mail> seconds zone` -> ISO 8601; whoever wrote it may be nobody, and the seconds any number."""
    found = list(_STAMP.finditer(who))
    if not found:
        return ""
    try:
        moment = datetime.datetime.fromtimestamp(int(found[-1][1]), datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year >= 1970 else ""
