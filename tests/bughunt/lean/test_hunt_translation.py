"""What the translation to Lean looks like, and what it refuses."""

from __future__ import annotations

import pytest
from hunt_ir import BOOL, U8, U32, assign, binary, block, do, function, let, lit, var

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.lean import Call, evaluate, translate, translate_checked
from unsorry.bughunt.lean.statements import lean_literal, lean_names, never_fails, theorem
from unsorry.bughunt.values import Data, Panicked, Returned, Shapes, rust_literal, some
from unsorry.bughunt.wire import decode_outcome, encode
from unsorry.lean import toolchain
from unsorry.lean.process import run_lean

a, b, n, s, i = (var(x) for x in "abnsi")
AVERAGE = function("average", {"a": U32, "b": U32}, U32, block(tail=binary("/", binary("+", a, b), lit(2))))
HALVES = function("halves", {"a": U32, "b": U32}, U32,
                  block(tail=binary("+", binary("/", a, lit(2)), binary("/", b, lit(2)))))  # fmt: skip
TURN = block(do(ir.AssignOp(ty=ir.UNIT, op="+", place=s, value=i)))
RANGE = ir.IterRange(U32, lit(0), n, False)
SUM = function("sum", {"n": U32}, U32, block(
    let("s", lit(0), mutable=True),
    do(ir.For(ty=ir.UNIT, label="l", pattern=ir.Bind(U32, "i"), source=RANGE, body=TURN)),
    tail=s))  # fmt: skip
HALVE = block(assign(n, binary("/", n, lit(2))))
DOWN = function("down", {"n": U32}, U32, block(
    do(ir.While(ty=ir.UNIT, label="l", condition=binary(">", n, lit(0)), body=HALVE)),
    tail=n))  # fmt: skip
CRATE = ir.Crate("demo", functions=(AVERAGE, HALVES, SUM, DOWN))


def text(path: str, mode: str = "debug") -> str:
    translation = translate(CRATE, mode=mode)  # type: ignore[arg-type]
    facts = translation.functions[path]
    return "\n".join(translation.source.split("\n")[facts.first - 1 : facts.last])


def test_overflow_is_a_panic_in_debug_and_wraps_in_release() -> None:
    assert "U32.add a b" in text("average") and "wrapping" not in text("average")
    assert "U32.wrapping_add a b" in text("average", "release")


def test_a_loop_over_a_range_needs_no_fuel_and_a_while_does() -> None:
    functions = translate(CRATE).functions
    assert not functions["sum"].fuel and functions["down"].fuel
    assert "demo.sum_loop" in text("sum") and "| 0, _, s => ok s" in text("sum")
    assert "| fuel+1, n => do" in text("down")


def test_lean_evaluates_many_calls_at_once() -> None:
    calls = [Call("average", (2**32 - 1, 1)), Call("average", (3, 4)), Call("sum", (100,)), Call("down", (77,))]
    debug = evaluate(translate(CRATE), calls)
    assert debug == [Panicked(), Returned(3), Returned(4950), Returned(0)]
    assert isinstance(debug[0], Panicked) and debug[0].kind == "integerOverflow"
    assert evaluate(translate(CRATE, mode="release"), calls)[0] == Returned(0)


def test_what_does_not_end_is_told_apart_from_a_panic() -> None:
    (outcome,) = evaluate(translate(CRATE), [Call("sum", (2**31,))])
    assert type(outcome).__name__ == "Endless"


def test_evaluation_refuses_values_of_other_types() -> None:
    with pytest.raises(UnsorryError, match="no value of the type"):
        evaluate(translate(CRATE), [Call("average", (2**32, 1))])
    with pytest.raises(UnsorryError, match="takes 2 arguments"):
        evaluate(translate(CRATE), [Call("average", (1,))])
    with pytest.raises(UnsorryError, match="no translation"):
        evaluate(translate(CRATE), [Call("nothing", ())])


def test_a_statement_is_proved_and_a_false_one_is_not() -> None:
    translation = translate(CRATE)
    variables = [("a", U32), ("b", U32)]
    good = theorem(translation, "halves_ok", variables, never_fails(translation, "halves", ["a", "b"]))
    assert good.statement.startswith("theorem halves_ok (a : Int) (b : Int) (ha : U32.In a) (hb : U32.In b) :")
    bad = theorem(translation, "average_ok", variables, never_fails(translation, "average", ["a", "b"]))
    tools = toolchain.find()
    for problem, name, holds in ((good, "halves", True), (bad, "average", False)):
        source = problem.source.replace(":= by sorry", f":= by\n  simp [demo.{name}]\n  omega")
        assert run_lean(tools, source).ok is holds
    refuted = "example : ¬ ∀ a b, U32.In a → U32.In b → (demo.average a b).fails = false := by\n"
    refuted += "  intro h\n  have h := h 4294967295 1 (by decide) (by decide)\n  revert h\n  decide\n"
    assert run_lean(tools, translation.source + refuted).ok


def test_a_call_of_what_is_refused_is_refused_by_name() -> None:
    why = ir.Refusal("unsafe", "an unsafe block")
    opaque = ir.Function(path="raw", generics=(), params=(), ret=U32, body=None, refusal=why)
    caller = function("caller", {}, U32, block(tail=ir.Call(ty=U32, function="raw", type_args=(), args=())))
    translation = translate(ir.Crate("demo", functions=(opaque, caller, HALVES)))
    assert [(r.path, r.code) for r in translation.refused] == [("raw", "unsafe"), ("caller", "calls refused")]
    assert set(translation.functions) == {"halves"}


def test_a_break_of_an_outer_loop_is_refused() -> None:
    inner = ir.Loop(ty=ir.NEVER, label="in", body=block(do(ir.Break(ty=ir.NEVER, label="out")), ty=ir.NEVER))
    outer = ir.Loop(ty=ir.UNIT, label="out", body=block(do(inner), ty=ir.NEVER))
    translation = translate(ir.Crate("demo", functions=(function("f", {}, ir.UNIT, block(do(outer))),)))
    assert [r.code for r in translation.refused] == ["outer break"]


def test_what_lean_does_not_take_costs_one_function_only() -> None:
    wrong = function("wrong", {"a": U32}, BOOL, block(tail=a))  # a front end would never say this
    translation = translate_checked(ir.Crate("demo", functions=(wrong, HALVES)))
    assert [(r.path, r.code) for r in translation.refused] == [("wrong", "lean")]
    assert set(translation.functions) == {"halves"}


def test_names_of_lean_and_of_the_library_are_not_taken() -> None:
    names: dict[str, ir.Type] = {"end": U32, "ok": U32, "fuel": U32, "demo": U32}
    total = var("end")
    for name in ("ok", "fuel", "demo"):
        total = binary("+", total, var(name))  # type: ignore[assignment]
    crate = ir.Crate("demo", functions=(function("check", names, U32, block(tail=total)),))
    assert evaluate(translate(crate), [Call("check", (1, 2, 3, 4))]) == [Returned(10)]
    assert lean_names([("end", U32), ("end_", U32)]) == ["end_", "end__"]


def test_values_in_rust_in_lean_and_on_the_wire() -> None:
    translation = translate(CRATE)
    shapes = Shapes(CRATE)
    option = ir.option(ir.Tuple((U8, ir.Vec(ir.Scalar("i8")))))
    value = some((7, [-1, 2]))
    assert rust_literal(value, option, shapes) == "Option::<(u8, Vec<i8>,)>::Some((7u8, vec![(-1i8), 2i8],))"
    assert lean_literal(value, option, translation) == "(some (7, [(-1), 2]))"
    assert encode(value, option, shapes) == [1, 7, 2, -1, 2]
    assert decode_outcome([0, 1, 7, 2, -1, 2], option, [], shapes) == Returned(value)
    with pytest.raises(UnsorryError, match="cannot be read"):
        decode_outcome([0, 1, 7, 2, -1], option, [], shapes)
    with pytest.raises(UnsorryError, match="no value"):
        encode(Data("Option", "Some", (1, 2)), option, shapes)
