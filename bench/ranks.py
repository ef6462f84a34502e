#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ranks of MPI make of a run: time, work of each rank, faces and bytes that it receives.

usage: ranks.py [--command PATH] [--size WxH] [--sites N] [--ranks LIST] [--rounds N] [--suffix .npy|.tif]
                [--signed-distance] [--folder FOLDER]

Makes an .npy of random sites, lets the command write labels and distances in one process, in slabs of a
fourth of the rows, and by mpirun on each number of ranks, one thread each, compares the files, and prints
medians of rounds that alternate: seconds; the processor time in which all ranks read, solve and write,
and that of the busiest one, as multiples of that of one process; the most faces and bytes of faces that a
rank received. Needs numpy and mpirun.
"""

import argparse
import filecmp
import json
import os
import statistics
import subprocess
import time

import numpy

# More ranks than processors, and root in a container.
LAUNCHING = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    # Ranks that wait leave the processor to others, if there are more of them than processors.
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


def make_input(path, width, height, sites):
    generator = numpy.random.default_rng(1)
    cells = numpy.zeros(width * height, numpy.uint8)
    cells[generator.integers(0, cells.size, sites)] = generator.integers(1, 256, sites)
    numpy.save(path, cells.reshape(height, width))


def run(arguments, ranks, inputs, outputs):
    """Seconds and the report."""
    words = [arguments.command, "voronoi", "--sites", inputs, "--threads", "1", "--overwrite"]
    words += ["--labels", outputs[0], "--distance", outputs[1], "--json"]
    words += ["--slab-rows", str(arguments.height // 4)]
    if arguments.signed:
        words.append("--signed-distance")
    if ranks > 1:
        words = ["mpirun", "-n", str(ranks), *words]
    start = time.perf_counter()
    done = subprocess.run(words, env=os.environ | LAUNCHING, check=True, capture_output=True)
    return time.perf_counter() - start, json.loads(done.stdout)["ranks"]


def measure(arguments, counts, inputs):
    results = {ranks: [] for ranks in counts}
    files = {
        ranks: [os.path.join(arguments.folder, f"{name}{ranks}{arguments.suffix}") for name in "ld"]
        for ranks in counts
    }
    for _ in range(arguments.rounds):
        for ranks in counts:
            results[ranks].append(run(arguments, ranks, inputs, files[ranks]))
    for ranks in counts:
        for ours, first in zip(files[ranks], files[1]):
            assert filecmp.cmp(ours, first, shallow=False), f"{ours} differs from {first}"
    return results


def work_of(rounds, combine):
    """The median of what the ranks of a round took, combined by sum or max."""
    return statistics.median(combine(rank["processor_s"] for rank in each[1]) for each in rounds)


def row(ranks, rounds, of_one):
    last = rounds[-1][1]
    cells = [
        str(ranks),
        f"{statistics.median(each[0] for each in rounds):.2f}",
        f"{work_of(rounds, sum) / of_one:.2f}",
        f"{work_of(rounds, max) / of_one:.2f}",
        str(max(rank["faces_received"] for rank in last)),
        str(max(rank["bytes_of_faces"] for rank in last)),
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default="build/release/cli/thiessen")
    parser.add_argument("--size", default="8192x8192")
    parser.add_argument("--sites", type=int, default=20000)
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--suffix", default=".npy", choices=[".npy", ".tif"])
    parser.add_argument("--signed-distance", action="store_true")
    parser.add_argument("--folder", default=".")
    arguments = parser.parse_args()
    width, arguments.height = (int(side) for side in arguments.size.split("x"))
    inputs = os.path.join(arguments.folder, f"ranks-{arguments.size}-{arguments.sites}.npy")
    if not os.path.exists(inputs):
        make_input(inputs, width, arguments.height, arguments.sites)
    counts = [1, *(int(count) for count in arguments.ranks.split(","))]
    results = measure(arguments, counts, inputs)
    print("| ranks | s | work of all | busiest rank | faces received, at most | bytes of faces |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for ranks in counts:
        print(row(ranks, results[ranks], work_of(results[1], sum)))


if __name__ == "__main__":
    main()
