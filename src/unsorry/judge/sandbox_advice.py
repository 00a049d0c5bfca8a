"""One line that tells how to get what strict mode lacks on this host."""

from __future__ import annotations

import sys
from pathlib import Path


def advice() -> str:
    """The most likely fix here, from what the host says of itself."""
    if sys.platform != "linux":
        return "run in a Linux virtual machine or container"
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined"
        )
    if setting("user/max_user_namespaces") == "0":
        return "allow user namespaces: sudo sysctl -w user.max_user_namespaces=15000"
    if setting("kernel/unprivileged_userns_clone") == "0":
        return "allow user namespaces: sudo sysctl -w kernel.unprivileged_userns_clone=1"
    if setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "allow user namespaces: sudo apt install bubblewrap apparmor-profiles, or "
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    return "use a Linux kernel of 5.14 or later that lets this user make user namespaces (docs/sandbox.md)"


def setting(name: str) -> str:
    try:
        return (Path("/proc/sys") / name).read_text().strip()
    except OSError:
        return ""
