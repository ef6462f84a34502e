# SPDX-License-Identifier: Apache-2.0
"""Slabs of cost distance, which are visited until none changes another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._arguments import tables
from .._arguments.checks import to_extents, to_switch, to_text, to_whole
from .._arguments.core_options import CoreOptions, core_options, run
from .._arguments.cost_options import check_sites, cost_options, map_of, to_costs
from .._arguments.options import Options, Unpack, collect, described_by, takes
from .._kinds.host import number_dtype, to_array, to_raster
from .._kinds.outputs import COST_OUTPUTS, NearestSite, Targets, have_labels, output_names
from .._kinds.points import to_points
from .._kinds.xarray import is_data_array
from ..typing import Connectivity, CostOutput, CostStage

_MOST_ROWS = 2**30


class CostReport(NamedTuple):
    """What a visit of a `CostSlab` tells.

    Attributes
    ----------
    above, below : (float, float)
        For the row next to the slab, and for the one behind it: the least cost of its cells that
        the slab changes; inf if there is none.
    sites, ignored_sites, first_ignored_site : int
        By the first visit of the stage "costs": the number of sites in the slab, of those on
        barriers or outside of the map, and the index of the first of these.
    """

    above: tuple[float, float] = (inf, inf)
    below: tuple[float, float] = (inf, inf)
    sites: int = 0
    ignored_sites: int = 0
    first_ignored_site: int = 0


class CostQueue:
    """Says which slab of cost distance is to be visited next: one that has not been, then the one
    in which the cheapest cell waits. There is one queue for each stage.

    Parameters
    ----------
    heights : sequence of int
        Rows or planes of all slabs, in order; those of none are not visited.

    Examples
    --------
    See `CostSlab`.
    """

    __slots__ = ("_queue", "_visits")

    def __init__(self, heights: Iterable[int]) -> None:
        rows = [to_whole("heights", height, 0, _MOST_ROWS) for height in heights]
        arrays = {"heights": np.array(rows, np.int64)}
        self._queue = _core.Solver("cost_slab_queue", arrays, {}, CoreOptions())
        self._visits = 0

    def next(self) -> tuple[int, bool] | None:
        """Take the next slab: its number, and whether it is its first visit; None if none waits.
        Several may be taken before their reports are added."""
        found, _ = self._queue.run("next_cost_slab", {}, CoreOptions())
        if found["slab"] < 0:
            return None
        self._visits += 1
        return found["slab"], found["is_first"] == 1

    def add(self, slab: int, report: CostReport) -> None:
        """Note what the visit of a slab told."""
        number = to_whole("slab", slab, 0, _MOST_ROWS)
        options = CoreOptions(slab=number, above=report.above, below=report.below)
        self._queue.run("add_cost_slab", {}, options)

    @property
    def visits(self) -> int:
        """The number of visits that `next` has given."""
        return self._visits


def cost_rows(
    shape: Iterable[int], first: int, count: int, *, connectivity: Connectivity | None = None
) -> slice:
    """The rows that the arrays of a `CostSlab` hold: its own, and one on each side, or two with 16
    neighbours, as far as the raster goes.

    Parameters
    ----------
    shape : sequence of int
        Extents of the whole raster.
    first, count : int
        The slab's first row or plane in it, and their number.
    connectivity : int, optional
        As of `thiessen.cost_distance`.

    Returns
    -------
    slice

    Raises
    ------
    ValueError, TypeError
        The slab does not lie within the raster, or has no such neighbours.

    Notes
    -----
    Time O(1).

    Examples
    --------
    >>> from thiessen import slabs
    >>> slabs.cost_rows((10, 4), 3, 2)
    slice(2, 6, None)
    """
    extents = to_extents(shape)
    own = Options({"shape": extents, "connectivity": connectivity})
    options = core_options("cost_slab_rows", own, len(extents))
    options["first"] = to_whole("first", first, 0, _MOST_ROWS)
    options["count"] = to_whole("count", count, 0, _MOST_ROWS)
    found, _ = run("cost_slab_rows", {}, options, False)
    return slice(found["first"], found["first"] + found["count"])


@described_by(tables.CostSlabOptions)
class CostSlab:
    """A slab of cost distance, and what is known of its cells and of the rows beside it.

    Parameters
    ----------
    sites : array of shape (rows, x) or (planes, y, x), optional
        The rows `cost_rows` of the raster of sites; or
    points, point_labels : arrays, optional
        all points, as of `thiessen.cost_distance`.
    cost, stiffness : array
        The same rows of the map, by the name of what it says. Any integer or float dtype.
    shape : sequence of int
        Extents of the whole raster.
    first, count : int
        The slab's first row or plane in it, and their number; 0 too.
    options as of `cost_distance`
        The same for all slabs.
    initial_cost : array, optional
        As of `thiessen.cost_distance`: the same rows, or one for each point.
    outputs : names of "labels", "distance", "site_index", "back_link"
        What `finish` gives.

    Attributes
    ----------
    rows : slice
        The rows of the whole raster that the arrays hold.
    own : slice
        The slab's own rows in them.
    known : dict of numpy.ndarray
        What is known: "resistance" (the map, by the first visit), "cost" (inf: not reached so far)
        and, as the outputs want them, "site_index", "hops" (-1: none so far) and "labels". Visits
        change them. Before a visit the caller writes what other slabs know into the rows beside the
        own ones; `take` does that.
    stages : tuple of str
        What is to be found, one after the other: "costs", then "sites" and "hops" as the outputs
        want them.
    sites_before : int
        For numbers of boolean sites: how many sites the slabs above have, by their reports of the
        stage "costs". To be set before the stage "sites".

    Raises
    ------
    ValueError, TypeError
        An argument breaks a rule; the message has its name, its value and the rule.
    MemoryError
        With the number of bytes asked for.

    Notes
    -----
    The results have the bits of one call. Visits of slabs that lie apart may run at the same time,
    in other threads or processes, if each has got what others know before; see docs/slabs.md. The
    GIL is released, and Ctrl-C ends the visit.

    Source: as of `thiessen.cost_distance`.

    Examples
    --------
    A raster in slabs of 1 and 3 rows:

    >>> import numpy as np, thiessen
    >>> from thiessen import slabs
    >>> map = np.ones((4, 5), np.float32)
    >>> map[1, :4] = 0
    >>> sites = np.zeros((4, 5), np.uint8)
    >>> sites[0, 0], sites[3, 0] = 7, 9
    >>> parts = []
    >>> for first, count in ((0, 1), (1, 3)):
    ...     rows = slabs.cost_rows(map.shape, first, count)
    ...     parts.append(
    ...         slabs.CostSlab(
    ...             sites[rows], stiffness=map[rows], shape=map.shape, first=first, count=count
    ...         )
    ...     )
    >>> for stage in parts[0].stages:
    ...     queue = slabs.CostQueue([1, 3])
    ...     while (visit := queue.next()) is not None:
    ...         number, is_first = visit
    ...         for other in parts:
    ...             parts[number].take(other)
    ...         queue.add(number, parts[number].visit(stage, is_first=is_first))
    >>> found = np.concatenate([part.finish().labels for part in parts])
    >>> found
    array([[7, 7, 7, 7, 7],
           [0, 0, 0, 0, 7],
           [9, 9, 9, 9, 9],
           [9, 9, 9, 9, 9]], dtype=uint8)
    >>> bool((found == thiessen.cost_distance(sites, stiffness=map).labels).all())
    True
    """

    __slots__ = (
        "_inputs", "_label_dtypes", "_names", "_options", "_place", "_shape", "known", "own",
        "rows", "sites_before", "stages",
    )  # fmt: skip

    @takes(tables.CostSlabOptions)
    def __init__(
        self,
        sites: Any = None,
        *,
        shape: Iterable[int],
        first: int,
        count: int,
        outputs: CostOutput | Sequence[CostOutput] = ("labels", "distance"),
        **options: Unpack[tables.CostSlabOptions],
    ) -> None:
        own = collect(type(self).__init__, options)
        self._names = output_names(outputs, COST_OUTPUTS)
        self._shape = to_extents(shape)
        self._place = (
            to_whole("first", first, 0, _MOST_ROWS), to_whole("count", count, 0, _MOST_ROWS),
        )  # fmt: skip
        self.rows = cost_rows(self._shape, first, count, connectivity=own.connectivity)
        self.own = slice(first - self.rows.start, first - self.rows.start + count)
        self.sites_before = 0
        check_sites(sites, own)
        own = own.but(shape=self._shape, first=self._place[0], count=self._place[1])
        self._options = cost_options("begin_cost_slab", len(self._shape), own, own.map_nodata)
        what, map = map_of(own)
        self._inputs = {what: _rows_of(what, map, own.map_nodata).cells}
        if sites is None:
            found = to_points(own.points, own.point_labels, len(self._shape))
            self._inputs |= found.arrays()
            self._label_dtypes = found.label_dtypes
        else:
            self._label_dtypes = self._take_sites(sites, own)
        if own.initial_cost is not None:
            self._inputs["initial_cost"] = to_costs("initial_cost", own.initial_cost)
        self.known = self._make_known(own.distance_type)
        self.stages: tuple[CostStage, ...] = ("costs",)
        if "site_index" in self.known:
            self.stages += ("sites",)
        if "hops" in self.known:
            self.stages += ("hops",)

    def visit(self, stage: CostStage, *, is_first: bool) -> CostReport:
        """Find what follows from the sites, on the first visit in a stage, and from what is known
        of the rows beside the slab.

        Parameters
        ----------
        stage : {"costs", "sites", "hops"}
        is_first : bool
            Whether it is the first visit of the slab in this stage.

        Notes
        -----
        The first visit takes the time of `thiessen.cost_distance` of these rows, others that of the
        cells that change.
        """
        options = self._full_options()
        options["stage"] = to_text("stage", stage)
        name = "begin_cost_slab" if to_switch("is_first", is_first) else "continue_cost_slab"
        found, _ = run(name, self._inputs, options, False, self._known_in_core())
        for rows in ("above", "below"):
            found[rows] = tuple(found[rows].tolist())
        return CostReport(**found)

    def take(self, other: CostSlab) -> None:
        """Copy what another slab knows of its own rows into those beside this one."""
        if other is self:
            return
        start = other.rows.start + other.own.start
        stop = other.rows.start + other.own.stop
        first, last = max(start, self.rows.start), min(stop, self.rows.stop)
        for name, array in self.known.items() if first < last else ():
            if name == "resistance":
                continue
            array[first - self.rows.start : last - self.rows.start] = other.known[name][
                first - other.rows.start : last - other.rows.start
            ]

    def finish(self, out: Any = None) -> NearestSite[Any, np.ndarray]:
        """The results of the slab's own rows, when no stage has a visit left.

        Parameters
        ----------
        out : mapping of names to arrays, arrays in the order of outputs, or the array of the only \
one
            numpy.ndarrays of the slab's shape that are written instead of new ones.

        Returns
        -------
        NearestSite
            Named tuple of the outputs, numpy.ndarrays.
        """
        extents = (self._place[1], *self._shape[1:])
        dtype = self.known["cost"].dtype
        targets = Targets(self._names, out, extents, self._label_dtypes, dtype, ())
        names = ("cost", "stiffness", "points", "point_labels")
        inputs = {name: self._inputs[name] for name in names if name in self._inputs}
        outputs = {**self._known_in_core(), **targets.core}
        run("finish_cost_slab", inputs, self._full_options(), False, outputs)
        return targets.result(targets.finish())

    def _full_options(self) -> CoreOptions:
        options = copy(self._options)
        options["sites_before"] = to_whole("sites_before", self.sites_before, 0, 2**60)
        return options

    def _known_in_core(self) -> dict[str, np.ndarray]:
        """What is known, by the core's names, which differ from those of results."""
        return {
            name if name == "resistance" else f"known_{name}": array
            for name, array in self.known.items()
        }

    def _take_sites(self, sites: Any, own: Options) -> tuple[np.dtype, np.dtype]:
        raster = _rows_of("sites", sites, own.site_nodata)
        self._inputs["sites"] = raster.cells
        if raster.cells.dtype.kind == "b":
            dtype = number_dtype(prod(self._shape))
            return (dtype, dtype)
        return (raster.core_label_dtype, raster.label_dtype)

    def _make_known(self, dtype: Any) -> dict[str, np.ndarray]:
        extents = (self.rows.stop - self.rows.start, *self._shape[1:])
        known = {"resistance": np.zeros(extents, dtype), "cost": np.full(extents, np.inf, dtype)}
        links = "back_link" in self._names
        if links or "site_index" in self._names or have_labels(self._names):
            known["site_index"] = np.full(extents, -1, np.int64)
        if have_labels(self._names) and "sites" in self._inputs:
            known["labels"] = np.zeros(extents, self._label_dtypes[0])
        if links:
            known["hops"] = np.full(extents, -1, np.int64)
        return known


def _rows_of(name: str, value: Any, nodata: Any) -> Any:
    if is_data_array(value) or isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a {type(value).__name__}; must be an array of NumPy, with spacing and "
            "nodata given"
        )
    nodata_name = "site_nodata" if name == "sites" else "map_nodata"
    return to_raster(name, to_array(name, value), nodata, nodata_name=nodata_name)
