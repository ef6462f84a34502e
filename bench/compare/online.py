# SPDX-License-Identifier: Apache-2.0
"""Solvers: an update and a solve() against a fresh call, which writes into arrays of its own.

Each round makes one change of a kind, and one fresh call; then the solver's arrays are compared with those of
the call, bit for bit. The peer is the package itself: for one moved site the others compute the whole raster
anew as well.

    python -m bench.compare.online [--rounds 51] [--threads 1]
"""

import numpy as np
import thiessen

from .. import harness

CASES = [((4096, 4096), 10_000), ((256, 256, 256), 1_000)]
COST_CASES = [((200, 500), 200), *CASES]
QUICK = [((100, 120), 50)]
MANY = [10, 100, 1_000]


class Solved:
    """A solver of a problem, and arrays for fresh calls. `changed` is put right by `restore`."""

    def __init__(self, solver, shape):
        self.solver, self.shape, self.rng = solver, shape, np.random.default_rng(1)
        self.fresh = {name: np.empty_like(each) for name, each in self.named()}
        self.restore = None

    def named(self):
        return self.solver.outputs._asdict().items()

    def case(self, title, change):
        """`change` draws a change, and returns the call that makes it."""

        def make(_):
            self.put_right()
            update = change()

            def solve():
                update()
                return harness.Told(figures={"cells changed": self.solver.solve().cells})

            return {"solver": solve, "fresh call": self.call}

        return harness.Case(title, make, self.check, repeats=False)

    def put_right(self):
        """Whether there was something to put right."""
        restore, self.restore = self.restore, None
        if restore:
            restore()
            self.solver.solve()
        return restore is not None

    def check(self, answers):
        if self.put_right() or "fresh call" not in answers:
            self.call()
        assert all(np.array_equal(self.fresh[name], each) for name, each in self.named())


class Moving(Solved):
    """A solver of points."""

    title, cases = "straight lines", CASES

    def __init__(self, shape, count):
        extents = np.array(shape)
        self.draw = lambda n: self.rng.uniform(-0.5, extents - 0.5, (n, len(shape)))
        self.points = np.random.default_rng(1).uniform(-0.5, extents - 0.5, (count, len(shape)))
        super().__init__(thiessen.NearestSiteSolver.of_points(self.points, shape), shape)

    def call(self):
        thiessen.voronoi(self.points, self.shape, out=self.fresh)

    def move(self, count, nearby=False):
        sites = self.rng.choice(len(self.points), count, replace=False)
        places = self.draw(count)
        if nearby:
            places = self.points[sites] + self.rng.uniform(-2, 2, places.shape)
        self.points[sites] = places
        return lambda: self.solver.move_sites(sites, places)

    def remove(self):
        """The site comes back, and that is not measured."""
        site = self.rng.choice(len(self.points), 1)
        self.restore = lambda: self.solver.move_sites(site, self.points[site])
        return lambda: self.solver.remove_sites(site)

    def add(self):
        """A site comes back that was removed before."""
        self.remove()()
        self.solver.solve()
        back, self.restore = self.restore, None
        return back

    def kinds(self):
        yield "one moved by up to 2 cells", lambda: self.move(1, nearby=True)
        yield "one moved anywhere", lambda: self.move(1)
        yield "one removed", self.remove
        yield "one added", self.add
        for count in MANY:
            if count < len(self.points):
                yield f"{count} moved anywhere", lambda count=count: self.move(count)
        yield "all moved", lambda: self.move(len(self.points))


class Cutting(Solved):
    """A solver of costs over a map of noise."""

    title, cases, method = "least costs, 8 and 26 neighbours, noise", COST_CASES, "exact"

    def __init__(self, shape, count):
        self.map = thiessen.material_map(shape, "noise", seed=1)
        self.sites = thiessen.random_sites(shape, count, seed=1)
        super().__init__(
            thiessen.CostSolver(self.sites, stiffness=self.map, method=self.method), shape
        )

    def call(self):
        thiessen.cost_distance(self.sites, stiffness=self.map, method=self.method, out=self.fresh)

    def change(self, size, values):
        """New values in a box somewhere. The old ones come back, which is not measured."""
        first = [int(self.rng.integers(n - m + 1)) for n, m in zip(self.shape, size)]
        box = tuple(slice(a, a + m) for a, m in zip(first, size))
        old, new = self.map[box].copy(), values(size)
        self.restore = lambda: self.solver.update_box(first, old)
        return lambda: self.solver.update_box(first, new)

    def change_all(self):
        self.map[...] = self.noise(self.shape)
        return lambda: self.solver.update_box([0] * self.map.ndim, self.map)

    def noise(self, size):
        return self.rng.uniform(0.1, 1, size).astype(np.float32)

    def move(self):
        site = self.rng.choice(np.flatnonzero(self.sites), 1)
        to = self.rng.integers(0, self.sites.size, 1)
        self.sites.flat[to], self.sites.flat[site] = self.sites.flat[site], 0
        return lambda: self.solver.move_sites(site, to)

    def kinds(self):
        rank = self.map.ndim
        yield "a cut of 10 cells", lambda: self.change([1] * (rank - 1) + [10], np.zeros)
        if min(self.shape) > 200:
            block = [64 if rank == 2 else 16] * rank
            name = " x ".join(map(str, block))
            yield f"{name} other values", lambda: self.change(block, self.noise)
        yield "one site moved anywhere", self.move
        yield "all values", self.change_all


class CuttingFronts(Cutting):
    """The same for fronts in any direction."""

    title, method = "least costs by fronts, noise", "eikonal"


@harness.program(__doc__, rounds=51, threads=1)
def cases(options):
    for make in (Moving, Cutting, CuttingFronts):
        for shape, count in QUICK if options.quick else make.cases:
            solved = make(shape, count)
            size = f"{make.title}, {' x '.join(map(str, shape))}, {count:,}"
            for kind, change in solved.kinds():
                yield solved.case(f"{size}: {kind}", change)
