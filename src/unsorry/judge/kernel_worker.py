"""Check declarations with Lean's kernel.  `python -IS kernel_worker.py NATIVE`, a Unix stream socket as standard input.

This process holds only what the judge made: it reads the judge's own serialisation (see replay.py), rebuilds every
name, level and expression through the kernel's exported constructors, so that cached hashes and flags are computed
here, and submits the declarations in order with `lean_add_decl`.  No elaborator, no extension and no option takes
part.  Constructors and recursors come out of the kernel and are compared with those that the request expects.

The first line names the library modules, whose constants are put into the environment as the toolchain's files hold
them (`{"modules": [[path, ...], ...]}`, the parts of a module together).  After it each byte with a socket attached is
a request: a forked child reads a length (8 bytes, big endian) and as many bytes of JSON from that socket, answers in
the same form, and ends.
"""

import ctypes
import gc
import json
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import Any

STACK = 1 << 30  # address space for the main thread; deep terms need it, and only touched pages count
PR_SET_NO_NEW_PRIVS = 38
ARRAY = 246  # tag of an array of pointers
NIL = 1  # boxed zero: the empty list, the anonymous name, level zero, none
EXCEPTIONS = (
    "unknownConstant", "alreadyDeclared", "declTypeMismatch", "declHasMVars", "declHasFVars", "funExpected",
    "typeExpected", "letTypeMismatch", "exprTypeMismatch", "appTypeMismatch", "invalidProj", "thmTypeIsNotProp",
    "other", "deterministicTimeout", "excessiveMemory", "deepRecursion", "interrupted",
)  # fmt: skip
HEARTBEATS, RECURSION = 0, 1 << 20  # no limit of the kernel's own: time, memory and stack are limited outside
AXIOM, DEFINITION, THEOREM, OPAQUE, QUOT, INDUCTIVE = range(6)  # tags of the requests' steps


class Kernel:
    """A kernel environment inside libleanshared.so, and constructors for the objects that it takes."""

    def __init__(self, native: str) -> None:
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lean"))
        from launcher import load  # type: ignore[import-not-found]

        self.lib = load(os.path.dirname(native))
        self.lib.lean_initialize()
        self.function("initialize_Lean", ctypes.c_uint8)(1)
        self.lib.lean_io_mark_end_initialization()
        made = self.function("l_Lean_mkEmptyEnvironment", ctypes.c_uint32, ctypes.c_void_p)(0, NIL)
        if tag(made) != 0:
            raise RuntimeError("no empty environment")
        self.env: int = self.function("lean_elab_environment_to_kernel_env", ctypes.c_void_p)(field(made, 0))
        word, size = ctypes.c_void_p, ctypes.c_size_t
        self._add = self.function("lean_add_decl", word, size, size, word, word)
        self._find = self.function("lean_environment_find", word, word)
        self._eqv = self.function("lean_expr_eqv", word, word, result=ctypes.c_uint8)
        self._same_name = self.function("lean_name_eq", word, word, result=ctypes.c_uint8)
        self._mark = self.function("lean_mark_persistent", word, result=None)
        self._keep: list[Any] = []

    def function(self, name: str, *arguments: Any, result: Any = ctypes.c_void_p) -> Callable[..., Any]:
        found = getattr(self.lib, name)
        found.restype, found.argtypes = result, list(arguments)
        return found  # type: ignore[no-any-return]

    def constructor(self, name: str, *arguments: Any) -> Callable[..., int]:
        """An exported constructor whose results are persistent: never counted, never freed."""
        make, mark = self.function(name, *arguments), self._mark

        def call(*values: Any) -> int:
            made: int = make(*values)
            if not made & 1:
                mark(made)
            return made

        return call

    def make(self, which: int, *fields: int, scalars: bytes = b"") -> int:
        """A persistent constructor object in memory of our own."""
        size = 8 + 8 * len(fields) + len(scalars)
        head = struct.pack("<iHBB", 0, size, len(fields), which)
        buffer = ctypes.create_string_buffer(head + struct.pack(f"<{len(fields)}Q", *fields) + scalars, size + 8)
        address = ctypes.addressof(buffer)
        if address & 7:
            raise MemoryError("unaligned buffer")
        self._keep.append(buffer)
        return address

    def array(self, items: list[int]) -> int:
        """A persistent array."""
        head = struct.pack("<iHBB2Q", 0, 1, 0, ARRAY, len(items), len(items))
        buffer = ctypes.create_string_buffer(head + struct.pack(f"<{len(items)}Q", *items))
        self._keep.append(buffer)
        return ctypes.addressof(buffer)

    def chain(self, items: list[int]) -> int:
        made = NIL
        for item in reversed(items):
            made = self.make(1, item, made)
        return made

    def import_modules(self, modules: list[list[str]]) -> None:
        """Adds the constants of the toolchain's own modules as they are: this is the trusted library.

        The parts of one module are read together, as `importModules` does; the last part holds every constant.
        """
        read = self.function("l_Lean_readModuleDataParts", ctypes.c_void_p, ctypes.c_void_p)
        string = self.function("lean_mk_string_from_bytes", ctypes.c_char_p, ctypes.c_size_t)
        add = self.function("lean_environment_add", ctypes.c_void_p, ctypes.c_void_p)
        quot = False
        for paths in modules:
            files = [string(raw, len(raw)) for raw in map(os.fsencode, paths)]
            result = read(self.array(files), NIL)
            if tag(result) != 0:
                raise RuntimeError(f"cannot read {paths[0]}")
            parts = elements(field(result, 0))
            if len(parts) != len(paths):
                raise RuntimeError(f"parts of {paths[0]} are missing")
            for constant in elements(field(field(parts[-1], 0), 2)):
                self.env = add(self.env, constant)
                quot = quot or tag(constant) == 4
        if quot:
            self.env = self.function("lean_environment_mark_quot_init", ctypes.c_void_p)(self.env)

    def add(self, declaration: int) -> str:
        """Checks and adds; "" or the name of the kernel's exception."""
        result = self._add(self.env, HEARTBEATS, RECURSION, declaration, NIL)
        if tag(result) == 1:
            self.env = field(result, 0)
            return ""
        error = field(result, 0)
        code = error >> 1 if error & 1 else tag(error)
        return EXCEPTIONS[code] if code < len(EXCEPTIONS) else f"exception {code}"

    def find(self, name: int) -> int:
        """The ConstantInfo of that name in the environment, 0 if there is none."""
        count = ctypes.c_int32.from_address(self.env)
        if count.value > 0:
            count.value += 1  # the function consumes its argument
        found: int = self._find(self.env, name)
        return 0 if found & 1 else field(found, 0)

    def same(self, left: int, right: int) -> bool:
        return bool(self._eqv(left, right))

    def same_name(self, left: int, right: int) -> bool:
        return bool(self._same_name(left, right))


def tag(address: int) -> int:
    return ctypes.c_uint8.from_address(address + 7).value


def field(address: int, index: int) -> int:
    return ctypes.c_uint64.from_address(address + 8 + 8 * index).value


def elements(address: int) -> Any:
    """The pointers in an array."""
    return (ctypes.c_uint64 * field(address, 0)).from_address(address + 24)


class Rebuild:
    """Objects for the tables of a request: names, levels and expressions by index."""

    def __init__(self, kernel: Kernel, request: dict[str, Any]) -> None:
        self.kernel = kernel
        word = ctypes.c_void_p
        make = kernel.constructor
        self._string = make("lean_mk_string_from_bytes", ctypes.c_char_p, ctypes.c_size_t)
        self._big = make("lean_cstr_to_nat", ctypes.c_char_p)
        string, numeral = make("lean_name_mk_string", word, word), make("lean_name_mk_numeral", word, word)
        self.names = [NIL]
        for prefix, part in request["names"]:
            known = self.names[prefix]
            self.names.append(
                string(known, self.string(part)) if isinstance(part, str) else numeral(known, self.nat(part))
            )
        succ, param = make("lean_level_mk_succ", word), make("lean_level_mk_param", word)
        pair = {"m": make("lean_level_mk_max", word, word), "i": make("lean_level_mk_imax", word, word)}
        self.levels = [NIL]
        for row in request["levels"]:
            if row[0] == "s":
                self.levels.append(succ(self.levels[row[1]]))
            elif row[0] == "p":
                self.levels.append(param(self.names[row[1]]))
            else:
                self.levels.append(pair[row[0]](self.levels[row[1]], self.levels[row[2]]))
        self.exprs: list[int] = []
        self._expressions(request["exprs"])

    def _expressions(self, rows: list[list[Any]]) -> None:
        word, byte, make = ctypes.c_void_p, ctypes.c_uint8, self.kernel.constructor
        bvar, sort = make("lean_expr_mk_bvar", word), make("lean_expr_mk_sort", word)
        const, app = make("lean_expr_mk_const", word, word), make("lean_expr_mk_app", word, word)
        lam, pi = (
            make("lean_expr_mk_lambda", word, word, word, byte),
            make("lean_expr_mk_forall", word, word, word, byte),
        )
        let = make("lean_expr_mk_let", word, word, word, word, byte)
        literal, proj = make("lean_expr_mk_lit", word), make("lean_expr_mk_proj", word, word, word)
        names, levels, exprs, keep = self.names, self.levels, self.exprs, self.exprs.append
        arguments: dict[tuple[int, ...], int] = {}
        for row in rows:
            which = row[0]
            if which == "a":
                keep(app(exprs[row[1]], exprs[row[2]]))
            elif which == "c":
                key = tuple(row[2])
                if key not in arguments:
                    arguments[key] = self.kernel.chain([levels[i] for i in key])
                keep(const(names[row[1]], arguments[key]))
            elif which == "l":
                keep(lam(NIL, exprs[row[1]], exprs[row[2]], 0))
            elif which == "p":
                keep(pi(NIL, exprs[row[1]], exprs[row[2]], 0))
            elif which == "b":
                keep(bvar(self.nat(row[1])))
            elif which == "s":
                keep(sort(levels[row[1]]))
            elif which == "e":
                keep(let(NIL, exprs[row[1]], exprs[row[2]], exprs[row[3]], 0))
            elif which == "n":
                keep(literal(self.kernel.make(0, self.nat(int(row[1], 16)))))
            elif which == "t":
                keep(literal(self.kernel.make(1, self.string(row[1]))))
            else:
                keep(proj(names[row[1]], self.nat(row[2]), exprs[row[3]]))

    def nat(self, value: int) -> int:
        return value << 1 | 1 if value < 1 << 62 else self._big(b"%d" % value)

    def string(self, text: str) -> int:
        raw = text.encode()
        return self._string(raw, len(raw))

    def name_list(self, names: list[int]) -> int:
        return self.kernel.chain([self.names[i] for i in names])

    def declaration(self, step: list[Any]) -> int:
        """A Lean `Declaration` for a step of the request."""
        kernel, kind = self.kernel, step[0]
        if kind == QUOT:
            return 4 << 1 | 1
        if kind == INDUCTIVE:
            _, params, count, types, _ = step
            made = [
                kernel.make(
                    0,
                    self.names[name],
                    self.exprs[type_],
                    kernel.chain([kernel.make(0, self.names[c], self.exprs[t]) for c, t in constructors]),
                )
                for name, type_, constructors in types
            ]
            return kernel.make(6, self.name_list(params), self.nat(count), kernel.chain(made), scalars=bytes(8))
        name, params, type_ = step[1:4]
        head = kernel.make(0, self.names[name], self.name_list(params), self.exprs[type_])
        if kind == AXIOM:
            return kernel.make(0, kernel.make(0, head, scalars=bytes(8)))
        value, block = self.exprs[step[4]], kernel.chain([self.names[name]])
        if kind == DEFINITION:
            hint = {"opaque": 1, "abbrev": 3}.get(step[5])
            if hint is None:
                hint = kernel.make(2, scalars=struct.pack("<II", step[5], 0))
            return kernel.make(1, kernel.make(0, head, value, hint, block, scalars=b"\1" + bytes(7)))
        if kind == THEOREM:
            return kernel.make(2, kernel.make(0, head, value, block))
        return kernel.make(3, kernel.make(0, head, value, block, scalars=bytes(8)))

    def differs(self, expected: list[Any]) -> bool:
        """Is the constant that the kernel made another one than the request expects?"""
        which, name, params, type_, numbers, rules = expected
        found = self.kernel.find(self.names[name])
        if not found or tag(found) != which:
            return True
        value = field(found, 0)
        head = field(value, 0)
        if not self.kernel.same(field(head, 2), self.exprs[type_]) or len(items(field(head, 1))) != len(params):
            return True
        pointers = {5: (1, 2, 5), 6: (2, 3, 4), 7: (2, 3, 4, 5)}[which]  # counts among the fields of the value
        if [field(value, i) for i in pointers] != [self.nat(n) for n in numbers[: len(pointers)]]:
            return True
        if which != 7:
            return False
        made = items(field(value, 6))
        if len(made) != len(rules) or ctypes.c_uint8.from_address(value + 64).value != numbers[4]:
            return True
        return any(
            field(rule, 1) != self.nat(fields)
            or not self.kernel.same(field(rule, 2), self.exprs[rhs])
            or not self.kernel.same_name(field(rule, 0), self.names[constructor])
            for rule, (fields, rhs, constructor) in zip(made, rules, strict=True)
        )


def items(address: int) -> list[int]:
    found = []
    while not address & 1:
        found.append(field(address, 0))
        address = field(address, 1)
    return found


def check(kernel: Kernel, request: dict[str, Any]) -> dict[str, Any]:
    """Adds the steps in order; tells the first that fails by its index."""
    rebuilt = Rebuild(kernel, request)
    for index, step in enumerate(request["steps"]):
        error = kernel.add(rebuilt.declaration(step))
        if error:
            return {"ok": False, "step": index, "error": error}
        if step[0] == INDUCTIVE:
            for place, expected in enumerate(step[4]):
                if rebuilt.differs(expected):
                    return {"ok": False, "step": index, "error": "regenerated", "place": place}
    return {"ok": True, "steps": len(request["steps"])}


def read_exactly(handle: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = handle.recv(min(1 << 20, count - len(data)))
        if not part:
            os._exit(3)
        data += part
    return bytes(data)


def answer(respond: Callable[[Any], Any], handle: socket.socket) -> None:
    """In the forked child: one request under its limits.  A crash or a limit leaves no answer and decides nothing."""
    size, cpu, wall, memory = struct.unpack(">QIIQ", read_exactly(handle, 24))
    signal.alarm(wall)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    with open("/proc/self/statm") as file:
        space = int(file.read().split()[0]) * resource.getpagesize() + memory + STACK
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    for nothing in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        resource.setrlimit(nothing, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (handle.fileno() + 1, handle.fileno() + 1))  # no further file is opened
    reply = json.dumps(respond(json.loads(read_exactly(handle, size)))).encode()
    handle.sendall(struct.pack(">Q", len(reply)) + reply)


def prepare() -> None:
    """Starts this process again with a deep stack, and no way to more privileges."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
        os.execv(sys.executable, [sys.executable, "-IS", *sys.argv])  # noqa: S606  (the limit counts from exec on)
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    sys.set_int_max_str_digits(0)


def serve(start: Callable[[Any], Callable[[Any], Any]]) -> None:
    """Reads the first line, has `start` make of it what responds to requests, and forks for each of them."""
    control = socket.socket(fileno=os.dup(0))
    size = struct.unpack(">Q", read_exactly(control, 8))[0]
    respond = start(json.loads(read_exactly(control, size)))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the system
    gc.disable()
    gc.freeze()
    control.sendall(b"+")
    while True:
        data, handles, _, _ = socket.recv_fds(control, 1, 1)
        if not data:
            os._exit(0)
        request = socket.socket(fileno=handles[0])
        if os.fork() == 0:
            try:
                control.close()
                answer(respond, request)
                os._exit(0)
            except BaseException as error:
                os.write(2, f"worker: {type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(4)
        request.close()


def start(library: dict[str, Any]) -> Callable[[Any], Any]:
    """A kernel that holds the library."""
    kernel = Kernel(sys.argv[1])
    kernel.import_modules(library["modules"])
    return lambda request: check(kernel, request)


if __name__ == "__main__":
    prepare()
    serve(start)
