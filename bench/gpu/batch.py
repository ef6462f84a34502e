# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.batch`: one batch of masks against a loop over CuPy's transform, by turns, by events of the
device; the distances of both are compared."""

import argparse
import statistics
import sys

import cupy as cp
from cupyx.scipy import ndimage

from .cases import Case, make_input
from .library import Library
from .measure import time_calls


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu.batch", description=__doc__)
    add = parser.add_argument
    add("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    add("--masks", type=int, default=256, help="of a batch (%(default)s)")
    add("--size", default="512x512", help="of a mask (%(default)s)")
    add("--sites", default="nuclei,inside,100,1%", help="kinds of sites, with commas (%(default)s)")
    add("--rounds", type=int, default=5, help="(%(default)s)")
    return parser.parse_args(arguments)


def make_batch(case, masks):
    """Some masks, rolled to make many."""
    some = [make_input(case, seed) for seed in range(8)]
    return cp.stack([cp.roll(some[i % 8], (7 * i, 13 * i), (0, 1)) for i in range(masks)])


def measure(library, case, options, stream):
    sites = make_batch(case, options.masks)
    free = sites == 0
    ours, theirs = (cp.empty(sites.shape, cp.float32) for _ in range(2))
    context = library.context("cuda", stream.ptr)
    batch = context.nearest_site(sites, {"distance": ours}, batch=True)

    def loop():
        for mask, distance in zip(free, theirs):
            ndimage.distance_transform_edt(mask, float64_distances=False, distances=distance)

    batch()
    loop()
    context.synchronize()
    if not cp.allclose(ours, theirs, rtol=1e-6):
        raise SystemExit(f"{case}: the answers differ")
    times = {call: [] for call in (batch, loop)}
    for _ in range(options.rounds):
        for call, all_times in times.items():
            all_times.append(time_calls([call], stream))
    context.destroy()
    return [statistics.median(all_times) for all_times in times.values()]


def main(arguments):
    options = parsed(arguments)
    library = Library(options.library)
    print(f"| {options.masks} masks of {options.size} | batch, ms | CuPy in a loop, ms | times |")
    print("| --- | --- | --- | --- |")
    with cp.cuda.Stream(non_blocking=True) as stream:
        for kind in options.sites.split(","):
            case = Case(options.size, kind)
            ours, theirs = measure(library, case, options, stream)
            print(f"| {kind} | {ours:.3f} | {theirs:.1f} | {theirs / ours:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
