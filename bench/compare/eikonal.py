# SPDX-License-Identifier: Apache-2.0
"""Cost distance by fronts, `method="eikonal"`, against exact solutions, and beside steps from cell to cell.

First the errors: the largest one in cells, and in percent, of all cells more than 20 cells away from the sites (4 where
the spacing is unequal). scikit-fmm, if it is installed, has its second order, and starts from a circle of 3 cells. Then the times, of
costs alone as it has no labels, on smooth ground and on noise.

    python -m bench.compare.eikonal [--side 257] [--rounds 3] [--threads 1]
"""

import importlib.util

import numpy as np
import thiessen

from .. import harness

HAS_PEER = importlib.util.find_spec("skfmm") is not None


def lengths_of(shape, spacing, site):
    places = np.indices(shape, float)
    steps = [(axis - at) * step for axis, at, step in zip(places, site, spacing)]
    return np.sqrt(sum(step**2 for step in steps))


def by_fmm(cost, sites, spacing, radius=3):
    import skfmm

    start = radius * max(spacing)
    length = np.min([lengths_of(cost.shape, spacing, site) for site in sites], axis=0)
    phi = np.ma.MaskedArray(length - start + 1e-9, ~np.isfinite(cost))
    times = skfmm.travel_time(
        phi, 1 / np.where(np.isfinite(cost), cost, 1), dx=list(spacing), order=2
    )
    first = start * np.mean([cost[tuple(site)] for site in sites])
    return np.where(length < start, np.inf, np.ma.filled(times, np.inf) + first)


def by_thiessen(cost, sites, spacing, **options):
    marks = np.zeros(cost.shape, np.int32)
    for number, site in enumerate(sites):
        marks[tuple(site)] = number + 1
    return thiessen.cost_distance(
        marks, cost=cost, spacing=spacing, distance_type="float64", outputs="distance", **options
    ).distance


def around_disc(side):
    """Ways around a disc that is a barrier: straight lines that touch it, and an arc."""
    middle, radius, start = side // 2, side / 6, 15
    y, x = np.indices((side, side), float)
    far, from_centre = middle - start, np.hypot(y - middle, x - middle)
    cost = np.where(from_centre < radius, np.inf, 1.0)
    angle = np.arccos(np.clip((middle - x) / np.maximum(from_centre, 1e-9), -1, 1))
    outside = np.maximum(from_centre, radius)
    arc = angle - np.arccos(radius / far) - np.arccos(radius / outside)
    bent = np.sqrt(far**2 - radius**2) + np.sqrt(outside**2 - radius**2) + radius * arc
    return cost, (middle, start), np.where(arc > 0, bent, np.hypot(y - middle, x - start))


def behind_wall(side, gap):
    """Ways from one side of a wall, a cell thick, to the other one: through a gap of one cell, or around its end.

    The best places in which a way crosses both faces of the wall: each in turn, until neither moves.
    """
    middle = side // 2
    start = (middle + 60, middle - 50)
    y, x = np.indices((side, side), float)
    cost = np.ones((side, side))
    cost[middle:, middle] = np.inf
    if gap:
        cost[:, middle], cost[middle, middle] = np.inf, 1
    faces = middle - 0.5, middle + 0.5
    top, end = (middle - 0.5 if gap else -np.inf), middle + (0.5 if gap else -0.5)
    first = last = np.full(y.shape, end)

    def crossing(from_y, from_x, to_y, to_x, face):
        return np.clip(
            from_y + (to_y - from_y) * (face - from_x) / np.maximum(to_x - from_x, 0.5), top, end
        )

    for _ in range(400):
        first = crossing(start[0], start[1], last, faces[1], faces[0])
        last = crossing(first, faces[0], y, x, faces[1])
    length = np.hypot(first - start[0], faces[0] - start[1]) + np.hypot(last - first, 1)
    return cost, start, np.where(x > middle, length + np.hypot(y - last, x - faces[1]), np.nan)


def two_layers(side):
    """Ground of half the cost below a line: direct ways, refracted ones (Snell), and waves along the line."""
    middle, line, start = side // 2, side // 2 + 0.5, side // 2 - 40
    y, x = np.indices((side, side), float)
    across, above, depth = np.abs(x - middle), line - start, line - y
    critical = np.arcsin(0.5)
    is_far = across >= (above + depth) * np.tan(critical)
    head = np.where(is_far, across / 2 + (above + depth) * np.cos(critical), np.inf)
    low, high = np.zeros_like(across), across.copy()
    for _ in range(80):
        half = (low + high) / 2
        rest = across - half
        too_far = half / np.hypot(half, above) > rest / 2 / np.maximum(np.hypot(rest, depth), 1e-12)
        low, high = np.where(too_far, low, half), np.where(too_far, half, high)
    refracted = np.hypot(high, above) + np.hypot(across - high, depth) / 2
    exact = np.where(y < line, np.minimum(np.hypot(across, y - start), head), refracted)
    return np.where(y < line, 1.0, 0.5), (start, middle), exact


def grounds(side):
    """Name, cost, sites, exact costs, spacing, cells around the sites that do not count."""
    middle = side // 2
    level, even = np.ones((side, side)), (1.0, 1.0)
    y, x = np.indices((side, side), float)
    yield "level", level, [(middle, middle)], np.hypot(y - middle, x - middle), even, 20
    sites = [
        (20, 30),
        (side * 3 // 4, 40),
        (70, side * 2 // 3),
        (side - 5, side - 9),
        (middle, middle + 7),
    ]
    exact = np.min([np.hypot(y - a, x - b) for a, b in sites], axis=0)
    yield "level, five sites", level, sites, exact, even, 20
    slope = 1.5 / side
    speed = 0.25 + slope * x
    square = (x - middle) ** 2 + (y - middle) ** 2
    exact = np.arccosh(1 + slope**2 * square / (2 * speed * speed[middle, middle])) / slope
    yield "speed 1 to 7 across", 1 / speed, [(middle, middle)], exact, even, 20
    cost, site, exact = two_layers(side)
    yield "two layers 2 : 1", cost, [site], exact, even, 20
    cost, site, exact = around_disc(side)
    yield "round a disc", cost, [site], exact, even, 20
    for name, gap in (("round the end of a wall", False), ("through a gap of one cell", True)):
        cost, site, exact = behind_wall(side, gap)
        yield name, cost, [site], exact, even, 20
    for ratio in (2.5, 5.0):
        shape, spacing = (int(side / ratio), side), (ratio, 1.0)
        site = (shape[0] // 2, middle)
        yield (
            f"spacing {ratio:g} : 1",
            np.ones(shape),
            [site],
            lengths_of(shape, spacing, site),
            spacing,
            4,
        )
    shape = (81, 81, 81)
    yield (
        "3-D, level",
        np.ones(shape),
        [(40, 40, 40)],
        lengths_of(shape, (1.0,) * 3, (40, 40, 40)),
        (1.0,) * 3,
        20,
    )


def error_row(name, cost, sites, exact, spacing, around):
    length = np.min([lengths_of(cost.shape, spacing, site) for site in sites], axis=0)
    counts = np.isfinite(cost) & np.isfinite(exact) & (length > around * max(spacing))
    unit = max(spacing) * cost[tuple(sites[0])]

    def text(found):
        errors = np.abs(found - exact)[counts]
        return f"{errors.max() / unit:.2f} / {100 * (errors / exact[counts]).max():.2f} %"

    neighbours = (8, 16) if cost.ndim == 2 else (26,)
    ways = {f"{count} neighbours": {"connectivity": count} for count in neighbours}
    ways |= {
        f"eikonal, radius {radius}": {"method": "eikonal", "exact_radius": radius}
        for radius in (0, 3, 5, 7)
    }
    row = {"ground": name}
    row |= {
        way: text(by_thiessen(cost, sites, spacing, **options)) for way, options in ways.items()
    }
    if HAS_PEER:
        row["scikit-fmm"] = text(by_fmm(cost, sites, spacing))
    return row


def lines_row(name, cost, site, exact, cost_at):
    """The cost of lines within cells over the exact one: of 200 lines, the mean and the greatest."""
    outputs = ("direction", "back_link", "site_index")
    marks = np.zeros(cost.shape, np.int32)
    marks[site] = 1
    found = thiessen.cost_distance(marks, cost=cost, method="eikonal", outputs=outputs)
    far = np.argwhere(lengths_of(cost.shape, (1.0, 1.0), site) > 40)
    excess = []
    for start in np.random.default_rng(1).permutation(far)[:200]:
        line = thiessen.least_cost_line(found, start)
        middles = (line[1:] + line[:-1]) / 2
        steps = np.hypot(*np.diff(line, axis=0).T)
        excess.append((steps * cost_at(middles)).sum() / exact[tuple(start)] - 1)
    return {
        "ground": name,
        "lines": f"{100 * np.mean(excess):.3f} / {100 * np.max(excess):.3f} %",
    }


def timed(name, cost, sites, threads):
    def make(number):
        random = np.random.default_rng(number)
        cells = [tuple(random.integers(0, cost.shape)) for _ in range(sites)]
        options = {"threads": threads}
        ways = {
            "eikonal": lambda: by_thiessen(
                cost, cells, (1.0,) * cost.ndim, method="eikonal", **options
            ),
            "steps": lambda: by_thiessen(cost, cells, (1.0,) * cost.ndim, **options),
        }
        if HAS_PEER and sites == 1:  # its start takes the distance to each site
            ways["scikit-fmm"] = lambda: by_fmm(cost, cells, (1.0,) * cost.ndim)
        return ways

    return harness.Case(name, make, cells=cost.size)


@harness.program(__doc__, "scikit-fmm", side=257, threads=1)
def main(options):
    for ground in grounds(options.side):
        yield error_row(*ground)
    of_ground = {ground[0]: ground for ground in grounds(options.side)}
    slope = 1.5 / options.side
    for name, cost_at in (
        ("level", lambda places: np.ones(len(places))),
        ("speed 1 to 7 across", lambda places: 1 / (0.25 + slope * places[:, 1])),
    ):
        _, cost, sites, exact, *_ = of_ground[name]
        yield lines_row(name, cost, sites[0], exact, cost_at)
    y, x = np.indices((1024, 1024))
    smooth = 1 + 0.5 * np.sin(x / 40) * np.cos(y / 30)
    noise = np.random.default_rng(1).uniform(0.1, 1, (1024, 1024))
    for name, cost, sites in (("smooth", smooth, 1), ("noise", noise, 1), ("noise", noise, 10_000)):
        yield timed(
            f"{name} 1024 x 1024, {sites:,} site{'s' * (sites > 1)}", cost, sites, options.threads
        )
