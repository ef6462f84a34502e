# SPDX-License-Identifier: Apache-2.0
"""What is measured on a GPU, made there: rasters of sites (int32, labelled by their cell: index + 1), lists of points."""

from dataclasses import dataclass

import cupy as cp
import numpy as np

from .. import cases
from ..shapes import mark

FRACTIONAL = "-fractional"


@dataclass(frozen=True)
class Case(cases.Case):
    points: bool = False

    def __str__(self):
        if not self.points:
            return super().__str__()
        text = f"{self.size}, points: {cases.kind_text(self.kind.removesuffix(FRACTIONAL))}"
        return text + ", fractional" * self.kind.endswith(FRACTIONAL)


def chosen_cases(suite, options, points=False):
    """Those of a suite, or of the sizes and kinds that are asked for."""
    table = cases.kinds_by_size(suite)
    others = table.pop("*", ())
    for size in options.sizes or table:
        for kind in options.sites or table.get(size, others):
            yield Case(size, kind, points=points)


def make_input(case, seed):
    """The raster of sites, or the coordinates of the points (float32, on centres, or float64)."""
    if case.points:
        return make_points(case, cp.random.RandomState(seed))
    mask = mark(cp.zeros(case.shape, bool), case.kind, cp.random.default_rng(seed))
    sites = mask.astype(cp.int32)
    flat = sites.ravel()
    for first in range(0, flat.size, 1 << 26):
        part = flat[first : first + (1 << 26)]
        part *= cp.arange(first + 1, first + 1 + part.size, dtype=cp.int32)
    return sites


def make_points(case, random):
    kind = case.kind.removesuffix(FRACTIONAL)
    count = int(case.cells * float(kind[:-1]) / 100) if kind.endswith("%") else int(kind)
    extents = cp.asarray(np.array(case.shape, np.float64))
    places = random.random_sample((count, len(case.shape))) * extents
    return places - 0.5 if kind != case.kind else cp.floor(places).astype(cp.float32)
