"""Modules of Lean's module system: three files read as one, honest, mixed up, cut off and forged."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from module_world import read_parts, world
from unsorry.lean import olean
from unsorry.lean import olean_shapes as shapes
from unsorry.lean.declarations import Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import Import, OleanError, Reader
from unsorry.lean.olean_image import MAX_GAP, MODULE, is_module
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain

N = Name.parse
SECRET = Name(("_private", "Base", 0, "secret"))


@pytest.fixture(scope="module")
def toolchain(embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    return world(tmp_path_factory.mktemp("world"), embedded)


@pytest.fixture(scope="module")
def folder(toolchain: Toolchain) -> Path:
    return toolchain.library[0]


@pytest.fixture(scope="module")
def base(folder: Path) -> list[bytes]:
    return read_parts(folder, "Base")


def test_the_first_part_alone_hides_what_the_complete_view_shows(base: list[bytes]) -> None:
    exported, whole = olean.read(base[0]), olean.read(*base)
    assert exported.is_module and whole.is_module
    assert exported.declarations.keys() < whole.declarations.keys()
    hidden, proof = N("hidden"), N("two_eq")
    assert {exported.declarations[n].kind for n in (hidden, proof)} == {Kind.AXIOM}
    assert whole.declarations[hidden].kind is Kind.DEFINITION and whole.declarations[proof].kind is Kind.THEOREM
    assert whole.declarations[hidden].value is whole.declarations[N("two")].value is not None
    assert whole.declarations[SECRET].value is not None and SECRET not in exported.declarations
    assert whole.declarations[N("wish")].kind is Kind.AXIOM


def test_what_lean_sees_is_what_is_read(toolchain: Toolchain, base: list[bytes]) -> None:
    """Lean itself unfolds `hidden` in a plain file; the term it then writes uses the constants that were read."""
    run = run_lean(
        toolchain,
        "prelude\nimport Base\ntheorem t : Eq hidden (N.succ (N.succ N.zero)) := Eq.refl two\n"
        "#print hidden\n#print two_eq\n#print axioms wished\n",
        olean=True,
    )
    assert run.ok and run.olean is not None, run.messages
    shown = [m.text for m in run.messages]
    assert "N.zero.succ.succ" in shown[0] and "Eq.refl two" in shown[1] and "[wish]" in shown[2]
    plain = olean.read(run.olean)
    assert not plain.is_module and not is_module(run.olean)
    whole = olean.read(*base, arena=plain.arena)
    used = plain.declarations[N("t")].dependencies()
    assert used <= whole.declarations.keys()
    assert whole.declarations[N("wished")].dependencies() >= {N("wish"), N("Eq.rec")}


def test_import_lines_keep_their_kind(folder: Path) -> None:
    base, left = N("Base"), N("Left")
    assert Reader(*read_parts(folder, "All")).imports == (
        Import(base, all=False, exported=True), Import(base, all=True, exported=False))  # fmt: skip
    top = Reader(*read_parts(folder, "Top")).imports
    assert top == (Import(left, exported=False, meta=True), Import(N("Right"), exported=False))


def test_declarations_of_all_parts_can_be_read_one_by_one(base: list[bytes]) -> None:
    reader, whole = Reader(*base), olean.read(*base)
    assert set(reader.names) == set(whole.declarations)
    declaration, used = reader.outline(SECRET)
    assert declaration.kind is Kind.DEFINITION and N("hidden") in used
    reader.check_overlaps()


def test_the_digest_covers_every_part(base: list[bytes]) -> None:
    digests = {Reader(*base).digest, Reader(base[0]).digest}
    for part in range(3):
        for place in (45, len(base[part]) - 1):  # in the header: git hash; at the end: padding of the root
            changed = [bytearray(b) for b in base]
            for data in changed if place == 45 else [changed[part]]:
                data[place] ^= 1
            digests.add(Reader(*map(bytes, changed)).digest)
    assert len(digests) == 2 + 1 + 3


# --- hostile parts ---


def refused(*parts: bytes) -> str:
    with pytest.raises(OleanError) as caught:
        olean.read(*parts)
    assert "\n" not in str(caught.value)
    return caught.value.reason


def test_parts_that_do_not_belong_together_are_refused(base: list[bytes], folder: Path) -> None:
    first, second, third = base
    other = read_parts(folder, "All")
    for parts in ((first, second), (first, third), (first, third, second), (third, second, first),
                  (second, first, third), (first, first, first), (first, second, second), (*base, third),
                  (first, second, other[2]), (first, other[1], third), (other[0], second, third)):  # fmt: skip
        assert refused(*parts) == "parts"


def test_a_later_part_alone_is_refused(base: list[bytes]) -> None:
    assert refused(base[1]) == "pointer" and refused(base[2]) == "pointer"


def test_every_truncation_of_a_part_is_refused(base: list[bytes]) -> None:
    for place, data in enumerate(base):
        for size in (*range(120), *range(120, len(data), 56), len(data) - 8, len(data) - 1):
            refused(*base[:place], data[:size], *base[place + 1 :])


def word(data: bytes, index: int) -> int:
    return int(struct.unpack_from("<Q", data, 8 * index)[0])


def with_word(data: bytes, index: int, value: int) -> bytes:
    return data[: 8 * index] + struct.pack("<Q", value) + data[8 * index + 8 :]


def root(data: bytes) -> int:
    return (word(data, 11) - word(data, 10)) // 8


def test_pointers_out_of_the_module_are_refused(base: list[bytes], folder: Path) -> None:
    """Into another module's region, a later part, a header, a gap: the tables of the last part are at fault."""
    other = word(read_parts(folder, "All")[0], 11)
    first, second, third = base
    header = word(second, 10) + 80
    gap = word(first, 10) + len(first) + 8
    assert gap < word(second, 10)
    for target in (other, header, gap, 0, (1 << 64) - 8):
        for place in (1, 2, 3):
            assert refused(first, second, with_word(third, root(third) + place, target)) in ("pointer", "object")
    for place in (1, 2, 3):  # an object of the first part that points into the last one
        later = with_word(first, root(first) + place, word(third, root(third) + place))
        if place > 1:
            assert refused(later, second, third) == "pointer"
    assert refused(first, with_word(second, 11, word(third, 11)), third) == "pointer"


def test_parts_must_be_of_the_module_system_and_of_one_build(base: list[bytes]) -> None:
    first, second, third = base
    flag = 8 * root(first) + 48
    assert refused(first[:flag] + b"\0" + first[flag + 1 :], second, third) == "parts"
    assert refused(first, second[:50] + b"x" + second[51:], third) == "parts"  # another git hash
    assert refused(first, second, third[:7] + b"9" + third[8:]) == "parts"  # another version
    assert refused(first, second, with_word(third, 10, word(third, 10) + 4)) in ("base", "pointer")
    assert refused(first, second, with_word(third, 10, word(third, 10) + MAX_GAP)) == "parts"
    assert refused(first, second, with_word(third, 10, word(third, 10) + (1 << 60))) == "parts"
    # the tables of an earlier part in the place of the complete ones
    table = with_word(with_word(third, root(third) + 2, word(first, root(first) + 2)),
                      root(third) + 3, word(first, root(first) + 3))  # fmt: skip
    assert set(olean.read(first, second, table).declarations) == set(olean.read(first).declarations)
    fewer = with_word(first, (word(third, root(third) + 2) - word(third, 10)) // 8, 0)
    refused(fewer, second, third)


# --- forged parts: objects that would reach over the end of their part ---

PLACES = (1 << 32, (1 << 32) + (1 << 16), (1 << 32) + (2 << 16))


def part(place: int, words: list[int], root_at: int) -> bytes:
    head = b"olean\x02\x01" + b"4.35.0".ljust(33, b"\0") + bytes(40) + struct.pack("<2Q", PLACES[place], root_at)
    return head + struct.pack(f"<{len(words)}Q", *words)


AT, LAST = PLACES[0] + 96, PLACES[2] + 96  # addresses of the first objects of the first and the last part
ARRAY = shapes.head(shapes.ARRAY, 0, 1)
STRING = shapes.head(shapes.STRING, 0, 1)


def forged(tail: list[int], own: list[int], names: int) -> tuple[bytes, bytes, bytes]:
    """An empty module with `tail` at the end of part 1 (from AT + 80 on) and `own` objects in part 3, one of which, at
    the address `names`, is the complete view's table of names."""
    words = [ARRAY, 0, 0, MODULE, *[AT] * 5, 1, *tail]
    module = [MODULE, AT, names, *[AT] * 3, 1]
    return part(0, words, AT + 24), part(1, [], AT + 24), part(2, [*own, *module], LAST + 8 * len(own))


def test_forged_parts_with_a_table_in_an_earlier_part_are_read() -> None:
    assert olean.read(*forged([], [], AT)).declarations == {}
    assert olean.read(*forged([ARRAY, 0, 0], [], AT + 80)).declarations == {}


@pytest.mark.parametrize("tail, own, names, reason", [
    ([ARRAY, 1, 1], [], AT + 80, "count"),
    ([ARRAY, 1 << 20, 1 << 20], [], AT + 80, "count"),
    ([ARRAY, 0], [], AT + 80, "object"),
    ([ARRAY], [], AT + 80, "object"),
    ([shapes.NAME_STR, 1, 1], [ARRAY, 1, 1, AT + 80], LAST, "object"),
    ([STRING, 5, 5, 4], [shapes.NAME_STR, 1, AT + 80, 0, ARRAY, 1, 1, LAST], LAST + 32, "count"),
    ([STRING, 5, 5], [shapes.NAME_STR, 1, AT + 80, 0, ARRAY, 1, 1, LAST], LAST + 32, "object"),
    ([shapes.head(shapes.BIG, 0, 32), 1 | 1 << 32, AT + 104],
     [shapes.NAME_NUM, 1, AT + 80, 0, ARRAY, 1, 1, LAST], LAST + 32, "object"),
])  # fmt: skip
def test_an_object_does_not_reach_over_the_end_of_its_part(
    tail: list[int], own: list[int], names: int, reason: str
) -> None:
    """Behind a part there are zeros, which would be read in the place of what is missing."""
    assert refused(*forged(tail, own, names)) == reason


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_mutated_parts_raise_nothing_but_the_readers_error(base: list[bytes], draw: st.DataObject) -> None:
    changed = [bytearray(data) for data in base]
    for _ in range(draw.draw(st.integers(1, 4))):
        data = draw.draw(st.sampled_from(changed))
        if len(data) < 104:
            continue
        place = 8 * draw.draw(st.integers(0, len(data) // 8 - 1))
        kind = draw.draw(st.sampled_from(("byte", "word", "pointer", "copy", "cut")))
        if kind == "byte":
            data[place] = draw.draw(st.integers(0, 255))
        elif kind == "word":
            struct.pack_into("<Q", data, place, draw.draw(st.integers(0, 2**64 - 1)))
        elif kind == "pointer":
            target = draw.draw(st.sampled_from(base))
            offset = 8 * draw.draw(st.integers(0, len(target) // 8))
            struct.pack_into("<Q", data, place, word(target, 10) + offset)
        elif kind == "copy":
            source = draw.draw(st.sampled_from(base))
            at = 8 * draw.draw(st.integers(0, len(source) // 8 - 1))
            data[place : place + 8] = source[at : at + 8]
        else:
            del data[place + 8 :]
    try:
        module = olean.read(*map(bytes, changed))
    except OleanError as error:
        assert error.reason and "\n" not in str(error)
    else:
        assert all(d.name == name for name, d in module.declarations.items())
