# SPDX-License-Identifier: Apache-2.0
"""Signed distances from antialiased masks against the truth, and how long they take.

Errors in cells, over all cells of a raster of bytes: of distance_transform(coverage=True); of the
signed distance of the mask cut at a half, less the half cell from a centre to its side; and of the
anti-aliased distance of Gustavson and Strand (2011), without what their propagation loses: every cell
sees every edge. Times: those of the processor of one thread each, on new glyphs each round.

    build/bench-venv/bin/python -m bench.compare.coverage [--rounds 5] [--quick]
"""

import numpy as np
import scipy.ndimage
import thiessen

from .. import harness

SEEN = 4000
"""Cells of a shape whose errors are taken, drawn at random: anti-aliased distances take long."""


def cut_share(normal, offset):
    """The share of cells where normal . p <= offset, for offsets from their centres."""
    small, large = sorted(np.abs(normal))
    place = np.clip(offset / (small + large) + 0.5, 0, 1)
    low = np.minimum(place, 1 - place) * (small + large)
    corner = low * low / (2 * small * large) if small > 0 else low / large
    share = np.where(low < small, corner, (low - small / 2) / large)
    return np.where(place <= 0.5, share, 1 - share)


def half_plane(angle, offset, side):
    normal = np.array([np.sin(angle), np.cos(angle)])
    y, x = np.indices((side, side)) - side / 2
    truth = normal[0] * y + normal[1] * x - offset
    # Cells whose nearest place on the edge lies in the raster.
    foot = np.maximum(np.abs(y - truth * normal[0]), np.abs(x - truth * normal[1]))
    return cut_share(normal, -truth), truth, foot < side / 2 - 2


def sampled(shape, side, samples=64):
    """A shape, given as a signed distance of (y, x), in a square of cells around its middle."""
    y, x = np.indices((side, side)) - side / 2
    truth = shape(y, x)
    coverage = (truth < 0).astype(float)
    at = (np.arange(samples) + 0.5) / samples - 0.5
    for place in np.argwhere(np.abs(truth) < 0.8):
        middle = place - side / 2
        inside = shape(middle[0] + at[:, None], middle[1] + at[None, :]) <= 0
        coverage[tuple(place)] = np.mean(inside)
    return coverage, truth, np.ones((side, side), bool)


def disc(radius):
    return lambda y, x: np.hypot(y - 0.3, x + 0.2) - radius


def ring(radius, width):
    return lambda y, x: np.abs(np.hypot(y - 0.3, x + 0.2) - radius) - width / 2


def bar(angle, length, width):
    """A rectangle with sharp corners."""

    def distance(y, x):
        along = np.abs(np.cos(angle) * (x - 0.1) + np.sin(angle) * (y - 0.3)) - length / 2
        across = np.abs(np.cos(angle) * (y - 0.3) - np.sin(angle) * (x - 0.1)) - width / 2
        outside = np.hypot(np.maximum(along, 0), np.maximum(across, 0))
        return outside + np.minimum(np.maximum(along, across), 0)

    return distance


def scenes(quick):
    generator = np.random.default_rng(5)
    lines = [
        half_plane(generator.uniform(0, 2 * np.pi), generator.uniform(-1, 1), 64)
        for _ in range(4 if quick else 40)
    ]
    yield "straight edges", lines
    for radius in (2, 10) if quick else (2, 5, 10, 30, 100):
        yield f"disc of radius {radius}", [sampled(disc(radius), 2 * radius + 20)]
    for width in (0.7, 1.5, 4):
        yield f"ring {width} wide", [sampled(ring(9, width), 40)]
    bars = [sampled(bar(angle, 22, 3.4), 48) for angle in (0.1, 0.4, 0.7)]
    yield "bars 3.4 wide, sharp corners", bars


def to_edge(direction, share):
    """How far along a direction (y, x) the edge lies from the centre of a cell that is covered so
    much: the offset of the line across the direction, out of the shape."""
    small, large = np.sort(np.abs(direction), axis=0) / np.hypot(*direction)
    low = np.minimum(share, 1 - share)
    with np.errstate(invalid="ignore"):
        place = np.where(
            low * 2 * large < small, np.sqrt(2 * small * large * low), low * large + small / 2
        )
    away = (small + large) / 2 - place
    return np.where(share <= 0.5, -away, away)


def anti_aliased(coverage, cells):
    """The distance of Gustavson and Strand of some cells: that to the centre of a cell on the edge
    and from there to the edge, as if that lay across the way."""
    padded = np.pad(coverage, 1, mode="edge")
    weights = (1, np.sqrt(2), 1)
    height, width = coverage.shape
    rows, columns = (
        sum(w * np.roll(padded, k, axis) for w, k in zip(weights, (-1, 0, 1))) for axis in (1, 0)
    )
    gradient = np.array(
        [
            rows[2:, 1:-1] - rows[:-2, 1:-1],
            columns[1:-1, 2:] - columns[1:-1, :-2],
        ]
    )
    beside = [
        padded[1 + y : 1 + y + height, 1 + x : 1 + x + width]
        for y, x in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    found = np.empty(len(cells))
    for inside in (False, True):
        share = 1 - coverage if inside else coverage
        other = [1 - each if inside else each for each in beside]
        on_edge = ((share > 0) & (share < 1)) | ((share == 1) & (np.min(other, axis=0) == 0))
        places, shares = np.argwhere(on_edge), share[on_edge]
        for i, cell in enumerate(cells):
            own = coverage[tuple(cell)]
            if (own >= 0.5) != inside:
                continue
            way = (cell - places).T.astype(float)
            here = (way == 0).all(axis=0)
            way[:, here] = -gradient[:, cell[0], cell[1]][:, None] * (-1 if inside else 1)
            way[0, here] += 1e-300
            length = np.where(here, 0, np.hypot(*way))
            least = np.min(length - to_edge(way, shares), initial=np.inf)
            found[i] = -least if inside else least
    return found


def errors(scene, generator):
    """What each method is off by in some cells of a scene."""
    exact, truth, counts = scene
    mask = np.rint(255 * exact).astype(np.uint8)
    cells = np.argwhere(counts)
    if len(cells) > SEEN:
        cells = cells[generator.choice(len(cells), SEEN, replace=False)]
    at = tuple(cells.T)
    binary = thiessen.distance_transform(mask >= 128, signed_distance=True, distance_type="float64")
    binary -= np.copysign(0.5, binary)
    covered = thiessen.distance_transform(
        mask, signed_distance=True, coverage=True, distance_type="float64"
    )
    return {
        "coverage=True": np.abs(covered[at] - truth[at]),
        "Gustavson and Strand": np.abs(anti_aliased(mask / 255, cells) - truth[at]),
        "cut at a half": np.abs(binary[at] - truth[at]),
    }


def errors_of(name, of_shape, generator):
    """The rows of a shape."""
    found = {}
    for scene in of_shape:
        for method, off in errors(scene, generator).items():
            found.setdefault(method, []).append(off)
    for method, parts in found.items():
        off = np.concatenate(parts)
        rms = np.sqrt(np.mean(off * off))
        numbers = {"greatest error": off.max(), "mean": off.mean(), "rms": rms}
        row = {"shape": name, "method": method}
        yield row | {column: f"{number:.4f}" for column, number in numbers.items()}


def atlas(side, seed):
    """Rings and bars of all sizes in squares of 32 cells."""
    generator = np.random.default_rng(seed)
    y, x = np.indices((32, 32)) - 16 + generator.uniform(-1, 1)
    cells = np.empty((side, side))
    for row in range(0, side, 32):
        for column in range(0, side, 32):
            if generator.integers(2):
                truth = ring(generator.uniform(5, 11), generator.uniform(2, 5))(y, x)
            else:
                truth = bar(generator.uniform(0, 3), 22, generator.uniform(2, 5))(y, x)
            cells[row : row + 32, column : column + 32] = np.clip(0.5 - truth, 0, 1)
    return np.rint(255 * cells).astype(np.uint8)


def ball(side, seed):
    middle = side / 2 + np.random.default_rng(seed).uniform(-1, 1, 3)
    axes = np.ogrid[:side, :side, :side]
    square = sum((axis - at) ** 2 for axis, at in zip(axes, middle))
    cells = np.clip(side / 3 - np.sqrt(square) + 0.5, 0, 1)
    return np.rint(255 * cells).astype(np.uint8)


def calls(mask):
    binary = mask >= 128

    def two_calls():
        transform = scipy.ndimage.distance_transform_edt
        return transform(~binary) - transform(binary)

    def covered():
        return thiessen.distance_transform(mask, signed_distance=True, coverage=True)

    return {
        "coverage=True": covered,
        "signed_distance=True": lambda: thiessen.distance_transform(binary, signed_distance=True),
        "SciPy, twice": two_calls,
    }


def check(answers):
    """Those of the whole mask; distances from coverage are others."""
    del answers["coverage=True"]
    harness.close(rtol=1e-6)(answers)


def case_of(name, make, side, rank):
    return harness.Case(name, lambda seed: calls(make(side, seed)), check, side**rank)


@harness.program(__doc__, "scipy", timer=harness.processor, threads=1)
def cases(options):
    plane, volume = (128, 32) if options.quick else (1024, 128)
    generator = np.random.default_rng(6)
    for name, of_shape in scenes(options.quick):
        yield from errors_of(name, of_shape, generator)
    yield case_of(f"glyphs, {plane} x {plane}", atlas, plane, 2)
    yield case_of(f"ball, {volume} cubed", ball, volume, 3)
