# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by comparing every cell with every site, in NumPy, by the rules of docs/semantics.md.

Spacings are read as shortest decimals, so that distances are compared in integers. For small rasters.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np

INT32_MIN = np.iinfo(np.int32).min
FRACTION = 1 << 16


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
    cells: np.ndarray, corners: bool, outside: np.ndarray
) -> tuple[np.ndarray, int]:
    """Connected areas of equal non-zero values by flooding from the first cell of each."""
    labels = np.zeros(cells.shape, np.int32)
    free = is_site(cells, None, False) & ~outside
    steps = [s for s in itertools.product((-1, 0, 1), repeat=cells.ndim) if any(s)]
    steps = [s for s in steps if corners or sum(map(abs, s)) == 1]
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


class Geometry:
    """Exact distances from the cells of a grid; coordinates are in units of 1 / `parts` of a cell."""

    def __init__(
        self, shape: Any, spacing: Any, metric: str, periodic: Any, parts: int = 1
    ) -> None:
        rank = len(shape)
        written = np.broadcast_to(1 if spacing is None else np.asarray(spacing), rank)
        lengths = [Fraction(str(length)) for length in written]
        scale = math.lcm(*(length.denominator for length in lengths))
        whole = [int(length * scale) for length in lengths]
        divisor = math.gcd(*whole)
        self.weights = [length // divisor for length in whole]
        unit = Fraction(divisor, scale)
        self.p, self.q = unit.numerator, unit.denominator
        if max(self.p, self.q) >= 2**24:
            self.p, self.q = float(unit), 1
        self.metric, self.parts = metric, parts  # a power of two, which rounds nothing
        flags = [False] * rank if periodic is None else np.broadcast_to(periodic, rank).tolist()
        self.period = [n * parts if flag else None for n, flag in zip(shape, flags)]
        self.cells = np.indices(shape).reshape(rank, -1).T.astype(np.int64) * parts

    def deltas(self, places: np.ndarray) -> np.ndarray:
        """Place minus cell by the shortest way, negative if two are equally short."""
        delta = places[None, :, :] - self.cells[:, None, :]
        for axis, period in enumerate(self.period):
            if period:
                images = np.mod(delta[..., axis], period)
                delta[..., axis] = np.where(2 * images >= period, images - period, images)
        return delta

    def exact(self, delta: np.ndarray) -> np.ndarray:
        terms = np.abs(delta) * np.array(self.weights, np.int64)
        if self.metric == "euclidean":
            return (terms * terms).sum(-1)
        return terms.sum(-1) if self.metric == "manhattan" else terms.max(-1, initial=0)

    def distance(self, exact: np.ndarray) -> np.ndarray:
        rooted = np.sqrt(exact) if self.metric == "euclidean" else exact.astype(np.float64)
        return rooted / self.parts * self.p / self.q

    def nearest(
        self, places: np.ndarray, limit: float, counts: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row of the nearest place (-1 if there is none in range), exact distance and offset for
        each cell; `counts` says of every pair whether the place counts for the cell."""
        cells, rank = self.cells.shape
        if not len(places):
            return np.full(cells, -1), np.zeros(cells, np.int64), np.zeros((cells, rank), np.int64)
        delta = self.deltas(places)
        exact = self.exact(delta)
        far = np.iinfo(np.int64).max
        if counts is not None:
            exact = np.where(counts, exact, far)
        exact = np.where(self.distance(exact) <= limit, exact, far)
        best = exact.argmin(1)  # the first of equals
        rows = np.arange(cells)
        least = exact[rows, best]
        return np.where(least == far, -1, best), least, delta[rows, best]


def _as_results(
    shape: Any,
    geometry: Geometry,
    found: tuple[np.ndarray, np.ndarray, np.ndarray],
    labels: np.ndarray,
    indices: np.ndarray,
    unreached: Any,
) -> dict[str, np.ndarray]:
    best, exact, delta = found
    reached = best >= 0
    with np.errstate(all="ignore"):  # where labels are not wanted it need not fit
        unreached = np.array(unreached).astype(labels.dtype)
    results = {
        "labels": np.where(reached, labels[best], unreached)
        if len(labels)
        else np.full(best.shape, unreached),
        "distance": np.where(reached, geometry.distance(exact), np.inf),
        "squared": np.where(reached, exact, -1),
        "site_index": np.where(reached, indices[best] if len(indices) else -1, -1),
        "direction": np.where(reached, _direction(geometry, delta), np.nan),
    }
    results = {name: array.reshape(shape) for name, array in results.items()}
    offset = np.where(reached[:, None], delta // geometry.parts, INT32_MIN)
    results["offset"] = offset.T.reshape(len(shape), *shape).astype(np.int32)
    return results


def _direction(geometry: Geometry, delta: np.ndarray) -> np.ndarray:
    lengths = delta * np.array(geometry.weights, np.float64)
    angle = np.degrees(np.arctan2(lengths[:, -1], -lengths[:, -2]))
    angle = np.where(angle <= 0, angle + 360, angle)
    return np.where((delta[:, -1] == 0) & (delta[:, -2] == 0), 0, angle)


def nearest_site(
    sites: np.ndarray,
    spacing: Any = None,
    metric: str = "euclidean",
    max_distance: float | None = None,
    nodata: Any = None,
    periodic: Any = None,
    values: Any = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    components: int | None = None,
    unreached: Any = 0,
    signed_distance: bool = False,
    distance_to: str = "sites",
    mask: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Every output, distances as float64; `squared` and the others are of the site, not of what
    `signed_distance` and `distance_to` measure to."""
    cells = np.asarray(sites)
    cells = cells.astype(cells.dtype.newbyteorder("="))
    shape = cells.shape
    outside = is_nodata(cells, nodata, mask)
    if components is not None:
        numbers, _ = number_components(cells, components in (8, 26), outside)
        at_site = numbers > 0
        cells, nodata = numbers, -1
    else:
        at_site = is_site(cells, values, zero_is_site or free_nodata) & ~outside
    free = outside
    if free_nodata:
        outside, nodata, mask = np.zeros(cells.shape, bool), None, None
        cells[free] = cells[free][:1]  # whatever is masked
    labels = cells[at_site]
    if cells.dtype.kind == "b":
        labels = np.arange(1, labels.size + 1, dtype=np.int32)
    geometry = Geometry(shape, spacing, metric, periodic)
    limit = math.inf if max_distance is None else max_distance
    flat = np.flatnonzero(at_site)
    found = geometry.nearest(geometry.cells[flat], limit)
    results = _as_results(shape, geometry, found, labels, flat, unreached)
    if signed_distance or distance_to == "boundary":
        values_of = cells.ravel()
        if distance_to == "boundary":
            counts = values_of[:, None] != values_of[None, :]
            if values_of.dtype.kind == "f":
                counts &= ~(np.isnan(values_of)[:, None] & np.isnan(values_of)[None, :])
            counts |= free.ravel()[:, None] != free.ravel()[None, :]
            chosen = np.ones(cells.size, bool)
        else:
            chosen = at_site.ravel()
            counts = np.broadcast_to(~chosen[None, :], (cells.size, cells.size))
        best, exact, _ = geometry.nearest(geometry.cells, limit, counts)
        measured = np.where(best >= 0, geometry.distance(exact), np.inf)
        measured = (-measured if signed_distance else measured).reshape(shape)
        results["distance"] = np.where(chosen.reshape(shape), measured, results["distance"])
    return _with_nodata(results, outside, nodata, mask)


def _with_nodata(
    results: dict[str, np.ndarray], outside: np.ndarray, nodata: Any, mask: np.ndarray | None
) -> dict[str, np.ndarray]:
    if nodata is not None:
        known = outside if mask is None else outside & ~mask  # labels under a mask are anybody's
        results["labels"][known] = nodata
    for name, value in (("distance", np.nan), ("squared", -2), ("site_index", -2)):
        results[name][outside] = value
    results["direction"][outside] = np.nan
    results["offset"][:, outside] = INT32_MIN
    return results


def voronoi(
    points: Any,
    shape: Any,
    labels: Any = None,
    spacing: Any = None,
    metric: str = "euclidean",
    max_distance: float | None = None,
    periodic: Any = None,
    unreached: Any = 0,
) -> dict[str, np.ndarray]:
    """Every output; squared and offset are right if all points lie on centres of cells."""
    places = np.rint(np.asarray(points, np.float64).reshape(-1, len(shape)) * FRACTION)
    geometry = Geometry(shape, spacing, metric, periodic, FRACTION)
    count = len(places)
    labels = np.arange(1, count + 1, dtype=np.int32) if labels is None else np.asarray(labels)
    labels = labels.astype(labels.dtype.newbyteorder("="))
    limit = math.inf if max_distance is None else max_distance
    found = geometry.nearest(places.astype(np.int64), limit)
    results = _as_results(shape, geometry, found, labels, np.arange(count), unreached)
    results["squared"] = np.where(
        results["site_index"] >= 0, results["squared"] // FRACTION**2, results["squared"]
    )
    return results


def assert_equal(result: Any, wanted: dict[str, np.ndarray], where: Any = slice(None)) -> None:
    """Every output of a result is the oracle's; distances are rounded to their own type."""
    for name in result._fields:
        got = np.asarray(getattr(result, name))
        expected = wanted[name]
        assert got.shape == expected.shape, name
        if name == "direction":
            np.testing.assert_allclose(got, expected, rtol=1e-6, atol=0, err_msg=name)
            continue
        with np.errstate(over="ignore"):
            expected = expected.astype(got.dtype)
        mine = where if name != "offset" or where == slice(None) else np.s_[:, where]
        np.testing.assert_array_equal(got[mine], expected[mine], err_msg=name)
