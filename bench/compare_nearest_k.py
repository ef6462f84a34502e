#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The k nearest sites of every cell against `scipy.spatial.KDTree.query`, the usual way, in one run on all
processors: 10,000 points, dots, a coast, and masks that are full of sites: land, objects, all but objects, half of
the raster, all of it. Distances must agree to a rounding.

    build/bench-venv/bin/python -m bench.compare_nearest_k [--rounds 3] [--size 2048] [--k 1 3 10]
        [--sites "10,000 points" coast …]
"""

import argparse
import statistics
import time

import numpy as np
import scipy.spatial
import thiessen

from .shapes import SHAPES

MASKS = ("coast", "land", "nuclei", "sparse-objects", "inside-large")


def inputs_of(shape, number):
    """Sites by their name: a list of points, or a mask."""
    rng = np.random.default_rng(number)
    inputs = {
        "10,000 points": rng.uniform(-0.5, np.array(shape) - 0.5, (10_000, 2)),
        "dots, 1 %": rng.random(shape) < 0.01,
        "dots, 50 %": rng.random(shape) < 0.5,
    }
    for name in MASKS:
        inputs[name] = np.zeros(shape, bool)
        SHAPES[2][name](inputs[name], rng)
    inputs["half"] = np.arange(shape[0])[:, np.newaxis] < np.full(shape, shape[0] / 2)
    inputs["all"] = np.ones(shape, bool)
    return inputs


def own(sites, shape, k):
    if sites.dtype == bool:
        return thiessen.nearest_site(sites, k=k, outputs="distance").distance
    return thiessen.voronoi(sites, shape, k=k, outputs="distance").distance


def scipys(sites, shape, k):
    points = np.argwhere(sites) if sites.dtype == bool else sites
    cells = np.indices(shape).reshape(2, -1).T
    distance, _ = scipy.spatial.KDTree(points).query(cells, k=[*range(1, k + 1)], workers=-1)
    return distance.T.reshape(k, *shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--k", type=int, nargs="+", default=[1, 3, 10])
    parser.add_argument("--sites", nargs="+", help="their names; default: all")
    arguments = parser.parse_args()
    shape = (arguments.size, arguments.size)
    times = {}
    for number in range(arguments.rounds):
        for name, sites in inputs_of(shape, number).items():
            if arguments.sites and name not in arguments.sites:
                continue
            for k in arguments.k:
                found = []
                for call in (own, scipys):
                    start = time.perf_counter()
                    found.append(call(sites, shape, k))
                    times.setdefault((name, k, call), []).append(time.perf_counter() - start)
                np.testing.assert_allclose(*found, rtol=2e-5, atol=1e-5)
    print(
        f"thiessen {thiessen.__version__}, SciPy {scipy.__version__}, {shape[0]} x {shape[1]} cells, "
        f"medians of {arguments.rounds} rounds in ms\n\n"
        "| sites | k | thiessen | KDTree | ratio |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for name, k in dict.fromkeys((name, k) for name, k, _ in times):
        mine, theirs = times[name, k, own], times[name, k, scipys]
        ratio = statistics.median(b / a for a, b in zip(mine, theirs))
        medians = (1000 * statistics.median(each) for each in (mine, theirs))
        print("| {} | {} | {:.0f} | {:.0f} | {:.1f} |".format(name, k, *medians, ratio))


if __name__ == "__main__":
    main()
