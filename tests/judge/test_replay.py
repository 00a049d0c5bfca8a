"""Putting declarations before the kernel: order, refusals, forged families, terms that are huge as trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from unsorry.judge.kernel import KernelLimits, KernelProcess, KernelReply
from unsorry.judge.library import Library, Scope
from unsorry.judge.replay import MAX_LITERAL_BITS, ReplayError, encode, plan
from unsorry.lean import olean
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind, RecursorInfo, Safety
from unsorry.lean.names import Name
from unsorry.lean.process import run_lean
from unsorry.lean.terms import ZERO, Arena, Expr, Level
from unsorry.lean.toolchain import Toolchain

SOURCE = """
universe u v
inductive Tree (α : Type u) where
  | leaf
  | node (children : List (Tree α)) (value : α)
mutual
inductive Even : Nat → Prop
  | zero : Even 0
  | succ : Odd n → Even (n + 1)
inductive Odd : Nat → Prop
  | succ : Even n → Odd (n + 1)
end
structure Point (α : Type u) where
  x : α
  y : α
theorem even_two : Even 2 := .succ (.succ .zero)
theorem point_eta (p : Point Nat) : (⟨p.x, p.y⟩ : Point Nat) = p := rfl
def Tree.value? : Tree α → Option α
  | .leaf => none
  | .node _ a => some a
theorem literal : 100000000000000000000 + 1 = 100000000000000000001 := rfl
theorem text : "ab".length = 2 := rfl
theorem quotient (f : Nat → Nat) : Quot.lift (r := fun _ _ => False) f (fun _ _ h => h.elim) (Quot.mk _ 3) = f 3 := rfl
def letIn : Nat := let x := 2; x + x
theorem arith (a b : Nat) (h : a < b) : a + 1 ≤ b := by omega
opaque hidden : Nat
def deep : Nat → Nat → Nat := fun a b => (fun p : Nat × Nat => p.1 + p.2) (a, b)
unsafe def bad : False := bad
"""
N = Name.parse


@pytest.fixture(scope="module")
def module(embedded: Toolchain) -> olean.Module:
    run = run_lean(embedded, SOURCE, olean=True)
    assert run.ok and run.olean is not None, run.messages
    return olean.read(run.olean)


@pytest.fixture(scope="module")
def scope(embedded: Toolchain) -> Scope:
    return Library(embedded).scope([N("Init")])


@pytest.fixture(scope="module")
def kernel(embedded: Toolchain, scope: Scope) -> Iterator[KernelProcess]:
    with KernelProcess(embedded, scope.paths) as made:
        yield made


@pytest.fixture(scope="module")
def empty(embedded: Toolchain) -> Iterator[KernelProcess]:
    with KernelProcess(embedded) as made:
        yield made


Submit = Callable[..., KernelReply]


@pytest.fixture(scope="module")
def submit(kernel: KernelProcess, scope: Scope) -> Submit:
    def send(own: dict[Name, Declaration], *targets: str, limits: KernelLimits | None = None) -> KernelReply:
        return kernel.check(encode(plan(map(N, targets), own.get, scope.__contains__)), limits)

    return send


def safe_names(module: olean.Module) -> list[str]:
    return [str(n) for n, d in module.declarations.items() if d.safety is Safety.SAFE and d.kind is not Kind.RECURSOR]


def test_everything_safe_in_a_file_is_accepted(module: olean.Module, kernel: KernelProcess, scope: Scope) -> None:
    names = [n for n, d in module.declarations.items() if d.safety is Safety.SAFE]
    groups = plan(names, module.declarations.get, scope.__contains__)
    assert {d.name for g in groups for d in g.members} >= set(names)
    assert kernel.check(encode(groups)).ok


@pytest.mark.parametrize("name", ["even_two", "point_eta", "literal", "quotient", "Tree.value?", "text"])
def test_the_full_replay_agrees_with_the_incremental_one(
    module: olean.Module, scope: Scope, submit: Submit, empty: KernelProcess, name: str
) -> None:
    def find(n: Name) -> Declaration | None:
        return module.declarations.get(n) or scope.find(n)

    assert submit(module.declarations, name).ok
    assert empty.check(encode(plan([N(name)], find))).ok


def test_an_empty_environment_knows_nothing(module: olean.Module, scope: Scope, empty: KernelProcess) -> None:
    groups = plan([N("even_two")], module.declarations.get, scope.__contains__)
    assert empty.check(encode(groups)).error == "unknownConstant"


def test_requests_do_not_see_each_other(module: olean.Module, submit: Submit) -> None:
    for _ in range(3):  # the same names each time
        assert submit(module.declarations, "even_two").ok


def forge(module: olean.Module, name: str, **changes: object) -> dict[Name, Declaration]:
    return {**module.declarations, N(name): replace(module.declarations[N(name)], **changes)}  # type: ignore[arg-type]


def test_a_false_theorem_is_refused(module: olean.Module, submit: Submit) -> None:
    own = forge(module, "literal", value=module.declarations[N("text")].value)
    reply = submit(own, "literal")
    assert not reply.ok and reply.logical


def test_a_theorem_must_be_a_proposition(module: olean.Module, submit: Submit) -> None:
    own = forge(module, "letIn", kind=Kind.THEOREM)
    assert submit(own, "letIn").error == "thmTypeIsNotProp"


def test_what_is_missing_or_circular_is_refused(module: olean.Module, scope: Scope) -> None:
    with pytest.raises(ReplayError) as caught:
        plan([N("nowhere")], module.declarations.get, scope.__contains__)
    assert caught.value.reason == "replay.missing"
    arena = module.arena
    a = Declaration(Kind.THEOREM, N("a"), (), arena.const(N("False"), ()), arena.const(N("b"), ()))
    b = Declaration(Kind.THEOREM, N("b"), (), arena.const(N("False"), ()), arena.const(N("a"), ()))
    with pytest.raises(ReplayError) as caught:
        plan([N("a")], {N("a"): a, N("b"): b}.get, scope.__contains__)
    assert caught.value.reason == "replay.circular"


def test_a_proof_by_itself_is_refused_by_the_kernel(module: olean.Module, submit: Submit) -> None:
    arena = module.arena
    own = {N("a"): Declaration(Kind.THEOREM, N("a"), (), arena.const(N("False"), ()), arena.const(N("a"), ()))}
    assert submit(own, "a").error == "unknownConstant"


def test_unsafe_constants_are_refused(module: olean.Module, scope: Scope) -> None:
    with pytest.raises(ReplayError) as caught:
        plan([N("bad")], module.declarations.get, scope.__contains__)
    assert caught.value.reason == "replay.unsafe"


def test_open_terms_are_refused(module: olean.Module) -> None:
    own = forge(module, "letIn", value=module.arena.bvar(0))
    with pytest.raises(ReplayError) as caught:
        encode(plan([N("letIn")], own.get, lambda n: n not in own))
    assert caught.value.reason == "replay.open_term"


# Forged families: the kernel makes constructors and recursors itself, and what the file says must agree.


def info(module: olean.Module, name: str, **changes: object) -> dict[Name, Declaration]:
    declaration = module.declarations[N(name)]
    assert declaration.info is not None
    return forge(module, name, info=replace(declaration.info, **changes))


FORGED: dict[str, Callable[[olean.Module], dict[Name, Declaration]]] = {
    "k flag": lambda m: info(m, "Even.rec", k=True),
    "fields of a constructor": lambda m: info(m, "Tree.node", fields=1),
    "index of a constructor": lambda m: info(m, "Tree.node", index=0),
    "indices of a type": lambda m: info(m, "Even", indices=0),
    "minors of a recursor": lambda m: info(m, "Tree.rec", minors=1),
    "rules of a recursor": lambda m: info(m, "Tree.rec", rules=m.declarations[N("Tree.rec_1")].info.rules),  # type: ignore[union-attr]
    "type of a recursor": lambda m: forge(m, "Even.rec", type=m.declarations[N("Odd.rec")].type),
    "recursor of a nested type": lambda m: forge(m, "Tree.rec_1", type=m.declarations[N("Tree.rec")].type),
    "nested": lambda m: info(m, "Tree", nested=0),
}  # fmt: skip


@pytest.mark.parametrize("case", FORGED, ids=lambda c: c.replace(" ", "-"))
def test_a_forged_family_is_found(module: olean.Module, submit: Submit, case: str) -> None:
    own = FORGED[case](module)
    target = (
        "Tree.value?" if "Tree" in str([n for n in own if own[n] is not module.declarations.get(n)]) else "even_two"
    )
    reply = submit(own, target)
    assert reply.error == "regenerated" and reply.logical, reply


BROKEN: dict[str, Callable[[olean.Module], dict[Name, Declaration]]] = {
    "constructor of another type": lambda m: info(m, "Even.zero", inductive=N("Odd")),
    "constructor without a type": lambda m: info(m, "Even.zero", inductive=N("Nowhere")),
    "type without its family": lambda m: info(m, "Even", all=(N("Odd"),)),
    "members that disagree": lambda m: info(m, "Odd", all=(N("Odd"), N("Even"))),
    "a definition as a constructor": lambda m: info(m, "Even", constructors=(N("Even.zero"), N("letIn"))),
    "a constructor left out": lambda m: info(m, "Even", constructors=(N("Even.zero"),)),
}


@pytest.mark.parametrize("case", BROKEN, ids=lambda c: c.replace(" ", "-"))
def test_a_family_that_is_none_is_refused(module: olean.Module, submit: Submit, case: str) -> None:
    own = BROKEN[case](module)
    with pytest.raises(ReplayError) as caught:
        submit(own, "even_two")
    assert caught.value.reason == "replay.family"


def test_a_recursor_under_another_name_is_refused(module: olean.Module, submit: Submit) -> None:
    own = dict(module.declarations)
    recursor = own[N("Even.rec")]
    own[N("mine")] = replace(recursor, name=N("mine"))
    arena = module.arena
    levels = tuple(arena.param(p) for p in recursor.level_params)
    own[N("t")] = Declaration(
        Kind.DEFINITION, N("t"), recursor.level_params, recursor.type, arena.const(N("mine"), levels)
    )
    with pytest.raises(ReplayError) as caught:
        submit(own, "t")
    assert caught.value.reason == "replay.family"


def test_a_non_positive_type_is_refused(module: olean.Module, submit: Submit) -> None:
    """The negative occurrence that gives False: an inductive type whose constructor takes a function from it."""
    arena = module.arena
    one: Level = arena.succ(ZERO)
    t, mk = N("T"), N("T.mk")
    to_false = arena.pi(Name(), arena.const(t, ()), arena.const(N("False"), ()))
    own = {
        t: Declaration(Kind.INDUCTIVE, t, (), arena.sort(one), info=InductiveInfo(0, 0, (t,), (mk,), 0, False, False)),
        mk: Declaration(
            Kind.CONSTRUCTOR, mk, (), arena.pi(Name(), to_false, arena.const(t, ())), info=ConstructorInfo(t, 0, 0, 1)
        ),
    }
    reply = submit(own, "T")
    assert not reply.ok and reply.logical


def test_a_forged_recursor_proves_nothing(module: olean.Module, submit: Submit) -> None:
    """A recursor whose type says that everything holds."""
    recursor = module.declarations[N("Even.rec")]
    assert isinstance(recursor.info, RecursorInfo)
    arena = module.arena
    own = forge(module, "Even.rec", type=arena.const(N("False"), ()), level_params=())
    own[N("boom")] = Declaration(
        Kind.THEOREM, N("boom"), (), arena.const(N("False"), ()), arena.const(N("Even.rec"), ())
    )
    reply = submit(own, "boom")
    assert not reply.ok and reply.logical


# Terms that are small as graphs and huge as trees.


def doubled(arena: Arena, start: Expr, times: int) -> Expr:
    """A sum of 2^times copies of `start`, with `times` applications."""
    add = arena.const(N("Nat.add"), ())
    for _ in range(times):
        start = arena.app(arena.app(add, start), start)
    return start


def test_a_term_that_is_huge_as_a_tree_is_checked(module: olean.Module, submit: Submit) -> None:
    arena = module.arena
    value = doubled(arena, arena.const(N("hidden"), ()), 2000)
    own = dict(module.declarations)
    own[N("huge")] = Declaration(Kind.DEFINITION, N("huge"), (), arena.const(N("Nat"), ()), value)
    eq = arena.app(
        arena.app(arena.app(arena.const(N("Eq"), (arena.succ(ZERO),)), arena.const(N("Nat"), ())), value), value
    )
    refl = arena.app(arena.app(arena.const(N("Eq.refl"), (arena.succ(ZERO),)), arena.const(N("Nat"), ())), value)
    own[N("same")] = Declaration(Kind.THEOREM, N("same"), (), eq, refl)
    assert submit(own, "huge", "same").ok


def test_a_deep_term_is_checked_or_given_up_but_never_accepted_wrongly(module: olean.Module, submit: Submit) -> None:
    arena = module.arena
    e = arena.const(N("Nat.zero"), ())
    for _ in range(20_000):
        e = arena.app(arena.const(N("Nat.succ"), ()), e)
    own = dict(module.declarations)
    own[N("tall")] = Declaration(Kind.DEFINITION, N("tall"), (), arena.const(N("Nat"), ()), e)
    own[N("wrong")] = Declaration(Kind.DEFINITION, N("wrong"), (), arena.const(N("Bool"), ()), e)
    right, wrong = submit(own, "tall"), submit(own, "wrong")
    assert right.ok or not right.logical, right
    assert not wrong.ok


def test_a_large_literal_is_not_sent(module: olean.Module, scope: Scope) -> None:
    own = forge(module, "letIn", value=module.arena.nat(1 << (MAX_LITERAL_BITS + 1)))
    with pytest.raises(ReplayError) as caught:
        encode(plan([N("letIn")], own.get, scope.__contains__))
    assert caught.value.reason == "replay.limit"


def test_literals_up_to_the_limit_are_sent(module: olean.Module, submit: Submit) -> None:
    own = forge(module, "letIn", value=module.arena.nat((1 << 100_000) + 12345))
    assert submit(own, "letIn").ok


def test_names_are_sent_by_structure(module: olean.Module, submit: Submit) -> None:
    arena = module.arena
    odd = [
        Name(("a.b",)),
        Name(("a", "b")),
        Name(("a", 1)),
        Name(("a", "1")),
        Name(("a\nb",)),
        Name(("",)),
        Name(("a\0b",)),
        Name(("a", "b", 2**32 - 1)),
    ]
    own = {n: Declaration(Kind.DEFINITION, n, (), arena.const(N("Nat"), ()), arena.nat(i)) for i, n in enumerate(odd)}
    pairs = arena.const(odd[0], ())
    for name in odd[1:]:
        pairs = arena.app(arena.app(arena.const(N("Nat.add"), ()), pairs), arena.const(name, ()))
    eq = arena.app(arena.app(arena.app(arena.const(N("Eq"), (arena.succ(ZERO),)), arena.const(N("Nat"), ())), pairs),
                   arena.nat(sum(range(len(odd)))))  # fmt: skip
    refl = arena.app(arena.app(arena.const(N("Eq.refl"), (arena.succ(ZERO),)), arena.const(N("Nat"), ())), pairs)
    own[N("t")] = Declaration(Kind.THEOREM, N("t"), (), eq, refl)
    assert submit(own, "t").ok


def test_a_kernel_that_does_not_finish_decides_nothing(module: olean.Module, submit: Submit) -> None:
    """2^40 steps of unary recursion."""
    arena = module.arena
    nat, one = arena.const(N("Nat"), ()), arena.succ(ZERO)
    motive = arena.lam(Name(), nat, nat)
    step = arena.lam(Name(), nat, arena.lam(Name(), nat, arena.app(arena.const(N("Nat.succ"), ()), arena.bvar(0))))
    rec = arena.const(N("Nat.rec"), (one,))
    count = arena.app(arena.app(arena.app(arena.app(rec, motive), arena.nat(0)), step), arena.nat(1 << 40))
    eq = arena.app(arena.app(arena.app(arena.const(N("Eq"), (one,)), nat), count), arena.nat(1 << 40))
    refl = arena.app(arena.app(arena.const(N("Eq.refl"), (one,)), nat), arena.nat(1 << 40))
    own = {N("slow"): Declaration(Kind.THEOREM, N("slow"), (), eq, refl)}
    reply = submit(own, "slow", limits=KernelLimits(wall=2, cpu=2, memory=1 << 30))
    assert not reply.ok and not reply.logical, reply
    assert submit(module.declarations, "even_two").ok  # and the process goes on
