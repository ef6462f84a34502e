# SPDX-License-Identifier: Apache-2.0
"""Statistics and adjacency of labels against what users call today.

The labels are those of the nearest of 10,000 random sites on 4096 x 4096 cells, int32. Sizes, centroids,
moments and masses against scipy.ndimage and skimage.measure, neighbours against skimage.graph; the time to
read the raster twice is beside them. Time of the processor on one thread.

    build/bench-venv/bin/python -m bench.compare.statistics [--rounds 5] [--size 4096] [--sites 10000]
"""

import numpy as np
import scipy.ndimage
import skimage.graph
import skimage.measure
import thiessen

from .. import harness

MOMENTS = ("label", "area", "centroid", "bbox", "moments_central")


def reading_twice(labels, field):
    """The least that two passes over a raster take."""
    words = labels.view(np.int64)
    return {"NumPy": lambda: [np.bitwise_or.reduce(words, axis=None) for _ in range(2)]}


def moments(labels, field):
    return {
        "thiessen": lambda: thiessen.site_statistics(labels),
        "scikit-image": lambda: skimage.measure.regionprops_table(labels, properties=MOMENTS),
    }


def centroid(labels, field):
    ones = np.broadcast_to(np.float32(1), labels.shape)
    numbers = np.arange(1, labels.max() + 1)
    return {
        "thiessen": lambda: thiessen.site_statistics(labels),
        "SciPy": lambda: scipy.ndimage.center_of_mass(ones, labels, numbers),
    }


def mass(labels, field):
    numbers = np.arange(1, labels.max() + 1)
    return {
        "thiessen": lambda: thiessen.site_statistics(labels, field=field),
        "SciPy": lambda: scipy.ndimage.sum_labels(field, labels, numbers),
    }


def neighbours(labels, field):
    return {
        "thiessen": lambda: thiessen.adjacency(labels),
        "scikit-image": lambda: skimage.graph.RAG(labels, connectivity=1),
    }


def check_moments(ours, theirs):
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


def check_neighbours(ours, theirs):
    pairs = {(min(edge), max(edge)) for edge in theirs.edges}
    assert set(zip(ours.a.tolist(), ours.b.tolist())) == pairs


# Calls on a raster of labels and a field, and the check of two answers.
CASES = {
    "reading twice": (reading_twice, None),
    "cells, centroid, box, moments": (moments, check_moments),
    "centroid": (centroid, lambda a, b: np.testing.assert_allclose(a.centroid, b, 1e-9)),
    "mass": (mass, lambda a, b: np.testing.assert_allclose(a.mass, b, 1e-6)),
    "neighbours": (neighbours, check_neighbours),
}


def case_of(options, name, calls, check):
    shape = (options.size, options.size)

    def make(number):
        sites = thiessen.random_sites(shape, options.sites, seed=number)
        labels = thiessen.nearest_site(sites, outputs=("labels",)).labels
        return calls(labels, np.random.default_rng(number).random(shape, np.float32))

    def check_both(answers):
        if len(answers) == 2:
            check(*answers.values())

    return harness.Case(f"{name}, {options.sites} labels", make, check_both)


@harness.program(
    __doc__,
    "scipy",
    "scikit-image",
    timer=harness.processor,
    threads=1,
    size=(4096, 256),
    sites=(10000, 100),
)
def cases(options):
    for name, case in CASES.items():
        yield case_of(options, name, *case)
