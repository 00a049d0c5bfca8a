"""The reader of compiled modules, on honest files and on hostile bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unsorry.lean import olean
from unsorry.lean import olean_shapes as shapes
from unsorry.lean.declarations import InductiveInfo, Kind, RecursorInfo, Safety
from unsorry.lean.names import Name
from unsorry.lean.olean import OleanError, Reader
from unsorry.lean.olean_image import FIRST, MODULE
from unsorry.lean.process import run_lean
from unsorry.lean.terms import App, Arena, NatLit, Proj, StrLit
from unsorry.lean.toolchain import Toolchain
from unsorry.lean.traversal import subterms

SOURCE = """
universe u
inductive Tree (α : Type u) where
  | leaf
  | node (children : List (Tree α)) (value : α)
structure Point where
  x : Nat
  y : Nat
def Point.sum (p : Point) : Nat := p.x + p.y
def big : Nat := 123456789012345678901234567890
def text : String := "naïve ∀"
opaque hidden : Nat
axiom wish : hidden = 3
partial def loop (n : Nat) : Nat := loop (n + 1)
unsafe def danger : Nat := 0
def «odd name».«1».x := 1
def even : Nat → Bool
  | 0 => true
  | n + 1 => !even n
theorem swap (a b : Nat) : a + b = b + a := Nat.add_comm a b
theorem proj (p : Point) : p.sum = p.x + p.y := rfl
"""


@pytest.fixture(scope="module")
def data(embedded: Toolchain) -> bytes:
    run = run_lean(embedded, SOURCE, olean=True)
    assert run.ok, run.messages
    assert run.olean is not None
    return run.olean


@pytest.fixture(scope="module")
def module(data: bytes) -> olean.Module:
    return olean.read(data)


def test_every_kind_of_declaration_is_read(module: olean.Module) -> None:
    found = module.declarations
    assert {i.module for i in module.imports} == {Name(("Init",))}
    kinds = {
        "Tree": Kind.INDUCTIVE, "Tree.node": Kind.CONSTRUCTOR, "Tree.rec": Kind.RECURSOR, "Point.sum": Kind.DEFINITION,
        "hidden": Kind.OPAQUE, "wish": Kind.AXIOM, "swap": Kind.THEOREM, "loop": Kind.OPAQUE,
    }  # fmt: skip
    assert {n: found[Name.parse(n)].kind for n in kinds} == kinds
    assert found[Name(("odd name", "1", "x"))].kind is Kind.DEFINITION
    assert found[Name(("danger",))].safety is Safety.UNSAFE
    assert found[Name(("swap",))].safety is Safety.SAFE
    assert found[Name(("Tree",))].level_params == (Name(("u",)),)


def test_inductive_families_are_read_in_full(module: olean.Module) -> None:
    tree = module.declarations[Name(("Tree",))].info
    assert isinstance(tree, InductiveInfo)
    assert (tree.params, tree.indices, tree.recursive, tree.nested) == (1, 0, True, 1)
    assert tree.constructors == (Name(("Tree", "leaf")), Name(("Tree", "node")))
    recursor = module.declarations[Name(("Tree", "rec"))].info
    assert isinstance(recursor, RecursorInfo)
    assert (recursor.params, recursor.motives, recursor.minors, recursor.k) == (1, 2, 4, False)
    assert [rule.fields for rule in recursor.rules] == [0, 2]


def test_literals_projections_and_sharing(module: olean.Module) -> None:
    def parts(name: str) -> list[object]:
        value = module.declarations[Name.parse(name)].value
        assert value is not None
        return list(subterms(value))

    assert any(isinstance(e, NatLit) and e.value == 123456789012345678901234567890 for e in parts("big"))
    assert any(isinstance(e, StrLit) and e.value == "naïve ∀" for e in parts("text"))
    assert any(isinstance(e, Proj) and e.structure == Name(("Point",)) for e in parts("Point.x"))


def test_the_whole_core_library_is_read(embedded: Toolchain) -> None:
    count = 0
    for path in embedded.library[0].rglob("*.olean"):
        count += len(olean.read(path.read_bytes(), version=embedded.version).declarations)
    assert count > 5000


def test_two_reads_into_one_arena_give_the_same_objects(data: bytes) -> None:
    arena = Arena()
    first, second = olean.read(data, arena=arena), olean.read(data, arena=arena)
    assert all(first.declarations[n].type is second.declarations[n].type for n in first.declarations)


def test_declarations_can_be_read_one_by_one(data: bytes, module: olean.Module) -> None:
    reader = Reader(data)
    assert set(reader.names) == set(module.declarations)
    assert reader.declaration(Name(("swap",))).level_params == ()
    assert Name(("swap",)) in reader and Name(("swop",)) not in reader
    with pytest.raises(KeyError):
        reader.declaration(Name(("swop",)))


def test_the_lean_version_must_fit(data: bytes) -> None:
    with pytest.raises(OleanError, match="version"):
        olean.read(data, version="4.35.1")


def test_nothing_but_bytes_is_read(data: bytes) -> None:
    with pytest.raises(TypeError):
        olean.read(bytearray(data))  # type: ignore[arg-type]


# --- hostile bytes ---


def find_head(data: bytes, head: int, after: int = FIRST) -> int:
    """Index of the first word that is this header."""
    words = memoryview(data[: len(data) & ~7]).cast("Q")
    return next(i for i in range(after, len(words)) if words[i] == head)


def with_word(data: bytes, index: int, word: int) -> bytes:
    return data[: 8 * index] + struct.pack("<Q", word & (1 << 64) - 1) + data[8 * index + 8 :]


def word(data: bytes, index: int) -> int:
    return int(struct.unpack_from("<Q", data, 8 * index)[0])


def referenced(data: bytes, head: int) -> int:
    """Index of an expression with this header that the reader comes to."""
    reader = Reader(data)
    for name in reader.names:
        reader.declaration(name)
    return next(i for i in sorted(reader._exprs, reverse=True) if reader.words[i] == head)


def repointed(data: bytes, place: int, pointer: Callable[[int], int]) -> bytes:
    """An application with one of its pointers replaced."""
    owner = referenced(data, shapes.APP)
    return with_word(data, owner + place, pointer(owner))


def huge_name(data: bytes) -> bytes:
    reader = Reader(data)
    for name in reader.names:
        reader.declaration(name)
    index = next(i for i in reader._names if reader.words[i] == shapes.NAME_NUM)
    return with_word(data, index + 2, (1 << 62) | 1)


Edit = Callable[[bytes], bytes]
EDITS: dict[str, tuple[str, Edit]] = {
    "empty": ("truncated", lambda d: b""),
    "header only": ("truncated", lambda d: d[:88]),
    "other magic": ("magic", lambda d: b"OLEAN" + d[5:]),
    "other format": ("format", lambda d: d[:5] + b"\3" + d[6:]),
    "root far outside": ("pointer", lambda d: with_word(d, 11, word(d, 11) + (1 << 40))),
    "root into the header": ("pointer", lambda d: with_word(d, 11, word(d, 10) + 8)),
    "unaligned root": ("pointer", lambda d: with_word(d, 11, word(d, 11) + 4)),
    "root is a number": ("pointer", lambda d: with_word(d, 11, 7)),
    "root is another object": ("object", lambda d: with_word(d, 11, word(d, 10) + 8 * referenced(d, shapes.APP))),
    "unaligned base": ("base", lambda d: with_word(d, 10, word(d, 10) + 1)),
    "other base": ("pointer", lambda d: with_word(d, 10, word(d, 10) + (1 << 32))),
    "cycle": ("pointer", lambda d: repointed(d, 1, lambda owner: word(d, 10) + 8 * owner)),
    "forward pointer": ("pointer", lambda d: repointed(d, 2, lambda _: word(d, 11))),
    "free variable": ("object", lambda d: with_word(d, referenced(d, shapes.SORT), shapes.head(1, 1, 24))),
    "metavariable": ("object", lambda d: with_word(d, referenced(d, shapes.SORT), shapes.head(2, 1, 24))),
    "unknown tag": ("object", lambda d: with_word(d, referenced(d, shapes.APP), shapes.head(200, 2, 32))),
    "counted object": ("object", lambda d: with_word(d, referenced(d, shapes.APP), shapes.APP | 1)),
    "huge variable": ("number", lambda d: with_word(d, referenced(d, shapes.BVAR) + 1, (1 << 40) | 1)),
    "huge projection": ("number", lambda d: with_word(d, referenced(d, shapes.PROJ) + 2, (1 << 60) | 1)),
    "huge name component": ("number", huge_name),
    "binder annotation": ("scalar", lambda d: with_word(d, referenced(d, shapes.LAM) + 5, 9)),
}


@pytest.mark.parametrize("edit", EDITS, ids=lambda e: e.replace(" ", "-"))
def test_a_malformed_file_is_refused_with_its_reason(data: bytes, edit: str) -> None:
    reason, change = EDITS[edit]
    with pytest.raises(OleanError) as caught:
        olean.read(change(data))
    assert caught.value.reason == reason


def tables(data: bytes) -> tuple[int, int]:
    """Indices of the arrays of names and of constants."""
    base, root = word(data, 10), (word(data, 11) - word(data, 10)) // 8
    return tuple((word(data, root + k) - base) // 8 for k in (2, 3))  # type: ignore[return-value]


def test_giant_counts_are_refused(data: bytes) -> None:
    for index in tables(data):
        for size in (1 << 62, 1 << 32, len(data)):
            changed = with_word(with_word(data, index + 1, size), index + 2, size)
            with pytest.raises(OleanError, match="count"):
                olean.read(changed)


def test_the_table_of_names_must_be_that_of_the_constants(data: bytes) -> None:
    names, constants = tables(data)
    swapped = with_word(with_word(data, names + 3, word(data, names + 4)), names + 4, word(data, names + 3))
    with pytest.raises(OleanError, match="name"):
        olean.read(swapped)
    twice = with_word(data, names + 3, word(data, names + 4))
    with pytest.raises(OleanError, match="duplicate"):
        olean.read(twice)
    shorter = with_word(
        with_word(data, constants + 1, word(data, constants + 1) - 1), constants + 2, word(data, constants + 2) - 1
    )
    with pytest.raises(OleanError, match="count"):
        olean.read(shorter)


def test_text_must_be_utf8(data: bytes) -> None:
    at = data.index("naïve".encode())
    for bad in (b"\xff", b"\xc0", b"\xed"):
        with pytest.raises(OleanError, match=r"utf8|string"):
            olean.read(data[:at] + bad + data[at + 1 :])


def test_numbers_must_be_canonical(data: bytes) -> None:
    limbs = (123456789012345678901234567890).to_bytes(16, "little")
    at = data.index(limbs)
    with pytest.raises(OleanError, match="number"):
        olean.read(data[: at + 8] + bytes(8) + data[at + 16 :])


def test_every_truncation_is_refused(data: bytes) -> None:
    for size in (*range(200), *range(200, len(data) - 8, 997)):
        with pytest.raises(OleanError):
            olean.read(data[:size])


def forged(*objects: list[int]) -> bytes:
    """A file of these objects (each a list of words, pointers given as `at(index)`), the last being the root."""
    body = [w for words in objects for w in words]
    starts = [sum(len(o) for o in objects[:i]) for i in range(len(objects))]
    head = (
        b"olean\x02\x01"
        + b"4.35.0".ljust(33, b"\0")
        + bytes(40)
        + struct.pack("<QQ", BASE, BASE + 8 * (12 + starts[-1]))
    )
    return head + struct.pack(f"<{len(body)}Q", *body)


BASE = 1 << 32


def at(index: int) -> int:
    return BASE + 8 * (12 + index)


def array(*items: int) -> list[int]:
    return [shapes.head(246, 0, 1), len(items), len(items), *items]


def test_a_forged_empty_module_is_read() -> None:
    empty = array()
    module = olean.read(forged(empty, [MODULE, *[at(0)] * 5, 0]))
    assert module.declarations == {} and module.imports == ()


def test_a_number_may_be_shared_by_many_literals_but_is_read_once() -> None:
    """Most of the file is one number; decoding it for each literal would not be linear, and Lean shares numbers."""
    limbs, literals = 4000, 2000
    objects: list[list[int]] = [[shapes.head(shapes.BIG, 0, (24 + 8 * limbs) & 0xFFFF), limbs | limbs << 32, at(3)]]
    objects[0] += [(1 << 64) - 1] * limbs
    objects += [[shapes.head(shapes.STRING, 0, 1), 2, 2, 1, ord("x")], [shapes.NAME_STR, 1, at(3 + limbs), 0]]
    name, position = at(8 + limbs), 12 + limbs
    parts = []
    for _ in range(literals):
        objects += [[shapes.NAT_LIT, at(0)], [shapes.LIT, at(position), 0]]
        parts.append(at(position + 2))
        position += 5
    term = parts[0]
    for part in parts[1:]:
        objects.append([shapes.APP, term, part, 0])
        term, position = at(position), position + 4
    objects += [[shapes.CONSTANT_VAL, name, 1, term], [shapes.VALUES[Kind.AXIOM], at(position), 0]]
    objects += [[shapes.head(0, 1, 16), at(position + 4)], array(name), array(at(position + 7)), array()]
    names = position + 9
    root = [MODULE, at(names + 8), at(names), at(names + 4), at(names + 8), at(names + 8), 0]
    (found,) = olean.read(forged(*objects, root)).declarations.values()
    assert {e.value for e in subterms(found.type) if isinstance(e, NatLit)} == {(1 << 64 * limbs) - 1}


def test_a_name_of_many_components_is_refused() -> None:
    objects: list[list[int]] = [[shapes.head(249, 0, 1), 2, 2, 1, ord("x")]]
    position = 5
    previous = 1
    for _ in range(5000):
        objects.append([shapes.NAME_STR, previous, at(0), 0])
        previous, position = at(position), position + 4
    objects += [array(previous), array(1), array()]
    root = [MODULE, at(position + 8), at(position), at(position + 4), at(position + 8), at(position + 8), 0]
    with pytest.raises(OleanError, match="components"):
        olean.read(forged(*objects, root))


@pytest.mark.parametrize("numbers", [16, 17])
def test_a_name_of_many_numbers_is_refused(numbers: int) -> None:
    """Two names of numbers with one hash are found in seconds, and out of ten such pairs a thousand names."""
    objects: list[list[int]] = [[shapes.head(249, 0, 1), 2, 2, 1, ord("x")], [shapes.NAME_STR, 1, at(0), 0]]
    position, previous = 9, at(5)
    for number in range(numbers):
        objects.append([shapes.NAME_NUM, previous, 2 * number + 1, 0])
        previous, position = at(position), position + 4
    objects += [array(previous), array(1), array()]
    root = [MODULE, at(position + 8), at(position), at(position + 4), at(position + 8), at(position + 8), 0]
    with pytest.raises(OleanError, match="numbers" if numbers > 16 else "pointer"):
        olean.read(forged(*objects, root))


def test_lists_that_share_tails_do_not_cost_their_product() -> None:
    """n names with prefixes in common, each declared: the names' lengths must not add up beyond the file's size."""
    objects: list[list[int]] = [[shapes.head(249, 0, 1), 2, 2, 1, ord("x")]]
    position, previous = 5, 1
    for _ in range(127):
        objects.append([shapes.NAME_STR, previous, at(0), 0])
        previous, position = at(position), position + 4
    leaves = []
    for i in range(4000):
        objects.append([shapes.NAME_NUM, previous, 2 * i + 1, 0])
        leaves.append(at(position))
        position += 4
    objects += [array(*leaves), array(*leaves), array()]
    tables_at = position
    root = [MODULE, at(tables_at + 2 * (3 + len(leaves))), at(tables_at), at(tables_at + 3 + len(leaves)),
            *[at(tables_at + 2 * (3 + len(leaves)))] * 2, 0]  # fmt: skip
    with pytest.raises(OleanError, match="linear"):
        olean.read(forged(*objects, root))


def test_overlapping_objects_are_refused(data: bytes) -> None:
    """A string that begins inside another object: an application whose words happen to look like one."""
    reader = Reader(data)
    for name in reader.names:
        reader.declaration(name)
    index = next(i for i in sorted(reader._exprs, reverse=True) if reader.words[i] == shapes.APP)
    reader._extents[index + 1] = 3
    with pytest.raises(OleanError, match="overlap"):
        reader.check_overlaps()


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_mutated_file_raises_nothing_but_its_error(data: bytes, draw: st.DataObject) -> None:
    changed = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 4))):
        kind = draw.draw(st.sampled_from(("byte", "word", "pointer", "copy", "cut")))
        place = draw.draw(st.integers(0, len(changed) // 8 - 2))
        if kind == "byte":
            changed[8 * place + draw.draw(st.integers(0, 7))] = draw.draw(st.integers(0, 255))
        elif kind == "word":
            struct.pack_into("<Q", changed, 8 * place, draw.draw(st.integers(0, 2**64 - 1)))
        elif kind == "pointer":
            struct.pack_into("<Q", changed, 8 * place, word(data, 10) + 8 * draw.draw(st.integers(0, len(data) // 8)))
        elif kind == "copy":
            source = draw.draw(st.integers(0, len(changed) // 8 - 2))
            changed[8 * place : 8 * place + 8] = changed[8 * source : 8 * source + 8]
        else:
            del changed[8 * place + 8 :]
            if len(changed) < 100:
                break
    try:
        module = olean.read(bytes(changed))
    except OleanError as error:
        assert error.reason and "\n" not in str(error)
    else:
        assert all(d.name == name for name, d in module.declarations.items())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_noise_after_a_valid_header_raises_nothing_but_its_error(noise: bytes) -> None:
    head = b"olean\x02\x01" + b"4.35.0".ljust(33, b"\0") + bytes(40) + struct.pack("<QQ", BASE, at(0))
    with pytest.raises(OleanError):
        olean.read(head + noise)


def test_applications_are_hash_consed(module: olean.Module) -> None:
    seen: dict[tuple[int, int], App] = {}
    for declaration in module.declarations.values():
        for e in subterms(*declaration.expressions()):
            if isinstance(e, App):
                assert seen.setdefault((id(e.fn), id(e.arg)), e) is e
