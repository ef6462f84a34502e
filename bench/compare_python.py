#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package against the functions that its facades stand in for, in one run.

Small calls: microseconds of a call on 64 x 64 cells, medians of interleaved calls with new sites every
round. Large calls: Mcell/s on 4096 x 4096 cells, medians of interleaved rounds. Memory: what a call in a
fresh process holds at its peak beyond its input, in bytes a cell, and how much of that is the result.
Answers are compared, ties included, before times are believed. The peers have one thread; thiessen has
one for each processor, or one with --one-processor.

    build/venv/bin/python bench/compare_python.py [--rounds 7] [--one-processor]
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy
import scipy.ndimage
import skimage
import skimage.segmentation
import thiessen
import thiessen.compat.scipy
import thiessen.compat.skimage

SMALL, LARGE = 64, 4096


def calls(peer):
    """The calls of a peer's module and of our facade of it, as functions of an array."""
    if peer == "scipy":
        for module in (scipy.ndimage, thiessen.compat.scipy):
            yield {
                "edt": lambda free, m=module: m.distance_transform_edt(free),
                "edt, indices": lambda free, m=module: m.distance_transform_edt(
                    free, return_distances=False, return_indices=True
                ),
                "edt, both": lambda free, m=module: m.distance_transform_edt(
                    free, return_indices=True
                ),
                "edt, sampling 2, 1": lambda free, m=module: m.distance_transform_edt(free, [2, 1]),
                "cdt, chessboard": lambda free, m=module: m.distance_transform_cdt(free),
                "cdt, taxicab, both": lambda free, m=module: m.distance_transform_cdt(
                    free, "taxicab", return_indices=True
                ),
            }
    else:
        for module in (skimage.segmentation, thiessen.compat.skimage):
            yield {"expand_labels": lambda labels, m=module: m.expand_labels(labels, 5)}


def input_of(name, side, density, rng):
    sites = rng.random((side, side)) < density
    sites[tuple(rng.integers(side, size=2))] = True  # so that there is one
    if name == "expand_labels":
        return np.cumsum(sites, dtype=np.int32).reshape(sites.shape) * sites
    return ~sites


def same(theirs, ours):
    pairs = zip(theirs, ours) if isinstance(theirs, tuple) else [(theirs, ours)]
    return all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in pairs)


def timed(call, cells):
    start = time.perf_counter()
    result = call(cells)
    return time.perf_counter() - start, result


def measure(side, density, repeats, rounds):
    rng = np.random.default_rng(1)
    for peer in ("scipy", "skimage"):
        theirs, ours = calls(peer)
        for name in theirs:
            times = ([], [])
            for _ in range(rounds):
                cells = input_of(name, side, density, rng)
                assert same(theirs[name](cells), ours[name](cells)), f"{name}: answers differ"
                for _ in range(repeats):
                    for column, call in zip(times, (theirs[name], ours[name])):
                        column.append(timed(call, cells)[0])
            yield name, *(statistics.median(column) for column in times)


def peak_memory(case):
    """Bytes a cell of one call in a process of its own: at the peak beyond the input, and of the
    result."""
    code = """
import numpy as np
def status(key):
    return next(int(l.split()[1]) << 10 for l in open("/proc/self/status") if l.startswith(key))
import scipy.ndimage, thiessen, thiessen.compat.scipy
small = np.ones((64, 64), np.uint8); small[5, 5] = 0
for module in (scipy.ndimage, thiessen.compat.scipy): module.distance_transform_edt(small)
free = (np.random.default_rng(1).random(({side}, {side})) >= 0.01).view(np.uint8)
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
result = {call}
held = sum(array.nbytes for array in (result if isinstance(result, tuple) else (result,)))
print((status("VmHWM") - before) / free.size, held / free.size)
"""
    code = code.format(side=LARGE, call=case)
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return [float(number) for number in output.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--one-processor", action="store_true")
    arguments = parser.parse_args()
    rounds = arguments.rounds
    if arguments.one_processor:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(
        f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-image {skimage.__version__}; "
        f"{rounds} rounds, medians\n"
    )
    for density, sites in ((0, "one site"), (0.01, "1 % sites"), (0.3, "30 % sites")):
        print(f"| {SMALL} x {SMALL}, {sites} | peer, us | thiessen, us | ratio |")
        print("| --- | --- | --- | --- |")
        for name, theirs, ours in measure(SMALL, density, 100, rounds):
            print(f"| {name} | {theirs * 1e6:.0f} | {ours * 1e6:.0f} | {theirs / ours:.2f} |")
        print()
    print(f"| {LARGE} x {LARGE}, 1 % sites | peer, Mcell/s | thiessen, Mcell/s | ratio |")
    print("| --- | --- | --- | --- |")
    for name, theirs, ours in measure(LARGE, 0.01, 1, rounds):
        speeds = [LARGE * LARGE / seconds / 1e6 for seconds in (theirs, ours)]
        print(f"| {name} | {speeds[0]:.1f} | {speeds[1]:.1f} | {theirs / ours:.2f} |", flush=True)
    print(f"\n| memory of one call, {LARGE} x {LARGE} | bytes a cell | of these the result |")
    print("| --- | --- | --- |")
    for case in (
        "scipy.ndimage.distance_transform_edt(free)",
        "thiessen.compat.scipy.distance_transform_edt(free)",
        "scipy.ndimage.distance_transform_edt(free, return_indices=True)",
        "thiessen.compat.scipy.distance_transform_edt(free, return_indices=True)",
        "thiessen.distance_transform(free, values=0)",
        "thiessen.nearest_site(free, outputs=('labels', 'distance', 'site_index'))",
        "thiessen.nearest_site(free.T, outputs=('labels', 'distance'))",
    ):
        peak, held = peak_memory(case)
        print(f"| `{case}` | {peak:.2f} | {held:.2f} |", flush=True)


if __name__ == "__main__":
    main()
