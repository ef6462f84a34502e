# SPDX-License-Identifier: Apache-2.0
"""Turns and rounds: everyone on the same inputs, by turns, timed by events of the device."""

import math
import statistics
from dataclasses import dataclass, field

import cupy as cp

from .cases import make_input
from .peers import COPY, LABELS, SILENT

TWO_STEPS = 2.0**-22  # of float32, relative: one for the square, one for its root
MOST_TOGETHER = 1 << 29  # cells of a case in which everyone has a turn
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


def parts_of(shape):
    """Slices of the rows (planes) in which answers are compared: all of up to 2^26 cells, else so many."""
    rows = max(1, (1 << 24) * shape[0] // math.prod(shape))
    parts = [slice(first, min(first + rows, shape[0])) for first in range(0, shape[0], rows)]
    return parts[:: max(1, len(parts) // 4)]


class Check:
    """Everyone's answer to the first input against our labels; those the tests compare with the oracle."""

    def __init__(self, case):
        self.parts, self.truth = parts_of(case.shape), []

    def verdict(self, peer):
        wrong = 0
        for i, part in enumerate(self.parts):
            if peer.gives == LABELS:
                squared = peer.squared(part)
                if len(self.truth) == i:
                    self.truth.append(squared)
                wrong += int(cp.count_nonzero((squared != self.truth[i]) | (squared < 0)))
            else:
                root = cp.sqrt(self.truth[i].astype(cp.float64))
                wrong += int(
                    cp.count_nonzero(~(cp.abs(peer.output[part] - root) <= root * TWO_STEPS))
                )
        return f"{wrong:,} cells wrong" if wrong else "equal"


def prepare(peer, row, inputs, case, check, stream):
    """The calls of a peer, whose answer has been checked; none if it fails."""
    try:
        calls = peer.calls(inputs, case)
        calls[0]()
        stream.synchronize()
        row.scratch = peer.scratch_bytes()
        if peer.gives != COPY and not case.points:
            row.answer = check.verdict(peer)
        return calls
    except Exception as error:  # whatever a peer has to say: the others go on
        row.failed = f"{type(error).__name__}: {error}".splitlines()[0]
        peer.free()
        return []


def take_turns(turns, rounds, stream):
    for number in range(rounds + 1):  # the first does not count
        for row, calls in turns if number % 2 else turns[::-1]:
            ms = time_calls(calls[number % len(calls) :] + calls[: number % len(calls)], stream)
            if number:
                row.ms.append(ms)


def measure(case, peers, inputs_of_a_case, rounds, stream):
    """Everyone's times: by turns, but one after the other where not all fit into the memory side by side."""
    alone = case.cells > MOST_TOGETHER
    inputs = [make_input(case, seed) for seed in range(1, inputs_of_a_case + 1)]
    check, rows, turns, left_out = Check(case), [], [], {}
    for peer in peers:
        reason = peer.refuses(case)
        if reason is not None:
            if reason != SILENT:
                left_out[peer.name] = reason
            continue
        rows.append(Row(peer.name, peer.gives))
        calls = prepare(peer, rows[-1], inputs, case, check, stream)
        if calls:
            turns.append((rows[-1], calls))
        del calls
        if alone:
            take_turns(turns, rounds, stream)
            turns.clear()
            peer.free()
            cp.get_default_memory_pool().free_all_blocks()
    take_turns(turns, rounds, stream)
    turns.clear()
    for peer in peers:
        peer.free()
    return CaseResult(case, rows, left_out)
