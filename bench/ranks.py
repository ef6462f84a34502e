#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ranks of MPI make of a run: time, work of each rank, faces and bytes that it receives.

usage: ranks.py [--command PATH] [--size WxH] [--sites N] [--ranks LIST] [--rounds N] [--suffix .npy|.tif]
                [--signed] [--folder FOLDER]

Makes an .npy of random sites, lets the command write labels and distances in one process, in one process by
four slabs, and by mpirun on each number of ranks, one thread each, compares the files, and prints medians of
rounds that alternate: seconds, how many times the processor time of one process by slabs all ranks took
together, the busiest rank by the same measure, and the most faces and bytes of faces that a rank received.
Needs numpy and mpirun.
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


def run(arguments, way, inputs, outputs):
    """Seconds, processor seconds of all, and the report."""
    words = [arguments.command, "voronoi", "--sites", inputs, "--threads", "1", "--overwrite"]
    words += ["--labels", outputs[0], "--distance", outputs[1], "--json"]
    if arguments.signed:
        words.append("--signed")
    if way == "1, by slabs":
        words += ["--slab-rows", str(arguments.height // 4)]
    elif way != "1":
        words = ["mpirun", "-n", way, *words]
    before = os.times()
    start = time.perf_counter()
    done = subprocess.run(words, env=os.environ | LAUNCHING, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    after = os.times()
    own = (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )
    return seconds, own, json.loads(done.stdout)


def measure(arguments, ways, inputs):
    results = {way: [] for way in ways}
    files = {
        way: [os.path.join(arguments.folder, f"{name}{place}{arguments.suffix}") for name in "ld"]
        for place, way in enumerate(ways)
    }
    for _ in range(arguments.rounds):
        for way in ways:
            results[way].append(run(arguments, way, inputs, files[way]))
    for way in ways:
        for ours, first in zip(files[way], files["1"]):
            assert filecmp.cmp(ours, first, shallow=False), f"{ours} differs from {first}"
    return results


def row(way, rounds, by_slabs):
    seconds = statistics.median(each[0] for each in rounds)
    work = statistics.median(each[1] for each in rounds)
    told = [each[2].get("ranks", []) for each in rounds]
    busiest = [max(rank["processor_s"] for rank in each) for each in told if each] or [work]
    cells = [
        way,
        f"{seconds:.2f}",
        f"{work / by_slabs:.2f}",
        f"{statistics.median(busiest) / by_slabs:.2f}",
        str(max((rank["faces_received"] for rank in told[-1]), default=0)),
        str(max((rank["bytes_of_faces"] for rank in told[-1]), default=0)),
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
    parser.add_argument("--signed", action="store_true")
    parser.add_argument("--folder", default=".")
    arguments = parser.parse_args()
    width, arguments.height = (int(side) for side in arguments.size.split("x"))
    inputs = os.path.join(arguments.folder, f"ranks-{arguments.size}-{arguments.sites}.npy")
    if not os.path.exists(inputs):
        make_input(inputs, width, arguments.height, arguments.sites)
    ways = ["1", "1, by slabs", *arguments.ranks.split(",")]
    results = measure(arguments, ways, inputs)
    by_slabs = statistics.median(each[1] for each in results["1, by slabs"])
    print("| ranks | s | work of all | busiest rank | faces received, at most | bytes of faces |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for way in ways:
        print(row(way, results[way], by_slabs))


if __name__ == "__main__":
    main()
