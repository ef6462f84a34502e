# SPDX-License-Identifier: Apache-2.0
"""The rasters that are measured: sizes, and where the sites lie.

A raster of sites is int32: the site cells are numbered 1, 2, ... in the order of their linear index, so that
a label tells which cell it came from. Every seed gives another raster of the same kind.
"""

from dataclasses import dataclass

import numpy as np

from .shapes import SHAPES

SIZES = {
    "1000x800": (800, 1000),
    "2048x2048": (2048, 2048),
    "4096x4096": (4096, 4096),
    "8192x8192": (8192, 8192),
    "16384x16384": (16384, 16384),
    "256x256x256": (256, 256, 256),
    "512x512x512": (512, 512, 512),
}

# Kinds of sites: those that peers are measured with, and more for us alone.
KINDS = ("100", "10000", "1%", "10%", "50%", "lines", "circle", "blobs")
OWN_KINDS = ("2%", "5%", "checkerboard")

# Where a round takes minutes, these kinds are enough for peers, and those for us, unless --full asks for all.
FEW_KINDS = {
    "8192x8192": ("100", "10000", "1%", "10%", "50%"),
    "16384x16384": ("1%",),
    "256x256x256": ("100", "1%", "50%"),
    "512x512x512": ("1%",),
}
FEW_OWN_KINDS = {
    "16384x16384": ("100", "1%", "50%", "lines"),
    "512x512x512": ("100", "1%", "50%", "lines"),
}

# Sizes that shapes are measured with.
MANY_CELLS = 100_000_000
SHAPE_SIZES = ("4096x4096", "8192x8192", "256x256x256", "512x512x512")

LINES = 32
SQUARE = 40  # cells along a square of the checkerboard
CELLS_PER_BLOB = 1000
GREATEST_BLOB = 4  # radius in cells


@dataclass(frozen=True)
class Case:
    size: str
    kind: str
    peers: bool = True  # whether others than thiessen are measured

    @property
    def shape(self):
        return parse_size(self.size)

    @property
    def cells(self):
        return int(np.prod(self.shape))

    @property
    def both_at_once(self):
        """Whether peers that give both results are asked for nothing else: each would take minutes."""
        return self.kind in SHAPES[len(self.shape)] and self.cells > MANY_CELLS

    def __str__(self):
        return f"{self.size}, {kind_text(self.kind)}"


def kind_text(kind):
    """A kind as it stands in a table."""
    if kind.endswith("%"):
        return f"{kind[:-1]} % sites"
    return f"{int(kind):,} sites" if kind.isdigit() else kind


def parse_size(text):
    """The shape, in array order, of a size such as 1000x800 or 64x64x64."""
    if text in SIZES:
        return SIZES[text]
    shape = tuple(int(part) for part in reversed(text.split("x")))
    if len(shape) not in (2, 3) or min(shape) < 1:
        raise ValueError(f"size = {text}; must be WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH")
    return shape


def standard_cases(sizes, kinds=None, full=False):
    """Cases of these sizes: of these kinds, with all peers; or of the kinds that fit into an hour; or of all."""
    if kinds:
        return [Case(size, kind) for size in sizes for kind in kinds]
    every = KINDS + OWN_KINDS
    return [
        Case(size, kind, kind in (KINDS if full else FEW_KINDS.get(size, KINDS)))
        for size in sizes
        for kind in (every if full else FEW_OWN_KINDS.get(size, every))
    ]


def shape_cases(sizes):
    """Cases of these sizes and of all shapes that there are with so many axes."""
    return [Case(size, kind) for size in sizes for kind in SHAPES[len(parse_size(size))]]


def make_sites(shape, kind, seed, out=None):
    """The raster of sites of a kind, and the number of its sites."""
    rng = np.random.default_rng([seed, *shape])
    mask = np.zeros(shape, bool)
    if kind.isdigit():
        mask.flat[rng.choice(mask.size, min(int(kind), mask.size), replace=False)] = True
    elif kind.endswith("%"):
        _mark_share(mask, float(kind[:-1]) / 100, rng)
    else:
        (_MARK | SHAPES[mask.ndim])[kind](mask, rng)
    if not mask.any():
        mask.flat[rng.integers(mask.size)] = True
    return _number(mask, np.empty(shape, np.int32) if out is None else out)


def _number(mask, sites):
    """Plane by plane (row by row), as a whole would take eight bytes a cell more."""
    count = 0
    for plane, target in zip(mask, sites):
        np.cumsum(plane.ravel(), dtype=np.int32, out=target.reshape(-1))
        target += np.int32(count)
        count = int(target.flat[-1])
        target *= plane
    return sites, count


def _mark_share(mask, share, rng):
    for plane in mask:
        plane[...] = rng.random(plane.shape, np.float32) < share


def _mark_lines(mask, rng):
    """Straight lines from anywhere to anywhere, as roads and coasts are."""
    extents = np.array(mask.shape)
    steps = np.linspace(0, 1, 2 * max(mask.shape))[:, np.newaxis]
    for _ in range(LINES):
        first, last = rng.random((2, mask.ndim)) * (extents - 1)
        mask[tuple(np.rint(first + steps * (last - first)).astype(np.int64).T)] = True


def _mark_circle(mask, rng):
    """A circle (sphere) of a cell's thickness: far inside, many sites are almost equally near."""
    radius = rng.uniform(0.40, 0.45) * min(mask.shape)
    middle = np.array(mask.shape) / 2 + rng.uniform(-2, 2, mask.ndim)
    squares = [(np.arange(size) - at) ** 2 for size, at in zip(mask.shape, middle)]
    in_plane = squares[-1] if mask.ndim == 2 else squares[1][:, np.newaxis] + squares[2]
    for square, plane in zip(squares[0], mask):
        np.less_equal(np.abs(np.sqrt(square + in_plane) - radius), 0.5, out=plane)


def _mark_blobs(mask, rng):
    """Discs (balls) of radius 1 to 4."""
    extents = np.array(mask.shape)
    count = max(1, mask.size // CELLS_PER_BLOB)
    middles = np.column_stack([rng.integers(size, size=count) for size in mask.shape])
    radii = rng.integers(1, GREATEST_BLOB + 1, size=count)
    span = np.arange(-GREATEST_BLOB, GREATEST_BLOB + 1)
    for offset in np.stack(np.meshgrid(*[span] * mask.ndim), -1).reshape(-1, mask.ndim):
        cells = middles[radii**2 >= offset @ offset] + offset
        mask[tuple(cells[((cells >= 0) & (cells < extents)).all(axis=1)].T)] = True


def _mark_checkerboard(mask, rng):
    parities = [(np.arange(size) + rng.integers(SQUARE)) // SQUARE % 2 for size in mask.shape]
    in_plane = parities[-1] if mask.ndim == 2 else parities[1][:, np.newaxis] ^ parities[2]
    for parity, plane in zip(parities[0], mask):
        plane[...] = parity ^ in_plane


_MARK = {
    "lines": _mark_lines,
    "circle": _mark_circle,
    "blobs": _mark_blobs,
    "checkerboard": _mark_checkerboard,
}
