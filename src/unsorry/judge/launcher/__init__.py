"""The program that confines another: started as `python -IS confine.py OPTIONS -- ARGV`, standard library only.

Roles, each a process:  *outer* makes the namespaces and waits; *keeper* is PID 1 inside, owns the private root, starts
the target, watches it, kills all that is left; the *target* seals itself and becomes the confined program.
With bubblewrap, bwrap takes the place of outer and of the namespaces; keeper and target are the same code.

    confine.py    entry point
    options.py    what the judge asks for, as command-line words
    linux.py      system calls through ctypes
    root.py       private root; files into and out of the work folder
    seal.py       what the target does to itself: identity, capabilities, limits, Landlock, seccomp
    landlock.py, seccomp.py
    keeper.py     PID 1
    selftest.py   run in place of a target: tries what must fail, prints facts

Nothing here may be imported through `unsorry` inside the sandbox: these modules know only each other.
"""
