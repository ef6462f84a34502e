# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.opencl`: method exact against jump flooding on a device of OpenCL, whole calls by turns, from
and to arrays of NumPy; the answers of exact are compared with those of the CPU."""

import argparse
import statistics
import sys
import time

import numpy as np

from ..cases import Case, make_sites
from .library import Library

METHODS = ("exact", "jfa")
SIZES = ("1024x1024", "4096x4096", "8192x8192", "256x256x256")
KINDS = {2: ("100", "1%", "50%", "land"), 3: ("100", "1%", "50%", "nuclei")}
HEAD = ("case", "method", "ms", "Mpixel/s", "times jfa", "wrong cells")
HOST = 0  # thiessen_memory


def outputs_of(shape, names):
    """Touched before, so that no page is new in a call."""
    types = {"labels": np.int32, "distance": np.float32}
    return {name: np.full(shape, -7, types[name]) for name in names}


def milliseconds(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def wrong_cells(outputs, truth):
    return max(int((outputs[name] != truth[name]).sum()) for name in outputs)


def measure(library, options, case):
    sites, _ = make_sites(case.shape, case.kind, 1)
    inputs = [sites, np.ascontiguousarray(sites[::-1])]
    names = options.outputs.split(",")
    truth = outputs_of(case.shape, names)
    cpu = library.context("cpu")
    cpu.nearest_site(sites, truth, HOST)()
    cpu.destroy()
    context = library.context(options.device)
    calls, wrong, times = {}, {}, {method: [] for method in METHODS}
    for method in METHODS:
        outputs = outputs_of(case.shape, names)
        calls[method] = [context.nearest_site(each, outputs, HOST, method) for each in inputs]
        calls[method][0]()
        wrong[method] = wrong_cells(outputs, truth)
        calls[method].append(outputs)  # so that they stay
    for turn in range(options.rounds):
        for method in METHODS:
            times[method].append(milliseconds(calls[method][(turn + 1) % 2]))
    context.destroy()
    medians = {method: statistics.median(times[method]) for method in METHODS}
    rows = [
        (
            str(case),
            method,
            f"{medians[method]:.2f}",
            f"{case.cells / medians[method] / 1e3:,.0f}",
            f"{medians['jfa'] / medians[method]:.1f}",
            f"{wrong[method] / case.cells:.2e}" if wrong[method] else "0",
        )
        for method in METHODS
    ]
    return rows, wrong["exact"] > 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu.opencl", description=__doc__)
    add = parser.add_argument
    add("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    add("--device", default="opencl", help="(%(default)s)")
    add("--sizes", default=",".join(SIZES), help="with commas (%(default)s)")
    add("--sites", help="kinds of sites, with commas")
    add("--outputs", default="labels,distance", help="with commas (%(default)s)")
    add("--rounds", type=int, default=5, help="(%(default)s)")
    options = parser.parse_args(arguments)
    library = Library(options.library)
    failed = False
    print(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}")
    for size in options.sizes.split(","):
        rank = size.count("x") + 1
        for kind in options.sites.split(",") if options.sites else KINDS[rank]:
            rows, bad = measure(library, options, Case(size, kind))
            failed = failed or bad
            for row in rows:
                print(f"| {' | '.join(row)} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
