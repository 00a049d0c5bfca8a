"""The roles of the launcher, in the order in which they run."""

from __future__ import annotations

import os
import select
import sys

from . import keeper, linux, root, seal
from .options import Options, parse

TYPE_CHECKING = False  # as in typing, which would take longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable

NAMESPACES = (
    linux.CLONE_NEWNS
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWNET
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUTS
    | linux.CLONE_NEWCGROUP
)


def main(words: list[str]) -> None:
    os.umask(0o022)  # the folders of the root are for the target too, whatever the user keeps to itself
    role, *rest = words
    options = parse(rest)
    if not options.argv[0]:
        from . import selftest  # noqa: F401  (while the file system that holds it is still there)
    for descriptor in (options.status, options.judge, options.folder):
        if descriptor >= 0:
            os.set_inheritable(descriptor, False)
    try:
        code = {"outer": outer, "keeper": inside, "soft": soft}[role](options)
    except OSError as error:
        keeper.tell(options, f"error: {error}")
        code = 127
    os._exit(code)


def outer(options: Options) -> int:
    """Make the namespaces, let the keeper work in them, wait, end as it ended."""
    uid, gid = os.geteuid(), os.getegid()
    linux.unshare(NAMESPACES | (0 if options.uid >= 0 else linux.CLONE_NEWUSER), "namespaces")
    proc = os.open("/proc", os.O_PATH | os.O_CLOEXEC)
    if options.uid < 0:
        seal.map_identity(proc, uid, uid, gid)
    me = os.pidfd_open(os.getpid())
    null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)  # before the keeper takes the root away from under us
    child = os.fork()
    if child == 0:
        try:
            linux.prctl(linux.PR_SET_PDEATHSIG, linux.SIGKILL)
            if alive(me):
                root.build(options)
                os._exit(keep(options, proc))
        except BaseException as error:
            keeper.tell(options, f"error: {error}")
        finally:
            os._exit(127)
    for descriptor in (options.status, options.judge, options.folder, proc, me):
        if descriptor >= 0:
            os.close(descriptor)
    keeper.quiet(null)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def inside(options: Options) -> int:
    """The keeper where bubblewrap has made namespaces and root.

    It dies with bwrap's process.  bwrap's own --die-with-parent would tie all to the judge's thread, not to the judge.
    """
    linux.prctl(linux.PR_SET_PDEATHSIG, linux.SIGKILL)
    return keep(options, os.open("/proc", os.O_PATH | os.O_CLOEXEC))


def keep(options: Options, proc: int) -> int:
    linux.prctl(linux.PR_SET_DUMPABLE, 0)  # its memory and descriptors are not the target's to look at
    become = ending(options, proc)

    def start() -> None:
        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # or /proc/self/uid_map could not be written
        seal.seal(options, proc)
        become()

    return keeper.keep(options, start)


def soft(options: Options) -> int:
    """No namespaces: what is left without them.  The keeper adopts orphans where the system lets it."""
    if sys.platform == "linux":
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    become = ending(options, -1)

    def start() -> None:
        seal.seal_softly(options)
        become()

    return keeper.keep(options, start)


def ending(options: Options, proc: int) -> Callable[[], None]:
    """How the target begins its own life: as another program, or as the self-test where none is named."""
    if options.argv[0]:
        return lambda: os.execvpe(options.argv[0], options.argv, options.environment)  # noqa: S606
    from . import selftest

    return lambda: selftest.report(options, proc)


def alive(handle: int) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return not poll.poll(0)
