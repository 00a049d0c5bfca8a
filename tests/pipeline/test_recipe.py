"""A recipe is checked whole before anything runs; every fault is one line that names file, table, key and remedy."""

import re
from pathlib import Path

import pytest
from tiny_stages import GrowConfig

from unsorry import UnsorryError
from unsorry.pipeline.recipe import Reference, load, missing_data

TWO = """
[[stage]]
kind = "t-numbers"
name = "first"
count = 2
[[stage]]
kind = "t-grow"
numbers = "first"
by = 2
tags = ["a", "b"]
"""


def fault(bench, stages: str, head: str = "", sets: tuple[str, ...] = ()) -> str:
    bench.write(stages, head)
    with pytest.raises(UnsorryError) as caught:
        bench.load(*sets)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_recipe_is_read_with_its_defaults(bench) -> None:
    bench.write(TWO)
    recipe = bench.load()
    assert [(s.name, s.kind, s.row) for s in recipe.stages] == [
        ("first", "t-numbers", "Base"),
        ("t-grow", "t-grow", "SFT"),
    ]
    assert recipe.stages[1].config == GrowConfig(by=2, tags=("a", "b"))
    assert recipe.stages[1].inputs == {"numbers": (Reference("first", "numbers"),), "more": ()}
    assert recipe.model.format == "plain" and recipe.judge.sandbox == "strict"


def test_flags_go_over_the_recipe_and_the_recipe_over_defaults(bench) -> None:
    bench.write(TWO, head="[judge]\nseconds = 5.0")
    recipe = load(bench.path, sets=["stage.t-grow.by=7", "judge.memory_mib=100", "stage.t-grow.fault=error"], seed=11)
    assert recipe.stages[1].config.by == 7
    assert recipe.stages[1].config.fault == "error"  # text that is no TOML is text
    assert (recipe.judge.seconds, recipe.judge.memory_mib, recipe.seed) == (5.0, 100, 11)


def test_unknown_keys_name_the_place_and_the_right_key(bench) -> None:
    said = fault(bench, TWO.replace("count", "cuont"))
    assert (
        str(bench.path) in said and "[[stage]] first" in said and "`cuont`" in said and "did you mean `count`?" in said
    )
    said = fault(bench, TWO, head="[judge]\nsandbx = 'strict'")
    assert "[judge]" in said and "did you mean `sandbox`?" in said
    said = fault(bench, TWO, head="[model.shape]\nlayer = 2\nhidden = 32\nheads = 2\nkv_heads = 1\nintermediate = 64")
    assert "[model.shape]" in said and "did you mean `layers`?" in said
    assert "did you mean `judge`?" in fault(bench, TWO, head="[judges]\n")
    assert "did you mean `Averaging`?" in fault(bench, TWO, head="[rows.Averagin]\n")
    assert "did you mean `on_fail`?" in fault(bench, TWO + "onfail = 'stop'\n")
    assert "did you mean `t-grow`?" in fault(bench, TWO.replace('"t-grow"', '"t-grwo"'))
    assert "no stage 'frist'; did you mean `first`?" in fault(bench, TWO, sets=("stage.frist.count=2",))


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("count = 2", 'count = "two"', "`count` should be a valid integer, not 'two'"),
        ("count = 2", 'count = "2"', "`count` should be a valid integer, not '2'"),
        ("count = 2", "count = 2.5", "`count` should be a valid integer"),
        ('tags = ["a", "b"]', "tags = [1]", "[[stage]] t-grow.tags: `0` should be a valid string, not 1"),
        ('tags = ["a", "b"]', 'on_fail = "halt"', "`on_fail` is 'halt'"),
        ('tags = ["a", "b"]', "skip = 1", "`skip` must be text"),
        ('tags = ["a", "b"]', "expect = 3", "`expect` must be a table of numbers"),
        ('tags = ["a", "b"]', 'on_fail = "stop"\nby = 3', "is not TOML"),
    ],
)
def test_wrong_types_are_one_line_with_the_place(bench, old: str, new: str, wanted: str) -> None:
    assert wanted in fault(bench, TWO.replace(old, new))


@pytest.mark.parametrize(
    ("reference", "wanted"),
    [
        ('"frist"', "which is no stage; did you mean `first`?"),
        ('"t-grow"', "which is not before it"),
        ('"first.weights"', "wants first.weights, but it makes numbers"),
        ('["first"]', "must be one name of earlier stages"),
        ("3", "must be one name of earlier stages"),
    ],
)
def test_references_are_checked(bench, reference: str, wanted: str) -> None:
    assert wanted in fault(bench, TWO.replace('numbers = "first"', f"numbers = {reference}"))


def test_a_missing_input_says_which_stage_could_give_it(bench) -> None:
    assert 'such as numbers = "first"' in fault(bench, TWO.replace('numbers = "first"\n', ""))


def test_later_stages_cannot_be_inputs(bench) -> None:
    text = '[[stage]]\nkind = "t-grow"\nnumbers = "n"\n[[stage]]\nkind = "t-numbers"\nname = "n"\n'
    assert "'n', which is not before it" in fault(bench, text)


def test_names_are_unique_and_fit_folders(bench) -> None:
    assert "two stages have this name" in fault(
        bench, TWO.replace('numbers = "first"', 'name = "first"\nnumbers = "first"')
    )
    assert "lower-case" in fault(bench, TWO.replace('"first"', '"../first"'))


def test_heads_are_checked(bench) -> None:
    bench.path.write_text(TWO)
    with pytest.raises(UnsorryError, match="`format` must be 1"):
        bench.load()
    bench.path.write_text('format = 1\nname = "Bad name"\n' + TWO)
    with pytest.raises(UnsorryError, match="`name` must be lower-case"):
        bench.load()
    bench.path.write_text('format = 1\nname = "x"\nseed = -1\n' + TWO)
    with pytest.raises(UnsorryError, match="`seed` must be a whole number"):
        bench.load()
    bench.path.write_text('format = 1\nname = "x"\n')
    with pytest.raises(UnsorryError, match="at least one stage"):
        bench.load()
    bench.path.write_text("format = ")
    with pytest.raises(UnsorryError, match="is not TOML"):
        bench.load()
    with pytest.raises(UnsorryError, match="no recipe at"):
        load(bench.folder / "other.toml")
    with pytest.raises(UnsorryError, match="write it as table"):
        load(bench.write(TWO), sets=["stage.first"])


def test_skipped_stages_hand_their_input_on(bench) -> None:
    bench.write(TWO + 'skip = "too dear"\n[[stage]]\nkind = "t-grow"\nname = "last"\nnumbers = "t-grow"\n')
    recipe = bench.load()
    assert recipe.source(recipe.stage("last").inputs["numbers"][0]) == Reference("first", "numbers")
    said = fault(bench, TWO.replace("count = 2", 'skip = "no"'))
    assert "'first', which is skipped and has no numbers of its own" in said


def test_rollback_needs_something_to_go_back_to(bench) -> None:
    assert "needs an input that it can go back to" in fault(bench, TWO.replace("count = 2", 'on_fail = "rollback"'))


def test_data_files_are_relative_to_the_recipe_and_must_exist(bench, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir("/")
    bench.write(TWO.replace("count = 2", 'source = "start.txt"'))
    recipe = bench.load()
    assert recipe.stages[0].config.source == tmp_path / "start.txt"
    (line,) = missing_data(recipe)
    assert "[[stage]] first: `source`: no such file" in line
    with pytest.raises(UnsorryError, match="no such file"):
        bench.run()
    assert not bench.out.exists()  # nothing ran
    (tmp_path / "start.txt").write_text("40")
    assert bench.run().ledger["t-grow"].ours == "sum 129"


DOCS = Path(__file__).parents[2] / "docs" / "recipes.md"


def test_the_manual_names_every_key_and_every_kind() -> None:
    from unsorry.pipeline.recipe import JudgeConfig, ModelConfig, ResourcesConfig, RowConfig, ShapeConfig
    from unsorry.pipeline.stage import EXPECTED, KINDS, RESERVED, find

    find("none")  # imports the package's own kinds
    prose = re.sub(r"^```.*?^```", "", DOCS.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    named = set(re.findall(r"`([^`\n]+?)[?*]?`", prose))
    tables = (JudgeConfig, ModelConfig, ResourcesConfig, RowConfig, ShapeConfig)
    wanted = {key for table in tables for key in table.model_fields} - {"ours", "reason", "status"}
    wanted |= {*EXPECTED, *RESERVED}
    for kind, stage in KINDS.items():
        if stage.__module__.startswith("unsorry."):  # other tests register kinds of their own
            wanted |= {kind, *stage.inputs, *stage.outputs}
    assert wanted <= named, sorted(wanted - named)


@pytest.mark.parametrize("path", sorted(DOCS.parents[1].glob("recipes/*.toml")), ids=lambda path: path.name)
def test_the_recipes_of_the_project_are_sound(path: Path) -> None:
    assert load(path).stages
