# SPDX-License-Identifier: Apache-2.0
"""Distances between surfaces of segmentations by thiessen.metrics, MONAI and surface-distance.

All numbers of a batch of label rasters: Hausdorff, its 95th percentile, the averages of both ways
and of all cells, the normalised surface distance. MONAI has a call for each, on the one-hot tensors
of the labels, which are made before the clock starts; surface-distance of DeepMind has one for each
label and raster that finds the distances, and reads its numbers from them. All on one thread; the
last column has the largest differences from ours. MONAI measures the same
surfaces, and rounds to float32. surface-distance measures between corners of cells, with the areas
of triangles, so its Hausdorff distance differs by up to a diagonal of a cell.

    build/torch-venv/bin/python -m bench.compare.metrics [--rounds 5] [--quick]
"""

import importlib
import warnings
from functools import partial

import numpy as np
from thiessen import metrics

from .. import harness

TOLERANCE, PERCENTILE = 1.5, 95
# Batch, spacing, labels.
CASES = {
    "16 of 256 x 256, 3 labels": ((16, 256, 256), (1.0, 1.0), 3),
    "4 of 1024 x 1024, 8 labels": ((4, 1024, 1024), (0.5, 0.5), 8),
    "2 of 48 x 160 x 160, 4 labels": ((2, 48, 160, 160), (3.0, 0.7, 0.7), 4),
}
QUICK = {"2 of 64 x 64, 2 labels": ((2, 64, 64), (1.0, 1.0), 2)}
NUMBERS = {
    "hausdorff": "Hausdorff",
    "hausdorff_percentile": "its 95 %",
    "average": "average",
    "average_a_to_b": "a to b",
    "average_b_to_a": "b to a",
    "normalised": "normalised",
}


def make_pair(shape, labels, draw):
    """Balls, and the same ones moved and changed a little, as a segmentation and its reference, until no label is
    hidden by others."""
    places = np.ogrid[tuple(slice(extent) for extent in shape)]
    while True:
        pair = np.zeros((2, *shape), np.uint8)
        for label in range(1, labels + 1):
            centre = (0.15 + 0.7 * draw.random(len(shape))) * shape
            radius = (0.08 + 0.12 * draw.random()) * min(shape)
            for image in pair:
                moved = centre + draw.normal(0, 0.02 * min(shape), len(shape))
                away = sum((place - at) ** 2 for place, at in zip(places, moved))
                image[away <= (radius * (1 + 0.1 * draw.normal())) ** 2] = label
        if all(len(np.unique(image)) == labels + 1 for image in pair):
            return pair


def ours(pair, spacing, labels):
    def call():
        found = metrics.surface_distances(
            *pair,
            labels=range(1, labels + 1),
            spacing=spacing,
            percentile=PERCENTILE,
            tolerance=TOLERANCE,
            batch_axes=0,
        )
        return {name: getattr(found, name) for name in NUMBERS}

    return call


def monai(pair, spacing, labels):
    torch, module = (importlib.import_module(name) for name in ("torch", "monai.metrics"))
    torch.set_num_threads(1)
    masks = (np.stack([each == label + 1 for label in range(labels)], axis=1) for each in pair)
    a, b = (torch.from_numpy(each).float() for each in masks)
    options = {"include_background": True, "spacing": spacing}
    average = module.compute_average_surface_distance
    hausdorff = module.compute_hausdorff_distance

    def call():
        thresholds = [TOLERANCE] * labels
        return {
            "hausdorff": hausdorff(a, b, **options).numpy(),
            "hausdorff_percentile": hausdorff(a, b, percentile=PERCENTILE, **options).numpy(),
            "average": average(a, b, symmetric=True, **options).numpy(),
            "average_a_to_b": average(a, b, **options).numpy(),
            "average_b_to_a": average(b, a, **options).numpy(),
            "normalised": module.compute_surface_dice(a, b, thresholds, **options).numpy(),
        }

    return {
        "MONAI": call,
        "MONAI, Hausdorff alone": lambda: {"hausdorff": hausdorff(a, b, **options).numpy()},
    }


def deepmind(pair, spacing, labels):
    module = importlib.import_module("surface_distance")

    def call():
        numbers = {name: np.empty((len(pair[0]), labels)) for name in NUMBERS}
        for n, i in np.ndindex(len(pair[0]), labels):
            a, b = (each[n] == i + 1 for each in pair)
            found = module.compute_surface_distances(a, b, spacing)
            averages = module.compute_average_surface_distance(found)
            ways = [found["surfel_areas_gt"].sum(), found["surfel_areas_pred"].sum()]
            for name, value in {
                "hausdorff": module.compute_robust_hausdorff(found, 100),
                "hausdorff_percentile": module.compute_robust_hausdorff(found, PERCENTILE),
                "average": np.average(averages, weights=ways),
                "average_a_to_b": averages[0],
                "average_b_to_a": averages[1],
                "normalised": module.compute_surface_dice_at_tolerance(found, TOLERANCE),
            }.items():
                numbers[name][n, i] = value
        return numbers

    return {"surface-distance": call}


def case_of(name, batch, spacing, labels, peers):
    furthest = {}

    def make(number):
        draw = np.random.default_rng(number)
        pairs = [make_pair(batch[1:], labels, draw) for _ in range(batch[0])]
        pair = np.stack(pairs, axis=1)
        calls = {"thiessen": ours(pair, spacing, labels)}
        for peer in peers:
            calls |= peer(pair, spacing, labels)
        return calls

    def differences(answers):
        truth = answers["thiessen"]
        for who, numbers in answers.items():
            for each, values in numbers.items():
                apart = np.max(np.abs(values - truth[each])), furthest.get((who, each), 0)
                furthest[who, each] = np.maximum(*apart)
        return {
            who: ", ".join(
                f"{text} {furthest[who, each]:.2g}"
                for each, text in NUMBERS.items()
                if (who, each) in furthest and who != "thiessen"
            )
            for who in answers
        }

    return harness.Case(name, make, differences)


@harness.program(__doc__, "monai", "torch", "surface-distance", "scipy", threads=1)
def cases(options):
    warnings.simplefilter("ignore")
    small = (np.ones((2, 1, 9, 9), np.uint8), (1.0, 1.0), 1)
    makers = {"MONAI": monai, "surface-distance": deepmind}
    found = yield from harness.available(
        {who: partial(make, *small) for who, make in makers.items()}
    )
    for name, case in (QUICK if options.quick else CASES).items():
        yield case_of(name, *case, [makers[who] for who in found])
