# SPDX-License-Identifier: Apache-2.0
"""The raster methods on one GPU beside `exact`, by events of the device; their labels must be those of `exact`. The
literal scan is `brute-force`, the tuned one `raster-gpu` with few sites.

    python3 -m bench.gpu.raster [--sizes 1000x800] [--sites 100,1000] [--rounds 5]
"""

import cupy as cp

from .cases import chosen_cases
from .library import Library
from .measure import cases_of, program
from .peers import LABELS, Ours

MOST_SCANNED = 3e11  # cells times sites


def who_runs(case):
    yield "exact"
    yield "raster-gpu"
    if case.cells * int(case.kind) < MOST_SCANNED:
        yield "brute-force"
        if int(case.kind) >= 1000:
            yield "expansion"


def like_exact(case):
    answers = []

    def check(peer):
        answers.append(peer.output)
        assert bool((peer.output == answers[0]).all()), f"{case}: {peer.name} is not exact"
        return "equal"

    return check


@program(__doc__, sizes=[], sites=[])
def cases(options):
    library = Library(options.library)
    with cp.cuda.Stream(non_blocking=True):
        for case in chosen_cases("gpu-raster", options):
            peers = [Ours(library, method, LABELS, method) for method in who_runs(case)]
            yield from cases_of(case, peers, 2, like_exact(case))
