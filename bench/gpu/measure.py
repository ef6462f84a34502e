# SPDX-License-Identifier: Apache-2.0
"""Times by events of the device, and cases of peers that are on it at once."""

import itertools
import math
from functools import partial

import cupy as cp
import numpy as np

from .. import harness
from .cases import make_input
from .peers import COPY, DISTANCE, LABELS, SILENT, Ours

TWO_STEPS = 2.0**-22  # of float32, relative: one for the square, one for its root
LIBRARY = "build/gpu/libthiessen_gpu.so"


def events(call, count):
    """Seconds of a call by events of the current stream, and its answer."""
    stream = cp.cuda.get_current_stream()
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    begin.record(stream)
    for _ in range(count):
        answer = call()
    end.record(stream)
    end.synchronize()
    return cp.cuda.get_elapsed_time(begin, end) / 1e3 / count, answer


# Shorter calls than 3 ms are repeated for as long.
program = partial(harness.program, timer=events, short=3e-3, library=LIBRARY)


def machine():
    device = cp.cuda.Device()
    properties = cp.cuda.runtime.getDeviceProperties(device.id)
    driver = cp.cuda.runtime.driverGetVersion()
    return (
        f"{properties['name'].decode()}, {properties['multiProcessorCount']} multiprocessors, "
        f"{properties['totalGlobalMem'] / 2**30:.0f} GiB; CUDA {driver // 1000}.{driver % 1000 // 10} by its driver"
    )


def parts_of(shape):
    """Slices of the rows (planes) in which answers are compared: all of up to 2^26 cells, else so many."""
    rows = max(1, (1 << 24) * shape[0] // math.prod(shape))
    parts = [slice(first, min(first + rows, shape[0])) for first in range(0, shape[0], rows)]
    return parts[:: max(1, len(parts) // 4)]


class Check:
    """Everyone's answer to the first input against our labels; those the tests compare with the oracle."""

    def __init__(self, case):
        self.case, self.parts, self.truth = case, parts_of(case.shape), []

    def __call__(self, peer):
        if peer.gives == COPY or self.case.points:
            return ""
        wrong = 0
        for i, part in enumerate(self.parts):
            if peer.gives == LABELS:
                squared = peer.squared(part)
                if len(self.truth) == i:
                    self.truth.append(squared)
                wrong += int(cp.count_nonzero((squared != self.truth[i]) | (squared < 0)))
            else:
                root = cp.sqrt(self.truth[i].astype(cp.float64))
                near = cp.abs(peer.output[part] - root) <= root * TWO_STEPS
                wrong += int(cp.count_nonzero(~near))
        assert not (wrong and isinstance(peer, Ours)), f"{self.case}: {wrong:,} cells wrong"
        return f"{wrong:,} cells wrong" if wrong else "equal"


def rotated(calls, number):
    """A call that takes another input than the last one each time."""
    turns = itertools.islice(itertools.cycle(calls), number % len(calls), None)
    return lambda: next(turns)()


def cases_of(case, peers, inputs, check):
    """For labels and for distances a case of all peers that give these, and the copy. check(peer) says how right
    the answer to the first input is."""
    inputs = [make_input(case, seed) for seed in range(1, inputs + 1)]
    calls, remarks = {}, {}
    for peer in peers:
        reason = peer.refuses(case)
        if reason is not None:
            if reason != SILENT:
                yield f"{case}: {peer.name} is not measured: {reason}"
            continue
        try:
            calls[peer] = peer.calls(inputs, case)
            calls[peer][0]()
            cp.cuda.get_current_stream().synchronize()
            scratch = f"scratch {peer.scratch_bytes() / case.cells:.2f} bytes a cell"
            remarks[peer.name, peer.gives] = ", ".join(filter(None, (check(peer), scratch)))
        except AssertionError:
            raise
        except Exception as error:  # whatever a peer has to say: the others go on
            calls.pop(peer, None)
            yield f"{case}: {peer.name} failed: {type(error).__name__}: {error}".splitlines()[0]
            peer.free()
    del inputs
    for gives in (LABELS, DISTANCE):
        some = {peer.name: of for peer, of in calls.items() if peer.gives == gives}
        some |= {peer.name: of for peer, of in calls.items() if peer.gives == COPY and some}
        if some:
            yield harness.Case(
                f"{case}: {gives}",
                lambda number, some=some: {who: rotated(of, number) for who, of in some.items()},
                lambda _, gives=gives: {
                    who: text for (who, what), text in remarks.items() if what in (gives, COPY)
                },
                case.cells,
            )
    calls.clear()
    some.clear()
    for peer in peers:
        peer.free()
    cp.get_default_memory_pool().free_all_blocks()


def check_against_the_cpu(library):
    """The library's own answers on the GPU and on the CPU: the same bytes, or there is nothing to measure."""
    dots = np.zeros((1700, 1500), bool)
    dots.flat[np.random.default_rng(1).choice(dots.size, 2000, replace=False)] = True
    y, x = np.ogrid[: dots.shape[0], : dots.shape[1]]
    areas = np.sin(y / 90) + np.sin(x / 110) > 0.8
    for mask in (dots, areas, dots[:700, :900].copy()):
        sites = np.where(mask, np.arange(1, mask.size + 1, dtype=np.int32).reshape(mask.shape), 0)
        sites = sites.astype(np.int32)
        answers = []
        for device in ("cpu", "cuda"):
            labels = np.empty(sites.shape, np.int32)
            distance = np.empty(sites.shape, np.float32)
            outputs = {"labels": labels, "distance": distance}
            library.context(device).nearest_site(sites, outputs, memory=0)()
            answers.append(labels.tobytes() + distance.tobytes())
        assert answers[0] == answers[1], "the GPU's answer is not the CPU's"
