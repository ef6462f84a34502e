# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.cost`: cost distance on one GPU: labels and costs of maps of all materials, 8 neighbours,
float32, by events of the device; a smaller map of each is compared with the CPU's `dijkstra`, bit by bit."""

import argparse
import statistics
import sys

import cupy as cp
import numpy as np

from .library import CUDA, Call, Library
from .measure import time_calls
from .report import table

MATERIALS = ("uniform", "gradient", "noise", "maze")
HOST = 0


class Case:
    """A map, its sites, and room for the results; on the host."""

    def __init__(self, library, material, height, width, sites, seed=1):
        self.library, self.name = library, f"{width}x{height} {material}, {sites:,} sites"
        self.map = np.empty((height, width), np.float32)
        context = library.context("cpu")
        call = Call(library, "material_map").text("material", material).integer("seed", seed)
        context.run(call.output("map", self.map, HOST))
        context.destroy()
        self.sites = np.zeros((height, width), np.int32)
        free = np.flatnonzero(self.map > 0)
        at = np.random.default_rng(seed).choice(free, min(sites, free.size), replace=False)
        self.sites.flat[np.sort(at)] = np.arange(1, at.size + 1)

    def call(self, arrays, memory, method):
        """The call on arrays (map, sites, labels, distance)."""
        call = Call(self.library, "cost_distance").text("method", method)
        for name, array in zip(("stiffness", "sites"), arrays[:2]):
            call.input(name, array, memory)
        for name, array in zip(("labels", "distance"), arrays[2:]):
            call.output(name, array, memory)
        return call


def on_host(case, device, method):
    labels, distance = np.empty_like(case.sites), np.empty_like(case.map)
    context = case.library.context(device)
    context.run(case.call((case.map, case.sites, labels, distance), HOST, method))
    context.destroy()
    return labels.tobytes() + distance.tobytes()


def measure(case, method, rounds, stream):
    arrays = [cp.asarray(case.map), cp.asarray(case.sites)]
    arrays += [cp.empty_like(arrays[1]), cp.empty_like(arrays[0])]
    context = case.library.context("cuda", stream.ptr)
    call = case.call(arrays, CUDA, method)
    context.run(call)
    stream.synchronize()
    ms = statistics.median(time_calls([lambda: context.run(call)], stream) for _ in range(rounds))
    iterations = call.length("active_cells")
    context.destroy()
    return (case.name, method, f"{ms:.3f}", str(iterations or ""))


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu.cost", description=__doc__)
    add = parser.add_argument
    add("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    add("--size", type=int, default=8192, help="cells along each axis (%(default)s)")
    add("--sites", type=int, default=10000, help="(%(default)s)")
    add("--methods", default="exact,relaxation", help="with commas (%(default)s)")
    add("--rounds", type=int, default=3, help="(%(default)s)")
    options = parser.parse_args(arguments)
    library, rows = Library(options.library), []
    with cp.cuda.Stream(non_blocking=True) as stream:
        for material in MATERIALS:
            small = Case(library, material, 700, 900, 50)
            truth = on_host(small, "cpu", "dijkstra")
            for method in options.methods.split(","):
                if on_host(small, "cuda", method) != truth:
                    raise SystemExit(f"{small.name}: {method} is not the CPU's dijkstra")
        few = Case(library, "gradient", 200, 500, 200)
        one = Case(library, "noise", options.size // 2, options.size // 2, 1)
        large = [Case(library, m, options.size, options.size, options.sites) for m in MATERIALS]
        for case in (few, one, *large):
            for method in options.methods.split(","):
                rows.append(measure(case, method, options.rounds, stream))
                print(*rows[-1], flush=True)
    print(table(("case", "method", "ms", "iterations"), rows))


if __name__ == "__main__":
    main(sys.argv[1:])
