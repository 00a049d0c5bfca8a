"""The tool that ends the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from unsorry.scaffolds.agent import Observation, Submitted, ToolSpec
from unsorry.scaffolds.agent.files import object_schema, text_schema


class Submit:
    """`submit`; `check` is asked first: what it says is told the model once, and a second call is taken as it is."""

    spec = ToolSpec(
        "submit",
        "Hand the work over; it ends here. Say what was done, what was not and why, and what a reviewer should know.",
        object_schema(("summary",), summary=text_schema("A few sentences for the user.", minLength=1)),
    )

    def __init__(self, check: Callable[[], str] | None = None) -> None:
        self.check = check
        self.told = ""

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        """Raises Submitted, or tells what is unfinished."""
        unfinished = self.check() if self.check is not None else ""
        if unfinished and unfinished != self.told:
            self.told = unfinished
            return Observation(
                f"Not submitted yet: {unfinished}\nGo on, or call submit again to hand it over as it is.", "error"
            )
        raise Submitted(arguments["summary"])
