"""Intermediate form by hand, in few words."""

from __future__ import annotations

from unsorry.bughunt import ir

U8, I32, U32, U64, USIZE, BOOL = (ir.Scalar(n) for n in ("u8", "i32", "u32", "u64", "usize", "bool"))


def lit(value: int, ty: ir.Type = U32) -> ir.IntLit:
    return ir.IntLit(ty=ty, value=value)


def var(name: str, ty: ir.Type = U32) -> ir.Local:
    return ir.Local(ty=ty, name=name)


def binary(op: str, left: ir.Expr, right: ir.Expr) -> ir.Binary:
    ty = BOOL if op in ("==", "!=", "<", "<=", ">", ">=") else left.ty
    return ir.Binary(ty=ty, op=op, left=left, right=right)  # type: ignore[arg-type]


def block(*statements: ir.Stmt, tail: ir.Expr | None = None, ty: ir.Type | None = None) -> ir.Block:
    return ir.Block(ty=ty or (ir.UNIT if tail is None else tail.ty), statements=statements, tail=tail)


def let(name: str, init: ir.Expr | None, ty: ir.Type = U32, mutable: bool = False) -> ir.Let:
    return ir.Let(ir.Bind(init.ty if init is not None else ty, name, mutable), init)


def do(e: ir.Expr) -> ir.ExprStmt:
    return ir.ExprStmt(e)


def assign(place: ir.Expr, value: ir.Expr) -> ir.ExprStmt:
    return do(ir.Assign(ty=ir.UNIT, place=place, value=value))


def function(path: str, params: dict[str, ir.Type], ret: ir.Type, body: ir.Block) -> ir.Function:
    return ir.Function(
        path=path, generics=(), params=tuple(ir.Param(n, t) for n, t in params.items()), ret=ret, body=body
    )
