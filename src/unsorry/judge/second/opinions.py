"""Second opinions for a judge: asked where the kernel has accepted, counted, and put into certificates."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unsorry import UnsorryError, __version__
from unsorry.judge.reasons import Reason, Refusal, one_line
from unsorry.judge.second.check import Opinion, OpinionKind
from unsorry.judge.second.process import SecondPolicy, SecondProcess
from unsorry.lean.toolchain import Toolchain

CHECKER = f"unsorry {__version__}"
log = logging.getLogger(__name__)


class SecondOpinions:
    """Asks the second checker from any thread; `counts` are of its answers: agree, disagree, undecided."""

    def __init__(self, toolchain: Toolchain) -> None:
        self.toolchain = toolchain
        self.counts: Counter[str] = Counter()
        self._processes: dict[tuple[Path, ...], SecondProcess] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Ends the processes; they start again when needed."""
        with self._lock:
            processes = list(self._processes.values())
            self._processes.clear()
        for process in processes:
            process.close()

    def ask(self, request: bytes, library: Sequence[Path], policy: SecondPolicy) -> dict[str, Any]:
        """What the certificate says of the opinion on a request that the kernel has accepted.

        Raises Refusal where it disagrees: an incident, since one of the two is wrong, and no reason to accept or to
        reject; and where it is undecided though one is demanded.
        """
        try:
            opinion = self._process(tuple(library)).opinion(request, policy)
        except UnsorryError as error:  # a process that cannot be started has no opinion
            opinion = Opinion(OpinionKind.UNDECIDED, str(error))
        with self._lock:
            self.counts[opinion.kind.value] += 1
        if opinion.kind is OpinionKind.DISAGREE:
            log.error("the second checker refuses what the kernel accepts: %s: %s", opinion.declaration, opinion.detail)
            raise Refusal(
                Reason.SECOND_DISAGREES,
                f"the kernel accepts {opinion.declaration} and the second checker refuses it ({opinion.detail}): "
                "one of them is wrong, please report it",
                opinion.declaration,
            )
        if opinion.kind is OpinionKind.UNDECIDED and policy.demanded:
            raise Refusal(
                Reason.SECOND_UNDECIDED,
                f"the kernel accepts it, and the second opinion that was demanded is undecided: {opinion.detail}",
                opinion.declaration,
            )
        return {
            "checker": CHECKER,
            "opinion": opinion.kind.value,
            "detail": one_line(opinion.detail),
            "checked": opinion.checked,
            "steps": policy.steps,
        }

    def _process(self, library: tuple[Path, ...]) -> SecondProcess:
        with self._lock:
            if library not in self._processes:
                self._processes[library] = SecondProcess(self.toolchain, library)
            return self._processes[library]
