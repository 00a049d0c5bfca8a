"""`unsorry verify` as a user runs it: what holds, and every field of a certificate tampered with."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from unsorry import Problem, UnsorryError, cli
from unsorry.judge import certificate as certificates
from unsorry.judge.sandbox import choose

STATEMENT = "-- ∀ 𝔸\nnamespace A\ntheorem t (a b : Nat) : a + b = b + a := by sorry\nend A\n"
PROOF = STATEMENT.replace("sorry", "omega")
OTHER = STATEMENT.replace("b + a", "b + a + 0")
SANDBOX = "none"  # the texts are ours
CIRCUMSTANCES = ("judge", "confinement", "library_checked", "second.checker", "second.steps")


class Files:
    def __init__(self, folder: Path, judged: dict[str, Any]) -> None:
        self.folder, self.judged = folder, judged
        self.statement = self.write("Statement.lean", STATEMENT)
        self.submission = self.write("Submission.lean", PROOF)

    def write(self, name: str, text: str) -> Path:
        (self.folder / name).write_text(text)
        return self.folder / name

    def run(self, given: Any, *options: str, texts: bool = True) -> int:
        path = self.write("given.json", given if isinstance(given, str) else json.dumps(given))
        both = ["--problem", str(self.statement), "--submission", str(self.submission)] if texts else []
        return cli.run(["verify", str(path), *both, *options])


@pytest.fixture(scope="module")
def judged(embedded: object, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `unsorry judge --json` prints."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "S.lean").write_text(STATEMENT)
    (folder / "P.lean").write_text(PROOF)
    out = folder / "out.json"
    with pytest.MonkeyPatch.context() as patch, out.open("w") as file:
        patch.setattr("sys.stdout", file)
        assert cli.run(["judge", str(folder / "S.lean"), str(folder / "P.lean"), "--sandbox", SANDBOX, "--json"]) == 0
    return dict(json.loads(out.read_text()))


@pytest.fixture
def files(tmp_path: Path, judged: dict[str, Any]) -> Files:
    return Files(tmp_path, copy.deepcopy(judged))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not items or not value:
        yield path
    for key, inner in items:
        yield from leaves(inner, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    made = copy.deepcopy(value)
    place = made
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    return made


def resealed(forged: dict[str, Any]) -> dict[str, Any]:
    return {**forged, "digest": certificates._seal(forged)}


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return (
        ["propext", "Quot.sound"] if isinstance(value, list) else {"t": "theorem"} if isinstance(value, dict) else "x"
    )


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def test_it_holds(files: Files, capsys: Any) -> None:
    for given in (files.judged, files.judged["certificate"]):
        assert files.run(given) == 0
        out, err = capsys.readouterr()
        assert out.startswith("holds: ") and "this problem" in out and "this submission" in out and err == ""
    assert files.run(files.judged, texts=False) == 0
    assert capsys.readouterr().out == "holds: the certificate is whole\n"
    assert files.run(files.judged, "--replay", "--sandbox", SANDBOX, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["result"] == "holds" and told["checked"][-1] == "judged again" and told["differences"] == []
    assert told["certificate"] == files.judged["certificate"]["digest"]


def test_other_texts_do_not_fit(files: Files, capsys: Any) -> None:
    files.submission.write_text(PROOF + "\n")
    assert files.run(files.judged) == 1
    assert "submission's source differs" in capsys.readouterr().out
    files.submission.write_text(PROOF)
    files.statement.write_text(OTHER)
    assert files.run(files.judged) == 1
    assert "problem's source differs" in capsys.readouterr().out


def test_every_field_of_the_certificate(files: Files, capsys: Any) -> None:
    """A change is found by the seal, whatever it is; so is a field that is gone or added."""
    good = files.judged["certificate"]
    paths = list(leaves(good))
    assert len(paths) > 20
    for path in paths:
        assert files.run(changed(good, path, other(at(good, path)))) == 1, path
        assert files.run(changed(good, path, None)) == 1, path
    for key in good:
        assert files.run({k: v for k, v in good.items() if k != key}) in (1, 2), key
    assert files.run({**good, "note": "checked"}) == 1
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())


def test_every_field_under_a_new_seal_is_found_by_judging_again(
    files: Files, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real judge is asked once for equal questions; each comparison is that of the command."""
    from unsorry.judge import StrictJudge

    known: dict[Any, Any] = {}
    original = StrictJudge.judge

    def once(self: StrictJudge, problem: Problem, submission: str, **options: Any) -> Any:
        asked = (problem, submission, *options.items(), self.full_replay)
        if asked not in known:
            known[asked] = original(self, problem, submission, **options)
        return known[asked]

    monkeypatch.setattr(StrictJudge, "judge", once)
    good = files.judged["certificate"]
    for path in leaves(good):
        if path == ("digest",):
            continue
        forged = resealed(changed(good, path, other(at(good, path))))
        code = files.run(forged, "--replay", "--sandbox", SANDBOX, "--json")
        told = json.loads(capsys.readouterr().out)
        name = ".".join(map(str, path))
        if any(part in name for part in CIRCUMSTANCES):
            assert code == 0 and any("the certificate says" in note for note in told["notes"]), (name, told)
        elif path == ("problem", "id"):  # the path of a file, which names nothing elsewhere
            assert code == 0, (name, told)
        else:
            assert code == 1 and told["differences"], (name, told)
            assert all(line.isprintable() for line in told["differences"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "rejected"), ("reason", "accepted.open_holes"), ("axioms", []), ("axioms", "propext"),
        ("targets", ["B.t"]), ("targets", None), ("tier", "fast"), ("problem", "other"), ("certificate", None),
        ("certificate", "accepted"), ("certificate", []),
    ],
)  # fmt: skip
def test_every_field_of_the_verdict(files: Files, capsys: Any, field: str, value: Any) -> None:
    assert files.run({**files.judged, field: value}) == 1
    assert capsys.readouterr().out.startswith("does not hold: ")


def test_what_is_false_does_not_hold(files: Files, capsys: Any) -> None:
    """A forgery that fits its texts in every digest, for a statement that is false."""
    files.statement.write_text(STATEMENT.replace("b + a", "b + a + 1"))
    files.submission.write_text(files.statement.read_text().replace("sorry", "omega"))
    from unsorry.cli.judge import stated_by

    forged = copy.deepcopy(files.judged["certificate"])
    forged["problem"]["source"] = certificates.problem_digest(stated_by(files.statement, ("A.t",)))
    forged["submission"]["source"] = certificates.text_digest(files.submission.read_text())
    forged = resealed(forged)
    assert files.run(forged) == 0, "offline nobody can tell"
    capsys.readouterr()
    assert files.run(forged, "--replay", "--sandbox", SANDBOX) == 1
    assert "judged again it is rejected" in capsys.readouterr().out


def test_undecided(files: Files, capsys: Any) -> None:
    assert files.run(files.judged, "--replay", "--sandbox", SANDBOX, "--timeout", "0.1") == 3
    assert capsys.readouterr().out.startswith("undecided: ")


@pytest.mark.parametrize("given", ["", "nonsense", "[]", "1", "{" * 5000, "[" * 50_000, "\x00"])
def test_what_is_no_certificate_cannot_be_run(files: Files, capsys: Any, given: str) -> None:
    assert files.run(given) in (1, 2)
    out, err = capsys.readouterr()
    assert len((out + err).splitlines()) <= 2 and "Traceback" not in err


def test_faults_of_the_user_are_one_line(files: Files, capsys: Any) -> None:
    assert files.run(files.judged, "--replay", texts=False) == 2
    assert files.run(files.judged, "--part") == 2
    assert files.run(files.judged, "--name", "t") == 2
    assert files.run(files.judged, "--problem", str(files.folder / "none.lean")) == 2
    assert cli.run(["verify", str(files.folder / "none.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 5


def test_a_problem_of_a_set_is_known_by_its_id(files: Files, capsys: Any) -> None:
    from unsorry.cli.judge import stated_by
    from unsorry.problems import jsonl

    problem = stated_by(files.statement, ())
    path = files.folder / "set.jsonl"
    jsonl.write(path, [replace(problem, id=name) for name in ("one", "two")])
    given = ["--submission", str(files.submission), "--problem"]
    out = [str(path) + ":one", str(files.submission), "--sandbox", SANDBOX, "--certificate", str(files.folder / "c")]
    assert cli.run(["judge", *out]) == 0
    assert cli.run(["verify", str(files.folder / "c"), *given, f"{path}:one"]) == 0
    assert cli.run(["verify", str(files.folder / "c"), *given, f"{path}:two"]) == 1
    assert "the problem's id differs" in capsys.readouterr().out


def test_what_prove_prints(files: Files, capsys: Any) -> None:
    two = STATEMENT + "theorem u : 1 + 1 = 2 := by sorry\n"
    source, filled = files.write("Two.lean", two), files.folder / "Filled.lean"
    assert cli.run(["prove", str(source), "-o", str(filled), "--sandbox", SANDBOX, "--json", "-w", "1"]) == 0
    report = capsys.readouterr().out
    assert files.run(report, texts=False) == 2, "which of the two?"
    assert "A.t, u" in capsys.readouterr().err
    names = [entry["name"] for entry in json.loads(report)["sorries"]]
    texts = ["--problem", str(source), "--submission", str(filled)]
    for name in names:
        assert files.run(report, "--name", name, texts=False) == 0
        given = str(files.folder / "given.json")
        assert cli.run(["verify", given, "--name", name, *texts, "--replay", "--part", "--sandbox", SANDBOX]) == 0
    capsys.readouterr()
    raw = json.loads(report)
    raw["sorries"][0]["axioms"] = ["propext", "Classical.choice", "Quot.sound", "more"]
    assert files.run(raw, "--name", names[0], texts=False) == 1


def test_the_strict_sandbox_is_the_default(files: Files) -> None:
    try:
        choose("strict")
    except UnsorryError:
        assert files.run(files.judged, "--replay") == 2
    else:
        assert files.run(files.judged, "--replay") == 0
