# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.raster`: the raster methods on one GPU beside `exact`, by turns, by events of the device; their
labels are compared with those of `exact`. The literal scan is `brute-force`, the tuned one `raster-gpu` with few sites."""

import argparse
import sys

import cupy as cp

from .cases import Case, make_input
from .flooding import Flooding
from .library import Library
from .measure import Row, take_turns
from .peers import LABELS
from .report import table

METHODS = ("brute-force", "raster-gpu", "expansion", "exact")
SIZES = ("1000x800", "5000x4000")
SITES = ("10", "100", "1000", "10000", "1000000")
MOST_SCANNED = 3e11  # cells times sites


def measure(library, case, rounds, stream):
    inputs = [make_input(case, seed) for seed in (1, 2)]
    work = case.cells * int(case.kind)
    names = [n for n in METHODS if work < MOST_SCANNED or n in ("raster-gpu", "exact")]
    names = [n for n in names if n != "expansion" or int(case.kind) >= 1000]
    peers = {name: Flooding(library, name) for name in names}
    calls = {name: peer.calls(inputs, case) for name, peer in peers.items()}
    for each in calls.values():
        each[0]()
    stream.synchronize()
    truth = peers["exact"].output
    wrong = {name: int((peer.output != truth).sum()) for name, peer in peers.items()}
    rows = [Row(name, LABELS) for name in calls]
    take_turns([(row, calls[row.who]) for row in rows], rounds, stream)
    calls.clear()
    for peer in peers.values():
        peer.free()
    return [
        (str(case), row.who, f"{row.median:.3f}", f"{wrong[row.who]} differ" if wrong[row.who] else "equal")
        for row in rows
    ]  # fmt: skip


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu.raster", description=__doc__)
    add = parser.add_argument
    add("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    add("--sizes", default=",".join(SIZES), help="WxH, with commas (%(default)s)")
    add("--sites", default=",".join(SITES), help="how many, with commas (%(default)s)")
    add("--rounds", type=int, default=5, help="(%(default)s)")
    options = parser.parse_args(arguments)
    library = Library(options.library)
    rows = []
    with cp.cuda.Stream(non_blocking=True) as stream:
        for size in options.sizes.split(","):
            for sites in options.sites.split(","):
                rows += measure(library, Case(size, sites), options.rounds, stream)
    print(table(("case", "method", "ms", "labels"), rows))


if __name__ == "__main__":
    main(sys.argv[1:])
