# SPDX-License-Identifier: Apache-2.0
"""Weighted points: labels by the three weightings, and by metrics, against labels without weights, and against peers.

Without weights points lie on centres of cells, with weights between them. Weights are those of cells of about the same
size: up to the squared spacing of the points (power), up to their spacing (additive), 1 to 10 (multiplicative). Peers
are SciPy's k-d tree on points lifted by one dimension, for power, which breaks ties in its own way, and NumPy, which
compares all points; NumPy does 16 rows, and its time is that of all. The half axes of metrics are 0.7 to 1.4, in any
direction. Periodic grains go by the formula that codes of crystal plasticity have, all 27 images of each grain, by NumPy
in 256 cells; grains with weights also by DAMASK, if it is installed, which lifts a k-d tree, too.

    python -m bench.compare.weights [--rounds 5] [--threads 1]
"""

import importlib.util

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


def metrics_of(random, count, axes):
    turns = np.linalg.qr(random.normal(size=(count, axes, axes)))[0]
    return thiessen.ellipse_metrics(2 ** random.uniform(-0.5, 0.5, (count, axes)), directions=turns)


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
        contenders["metrics"] = call(places, metrics=metrics_of(random, count, len(shape)))
        return contenders

    name = f"{count:,} points on {' x '.join(map(str, shape))}{', periodic' if periodic else ''}"
    return harness.Case(name, make, cells=cells)


def case_of_grains(side, count):
    few = 256
    images = side * np.stack(np.meshgrid(*[(-1, 0, 1)] * 3, indexing="ij"), -1).reshape(-1, 1, 1, 3)
    cells = np.random.default_rng(1).integers(0, side, (few, 3))

    def make(number):
        random = np.random.default_rng(number)
        grains = np.round(random.uniform(0, side - 1, (count, 3)) * 65536) / 65536
        metrics = metrics_of(random, count, 3)

        def brute():
            least = np.full((few, count), np.inf)
            for image in images:
                ways = cells[:, None] - grains - image[0]
                np.minimum(least, np.einsum("cgi,gij,cgj->cg", ways, metrics, ways), out=least)
            return harness.Told(least.argmin(1), parts=few / side**3)

        return {
            "thiessen": lambda: thiessen.voronoi(
                grains, (side,) * 3, metrics=metrics, periodic=True, outputs="site_index"
            ).site_index[tuple(cells.T)],
            "NumPy": brute,
        }

    def check(answers):
        if "NumPy" in answers and (answers["NumPy"] != answers["thiessen"]).any():
            raise AssertionError("NumPy finds other grains")

    return harness.Case(f"metrics: {count:,} periodic grains in {side}³", make, check, side**3)


def case_of_laguerre(side, count):
    def make(number):
        from damask import GeomGrid

        random = np.random.default_rng(number)
        grains = np.round(random.uniform(0, side - 1, (count, 3)) * 65536) / 65536
        weights = weights_of(random, "power", count, side / count ** (1 / 3))
        return {
            "thiessen": lambda: thiessen.voronoi(
                grains, (side,) * 3, weights=weights, weighting="power", periodic=True,
                outputs="site_index",
            ).site_index,
            "DAMASK": lambda: GeomGrid.from_Laguerre_tessellation(
                (side,) * 3, (side,) * 3, grains + 0.5, weights
            ).material,
        }  # fmt: skip

    def check(answers):
        differs = (answers["DAMASK"] != answers["thiessen"]).mean() if len(answers) == 2 else 0
        if differs > 1e-4:
            raise AssertionError(f"DAMASK differs in {differs:.2%} of the cells")

    return harness.Case(f"power: {count:,} periodic grains in {side}³", make, check, side**3)


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
        yield case_of_grains(16, 20)
        return
    yield case_of((4096, 4096), 10_000)
    yield case_of((4096, 4096), 1_000_000)
    yield case_of((256, 256, 256), 1_000, periodic=True)
    for weighting in WEIGHTINGS:
        yield case_of_peers(weighting, 1024, 2_000)
    yield case_of_grains(256, 1_000)
    if importlib.util.find_spec("damask"):
        yield case_of_laguerre(256, 1_000)
