# SPDX-License-Identifier: Apache-2.0
"""Points: the command `thiessen voronoi` against SciPy's k-d tree asked for every cell.

The points have fractions of a cell. thiessen writes labels and distances; SciPy returns distances and positions in the
list. The time of thiessen is that of its call alone ("compute" of --json), that of SciPy building the tree and asking;
one thread each. What grew with points times cells would have ever fewer Mcell/s.

    python -m bench.compare.points [--command build/release/cli/thiessen] [--rounds 3]
"""

import numpy as np
from scipy.spatial import cKDTree

from .. import harness

COUNTS = [100, 10_000, 1_000_000]


def case_of(options, count):
    side, folder = options.size, options.folder
    y, x = np.mgrid[:side, :side]
    cells = np.column_stack([x.ravel(), y.ravel()]).astype(float)
    words = [
        options.command,
        "voronoi",
        "--sites",
        folder / "points.csv",
        "--size",
        f"{side}x{side}",
    ]
    words += ["--threads", "1", "--distance", folder / "distance.npy", "--distance-type", "f64"]
    words += ["--labels", folder / "labels.npy"]

    def make(number):
        # In units of 2^-16 of a cell, so that both measure to the very same places.
        places = np.random.default_rng(number).uniform(-0.5, side - 0.5, (count, 2))
        points = np.round(places * 65536) / 65536
        np.savetxt(folder / "points.csv", points, fmt="%.17g", delimiter=",")
        return {
            "thiessen": lambda: harness.compute(
                *words, answer=lambda: np.load(folder / "distance.npy").ravel()
            ),
            "SciPy": lambda: cKDTree(points).query(cells)[0],
        }

    name = f"{count:,} points on {side} x {side}"
    return harness.Case(name, make, harness.close(rtol=1e-12), len(cells))


@harness.program(__doc__, "scipy", rounds=3, command=harness.COMMAND, size=(2048, 100))
def cases(options):
    for count in COUNTS[:2] if options.quick else COUNTS:
        yield case_of(options, count)
