"""The headers of the objects in a compiled file: tag, number of pointers and size in bytes, in one word each."""

from __future__ import annotations

from unsorry.lean.declarations import Kind

FIXED = 9  # words of the largest object of fixed size
ARRAY, STRING, BIG = 246, 249, 250


def head(tag: int, pointers: int, size: int) -> int:
    """The first word of an object whose reference count is 0."""
    return tag << 56 | pointers << 48 | size << 32


# Expressions: header -> places of the pointers to other expressions.
BVAR, SORT, CONST, APP = head(0, 1, 24), head(3, 1, 24), head(4, 2, 32), head(5, 2, 32)
LAM, PI, LET = head(6, 3, 48), head(7, 3, 48), head(8, 4, 56)
LIT, MDATA, PROJ = head(9, 1, 24), head(10, 2, 32), head(11, 3, 40)
SHAPES: dict[int, tuple[int, ...]] = {
    BVAR: (),
    SORT: (),
    CONST: (),
    APP: (1, 2),
    LAM: (2, 3),
    PI: (2, 3),
    LET: (2, 3, 4),
    LIT: (),
    MDATA: (2,),
    PROJ: (3,),
}
FREE = {head(1, 1, 24): "a free variable", head(2, 1, 24): "a metavariable"}
NAT_LIT, STR_LIT = head(0, 1, 16), head(1, 1, 16)
SUCC, MAX, IMAX, PARAM = head(1, 1, 24), head(2, 2, 32), head(3, 2, 32), head(4, 1, 24)
NAME_STR, NAME_NUM = head(1, 2, 32), head(2, 2, 32)
CONS = head(1, 2, 24)
CONSTANT_VAL = head(0, 3, 32)
# ConstantInfo: its kind's tag, with the value object's pointers and size.
VALUES = {
    Kind.AXIOM: head(0, 1, 24),
    Kind.DEFINITION: head(0, 4, 48),
    Kind.THEOREM: head(0, 3, 32),
    Kind.OPAQUE: head(0, 3, 40),
    Kind.QUOT: head(0, 1, 24),
    Kind.INDUCTIVE: head(0, 6, 64),
    Kind.CONSTRUCTOR: head(0, 5, 56),
    Kind.RECURSOR: head(0, 7, 72),
}
RULE, REGULAR_HINT = head(0, 3, 32), head(2, 0, 16)
IMPORT = head(0, 1, 24)
