# SPDX-License-Identifier: Apache-2.0
"""The rasters that are measured, by tests/cases/sites.tab.

A raster of sites is int32: the site cells are numbered 1, 2, ... in the order of their linear index, so that
a label tells which cell it came from. Every seed gives another raster of the same kind.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .shapes import SHAPES, mark

TABLE = Path(__file__).parent.parent / "tests" / "cases" / "sites.tab"
MANY_CELLS = 100_000_000


def kinds_by_size(suite):
    """The rows of a suite, as a dict."""
    found = {}
    for line in TABLE.read_text().splitlines():
        name, *lists = line.split() or [""]
        if name == suite:
            sizes, kinds = (items.split(",") for items in lists)
            for size in sizes:
                found[size] = (*found.get(size, ()), *kinds)
    return found


# Kinds of sites: those that peers are measured with, and more for us alone. Where a round takes minutes, fewer are
# enough, unless --full asks for all.
FEW_KINDS, FEW_OWN_KINDS = kinds_by_size("bench"), kinds_by_size("bench-own")
KINDS, EVERY_KIND = FEW_KINDS.pop("*"), FEW_OWN_KINDS.pop("*")
OWN_KINDS = tuple(kind for kind in EVERY_KIND if kind not in KINDS)
SIZES = tuple(FEW_KINDS)
SHAPE_SIZES = tuple(kinds_by_size("shapes"))


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
    shape = tuple(int(part) for part in reversed(text.split("x")))
    if len(shape) not in (2, 3) or min(shape) < 1:
        raise ValueError(f"size = {text}; must be WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH")
    return shape


def cases_of(suite):
    """All cases of a suite."""
    return [Case(size, kind) for size, kinds in kinds_by_size(suite).items() for kind in kinds]


def standard_cases(sizes, kinds=None, full=False):
    """Cases of these sizes: of these kinds, with all peers; or of the kinds that fit into an hour; or of all."""
    if kinds:
        return [Case(size, kind) for size in sizes for kind in kinds]
    return [
        Case(size, kind, kind in (KINDS if full else FEW_KINDS.get(size, KINDS)))
        for size in sizes
        for kind in (EVERY_KIND if full else FEW_OWN_KINDS.get(size, EVERY_KIND))
    ]


def shape_cases(sizes):
    """Cases of these sizes and of all shapes that there are with so many axes."""
    table = kinds_by_size("shapes")
    return [
        Case(size, kind)
        for size in sizes
        for kind in table.get(size, SHAPES[len(parse_size(size))])
    ]


def make_sites(shape, kind, seed, out=None):
    """The raster of sites of a kind, and the number of its sites."""
    mask = mark(np.zeros(shape, bool), kind, np.random.default_rng([seed, *shape]))
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
