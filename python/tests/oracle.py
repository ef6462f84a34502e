# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by comparing every cell with every site, by the rules of docs/semantics.md.

Options are those of the public functions, as a caller types them. Lengths are fractions, and all
arithmetic is Python's: no line and no number is the library's. For small rasters.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

INT32_MIN = np.iinfo(np.int32).min
PARTS = 2**16


def as_typed(number: Any) -> Fraction:
    """The shortest decimal that gives a number in its own type, which is what somebody types."""
    return Fraction(str(number))


def native(array: Any) -> np.ndarray:
    cells = np.array(array)
    return cells.astype(cells.dtype.newbyteorder("="))


def is_nodata(cells: np.ndarray, nodata: Any, mask: np.ndarray | None) -> np.ndarray:
    outside = np.zeros(cells.shape, bool) if mask is None else np.array(mask, bool)
    if nodata is not None:
        outside |= np.isnan(cells) if nodata != nodata else cells == nodata
    return outside


def is_site(cells: np.ndarray, values: Any, zero_is_site: bool) -> np.ndarray:
    if zero_is_site:
        return np.ones(cells.shape, bool)
    floats = cells.dtype.kind == "f"
    if values is not None:
        sites = np.zeros(cells.shape, bool)
        for value in np.atleast_1d(np.asarray(values, object)):
            sites |= np.isnan(cells) if floats and math.isnan(value) else cells == value
        return sites
    return (cells != 0) & ~(np.isnan(cells) if floats else np.zeros(cells.shape, bool))


def number_components(
    cells: np.ndarray, connectivity: int, outside: np.ndarray
) -> tuple[np.ndarray, int]:
    """Connected areas of equal non-zero values by flooding from the first cell of each."""
    labels = np.zeros(cells.shape, np.int32)
    free = is_site(cells, None, False) & ~outside
    axes = {4: 1, 8: 2, 6: 1, 18: 2, 26: 3}[connectivity]  # along which a step goes at most
    steps = [s for s in itertools.product((-1, 0, 1), repeat=cells.ndim) if any(s)]
    steps = [s for s in steps if sum(map(abs, s)) <= axes]
    count = 0
    for start in np.ndindex(cells.shape):
        if not free[start] or labels[start]:
            continue
        count += 1
        labels[start] = count
        stack = [start]
        while stack:
            cell = stack.pop()
            for step in steps:
                other = tuple(a + b for a, b in zip(cell, step))
                inside = all(0 <= a < n for a, n in zip(other, cells.shape))
                if inside and free[other] and not labels[other] and cells[other] == cells[start]:
                    labels[other] = count
                    stack.append(other)
    labels[outside] = -1
    return labels, count


def typed_lengths(spacing: Any, rank: int) -> list[Fraction]:
    """Lengths of a cell along each axis; nearly equal ones are those of the first such axis."""
    one_for_all = spacing is None or np.ndim(spacing) == 0
    typed = [1 if spacing is None else spacing] * rank if one_for_all else list(spacing)
    lengths = [as_typed(length) for length in typed]
    near = Fraction(1, 10**12)
    return [next(b for b in lengths if abs(a - b) <= near * max(a, b)) for a in lengths]


def greatest_common_divisor(lengths: list[Fraction]) -> Fraction:
    common = math.lcm(*(length.denominator for length in lengths))
    return Fraction(math.gcd(*(int(length * common) for length in lengths)), common)


def _steps(metric: str, differences: list[int]) -> int:
    """What the metrics of cells count."""
    b, a = sorted(differences)
    if metric == "octagonal":
        return max(a, 2 * (a + b + 1) // 3)
    if metric == "chamfer-3-4":
        return 3 * a + b
    return 4 * a + 3 * b if 2 * b > a else 5 * a + b


class Ruler:
    """Exact distances between cells of a grid and places, which are tuples of fractions.

    A distance (squared if it is euclidean) is a whole number of units that depend on the spacing
    alone, so that distances are compared in integers.
    """

    def __init__(self, shape: Any, spacing: Any, metric: str, periodic: Any) -> None:
        self.shape, self.metric = tuple(shape), metric
        self.lengths = typed_lengths(spacing, len(self.shape))
        self.unit = greatest_common_divisor(self.lengths)
        if metric.startswith("chamfer"):
            self.unit = Fraction(1, 3 if metric == "chamfer-3-4" else 5)
        flags = False if periodic is None else periodic
        self.periodic = np.broadcast_to(flags, len(self.shape)).tolist()
        self.distance = lru_cache(None)(self._distance)

    def differences(self, axis: int, cell: int, place: Fraction) -> list[Fraction]:
        """Place minus cell, in cells, for the place and on periodic axes its copies beside it."""
        period = self.shape[axis]
        if not self.periodic[axis]:
            return [place - cell]
        return [place % period - cell + copy for copy in (-period, 0, period)]

    def way(self, axis: int, difference: Fraction) -> int:
        """The length of a difference, in parts of the unit."""
        of_cells = self.metric in ("octagonal", "chamfer-3-4", "chamfer-5-7-11")
        return int(abs(difference) * (1 if of_cells else self.lengths[axis] / self.unit * PARTS))

    def exact(self, ways: tuple[int, ...]) -> int:
        if self.metric == "euclidean":
            return sum(way * way for way in ways)
        if self.metric == "manhattan":
            return sum(ways)
        return max(ways) if self.metric == "chessboard" else _steps(self.metric, *ways) * PARTS

    def exact_to(self, places: list[Any]) -> Iterator[list[int]]:
        """For each cell the exact distances to the places."""

        def least(axis: int, cell: int, place: Fraction) -> int:
            return min(self.way(axis, each) for each in self.differences(axis, cell, place))

        tables = [
            [[least(axis, cell, place[axis]) for place in places] for cell in range(extent)]
            for axis, extent in enumerate(self.shape)
        ]
        for cell in np.ndindex(self.shape):
            yield [self.exact(ways) for ways in zip(*(rows[x] for rows, x in zip(tables, cell)))]

    def _distance(self, exact: int) -> float:
        """What is written, in float64: each operation is rounded once."""
        euclidean = self.metric == "euclidean"
        root = math.sqrt(Fraction(exact, PARTS**2)) if euclidean else float(Fraction(exact, PARTS))
        p, q = self.unit.numerator, self.unit.denominator
        return root * p / q if max(p, q) < 2**24 else root * float(self.unit)

    def offset(self, cell: Any, place: Any) -> tuple[Fraction, ...]:
        """Place minus cell for the nearest copy of the place, the first in lexicographic order."""
        ways = [self.differences(axis, *pair) for axis, pair in enumerate(zip(cell, place))]

        def order(offset: tuple[Fraction, ...]) -> Any:
            return self.exact(tuple(self.way(*pair) for pair in enumerate(offset))), offset

        return min(itertools.product(*ways), key=order)

    def direction(self, offset: tuple[Fraction, ...]) -> float:
        if len(offset) != 2:
            return math.nan
        if not any(offset):
            return 0
        y, x = (float(way * length) for way, length in zip(offset, self.lengths))
        angle = math.degrees(math.atan2(x, -y))
        return angle + 360 if angle <= 0 else angle


def _steps(metric: str, dy: int, dx: int) -> int:
    """What the metrics of cells count."""
    b, a = sorted((dy, dx))
    if metric == "octagonal":
        return max(a, 2 * (a + b + 1) // 3)
    if metric == "chamfer-3-4":
        return 3 * a + b
    return 4 * a + 3 * b if 2 * b > a else 5 * a + b


def same_label(label: Any) -> Any:
    """Equal for labels that count as one."""
    return "NaN" if label != label else label  # 0 and -0 are equal


class Answer:
    """Every output; cells are unreached until something is put there."""

    def __init__(self, shape: Any, dtype: Any, unreached: Any, k: int | None = None) -> None:
        front = () if k is None else (k,)
        with np.errstate(all="ignore"):  # where labels are not wanted it need not fit
            unreached = np.array(unreached).astype(dtype)
        prefixes = ["", "other_"] if k is None else [""]
        self.arrays = {}
        for prefix in prefixes:
            self.arrays |= {
                f"{prefix}labels": np.full((*front, *shape), unreached),
                f"{prefix}distance": np.full((*front, *shape), np.inf),
                f"{prefix}site_index": np.full((*front, *shape), -1),
            }
        self.arrays["squared"] = np.full((*front, *shape), -1)
        if k is None:
            self.arrays["offset"] = np.full((len(shape), *shape), INT32_MIN, np.int32)
            self.arrays["direction"] = np.full(shape, np.nan)
            self.arrays["ties"] = np.zeros(shape, np.uint8)

    def put(self, cell: Any, prefix: str = "", **values: Any) -> None:
        for name, value in values.items():
            self.arrays[prefix + name][cell] = value

    def put_nodata(self, outside: np.ndarray, label: Any, labelled: np.ndarray) -> None:
        """Labels of `labelled` become `label`, unless that is None."""
        special = {"distance": np.nan, "squared": -2, "site_index": -2, "ties": 0}
        special |= {"offset": INT32_MIN, "direction": np.nan, "back_link": 255}
        for name, array in self.arrays.items():
            if "labels" not in name:
                array[..., outside] = special[name.removeprefix("other_")]
            elif label is not None:
                array[..., labelled] = label


def _answer(
    ruler: Ruler,
    places: list[Any],
    labels: np.ndarray,
    indices: Any,
    limit: float,
    unreached: Any,
    k: int | None = None,
    distinct_labels: bool = False,
    ties_unreached: bool = False,
) -> Answer:
    answer = Answer(ruler.shape, labels.dtype, unreached, k)
    label_of = [same_label(label) for label in labels.tolist()]

    cells_only = ruler.metric == "euclidean" and set(ruler.lengths) == {1}

    def put(cell: Any, prefix: str, exact: int, i: int) -> None:
        distance = ruler.distance(exact)
        answer.put(cell, prefix, labels=labels[i], distance=distance, site_index=indices[i])
        if cells_only and not prefix:
            answer.put(cell, squared=exact // PARTS**2)

    for cell, exact in zip(np.ndindex(ruler.shape), ruler.exact_to(places)):
        order = sorted((s, i) for i, s in enumerate(exact) if ruler.distance(s) <= limit)
        of_labels = sorted({label_of[i]: (s, i) for s, i in reversed(order)}.values())
        if k is not None:
            for rank, (s, i) in enumerate((of_labels if distinct_labels else order)[:k]):
                put((rank, *cell), "", s, i)
            continue
        for prefix, found in zip(("", "other_"), of_labels):
            put(cell, prefix, *found)
        if order:
            ties = sum(s == order[0][0] for s, _ in of_labels)
            offset = ruler.offset(cell, places[order[0][1]])
            answer.put((slice(None), *cell), offset=[int(way) for way in offset])
            answer.put(cell, direction=ruler.direction(offset), ties=min(ties, 255))
            if ties_unreached and ties > 1:
                answer.put(cell, labels=unreached)
    return answer


def _to_other_cells(ruler: Ruler, places: list[Any], kinds: list[Any], limit: float) -> np.ndarray:
    """From each cell to the nearest one of another kind."""
    measured = np.full(ruler.shape, np.inf)
    for i, (cell, exact) in enumerate(zip(np.ndindex(ruler.shape), ruler.exact_to(places))):
        others = [s for s, kind in zip(exact, kinds) if kind != kinds[i]]
        if others and ruler.distance(min(others)) <= limit:
            measured[cell] = ruler.distance(min(others))
    return measured


def to_limit(max_distance: Any) -> float:
    return math.inf if max_distance is None else float(str(max_distance))


def nearest_site(
    sites: np.ndarray,
    spacing: Any = None,
    metric: str = "euclidean",
    max_distance: Any = None,
    nodata: Any = None,
    periodic: Any = None,
    values: Any = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    components: int | None = None,
    unreached: Any = 0,
    signed_distance: bool = False,
    distance_to: str = "sites",
    k: int | None = None,
    distinct_labels: bool = False,
    ties_unreached: bool = False,
    mask: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Every output, distances as float64; the others are of the site, not of what
    `signed_distance` and `distance_to` measure to."""
    cells = native(sites)
    outside = is_nodata(cells, nodata, mask)
    if distance_to == "zeros":
        values = 0
    if components is not None:
        cells, _ = number_components(cells, components, outside)
        nodata = -1
        at_site = cells > 0
    else:
        at_site = is_site(cells, values, zero_is_site or free_nodata) & ~outside
    free = outside
    if free_nodata:
        outside, nodata, mask = np.zeros(cells.shape, bool), None, None
        cells[free] = cells[free][:1]  # whatever is masked
    labels = cells[at_site]
    if cells.dtype.kind == "b":
        labels = np.arange(1, labels.size + 1, dtype=np.int32)
    ruler = Ruler(cells.shape, spacing, metric, periodic)
    limit = to_limit(max_distance)
    places = [tuple(map(Fraction, cell)) for cell in np.ndindex(cells.shape)]
    flat = np.flatnonzero(at_site)
    answer = _answer(
        ruler, [places[i] for i in flat], labels, flat, limit, unreached, k, distinct_labels,
        ties_unreached,
    )  # fmt: skip
    if signed_distance:
        measured = _to_other_cells(ruler, places, at_site.ravel().tolist(), limit)
        answer.arrays["distance"][at_site] = -measured[at_site]
    if distance_to == "boundary":
        values_of = map(same_label, cells.ravel().tolist())
        kinds = list(zip(free.ravel().tolist(), values_of))
        answer.arrays["distance"] = _to_other_cells(ruler, places, kinds, limit)
    # Labels under a mask are anybody's.
    answer.put_nodata(outside, nodata, outside if mask is None else outside & ~mask)
    return answer.arrays


def to_places(points: Any, rank: int) -> list[tuple[Fraction, ...]]:
    """Coordinates in whole parts of a cell; halves of a part go to the even one."""
    coordinates = np.asarray(points, np.float64).reshape(-1, rank).tolist()
    return [
        tuple(Fraction(round(Fraction(x) * PARTS), PARTS) for x in point) for point in coordinates
    ]


def voronoi(
    points: Any,
    shape: Any,
    point_labels: Any = None,
    spacing: Any = None,
    metric: str = "euclidean",
    max_distance: Any = None,
    periodic: Any = None,
    unreached: Any = 0,
    k: int | None = None,
    distinct_labels: bool = False,
    ties_unreached: bool = False,
    domain: Any = None,
    nodata_label: Any = None,
) -> dict[str, np.ndarray]:
    """Every output; squared and offset are right if all points lie on centres of cells."""
    places = to_places(points, len(shape))
    labels = point_labels
    if labels is None:
        labels = np.arange(1, len(places) + 1, dtype=np.int32)
        nodata_label = -1 if nodata_label is None else nodata_label
    answer = _answer(
        Ruler(shape, spacing, metric, periodic), places, native(labels), range(len(places)),
        to_limit(max_distance), unreached, k, distinct_labels, ties_unreached,
    )  # fmt: skip
    if domain is not None:
        outside = np.asarray(domain) == 0
        answer.put_nodata(outside, nodata_label, outside)
    return answer.arrays


def assert_equal(result: Any, wanted: dict[str, np.ndarray], where: Any = slice(None)) -> None:
    """Every output of a result is the oracle's; distances are rounded to their own type."""
    for name in result._fields:
        got = np.asarray(getattr(result, name))
        expected = wanted[name]
        assert got.shape == expected.shape, name
        if name == "direction":
            _assert_directions(got, expected)
            continue
        with np.errstate(over="ignore"):
            expected = expected.astype(got.dtype)
        mine = where if name != "offset" or where == slice(None) else np.s_[:, where]
        np.testing.assert_array_equal(got[mine], expected[mine], err_msg=name)


def _assert_directions(got: np.ndarray, expected: np.ndarray) -> None:
    """Angles are within 10^-12 degrees before they are rounded."""
    near = [(expected + error).astype(np.float32) for error in (-1e-12, 0, 1e-12)]
    fits = np.isnan(got) & np.isnan(expected)
    for angle in near:
        fits |= got == angle
    np.testing.assert_array_equal(np.where(fits, expected, got), expected, err_msg="direction")
