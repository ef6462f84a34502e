# SPDX-License-Identifier: Apache-2.0
"""What the outputs of another label take: ratios to the same call without them.

Straight lines: 10,000 points with fractions of a cell, dots on 1 % of the cells with a label each, and a
coast with six labels. Least cost: the same 10,000 sites and the coast, on a map of random costs. Calls
write into arrays that are there already. Time of the processor on one thread.

    build/bench-venv/bin/python -m bench.compare.other_labels [--rounds 5] [--size 4096]
"""

from functools import partial

import numpy as np
import thiessen

from .. import harness
from ..shapes import mark

OUTPUTS = ("labels", "distance")
OTHERS = ("other_labels", "other_distance")


def coast(shape, rng, labels=6):
    """Outlines of land, whose cells have one of few labels by their place."""
    mask = mark(np.zeros(shape, bool), "coast", rng)
    y, x = np.indices(shape, sparse=True)
    label = 1 + (3 * y // shape[0] + 2 * (2 * x // shape[1])) % labels
    return np.where(mask, label, 0).astype("i4")


def dots(shape, rng, count):
    return thiessen.random_sites(shape, count, seed=int(rng.integers(1 << 30)))


def nearest(raster, rng):
    return partial(thiessen.nearest_site, raster)


def cheapest(raster, rng):
    cost = rng.random(raster.shape, np.float32) + np.float32(0.1)
    return partial(thiessen.cost_distance, raster, cost=cost)


def points(shape, rng):
    return partial(thiessen.voronoi, rng.uniform(-0.5, np.array(shape) - 0.5, (10_000, 2)), shape)


CALLS = {
    "10,000 points": points,
    "1 % dots, a label each": lambda shape, rng: nearest(
        dots(shape, rng, shape[0] * shape[1] // 100), rng
    ),
    "coast, 6 labels": lambda shape, rng: nearest(coast(shape, rng), rng),
    "least cost, 10,000 sites": lambda shape, rng: cheapest(dots(shape, rng, 10_000), rng),
    "least cost, coast": lambda shape, rng: cheapest(coast(shape, rng), rng),
}


def arrays(shape, names):
    return {name: np.zeros(shape, "f4" if name.endswith("distance") else "i4") for name in names}


def case_of(name, shape):
    outs = {
        "without another label": arrays(shape, OUTPUTS),
        "with it": arrays(shape, OUTPUTS + OTHERS),
    }

    def make(number):
        call = CALLS[name](shape, np.random.default_rng(number))

        def run(out):
            call(outputs=tuple(out), out=out)
            return [out[each] for each in OUTPUTS]

        return {who: partial(run, out) for who, out in outs.items()}

    return harness.Case(name, make, harness.equal)


@harness.program(__doc__, timer=harness.processor, size=(4096, 256), threads=1)
def cases(options):
    for name in CALLS:
        yield case_of(name, (options.size, options.size))
