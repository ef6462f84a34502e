# SPDX-License-Identifier: Apache-2.0
"""What users of masks and label volumes call, against the functions that they call today.

Small masks: distances and labels of round objects, calls from Python on 64 x 64 to 512 x 512 cells, against SciPy
and OpenCV. Boundaries: distances of the cells of many labels to the next other label, against edt. Signed: distances
on both sides of the outline of objects, against two calls of SciPy and of edt. One thread each.

    build/bench-venv/bin/python -m bench.compare.masks [--rounds 5] [--quick]
"""

import cv2
import edt
import thiessen
from scipy import ndimage

from .. import harness
from ..cases import make_sites

SMALL = (64, 128, 256, 512)
LABELS = 2000
close = harness.close(rtol=1e-6, atol=1e-6)  # others round in float32


def distance(labels):
    free = labels == 0
    mask = free.view("u1")
    return {
        "thiessen": lambda: thiessen.distance_transform(labels),
        "SciPy": lambda: ndimage.distance_transform_edt(free),
        "OpenCV": lambda: cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE),
    }


def nearest_object(labels):
    """Labels and indices, which bench/check.py compares."""
    free = labels == 0
    return {
        "thiessen": lambda: thiessen.nearest_site(labels, outputs=("labels",)),
        "SciPy": lambda: ndimage.distance_transform_edt(
            free, return_distances=False, return_indices=True
        ),
    }


def to_the_boundary(labels):
    cells = thiessen.nearest_site(labels, outputs=("labels",)).labels
    return {
        "thiessen": lambda: thiessen.distance_transform(cells, distance_to="boundary"),
        "edt": lambda: edt.edt(cells, parallel=1),
    }


def signed(labels):
    mask = labels != 0
    free = ~mask
    return {
        "thiessen": lambda: thiessen.distance_transform(mask, signed_distance=True),
        "SciPy": lambda: (
            ndimage.distance_transform_edt(free) - ndimage.distance_transform_edt(mask)
        ),
        "edt": lambda: edt.edt(free, parallel=1) - edt.edt(mask, parallel=1),
    }


def case_of(what, shape, kind, calls, **given):
    name = f"{what}, {' x '.join(map(str, shape))}, {kind}"
    return harness.Case(name, lambda seed: calls(make_sites(shape, kind, seed)[0]), **given)


@harness.program(__doc__, "scipy", "opencv-python-headless", "edt", threads=1)
def cases(options):
    cv2.setNumThreads(1)
    for side in SMALL:
        yield case_of("distance", (side, side), "nuclei", distance, check=close)
        yield case_of("nearest object", (side, side), "nuclei", nearest_object)
    for shape in ((64,) * 3, (256,) * 2) if options.quick else ((256,) * 3, (4096,) * 2):
        yield case_of("to the boundary", shape, str(LABELS), to_the_boundary, check=close)
        yield case_of("signed", shape, "nuclei", signed, check=close)
