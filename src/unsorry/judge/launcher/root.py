"""The private root: an empty tmpfs with read-only binds of what the target may read, and the work folder."""

from __future__ import annotations

import os
import stat

from . import linux
from .options import Options

OLD = "/.outside"
DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
SCRATCH = "/tmp"  # noqa: S108  (inside, it is a private tmpfs)
SCRATCH_BYTES = 64 << 20
FOLDER_DEPTH = 16
FILES = 4096  # inodes of the work folder and of /tmp


def build(options: Options) -> None:
    """Leave the host's file system for good.  The caller is alone in new mount and PID namespaces."""
    binds = sources(options.readable)
    work = os.path.realpath(options.work)
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    base = next(d for d in (SCRATCH, "/mnt", "/var", "/usr") if os.path.isdir(d))  # only to mount on, for a moment
    plain = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("tmpfs", base, "tmpfs", plain, "size=1m,nr_inodes=8192,mode=755")
    os.chdir(base)
    os.mkdir("." + OLD)
    linux.pivot_root(".", "." + OLD)
    os.chdir("/")
    folder(SCRATCH)
    mount_tmpfs(SCRATCH, SCRATCH_BYTES, options.uid)
    devices()
    processes()
    done: list[str] = []
    for path, source in sorted([*binds.items(), (options.work, work)], key=lambda item: item[0].split("/")):
        if path == options.work:
            folder(path)
            if options.work_mode == "bind":
                linux.mount(OLD + source, path, "", linux.MS_BIND)
                linux.set_attributes(path, linux.ATTR_NOSUID | linux.ATTR_NODEV | linux.ATTR_NOEXEC)
            else:
                mount_tmpfs(path, options.work_size, options.uid)
        elif not any(path.startswith(parent + "/") for parent in done):
            place(OLD + source, path)
            linux.mount(OLD + source, path, "", linux.MS_BIND | linux.MS_REC)
            linux.set_attributes(path, linux.ATTR_RDONLY | linux.ATTR_NOSUID | linux.ATTR_NODEV)
            done.append(path)
    linux.unmount(OLD)
    os.rmdir(OLD)
    linux.mount("none", "/", "", linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | plain)


def mount_tmpfs(path: str, size: int, owner: int) -> None:
    """A folder of limited size for the target to write in, and nothing in it can be run."""
    data = f"size={max(size, 4096)},nr_inodes={FILES},mode=700" + (f",uid={owner},gid={owner}" if owner >= 0 else "")
    linux.mount("tmpfs", path, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC, data)


def sources(readable: list[str]) -> dict[str, str]:
    """Where each path appears -> what it really is.  The real path appears too, for links that lead there."""
    found: dict[str, str] = {}
    for path in readable:
        real = os.path.realpath(path)
        found[path] = found[real] = real
    return found


def folder(path: str) -> None:
    os.makedirs(path, 0o755, exist_ok=True)


def place(source: str, path: str) -> None:
    """Something of the right kind to mount on."""
    if stat.S_ISDIR(os.stat(source).st_mode):
        folder(path)
        return
    folder(os.path.dirname(path))
    if not os.path.exists(path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))


def devices() -> None:
    folder("/dev")
    for name in DEVICES:
        place(f"{OLD}/dev/{name}", f"/dev/{name}")
        linux.mount(f"{OLD}/dev/{name}", f"/dev/{name}", "", linux.MS_BIND)
        linux.set_attributes(f"/dev/{name}", linux.ATTR_NOSUID | linux.ATTR_NOEXEC)
    for name, target in DEVICE_LINKS.items():
        os.symlink(target, f"/dev/{name}")


def processes() -> None:
    """A fresh /proc that shows this PID namespace only; none where the host refuses, as in some containers."""
    folder("/proc")
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    for data in ("subset=pid", ""):
        try:
            linux.mount("proc", "/proc", "proc", flags, data)
            return
        except OSError:
            continue


def copy_tree(source: int, target: int, owner: int, depth: int = 0) -> None:
    """Copy folders and regular files between two open folders; links, pipes, devices and hard links are left behind.

    Both trees must be at rest.  `owner` >= 0 gives what is made to that user and group.
    """
    if depth > FOLDER_DEPTH:
        return
    for name in sorted(os.listdir(source)):
        facts = os.stat(name, dir_fd=source, follow_symlinks=False)
        if stat.S_ISDIR(facts.st_mode):
            copy_folder(source, target, name, owner, depth)
        elif stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1:
            copy_file(source, target, name, owner)


def copy_folder(source: int, target: int, name: str, owner: int, depth: int) -> None:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        os.mkdir(name, 0o700, dir_fd=target)
        if owner >= 0:
            os.chown(name, owner, owner, dir_fd=target, follow_symlinks=False)
    except FileExistsError:
        pass
    try:
        inner = os.open(name, flags, dir_fd=source)
    except OSError:
        return  # closed to its own owner
    try:
        outer = os.open(name, flags, dir_fd=target)
    except NotADirectoryError:
        os.close(inner)
        return  # it has taken the name of a file
    try:
        copy_tree(inner, outer, owner, depth + 1)
    finally:
        os.close(outer)
        os.close(inner)


def copy_file(source: int, target: int, name: str, owner: int) -> None:
    try:
        inner = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=source)
    except OSError:
        return
    try:
        try:
            os.unlink(name, dir_fd=target)
        except FileNotFoundError:
            pass
        except (IsADirectoryError, PermissionError):
            return  # it has taken the name of a folder
        outer = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=target)
        try:
            if owner >= 0:
                os.fchown(outer, owner, owner)
            while os.sendfile(outer, inner, None, 1 << 26):
                pass
        finally:
            os.close(outer)
    finally:
        os.close(inner)
