"""The report as text: what a model wrote shows as what it is, and does nothing."""

from __future__ import annotations

from unsorry import Status
from unsorry.scaffolds.agent.patch import Change, Patch
from unsorry.scaffolds.agent.report import Declared, Report
from unsorry.scaffolds.agent.report_markdown import code, markdown, shown
from unsorry.scaffolds.agent.review import Reading

PATCH = Patch(b"x", "", "", (Change("B.lean", "renamed", "A`.lean", "100644", "100755"),))


def test_everything_is_in_it() -> None:
    report = Report(
        [
            Declared("A.lean", "Foo.bar", 3, Status.ACCEPTED, "accepted", "as stated", ("propext",)),
            Declared("A.lean", "Foo.baz", 5, Status.REJECTED, "statement.type_differs", "`1 = 2` is asked"),
        ],
        [Reading("statement", "A.lean", "Foo.baz", "theorem baz :\n  1 = 2", "theorem baz :\n  1 = 1", 5)],
        ["C.lean:7: unknown identifier"],
        ["D.lean"],
    )
    text = markdown(report, PATCH, cost="3 turns, free", title="Fill Foo")
    for wanted in (
        "1 of 2 declarations proved", "Axioms: `propext`. Cost: 3 turns, free.", "C.lean:7:", "`D.lean`",
        "| ✔ proved | `Foo.bar` | `A.lean:3` |", "statement.type\\_differs", "  -   1 = 2\n  +   1 = 1",
        "    theorem baz :", "- renamed `B.lean` from ``A`.lean`` (mode 100644 to 100755)",
    ):  # fmt: skip
        assert wanted in text, (wanted, text)


def test_hostile_names_and_texts_stay_text() -> None:
    name = "x` <img src=x onerror=alert(1)> [a](javascript:b) | **c**"
    body = "theorem \x1b[2J\u202eevil :\n```\n# not a heading\n\x00\x07<script>\n````"
    report = Report(
        [Declared("A|B.lean", name, 1, Status.REJECTED, "compile.failed", "<b>x</b> | `y` @everyone\nnext", ())],
        [Reading("definition", "a\nb.lean", name, "", body, 2)],
        ["</details> [x](y)"],
    )
    text = markdown(report, PATCH)
    assert all(bad not in text for bad in ("\x1b", "\x00", "\x07", "\u202e"))
    assert "\\u202e" in text and "\\x1b" in text
    fences = [line for line in text.splitlines() if line.strip().startswith("`````")]
    assert len(fences) == 2  # longer than any in the text, so that nothing in it ends the block
    assert "\\<b\\>x" in text and "\\@everyone next" in text and "\\</details\\>" in text
    row = next(line for line in text.splitlines() if line.startswith("| ✘"))
    assert row.replace("\\|", "").count("|") == 5
    assert "\nnext" not in text and "a b.lean" in text


def test_code_of_anything() -> None:
    assert code("a") == "`a`" and code("`a") == "`` `a ``" and code("") == "" and code("a``b") == "```a``b```"


def test_long_texts_are_cut() -> None:
    lines = shown(Reading("definition", "A.lean", "x", "", "\n".join(map(str, range(100)))))
    assert len(lines) == 41 and lines[-1] == "  ... 60 lines more"
