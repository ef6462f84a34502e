# SPDX-License-Identifier: Apache-2.0
"""Where to put sites: in the middle of their cells, or where the nearest one is far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from .._arguments import tables
from .._arguments.checks import to_grid, to_whole
from .._arguments.core_options import CoreOptions, core_options, run
from .._arguments.cost_options import cost_options, map_of, to_cost_map
from .._arguments.options import Options, Unpack, collect, takes
from .._arguments.running import set_device
from .._arguments.warnings import tell
from .._kinds.host import to_array, to_field
from .._kinds.points import to_coordinates, to_domain, to_weights
from .site_solver import spacing_of_grid, to_indices

_MOST = 2**63 - 1


class RelaxedSites(NamedTuple):
    """Sites after a relaxation, and what its steps did."""

    sites: np.ndarray
    """Points, float64 of shape (n, axes); of costs linear indices of cells, int64."""
    energy: np.ndarray
    """Before the first step and after each: one more than there are steps."""
    farthest_move: np.ndarray
    """The farthest way that a site went in each step, in units of the spacing."""
    end: Literal["steps", "settled", "energy"]
    """Why it ended: all steps were made, no site moved farther than the tolerance, or the energy
    fell too little."""


class FittedWeights(NamedTuple):
    """Weights of points, and what their cells hold."""

    weights: np.ndarray
    """For ``weighting="power"``, float64 of shape (n,)."""
    loads: np.ndarray
    """The mass of the cell of each point."""
    greatest_miss: float
    """The greatest difference of a load from its target."""
    steps: int
    """How many steps were made."""
    end: Literal["fitted", "steps", "stuck"]
    """Why it ended: every load is near enough to its target, all steps were made, or no step brings
    the loads closer."""


class FarthestSites(NamedTuple):
    """New sites, in their order."""

    cells: np.ndarray
    """Linear indices of their cells; ``numpy.unravel_index`` makes coordinates of them."""
    distance: np.ndarray
    """How far each was from the sites before it, times the density; inf if it was unreached."""
    radius: float
    """The greatest distance, times the density, that is left."""


@takes(tables.RelaxOptions, "relax_sites")
def relax_sites(
    points: Any,
    shape: Iterable[int],
    *,
    density: Any = None,
    **options: Unpack[tables.RelaxOptions],
) -> RelaxedSites:
    """Lloyd's relaxation: each step moves every point to the mass centroid of its Voronoi cell.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        As of `voronoi`; it is left as it is.
    shape : sequence of int
        Extents of the grid.
    density : array of the shape of the grid, optional
        Mass of each cell, of any dtype, >= 0 and finite in cells of the domain; default: 1.
        DataArrays must lie on one grid, which gives the spacing.
    domain : array of the shape of the grid, optional
        Booleans or integers; cells where it is False or 0 do not count.
    weights : array of shape (n,), optional
    weighting : str, optional
        As of `voronoi`: the cells are those of weighted points.
    periodic : bool or one per axis, optional
        As of `nearest_site`; the points come back in the first period.
    device, threads, progress
        As of `nearest_site`. On a CUDA device the diagrams are computed there.

    Returns
    -------
    RelaxedSites

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    The centroid is the one of `site_statistics`, rounded half to even to 2**-16 of a cell. A point
    whose cell has no mass stays. The energy is the sum of density times squared distance. The sum
    is exact and rounded once, over terms in float64. Without weights steps never raise it, except
    by the rounding of points. The results are the same bits for any number of threads and device.
    Each step takes the time of `voronoi` and `site_statistics`.

    Source: S. Lloyd, "Least squares quantization in PCM" (1982); Q. Du, V. Faber, M. Gunzburger,
    "Centroidal Voronoi tessellations: applications and algorithms" (1999).

    Examples
    --------
    >>> import thiessen
    >>> relaxed = thiessen.relax_sites([(0, 0), (0, 1)], (2, 4))
    >>> relaxed.sites
    array([[0.5, 0.5],
           [0.5, 2.5]])
    >>> relaxed.energy, relaxed.end
    (array([14.,  6.,  4.,  4.]), 'settled')
    """
    own = collect(relax_sites, options)
    own, extents, arrays = _on_grid(own, shape, points, density)
    arrays["weights"] = to_weights(own.weights)
    settings = core_options("relax_sites", own, len(extents))
    set_device(settings, own.device)
    return _relaxed("relax_sites", arrays, settings, own, "coordinates")


@takes(tables.FitOptions)
def fit_weights(
    points: Any,
    shape: Iterable[int],
    targets: Any = None,
    *,
    density: Any = None,
    **options: Unpack[tables.FitOptions],
) -> FittedWeights:
    """Power weights with which the cell of each point holds a given load: districts of equal load,
    grains of given volumes.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        As of `voronoi`.
    shape : sequence of int
        Extents of the grid.
    targets : array of shape (n,), optional
        The load of each point, >= 0, in any unit: their sum stands for the mass of all cells.
        Default: equal loads.
    density, domain, spacing
        As of `relax_sites`.
    periodic : bool or one per axis, optional
        As of `nearest_site`.
    steps : int, optional
        Greatest number of steps.
    allowed_miss : float, optional
        The fit ends when no load misses its target by more than this share of the mean target.
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    FittedWeights

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    ``voronoi(points, shape, weights=fitted.weights, weighting="power")`` gives the cells, which are
    convex. Loads come in whole cells, so that they meet their targets to within some cells at best.
    Two points at one place cannot both have a cell, and then the fit ends as "stuck". The results
    are the same bits for any number of threads; on the CPU. Each step takes the time of one
    `voronoi` or more, `site_statistics`, `adjacency` and a linear system with a row a point.

    Source: J. Kitagawa, Q. Mérigot, B. Thibert, "Convergence of a Newton algorithm for
    semi-discrete optimal transport" (2019).

    Examples
    --------
    >>> import thiessen
    >>> fitted = thiessen.fit_weights([(0, 1), (0, 4)], (1, 12))
    >>> fitted.loads, fitted.end
    (array([6., 6.]), 'fitted')
    >>> thiessen.voronoi(
    ...     [(0, 1), (0, 4)], (1, 12), weights=fitted.weights, weighting="power", outputs="labels"
    ... ).labels
    array([[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]], dtype=int32)
    """
    own = collect(fit_weights, options)
    own, extents, arrays = _on_grid(own, shape, points, density)
    if targets is not None:
        arrays["targets"] = np.ascontiguousarray(to_array("targets", targets), np.float64)
    settings = core_options("fit_weights", own, len(extents), device="cpu")
    return FittedWeights(**run("fit_weights", arrays, settings, own.progress)[0])


@takes(tables.RelaxCostOptions)
def relax_cost_sites(
    cells: Any, *, density: Any = None, **options: Unpack[tables.RelaxCostOptions]
) -> RelaxedSites:
    """The same for cost distance: each step moves every site to the cell of its own region that is
    nearest to the mass centroid of the region.

    Parameters
    ----------
    cells : linear indices of the sites' cells
        If several sites lie in one cell, the first one has the region.
    density : array of the shape of the map, optional
        As of `relax_sites`; >= 0 and finite in cells that are reached.
    cost, stiffness : array of shape (y, x) or (z, y, x)
        One of the two: the map, as of `cost_distance`, without a mask.
    steps, tolerance, least_fall
        As of `relax_sites`.
    options as of `cost_distance`

    Returns
    -------
    RelaxedSites
        The sites are linear indices.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    Nearest is meant along a straight line; of cells at equal distance the one with the smallest
    index is taken. A site whose region has no cell or no mass stays. The energy is the sum of
    density times squared cost; a step may raise it, as the centroid takes no notice of the map.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> plate = np.ones((5, 8), np.float32)
    >>> plate[:4, 3] = 0
    >>> relaxed = thiessen.relax_cost_sites([0, 1], stiffness=plate)
    >>> np.column_stack(np.unravel_index(relaxed.sites, plate.shape))
    array([[2, 1],
           [2, 5]])
    """
    own = collect(relax_cost_sites, options)
    settings, arrays, own = _on_map("relax_cost_sites", own, cells, density)
    set_device(settings, own.device)
    return _relaxed("relax_cost_sites", arrays, settings, own, "cells")


@takes(tables.FarthestOptions)
def farthest_sites(
    shape: Iterable[int],
    count: int | None = None,
    *,
    points: Any = None,
    density: Any = None,
    **options: Unpack[tables.FarthestOptions],
) -> FarthestSites:
    """Add sites one after the other, each in the cell that is farthest from the sites so far.

    Parameters
    ----------
    shape : sequence of int
        Extents of the grid.
    count : int, optional
        Most sites that are added; without it as many as `max_distance` needs.
    points : array of shape (n, 2) or (n, 3), optional
        The sites that are there already, as of `voronoi`.
    max_distance : float, optional
        Ends when no cell is farther than this from its site, in units of the spacing.
    density : array of the shape of the grid, optional
        With it the greatest density times distance counts; cells of density 0 get no site.
    domain, spacing, periodic, threads, progress
        As of `relax_sites`.

    Returns
    -------
    FarthestSites

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    Distances are the float64 distances of `voronoi`. Among cells at equal distance the one with the
    smallest index gets the site. Unreached cells are the farthest, so without points the first site
    is in the first cell. Without points and density, the radius is at most twice the radius of the
    best choice of as many cells. A `NearestSiteSolver` keeps the distances, so a site takes the
    time of the cells that it wins; on the CPU.

    Source: T. Gonzalez, "Clustering to minimize the maximum intercluster distance" (1985).

    Examples
    --------
    >>> import thiessen
    >>> thiessen.farthest_sites((3, 7), 3)
    FarthestSites(cells=array([ 0, 20, 10]), distance=array([       inf, 6.32455532, 3.16227766]), \
radius=2.23606797749979)
    """
    own = _farthest_options(count, collect(farthest_sites, options))
    own, extents, arrays = _on_grid(own, shape, points, density)
    settings = core_options("farthest_sites", own, len(extents), device="cpu")
    return FarthestSites(**run("farthest_sites", arrays, settings, own.progress)[0])


@takes(tables.FarthestCostOptions)
def farthest_cost_sites(
    count: int | None = None,
    *,
    cells: Any = (),
    density: Any = None,
    **options: Unpack[tables.FarthestCostOptions],
) -> FarthestSites:
    """The same for cost distance: each new site is in the cell that costs most to reach.

    Parameters
    ----------
    cost, stiffness : array of shape (y, x) or (z, y, x)
        One of the two: the map, as of `CostSolver`. Barriers get no site.
    count, max_distance, density
        As of `farthest_sites`; costs in place of distances.
    cells : linear indices of the existing sites
    options as of `cost_distance`

    Returns
    -------
    FarthestSites

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    Among cells at equal cost the one with the smallest index gets the site. Cells that no site
    reaches come first. A `CostSolver` keeps the costs; on the CPU.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> plate = np.ones((3, 7), np.float32)
    >>> plate[:, 3] = 0
    >>> thiessen.farthest_cost_sites(2, stiffness=plate).cells
    array([0, 4])
    """
    own = _farthest_options(count, collect(farthest_cost_sites, options))
    settings, arrays, own = _on_map("farthest_cost_sites", own, cells, density)
    settings.device = "cpu"
    return FarthestSites(**run("farthest_cost_sites", arrays, settings, own.progress)[0])


def _on_grid(
    options: Options, shape: Any, points: Any, density: Any
) -> tuple[Options, tuple[int, ...], dict[str, Any]]:
    """The options with the grid, its extents, and the arrays on it."""
    extents = to_grid(shape)
    spacing = spacing_of_grid(options.spacing, density=density, domain=options.domain)
    given = None if points is None else to_coordinates(to_array("points", points), len(extents))
    arrays = {
        "points": given,
        "density": _to_density(density),
        "domain": to_domain(options.domain, extents)[1],
    }
    return options.but(shape=extents, spacing=spacing), extents, arrays


def _on_map(
    operation: str, options: Options, cells: Any, density: Any
) -> tuple[CoreOptions, dict[str, Any], Options]:
    """The core's options, the arrays, and the options with the spacing of the map."""
    what = map_of(options)[0]
    raster, own = to_cost_map(options, density=density)
    arrays = {
        what: raster.cells,
        "cells": to_indices("cells", cells),
        "density": _to_density(density),
    }
    return cost_options(operation, raster.cells.ndim, own, raster.nodata), arrays, own


def _to_density(density: Any) -> np.ndarray | None:
    return None if density is None else to_field("density", density, masked=0)


def _farthest_options(count: Any, options: Options) -> Options:
    """The options with the number of sites that are added at most."""
    if count is None and options.max_distance is None:
        raise ValueError("count and max_distance: one of the two must be given")
    return options.but(count=_MOST if count is None else to_whole("count", count, 0, _MOST))


def _relaxed(
    operation: str, arrays: dict[str, Any], settings: CoreOptions, own: Options, sites: str
) -> RelaxedSites:
    """The sites after a relaxation are the result `sites`."""
    found, told = run(operation, arrays, settings, own.progress)
    tell(told)
    return RelaxedSites(found[sites], found["energy"], found["farthest_move"], found["end"])
