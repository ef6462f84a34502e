#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Statistics and adjacency of labels against what users call today, in one run.

The labels are those of the nearest of 10,000 random sites on 4096 x 4096 cells, int32. Sizes, centroids,
moments and masses against scipy.ndimage and skimage.measure, neighbours against skimage.graph; the time to
read the raster twice is beside them. Calls are interleaved, and answers are compared before times are
believed. Medians of the rounds, one thread each: the time of the processor, which other work on the
machine hardly lengthens.

    build/bench-venv/bin/python -m bench.compare_statistics [--rounds 5] [--size 4096] [--sites 10000]
"""

import argparse
import statistics
import time

import numpy as np
import scipy
import scipy.ndimage
import skimage
import skimage.graph
import skimage.measure
import thiessen

MOMENTS = ("label", "area", "centroid", "bbox", "moments_central")


def read_twice(labels):
    """The least that two passes over a raster take."""
    words = labels.view(np.int64)
    return np.bitwise_or.reduce(words, axis=None), np.bitwise_or.reduce(words, axis=None)


def calls_of(labels, field):
    """Calls on a raster of labels, by what they find; ours first."""
    numbers = np.arange(1, labels.max() + 1)
    return {
        "reading twice": {"NumPy": lambda: read_twice(labels)},
        "cells, centroid, box, moments": {
            "thiessen": lambda: thiessen.site_statistics(labels, threads=1),
            "scikit-image": lambda: skimage.measure.regionprops_table(labels, properties=MOMENTS),
        },
        "centroid": {
            "thiessen": lambda: thiessen.site_statistics(labels, threads=1),
            "SciPy": lambda: scipy.ndimage.center_of_mass(
                np.broadcast_to(np.float32(1), labels.shape), labels, numbers
            ),
        },
        "mass": {
            "thiessen": lambda: thiessen.site_statistics(labels, field=field, threads=1),
            "SciPy": lambda: scipy.ndimage.sum_labels(field, labels, numbers),
        },
        "neighbours": {
            "thiessen": lambda: thiessen.adjacency(labels, threads=1),
            "scikit-image": lambda: skimage.graph.RAG(labels, connectivity=1),
        },
    }


def check(what, ours, theirs):
    """Raise AssertionError where answers differ by more than the others' rounding."""
    if what == "cells, centroid, box, moments":
        assert (ours.labels == theirs["label"]).all()
        assert (ours.cells == theirs["area"]).all()
        for axis in range(2):
            np.testing.assert_allclose(ours.centroid[:, axis], theirs[f"centroid-{axis}"], 1e-9)
            assert (ours.first[:, axis] == theirs[f"bbox-{axis}"]).all()
            assert (ours.last[:, axis] + 1 == theirs[f"bbox-{axis + 2}"]).all()
            moment = theirs["moments_central-2-0" if axis == 0 else "moments_central-0-2"]
            np.testing.assert_allclose(
                ours.second_moments[:, axis, axis] * ours.cells, moment, rtol=1e-6, atol=1e-6
            )
    elif what == "centroid":
        np.testing.assert_allclose(ours.centroid, theirs, 1e-9)
    elif what == "mass":
        np.testing.assert_allclose(ours.mass, theirs, 1e-6)
    elif what == "neighbours":
        assert set(zip(ours.a.tolist(), ours.b.tolist())) == {
            (min(edge), max(edge)) for edge in theirs.edges
        }


def measure(labels_of, rounds):
    times = {}
    for number in range(rounds):
        labels, field = labels_of(number)
        for what, calls in calls_of(labels, field).items():
            answers = []
            for name, call in calls.items():
                start = time.process_time()
                answers.append(call())
                times.setdefault((what, name), []).append(time.process_time() - start)
            if number == 0 and len(answers) == 2:
                check(what, *answers)
    return {key: statistics.median(values) for key, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--sites", type=int, default=10000)
    arguments = parser.parse_args()
    shape = (arguments.size, arguments.size)

    def labels_of(number):
        sites = thiessen.random_sites(shape, arguments.sites, seed=number)
        found = thiessen.nearest_site(sites, outputs=("labels",))
        field = np.random.default_rng(number).random(shape, np.float32)
        return found.labels, field

    times = measure(labels_of, arguments.rounds)
    print(
        f"thiessen {thiessen.__version__}, SciPy {scipy.__version__}, scikit-image "
        f"{skimage.__version__}; {arguments.sites} labels on {shape[0]} x {shape[1]} cells, medians "
        f"of {arguments.rounds} rounds\n\n| what | who | ms | times ours |\n| --- | --- | ---: | ---: |"
    )
    for (what, name), value in times.items():
        own = times.get((what, "thiessen"))
        ratio = f"{value / own:.1f}" if own and name != "thiessen" else ""
        print(f"| {what} | {name} | {1000 * value:.1f} | {ratio} |")


if __name__ == "__main__":
    main()
