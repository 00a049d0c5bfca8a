"""The command line: one file a command; they parse, call one function, print."""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import sys
import traceback

import typer
from typer.exceptions import TyperException

from unsorry import UnsorryError
from unsorry.cli.app import Exit, app


def main() -> None:
    """Entry point: every fault that a user can cause is one line and exit code 2; a traceback only with --debug."""
    debug = "--debug" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--debug"]
    sys.exit(run(arguments, debug=debug))


def run(arguments: list[str], *, debug: bool = False) -> int:
    """Run one command line; returns the exit code."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    try:
        result = app(args=arguments, prog_name="unsorry", standalone_mode=False)
        return result if isinstance(result, int) else Exit.DONE
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted; what was finished is kept")
        return 130
    except TyperException as error:  # wrong usage
        show = getattr(error, "show", None)
        show() if show else _say(str(error))
        return Exit.COULD_NOT_RUN
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader left: nothing more to say
        return Exit.COULD_NOT_RUN
    except UnsorryError as error:
        if debug:
            traceback.print_exc()
        _say(str(error))
        return Exit.COULD_NOT_RUN
    except Exception as error:
        if debug:
            traceback.print_exc()
        text = str(error).splitlines()
        _say(
            f"internal error: {type(error).__name__}: {text[0] if text else ''}; "
            "run again with --debug and report the traceback"
        )
        return Exit.COULD_NOT_RUN


def _say(line: str) -> None:
    from unsorry.judge.reasons import one_line

    line = "\n".join(map(one_line, line.split("\n")))  # files and their names have a part in it
    sys.stderr.write(f"unsorry: {line}\n")
