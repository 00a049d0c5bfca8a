"""Profiles, settings and targets: data that is read, and what is said of data that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry import Problem, UnsorryError
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.config import VARIABLE, read_config
from unsorry.scaffolds.agent.engine import with_defaults
from unsorry.scaffolds.agent.inlined import inlined
from unsorry.scaffolds.agent.profiles import NAMES, load
from unsorry.scaffolds.agent.targets import Target, find_targets

SHELF = Path(__file__).parent / "repository"


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's settings file."""
    path = tmp_path / "agent.toml"
    path.write_text("")
    monkeypatch.setenv(VARIABLE, str(path))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_has_its_prompt_and_the_values_of_the_field(name: str) -> None:
    profile = load(name)
    prompt = profile.system()
    assert "native_decide" in prompt and "After 2 failed attempts" in prompt and "$" not in prompt
    assert (profile.temperature, profile.compact_at, profile.keep_words) == (1.0, 168_000, 20_000)
    assert (profile.compact_temperature, profile.bash_seconds) == (0.2, 1200.0)
    assert {"lean_check", "submit", "edit_file"} <= set(profile.tools)
    extra = {"migrate": "migrate_diagnose", "translate": "parity_report"}
    assert [tool for tool in extra.values() if tool in profile.tools] == [extra[n] for n in extra if n == name]


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text("Be brief. ${failed_attempts} tries.")
    (tmp_path / "own.toml").write_text(
        'description = "mine"\nprompts = ["own.md"]\ntools = ["submit"]\nfailed_attempts = 5\n'
    )
    profile = load(str(tmp_path / "own.toml"))
    assert (profile.name, profile.system()) == ("own", "Be brief. 5 tries.\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('description = "x"\nprompts = []\ntols = []\n', "unknown key 'tols'; did you mean tools"),
        ('description = "x"\nprompts = []\ntools = "bash"\n', "tools must be of type"),
        ('description = "x"\nprompts = []\n', "tools is missing"),
        ("description = ", "is not TOML"),
    ],
)
def test_a_wrong_profile_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(UnsorryError, match=said):
        load(str(tmp_path / "own.toml"))
    with pytest.raises(UnsorryError, match="did you mean prove"):
        load("proof")


def test_settings_of_the_user_and_then_of_the_project(tmp_path: Path, user: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    user.write_text(
        f'trusted_folders = ["{project}"]\nmodel = "endpoint:http://localhost/v1#a"\n[limits]\nturns = 5\nprice = 1\n'
        '[tools.bash]\npermission = "never"\n[compaction]\nat = 1000\n'
    )
    (project / "unsorry.toml").write_text(
        '[agent]\nmodel = "search"\nunattended = "allow"\n[agent.limits]\nturns = 9\n[agent.provers]\nnames = []\n'
    )
    config, told = read_config(project)
    assert (config.model, config.limits.turns, config.limits.price, told) == ("search", 9, 1, [])
    assert (config.compaction.at, config.provers.names, config.unattended) == (1000, (), "allow")
    assert config.tools == {"bash": {"permission": "never"}}


def test_a_project_that_is_not_trusted_cannot_send_work_away_or_answer_questions(tmp_path: Path, user: Path) -> None:
    (tmp_path / "unsorry.toml").write_text(
        '[agent]\nmodel = "endpoint:http://elsewhere/v1#a"\nunattended = "allow"\nprofile = "define"\n'
        '[[agent.mcp_servers]]\nname = "x"\ntransport = "stdio"\ncommand = "/bin/true"\n'
    )
    config, told = read_config(tmp_path)
    assert (config.model, config.unattended, config.profile, config.mcp_servers) == ("search", "refuse", "define", ())
    assert len(told) == 1 and "model, unattended, mcp_servers left aside" in told[0] and "trusted_folders" in told[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("modle = 'x'\n", "unknown key 'modle'; did you mean model"),
        ("[limits]\nturn = 3\n", "limits: unknown key 'turn'; did you mean turns"),
        ("[limits]\nturns = '3'\n", "limits.turns must be a number"),
        ("[compaction]\nat = 1.5\n", "compaction.at must be a whole number"),
        ("unattended = 'yes'\n", 'is "refuse" or "allow"'),
        ("[provers]\nnames = 'search'\n", "names must be a list"),
        ("model = [\n", "is not TOML"),
    ],
)
def test_wrong_settings_are_one_line(tmp_path: Path, user: Path, text: str, said: str) -> None:
    user.write_text(text)
    with pytest.raises(UnsorryError, match=said) as caught:
        read_config(tmp_path)
    assert "\n" not in str(caught.value) and str(user) in str(caught.value)


def test_what_a_task_names_comes_in_the_order_of_imports() -> None:
    named = find_targets("Fill Shelf/Trees.lean, `Shelf/Lists.lean:rev_rev` and (Shelf/Lists.lean#L36).", SHELF)
    assert named == (
        Target("Shelf/Lists.lean", "rev_rev"), Target("Shelf/Lists.lean", "", 36), Target("Shelf/Trees.lean"),
    )  # fmt: skip
    everything = [target.file for target in find_targets("fill the sorries", SHELF)]
    assert len(everything) == 16 and everything[-1] == "Shelf.lean"
    assert everything.index("Shelf/Lists.lean") < everything.index("Shelf/Trees.lean")
    assert everything.index("Shelf/Machine.lean") < everything.index("Shelf/Compile.lean")
    assert len(find_targets("all of Shelf/ please", SHELF)) == 15
    assert find_targets("../../etc/passwd.lean /etc/x.lean Shelf/Trees.lean", SHELF) == (Target("Shelf/Trees.lean"),)


def test_the_search_is_shown_imports_as_text_without_what_is_not_proved(embedded: Toolchain) -> None:
    text = (SHELF / "Shelf" / "Trees.lean").read_text()
    problem = Problem("p", text, ("Shelf.Tree.mirror_mirror",))
    shown = inlined(problem, SHELF)
    assert shown is not None
    found, prefix, header = shown
    assert header.startswith("import Shelf.Lists") and "import" not in found.source
    assert "def revOnto" in prefix and "rev_rev" not in prefix  # it has a sorry, nothing may rest on it
    assert found.source.startswith(prefix) and header + found.source[len(prefix) :].strip() == text.strip()
    assert run_lean(embedded, found.source).ok
    alone = Problem("p", "theorem t : 1 = 1 := by sorry", ("t",))
    assert inlined(alone, SHELF) is None


def test_options_that_an_endpoint_names_itself_are_kept() -> None:
    assert with_defaults("local:x", temperature=1.0) == "local:x"
    assert with_defaults("endpoint:http://a/v1#m", temperature=1.0) == "endpoint:http://a/v1#m?temperature=1.0"
    given = "endpoint:http://a/v1#m?temperature=0.2"
    assert with_defaults(given, temperature=1.0, stream=1) == given + "&stream=1"
