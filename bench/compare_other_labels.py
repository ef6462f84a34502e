#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the outputs of another label take: ratios to the same call without them, in one run.

Straight lines: 10,000 points with fractions of a cell, dots on 1 % of the cells with a label each, and a
coast with six labels. Least cost: the same 10,000 sites and the coast, on a map of random costs. Calls
are interleaved and write into arrays that are there already. Medians of the rounds, in time of the
processor on one thread.

    build/bench-venv/bin/python -m bench.compare_other_labels [--rounds 5] [--size 4096]
"""

import argparse
import statistics
import time

import numpy as np
import thiessen

from .shapes import SHAPES

OUTPUTS = ("labels", "distance")
OTHERS = ("other_labels", "other_distance")


def coast(shape, rng, labels=6):
    """Outlines of land, whose cells have one of few labels by their place."""
    mask = np.zeros(shape, bool)
    SHAPES[2]["coast"](mask, rng)
    y, x = np.indices(shape, sparse=True)
    return np.where(mask, 1 + (3 * y // shape[0] + 2 * (2 * x // shape[1])) % labels, 0).astype(
        "i4"
    )


def calls_of(shape, number):
    """Calls by their name, for names of outputs and arrays."""
    rng = np.random.default_rng(number)
    points = rng.uniform(-0.5, np.array(shape) - 0.5, (10_000, 2))
    dots = thiessen.random_sites(shape, shape[0] * shape[1] // 100, seed=number)
    sites = thiessen.random_sites(shape, 10_000, seed=number)
    lines = coast(shape, rng)
    cost = rng.random(shape, np.float32) + np.float32(0.1)

    def nearest(raster):
        return lambda **arguments: thiessen.nearest_site(raster, threads=1, **arguments)

    def cheapest(raster):
        return lambda **arguments: thiessen.cost_distance(raster, cost=cost, threads=1, **arguments)

    return {
        "10,000 points": lambda **arguments: thiessen.voronoi(
            points, shape, threads=1, **arguments
        ),
        "1 % dots, a label each": nearest(dots),
        "coast, 6 labels": nearest(lines),
        "least cost, 10,000 sites": cheapest(sites),
        "least cost, coast": cheapest(lines),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=4096)
    arguments = parser.parse_args()
    shape = (arguments.size, arguments.size)
    arrays = {
        name: np.zeros(shape, "f4" if name.endswith("distance") else "i4")
        for name in OUTPUTS + OTHERS
    }
    times = {}
    for number in range(arguments.rounds):
        for name, call in calls_of(shape, number).items():
            for names in (OUTPUTS, OUTPUTS + OTHERS):
                start = time.process_time()
                call(outputs=names, out={each: arrays[each] for each in names})
                times.setdefault((name, names), []).append(time.process_time() - start)
    print(
        f"thiessen {thiessen.__version__}, {shape[0]} x {shape[1]} cells, medians of "
        f"{arguments.rounds} rounds in ms\n\n| what | without | with | ratio |\n"
        "| --- | ---: | ---: | ---: |"
    )
    for name in dict.fromkeys(name for name, _ in times):
        without, together = times[name, OUTPUTS], times[name, OUTPUTS + OTHERS]
        ratio = statistics.median(b / a for a, b in zip(without, together))
        medians = (1000 * statistics.median(each) for each in (without, together))
        print("| {} | {:.0f} | {:.0f} | {:.1f} |".format(name, *medians, ratio))


if __name__ == "__main__":
    main()
