# SPDX-License-Identifier: Apache-2.0
"""Prints a line for each of many calls: its name and a digest of all bits that it returns.

Two builds, as of two processors, are to print the same (`ci/check-wheel-aarch64`). Calls that a method
refuses have the message in place of the digest.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import thiessen

SHAPES = [(203, 317), (1, 1000), (61, 47, 53)]
SPACINGS = [None, (0.325, 0.7, 1.5)]
METRICS = ["euclidean", "manhattan", "chessboard", "octagonal", "chamfer-3-4", "chamfer-5-7-11"]
OUTPUTS = ("labels", "distance", "site_index", "offset")
Case = tuple[str, Callable[[], Any]]


def integers(seed: int, shape: tuple[int, ...], bound: int) -> np.ndarray:
    """Numbers that NumPy draws alike in all its versions."""
    return np.random.RandomState(seed).randint(0, bound, shape)


def sites(shape: tuple[int, ...], one_in: int) -> np.ndarray:
    chosen = integers(one_in, shape, one_in) == 0
    return np.where(chosen, integers(1, shape, 100) + 1, 0).astype("i4")


def nearest_site_cases() -> Iterator[Case]:
    methods = [method.name for method in thiessen.devices()[0].methods]
    for shape, metric, method in itertools.product(SHAPES, METRICS, methods):
        for one_in, spacing in itertools.product((7, 900), SPACINGS):
            options: dict[str, Any] = {
                "metric": metric,
                "method": method,
                "outputs": OUTPUTS,
                "device": "cpu",
            }
            if spacing is not None:
                options["spacing"] = spacing[-len(shape) :]
            yield (
                f"nearest_site {shape} {metric} {method} 1:{one_in} {spacing}",
                lambda a=(shape, one_in), o=options: thiessen.nearest_site(sites(*a), **o),
            )


def other_cases() -> Iterator[Case]:
    flat = sites(SHAPES[0], 900)
    points = integers(3, (500, 2), 1 << 16) / 256.0
    named: dict[str, Callable[[], Any]] = {
        "direction": lambda: thiessen.nearest_site(flat, outputs=("direction",)),
        "double": lambda: thiessen.nearest_site(flat, distance_type="float64", max_distance=40.5),
        "periodic": lambda: thiessen.nearest_site(flat, periodic=(True, True), outputs=OUTPUTS),
        "signed_distance": lambda: thiessen.nearest_site(flat, signed_distance=True),
        "components": lambda: thiessen.nearest_site(flat, components=8),
        "voronoi": lambda: thiessen.voronoi(points, shape=(256, 256), spacing=(1, 1.25)),
        "boundary": lambda: thiessen.distance_transform(flat, distance_to="boundary"),
        "relax": lambda: thiessen.relax_sites(points[:20], shape=(256, 256)),
        "render": lambda: thiessen.render(flat, distance=flat.astype("f4"), contours=True),
    }
    rows, columns = (np.arange(extent) / 4 for extent in SHAPES[0])
    earth = thiessen.Earth(latitude=60 - rows, longitude=columns - 20)
    for metric in ("great-circle", "ellipsoidal"):
        named[metric] = lambda m=metric: thiessen.nearest_site(flat, metric=m, earth=earth)
    yield from named.items()


def cost_cases() -> Iterator[Case]:
    methods = thiessen.devices()[0].cost_methods
    for shape, method, dtype in itertools.product(SHAPES, methods, ("float32", "float64")):
        ground = (integers(5, shape, 1000) / 250.0).astype(dtype)
        for weight, near in itertools.product(("cost", "stiffness"), (8, 16, 26)):
            options: dict[str, Any] = {
                "connectivity": near,
                "method": method,
                "distance_type": dtype,
                "device": "cpu",
            }
            yield (
                f"cost_distance {shape} {weight} {near} {method} {dtype}",
                lambda g=ground, s=shape, w=weight, o=options: thiessen.cost_distance(
                    sites(s, 900), **{w: g}, **o
                ),
            )


def digest(result: Any) -> str:
    parts = result if isinstance(result, tuple) else (result,)
    found = hashlib.sha256()
    for part in parts:
        array = np.ascontiguousarray(part)
        found.update(f"{array.dtype} {array.shape}".encode())
        found.update(array.tobytes())
    return found.hexdigest()[:32]


def main() -> None:
    for name, call in itertools.chain(nearest_site_cases(), other_cases(), cost_cases()):
        try:
            print(name, digest(call()), flush=True)
        except (ValueError, RuntimeError) as refusal:
            print(name, refusal, flush=True)


if __name__ == "__main__":
    main()
