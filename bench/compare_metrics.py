#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Distances between surfaces of segmentations by thiessen.metrics, MONAI and surface-distance, in one run.

All numbers of a batch of label rasters: Hausdorff, its 95th percentile, the averages of both ways
and of all cells, the normalised surface distance. MONAI has a call for each, on the one-hot tensors
of the labels, which are made before the clock starts; surface-distance of DeepMind has one for each
label and raster that finds the distances, and reads its numbers from them. Calls are by turns, on
one thread; the table has medians, and the largest difference from ours. MONAI measures the same
surfaces, and rounds to float32. surface-distance measures between corners of cells, with the areas
of triangles, so its Hausdorff distance differs by up to a diagonal of a cell.

    build/torch-venv/bin/python bench/compare_metrics.py [--rounds 5] [--quick]
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy
import thiessen
import torch
from thiessen import metrics

TOLERANCE, PERCENTILE = 1.5, 95
Numbers = dict[str, np.ndarray]
Case = tuple[tuple[int, ...], tuple[float, ...], int]
CASES: dict[str, Case] = {
    "16 of 256 x 256, 3 labels": ((16, 256, 256), (1.0, 1.0), 3),
    "4 of 1024 x 1024, 8 labels": ((4, 1024, 1024), (0.5, 0.5), 8),
    "2 of 48 x 160 x 160, 4 labels": ((2, 48, 160, 160), (3.0, 0.7, 0.7), 4),
}
QUICK: dict[str, Case] = {"2 of 64 x 64, 2 labels": ((2, 64, 64), (1.0, 1.0), 2)}


def make_batches(shape: tuple[int, ...], labels: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Balls, and the same ones moved and changed a little, as a segmentation and its reference."""
    draw = np.random.default_rng(number)
    pairs = [make_pair(shape[1:], labels, draw) for _ in range(shape[0])]
    a, b = np.stack(pairs, axis=1)
    return a, b


def make_pair(shape: tuple[int, ...], labels: int, draw: np.random.Generator) -> np.ndarray:
    """Until no label is hidden by others."""
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


def ours(pair: tuple[np.ndarray, np.ndarray], spacing: Any, labels: int) -> Callable[[], Numbers]:
    def call() -> Numbers:
        found = metrics.surface_distances(
            *pair,
            labels=range(1, labels + 1),
            spacing=spacing,
            percentile=PERCENTILE,
            tolerance=TOLERANCE,
            batch_axes=0,
            threads=1,
        )
        return {name: getattr(found, name) for name in NUMBERS}

    return call


def one_hot(pair: tuple[np.ndarray, np.ndarray], labels: int) -> Iterator[torch.Tensor]:
    for each in pair:
        masks = np.stack([each == label for label in range(1, labels + 1)], axis=1)
        yield torch.from_numpy(masks).float()


def monai(pair: tuple[np.ndarray, np.ndarray], spacing: Any, labels: int) -> Callable[[], Numbers]:
    module = importlib.import_module("monai.metrics")
    a, b = one_hot(pair, labels)
    options = {"include_background": True, "spacing": spacing}
    average = module.compute_average_surface_distance
    hausdorff = module.compute_hausdorff_distance

    def call() -> Numbers:
        thresholds = [TOLERANCE] * labels
        return {
            "hausdorff": hausdorff(a, b, **options).numpy(),
            "hausdorff_percentile": hausdorff(a, b, percentile=PERCENTILE, **options).numpy(),
            "average": average(a, b, symmetric=True, **options).numpy(),
            "average_a_to_b": average(a, b, **options).numpy(),
            "average_b_to_a": average(b, a, **options).numpy(),
            "normalised": module.compute_surface_dice(a, b, thresholds, **options).numpy(),
        }

    return call


def monai_hausdorff(
    pair: tuple[np.ndarray, np.ndarray], spacing: Any, labels: int
) -> Callable[[], Numbers]:
    hausdorff = importlib.import_module("monai.metrics").compute_hausdorff_distance
    a, b = one_hot(pair, labels)
    options = {"include_background": True, "spacing": spacing}
    return lambda: {"hausdorff": hausdorff(a, b, **options).numpy()}


def deepmind(
    pair: tuple[np.ndarray, np.ndarray], spacing: Any, labels: int
) -> Callable[[], Numbers]:
    module = importlib.import_module("surface_distance")

    def call() -> Numbers:
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

    return call


NUMBERS = {
    "hausdorff": "Hausdorff",
    "hausdorff_percentile": "its 95 %",
    "average": "average",
    "average_a_to_b": "a to b",
    "average_b_to_a": "b to a",
    "normalised": "normalised",
}
PEERS = {
    "thiessen": ours,
    "MONAI": monai,
    "MONAI, Hausdorff alone": monai_hausdorff,
    "surface-distance": deepmind,
}


def measure(case: Case, rounds: int) -> tuple[dict[str, list[float]], dict[str, Numbers]]:
    """Seconds of each round, and the largest differences from ours, by peer."""
    shape, spacing, labels = case
    times: dict[str, list[float]] = {}
    differences: dict[str, Numbers] = {}
    for number in range(rounds):
        pair = make_batches(shape, labels, number)
        truth: Numbers = {}
        for name, make in PEERS.items():
            call = make(pair, spacing, labels)
            start = time.perf_counter()
            numbers = call()
            times.setdefault(name, []).append(time.perf_counter() - start)
            truth = truth or numbers
            furthest = differences.setdefault(name, {})
            for each, values in numbers.items():
                apart = np.max(np.abs(values - truth[each]))
                furthest[each] = np.maximum(apart, furthest.get(each, 0))
    return times, differences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a small case, to see that all runs")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    versions = {name: importlib.import_module(name).__version__ for name in ("monai", "torch")}
    print(
        f"thiessen {thiessen.__version__}, MONAI {versions['monai']}, PyTorch {versions['torch']}, "
        f"SciPy {scipy.__version__}; medians of {arguments.rounds} rounds\n"
    )
    print("| | | ms | times as long |", *(f" {name} |" for name in NUMBERS.values()), sep="")
    print("| --- | --- | ---: | ---: |" + " ---: |" * len(NUMBERS))
    for title, case in (QUICK if arguments.quick else CASES).items():
        times, differences = measure(case, arguments.rounds)
        for name, seconds in times.items():
            ratio = statistics.median(b / a for a, b in zip(times["thiessen"], seconds))
            found = differences[name]
            furthest = " | ".join(f"{found[each]:.2g}" if each in found else "" for each in NUMBERS)
            milliseconds = 1000 * statistics.median(seconds)
            print(
                f"| {title} | {name} | {milliseconds:.3g} | {ratio:.3g} | {furthest} |", flush=True
            )


if __name__ == "__main__":
    main()
