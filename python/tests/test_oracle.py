# SPDX-License-Identifier: Apache-2.0
"""Small problems with options drawn at random, all at once, against the oracles.

THIESSEN_TEST_PROBLEMS=5000 draws so many of each kind; `test_oracle.py::test_costs[17]` is one.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any

import cost_oracle
import numpy as np
import oracle
import pytest
import thiessen

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")
PROBLEMS = range(int(os.environ.get("THIESSEN_TEST_PROBLEMS", 50)))

DECIMALS = [1, 2, 3, 30, 0.1, 0.3, 0.5, 0.7, 1.5, 2.8, 0.325, 0.35, 0.007, 1e-7, 12345.678]
DIGITS = [1, 2, 3, 0.1, 0.5, 1 / 3, math.pi, 0.1 + 0.2, 1 + 1e-13]  # 128 bits, or nearly equal
LABELS = {
    "?": [False, True],
    "u1": [0, 1, 2, 3, 255],
    "i2": [0, -3, 1, 2, 7, -32768],
    "u8": [0, 1, 2, 2**64 - 1],
    "f4": [0.0, -0.0, 1.5, -2.0, math.nan, math.inf],
    "f8": [0.0, -0.0, 0.1, 3.0, math.nan, -math.inf],
}
SCANS = ["brute-force", "raster-gpu"]


class Draw:
    """Draws from one generator."""

    def __init__(self, kind: int, problem: int) -> None:
        self.random = np.random.default_rng([kind, problem])

    def one_in(self, n: int) -> bool:
        return bool(self.random.integers(n) == 0)

    def of(self, choices: Any) -> Any:
        return choices[self.random.integers(len(choices))]

    def several(self, choices: Any) -> list[Any]:
        chosen = [each for each in choices if self.one_in(2)]
        return chosen or [self.of(choices)]

    def shape(self) -> tuple[int, ...]:
        most, rank = self.of([(12, 2), (12, 2), (6, 3)])
        return tuple(int(n) for n in self.random.integers(not self.one_in(20), most + 1, rank))

    def narrow(self, number: float) -> Any:
        """The number in one of the types that somebody may have it in."""
        return self.of([float, float, np.float64, np.float32, np.float16])(number)

    def spacing(self, rank: int, numbers: list[Any]) -> Any:
        one = self.narrow(self.of(DECIMALS[:-2]))  # float16 has not all
        each = [self.of(numbers) for _ in range(rank)]
        return self.of([None, 1, one, self.of(numbers), each, each, np.array(each)])

    def limit(self, distances: np.ndarray) -> Any:
        """One of the distances that there are, or nearly, or any."""
        finite = distances[np.isfinite(distances)]
        near = float(self.of(finite)) if finite.size else 2.5
        limits = [near, near, np.nextafter(near, 0), 0, 1, 2.5, np.float32(0.3), math.inf]
        return self.of(limits)

    def cells(self, shape: tuple[int, ...], choices: Any, dtype: str, share: float) -> np.ndarray:
        drawn = self.random.choice(np.array(choices, dtype), shape)
        return np.where(self.random.random(shape) < share, drawn, np.zeros((), dtype))

    def sites(self, shape: tuple[int, ...]) -> np.ndarray:
        dtype = self.of([*LABELS])
        return self.cells(shape, LABELS[dtype], dtype, self.of([0.03, 0.03, 0.2, 0.9]))

    def periodic(self, rank: int) -> Any:
        return self.of([None, None, True, self.random.integers(0, 2, rank).astype(bool).tolist()])

    def special_label(self, dtype: np.dtype) -> Any:
        return self.of({"f": [0, -1, math.nan], "i": [0, -5, 3], "u": [0, 99, 3]}[dtype.kind])

    def which_sites(self, cells: np.ndarray) -> dict[str, Any]:
        choices = LABELS[cells.dtype.str.strip("<|>").replace("b1", "?")]
        values = [0, math.nan] if cells.dtype.kind == "f" else [0, 1]
        return self.of(
            [{}, {}, {"values": self.several(choices)}, {"values": self.of(values)},
             {"zero_is_site": True}]
        )  # fmt: skip


def draw_metric(draw: Draw, options: dict[str, Any], rank: int, kind: str) -> None:
    """Metric and method, of those that there are; kinds are "all", "whole" (outputs that `exact`
    alone has) and "points"."""
    spacing = options["spacing"]
    typed = oracle.typed_lengths(spacing, rank)
    metric = draw.of(["euclidean", "euclidean", "manhattan", "chessboard"])
    methods = ["exact", *([] if kind == "whole" else SCANS)]
    if kind == "all" and rank == 2 and draw.one_in(5):
        options["spacing"], typed = None, [Fraction(1)]
        metric = draw.of(["octagonal", "chamfer-3-4", "chamfer-5-7-11"])
        methods = SCANS if metric == "octagonal" else ["chamfer"]
    narrow = max(length.denominator for length in typed) < 2**32  # else S may need 128 bits
    plain = kind == "all" and narrow and not np.any(options["periodic"])
    if "chamfer" in methods:
        options["periodic"] = None
    elif plain:
        even = len(set(typed)) == 1
        methods = [*methods, "expansion"]
        methods += ["circle-growing"] * (rank == 2)
        methods += ["dilation"] * (even and metric != "euclidean")
        methods += ["chamfer"] * (metric == "manhattan" or (metric == "chessboard" and even))
    options["metric"], options["method"] = metric, draw.of(methods)


def outputs_of(options: dict[str, Any], rank: int, exact: bool, at_centres: bool = True) -> Any:
    names = ["labels", "distance", "site_index"]
    of_one = options["spacing"] is None or np.all(np.equal(options["spacing"], 1))
    if options["metric"] == "euclidean" and of_one and at_centres:
        names.append("squared")
    if options.get("k"):
        return names
    names += ["offset"] * at_centres + ["direction"] * (rank == 2)
    if exact:
        names += ["other_labels", "other_site_index", "other_distance", "ties"]
    return names


def draw_ranks(draw: Draw, options: dict[str, Any]) -> None:
    """What `exact` alone has."""
    chosen = draw.of(["k", "labels", "ties", "none"])
    if chosen in ("k", "labels"):
        options |= {"k": int(draw.of([1, 2, 3, 9])), "distinct_labels": chosen == "labels"}
    options["ties_unreached"] = chosen == "ties"


def own_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options that say what is computed, and not how."""
    return {name: value for name, value in options.items() if name not in HOW}


HOW = ("method", "threads", "distance_type")


def draw_how(draw: Draw) -> dict[str, Any]:
    return {"threads": draw.of([1, 2]), "distance_type": draw.of(["float32", "float64"])}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_nearest_site(problem: int) -> None:
    draw = Draw(1, problem)
    cells = draw.sites(draw.shape())
    rank, dtype = cells.ndim, cells.dtype
    options = {
        "spacing": draw.spacing(rank, draw.of([DECIMALS, DIGITS])),
        "periodic": draw.periodic(rank),
    }
    kind = draw.of(["all", "whole"])
    draw_metric(draw, options, rank, kind)
    options |= draw_how(draw)
    if kind == "whole":
        draw_ranks(draw, options)
    else:
        options["signed_distance"] = draw.one_in(3)
    mask = draw.cells(cells.shape, [True], "?", 0.2) if draw.one_in(4) else None
    if mask is None and dtype.kind != "b" and draw.one_in(3):
        options["nodata"] = draw.of(LABELS[dtype.str[1:]])
    if draw.one_in(5) and ("nodata" in options or mask is not None):
        options["free_nodata"] = True
    elif draw.one_in(5):
        options["components"] = int(draw.of([4, 8] if rank == 2 else [6, 18, 26]))
    else:
        options |= draw.which_sites(cells)
    labels = np.dtype(np.int32) if dtype.kind == "b" or "components" in options else dtype
    options["unreached"] = draw.special_label(labels)
    given = cells if mask is None else np.ma.MaskedArray(cells, mask)
    everywhere = oracle.nearest_site(cells, mask=mask, **own_options(options))["distance"]
    options["max_distance"] = draw.limit(np.abs(everywhere))
    wanted = oracle.nearest_site(cells, mask=mask, **own_options(options))
    found = thiessen.nearest_site(
        given, outputs=outputs_of(options, rank, kind == "whole"), **options
    )
    label_outputs = [name for name in found._fields if "labels" in name]
    assert {getattr(found, name).dtype for name in label_outputs} == {labels}
    if mask is not None and not options.get("free_nodata"):
        for name in label_outputs:  # labels under a mask are anybody's
            own = getattr(found, name)
            np.testing.assert_array_equal(np.ma.getmaskarray(own), np.broadcast_to(mask, own.shape))
            own.data[..., mask] = wanted[name][..., mask]
    oracle.assert_equal(found, wanted)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_distances_and_labels_that_grow(problem: int) -> None:
    draw = Draw(2, problem)
    cells = draw.sites(draw.shape())
    rank = cells.ndim
    options = {
        "spacing": draw.spacing(rank, draw.of([DECIMALS, DIGITS])),
        "periodic": draw.periodic(rank),
    }
    draw_metric(draw, options, rank, "whole")
    if cells.dtype.kind != "b" and draw.one_in(2):
        options["nodata"] = draw.of(LABELS[cells.dtype.str[1:]])
        options["free_nodata"] = draw.one_in(3)
    kind = draw.of(["sites", "signed", "zeros", "boundary", "grown"])
    every = own_options(options) | {"distance_to": "boundary" if kind == "boundary" else "sites"}
    distances = oracle.nearest_site(cells, **every)["distance"]
    options["max_distance"] = draw.limit(distances)
    if kind == "grown":
        del options["method"]
        unreached = options.get("nodata", 0) if options.get("free_nodata") else 0
        wanted = oracle.nearest_site(cells, **own_options(options), unreached=unreached)["labels"]
        found = thiessen.expand_labels(cells, **options)
        assert found.dtype == cells.dtype
        np.testing.assert_array_equal(found, wanted.astype(cells.dtype))
        return
    if kind in ("zeros", "boundary"):
        options["distance_to"] = kind
        if kind == "zeros":
            options.pop("free_nodata", None)
    else:
        options["signed_distance"] = kind == "signed"
        if not options.get("free_nodata"):
            options |= draw.which_sites(cells)
    options |= draw_how(draw)
    wanted = oracle.nearest_site(cells, **own_options(options))["distance"]
    found = thiessen.distance_transform(cells, **options)
    np.testing.assert_array_equal(found, wanted.astype(found.dtype))
    assert found.dtype == options["distance_type"]


PLACES = [0.5, 1.25, -0.75, 2 + 2**-17, 1 / 3, 7 - 2**-16, 100.0, -40.5, 5 + 3 * 2**-17]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_voronoi(problem: int) -> None:
    draw = Draw(3, problem)
    shape = draw.shape()
    rank = len(shape)
    at_centres = draw.one_in(2)
    points = draw.random.integers(-3, 14, (draw.of([0, 1, 2, 5, 9]), rank)).astype(float)
    if not at_centres:
        fractions = draw.random.choice(PLACES, points.shape)
        points = np.where(draw.random.random(points.shape) < 0.6, fractions, points)
    options = {"spacing": draw.spacing(rank, DECIMALS), "periodic": draw.periodic(rank)}
    kind = draw.of(["points", "whole"])
    draw_metric(draw, options, rank, kind)
    options |= draw_how(draw)
    if kind == "whole":
        draw_ranks(draw, options)
    dtype = draw.of([None, "u1", "i2", "u8", "f4", "f8"])
    labels = np.dtype(dtype or np.int32)
    if dtype:
        options["point_labels"] = draw.random.choice(np.array(LABELS[dtype], dtype), len(points))
    options["unreached"] = draw.special_label(labels)
    if draw.one_in(3):
        options["domain"] = draw.cells(shape, [1, 2], "u1", 0.7)
        if dtype or draw.one_in(2):
            options["nodata_label"] = draw.special_label(labels)
    distances = oracle.voronoi(points, shape, **own_options(options))["distance"]
    options["max_distance"] = draw.limit(distances)
    centred = at_centres or not len(points)
    found = thiessen.voronoi(
        points, shape, outputs=outputs_of(options, rank, kind == "whole", centred), **options
    )
    oracle.assert_equal(found, oracle.voronoi(points, shape, **own_options(options)))
    assert found.labels.dtype == labels


COSTS = ["labels", "distance", "site_index", "back_link"]
COST_OUTPUTS = [*COSTS, "other_labels", "other_site_index", "other_distance"]


def draw_map(draw: Draw, shape: tuple[int, ...]) -> Any:
    """Even ground, corridors, integers with ties, fractions that are rounded, extremes."""
    kind = draw.of(["even", "digits", "small", "random", "random", "extreme"])
    palette = {
        "even": [draw.of([1, 0.1, 3])],
        "digits": [1, 2, 3, 4],
        "small": [0.1, 0.2, 0.3, 0.7],
        "random": draw.random.random(64) + 0.01,
        "extreme": [1e-46, 1e-38, 1e30, 8e37, 1e-3, 16777217],
    }[kind]
    cells = draw.random.choice(np.array(palette, np.float64), shape)
    dtype = draw.of(["f8", "f8", "f4", "f2", "i4"] if kind == "digits" else ["f8", "f4"])
    cells = cells.astype(dtype)
    share = draw.of([0, 0, 0.2, 0.5])
    floats = cells.dtype.kind == "f"
    for special in [0, *([math.nan, math.inf] if floats else [])]:
        cells[draw.random.random(shape) < share / 3] = special
    return cells


@pytest.mark.parametrize("problem", PROBLEMS)
def test_costs(problem: int) -> None:
    draw = Draw(4, problem)
    shape = draw.shape()
    rank = len(shape)
    cells = draw_map(draw, shape)
    name = draw.of(["cost", "stiffness"])
    if name == "stiffness":
        cells[cells == math.inf] = 0
    options = {
        "connectivity": draw.of([None, 4, 8, 16, 16] if rank == 2 else [None, 6, 18, 26]),
        "spacing": draw.spacing(rank, DECIMALS[:12]),
        "tight_barriers": draw.one_in(2),
        "distance_type": draw.of(["float32", "float64"]),
    }
    if draw.one_in(4) and cells.size:
        options["map_nodata"] = cells.ravel()[draw.random.integers(cells.size)].item()
    given = cells
    if draw.one_in(6):
        given = np.ma.MaskedArray(cells, draw.random.random(shape) < 0.1)
    costs = [0, 0, 0.5, 0.1, 1, 2.25]
    if draw.one_in(3):
        count = draw.of([1, 2, 5])
        points = draw.random.random((count, rank)) * (np.array(shape) + 1) - 1
        options["points"] = np.round(points * 4) / 4 if draw.one_in(2) else points
        dtype = draw.of([None, "i2", "u1", "f4"])
        labels = np.dtype(dtype or np.int32)
        if dtype:
            options["point_labels"] = draw.random.choice(np.array(LABELS[dtype], dtype), count)
        starts: Any = count
    else:
        sites = draw.sites(shape)
        labels = np.dtype(np.int32) if sites.dtype.kind == "b" else sites.dtype
        options["sites"] = sites
        options |= draw.which_sites(sites)
        if sites.dtype.kind != "b" and draw.one_in(4):
            options["site_nodata"] = draw.of(LABELS[sites.dtype.str[1:]])
        starts = shape
    if draw.one_in(3):
        options["initial_cost"] = draw.random.choice(costs, starts).astype(draw.of(["f4", "f8"]))
    options["unreached"] = draw.special_label(labels)
    if draw.one_in(3):
        options["nodata_label"] = draw.special_label(labels)
    options[name] = given
    distance = cost_oracle.cost_distance(**options)["distance"]
    if draw.one_in(3):
        options["max_distance"] = draw.limit(distance)
    wanted = cost_oracle.cost_distance(**options)
    for method in ("exact", "dijkstra", "relaxation"):
        found = thiessen.cost_distance(
            **options, outputs=COST_OUTPUTS, method=method, threads=draw.of([1, 2])
        )
        assert found.labels.dtype == labels
        for output in COST_OUTPUTS:
            own, expected = np.ma.getdata(getattr(found, output)), wanted[output]
            if "labels" in output:  # those under a mask are anybody's
                expected = np.where(np.ma.getmaskarray(given), own, expected)
            np.testing.assert_array_equal(own, expected.astype(own.dtype), err_msg=output)
