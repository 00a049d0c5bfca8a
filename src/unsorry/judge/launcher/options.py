"""What the judge asks for, as command-line words: `--name value` pairs, then `--`, then the target's own words."""

from __future__ import annotations


class Options:
    """Plain attributes: dataclasses would cost the launcher as much time as all its namespaces."""

    def __init__(self) -> None:
        self.work = ""
        self.work_mode = "tmpfs"  # "tmpfs": copied in and, at the end, back; "bind": live, both ways
        self.work_size = 0  # bytes that a tmpfs work folder may hold beyond what is copied in
        self.readable: list[str] = []
        self.environment: dict[str, str] = {}
        # milliseconds of wall and cpu; bytes of memory, address_space, file_size; number of processes
        self.limits: dict[str, int] = {}
        self.uid = -1  # the identity that a privileged judge gives the target; -1: its own
        self.status = -1  # descriptor: one line "ok" or "error: ..." to the judge
        self.judge = -1  # descriptor: pidfd of the judge's process
        self.folder = -1  # descriptor of the work folder outside
        self.argv: list[str] = []

    def words(self) -> list[str]:
        """The command line that `parse` reads back."""
        words: list[str] = []
        for name in NUMBERS:
            words += [f"--{name}", str(getattr(self, name))]
        for name in TEXTS:
            words += [f"--{name}", getattr(self, name)]
        for path in self.readable:
            words += ["--readable", path]
        for key, value in self.environment.items():
            words += ["--env", f"{key}={value}"]
        for key, number in self.limits.items():
            words += ["--limit", f"{key}={number}"]
        return [*words, "--", *self.argv]


NUMBERS = ("work_size", "uid", "status", "judge", "folder")
TEXTS = ("work", "work_mode")


def parse(words: list[str]) -> Options:
    options = Options()
    end = words.index("--")
    for option, value in zip(words[0:end:2], words[1:end:2], strict=True):
        name = option[2:]
        if name in NUMBERS:
            setattr(options, name, int(value))
        elif name in TEXTS:
            setattr(options, name, value)
        elif name == "readable":
            options.readable.append(value)
        elif name == "env":
            key, text = value.split("=", 1)
            options.environment[key] = text
        elif name == "limit":
            key, text = value.split("=", 1)
            options.limits[key] = int(text)
        else:
            raise ValueError(f"unknown option {option}")
    options.argv = words[end + 1 :]
    return options
