# SPDX-License-Identifier: Apache-2.0
"""Draws sites: dots, lines and circles, and sites as users have them: masks of objects, areas and their outlines,
lines, vessels. What a kind means stands in tests/cases/sites.tab.

Each function marks the site cells of a mask, an array of NumPy or of CuPy, with random numbers of its own.
"""

import itertools
import sys


def _library(mask):
    """NumPy or CuPy."""
    return sys.modules[type(mask).__module__.partition(".")[0]]


def _noise(mask, power, rng):
    """A Gaussian random field whose amplitudes fall with the frequency to the power of -power / 2."""
    np, shape = _library(mask), mask.shape
    spectrum = np.fft.rfftn(rng.standard_normal(shape, np.float32))
    squared = np.float32(0)
    for axis, extent in enumerate(shape):
        of_axis = np.fft.rfftfreq if axis == len(shape) - 1 else np.fft.fftfreq
        frequencies = (of_axis(extent) * max(shape)).astype(np.float32)
        along = [-1 if other == axis else 1 for other in range(len(shape))]
        squared = squared + (frequencies**2).reshape(along)
    spectrum *= np.maximum(squared, 1) ** np.float32(-power / 4)
    return np.fft.irfftn(spectrum, shape, axes=range(len(shape)))


def _mark_edges(mask, values):
    """The cells whose next one along an axis has another value."""
    for axis in range(mask.ndim):
        lower = [slice(None)] * mask.ndim
        upper = list(lower)
        lower[axis], upper[axis] = slice(0, -1), slice(1, None)
        mask[tuple(lower)] |= values[tuple(lower)] != values[tuple(upper)]


def _mark_balls(mask, rng, radius, share):
    """Balls that do not touch, on a lattice, each moved a little; this share of the lattice has one."""
    np, pitch = _library(mask), int(2.3 * radius)
    counts = [extent // pitch + 1 for extent in mask.shape]
    shifts = [0.3 * radius * rng.random(counts, np.float32) for _ in mask.shape]
    radii = radius * (0.5 + 0.5 * rng.random(counts, np.float32))
    squared_radii = np.where(rng.random(counts) < share, radii**2, -1)
    end = 0
    for part in _parts(mask):
        first, end = end, end + len(part)
        places = [np.arange(first, end), *map(np.arange, mask.shape[1:])]
        node = np.ix_(*(place // pitch for place in places))
        local = np.ix_(*((place % pitch - pitch / 2).astype(np.float32) for place in places))
        squared = sum((at - shift[node]) ** 2 for at, shift in zip(local, shifts))
        np.less_equal(squared, squared_radii[node], out=part)


def _mark_land(mask, rng):
    mask[...] = _noise(mask, 3.2, rng) > 0


def _mark_coast(mask, rng):
    _mark_edges(mask, _noise(mask, 3.2, rng) > 0)


def _mark_contours(mask, rng):
    field = _noise(mask, 4.5, rng)
    _mark_edges(mask, field * (6 / field.std()) // 1)


def _mark_nuclei(mask, rng):
    _mark_balls(mask, rng, radius=14, share=0.7)


def _mark_inside(mask, rng):
    _mark_nuclei(mask, rng)
    mask[...] = ~mask


def _mark_inside_large(mask, rng):
    _mark_balls(mask, rng, radius=200 if mask.ndim == 2 else 60, share=0.8)
    mask[...] = ~mask


def _mark_sparse_objects(mask, rng):
    _mark_balls(mask, rng, radius=40, share=0.04)


def _mark_paths(mask, paths):
    """The cells of points that lie in the mask; the last axis of `paths` is (…, y, x)."""
    np = _library(mask)
    cells = paths.reshape(-1, mask.ndim).astype(np.int64)
    inside = (cells >= 0) & (cells < np.asarray(mask.shape))
    mask[tuple(cells[inside.all(axis=1)].T)] = True


def _mark_roads(mask, rng):
    """Long lines that bend, a cell wide."""
    np = _library(mask)
    extents = np.asarray(mask.shape)
    for _ in range(150):
        steps = int(max(mask.shape) * (0.3 + rng.random()))
        heading = 2 * np.pi * rng.random() + np.cumsum(0.02 * rng.standard_normal(steps))
        way = np.cumsum(np.stack([np.sin(heading), np.cos(heading)], axis=-1), axis=0)
        _mark_paths(mask, rng.random(2) * extents + way)


def _mark_vessels(mask, rng):
    """Tubes of three cells that bend."""
    np = _library(mask)
    extents = np.asarray(mask.shape)
    beside = np.stack(np.meshgrid(*[np.arange(-1, 2)] * mask.ndim), -1).reshape(-1, mask.ndim)
    for _ in range(60):
        steps = (2 * max(mask.shape), mask.ndim)
        heading = rng.standard_normal(mask.ndim) + np.cumsum(
            0.06 * rng.standard_normal(steps), axis=0
        )
        heading /= np.linalg.norm(heading, axis=1, keepdims=True)
        way = rng.random(mask.ndim) * extents + np.cumsum(heading, axis=0)
        _mark_paths(mask, np.floor(way)[:, np.newaxis] + beside)


def _mark_gyroid(mask, rng):
    """A thin surface that goes everywhere."""
    np = _library(mask)
    waves = 2 * np.pi * rng.integers(2, 5)
    z, y, x = np.ix_(
        *(waves * np.arange(n, dtype=np.float32) / n + 2 * np.pi * rng.random() for n in mask.shape)
    )
    surface = np.sin(z) * np.cos(y) + np.sin(y) * np.cos(x) + np.sin(x) * np.cos(z)
    np.less(np.abs(surface), 0.02, out=mask)


def _mark_number(mask, rng, count):
    """On a device some cells may be drawn twice."""
    np, count = _library(mask), min(count, mask.size)
    on_host = hasattr(rng, "choice")
    pick = (
        rng.choice(mask.size, count, replace=False)
        if on_host
        else rng.integers(mask.size, size=count)
    )
    mask[np.unravel_index(pick, mask.shape)] = True


def _mark_share(mask, rng, percent):
    np = _library(mask)
    for part in _parts(mask):
        part[...] = rng.random(part.shape, np.float32) < percent / 100


def _parts(mask):
    """Some rows or planes at once, so that little is held beside them."""
    at_once = max(1, (1 << 22) // mask[0].size)
    return [mask[first : first + at_once] for first in range(0, len(mask), at_once)]


def _mark_lines(mask, rng):
    """Straight lines from anywhere to anywhere, as roads and coasts are."""
    np = _library(mask)
    extents = np.asarray(mask.shape)
    steps = np.linspace(0, 1, 2 * max(mask.shape))[:, np.newaxis]
    for _ in range(32):
        first, last = rng.random((2, mask.ndim)) * (extents - 1)
        mask[tuple(np.rint(first + steps * (last - first)).astype(np.int64).T)] = True


def _mark_circle(mask, rng):
    """Far inside, many sites are almost equally near."""
    np = _library(mask)
    radius = (0.40 + 0.05 * float(rng.random())) * min(mask.shape)
    middle = [size / 2 + 4 * float(rng.random()) - 2 for size in mask.shape]
    squares = [(np.arange(size) - at) ** 2 for size, at in zip(mask.shape, middle)]
    in_plane = squares[-1] if mask.ndim == 2 else squares[1][:, np.newaxis] + squares[2]
    for square, plane in zip(squares[0], mask):
        np.less_equal(np.abs(np.sqrt(square + in_plane) - radius), 0.5, out=plane)


def _mark_blobs(mask, rng):
    np, greatest = _library(mask), 4
    extents, count = np.asarray(mask.shape), max(1, mask.size // 1000)
    middles = np.stack([rng.integers(size, size=count) for size in mask.shape], axis=-1)
    radii = rng.integers(1, greatest + 1, size=count)
    for offset in itertools.product(range(-greatest, greatest + 1), repeat=mask.ndim):
        cells = middles[radii**2 >= sum(step * step for step in offset)] + np.asarray(offset)
        mask[tuple(cells[((cells >= 0) & (cells < extents)).all(axis=1)].T)] = True


def _mark_discs(mask, rng):
    """Inside of them and far from them there is nothing to find nearby."""
    np = _library(mask)
    for _ in range(60):
        middle = [int(rng.integers(size)) for size in mask.shape]
        radius = 0.04 * min(mask.shape) * (0.3 + float(rng.random()))
        reach = int(radius) + 1
        box = tuple(slice(max(0, at - reach), at + reach + 1) for at in middle)
        places = (np.arange(part.start, min(part.stop, n)) for part, n in zip(box, mask.shape))
        squared = sum((axis - at) ** 2 for axis, at in zip(np.ix_(*places), middle))
        mask[box] |= squared <= radius**2


def _mark_checkerboard(mask, rng, square):
    np = _library(mask)
    parities = [(np.arange(n) + int(rng.integers(square))) // square % 2 for n in mask.shape]
    in_plane = parities[-1] if mask.ndim == 2 else parities[1][:, np.newaxis] ^ parities[2]
    for parity, plane in zip(parities[0], mask):
        plane[...] = parity ^ in_plane


def _mark_diagonal(mask, rng):
    mask[(_library(mask).arange(min(mask.shape)),) * mask.ndim] = True


def _mark_clusters(mask, rng):
    np, count = _library(mask), 1_000_000
    of = rng.integers(20, size=count)
    width = 0.02 * min(mask.shape)
    places = [(rng.random(20) * n)[of] + width * rng.standard_normal(count) for n in mask.shape]
    mask[
        tuple(np.clip(np.rint(at), 0, n - 1).astype(np.int64) for at, n in zip(places, mask.shape))
    ] = True


def _mark_plane(mask, rng):
    mask[len(mask) // 3] = True


_BOTH = {
    "land": _mark_land,
    "coast": _mark_coast,
    "nuclei": _mark_nuclei,
    "inside": _mark_inside,
    "inside-large": _mark_inside_large,
    "sparse-objects": _mark_sparse_objects,
}
# The shapes of rasters of two axes, and of three; what rasters of both have besides.
SHAPES = {
    2: {**_BOTH, "contours": _mark_contours, "roads": _mark_roads},
    3: {**_BOTH, "vessels": _mark_vessels, "gyroid": _mark_gyroid},
}
_OTHERS = {
    "lines": _mark_lines,
    "circle": _mark_circle,
    "blobs": _mark_blobs,
    "discs": _mark_discs,
    "diagonal": _mark_diagonal,
    "clusters": _mark_clusters,
    "plane": _mark_plane,
}


def mark(mask, kind, rng):
    """Marks the sites of a kind, at least one, in a mask without any."""
    if kind.isdigit():
        _mark_number(mask, rng, int(kind))
    elif kind.endswith("%"):
        _mark_share(mask, rng, float(kind[:-1]))
    elif kind.startswith("checkerboard-"):
        _mark_checkerboard(mask, rng, int(kind.rpartition("-")[2]))
    else:
        (_OTHERS | SHAPES[mask.ndim])[kind](mask, rng)
    if not mask.any():
        mask[tuple(int(rng.integers(size)) for size in mask.shape)] = True
    return mask
