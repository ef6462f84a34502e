#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What slabs and --resume take for points, against one run at once.

usage: points_in_slabs.py [--command PATH] [--size WxH] [--points N] [--slab-rows N] [--rounds N] [--folder FOLDER]

Writes the labels of random points with fractions of a cell to NPY: at once, in slabs, and in slabs with
--resume. The three alternate; the files must be the same. Prints the median of the processor's time, which
other programs on the machine do not add to, of the wall's time, and the peak of memory. Needs numpy.
"""

import argparse
import filecmp
import os
import shutil
import statistics
import subprocess
import time

import numpy

SEED = 1


def run(command):
    """Seconds of the processors, of the wall, and the peak of memory in GiB."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 2**20


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", default="build/release/cli/thiessen")
    parser.add_argument("--size", default="16384x16384")
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--slab-rows", default="1024")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default="/tmp")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    table = os.path.join(arguments.folder, "points-in-slabs.csv")
    places = numpy.random.default_rng(SEED).random((arguments.points, 2)) * (width, height) - 0.5
    numpy.savetxt(table, places, fmt="%.4f", delimiter=",")
    state = os.path.join(arguments.folder, "points-in-slabs-state")
    shutil.rmtree(state, ignore_errors=True)
    slabs = ["--slab-rows", arguments.slab_rows]
    ways = {"at once": [], "in slabs": slabs, "with --resume": [*slabs, "--resume", state]}
    runs = {way: [] for way in ways}
    files = {way: os.path.join(arguments.folder, f"points-{i}.npy") for i, way in enumerate(ways)}
    for _ in range(arguments.rounds):
        for way, flags in ways.items():
            command = [arguments.command, "voronoi", "--sites", table, "--size", arguments.size]
            command += ["--labels", files[way], "--overwrite", "--quiet", *flags]
            runs[way].append(run(command))
    first, *others = files.values()
    if not all(filecmp.cmp(first, other, shallow=False) for other in others):
        raise SystemExit("the files differ")
    base = [statistics.median(column) for column in zip(*runs["at once"])]
    for way, each in runs.items():
        processors, wall, memory = (statistics.median(column) for column in zip(*each))
        print(
            f"{way}: {processors:.2f} s of processors ({processors / base[0]:.2f}), "
            f"{wall:.2f} s ({wall / base[1]:.2f}), {memory:.2f} GiB"
        )
    for path in [table, *files.values()]:
        os.remove(path)


if __name__ == "__main__":
    main()
