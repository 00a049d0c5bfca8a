"""Reports for tests: an ordinary one, and one whose every text is hostile."""

from __future__ import annotations

from pathlib import Path

from unsorry.bughunt.findings import (
    Build,
    Claim,
    CrateReport,
    Effort,
    Fault,
    Finding,
    FunctionFacts,
    Kind,
    Lines,
    Property,
    PropertyOutcome,
    Reason,
    RustRun,
    Status,
)

SOURCE = """/// The middle.
pub fn midpoint(low: u32, high: u32) -> u32 {
    (low + high) / 2
}
"""
TEST = """#[test]
fn midpoint_overflows() {
    crate::midpoint(4294967295, 1);
}
"""
LEAN = "-- the library\ndef midpoint (low high : U32) : Result U32 := do\n  let sum ← low + high\n  sum / 2#u32\n"


def ordinary(root: Path) -> CrateReport:
    """One confirmed bug, one suspicion, one proof, one refusal."""
    (root / "src").mkdir(parents=True, exist_ok=True)
    (root / "src/lib.rs").write_text(SOURCE)
    panic_free = Property(
        "midpoint.panic", Kind.PANIC_FREE, "midpoint", "midpoint never panics", "nothing is said about panics"
    )
    commutes = Property("midpoint.commutes", Kind.COMMUTATION, "midpoint", "midpoint commutes", "its name", False)
    bounds = Property("half.bounds", Kind.BOUNDS, "half", "half is no more than its input", '"at most n"')
    witness = (("low", "4294967295u32"), ("high", "1u32"))
    body = Lines("src/lib.rs", 2, 4)
    message = "attempt to add with overflow"
    bug = Finding(
        id="1",
        claim=Claim.CONFIRMED,
        reason=Reason.NONE,
        explanation="low + high does not fit",
        fault=Fault.OVERFLOW,
        function="midpoint",
        property="midpoint.panic",
        kind=Kind.PANIC_FREE,
        rust=body,
        at=Lines("src/lib.rs", 3, 3),
        lean=Lines("translation.lean", 2, 4),
        witness=witness,
        test_name="midpoint_overflows",
        test=TEST,
        debug=RustRun(Build.DEBUG, True, message, Fault.OVERFLOW, Lines("src/lib.rs", 3, 3)),
        release=RustRun(Build.RELEASE, False, "passed"),
        duplicates=("midpoint.bounds",),
    )
    suspicion = Finding(
        id="2",
        claim=Claim.SUSPECTED,
        reason=Reason.PROPERTY,
        explanation="nobody promised that it commutes",
        fault=Fault.WRONG,
        function="midpoint",
        property="midpoint.commutes",
        kind=Kind.COMMUTATION,
        rust=body,
    )
    return CrateReport(
        crate="search",
        root=str(root),
        hash="ab" * 32,
        functions=(
            FunctionFacts("midpoint", body, "translated", "", "midpoint", Lines("translation.lean", 2, 4)),
            FunctionFacts("half", Lines("src/lib.rs", 6, 8), "translated"),
            FunctionFacts("peek", Lines("src/lib.rs", 9, 9), "refused", "unsafe: reads a raw pointer"),
        ),
        outcomes=(
            PropertyOutcome(panic_free, Status.REFUTED, "Rust test", witness, message, effort=Effort(7, 1.5)),
            PropertyOutcome(commutes, Status.OPEN, "no proof in 20.0 s"),
            PropertyOutcome(bounds, Status.PROVED, "proof", proof="theorem bounds : True := trivial", axioms=()),
        ),
        findings=(bug, suspicion),
        refused=(("trait Shape at src/lib.rs:20", "trait: not translated"),),
        notes=("the budget ended before 2 proofs",),
        lean=LEAN,
        effort=Effort(7, 1.5, 2.0, 4, 4, 0, 0.0),
        seconds=12.0,
        versions={"rustc": "rustc 1.95.0", "lean": "4.35.0"},
    )


EVIL = "</pre><script>alert(1)</script>| ```\n# gone [x](http://evil) <img src=x onerror=alert(1)>\x1b[2J\u202e`"


def hostile(root: Path) -> CrateReport:
    """Every text of it tries to be markup, a second line or a command of the terminal."""
    lines = Lines("../../" + EVIL, 1, 2)
    prop = Property(EVIL, Kind.PROPOSED, EVIL, EVIL, EVIL)
    finding = Finding(
        id=EVIL,
        claim=Claim.CONFIRMED,
        reason=Reason.NONE,
        explanation=EVIL,
        fault=Fault.WRONG,
        function=EVIL,
        property=EVIL,
        kind=Kind.PROPOSED,
        rust=lines,
        lean=Lines(EVIL, 1, 3),
        witness=((EVIL, EVIL),),
        test_name="../../../" + EVIL,
        test=EVIL,
        module=EVIL,
        debug=RustRun(Build.DEBUG, True, EVIL),
        duplicates=(EVIL,),
    )
    return CrateReport(
        crate=EVIL,
        root=str(root),
        hash=EVIL,
        functions=(FunctionFacts(EVIL, lines, "refused", EVIL),),
        outcomes=(PropertyOutcome(prop, Status.REFUTED, EVIL, ((EVIL, EVIL),), EVIL, EVIL, doubtful=EVIL),),
        findings=(finding,),
        refused=((EVIL, EVIL),),
        notes=(EVIL,),
        lean=EVIL,
        versions={EVIL: EVIL},
    )
