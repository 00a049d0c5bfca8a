"""Figures of made-up attempts against plain loops; what is published stays apart; a page that runs nothing."""

from __future__ import annotations

import itertools
import json
import random
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.evaluation import attempts as store
from unsorry.repos import published
from unsorry.repos.figures import Mark, Series, plot
from unsorry.repos.preflight import FILE, Check, Flight, keep
from unsorry.repos.preflight import read as flights
from unsorry.repos.report import Report, buy, report
from unsorry.repos.report_text import markdown, page, terminal
from unsorry.repos.sources import Item, problems
from unsorry.repos.systems import System, expected_best, load

SVG = "{http://www.w3.org/2000/svg}"


def attempt(task: str, solved: bool, money: float | None, *, seed: int = 0, **notes: object) -> Attempt:
    verdict = Verdict(Status.ACCEPTED if solved else Status.REJECTED, "accepted" if solved else "axioms.sorry", "x")
    return Attempt(
        task, "m", "agent:prove", "", verdict, Cost(60.0, 100, 0, 10, money), seed, {**notes, "key": str(seed)}
    )


def system(name: str, rates: Sequence[float], samples: int, money: float | None, seed: int = 0) -> System:
    dice = random.Random(seed)
    items = tuple(Item(f"pr{i}", f"f{i // 2}") for i in range(len(rates)))
    made = [attempt(item.id, dice.random() < rate, money, seed=s, fraction=0.5) for s in range(samples)
            for item, rate in zip(items, rates, strict=True)]  # fmt: skip
    return System(name, name, "agent:prove", items, tuple(made))


@pytest.fixture(scope="module")
def two() -> Report:
    rates = [i / 12 for i in range(12)]
    cheap, dear = system("cheap", rates, 8, 0.1), system("dear <b>&", [min(1, r + 0.3) for r in rates], 4, 2.0, 1)
    return report([cheap, dear], published=published.read())


def test_pass_at_k_and_costs_are_those_of_all_orders(two: Report) -> None:
    for line in two.lines:
        made = next(s for s in two.systems if s.name == line.system)
        wanted = mean(
            mean(any(a.verdict.accepted for a in some) for some in itertools.combinations(tries, line.k))
            for tries in made.by_task.values()
        )
        assert line.score == pytest.approx(wanted)
        assert line.low is not None and line.high is not None and line.low <= line.score <= line.high
        price = 0.1 if line.system == "cheap" else 2.0
        assert line.spend.money == pytest.approx(12 * price * line.k)
        assert line.stopping.money is not None and line.stopping.money <= line.spend.money + 1e-9
    assert {(line.system, line.k) for line in two.lines} == {
        *(("cheap", k) for k in (1, 2, 4, 8)), *(("dear <b>&", k) for k in (1, 2, 4)),
    }  # fmt: skip
    assert {d.k for d in two.differences} == {1, 2, 4} and all(d.low <= d.value <= d.high for d in two.differences)


def test_the_best_of_k_is_that_of_all_subsets() -> None:
    values = [0.0, 0.25, 0.25, 1.0, 0.5]
    for k in range(1, 6):
        assert expected_best(values, k) == pytest.approx(mean(map(max, itertools.combinations(values, k))))
    with pytest.raises(ValueError, match="best of 6"):
        expected_best(values, 6)


def test_what_to_buy_is_on_no_other_points_side(two: Report) -> None:
    points = [(line.spend.money, line.score) for line in two.lines]
    for p in two.purchases:
        assert not any(c is not None and c <= p.cost and s > p.score for c, s in points)
    first = buy(two, budget=1.3)
    assert (first.system, first.k) == ("cheap", 1)
    with pytest.raises(UnsorryError, match="nothing costs at most"):
        buy(two, budget=0.1)
    with pytest.raises(UnsorryError, match="nothing measured reaches 101"):
        buy(two, target=101)
    assert buy(two, target=0).cost == min(p.cost for p in two.purchases)


def test_published_rows_are_drawn_and_are_in_no_figure_of_ours(two: Report) -> None:
    drawing = ET.fromstring(two.svg())
    titles = [node.text or "" for node in drawing.iter(f"{SVG}title")]
    assert sum("Leanstral" in t for t in titles) == 5 and sum("cheap, pass@" in t for t in titles) == 4
    alone = report(two.systems, published=None)
    assert list(alone.purchases) == two.purchases and alone.lines == two.lines
    assert "Leanstral" not in alone.svg() and "Published" not in markdown(alone)
    assert "FLTEval and not on these tasks" in markdown(two)


def test_pages_hold_what_names_say_as_text(two: Report) -> None:
    html = page(two)
    assert "dear &lt;b&gt;&amp;" in html and "<b>" not in html and "<script" not in html
    assert "default-src 'none'" in html and "http" not in html.replace("http-equiv", "").replace(
        "http://www.w3.org/2000/svg", "")  # fmt: skip
    assert "dear \\<b\\>" in markdown(two) and "what k to buy" in terminal(two)
    assert json.loads(json.dumps(two.as_json()))["rows"]


def test_unknown_money_is_unknown_and_time_is_compared(two: Report) -> None:
    unknown = system("unknown", [0.5] * 6, 2, None)
    made = report([unknown])
    assert made.measure == "seconds" and made.unit == "hours of work" and "unknown" in markdown(made)
    priced = report([unknown], measure="money")
    assert not priced.purchases and "unknown" in priced.notes[-1]
    free = report([system("free", [0.5] * 6, 2, 0.0), system("paid", [0.9] * 6, 2, 1.0)])
    assert free.measure == "money" and 'text-anchor="middle">free<' in free.svg()


def test_what_is_left_out_is_told() -> None:
    made = system("m", [0.5] * 6, 2, 0.1)
    less = System("m", "m", "s", (*made.items, Item("pr9", "f9")), made.samples, (attempt("pr1", False, 3.0),), 2)
    told = " ".join(report([less]).notes)
    assert "1 of 7 tasks have no scored attempt" in told and "2 attempts are not scored" in told
    assert "1 attempts failed for reasons" in told and "$3" in told
    with pytest.raises(UnsorryError, match="two runs are called"):
        report([less, made])
    review = [attempt(f"pr{i}", False, 0.0, outcome="review") for i in range(3)]
    held = System("r", "r", "s", tuple(Item(f"pr{i}", "") for i in range(3)), tuple(review))
    assert report([held]).lines[0].score == 0 and "at most 100.0 %" in report([held]).notes[0]


def test_attempts_that_eval_made_only_after_failures_are_no_samples(tmp_path: Path) -> None:
    path = tmp_path / "attempts.jsonl"
    for name, tries in (("a", [False, False, True]), ("b", [True])):
        for solved in tries:
            store.append(path, replace(attempt(name, solved, 0.0), notes={"key": name}))
    made = load(path)
    assert made.least == 1 and report([made]).lines[0].score == 0.5


def test_what_a_kill_left_of_a_preflight_is_passed_over(tmp_path: Path) -> None:
    one, two = (Flight(id, "s", "a", (Check("gold", True),), 1.0) for id in ("one", "two"))
    keep(tmp_path, one)
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"format": 1, "torn')
    assert flights(tmp_path) == [one]
    keep(tmp_path, two)
    assert flights(tmp_path) == [one, two] and (tmp_path / FILE).read_bytes().count(b"\n") == 2


def test_a_drawing_of_one_point_and_of_none() -> None:
    for series in ([], [Series("one", (Mark(1, 0.0, 0.0),))], [Series("one", (Mark(1, 5.0, 100.0, 90.0, 100.0),))]):
        drawing = ET.fromstring(plot(series))
        numbers = [float(v) for n in drawing.iter() for k, v in n.attrib.items() if k in ("x", "y", "cx", "cy")]
        assert all(-50 < x < 1000 for x in numbers)


def test_rows_that_are_no_table_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    zero = {"source": "s", "columns": list(published.COLUMNS), "rows": [["m", 0, 1, 2]]}
    for text in ("[", "{}", '{"columns": ["a"]}', json.dumps(zero)):
        path.write_text(text)
        with pytest.raises(UnsorryError, match="no table of published figures") as caught:
            published.read(path)
        assert "\n" not in str(caught.value)
    assert published.read().rows[2].cost == 1650 and "Leanstral announcement" in published.read().source


def test_the_published_rows_are_the_announcements(shared: Path) -> None:
    theirs = json.loads((shared / "announcement-figures.json").read_text())
    ours = json.loads(published.OURS.read_text())
    assert {key: ours[key] for key in theirs} == theirs


SHAPES = {
    "minif2f": {"name": "m", "formal_statement": "theorem m (n : Nat) : n = n := by", "header": "import Init"},
    "proofnet": {"id": "p", "formal_statement": "theorem p (n : Nat) : n = n := sorry", "nl_statement": "..."},
    "putnam": {"name": "q", "lean4_statement": "theorem q (n : Nat) : n = n :=\n  sorry", "tag": "algebra"},
    "minicodeprops": {"full_name": "c", "prop_defn": "theorem c (n : Nat) : one n = n := by sorry", "score": 3,
                      "deps": "def one (n : Nat) := n"},
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_as_benchmarks_publish_them(tmp_path: Path, shape: str) -> None:
    path = tmp_path / f"{shape}.jsonl"
    path.write_text(json.dumps(SHAPES[shape]) + "\n")
    (problem,) = problems(path)
    assert problem.targets == (problem.id,) and problem.statement.endswith(":= by sorry")
    if shape == "minicodeprops":
        assert "def one" in problem.source
    broken = {k: "def x := 1" if "theorem" in str(v) else v for k, v in SHAPES[shape].items()}
    path.write_text(json.dumps(broken))
    with pytest.raises(UnsorryError, match="states no theorem"):
        problems(path)


def test_a_folder_of_tip_files(shared: Path, tmp_path: Path) -> None:
    source = sorted((shared / "data" / "tip" / "isaplanner").rglob("*.smt2"))[0]
    (tmp_path / source.name).write_bytes(source.read_bytes())
    (problem,) = problems(tmp_path)
    assert problem.targets and "theorem" in problem.statement
