#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Solvers: an update and a solve() against a fresh call, in one run.

Each round makes one change of each kind, and one fresh call that writes into arrays of its own; medians
over the rounds. At the end of each kind the solver's arrays are compared with those of a fresh call, bit for bit.
The peer is the package itself: for one moved site the others compute the whole raster anew as well.

    python3 bench/compare_online.py [--rounds 51] [--threads 1]
"""

import argparse
import statistics
import time

import numpy as np
import thiessen

CASES = [((4096, 4096), 10_000), ((256, 256, 256), 1_000)]
COST_CASES = [((200, 500), 200), *CASES]
MANY = [10, 100, 1_000]
SLOW, FEW = 2_000, 3  # milliseconds, rounds


class Moving:
    """A solver of points, their places, and arrays for fresh calls."""

    def __init__(self, shape, count, threads):
        self.rng = np.random.default_rng(1)
        self.shape, self.threads = shape, threads
        self.points = self.draw(count)
        self.solver = thiessen.NearestSiteSolver.of_points(self.points, shape, threads=threads)
        self.fresh = {name: np.empty_like(each) for name, each in self.named()}
        self.cells = 0

    def draw(self, count):
        return self.rng.uniform(-0.5, np.array(self.shape) - 0.5, (count, len(self.shape)))

    def named(self):
        return self.solver.outputs._asdict().items()

    def call(self):
        """Milliseconds of a fresh call."""
        start = time.perf_counter()
        thiessen.voronoi(self.points, self.shape, out=self.fresh, threads=self.threads)
        return (time.perf_counter() - start) * 1e3

    def time(self, update):
        """Milliseconds of an update and a solve()."""
        start = time.perf_counter()
        update()
        changes = self.solver.solve()
        milliseconds = (time.perf_counter() - start) * 1e3
        self.cells = changes.cells
        return milliseconds

    def move(self, count, places):
        sites = self.rng.choice(len(self.points), count, replace=False)
        self.points[sites] = places(sites)
        return self.time(lambda: self.solver.move_sites(sites, self.points[sites]))

    def remove(self):
        """The time of a removal. The site comes back, and that is not measured."""
        site = self.rng.choice(len(self.points), 1)
        removed = self.time(lambda: self.solver.remove_sites(site))
        cells = self.cells
        self.time(lambda: self.solver.move_sites(site, self.points[site]))
        self.cells = cells
        return removed

    def add(self):
        """The time in which a site comes back that was removed before."""
        site = self.rng.choice(len(self.points), 1)
        self.time(lambda: self.solver.remove_sites(site))
        return self.time(lambda: self.solver.move_sites(site, self.points[site]))

    def check(self):
        self.call()
        assert all(np.array_equal(self.fresh[name], each) for name, each in self.named())


class Cutting:
    """A solver of costs over a map of noise, the map, and arrays for fresh calls."""

    def __init__(self, shape, count, threads):
        self.rng = np.random.default_rng(1)
        self.shape, self.threads = shape, threads
        self.map = thiessen.material_map(shape, "noise", seed=1)
        self.sites = np.zeros(shape, np.int32)
        cells = self.rng.choice(self.sites.size, count, replace=False)
        self.sites.flat[cells] = np.arange(count) + 1
        self.solver = thiessen.CostSolver(self.sites, stiffness=self.map, threads=threads)
        self.fresh = {name: np.empty_like(each) for name, each in self.named()}
        self.cells = 0

    named = Moving.named
    time = Moving.time
    check = Moving.check

    def call(self):
        start = time.perf_counter()
        thiessen.cost_distance(self.sites, stiffness=self.map, out=self.fresh, threads=self.threads)
        return (time.perf_counter() - start) * 1e3

    def change(self, size, values):
        """The time of new values in a box somewhere. The old ones come back, which is not measured."""
        first = [int(self.rng.integers(n - m + 1)) for n, m in zip(self.shape, size)]
        box = tuple(slice(a, a + m) for a, m in zip(first, size))
        old = self.map[box].copy()
        took = self.time(lambda: self.solver.update_box(first, values(size)))
        cells = self.cells
        self.time(lambda: self.solver.update_box(first, old))
        self.cells = cells
        return took

    def change_all(self):
        self.map[...] = self.noise(self.shape)
        return self.time(lambda: self.solver.update_box([0] * self.map.ndim, self.map))

    def noise(self, size):
        return self.rng.uniform(0.1, 1, size).astype(np.float32)

    def move(self):
        site, to = (
            self.rng.choice(np.flatnonzero(self.sites), 1),
            self.rng.integers(0, self.sites.size, 1),
        )
        self.sites.flat[to], self.sites.flat[site] = self.sites.flat[site], 0
        return self.time(lambda: self.solver.move_sites(site, to))


def kinds_of_costs(cutting):
    rank = cutting.map.ndim
    yield "a cut of 10 cells", lambda: cutting.change([1] * (rank - 1) + [10], np.zeros)
    if min(cutting.shape) > 200:
        block = [64 if rank == 2 else 16] * rank
        name = " x ".join(map(str, block))
        yield f"{name} other values", lambda: cutting.change(block, cutting.noise)
    yield "one site moved anywhere", cutting.move
    yield "all values", cutting.change_all


def kinds(moving):
    """What is measured: names and functions of no argument that return milliseconds."""

    def anywhere(sites):
        return moving.draw(len(sites))

    def nearby(sites):
        return moving.points[sites] + moving.rng.uniform(-2, 2, (len(sites), len(moving.shape)))

    yield "one moved by up to 2 cells", lambda: moving.move(1, nearby)
    yield "one moved anywhere", lambda: moving.move(1, anywhere)
    yield "one removed", moving.remove
    yield "one added", moving.add
    for count in MANY:
        if count < len(moving.points):
            yield f"{count} moved anywhere", lambda count=count: moving.move(count, anywhere)
    yield "all moved", lambda: moving.move(len(moving.points), anywhere)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=51)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    for title, cases, make, kinds_of in (
        ("straight lines", CASES, Moving, kinds),
        ("least costs, 8 and 26 neighbours, noise", COST_CASES, Cutting, kinds_of_costs),
    ):
        print(
            f"\n| {title} | change | cells changed | fresh call, ms | solver, ms | fresh / solver |"
        )
        print("| --- | --- | --- | --- | --- | --- |")
        for shape, count in cases:
            solver = make(shape, count, arguments.threads)
            for name, run in kinds_of(solver):
                measure(
                    solver,
                    f"{' x '.join(map(str, shape))}, {count:,} | {name}",
                    run,
                    arguments.rounds,
                )


def measure(solver, title, run, rounds):
    """A row of the table. Fresh calls that take seconds have few rounds."""
    fresh, own, cells = [solver.call()], [], []
    for number in range(rounds):
        if fresh[0] < SLOW or number < FEW:
            fresh.append(solver.call())
        own.append(run())
        cells.append(solver.cells)
        if own[-1] > SLOW and number + 1 >= FEW:
            break
    solver.check()
    ours, theirs = statistics.median(own), statistics.median(fresh[1:])
    print(
        f"| {title} | {statistics.median(cells):,.0f} | {theirs:.2f} | {ours:.4f} | {theirs / ours:.2f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
