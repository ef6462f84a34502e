#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The raster methods of the command against OpenCV's distanceTransform, in one run.

Each round has new random sites. OpenCV: DIST_L1 with CV_32F, distances alone, one thread, into memory that is
there already. thiessen: method chamfer with labels *and* distances, then with labels alone, and beside it
`brute-force` and `exact`, manhattan distance too, one thread; its time is that of its call ("compute" of --json),
into new memory. Distances are compared before times are believed. Medians of the rounds.

    /usr/bin/python3 bench/compare_raster.py [--thiessen build/release/cli/thiessen] [--rounds 7]

with Debian's python3-opencv (4.6 in Debian 12).
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import cv2
import numpy as np

SIZES = {"1000x800": (800, 1000), "2500x2000": (2000, 2500), "5000x4000": (4000, 5000)}
SITES = 100
WAYS = {
    "chamfer, labels and distances": ("chamfer", ("labels", "distance")),
    "chamfer, labels": ("chamfer", ("labels",)),
    "brute-force, labels": ("brute-force", ("labels",)),
    "exact, labels": ("exact", ("labels",)),
}


def draw_sites(shape, seed):
    sites = np.zeros(shape, np.int32)
    chosen = np.random.default_rng(seed).choice(sites.size, SITES, replace=False)
    sites.flat[np.sort(chosen)] = np.arange(1, SITES + 1)
    return sites


def run_thiessen(command, algorithm, outputs, folder):
    """Milliseconds of the call."""
    arguments = [command, "voronoi", "--sites", folder / "sites.npy", "--threads", "1"]
    arguments += ["--method", algorithm, "--metric", "manhattan", "--json", "--overwrite"]
    for output in outputs:
        arguments += [f"--{output}", folder / f"{output}.npy"]
    report = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
    return next(step["ms"] for step in report["steps"] if step["name"] == "compute")


def run_opencv(free, distance):
    start = time.perf_counter()
    cv2.distanceTransform(free, cv2.DIST_L1, 3, dst=distance, dstType=cv2.CV_32F)
    return (time.perf_counter() - start) * 1e3


def measure(command, shape, rounds):
    """Milliseconds of OpenCV and of each way."""
    times = {"OpenCV": [], **{way: [] for way in WAYS}}
    distance = np.empty(shape, np.float32)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(rounds + 1):
            sites = draw_sites(shape, seed)
            np.save(folder / "sites.npy", sites)
            times["OpenCV"].append(run_opencv((sites == 0).view(np.uint8), distance))
            for way, (algorithm, outputs) in WAYS.items():
                times[way].append(run_thiessen(command, algorithm, outputs, folder))
            assert np.array_equal(np.load(folder / "distance.npy"), distance), "distances differ"
    return {way: statistics.median(each[1:]) for way, each in times.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--thiessen", default="build/release/cli/thiessen")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"| {SITES} sites, ms | OpenCV {cv2.__version__}, distances | " + " | ".join(WAYS) + " |")
    print("| --- |" + " --- |" * (len(WAYS) + 1))
    for size, shape in SIZES.items():
        times = measure(arguments.thiessen, shape, arguments.rounds)
        theirs = times.pop("OpenCV")
        cells = [f"{each:.2f} ({theirs / each:.1f}x)" for each in times.values()]
        print(f"| {size} | {theirs:.2f} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
