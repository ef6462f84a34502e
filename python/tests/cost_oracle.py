# SPDX-License-Identifier: Apache-2.0
"""Least costs by Dijkstra's algorithm in fractions, by the rules of docs/cost-distance.md.

Options are those of cost_distance(), as a caller types them. Every operation that the page says is
rounded is done exactly and then rounded here; nothing is the library's. For small maps.
"""

from __future__ import annotations

import heapq
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from oracle import Answer, is_nodata, is_site, native, same_label, to_places, typed_lengths

Cell = tuple[int, ...]
KNIGHTS = [(2, 1), (1, 2)]


def rounded(value: Fraction, dtype: Any) -> Fraction | None:
    """The nearest number of a float type, of two the even one; None if it overflows."""
    if not value:
        return value
    info = np.finfo(dtype)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** exponent:
        exponent -= 1
    last = Fraction(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
    result = round(value / last) * last
    return result if result <= Fraction(float(info.max)) else None


def neighbours(rank: int, connectivity: int) -> list[Cell]:
    """Steps in the order of the linear indices to which they lead."""
    axes = {4: 1, 8: 2, 16: 2, 6: 1, 18: 2, 26: 3}[connectivity]
    steps = [s for s in itertools.product((-1, 0, 1), repeat=rank) if 1 <= sum(map(abs, s)) <= axes]
    if connectivity == 16:
        steps += [(a * y, b * x) for y, x in KNIGHTS for a in (-1, 1) for b in (-1, 1)]
    return sorted(steps)


def between(step: Cell) -> list[Cell]:
    """The two cells that a knight's move crosses, from its beginning; none of another step."""
    if max(map(abs, step)) < 2:
        return []
    half = tuple(int(x / 2) for x in step)
    return [half, tuple(x - h for x, h in zip(step, half))]


class Ground:
    """What steps cost. `length` of a step is what is typed into the formulas, `order` tells which
    of two steps is shorter."""

    def __init__(
        self, cells: np.ndarray, stiffness: bool, dtype: Any, spacing: Any, connectivity: int,
        tight_barriers: bool, outside: np.ndarray,
    ) -> None:  # fmt: skip
        self.shape, self.dtype, self.stiffness = cells.shape, dtype, stiffness
        self.tight = tight_barriers
        self.lengths = typed_lengths(spacing, cells.ndim)
        typed = 1 if spacing is None else spacing
        each = [float(str(s)) for s in ([typed] * cells.ndim if np.ndim(typed) == 0 else typed)]
        self.steps = neighbours(cells.ndim, connectivity)
        self.factors = {}
        for step in self.steps:
            squares = 0.0
            for way, length in zip(step, each):
                squares += (way * length) ** 2
            faces = [abs(way * length) for way, length in zip(step, each) if way]
            length = faces[0] if len(faces) == 1 else math.sqrt(squares)
            cells_touched = 2 + len(between(step))
            scale = cells_touched if stiffness else Fraction(1, cells_touched)
            self.factors[step] = rounded(Fraction(length) * scale, dtype)
        self.resistance = {
            cell: self.to_resistance(cells[cell]) for cell in np.ndindex(cells.shape)
            if not outside[cell]
        }  # fmt: skip
        self.resistance = {c: r for c, r in self.resistance.items() if r is not None}
        self.edges = {cell: list(self.edges_from(cell)) for cell in self.resistance}

    def to_resistance(self, value: Any) -> Fraction | None:
        """None for a barrier."""
        number = value.item()
        if not math.isfinite(number):
            return None
        resistance = rounded(Fraction(number), self.dtype)
        return None if self.stiffness and not resistance else resistance

    def order(self, step: Cell) -> Fraction:
        return sum(((w * length) ** 2 for w, length in zip(step, self.lengths)), Fraction(0))

    def edges_from(self, cell: Cell) -> Any:
        """Step, cell that it leads to and cost of each step that passes."""
        for step in self.steps:
            to = tuple(a + b for a, b in zip(cell, step))
            across = [tuple(a + b for a, b in zip(cell, way)) for way in between(step)]
            if not all(each in self.resistance for each in (to, *across)):
                continue
            if self.tight and not self.has_way_round(cell, to):
                continue
            total = self.rounded_sum(cell, to)
            if across:
                total = self.sum_of(total, self.rounded_sum(*across))
            factor = self.factors[step]
            weight = factor / total if self.stiffness else factor * total
            weight = rounded(weight, self.dtype)
            if weight is not None:
                yield step, to, weight

    def sum_of(self, a: Fraction, b: Fraction) -> Fraction:
        return rounded(a + b, self.dtype)

    def rounded_sum(self, p: Cell, q: Cell) -> Fraction:
        return self.sum_of(self.resistance[p], self.resistance[q])

    def has_way_round(self, cell: Cell, to: Cell) -> bool:
        """Face to face from one end to the other in the box between them."""
        reached, stack = {cell}, [cell]
        while stack:
            here = stack.pop()
            for axis, end in enumerate(to):
                if here[axis] == end:
                    continue
                forward = 1 if end > here[axis] else -1
                there = (*here[:axis], here[axis] + forward, *here[axis + 1 :])
                if there in self.resistance and there not in reached:
                    reached.add(there)
                    stack.append(there)
        return to in reached


class Sites:
    """Cells, labels and first costs of the sites, by their indices."""

    def __init__(self, cells: dict[int, Cell], labels: dict[int, Any], dtype: Any) -> None:
        self.cells, self.labels, self.dtype = cells, labels, dtype
        self.initial = dict.fromkeys(cells, Fraction(0))

    def start_with(self, initial: dict[int, Any], float_type: Any) -> None:
        self.initial = {i: rounded(Fraction(float(initial[i])), float_type) for i in self.cells}

    def without(self, label: Any) -> dict[int, Cell]:
        own = same_label(label)
        return {i: cell for i, cell in self.cells.items() if same_label(self.labels[i]) != own}


def solve(
    ground: Ground, sites: Sites, chosen: dict[int, Cell], limit: Any
) -> tuple[dict[Cell, Fraction], dict[Cell, int], dict[Cell, int]]:
    """Costs of the cells that are reached, their sites, and how many steps these are away."""
    costs: dict[Cell, Fraction] = {}
    queue = [(sites.initial[i], cell) for i, cell in chosen.items() if cell in ground.resistance]
    heapq.heapify(queue)
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in costs or cost > limit:
            continue
        costs[cell] = cost
        for _, to, weight in ground.edges[cell]:
            total = rounded(cost + weight, ground.dtype)
            if total is not None and to not in costs:
                heapq.heappush(queue, (total, to))
    site_of: dict[Cell, int] = {}
    hops: dict[Cell, int] = {}
    for i in sorted(chosen):
        root = chosen[i]
        if root in site_of or costs.get(root) != sites.initial[i]:
            continue
        site_of[root], hops[root] = i, 0
        reached = [root]
        for cell in reached:  # breadth first, as it grows
            for _, to, weight in ground.edges[cell]:
                if to not in site_of and is_tight(ground, costs, cell, to, weight):
                    site_of[to], hops[to] = i, hops[cell] + 1
                    reached.append(to)
    return costs, site_of, hops


def is_tight(ground: Ground, costs: dict[Cell, Fraction], q: Cell, p: Cell, w: Fraction) -> bool:
    return p in costs and rounded(costs[q] + w, ground.dtype) == costs[p]


def back_link(ground: Ground, costs: Any, site_of: Any, hops: Any, cell: Cell) -> int:
    if hops[cell] == 0:
        return 0
    links = []
    for k, step in enumerate(ground.steps, 1):
        to = tuple(a + b for a, b in zip(cell, step))
        back = tuple(-x for x in step)
        weights = [w for s, _, w in ground.edges.get(to, []) if s == back]
        if not weights or site_of.get(to) != site_of[cell] or hops[to] >= hops[cell]:
            continue
        if is_tight(ground, costs, to, cell, weights[0]):
            links.append((ground.order(step), k))
    return min(links)[1]


def sites_of_raster(sites: Any, values: Any, zero_is_site: bool, nodata: Any) -> Sites:
    cells = native(sites)
    at_site = is_site(cells, values, zero_is_site) & ~is_nodata(cells, nodata, None)
    places = {
        int(np.ravel_multi_index(c, cells.shape)): c for c in map(tuple, np.argwhere(at_site))
    }
    places = {i: tuple(map(int, cell)) for i, cell in places.items()}
    if cells.dtype.kind == "b":
        return Sites(places, {i: n for n, i in enumerate(places, 1)}, np.int32)
    return Sites(places, {i: cells[cell] for i, cell in places.items()}, cells.dtype)


def sites_of_points(points: Any, point_labels: Any, rank: int) -> Sites:
    """A cell has its left and upper edge, not the others."""
    places = to_places(points, rank)
    cells = {
        i: tuple(math.floor(x + Fraction(1, 2)) for x in place) for i, place in enumerate(places)
    }
    labels = native(
        np.arange(1, len(places) + 1, dtype=np.int32) if point_labels is None else point_labels
    )
    return Sites(cells, dict(enumerate(labels)), labels.dtype)


def to_limit(max_distance: Any, dtype: Any) -> Any:
    """A limit as a cost, infinite if it overflows."""
    if max_distance is None or math.isinf(max_distance):
        return math.inf
    limit = rounded(Fraction(float(max_distance)), dtype)
    return math.inf if limit is None else limit


def is_held(dtype: np.dtype, value: Any) -> bool:
    """Whether a label can be the value."""
    if dtype.kind == "f":
        return value != value or float(dtype.type(value)) == value
    bounds = np.iinfo(dtype)
    return value == value and bounds.min <= value <= bounds.max and value == int(value)


def cost_distance(
    sites: Any = None,
    cost: Any = None,
    stiffness: Any = None,
    points: Any = None,
    point_labels: Any = None,
    initial_cost: Any = None,
    connectivity: int | None = None,
    spacing: Any = None,
    max_distance: Any = None,
    tight_barriers: bool = False,
    map_nodata: Any = None,
    site_nodata: Any = None,
    values: Any = None,
    zero_is_site: bool = False,
    distance_type: str = "float32",
    unreached: Any = 0,
    nodata_label: Any = None,
) -> dict[str, np.ndarray]:
    """Every output, costs as float64."""
    given = cost if stiffness is None else stiffness
    cells = native(np.ma.getdata(given))
    shape = cells.shape
    masked = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) else None
    outside = is_nodata(cells, map_nodata, masked)
    near = connectivity or {2: 8, 3: 26}[cells.ndim]
    ground = Ground(
        cells, stiffness is not None, distance_type, spacing, near, tight_barriers, outside
    )
    limit = to_limit(max_distance, distance_type)
    if points is None:
        own = sites_of_raster(sites, values, zero_is_site, site_nodata)
    else:
        own = sites_of_points(points, point_labels, cells.ndim)
    if initial_cost is not None:
        own.start_with(dict(enumerate(np.ravel(initial_cost))), distance_type)
    answer = Answer(shape, own.dtype, unreached)
    links = np.full(shape, 254, np.uint8)
    costs, site_of, hops = solve(ground, own, own.cells, limit)
    for cell, i in site_of.items():
        answer.put(cell, labels=own.labels[i], distance=float(costs[cell]), site_index=i)
        links[cell] = back_link(ground, costs, site_of, hops, cell)
    for label in {same_label(own.labels[i]): own.labels[i] for i in site_of.values()}.values():
        other_costs, other_site_of, _ = solve(ground, own, own.without(label), limit)
        for cell, i in other_site_of.items():
            if cell in site_of and same_label(own.labels[site_of[cell]]) == same_label(label):
                other = {"labels": own.labels[i], "site_index": i}
                answer.put(cell, "other_", distance=float(other_costs[cell]), **other)
    answer.arrays["back_link"] = links
    label = nodata_label
    if label is None and map_nodata is not None and is_held(np.dtype(own.dtype), map_nodata):
        label = map_nodata
    answer.put_nodata(outside, unreached if label is None else label, outside)
    return answer.arrays
