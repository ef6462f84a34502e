# SPDX-License-Identifier: Apache-2.0
"""The k nearest sites of every cell against `scipy.spatial.KDTree.query`, the usual way, on all
processors: 10,000 points, dots, a coast, and masks that are full of sites: land, objects, all but objects, half of
the raster, all of it. Distances must agree to a rounding.

    build/bench-venv/bin/python -m bench.compare.nearest_k [--rounds 3] [--size 2048] [--k 1,3,10]
        [--sites "10000 points,coast"]
"""

import os
from functools import partial

import numpy as np
import scipy.spatial
import thiessen

from .. import harness
from ..shapes import mark


def kind(name):
    return lambda shape, rng: mark(np.zeros(shape, bool), name, rng)


INPUTS = {
    "10000 points": lambda shape, rng: rng.uniform(-0.5, np.array(shape) - 0.5, (10_000, 2)),
    "dots 1 %": kind("1%"),
    "dots 50 %": kind("50%"),
    **{name: kind(name) for name in ("coast", "land", "nuclei", "sparse-objects", "inside-large")},
    "half": lambda shape, rng: np.arange(shape[0])[:, np.newaxis] < np.full(shape, shape[0] / 2),
    "all": lambda shape, rng: np.ones(shape, bool),
}


def own(sites, shape, k):
    if sites.dtype == bool:
        return thiessen.nearest_site(sites, k=k, outputs="distance").distance
    return thiessen.voronoi(sites, shape, k=k, outputs="distance").distance


def scipys(sites, shape, k):
    points = np.argwhere(sites) if sites.dtype == bool else sites
    cells = np.indices(shape).reshape(2, -1).T
    distance, _ = scipy.spatial.KDTree(points).query(cells, k=[*range(1, k + 1)], workers=-1)
    return distance.T.reshape(k, *shape)


def case_of(name, k, shape):
    def make(number):
        sites = INPUTS[name](shape, np.random.default_rng(number))
        return {
            "thiessen": partial(own, sites, shape, k),
            "KDTree": partial(scipys, sites, shape, k),
        }

    return harness.Case(f"{name}, k = {k}", make, harness.close(rtol=2e-5, atol=1e-5))


@harness.program(
    __doc__,
    "scipy",
    rounds=3,
    threads=os.cpu_count(),
    size=(2048, 128),
    k=[1, 3, 10],
    sites=[*INPUTS],
)
def cases(options):
    for name in options.sites:
        for k in options.k:
            yield case_of(name, k, (options.size, options.size))
