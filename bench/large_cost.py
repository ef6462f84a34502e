#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much memory and time cost distance takes in slabs, against the same run at once.

usage: large_cost.py [--command PATH] [--size N] [--maps noise,maze] [--sites N] [--memory SIZE] [--rounds N]
                     [--folder FOLDER]

Makes square NPY maps of f32, noise and a maze (the command's own), and rasters of sites, unless they are there:
so many random ones for noise, one in the first corner for the maze. Then the command writes labels and costs, in
slabs within --memory, the same with --resume, and at once, in turn; the files must be equal. Prints medians of time,
peak memory and visits of slabs. Needs numpy; for the full size about 12 GB of memory and 20 GB of disk.
"""

import argparse
import filecmp
import json
import multiprocessing
import os
import statistics
import subprocess
import time

import numpy

SEED = 1


def make_noise(path, size):
    random = numpy.random.default_rng(SEED)
    cells = numpy.lib.format.open_memmap(path + ".part", "w+", numpy.float32, (size, size))
    for row in cells:
        row[:] = 0.1 + 0.9 * random.random(size, numpy.float32)
    del cells
    os.rename(path + ".part", path)


def make_maze(path, size, command):
    # The map is all that counts; one site has the run done soon.
    subprocess.run(
        [command, "cost", "--map", f"maze:{SEED}", "--random", "1", "--size", f"{size}x{size}",
         "--max-distance", "1", "--write-map", path, "-q"],
        check=True,
    )  # fmt: skip


def make_sites(path, size, count):
    """Random sites 1, 2, ..., or one in the first cell."""
    cells = numpy.lib.format.open_memmap(path + ".part", "w+", numpy.int32, (size, size))
    random = numpy.random.default_rng(SEED)
    places = random.integers(0, size * size, count) if count > 1 else numpy.zeros(1, numpy.int64)
    cells.reshape(-1)[places] = numpy.arange(1, count + 1)
    del cells
    os.rename(path + ".part", path)


def make_in_process(make, path, *arguments):
    """In a process of its own: what a child takes begins with the memory of its parent."""
    if os.path.exists(path):
        return
    maker = multiprocessing.Process(target=make, args=(path, *arguments))
    maker.start()
    maker.join()
    if maker.exitcode != 0:
        raise SystemExit(f"failed: {path}")


def run(command):
    """Seconds by the clock and of processors, the peak of its memory in bytes, and its report."""
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--json", "-q"], stdout=subprocess.PIPE)
    told = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"failed: {command}")
    seconds = time.perf_counter() - start
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, json.loads(told)


def report(name, runs, cells):
    seconds = statistics.median(took for took, _, _, _ in runs)
    work = statistics.median(worked for _, worked, _, _ in runs)
    peak = max(memory for _, _, memory, _ in runs)
    print(
        f"{name}: {seconds:.1f} s, {cells / seconds / 1e6:.1f} Mcells/s, processors {work:.2f} s, "
        f"peak {peak / 2**30:.2f} GiB, {peak / cells:.2f} bytes a cell"
    )
    return seconds, work


def compare(arguments, kind):
    size = arguments.size
    paths = {
        name: os.path.join(arguments.folder, f"cost-{kind}-{size}-{name}.npy")
        for name in ("map", "sites")
    }
    state = os.path.join(arguments.folder, f"cost-{kind}-{size}-state")
    ways = ("slabs", "kept", "once")
    for way in ways:
        for output in ("labels", "costs"):
            name = f"cost-{kind}-{size}-{way}-{output}.npy"
            paths[f"{way}-{output}"] = os.path.join(arguments.folder, name)
    if kind == "noise":
        make_in_process(make_noise, paths["map"], size)
    else:
        make_in_process(make_maze, paths["map"], size, arguments.command)
    make_in_process(make_sites, paths["sites"], size, arguments.sites if kind == "noise" else 1)

    def command(how, *flags):
        return [
            arguments.command, "cost", "--stiffness", paths["map"], "--sites", paths["sites"],
            "--labels", paths[f"{how}-labels"], "--distance", paths[f"{how}-costs"], "--overwrite",
            *flags,
        ]  # fmt: skip

    flags = {
        "slabs": ["--memory", arguments.memory],
        "kept": ["--memory", arguments.memory, "--resume", state],
        "once": ["--memory", "1T"],
    }
    runs = {way: [] for way in ways}
    for _ in range(arguments.rounds):
        for way in ways:
            runs[way].append(run(command(way, *flags[way])))
    for way in ("slabs", "kept"):
        for output in ("labels", "costs"):
            if not filecmp.cmp(paths[f"{way}-{output}"], paths[f"once-{output}"], shallow=False):
                raise SystemExit(f"{kind}: {output} differ")
    cells = size * size
    took = {}
    for way in ways:
        told = runs[way][-1][3]
        took[way] = report(f"{kind}, {way}, {told.get('slabs', 1)} slabs", runs[way], cells)
        if way != "once":
            print(f"  visits: {told.get('visits')}")
    for one, other in (("slabs", "once"), ("kept", "slabs")):
        by_clock, by_work = (a / b for a, b in zip(took[one], took[other]))
        print(f"  {one} against {other}: {by_clock:.2f} by the clock, {by_work:.2f} of processors")
    print("  the files are equal")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", default="build/release/cli/thiessen")
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--maps", default="noise,maze")
    parser.add_argument("--sites", type=int, default=10_000)
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--folder", default="/tmp")
    arguments = parser.parse_args()
    for kind in arguments.maps.split(","):
        compare(arguments, kind)


if __name__ == "__main__":
    main()
