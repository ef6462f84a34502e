# SPDX-License-Identifier: Apache-2.0
"""Distance transforms of a batch of tensors by thiessen, and by others.

On the host and, where there is one, on a CUDA device; the last column has the largest error of a distance.
The others are those that are installed:
SciPy, edt and FastGeodis in a loop over the rasters, as they take one at a time, Kornia, and on a
device cuCIM and CuPy in a loop. Who is not measured is listed with the reason. Distances go to the
nearest cell that is not zero, and are float32. Nothing is downloaded; what is needed is PyTorch
and this package.

    build/torch-venv/bin/python -m bench.compare.torch [--batch 64x1x256x256] [--rounds 5]
        [--sites discs,1%] [--threads N] [--peers SciPy,edt] [--output FILE]
"""

import importlib
from functools import partial

import numpy as np
import thiessen
import torch

from .. import harness


def ours(masks):
    return thiessen.distance_transform(masks, batch_axes=(0, 1))


def loop(one):
    """A function of one array of the host, for each raster of a batch."""

    def call(masks):
        distances = torch.empty(masks.shape)
        for place in np.ndindex(*masks.shape[:2]):
            distances[place] = torch.as_tensor(one(masks[place].numpy()))
        return distances

    return call


def scipy_loop():
    ndimage = importlib.import_module("scipy.ndimage")
    return loop(lambda mask: ndimage.distance_transform_edt(~mask))


def edt_loop():
    edt = importlib.import_module("edt")
    threads = torch.get_num_threads()
    return loop(lambda mask: edt.edt(~mask, black_border=False, parallel=threads))


def kornia_batch():
    contrib = importlib.import_module("kornia.contrib")
    return lambda masks: contrib.distance_transform(masks.float())


def fastgeodis_loop():
    geodis = importlib.import_module("FastGeodis")

    def call(masks):
        image = torch.zeros(1, 1, *masks.shape[2:], device=masks.device)
        free = (~masks).float()
        distances = torch.empty(masks.shape, device=masks.device)
        for n, c in np.ndindex(*masks.shape[:2]):
            # By distances alone (lambda 0), in two rounds of sweeps, its default.
            distances[n, c] = geodis.generalised_geodesic2d(
                image, free[n : n + 1, c : c + 1], 1e10, 0.0, 2
            )[0, 0]
        return distances

    return call


def loop_on_device(module_name):
    """cuCIM's function, which CuPy has too."""
    cupy = importlib.import_module("cupy")
    module = importlib.import_module(module_name)

    def call(masks):
        distances = torch.empty(masks.shape, device=masks.device)
        stream = torch.cuda.current_stream(masks.device)
        with cupy.cuda.ExternalStream(stream.cuda_stream):
            free = cupy.asarray(~masks)
            for place in np.ndindex(*masks.shape[:2]):
                written = cupy.asarray(distances[place])
                module.distance_transform_edt(
                    free[place], float64_distances=False, distances=written
                )
        return distances

    return call


# How each is made, and on which devices.
PEERS = {
    "SciPy": (scipy_loop, ["cpu"]),
    "edt": (edt_loop, ["cpu"]),
    "Kornia": (kornia_batch, ["cpu", "cuda"]),
    "FastGeodis": (fastgeodis_loop, ["cpu", "cuda"]),
    "cuCIM": (partial(loop_on_device, "cucim.core.operations.morphology"), ["cuda"]),
    "CuPy": (partial(loop_on_device, "cupyx.scipy.ndimage"), ["cuda"]),
}


def peers_on(device, wanted):
    """Those that work there."""

    def tried(name):
        make, devices = PEERS[name]
        if device not in devices:
            raise RuntimeError(f"it is for {devices[0]} alone")
        call = make()
        call(make_masks("1%", (1, 1, 16, 16), 0).to(device))
        return call

    return harness.available({f"{name} on {device}": partial(tried, name) for name in wanted})


def make_masks(kind, shape, seed):
    """Random discs, as objects of segmentation are, or a share of all cells, each with a site."""
    draw = np.random.default_rng(seed)
    height, width = shape[2:]
    masks = np.zeros(shape, bool)
    y, x = np.ogrid[:height, :width]
    for place in np.ndindex(*shape[:2]):
        if kind == "discs":
            for _ in range(6):
                cy, cx = draw.random(2) * (height, width)
                radius = (0.02 + 0.06 * draw.random()) * min(height, width)
                masks[place] |= (y - cy) ** 2 + (x - cx) ** 2 <= radius**2
        else:
            masks[place] = draw.random((height, width)) < float(kind.removesuffix("%")) / 100
        masks[place][height // 3, width // 2] = True
    return torch.from_numpy(masks)


def finished(call, masks):
    """The distances, once they are there."""
    distances = call(masks)
    if masks.is_cuda:
        torch.cuda.synchronize()
    return distances


def case_of(batch, kind, device, peers):
    shape = tuple(map(int, batch.split("x")))
    furthest = {}

    def make(number):
        masks = make_masks(kind, shape, number).to(device)
        if masks.is_cuda:
            torch.cuda.synchronize()
        calls = {f"thiessen on {device}": ours, **peers}
        return {name: partial(finished, call, masks) for name, call in calls.items()}

    def errors(answers):
        truth, *_ = answers.values()
        for name, distances in answers.items():
            error = float((distances - truth).abs().max())
            furthest[name] = max(furthest.get(name, 0.0), error)
        return {name: f"{error:.2g}" for name, error in furthest.items()}

    return harness.Case(f"{batch}, {kind}", make, errors, int(np.prod(shape)))


@harness.program(
    __doc__,
    "torch",
    "scipy",
    "edt",
    "kornia",
    "FastGeodis",
    "cucim-cu12",
    "cupy-cuda12x",
    threads=torch.get_num_threads(),
    batch=("64x1x256x256", "4x1x64x64"),
    sites=["discs", "1%"],
    peers=[*PEERS],
)
def cases(options):
    torch.set_num_threads(options.threads)
    on_device = any(each.available and each.name == "cuda:0" for each in thiessen.devices())
    for device in ["cpu", "cuda"] if on_device and torch.cuda.is_available() else ["cpu"]:
        if device == "cuda":
            yield f"cuda: {torch.cuda.get_device_name()}"
        peers = yield from peers_on(device, options.peers)
        for kind in options.sites:
            yield case_of(options.batch, kind, device, peers)
