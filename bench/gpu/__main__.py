# SPDX-License-Identifier: Apache-2.0
"""The cuda backend and its peers on one GPU, by events of the device, without transfers.

Each call has another input than the one before: --inputs in rotation. Labels are compared with CuPy's indices,
distances with those of CuPy and NPP; a copy from device to device of the raster of sites (4 bytes a cell; of points a
memset of the labels) is the measure. Answers: distances of all cells (of every so many rows of the larger rasters)
against those of our labels. Scratch: beyond inputs and results; CuPy's: what its pool holds.

    python3 -m bench.gpu [--sizes 16384x16384] [--sites 1%,circle] [--no-points] [--quick]
"""

import time

import cupy as cp

from .cases import chosen_cases
from .library import Library
from .measure import Check, cases_of, check_against_the_cpu, machine, program
from .peers import all_peers


@program(
    __doc__, "cupy-cuda12x", rounds=7, inputs=3, minutes=20.0, sizes=[], sites=[], no_points=False
)
def cases(options):
    library = Library(options.library)
    check_against_the_cpu(library)
    peers = all_peers(library)
    yield f"{machine()}; thiessen {library.version}, CuPy {cp.__version__}"
    end = "-quick" if options.quick else ""
    chosen = list(chosen_cases(f"gpu{end}", options))
    if not options.no_points and not options.sites:
        chosen += chosen_cases(f"gpu-points{end}", options, points=True)
    start = time.monotonic()
    with cp.cuda.Stream(non_blocking=True):
        for case in chosen:
            if time.monotonic() - start > options.minutes * 60:
                yield f"{case}: the time was over before"
            else:
                yield from cases_of(case, peers, options.inputs, Check(case))
