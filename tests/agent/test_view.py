"""A trajectory in the terminal and as a page: everything is there, and whatever it holds is text."""

from __future__ import annotations

import io
import json
import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from loop_world import WORK, Any_, Script, begin, call, says, tools
from rich.console import Console

from unsorry import UnsorryError
from unsorry.cli import run as unsorry
from unsorry.scaffolds.agent import Observation, Reply, ToolCall, Usage
from unsorry.scaffolds.agent.compaction import Compactor
from unsorry.scaffolds.agent.limits import Limits
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.page import page
from unsorry.scaffolds.agent.recorder import Recorder
from unsorry.scaffolds.agent.story import duration, money, story, visible
from unsorry.scaffolds.agent.trajectory import Trajectory, read
from unsorry.scaffolds.agent.view import cut, show

NASTY = (
    "</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>\" onmouseover='alert(3)' &lt; "
    "\x1b[2J\x1b]0;owned\x07 \u202eesrever\u202c \r\x08 \ud800 [bold]markup[/bold] javascript:alert(4)"
)


def run(folder: Path, *answers: Any, **options: Any) -> Trajectory:
    path = folder / "trajectory.jsonl"
    with Recorder(path, None if path.exists() else begin("Fill the sorry of `add_zero'`.\n∀ n, n + 0 = n")) as recorder:
        more = [Any_(lambda _: Observation(NASTY, "unknown", {"fault": NASTY}))]
        Agent(Script(answers, recorder.trajectory.replies), tools(folder, *more), recorder, **options).run()
    return read(path)


def terminal(trajectory: Trajectory, **options: Any) -> str:
    out = io.StringIO()
    show(trajectory, Console(file=out, width=100, force_terminal=True, color_system="truecolor"), **options)
    return out.getvalue()


def hostile(folder: Path) -> Trajectory:
    with Recorder(folder / "trajectory.jsonl", {**begin(NASTY), "profile": NASTY, "id": NASTY}) as recorder:
        box = tools(folder, Any_(lambda _: Observation(NASTY, "unknown", {"fault": NASTY})))
        answers = [
            says(NASTY, ToolCall(NASTY, NASTY, {NASTY: NASTY, "n": [NASTY]}, NASTY), reasoning_content=NASTY),
            says(NASTY, call("do", NASTY), ToolCall("", "do", None, NASTY, NASTY)),
            says("", call("submit", text=NASTY)),
        ]
        Agent(Script(answers, id=NASTY), box, recorder).run()
    return read(folder / "trajectory.jsonl")


class Elements(HTMLParser):
    """What a browser would make of a page: its elements, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_hostile_texts_are_text_in_a_page(tmp_path: Path) -> None:
    text = page(hostile(tmp_path))
    found = Elements(text)
    assert not found.tags & {"script", "img", "iframe", "object", "link", "form", "input", "base"}
    assert not [name for name, _ in found.attributes if name.startswith("on") or name == "src"]
    assert all(value and value.startswith("#step-") for name, value in found.attributes if name == "href")
    assert {v for n, v in found.attributes if n == "style"} <= {"max-width:84px"}
    words = "".join(found.words)
    assert words.count("<script>alert(1)</script>") >= 9  # it is all shown
    assert "default-src 'none'" in text and text.encode("utf-8")
    assert not [c for c in text if not (c.isprintable() or c in "\n\t")]
    assert "\\u202eesrever" in words and "\\x1b[2J" in words


def test_hostile_texts_are_text_in_a_terminal(tmp_path: Path) -> None:
    found = hostile(tmp_path)
    text = terminal(found, lines=0)
    plain = Console(file=io.StringIO(), width=100, no_color=True)
    show(found, plain, lines=0)
    said = plain.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[2J" not in text and "\x1b]" not in text and "\u202e" not in text and "\x08" not in text
    assert "\x1b" not in said and "[bold]markup[/bold]" in " ".join(said.split())


def test_everything_is_there(tmp_path: Path) -> None:
    found = run(tmp_path, *WORK)
    text, shown = page(found), terminal(found)
    for part in (
        "Fill the sorry of",
        "I look.",
        "three lines",
        "malformed",
        "unknown_tool",
        "told by the loop",
        "hm",
        "∀ n, n",
    ):
        assert part.split("'")[0] in text and part in shown
    assert text.count('<section class="step"') == 7 and text.count('class="call ') == 9
    assert "7 turns · $0.0700 · 700 in (280 cached) · 70 out" in text
    assert '<span class="badge ok">submitted</span>' in text
    assert text.count('href="#step-') == 14  # the chart's bars and the steps' own
    kinds = [e.kind for e in story(found)]
    assert kinds == [
        "system",
        "user",
        "start",
        "reply",
        "reply",
        "reply",
        "loop",
        "reply",
        "reply",
        "reply",
        "reply",
        "end",
    ]
    assert [c.status for c in story(found)[-2].calls] == ["ok", "error"]


def test_diffs_and_long_texts(tmp_path: Path) -> None:
    diff = "edited\n@@ -1,2 +1,2 @@\n-by sorry <b>\n+by rfl\n n = n"
    more = [Any_(lambda _: Observation(diff), "edit"), Any_(lambda _: Observation("line\n" * 50), "long")]
    with Recorder(tmp_path / "trajectory.jsonl", begin()) as recorder:
        answers = [says("", call("edit", path="A.lean"), call("long")), WORK[-1]]
        Agent(Script(answers), tools(tmp_path, *more), recorder).run()
        text, shown = page(recorder.trajectory), terminal(recorder.trajectory)
    assert '<span class="del">-by sorry &lt;b&gt;</span>\n<span class="add">+by rfl</span>\n n = n' in text
    assert "<code>A.lean</code>" in text and "<summary>51 lines" in text
    assert "[38 more lines]" in shown


def test_a_run_that_is_not_over(tmp_path: Path) -> None:
    run(tmp_path, WORK[0], says("", call("write", "w", text="x")))
    path = tmp_path / "trajectory.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    cut_at = next(n for n, line in enumerate(lines) if b'"type":"call"' in line) + 1
    path.write_bytes(b"".join(lines[:cut_at]))
    found = read(path)
    assert "not ended" in page(found) and "no answer" in terminal(found)


def test_limits_compactions_and_unknown_costs(tmp_path: Path) -> None:
    def long(n: int) -> Reply:
        return says("think " * 900, call("read", f"c{n}"), cost=None if n == 1 else 0.0, tokens=Usage(4_000 + n, 0, 9))

    writer = Script([says("The summary <b>.", cost=0.0)] * 9, id="small")
    found = run(tmp_path, *map(long, range(6)), compactor=Compactor(writer, 3_500, recent=0), limits=Limits(turns=5))
    text = page(found)
    assert "The summary &lt;b&gt;." in text and "tokens became" in text and 'class="cut"' in text
    assert '<span class="badge unknown">limit turns</span>' in text and "limits: turns 5" in text
    assert "cost unknown" in text and "free" in text and "the turns limit is reached" in terminal(found)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, *WORK)
    path = tmp_path / "trajectory.jsonl"
    assert unsorry(["view", str(tmp_path)]) == 0
    assert "7 turns" in capsys.readouterr().out
    assert unsorry(["view", str(path), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["end"], value["steps"], value["submitted"], value["spent"]["turns"]) == (
        "submitted", 7, "three lines", 7,
    )  # fmt: skip
    assert unsorry(["view", str(path), "--rows"]) == 0
    assert json.loads(capsys.readouterr().out)["train"]
    assert unsorry(["view", str(path), "--html", str(tmp_path / "new" / "page.html")]) == 0
    assert (tmp_path / "new" / "page.html").read_text().startswith("<!doctype html>")
    capsys.readouterr()
    assert unsorry(["view", str(path), "--step", "5"]) == 0
    out = capsys.readouterr().out
    assert "three" in out and "I look." not in out


def test_the_folder_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for attempt in ("1", "2"):
        folder = tmp_path / "run" / "task" / attempt
        folder.mkdir(parents=True)
        run(folder, *WORK)
        code = unsorry(["view", str(tmp_path / "run"), "--json"])
        said = capsys.readouterr()
        assert code == 0 if attempt == "1" else code == 2 and "holds 2 trajectories: give one of" in said.err
    assert unsorry(["view", str(tmp_path)]) == 2
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says_"),
    [
        (["{t}", "--step", "8"], "there is no step 8: "),
        (["{t}", "--json", "--rows"], "use one of --html, --rows and --json"),
        (["{f}/none.jsonl"], "cannot read"),
        (["{t}", "--html", "/dev/null/x.html"], "cannot write /dev/null/x.html"),
        (["{f}/work.txt"], "not a trajectory"),
    ],
)
def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says_: str) -> None:
    run(tmp_path, *WORK)
    given = [a.format(t=tmp_path / "trajectory.jsonl", f=tmp_path) for a in arguments]
    assert unsorry(["view", *given]) == 2
    said = capsys.readouterr().err
    assert says_ in said and said.count("\n") == 1


def test_any_damage_is_one_line_or_a_view(tmp_path: Path) -> None:
    """Values of a trajectory replaced by others, anywhere: it is refused in one line, or shown."""
    run(tmp_path, *WORK)
    lines = (tmp_path / "trajectory.jsonl").read_text().splitlines()
    choose = random.Random(3)
    odd: list[Any] = [None, 3, -1, 1e300, "x", [], {}, [[]], {"a": 1}, True, float("nan"), "\ud800\x1b[2J"]
    shown = refused = 0
    for _ in range(150):
        number = choose.randrange(len(lines))
        value = json.loads(lines[number])
        _damage(value, choose, odd)
        path = tmp_path / "damaged.jsonl"
        path.write_text("\n".join([*lines[:number], json.dumps(value), *lines[number + 1 :]]) + "\n")
        try:
            found = read(path)
        except UnsorryError as error:
            refused += 1
            assert "\n" not in str(error)
            continue
        shown += 1
        Elements(page(found))
        assert "\x1b[2J" not in terminal(found)
    assert shown > 20 and refused > 20


def _damage(value: Any, choose: random.Random, odd: list[Any]) -> None:
    """Replace one value somewhere inside."""
    while True:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = choose.choice(keys)
        if isinstance(value[key], dict | list) and choose.random() < 0.7:
            value = value[key]
        else:
            value[key] = choose.choice(odd)
            return


def test_words() -> None:
    assert visible("a\r\nb\tc ∀\x07\u2028") == "a\nb\tc ∀\\x07\\u2028"
    assert [money(x) for x in (None, 0, 0.0004, 2.5)] == ["cost unknown", "free", "$0.0004", "$2.50"]
    assert [duration(x) for x in (3.21, 600, 9000, -1, "x")] == ["3.2 s", "10 min", "2 h 30 min", "?", "?"]
    assert cut("a\nb\nc\n", 2) == "a\nb\n[1 more lines]" and cut("a\nb\n", 2) == "a\nb"
