# SPDX-License-Identifier: Apache-2.0
"""Weighted points: labels by the three weightings against labels without weights, and against peers.

Without weights points lie on centres of cells, with weights between them. Weights are those of cells of about the same
size: up to the squared spacing of the points (power), up to their spacing (additive), 1 to 10 (multiplicative). Peers
are SciPy's k-d tree on points lifted by one dimension, for power, which breaks ties in its own way, and NumPy, which
compares all points; NumPy does 16 rows, and its time is that of all.

    python -m bench.compare.weights [--rounds 5] [--threads 1]
"""

import numpy as np
import thiessen
from scipy.spatial import cKDTree

from .. import harness

WEIGHTINGS = ("power", "additive", "multiplicative")
ROWS = 16


def weights_of(random, weighting, count, spacing):
    most = {"power": spacing**2, "additive": spacing, "multiplicative": 9}[weighting]
    least = 1 if weighting == "multiplicative" else 0
    return np.round(random.uniform(least, least + most, count), 3)


def case_of(shape, count, periodic=False):
    cells = int(np.prod(shape))
    spacing = (cells / count) ** (1 / len(shape))

    def make(number):
        random = np.random.default_rng(number)
        places = random.uniform(-0.5, np.array(shape) - 0.5, (count, len(shape)))
        labels = np.zeros(shape, np.int32)

        def call(points, **how):
            return lambda: thiessen.voronoi(
                points, shape, outputs="labels", periodic=[periodic] * len(shape), out=labels, **how,
            )  # fmt: skip

        contenders = {
            "no weights, centres": call(np.clip(np.round(places), 0, np.array(shape) - 1)),
            "no weights": call(places),
        }
        for weighting in WEIGHTINGS:
            weights = weights_of(random, weighting, count, spacing)
            contenders[weighting] = call(places, weights=weights, weighting=weighting)
        return contenders

    name = f"{count:,} points on {' x '.join(map(str, shape))}{', periodic' if periodic else ''}"
    return harness.Case(name, make, cells=cells)


def case_of_peers(weighting, side, count):
    grid = np.mgrid[:side, :side].astype(float)
    cells = grid.reshape(2, -1).T

    def keys(rows, points, weights):
        squares = (cells[: rows * side, None, 0] - points[:, 0]) ** 2
        squares += (cells[: rows * side, None, 1] - points[:, 1]) ** 2
        if weighting == "power":
            return squares - weights
        return np.sqrt(squares) - weights if weighting == "additive" else np.sqrt(squares) / weights

    def make(number):
        random = np.random.default_rng(number)
        points = np.round(random.uniform(0, side - 1, (count, 2)) * 65536) / 65536
        weights = weights_of(random, weighting, count, side / count**0.5)
        lifted = np.column_stack([points, np.sqrt(weights.max() - weights)])
        flat = np.column_stack([cells, np.zeros(len(cells))])
        contenders = {
            "thiessen": lambda: thiessen.voronoi(
                points, (side, side), weights=weights, weighting=weighting, outputs="site_index"
            ).site_index.ravel(),
            "NumPy": lambda: harness.Told(
                keys(ROWS, points, weights).argmin(axis=1), parts=ROWS / side
            ),
        }
        if weighting == "power":
            contenders["SciPy"] = lambda: cKDTree(lifted).query(flat)[1]
        return contenders

    def check(answers):
        ours = answers["thiessen"]
        for name, answer in answers.items():
            differs = (answer != ours[: len(answer)]).mean()
            if differs > 1e-4:
                raise AssertionError(f"{name} differs in {differs:.2%} of the cells")

    return harness.Case(
        f"{weighting}: {count:,} points on {side} x {side}", make, check, side * side
    )


@harness.program(__doc__, "scipy", rounds=5, threads=1)
def cases(options):
    if options.quick:
        yield case_of((256, 256), 500)
        yield case_of_peers("power", 128, 100)
        return
    yield case_of((4096, 4096), 10_000)
    yield case_of((4096, 4096), 1_000_000)
    yield case_of((256, 256, 256), 1_000, periodic=True)
    for weighting in WEIGHTINGS:
        yield case_of_peers(weighting, 1024, 2_000)
