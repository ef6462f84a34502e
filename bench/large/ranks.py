# SPDX-License-Identifier: Apache-2.0
"""What ranks of MPI make of a run: time, work of each rank, faces and bytes that it receives.

    python3 -m bench.large.ranks [--size WxH] [--sites N] [--ranks LIST] [--rounds N] [--suffix .npy|.tif]
        [--signed-distance] [--folder FOLDER]

Makes an .npy of random sites, lets the command write labels and distances in one process, in slabs of a
fourth of the rows, and by mpirun on each number of ranks, one thread each, and compares the files. Beside the time
stand the processor time in which all ranks read, solve and write, and that of the busiest one; the most faces and
bytes of faces that a rank received. Needs NumPy and mpirun.
"""

import json
import os
from functools import partial

import numpy as np

from .. import harness

# More ranks than processors, and root in a container.
LAUNCHING = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    # Ranks that wait leave the processor to others, if there are more of them than processors.
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


def run(options, height, ranks):
    files = [options.folder / f"{name}{ranks}{options.suffix}" for name in ("labels", "distance")]
    words = [options.command, "voronoi", "--sites", options.folder / "sites.npy", "--threads", "1"]
    words += ["--labels", files[0], "--distance", files[1], "--overwrite", "--json"]
    words += ["--slab-rows", height // 4]
    if options.signed_distance:
        words.append("--signed-distance")
    if ranks > 1:
        words = ["mpirun", "-n", ranks, *words]
    told = harness.process(*words, env=os.environ | LAUNCHING)
    of_ranks = json.loads(told.answer)["ranks"]
    work = [rank["processor_s"] for rank in of_ranks]
    figures = {
        "work of all, s": sum(work),
        "busiest rank, s": max(work),
        "faces received, at most": max(rank["faces_received"] for rank in of_ranks),
        "bytes of faces": max(rank["bytes_of_faces"] for rank in of_ranks),
    }
    return harness.Told(files, told.seconds, figures)


@harness.program(
    __doc__,
    rounds=3,
    seconds=float("inf"),
    command=harness.COMMAND,
    size=("8192x8192", "200x300"),
    sites=(20000, 20),
    ranks=[2, 4],
    suffix=".npy",
    signed_distance=False,
)
def cases(options):
    width, height = map(int, options.size.split("x"))
    calls = {
        f"{n} rank{'s' if n > 1 else ''}": partial(run, options, height, n)
        for n in [1, *options.ranks]
    }

    def make(number):
        random = np.random.default_rng(number)
        cells = np.zeros(width * height, np.uint8)
        places = random.integers(0, cells.size, options.sites)
        cells[places] = random.integers(1, 256, options.sites)
        np.save(options.folder / "sites.npy", cells.reshape(height, width))
        return calls

    yield harness.Case(
        f"{options.size}, {options.sites:,} sites", make, harness.equal, width * height
    )
