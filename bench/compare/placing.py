# SPDX-License-Identifier: Apache-2.0
"""Placing sites against the loops that users write today.

A step of Lloyd's relaxation of random points: against the diagram alone, and against a loop of SciPy's
cKDTree, asked for every cell, and numpy.bincount. A farthest cell: against a fresh call and argmax for each,
against scipy.ndimage.distance_transform_edt and argmax, and against a loop of NumPy that takes the minimum
with the distances to the new site. By cost: against fresh calls of ours. Loops make the first FEW sites,
which is enough for what one takes, as each looks at the whole raster. Time of the processor on one thread.

    build/bench-venv/bin/python -m bench.compare.placing [--rounds 5] [--quick]
"""

import numpy as np
import scipy.ndimage
import scipy.spatial
import thiessen

from .. import harness

FEW, STEPS = 20, 5


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


def relaxation(size, count, is_dense):
    """A step is the difference between a call of many steps and one of none."""
    shape = (size, size)
    labels = np.empty(shape, np.int32)

    def make(number):
        rng = np.random.default_rng(number)
        # In cells of the raster, and rounded as the library does.
        points = np.rint(rng.random((count, 2)) * (size - 1) * 65536) / 65536
        density = rng.random(shape, np.float32) if is_dense else None

        def relax(steps):
            return thiessen.relax_sites(points, shape, density=density, steps=steps)

        def ours():
            first, all_steps = (harness.processor(lambda n=n: relax(n), 1)[0] for n in (0, STEPS))
            return harness.Told(relax(1).sites, (all_steps - first) / STEPS)

        def diagram():
            thiessen.voronoi(points, shape, outputs="labels", out={"labels": labels})

        return {
            "thiessen": ours,
            "thiessen, the diagram alone": diagram,
            "SciPy": lambda: step_of_scipy(points, shape, density),
        }

    def check(answers):
        if "SciPy" in answers:
            np.testing.assert_allclose(answers["thiessen"], answers["SciPy"], atol=1e-3)

    name = f"a step of {count} points on {size} x {size}{', density' if is_dense else ''}"
    return harness.Case(name, make, check)


# ---- farthest cells


def loop_of(distances):
    """The first FEW farthest cells by a function of a mask of sites."""
    cells = [0]
    for _ in range(FEW - 1):
        cells.append(int(np.argmax(distances(cells))))
    return harness.Told(cells, parts=FEW)


def fresh_lines(shape):
    distance = np.empty(shape)

    def distances(cells):
        points = np.column_stack(np.unravel_index(cells, shape)).astype(np.float64)
        thiessen.voronoi(points, shape, outputs="distance", out={"distance": distance})
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
        thiessen.cost_distance(stiffness=plate, points=sites, outputs="distance", out=out)
        return out["distance"]

    return distances


def farthest(name, count, find, loops):
    def make(_):
        def ours():
            return harness.Told(list(find(count).cells[:FEW]), parts=count)

        return {"thiessen": ours} | {
            who: lambda start=start: loop_of(start()) for who, start in loops.items()
        }

    def check(answers):
        assert all(cells == answers["thiessen"] for cells in answers.values()), answers

    return harness.Case(name, make, check)


@harness.program(__doc__, "scipy", timer=harness.processor, threads=1)
def cases(options):
    relaxed, points, far, sites = (
        (256, 100, 256, 50) if options.quick else (4096, 10_000, 2048, 1_000)
    )
    for is_dense in (False, True):
        yield relaxation(relaxed, points, is_dense)
    shape = (far, far)
    plate = thiessen.material_map(shape, "noise", seed=1)
    yield farthest(
        f"a farthest cell of {sites} on {far} x {far}",
        sites,
        lambda count: thiessen.farthest_sites(shape, count),
        {
            "a fresh call each": lambda: fresh_lines(shape),
            "SciPy": lambda: by_scipy(shape),
            "NumPy's minimum": lambda: by_numpy(shape),
        },
    )
    yield farthest(
        f"a farthest cell by cost of {sites} on {far} x {far}",
        sites,
        lambda count: thiessen.farthest_cost_sites(count, stiffness=plate),
        {"a fresh call each": lambda: fresh_costs(plate)},
    )
