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
MANY = [10, 100, 1_000]


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
        self.cells = len(changes.cells)
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
    print(
        "| raster, points | change | cells changed | fresh call, ms | solver, ms | fresh / solver |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for shape, count in CASES:
        moving = Moving(shape, count, arguments.threads)
        for name, run in kinds(moving):
            times, cells = [], []
            for _ in range(arguments.rounds):
                times.append((moving.call(), run()))
                cells.append(moving.cells)
            moving.check()
            fresh, own = (statistics.median(column) for column in zip(*times))
            size = " x ".join(map(str, shape))
            print(
                f"| {size}, {count:,} | {name} | {statistics.median(cells):,.0f} | {fresh:.1f} "
                f"| {own:.3f} | {fresh / own:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
