#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Points: the command `thiessen voronoi` against SciPy's k-d tree asked for every cell, in one run.

Each round has new points, with fractions of a cell. thiessen writes labels and distances; SciPy returns
distances and positions in the list. The time of thiessen is that of its call alone ("compute" of
--json), that of SciPy building the tree and asking; one thread each. Distances are compared before times are
believed. The last column is the time of thiessen per cell in units of the first row's: what grew with
points times cells would grow with the points.

    python3 bench/compare_points.py [--thiessen build/release/cli/thiessen] [--rounds 3]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np
from scipy.spatial import cKDTree

SIDE = 2048
COUNTS = [100, 10_000, 1_000_000]


def run_thiessen(command, points, folder):
    """Milliseconds of the call and the distances."""
    source, target = folder / "points.csv", folder / "distance.npy"
    np.savetxt(source, points, fmt="%.17g", delimiter=",")
    arguments = [
        command,
        "voronoi",
        "--sites",
        source,
        "--size",
        f"{SIDE}x{SIDE}",
        "--threads",
        "1",
    ]
    arguments += ["--distance", target, "--distance-type", "f64", "--labels", folder / "labels.npy"]
    report = json.loads(
        subprocess.run(
            [*arguments, "--json", "--overwrite"], check=True, capture_output=True
        ).stdout
    )
    return next(step["ms"] for step in report["steps"] if step["name"] == "compute"), np.load(
        target
    )


def run_scipy(points, cells):
    start = time.perf_counter()
    distances, _ = cKDTree(points).query(cells)
    return (time.perf_counter() - start) * 1e3, distances


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--thiessen", default="build/release/cli/thiessen")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    y, x = np.mgrid[:SIDE, :SIDE]
    cells = np.column_stack([x.ravel(), y.ravel()]).astype(float)
    print(
        f"| points on {SIDE} x {SIDE} | SciPy, Mcell/s | thiessen, Mcell/s | ratio | time per cell |"
    )
    print("| --- | --- | --- | --- | --- |")
    first = None
    for count in COUNTS:
        times = []
        for number in range(arguments.rounds):
            # In units of 2^-16 of a cell, so that both measure to the very same places.
            points = (
                np.round(
                    np.random.default_rng(number).uniform(-0.5, SIDE - 0.5, (count, 2)) * 65536
                )
                / 65536
            )
            with tempfile.TemporaryDirectory() as folder:
                ours, distance = run_thiessen(arguments.thiessen, points, pathlib.Path(folder))
            theirs, expected = run_scipy(points, cells)
            assert np.allclose(distance.ravel(), expected, rtol=1e-12, atol=0), "distances differ"
            times.append((theirs, ours))
        theirs, ours = (statistics.median(column) for column in zip(*times))
        first = first or ours
        speed = [len(cells) / milliseconds / 1e3 for milliseconds in (theirs, ours)]
        print(
            f"| {count:,} | {speed[0]:.2f} | {speed[1]:.1f} | {theirs / ours:.1f} | {ours / first:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
