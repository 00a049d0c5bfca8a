"""lean_search: by name, by constants, by the shape of the conclusion; over what is really in reach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lean_world import TOWN, project, write

from unsorry import UnsorryError
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.pattern import parse_pattern
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.lean_tools import LeanSearch

HOUSES = """import Town.Street

namespace House
private theorem secret : twice 2 = 4 := rfl
theorem twice_le (m n : Nat) (h : m ≤ n) : twice m ≤ twice n := by unfold twice; omega
theorem twice_comm (m n : Nat) : twice m + twice n = twice n + twice m := Nat.add_comm ..
inductive Tree | leaf | node (l r : Tree)
def Tree.size : Tree → Nat | leaf => 1 | node l r => l.size + r.size
end House
"""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, embedded: Toolchain) -> Iterator[LeanProject]:
    opened = project(tmp_path_factory.mktemp("search") / "town", embedded, TOWN | {"Houses.lean": HOUSES})
    yield opened
    opened.close()


def names(town: LeanProject, **query: object) -> list[str]:
    return [m.name for m in town.search(limit=200, **query).matches]  # type: ignore[arg-type]


def test_by_name(town: LeanProject) -> None:
    assert names(town, name="append_nil") == ["List.append_nil"]
    assert names(town, name="twice one") == ["twice_one"]
    assert names(town, name="twice_*") == ["twice_one", "twice_zero"]
    assert "House.Tree.size" in names(town, name="tree")
    assert not [n for n in names(town, name="Tree") if "rec" in n or "match" in n or "noConfusion" in n]
    assert names(town, name="House.Tree.rec") == ["House.Tree.rec"]  # unless it is asked for


def test_by_what_is_used(town: LeanProject) -> None:
    assert set(names(town, uses=["twice", "≤"])) == {"House.twice_le"}
    assert "List.length_append" in names(town, name="length", uses=["++", "List.length"])
    found = town.search(uses=["Nat.nothing"])
    assert (found.total, found.notes) == (0, ("no statement uses a constant called Nat.nothing",))


@pytest.mark.parametrize(
    ("conclusion", "expected", "not_expected"),
    [
        ("List.length (_ ++ _) = _ + _", "List.length_append", "List.append_nil"),
        ("?a + ?b = ?b + ?a", "Nat.add_comm", "Nat.add_assoc"),
        ("_ ++ [] = _", "List.append_nil", "List.nil_append"),
        ("_ < ?n -> _ <= ?n", "Nat.le_of_lt", "Nat.lt_irrefl"),
        ("twice _ + twice _ = _", "House.twice_comm", "House.twice_le"),
        ("_ ≤ _ → twice _ ≤ twice _", "House.twice_le", "House.twice_comm"),
        ("⊢ ?n + 0 = ?n", "Nat.add_zero", "Nat.zero_add"),
        ("List.map ?f (?l ++ ?k) = List.map ?f ?l ++ List.map ?f ?k", "List.map_append", "List.map_cons"),
        ("¬ ?a < ?a", "Nat.lt_irrefl", "Nat.le_refl"),
    ],
)
def test_by_conclusion(town: LeanProject, conclusion: str, expected: str, not_expected: str) -> None:
    found = names(town, conclusion=conclusion)
    assert expected in found
    assert not_expected not in found


def test_signatures_are_lean_s_own_and_private_names_are_read_from_the_file(town: LeanProject) -> None:
    (match,) = town.search(name="House.twice_le").matches
    assert match.signature == "(m n : Nat) (h : m ≤ n) : twice m ≤ twice n"
    assert (match.kind, match.module) == ("theorem", "Houses")
    (secret,) = town.search(name="secret", path=Path("Houses.lean")).matches
    assert secret.name == "House.secret"
    assert "twice" in secret.signature


def test_what_a_file_does_not_reach_is_not_found(town: LeanProject) -> None:
    assert names(town, name="twice", path=Path("Town/Base.lean")) == ["twice", "twice_zero"]
    assert "House.twice_le" in names(town, name="twice")


def test_an_edit_is_searched_and_a_broken_file_is_named(tmp_path: Path, embedded: Toolchain) -> None:
    opened = project(tmp_path / "town", embedded)
    try:
        assert names(opened, name="twice_two") == []
        write(opened.root, {"Town/Base.lean": TOWN["Town/Base.lean"] + "theorem twice_two : twice 2 = 4 := rfl\n"})
        assert names(opened, name="twice_two") == ["twice_two"]
        write(opened.root, {"Town/Street.lean": "import Town.Base\ntheorem twice_one : 1 = 2 := True\n"})
        found = opened.search(name="twice_")
        assert [m.name for m in found.matches] == ["twice_two", "twice_zero"]
        assert found.notes[0].startswith("Town.Street, and what imports it, is not searched: it does not compile")
    finally:
        opened.close()


def test_without_a_project_the_library_is_searched(embedded: Toolchain, tmp_path: Path) -> None:
    opened = LeanProject(None, toolchain=embedded, confinement=Unconfined(), cache=tmp_path)
    try:
        assert names(opened, name="Nat.add_comm") == ["Nat.add_comm"]
    finally:
        opened.close()


@pytest.mark.parametrize("text", ["", "(", "_ = ", "a )", "= 3", "1 2", "fun x => x", "?"])
def test_a_pattern_that_cannot_be_read_says_where(text: str) -> None:
    if text == "?":
        assert parse_pattern(text)
        return
    with pytest.raises(UnsorryError, match="cannot be read at"):
        parse_pattern(text)


@pytest.mark.parametrize(
    "text",
    ["(" * 900, "¬" * 900 + "p", "a → " * 900 + "a", "a + " * 900 + "a", "a :: " * 900 + "a", "f " * 900, "9" * 5000],
    ids=["brackets", "prefixes", "arrows", "left", "right", "arguments", "digits"],
)
def test_a_pattern_that_is_too_large_is_one_line(text: str) -> None:
    with pytest.raises(UnsorryError, match="the pattern has") as told:
        parse_pattern(text)
    assert len(str(told.value)) < 100
    parse_pattern("(" * 70 + "a" + ")" * 70)


def test_the_tool_says_what_it_needs(town: LeanProject) -> None:
    tool = LeanSearch(town)
    assert tool.run({}).status == "error"
    assert tool.run({"conclusion": "("}).status == "error"
    assert tool.run({"name": "x" * 2000}).status == "error"
    found = tool.run({"name": "twice", "limit": 1})
    assert found.data["total"] > 1
    assert "the first 1" in found.text
