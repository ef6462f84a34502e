#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Placing sites against the loops that users write today, in one run.

A step of Lloyd's relaxation of random points: against the diagram alone, and against a loop of SciPy's
cKDTree, asked for every cell, and numpy.bincount. A farthest cell: against a fresh call and argmax for each,
against scipy.ndimage.distance_transform_edt and argmax, and against a loop of NumPy that takes the minimum
with the distances to the new site. By cost: against fresh calls of ours. Loops make the first FEW sites,
which is enough for what one takes, as each looks at the whole raster. Answers are compared before times are
believed. Medians of the rounds, one thread each; it is the time of the processor that is taken, which other
programs disturb less.

    build/bench-venv/bin/python -m bench.compare_placing [--rounds 5] [--quick]
"""

import argparse
import statistics
import time

import numpy as np
import scipy
import scipy.ndimage
import scipy.spatial
import thiessen

FEW, STEPS = 20, 5


def timed(call):
    """Milliseconds of the processor, and the answer."""
    start = time.process_time()
    answer = call()
    return (time.process_time() - start) * 1e3, answer


# ---- relaxation


def step_of_scipy(points, shape, density):
    cells = np.indices(shape, np.float32).reshape(len(shape), -1)
    _, owner = scipy.spatial.cKDTree(points).query(cells.T, workers=1)
    weights = None if density is None else density.ravel()
    mass = np.bincount(owner, weights, len(points))
    moved = points.copy()
    for axis, place in enumerate(cells):
        own = place if weights is None else place * weights
        sums = np.bincount(owner, own, len(points))
        np.divide(sums, mass, out=moved[:, axis], where=mass > 0)
    return moved


def measure_relaxation(size, count, rounds, table):
    shape = (size, size)
    labels = np.empty(shape, np.int32)
    for number in range(rounds):
        rng = np.random.default_rng(number)
        # In cells of the raster, and rounded as the library does.
        points = np.rint(rng.random((count, 2)) * (size - 1) * 65536) / 65536
        density = rng.random(shape, np.float32)

        def diagrams(points=points):
            for _ in range(STEPS):
                thiessen.voronoi(points, shape, outputs="labels", out={"labels": labels}, threads=1)

        def relax(density, steps, points=points):
            return thiessen.relax_sites(points, shape, density=density, steps=steps, threads=1)

        table.add("diagram alone, labels", "thiessen", timed(diagrams)[0] / STEPS)
        for what, mass in (("a step", None), ("a step, density", density)):
            first = timed(lambda mass=mass: relax(mass, 0))[0]
            all_steps = timed(lambda mass=mass: relax(mass, STEPS))[0]
            table.add(what, "thiessen", (all_steps - first) / STEPS)
            if number == 0:
                took, moved = timed(
                    lambda mass=mass, points=points: step_of_scipy(points, shape, mass)
                )
                table.add(what, "SciPy, one round", took)
                np.testing.assert_allclose(relax(mass, 1).sites, moved, atol=1e-3)


# ---- farthest cells


def loop_of(distances, count):
    """Farthest cells by a function of a mask of sites, as many as `count`."""
    cells = [0]
    for _ in range(count - 1):
        cells.append(int(np.argmax(distances(cells))))
    return cells


def fresh_lines(shape):
    distance = np.empty(shape)

    def distances(cells):
        points = np.column_stack(np.unravel_index(cells, shape)).astype(np.float64)
        out = {"distance": distance}
        thiessen.voronoi(points, shape, outputs="distance", out=out, threads=1)
        return distance

    return distances


def by_scipy(shape):
    def distances(cells):
        free = np.ones(shape, bool)
        free.flat[cells] = False
        return scipy.ndimage.distance_transform_edt(free)

    return distances


def by_numpy(shape):
    y, x = np.ogrid[: shape[0], : shape[1]]
    squares = np.full(shape, np.inf)

    def distances(cells):
        row, column = np.unravel_index(cells[-1], shape)
        np.minimum(squares, (y - row) ** 2 + (x - column) ** 2, out=squares)
        return squares

    return distances


def fresh_costs(plate):
    out = {"distance": np.empty(plate.shape, np.float32)}

    def distances(cells):
        sites = np.column_stack(np.unravel_index(cells, plate.shape))
        thiessen.cost_distance(
            stiffness=plate, points=sites, outputs="distance", out=out, threads=1
        )
        return out["distance"]

    return distances


def measure_farthest(size, count, rounds, table):
    shape = (size, size)
    plate = thiessen.material_map(shape, "noise", seed=1)
    for number in range(rounds):
        took, found = timed(lambda: thiessen.farthest_sites(shape, count, threads=1))
        table.add("a farthest cell", "thiessen", took / count)
        cost, by_cost = timed(
            lambda: thiessen.farthest_cost_sites(count, stiffness=plate, threads=1)
        )
        table.add("a farthest cell by cost", "thiessen", cost / count)
        if number > 0:
            continue
        peers = {
            "a fresh call each": fresh_lines,
            "SciPy": by_scipy,
            "NumPy's minimum": by_numpy,
        }
        for name, make in peers.items():
            took, cells = timed(lambda make=make: loop_of(make(shape), FEW))
            assert (found.cells[:FEW] == cells).all()
            table.add("a farthest cell", name, took / FEW)
        took, cells = timed(lambda: loop_of(fresh_costs(plate), FEW))
        assert (by_cost.cells[:FEW] == cells).all()
        table.add("a farthest cell by cost", "a fresh call each", took / FEW)


class Table:
    """Times by what and by whom."""

    def __init__(self):
        self.times = {}

    def add(self, what, name, milliseconds):
        self.times.setdefault((what, name), []).append(milliseconds)

    def show(self):
        print("| what | who | ms | times ours |\n| --- | --- | ---: | ---: |")
        medians = {key: statistics.median(values) for key, values in self.times.items()}
        for (what, name), value in medians.items():
            ratio = "" if name == "thiessen" else f"{value / medians[what, 'thiessen']:.1f}"
            print(f"| {what} | {name} | {value:.2f} | {ratio} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small rasters, to see that it runs")
    arguments = parser.parse_args()
    relaxed, points, far, sites = (
        (256, 100, 256, 50) if arguments.quick else (4096, 10_000, 2048, 1_000)
    )
    print(
        f"thiessen {thiessen.__version__}, NumPy {np.__version__}, SciPy {scipy.__version__}; "
        f"{points} points on {relaxed} x {relaxed} cells, {sites} farthest cells of {far} x {far}; "
        f"medians of {arguments.rounds} rounds, one thread\n"
    )
    table = Table()
    measure_relaxation(relaxed, points, arguments.rounds, table)
    measure_farthest(far, sites, arguments.rounds, table)
    table.show()


if __name__ == "__main__":
    main()
