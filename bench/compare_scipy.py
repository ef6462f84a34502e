#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command `thiessen voronoi` against SciPy's distance_transform_edt, in one run.

Each round has new sites. SciPy returns distances and indices of the sites, and once more indices alone;
thiessen labels, distances and site indices. The time of thiessen is that of its call alone ("compute" of --json), first one
thread, then two; SciPy always has one. Answers are compared before times are believed.

    python3 bench/compare_scipy.py [--thiessen build/release/cli/thiessen] [--rounds 5]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np
import scipy
import scipy.ndimage

CASES = [
    ("4096 x 4096, 10,000 sites", (4096, 4096), 10_000),
    ("4096 x 4096, 1 % sites", (4096, 4096), 4096 * 4096 // 100),
    ("1000 x 800, 100 sites", (800, 1000), 100),
    ("256 x 256 x 256, 1 % sites", (256, 256, 256), 256**3 // 100),
]


def size_text(shape):
    return "x".join(str(size) for size in reversed(shape))


def run_thiessen(command, shape, sites, seed, threads, folder):
    """Milliseconds of the call, scratch bytes per cell, and the output arrays."""
    files = {name: str(folder / f"{name}.npy") for name in ("labels", "distance", "site-index")}
    arguments = [command, "voronoi", "--random", str(sites), "--size", size_text(shape)]
    arguments += ["--seed", str(seed), "--threads", str(threads), "--json", "--overwrite"]
    for name, path in files.items():
        arguments += [f"--{name}", path]
    report = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
    compute = next(step["ms"] for step in report["steps"] if step["name"] == "compute")
    scratch = report["scratch_bytes"] / np.prod(shape)
    return compute, scratch, {name: np.load(path) for name, path in files.items()}


def run_scipy(free):
    """Milliseconds with distances and indices, milliseconds with indices alone, distances, indices."""
    edt = scipy.ndimage.distance_transform_edt
    start = time.perf_counter()
    distances, indices = edt(free, return_indices=True)
    both = time.perf_counter()
    edt(free, return_distances=False, return_indices=True)
    end = time.perf_counter()
    return (both - start) * 1e3, (end - both) * 1e3, distances, indices


def check(arrays, distances, indices):
    """Both must be right: equal distances, and every index a site at that distance."""
    assert np.array_equal(arrays["distance"], distances.astype(np.float32))
    cells = np.indices(distances.shape)
    ours = np.array(np.unravel_index(arrays["site-index"], distances.shape))
    for sites in (ours, indices):
        squared = ((sites - cells).astype(np.int64) ** 2).sum(axis=0)
        assert np.array_equal(np.sqrt(squared.astype(np.float64)), distances)


def measure(command, shape, sites, rounds, folder):
    times = {"one": [], "two": [], "scipy": [], "indices": []}
    scratch = 0
    for seed in range(1, rounds + 1):
        one, scratch, arrays = run_thiessen(command, shape, sites, seed, 1, folder)
        free = np.ones(np.prod(shape), dtype=bool)
        free[np.unique(arrays["site-index"])] = False
        scipy_ms, indices_ms, distances, indices = run_scipy(free.reshape(shape))
        two, _, again = run_thiessen(command, shape, sites, seed, 2, folder)
        if seed == 1:
            check(arrays, distances, indices)
        assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
        times["one"].append(one)
        times["two"].append(two)
        times["scipy"].append(scipy_ms)
        times["indices"].append(indices_ms)
    return times, scratch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--thiessen", default="build/release/cli/thiessen")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"SciPy {scipy.__version__}, {arguments.rounds} rounds, medians\n")
    print(
        "| raster | SciPy | SciPy, indices alone | thiessen, 1 thread | ratios | 2 threads / 1 | B/cell |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        for title, shape, sites in CASES:
            times, scratch = measure(
                arguments.thiessen, shape, sites, arguments.rounds, pathlib.Path(name)
            )
            speed = {
                key: np.prod(shape) / statistics.median(values) / 1e3
                for key, values in times.items()
            }
            ratio, bare, scaling = (
                statistics.median(a / b for a, b in zip(times[slow], times[fast]))
                for slow, fast in (("scipy", "one"), ("indices", "one"), ("one", "two"))
            )
            print(
                f"| {title} | {speed['scipy']:.1f} | {speed['indices']:.1f} | {speed['one']:.1f} "
                f"| {ratio:.1f}, {bare:.1f} | {scaling:.2f} | {scratch:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
