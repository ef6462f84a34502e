# SPDX-License-Identifier: Apache-2.0
"""Exact raster Voronoi diagrams and distance transforms.

On every cell of a raster: which site is nearest, and how far away is it?

nearest_site          nearest site of every cell of a raster: labels, distances, indices, offsets
voronoi               the same for points with fractions of a cell
allocate              the same for features of geopandas on the grid of a DataArray
distance_transform    distances alone: to sites, signed, or to the boundary of the own label
NearestSiteSolver     nearest sites kept up to date while sites come, go and move
cost_distance         the site of least cost over a map of stiffness or cost
CostSolver            the same, kept up to date while map and sites change
least_cost_path, least_cost_line      ways back to it, cell by cell, or within cells
cost_table            costs and paths from origins to destinations
least_cost_network    neighbouring places joined by paths, and their minimum spanning tree
corridor              how much more than the best path a path over each cell costs
expand_labels         labels grown by a distance
compare, render       two results compared; a result as a picture
plot, overlay         a result on axes of matplotlib; the same over an image
site_statistics, adjacency            what the regions of labels hold; which of them touch
touching              the same as one table: pairs, contact areas, volumes
region_polygons, region_borders       outlines of regions along cells; the lines between them
voronoi_polygons, voronoi_borders     the same of points, with straight edges; of geopandas, too
contour_lines         lines of equal distance
RegionStatistics      the same tables, kept up to date while cells change
connected_components, random_sites    areas, or random cells, as sites
material_map          maps to try cost distance on
ellipse_metrics       metrics of points that measure by ellipses, for voronoi
relax_sites, relax_cost_sites         sites moved to the middle of their cells
fit_weights           weights of points, for cells of equal load or of given loads
farthest_sites, farthest_cost_sites   sites added where the nearest one is far
Flooding, Growing, Scanning, Spreading  what one family of methods takes besides: method_options=
Earth                 where the cells lie, for distances on the Earth
running               device, threads, progress and strictness of all calls inside of a with
devices, synchronize  what this build can use; the end of what runs on a GPU
thiessen.slabs        a raster larger than memory, slab by slab
thiessen.metrics      how far surfaces lie apart, how thick things are, medial axes
thiessen.torch        operators of PyTorch, for graphs that are loaded; imported when needed
thiessen.typing       types of arguments, for your own annotations
thiessen.compat       facades with the signatures of SciPy, scikit-image, OpenCV, edt, ...

Verbs take whatever kind of array there is, and give results of that kind: NumPy with masks or
without, xarray, arrays in CUDA memory, tensors of PyTorch, arrays of Dask, and paths of files.

Axis order is array order everywhere, (y, x) or (z, y, x). Three axes are a volume; a stack of
pictures says ``batch_axes=0``.
"""

from . import compat, metrics, slabs, typing
from ._arguments.earth import Earth
from ._arguments.method_options import Flooding, Growing, Scanning, Spreading
from ._arguments.running import running
from ._arguments.warnings import ThiessenWarning
from ._compare import Comparison, compare
from ._core import VERSION as __version__
from ._devices import Device, Method, devices, release_scratch, synchronize
from ._kinds.outputs import Components, NearestSite
from ._networks.verbs import corridor, cost_table, least_cost_network
from ._networks.ways import Corridor, CostTable, LeastCostNetwork, LeastCostPaths
from ._paths import least_cost_line, least_cost_path, material_map, random_sites
from ._polygons import (
    Borders,
    Contours,
    Polygons,
    contour_lines,
    region_borders,
    region_polygons,
    voronoi_borders,
    voronoi_polygons,
)
from ._showing.plot import overlay, plot
from ._showing.render import render
from ._solvers.cost_solver import CostSolver
from ._solvers.nearest_solver import NearestSiteSolver
from ._solvers.placing import (
    FarthestSites,
    FittedWeights,
    RelaxedSites,
    farthest_cost_sites,
    farthest_sites,
    fit_weights,
    relax_cost_sites,
    relax_sites,
)
from ._solvers.region_statistics import RegionChanges, RegionStatistics
from ._solvers.site_solver import ChangedCells, Changes
from ._statistics import Adjacency, SiteStatistics, adjacency, site_statistics, touching
from ._verbs.cost_distance import cost_distance
from ._verbs.rasters import connected_components, distance_transform, expand_labels, nearest_site
from ._verbs.shape_functions import NaturalCoordinates, natural_coordinates, shepard_weights
from ._verbs.voronoi import allocate, ellipse_metrics, voronoi

__all__ = [
    "Adjacency",
    "Borders",
    "ChangedCells",
    "Changes",
    "Comparison",
    "Components",
    "Contours",
    "Corridor",
    "CostSolver",
    "CostTable",
    "Device",
    "Earth",
    "FarthestSites",
    "FittedWeights",
    "Flooding",
    "Growing",
    "LeastCostNetwork",
    "LeastCostPaths",
    "Method",
    "NaturalCoordinates",
    "NearestSite",
    "NearestSiteSolver",
    "Polygons",
    "RegionChanges",
    "RegionStatistics",
    "RelaxedSites",
    "Scanning",
    "SiteStatistics",
    "Spreading",
    "ThiessenWarning",
    "__version__",
    "adjacency",
    "allocate",
    "compare",
    "compat",
    "connected_components",
    "contour_lines",
    "corridor",
    "cost_distance",
    "cost_table",
    "devices",
    "distance_transform",
    "ellipse_metrics",
    "expand_labels",
    "farthest_cost_sites",
    "farthest_sites",
    "fit_weights",
    "least_cost_line",
    "least_cost_network",
    "least_cost_path",
    "material_map",
    "metrics",
    "natural_coordinates",
    "nearest_site",
    "overlay",
    "plot",
    "random_sites",
    "region_borders",
    "region_polygons",
    "relax_cost_sites",
    "relax_sites",
    "release_scratch",
    "render",
    "running",
    "shepard_weights",
    "site_statistics",
    "slabs",
    "synchronize",
    "touching",
    "typing",
    "voronoi",
    "voronoi_borders",
    "voronoi_polygons",
]
