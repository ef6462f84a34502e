# SPDX-License-Identifier: Apache-2.0
"""Cost distance on one GPU: labels and costs of maps of all materials, 8 neighbours, float32, by events of the
device; a smaller map of each is compared with the CPU's `dijkstra`, bit by bit.

    python3 -m bench.gpu.cost [--size 8192] [--sites 10000] [--methods exact,relaxation] [--rounds 3]
"""

import cupy as cp
import numpy as np

from .. import harness
from .library import CUDA, Call, Library
from .measure import program

MATERIALS = ("uniform", "gradient", "noise", "maze")
HOST = 0


class Scene:
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


def on_host(scene, device, method):
    labels, distance = np.empty_like(scene.sites), np.empty_like(scene.map)
    context = scene.library.context(device)
    context.run(scene.call((scene.map, scene.sites, labels, distance), HOST, method))
    context.destroy()
    return labels.tobytes() + distance.tobytes()


def case_of(scene, context, methods):
    arrays = [cp.asarray(scene.map), cp.asarray(scene.sites)]
    arrays += [cp.empty_like(arrays[1]), cp.empty_like(arrays[0])]
    calls = {method: scene.call(arrays, CUDA, method) for method in methods}

    def iterations(_):
        found = {method: call.length("active_cells") for method, call in calls.items()}
        return {method: f"{count} iterations" for method, count in found.items() if count}

    run = {method: lambda call=call: context.run(call) for method, call in calls.items()}
    return harness.Case(scene.name, lambda _: run, iterations, scene.map.size)


@program(__doc__, rounds=3, size=8192, sites=10000, methods=["exact", "relaxation"])
def cases(options):
    library = Library(options.library)
    with cp.cuda.Stream(non_blocking=True) as stream:
        for material in MATERIALS:
            small = Scene(library, material, 700, 900, 50)
            truth = on_host(small, "cpu", "dijkstra")
            for method in options.methods:
                assert on_host(small, "cuda", method) == truth, f"{small.name}: {method} is wrong"
        size = options.size
        sides = [("gradient", 200, 500, 200), ("noise", size // 2, size // 2, 1)]
        for each in (*sides, *((name, size, size, options.sites) for name in MATERIALS)):
            context = library.context("cuda", stream.ptr)
            yield case_of(Scene(library, *each), context, options.methods)
            context.destroy()
