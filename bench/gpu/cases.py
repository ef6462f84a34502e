# SPDX-License-Identifier: Apache-2.0
"""What is measured on a GPU, made there: rasters of sites (int32, labelled by their cell: index + 1), lists of points."""

from dataclasses import dataclass

import cupy as cp

from ..cases import kind_text, parse_size
from ..shapes import SHAPES

FLAT, DEEP = tuple(SHAPES[2]), tuple(SHAPES[3])
RASTERS = {
    "16384x16384": (
        *FLAT,
        *("100", "10000", "1000000", "1%", "2%", "3%", "5%", "10%", "25%", "50%"),
        *("circle", "blobs", "lines", "diagonal", "clusters"),
        *("checkerboard-1", "checkerboard-40", "checkerboard-1000"),
    ),
    "8192x8192": (*FLAT, "100", "10000", "1%", "5%", "50%", "circle", "blobs"),
    "4096x4096": (*FLAT, "100", "10000", "1%", "5%", "50%", "circle", "blobs", "lines"),
    "1280x1280": ("10000", "nuclei"),
    "512x512": ("nuclei",),
    "512x512x512": (*DEEP, "100", "10000", "0.1%", "1%", "2%", "50%", "shell", "plane"),
    "1024x1024x1024": (*DEEP, "100", "10000", "0.1%", "1%", "2%", "50%", "shell", "plane"),
}
POINTS = {
    "16384x16384": ("10000", "1000000", "1%", "10000 fractional", "1000000 fractional"),
    "4096x4096": ("10000", "1%", "10000 fractional"),
}
QUICK = {"rasters": {"4096x4096": ("100", "10000", "1%", "50%", "nuclei"), "1280x1280": ("10000",), "256x256x256": ("1%", "vessels")},
         "points": {"4096x4096": ("10000",)}}  # fmt: skip

CLUSTERS, LINES, BLOBS = 20, 32, 60


@dataclass(frozen=True)
class Case:
    size: str
    kind: str
    points: bool = False

    @property
    def shape(self):
        return parse_size(self.size)

    @property
    def cells(self):
        cells = 1
        for extent in self.shape:
            cells *= extent
        return cells

    def __str__(self):
        if not self.points:
            return f"{self.size}, {kind_text(self.kind)}"
        return f"{self.size}, points: {kind_text(self.kind.removesuffix(' fractional'))}" + (
            ", fractional" if self.kind.endswith("fractional") else ""
        )


def make_input(case, seed):
    """The raster of sites, or the coordinates of the points (float32, on centres, or float64)."""
    random = cp.random.RandomState(seed)
    return make_points(case, random) if case.points else make_raster(case, random)


def make_points(case, random):
    kind = case.kind.removesuffix(" fractional")
    count = int(case.cells * float(kind[:-1]) / 100) if kind.endswith("%") else int(kind)
    extents = cp.array(case.shape, cp.float64)
    places = random.random_sample((count, len(case.shape))) * extents
    return places - 0.5 if kind != case.kind else cp.floor(places).astype(cp.float32)


def make_raster(case, random):
    if case.kind in SHAPES[len(case.shape)]:
        return make_shape(case, random)
    sites = cp.zeros(case.shape, cp.int32)
    flat, kind, shape = sites.ravel(), case.kind, case.shape
    if kind.endswith("%"):
        share = float(kind[:-1]) / 100
        for plane in cp.array_split(
            flat, max(1, flat.size >> 26)
        ):  # so that little is held at once
            plane[...] = random.random_sample(plane.size, cp.float32) < share
    elif kind.isdigit():
        flat[random.randint(0, flat.size, int(kind), dtype=cp.int64)] = 1
    elif kind.startswith("checkerboard"):
        square = int(kind.split("-")[1])
        shifts = [int(random.randint(square)) for _ in shape]
        axes = cp.ogrid[tuple(slice(extent) for extent in shape)]
        for axis, shift in zip(axes, shifts):
            sites ^= ((axis + shift) // square & 1).astype(cp.int32)
    elif kind == "blobs":
        mark_blobs(sites, random)
    else:
        places = _PLACES[kind](shape, random)
        columns = [cp.clip(cp.rint(p), 0, n - 1).astype(cp.int64) for p, n in zip(places, shape)]
        flat[cp.ravel_multi_index(tuple(columns), shape)] = 1
    number(flat)
    return sites


def make_shape(case, random):
    """A shape of users (shapes.py)."""
    mask = cp.zeros(case.shape, bool)
    rng = cp.random.default_rng(int(random.randint(1 << 30)))
    SHAPES[mask.ndim][case.kind](mask, rng)
    sites = mask.astype(cp.int32)
    number(sites.ravel())
    return sites


def number(flat):
    """Labels tell where they come from."""
    for first in range(0, flat.size, 1 << 26):
        part = flat[first : first + (1 << 26)]
        part *= cp.arange(first + 1, first + 1 + part.size, dtype=cp.int32)


def on_circle(shape, random, count=1_000_000):
    """So many random places on a circle (sphere): inside, all are almost equally near."""
    radius, middle = 0.45 * min(shape), [n / 2 for n in shape]
    direction = random.standard_normal((len(shape), count))
    direction /= cp.sqrt((direction**2).sum(axis=0))
    return [m + radius * d for m, d in zip(middle, direction)]


def on_lines(shape, random):
    steps = cp.linspace(0, 1, 2 * max(shape))
    ends = random.random_sample((2, len(shape), LINES))
    return [
        ((a[:, None] + steps * (b - a)[:, None]) * (n - 1)).ravel() for a, b, n in zip(*ends, shape)
    ]


def on_diagonal(shape, random, count=1_000_000):
    along = random.random_sample(count)
    return [along * (n - 1) for n in shape]


def in_clusters(shape, random, count=1_000_000):
    of = random.randint(0, CLUSTERS, count)
    width = 0.02 * min(shape)
    return [
        (random.random_sample(CLUSTERS) * n)[of] + width * random.standard_normal(count)
        for n in shape
    ]


def on_plane(shape, random, count=1_000_000):
    inside = [random.random_sample(count) * (n - 1) for n in shape[1:]]
    return [cp.full(count, shape[0] // 3, cp.float64), *inside]


_PLACES = {
    "circle": on_circle,
    "shell": on_circle,
    "lines": on_lines,
    "diagonal": on_diagonal,
    "clusters": in_clusters,
    "plane": on_plane,
}


def mark_blobs(sites, random):
    """Large discs: inside of them and far from them there is nothing to find nearby."""
    extents = sites.shape
    middles = [cp.asnumpy(random.randint(0, n, BLOBS)) for n in extents]
    radii = 0.04 * min(extents) * (0.3 + cp.asnumpy(random.random_sample(BLOBS)))
    for *middle, radius in zip(*middles, radii):
        box = [slice(max(0, int(m - radius)), int(m + radius) + 2) for m in middle]
        axes = cp.ogrid[tuple(slice(b.start, min(b.stop, n)) for b, n in zip(box, extents))]
        sites[tuple(box)] |= sum((a - int(m)) ** 2 for a, m in zip(axes, middle)) <= radius**2
