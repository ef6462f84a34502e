# SPDX-License-Identifier: Apache-2.0
"""Calls from NumPy to NumPy on one GPU, by the wall clock, beside copies of the same bytes from and to pinned memory,
which is what the bus takes, and CuPy doing the same by asarray, its distance transform and asnumpy. Answers must be
those of the library on the CPU.

    python3 -m bench.gpu.transfers [--sizes 4096x4096] [--sites nuclei] [--alone]
"""

import cupy as cp
import cupyx
import numpy as np
from cupyx.scipy import ndimage

from .. import harness
from .cases import chosen_cases, make_input
from .library import Library
from .measure import LIBRARY, machine

KINDS = (("bool", "labels"), ("bool", "distance"), ("int32", "labels"), ("int32", "distance"))
TYPES = {"labels": np.int32, "distance": np.float32}


class Bus:
    """Copies between pinned memory and the device, of the bytes of the input and of the output."""

    def __init__(self, up, down):
        self.up_bytes, self.down_bytes = up, down
        self.host = cupyx.empty_pinned(max(up, down), np.uint8)
        self.other = cupyx.empty_pinned(max(up, down), np.uint8)
        self.device = cp.empty(max(up, down), np.uint8)
        self.second = cp.empty(max(up, down), np.uint8)
        self.streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]

    def up(self):
        self.device[: self.up_bytes].set(self.host[: self.up_bytes], stream=self.streams[0])

    def down(self):
        self.second[: self.down_bytes].get(
            stream=self.streams[1], out=self.other[: self.down_bytes], blocking=False
        )

    def turns(self):
        """The copies, each to its end."""
        for name, ways in (
            ("up", [self.up]),
            ("down", [self.down]),
            ("both", [self.up, self.down]),
        ):
            yield f"the bus, {name}", lambda ways=ways: self.run(ways)

    def run(self, ways):
        for way in ways:
            way()
        for stream in self.streams:
            stream.synchronize()


def cupy_call(sites, output, what):
    """What a user of CuPy writes."""
    on_device = cp.asarray(sites)
    free = on_device == 0
    if what == "distance":
        found = ndimage.distance_transform_edt(free, float64_distances=False)
    else:
        indices = ndimage.distance_transform_edt(free, return_distances=False, return_indices=True)
        labels = on_device
        if sites.dtype == bool:
            labels = cp.cumsum(on_device.ravel(), dtype=cp.int32).reshape(sites.shape)
        found = labels[tuple(indices)]
    cp.asnumpy(found, out=output)


def cases_of(library, context, case, options):
    labelled = cp.asnumpy(make_input(case, 1))
    for dtype, what in KINDS:
        sites = labelled if dtype == "int32" else labelled != 0
        output, peer, truth = (np.zeros(sites.shape, TYPES[what]) for _ in range(3))
        library.context("cpu").nearest_site(sites, {what: truth}, memory=0)()
        bus = Bus(sites.nbytes, output.nbytes)
        calls = {
            "thiessen": context.nearest_site(sites, {what: output}, memory=0),
            **dict(bus.turns()),
        }

        def user_of_cupy(sites=sites, peer=peer, what=what):
            cupy_call(sites, peer, what)

        if not options.alone:
            makers = {"CuPy": lambda call=user_of_cupy: call() or call}
            found = yield from harness.available(makers)
            calls |= found

        def check(_, output=output, truth=truth):
            assert output.tobytes() == truth.tobytes(), f"{case}: the answer is wrong"

        name = f"{case}, {dtype} to {what}"
        yield harness.Case(name, lambda _, calls=calls: calls, check, sites.size)
        calls.clear()
        cp.get_default_memory_pool().free_all_blocks()
        cp.get_default_pinned_memory_pool().free_all_blocks()


@harness.program(__doc__, library=LIBRARY, sizes=[], sites=[], alone=False)
def cases(options):
    library = Library(options.library)
    context = library.context("cuda")
    yield machine()
    for case in chosen_cases("gpu-transfers", options):
        yield from cases_of(library, context, case, options)
