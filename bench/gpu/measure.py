# SPDX-License-Identifier: Apache-2.0
"""Turns and rounds: everyone on the same inputs, by turns, timed by events of the device."""

import statistics
from dataclasses import dataclass, field

import cupy as cp

from .cases import make_input
from .peers import COPY

LEAST_MS = 3.0  # shorter calls are repeated for as long: their mean is the time of the round


@dataclass
class Row:
    who: str
    gives: str
    ms: list = field(default_factory=list)
    scratch: int = 0
    answer: str = ""
    failed: str = ""

    @property
    def median(self):
        return statistics.median(self.ms) if self.ms else None


@dataclass
class CaseResult:
    case: object
    rows: list
    left_out: dict

    def copy(self):
        return next((row.median for row in self.rows if row.gives == COPY and row.ms), None)

    def row(self, who, gives):
        return next((r for r in self.rows if (r.who, r.gives) == (who, gives) and r.ms), None)


def time_calls(calls, stream):
    """Milliseconds a call, each time on another input than the last."""

    def timed(count):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record(stream)
        for i in range(count):
            calls[i % len(calls)]()
        end.record(stream)
        end.synchronize()
        return cp.cuda.get_elapsed_time(begin, end)

    once = timed(1)
    if once >= LEAST_MS:
        return once
    count = min(200, 1 + int(LEAST_MS / max(once, 0.01)))
    return timed(count) / count


def measure(case, peers, inputs_of_a_case, rounds, stream):
    """Everyone's times. Peers come to a case one after the other to have their answer checked, and then by turns."""
    inputs = [make_input(case, seed) for seed in range(1, inputs_of_a_case + 1)]
    rows, turns, left_out = [], [], {}
    truth = None
    for peer in peers:
        reason = peer.refuses(case)
        if reason is not None:
            if reason != "-":
                left_out[f"{peer.name} ({peer.gives})"] = reason
            continue
        row = Row(peer.name, peer.gives)
        rows.append(row)
        try:
            calls = peer.calls(inputs, case)
            calls[0]()
            stream.synchronize()
            row.scratch = peer.scratch_bytes()
            squared = peer.answer()
        except (RuntimeError, MemoryError, cp.cuda.memory.OutOfMemoryError) as error:
            row.failed = str(error).splitlines()[0]
            peer.free()
            continue
        if squared is not None:
            # The first is who the others are compared with; the tests compare that with the oracle.
            truth = squared if truth is None else truth
            wrong = int(cp.count_nonzero(squared != truth)) if squared is not truth else 0
            row.answer = f"{wrong:,} cells differ" if wrong else "equal"
        turns.append((row, calls))
    for number in range(rounds + 1):  # the first does not count
        order = turns if number % 2 else turns[::-1]
        for row, calls in order:
            ms = time_calls(calls[number % len(calls) :] + calls[: number % len(calls)], stream)
            if number:
                row.ms.append(ms)
    for peer in peers:
        peer.free()
    return CaseResult(case, rows, left_out)
