# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.transfers`: calls from NumPy to NumPy on one GPU, by the wall clock, by turns with copies of the
same bytes from and to pinned memory, which is what the bus takes, and with CuPy doing the same by asarray, its distance
transform and asnumpy. Answers are compared with those of the library on the CPU."""

import argparse
import statistics
import sys
import time

import cupy as cp
import cupyx
import numpy as np
from cupyx.scipy import ndimage

from .cases import Case, make_input
from .library import Library
from .report import machine, table

CASES = {
    "4096x4096": ("nuclei", "1%"),
    "8192x8192": ("nuclei",),
    "16384x16384": ("nuclei", "land", "1%", "10000", "100"),
    "512x512x512": ("nuclei", "vessels", "1%"),
}
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

    def both(self):
        self.up()
        self.down()

    def wait(self):
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


def seconds(call, wait):
    start = time.perf_counter()
    call()
    wait()
    return time.perf_counter() - start


def measure(library, context, sites, what, options):
    """Medians in milliseconds, and whether the answer is right."""
    output, truth = (np.zeros(sites.shape, TYPES[what]) for _ in range(2))
    library.context("cpu").nearest_site(sites, {what: truth}, memory=0)()
    bus = Bus(sites.nbytes, output.nbytes)
    ours = context.nearest_site(sites, {what: output}, memory=0)
    peer = np.zeros(sites.shape, TYPES[what])
    turns = {
        "ours": (ours, lambda: None),
        "up": (bus.up, bus.wait),
        "down": (bus.down, bus.wait),
        "both": (bus.both, bus.wait),
        "CuPy": (lambda: cupy_call(sites, peer, what), lambda: None),
    }
    if options.alone:
        del turns["CuPy"]
    times = {name: [] for name in turns}
    for number in range(options.rounds + 1):  # the first does not count
        for name, (call, wait) in turns.items():
            if name not in times:
                continue
            try:
                took = seconds(call, wait)
            except Exception as error:  # whatever a peer has to say: the others go on
                if name == "ours":
                    raise
                print(f"{name}: {error}", file=sys.stderr)
                del times[name]
                continue
            if number:
                times[name].append(took * 1e3)
    ms = {name: statistics.median(each) for name, each in times.items()}
    return ms, output.tobytes() == truth.tobytes()


def line(case, dtype, what, ms, right):
    slower = max(ms["up"], ms["down"])
    cupy = ms.get("CuPy")
    return (
        str(case),
        f"{dtype} to {what}",
        f"{ms['ours']:.2f}",
        f"{ms['up']:.2f}",
        f"{ms['down']:.2f}",
        f"{ms['both']:.2f}",
        f"{ms['ours'] / slower:.2f}",
        f"{cupy:.1f}" if cupy else "-",
        f"{cupy / ms['ours']:.1f}" if cupy else "-",
        "equal" if right else "WRONG",
    )


COLUMNS = ("case", "call", "ms", "up", "down", "both at once", "times the slower way",
           "CuPy, ms", "times CuPy", "answer")  # fmt: skip


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu.transfers", description=__doc__)
    add = parser.add_argument
    add("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    add("--sizes", help="with commas")
    add("--sites", help="with commas")
    add("--rounds", type=int, default=5, help="(%(default)s)")
    add("--alone", action="store_true", help="without CuPy")
    options = parser.parse_args(arguments)
    library = Library(options.library)
    context = library.context("cuda")
    rows = []
    for size in options.sizes.split(",") if options.sizes else CASES:
        kinds = options.sites.split(",") if options.sites else CASES.get(size, ("nuclei", "1%"))
        for kind in kinds:
            case = Case(size, kind)
            labelled = cp.asnumpy(make_input(case, 1))
            for dtype, what in KINDS:
                sites = labelled if dtype == "int32" else labelled != 0
                found = measure(library, context, sites, what, options)
                rows.append(line(case, dtype, what, *found))
                print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
                cp.get_default_memory_pool().free_all_blocks()
                cp.get_default_pinned_memory_pool().free_all_blocks()
    print(machine() + "\n")
    print(table(COLUMNS, rows))
    return 1 if any(row[-1] == "WRONG" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
