# SPDX-License-Identifier: Apache-2.0
"""One batch of masks against a loop over CuPy's transform, by events of the device.

    python3 -m bench.gpu.batch [--masks 256] [--sizes 512x512] [--sites nuclei,1%] [--rounds 5]

The distances of both are compared.
"""

import cupy as cp
from cupyx.scipy import ndimage

from ..harness import Case
from .cases import chosen_cases, make_input
from .library import Library
from .measure import program


def make_batch(case, masks):
    """Some masks, rolled to make many."""
    some = [make_input(case, seed) for seed in range(8)]
    return cp.stack([cp.roll(some[i % 8], (7 * i, 13 * i), (0, 1)) for i in range(masks)])


def case_of(context, case, masks):
    sites = make_batch(case, masks)
    free = sites == 0
    ours, theirs = (cp.empty(sites.shape, cp.float32) for _ in range(2))
    batch = context.nearest_site(sites, {"distance": ours}, batch=True)

    def loop():
        for mask, distance in zip(free, theirs):
            ndimage.distance_transform_edt(mask, float64_distances=False, distances=distance)

    def check(_):
        context.synchronize()
        assert cp.allclose(ours, theirs, rtol=1e-6), f"{case}: the answers differ"

    calls = {"thiessen, a batch": batch, "CuPy in a loop": loop}
    return Case(f"{masks} masks of {case}", lambda _: calls, check, sites.size)


@program(__doc__, masks=256, sizes=[], sites=[])
def cases(options):
    library = Library(options.library)
    with cp.cuda.Stream(non_blocking=True) as stream:
        context = library.context("cuda", stream.ptr)
        for case in chosen_cases("gpu-batch", options):
            yield case_of(context, case, options.masks)
