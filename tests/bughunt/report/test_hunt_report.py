"""The report of a hunt in all its forms: complete, and nothing that a crate says becomes markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from hunted_reports import EVIL, TEST, hostile, ordinary
from sarif_shape import LOG

from unsorry import UnsorryError
from unsorry.bughunt.findings import CrateReport, Lines
from unsorry.bughunt.report import files, page, quoted, sarif, write
from unsorry.bughunt.report import markdown as markdown_of
from unsorry.bughunt.report.figures import claims_line, figures
from unsorry.bughunt.report.funnel import ANNOUNCED, funnel, table


class Tags(HTMLParser):
    """All elements of a page with their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    return tags


def test_markdown_tells_everything(tmp_path: Path) -> None:
    text = markdown_of(ordinary(tmp_path))
    for wanted in (
        "2 claims: 1 confirmed by a failing Rust test, 1 suspected; precision 50 %",
        "3 properties: 1 proved, 1 refuted, 1 open",
        "3 functions: 2 translated, 1 refused",
        "`low = 4294967295u32, high = 1u32`",
        "debug: fails, attempt to add with overflow",
        "release: passes, passed",
        TEST.strip(),
        "    (low + high) / 2",
        "let sum ← low + high",
        "only suspected: property wrong",
        "unsafe: reads a raw pointer",
        "trait: not translated",
        "the budget ended before 2 proofs",
        "7 inputs, 1.5 s of Rust",
        "- rustc 1.95.0, lean 4.35.0\n",
    ):
        assert wanted in text, wanted
    assert str(tmp_path) not in text


def test_page_tells_everything_and_runs_nothing(tmp_path: Path) -> None:
    tags = parsed(page(ordinary(tmp_path)))
    for wanted in ("midpoint", "4294967295u32", "crate::midpoint(4294967295, 1);", "sum / 2#u32", "precision 50 %",
                   "unsafe: reads a raw pointer", "theorem bounds", "trait Shape"):  # fmt: skip
        assert wanted in tags.text, wanted
    assert not tags.found & {"script", "img", "link", "iframe", "form"}


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    report = hostile(tmp_path)
    tags = parsed(page(report))
    assert not tags.found & {"script", "img", "a"}
    assert not any(name.startswith("on") for name in tags.attributes)
    assert "<script>alert(1)</script>" in tags.text
    for text in (page(report), markdown_of(report), json.dumps(sarif(report))):
        assert "\x1b" not in text and "\u202e" not in text


def test_hostile_texts_open_no_markup_in_markdown(tmp_path: Path) -> None:
    text = markdown_of(hostile(tmp_path))
    fence = ""
    outside = []
    for line in text.split("\n"):
        if not fence and (found := re.match("`{3,}", line)):
            fence = found[0]
        elif fence and line == fence:
            fence = ""
        elif not fence:
            outside.append(line)
    assert not fence, "a code block is not closed"
    for line in outside:
        bare = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)  # without inline code
        assert "<script" not in bare.replace("\\<", "") and "[x](" not in bare, line
        assert not line.startswith("# gone")


def test_sarif_has_the_shape_of_the_standard(tmp_path: Path) -> None:
    log = sarif(ordinary(tmp_path), hostile(tmp_path))
    jsonschema.validate(json.loads(json.dumps(log)), LOG)
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert (result["kind"] == "fail") or result["level"] == "none"  # 3.27.10


def test_sarif_says_where_and_how_sure(tmp_path: Path) -> None:
    run = sarif(ordinary(tmp_path))["runs"][0]
    bug, suspicion = run["results"]
    place = bug["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/lib.rs", "uriBaseId": "CRATE"}
    assert place["region"] == {"startLine": 3, "endLine": 3}
    assert bug["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert (bug["level"], suspicion["kind"]) == ("error", "review")
    told = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert told[0] == "peek is refused: unsafe: reads a raw pointer" and len(told) == 3
    assert str(tmp_path) not in json.dumps(run)


def test_the_shape_is_strict(tmp_path: Path) -> None:
    log = sarif(ordinary(tmp_path))
    del log["runs"][0]["results"][0]["message"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, LOG)


def test_files_are_written_and_stay_inside(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for report in (ordinary(tmp_path / "a"), hostile(tmp_path / "b")):
        for path in write(report, out):
            assert path.resolve().is_relative_to(out.resolve())
    assert TEST in (out / "tests/midpoint_overflows.rs").read_text()
    write(ordinary(tmp_path / "a"), out)
    read = json.loads((out / "report.json").read_text())
    assert read["format"] == 1 and read["findings"][0]["test"] == TEST


def test_tests_of_one_name_are_all_kept(tmp_path: Path) -> None:
    report = ordinary(tmp_path)
    twice = CrateReport(report.crate, report.root, report.hash, findings=(report.findings[0],) * 2)
    assert {"tests/midpoint_overflows.rs", "tests/midpoint_overflows_2.rs"} <= set(files(twice))


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsorryError, match="cannot write"):
        write(ordinary(tmp_path), tmp_path / "file")


def test_nothing_outside_of_the_crate_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("token\n")
    crate = tmp_path / "crate"
    report = ordinary(crate)
    (crate / "link.rs").symlink_to(tmp_path / "secret")
    for name in ("../secret", "link.rs", str(tmp_path / "secret"), "src", "none.rs"):
        assert quoted.rust(report, Lines(name, 1, 1)) == [], name
    assert quoted.rust(report, Lines("src/lib.rs", 3, 3)) == [(3, "    (low + high) / 2")]
    assert quoted.rust(report, Lines("src/lib.rs", 99, 99)) == []


def test_nothing_claimed_has_no_precision(tmp_path: Path) -> None:
    report = ordinary(tmp_path)
    empty = CrateReport(report.crate, report.root, report.hash)
    assert figures(empty).precision is None
    assert claims_line(figures(empty)) == "no claims"
    assert page(empty) and markdown_of(empty)


def test_funnel(tmp_path: Path) -> None:
    reports = [ordinary(tmp_path), CrateReport("empty", str(tmp_path), "")]
    row = funnel("ours", reports, known=lambda _, finding: finding.function == "midpoint")
    assert (row.repos, row.flagged, row.real, row.new, row.precision) == (2, 2, 1, 0, 0.5)
    assert funnel("ours", reports).new is None
    lines = table([ANNOUNCED, row]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert re.sub(" +", " ", lines[2]) == "| Leanstral, as announced | 57 | 47 | 11 | 5 | 23 % |"


def test_evil_is_evil() -> None:
    assert "<script>" in EVIL and "\x1b" in EVIL
