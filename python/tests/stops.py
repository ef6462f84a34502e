# SPDX-License-Identifier: Apache-2.0
"""Solves that their progress callable ends, at each report in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Stop(Exception):
    pass


def changes_after_stops(solver: Any, check: Callable[[list[float]], None]) -> Any:
    """What the first solve that runs to its end tells. The ones before end at their first report,
    at their second one and so on; check(reports) is called after each of them."""
    reports: list[float] = []
    for stop in range(1, 1000):
        reports.clear()

        def report(fraction: float, stop: int = stop) -> None:
            reports.append(fraction)
            if len(reports) == stop:
                raise Stop

        try:
            changes = solver.solve(progress=report)
            break
        except Stop:
            check(reports)
    assert reports[-1] == 1 and len(reports) < stop
    assert stop > 1
    return changes
