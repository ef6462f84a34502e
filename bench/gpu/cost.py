# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.cost`: cost distance on one GPU: labels and costs of maps of all materials, 8 neighbours,
float32, by events of the device; a smaller map of each is compared with the CPU's `dijkstra`, bit by bit."""

import argparse
import ctypes as c
import statistics
import sys

import cupy as cp
import numpy as np

from .library import CUDA, Array, Library, Value, view_of
from .measure import time_calls
from .report import table

MATERIALS = ("uniform", "gradient", "noise", "maze")
HOST = 0


class CostOptions(c.Structure):
    _fields_ = (
        ("size", c.c_size_t),
        ("method", c.c_char_p),
        ("edge_weight", c.c_int32),
        ("connectivity", c.c_int32),
        ("computed_in_f64", c.c_int32),
        ("spacing", c.c_void_p),
        ("values", c.c_void_p),
        ("value_count", c.c_size_t),
        ("zero_is_site", c.c_int32),
        ("tight_barriers", c.c_int32),
        ("strict", c.c_int32),
        ("max_distance", c.c_double),
        ("site_nodata", Value),
        ("map_nodata", Value),
        ("nodata_label", Value),
        ("unreached", Value),
    )


class CostReport(c.Structure):
    _fields_ = (
        ("size", c.c_size_t),
        ("ignored_sites", c.c_int64),
        ("first_ignored_site", c.c_int64),
        ("iterations", c.c_int64),
    )


class CostOutputs(c.Structure):
    _fields_ = (
        ("size", c.c_size_t),
        *((name, Array) for name in ("labels", "site_index", "distance", "back_link")),
        ("report", c.POINTER(CostReport)),
    )


class Case:
    """A map, its sites, and room for the results; on the host."""

    def __init__(self, library, material, height, width, sites, seed=1):
        self.library, self.name = library, f"{width}x{height} {material}, {sites:,} sites"
        self.map = np.empty((height, width), np.float32)
        context = library.context("cpu")
        view = view_of(self.map, HOST)
        library.check(
            library.c.thiessen_material_map(
                context.handle, c.byref(view), material.encode(), c.c_uint64(seed)
            )
        )
        context.destroy()
        self.sites = np.zeros((height, width), np.int32)
        free = np.flatnonzero(self.map > 0)
        at = np.random.default_rng(seed).choice(free, min(sites, free.size), replace=False)
        self.sites.flat[np.sort(at)] = np.arange(1, at.size + 1)

    def call(self, context, arrays, memory, method, report):
        """The call on arrays (map, sites, labels, distance), with its arguments made before."""
        options, outputs = CostOptions(), CostOutputs(size=c.sizeof(CostOutputs))
        check, lib = self.library.check, self.library.c
        size = c.c_size_t(c.sizeof(options))
        check(lib.thiessen_cost_distance_options_init(c.byref(options), size))
        options.method = method.encode()
        outputs.report = c.pointer(report)
        map_view, site_view, outputs.labels, outputs.distance = (
            view_of(array, memory) for array in arrays
        )
        views = c.byref(map_view), c.byref(site_view), None
        results = c.byref(options), c.byref(outputs), None
        return lambda: check(lib.thiessen_cost_distance(context.handle, *views, *results))


def on_host(case, device, method):
    labels, distance = np.empty_like(case.sites), np.empty_like(case.map)
    context = case.library.context(device)
    report = CostReport(size=c.sizeof(CostReport))
    case.call(context, (case.map, case.sites, labels, distance), HOST, method, report)()
    context.destroy()
    return labels.tobytes() + distance.tobytes()


def measure(case, method, rounds, stream):
    arrays = [cp.asarray(case.map), cp.asarray(case.sites)]
    arrays += [cp.empty_like(arrays[1]), cp.empty_like(arrays[0])]
    context = case.library.context("cuda", stream.ptr)
    report = CostReport(size=c.sizeof(CostReport))
    call = case.call(context, arrays, CUDA, method, report)
    call()
    stream.synchronize()
    ms = statistics.median(time_calls([call], stream) for _ in range(rounds))
    context.destroy()
    return (case.name, method, f"{ms:.3f}", str(report.iterations or ""))


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
