# SPDX-License-Identifier: Apache-2.0
"""The Python package against the functions that its facades stand in for.

Small calls on 64 x 64 cells, large ones on 4096 x 4096 cells. Memory: what a call in a
fresh process holds at its peak beyond its input, in bytes a cell, and how much of that is the result.
Answers are compared, ties included. The peers have one thread; thiessen has
one for each processor, or as many as --threads says.

    build/venv/bin/python -m bench.compare.python [--rounds 7] [--threads 1]
"""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import scipy.ndimage
import skimage.segmentation
import thiessen.compat.scipy
import thiessen.compat.skimage

from .. import harness

SMALL = 64
MODULES = {
    "ndimage": {"thiessen": thiessen.compat.scipy, "SciPy": scipy.ndimage},
    "segmentation": {"thiessen": thiessen.compat.skimage, "scikit-image": skimage.segmentation},
}
INDICES = {"return_indices": True}
EDT, CDT = "distance_transform_edt", "distance_transform_cdt"
# The function, and what it is given besides the array.
CALLS = {
    "edt": ("ndimage", EDT, [], {}),
    "edt, indices": ("ndimage", EDT, [], {"return_distances": False, **INDICES}),
    "edt, both": ("ndimage", EDT, [], INDICES),
    "edt, sampling 2, 1": ("ndimage", EDT, [[2, 1]], {}),
    "cdt, chessboard": ("ndimage", CDT, [], {}),
    "cdt, taxicab, both": ("ndimage", CDT, ["taxicab"], INDICES),
    "expand_labels": ("segmentation", "expand_labels", [5], {}),
}
MEMORY = (
    "scipy.ndimage.distance_transform_edt(free)",
    "thiessen.compat.scipy.distance_transform_edt(free)",
    "scipy.ndimage.distance_transform_edt(free, return_indices=True)",
    "thiessen.compat.scipy.distance_transform_edt(free, return_indices=True)",
    "thiessen.distance_transform(free, values=0)",
    "thiessen.nearest_site(free, outputs=('labels', 'distance', 'site_index'))",
    "thiessen.nearest_site(free.T, outputs=('labels', 'distance'))",
)


def input_of(name, side, density, rng):
    sites = rng.random((side, side)) < density
    sites[tuple(rng.integers(side, size=2))] = True  # so that there is one
    if name == "expand_labels":
        return np.cumsum(sites, dtype=np.int32).reshape(sites.shape) * sites
    return ~sites


def case_of(name, side, density):
    kind, function, more, options = CALLS[name]

    def make(number):
        cells = input_of(name, side, density, np.random.default_rng(number))
        return {
            who: partial(getattr(module, function), cells, *more, **options)
            for who, module in MODULES[kind].items()
        }

    sites = f"{density:.0%} sites" if density else "one site"
    cells = side * side if side > SMALL else 0
    return harness.Case(f"{name}, {side} x {side}, {sites}", make, harness.equal, cells)


def peak_memory(call, side):
    """Bytes a cell of one call in a process of its own: at the peak beyond the input, and of the
    result."""
    code = """
import numpy as np
def status(key):
    return next(int(l.split()[1]) << 10 for l in open("/proc/self/status") if l.startswith(key))
import scipy.ndimage, thiessen, thiessen.compat.scipy
small = np.ones((64, 64), np.uint8); small[5, 5] = 0
for module in (scipy.ndimage, thiessen.compat.scipy): module.distance_transform_edt(small)
free = (np.random.default_rng(1).random(({side}, {side})) >= 0.01).view(np.uint8)
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
result = {call}
held = sum(array.nbytes for array in (result if isinstance(result, tuple) else (result,)))
print((status("VmHWM") - before) / free.size, held / free.size)
"""
    code = code.format(side=side, call=call)
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    peak, held = map(float, output.stdout.split())
    return {
        f"memory of one call, {side} x {side}": f"`{call}`",
        "bytes a cell": peak,
        "of these the result": held,
    }


@harness.program(
    __doc__, "scipy", "scikit-image", rounds=7, threads=os.cpu_count(), size=(4096, 256)
)
def cases(options):
    for side, density in ((SMALL, 0), (SMALL, 0.01), (SMALL, 0.3), (options.size, 0.01)):
        for name in CALLS:
            yield case_of(name, side, density)
    for call in MEMORY:
        yield peak_memory(call, options.size)
