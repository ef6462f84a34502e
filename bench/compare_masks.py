#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What users of masks and label volumes call, against the functions that they call today, in one run.

Small masks: distances and labels of round objects, microseconds of a call from Python on 64 x 64 to
512 x 512 cells, against SciPy and OpenCV. Boundaries: distances of the cells of many labels to the
next other label, against edt. Signed: distances on both sides of the outline of objects, against two
calls of SciPy and of edt. Every round has new cells; calls are interleaved, and answers are compared
before times are believed. Medians of the rounds, one thread each.

    build/bench-venv/bin/python -m bench.compare_masks [--rounds 5] [--quick]
"""

import argparse
import statistics
import time
from functools import partial

import cv2
import edt
import numpy as np
import scipy
import scipy.ndimage
import thiessen

from .cases import make_sites

SMALL = (64, 128, 256, 512)
LABELS = 2000
VOLUME, PLANE = (256, 256, 256), (4096, 4096)
CLOSE = {"rtol": 1e-6, "atol": 1e-6}  # others round in float32


def small_calls(labels):
    """Calls on a raster of labels, 0 where cells are free; ours first."""
    free = labels == 0
    mask = free.view(np.uint8)
    return {
        "distance": {
            "thiessen": lambda: thiessen.distance_transform(labels, threads=1),
            "SciPy": lambda: scipy.ndimage.distance_transform_edt(free),
            "OpenCV": lambda: cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE),
        },
        "nearest object": {
            "thiessen": lambda: thiessen.nearest_site(labels, outputs=("labels",), threads=1),
            "SciPy": lambda: scipy.ndimage.distance_transform_edt(
                free, return_distances=False, return_indices=True
            ),
        },
    }


def boundary_calls(labels):
    return {
        "to the boundary": {
            "thiessen": lambda: thiessen.distance_transform(
                labels, distance_to="boundary", threads=1
            ),
            "edt": lambda: edt.edt(labels, parallel=1),
        }
    }


def signed_calls(mask):
    free = ~mask

    def two_calls(transform):
        return transform(free) - transform(mask)

    return {
        "signed_distance": {
            "thiessen": lambda: thiessen.distance_transform(mask, signed_distance=True, threads=1),
            "SciPy": lambda: two_calls(scipy.ndimage.distance_transform_edt),
            "edt": lambda: two_calls(lambda cells: edt.edt(cells, parallel=1)),
        }
    }


def cells_of_labels(shape, count, seed):
    """A raster of which each cell has the label of the nearest of some points."""
    sites, _ = make_sites(shape, str(count), seed)
    return thiessen.nearest_site(sites, outputs=("labels",)).labels


def small_of(shape, seed):
    return small_calls(make_sites(shape, "nuclei", seed)[0])


def boundaries_of(shape, seed):
    return boundary_calls(cells_of_labels(shape, LABELS, seed))


def signed_of(shape, seed):
    return signed_calls(make_sites(shape, "nuclei", seed)[0] != 0)


def check(name, answers):
    if name == "nearest object":
        return  # labels and indices; bench/check.py compares these
    ours, *theirs = answers
    for answer in theirs:
        assert np.allclose(ours, answer, **CLOSE), f"{name}: answers differ"


def timed(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        result = call()
    return (time.perf_counter() - start) / repeats, result


def measure(make_calls, rounds, repeats=1):
    """For each result, the medians of all who give it."""
    times = {}
    for seed in range(rounds):
        for name, calls in make_calls(seed).items():
            answers = []
            for who, call in calls.items():
                seconds, answer = timed(call, repeats)
                times.setdefault(name, {}).setdefault(who, []).append(seconds)
                answers.append(answer)
            check(name, answers)
    return {
        name: {who: statistics.median(each) for who, each in of_name.items()}
        for name, of_name in times.items()
    }


def print_rows(case, measured, unit, digits):
    for name, seconds in measured.items():
        ours = seconds.pop("thiessen")
        peers = [
            f"{who} {value * unit:.{digits}f} ({value / ours:.1f}x)"
            for who, value in seconds.items()
        ]
        print(f"| {case} | {name} | {ours * unit:.{digits}f} | {', '.join(peers)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small volumes, to see that all runs")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    volume, plane = ((64, 64, 64), (256, 256)) if arguments.quick else (VOLUME, PLANE)
    print(
        f"NumPy {np.__version__}, SciPy {scipy.__version__}, OpenCV {cv2.__version__}; "
        f"medians of {arguments.rounds} rounds, one thread\n"
    )
    print("| nuclei, us | result | thiessen | peers |\n| --- | --- | --- | --- |")
    for side in SMALL:
        rows = measure(partial(small_of, (side, side)), arguments.rounds, repeats=20)
        print_rows(f"{side} x {side}", rows, 1e6, 0)
    print("\n| cells, ms | result | thiessen | peers |\n| --- | --- | --- | --- |")
    for shape in (volume, plane):
        size = " x ".join(map(str, shape))
        rows = measure(partial(boundaries_of, shape), arguments.rounds)
        print_rows(f"{LABELS} labels, {size}", rows, 1e3, 1)
        rows = measure(partial(signed_of, shape), arguments.rounds)
        print_rows(f"nuclei, {size}", rows, 1e3, 1)


if __name__ == "__main__":
    main()
