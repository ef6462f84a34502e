# SPDX-License-Identifier: Apache-2.0
"""The raster methods of the command against OpenCV's distanceTransform.

Each round has new random sites. OpenCV: DIST_L1 with CV_32F, distances alone, one thread, into memory that is
there already. thiessen: method chamfer with labels *and* distances, then with labels alone, and beside it
`brute-force` and `exact`, manhattan distance too, one thread; its time is that of its call ("compute" of --json),
into new memory.

    /usr/bin/python3 -m bench.compare.raster [--command build/release/cli/thiessen] [--rounds 7]

with Debian's python3-opencv (4.6 in Debian 12).
"""

from functools import partial

import cv2
import numpy as np

from .. import harness
from ..cases import make_sites

SITES = 100
WAYS = {
    "chamfer, labels and distances": ("chamfer", ("labels", "distance")),
    "chamfer, labels": ("chamfer", ("labels",)),
    "brute-force, labels": ("brute-force", ("labels",)),
    "exact, labels": ("exact", ("labels",)),
}


def run_thiessen(options, method, outputs):
    folder = options.folder
    words = [options.command, "voronoi", "--sites", folder / "sites.npy", "--threads", "1"]
    words += ["--method", method, "--metric", "manhattan"]
    for output in outputs:
        words += [f"--{output}", folder / f"{output}.npy"]
    has_distance = "distance" in outputs
    answer = (lambda: np.load(folder / "distance.npy")) if has_distance else None
    return harness.compute(*words, answer=answer)


def case_of(options, size):
    width, height = map(int, size.split("x"))
    distance = np.empty((height, width), np.float32)

    def run_opencv(free):
        cv2.distanceTransform(free, cv2.DIST_L1, 3, dst=distance, dstType=cv2.CV_32F)
        return distance

    def make(number):
        sites, _ = make_sites((height, width), str(SITES), number)
        np.save(options.folder / "sites.npy", sites)
        calls = {way: partial(run_thiessen, options, *of_way) for way, of_way in WAYS.items()}
        return calls | {"OpenCV, distances": partial(run_opencv, (sites == 0).view(np.uint8))}

    def check(answers):
        harness.equal({who: answer for who, answer in answers.items() if answer is not None})

    return harness.Case(f"{SITES} sites, {size}", make, check)


@harness.program(
    __doc__,
    "opencv-python-headless",
    rounds=7,
    command=harness.COMMAND,
    sizes=(["1000x800", "2500x2000", "5000x4000"], ["100x80"]),
)
def cases(options):
    cv2.setNumThreads(1)
    for size in options.sizes:
        yield case_of(options, size)
