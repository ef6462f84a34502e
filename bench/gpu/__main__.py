# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu`: measures the cuda backend and its peers on one GPU; tables in Markdown and JSON."""

import argparse
import shlex
import sys
import time

import cupy as cp
import numpy as np

from . import report
from .cases import POINTS, QUICK, RASTERS, Case
from .library import Library
from .measure import measure
from .peers import all_peers


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu", description=__doc__)
    add = parser.add_argument
    add("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    add("--sizes", help="of those that are measured, with commas; others with --sites")
    add("--sites", help="kinds of sites, with commas")
    add("--no-points", action="store_true", help="rasters only")
    add("--rounds", type=int, default=7, help="(%(default)s)")
    add("--inputs", type=int, default=3, help="of a case, in rotation (%(default)s)")
    add("--minutes", type=float, default=20, help="no case begins later (%(default)s)")
    add("--quick", action="store_true", help="some cases of small size, in less than two minutes")
    add("--output", default="build/bench", help="folder for the tables (%(default)s)")
    return parser.parse_args(arguments)


def chosen_cases(options):
    rasters, points = RASTERS, POINTS
    if options.quick:
        rasters, points = QUICK["rasters"], QUICK["points"]
    wanted = lambda table: {  # noqa: E731
        size: tuple(options.sites.split(",")) if options.sites else table.get(size, ())
        for size in (options.sizes.split(",") if options.sizes else table)
    }
    cases = [Case(size, kind) for size, kinds in wanted(rasters).items() for kind in kinds]
    if not options.no_points and not options.sites:
        cases += [Case(size, k, True) for size, kinds in wanted(points).items() for k in kinds]
    return cases


def check_against_the_cpu(library):
    """The library's own answers on the GPU and on the CPU: the same bytes, or there is nothing to measure."""
    dots = np.zeros((1700, 1500), bool)
    dots.flat[np.random.default_rng(1).choice(dots.size, 2000, replace=False)] = True
    y, x = np.ogrid[: dots.shape[0], : dots.shape[1]]
    areas = np.sin(y / 90) + np.sin(x / 110) > 0.8
    for mask in (dots, areas, dots[:700, :900].copy()):
        sites = np.where(mask, np.arange(1, mask.size + 1, dtype=np.int32).reshape(mask.shape), 0)
        sites = sites.astype(np.int32)
        answers = []
        for device in ("cpu", "cuda"):
            labels = np.empty(sites.shape, np.int32)
            distance = np.empty(sites.shape, np.float32)
            outputs = {"labels": labels, "distance": distance}
            library.context(device).nearest_site(sites, outputs, memory=0)()
            answers.append(labels.tobytes() + distance.tobytes())
        if answers[0] != answers[1]:
            raise SystemExit("the GPU's answer is not the CPU's")


def main(arguments):
    options = parsed(arguments)
    library = Library(options.library)
    check_against_the_cpu(library)
    peers = all_peers(library)
    start = time.monotonic()
    results, unmeasured = [], []
    context = {
        "machine": report.machine(),
        "versions": "; ".join(
            dict.fromkeys(f"{p.name.split(',')[0]} {p.version}" for p in peers if p.version)
        ),
        "command": " ".join(["python3 -m bench.gpu", shlex.join(arguments)]).strip(),
        "rounds": options.rounds,
        "inputs": options.inputs,
    }
    with cp.cuda.Stream(non_blocking=True) as stream:
        for case in chosen_cases(options):
            if time.monotonic() - start > options.minutes * 60:
                unmeasured.append(str(case))
                continue
            result = measure(case, peers, options.inputs, options.rounds, stream)
            cp.get_default_memory_pool().free_all_blocks()
            results.append(result)
            report.write(options.output, results, context)
            ours = [
                f"{r.gives} {r.median:.3f} ms" for r in result.rows if r.who == "thiessen" and r.ms
            ]
            print(
                f"{time.monotonic() - start:6.0f} s  {case}: {', '.join(ours) or 'failed'}",
                file=sys.stderr,
                flush=True,
            )
    print(report.summary(results))
    if unmeasured:
        print("The time was over before: " + "; ".join(unmeasured))
    wrong = [
        r
        for result in results
        for r in result.rows
        if r.who.startswith("thiessen") and (r.failed or "wrong" in r.answer)
    ]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
