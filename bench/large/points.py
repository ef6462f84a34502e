# SPDX-License-Identifier: Apache-2.0
"""What slabs take for points, against one run at once.

    python3 -m bench.large.points [--size WxH] [--points N] [--slab-rows N] [--rounds N] [--folder FOLDER]

Writes the labels of random points with fractions of a cell to NPY, at once and in slabs; the files must be
the same. Needs NumPy.
"""

from functools import partial

import numpy as np

from .. import harness


@harness.program(
    __doc__,
    rounds=3,
    seconds=float("inf"),
    command=harness.COMMAND,
    size=("16384x16384", "200x300"),
    points=(100_000, 100),
    slab_rows=(1024, 32),
)
def cases(options):
    width, height = map(int, options.size.split("x"))
    table = options.folder / "points.csv"
    ways = {"at once": [], "in slabs": ["--slab-rows", options.slab_rows]}

    def run(way):
        labels = options.folder / f"points-{list(ways).index(way)}.npy"
        return harness.process(
            *(options.command, "voronoi", "--sites", table, "--size", options.size),
            *("--labels", labels, "--overwrite", "--quiet", *ways[way]),
            answer=labels,
        )

    def make(number):
        places = np.random.default_rng(number).random((options.points, 2)) * (width, height) - 0.5
        np.savetxt(table, places, fmt="%.4f", delimiter=",")
        return {way: partial(run, way) for way in ways}

    name = f"{options.points:,} points on {options.size}"
    yield harness.Case(name, make, harness.equal, width * height)
