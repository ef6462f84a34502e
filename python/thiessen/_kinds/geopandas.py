# SPDX-License-Identifier: Apache-2.0
"""GeoDataFrames and GeoSeries: their features as sites of a grid.

Points alone stay points. Where there are lines or areas, all features are burned into the grid, as
the command does it with layers, and are the cells that they take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from .._arguments import earth as _earth
from .._arguments import tables
from .._arguments.checks import needed, to_extents, to_number
from .._arguments.cost_options import map_of
from .._arguments.options import Options, refuse_others
from .._arguments.running import to_strict
from .._arguments.warnings import tell
from . import OF_STORES, in_memory, points
from . import geography as _geography
from .attributes import declared_nodata
from .burning import Burner
from .cuda import find_cuda
from .host import to_array
from .outputs import NearestSite, make_result
from .points import to_point_labels
from .unread import refuse_unread
from .xarray import Frame, is_data_array

_OF_FEATURES = frozenset((*tables.VoronoiOptions.__annotations__, "outputs", "shape")) - OF_STORES
_ON_A_GRID = _OF_FEATURES - {"domain", "earth", "spacing"}
"""The options that go with features; on the grid of a DataArray, which tells the others;"""
_ON_A_MAP = frozenset(
    (*tables.CostDistanceOptions.__annotations__, "outputs", "cost", "stiffness")
) - {"points", "site_nodata", "values", "zero_is_site"}  # fmt: skip
"""and with a map."""
_FARTHEST = float(1 << 30)
"""In cells."""


def nearest_site_of(sites: Any, options: Options) -> Any:
    raise TypeError(
        f"sites is a {type(sites).__name__}; must be a raster: thiessen.voronoi takes features"
    )


distance_transform_of = expand_labels_of = nearest_site_of


def voronoi_of(given: Any, options: Options, like: str = "shape") -> NearestSite[Any, Any]:
    """`like` is the argument that has the grid."""
    refuse_others(options, _OF_FEATURES, "for features of geopandas")
    features = Features.of("points", given)
    features.tell_left_out(options.strict)
    array = options.shape
    if not is_data_array(array):
        features.refuse_world(f"{like} tells")
        return _nearest(features, None, _with_nodata_label(options))
    refuse_others(options, _ON_A_GRID, f"where {like} is a DataArray")
    grid = grid_of(like, array)
    on_earth = features.check_system(grid, options.metric)
    nodata = declared_nodata(array)
    options = _with_nodata_label(
        options.but(
            shape=array.shape,
            spacing=None if on_earth else grid.spacing(),
            earth=_earth.earth_of(grid) if on_earth else None,
            domain=None if nodata is None else _is_data(array, nodata),
        )
    )
    found = _nearest(features, grid, options)
    frame = Frame(like, array, on_earth=on_earth)
    units = _earth.UNIT if on_earth else frame.units()
    outside = None if nodata is None else options.nodata_label
    label = None if outside is None else to_number("nodata_label", outside)
    results = [frame.wrap(*named, label, units=units) for named in zip(found._fields, found)]
    return make_result(found._fields, tuple(results))


def cost_distance_of(given: Any, options: Options) -> NearestSite[Any, Any]:
    refuse_others(options, _ON_A_MAP, "for features of geopandas")
    name, array = map_of(options, needed=options.elevation is None)
    if array is None:
        name, array = "elevation", options.elevation
    refuse_unread(name, array)
    if find_cuda(name, array) is not None:
        raise TypeError(f"{name} is in CUDA memory; must be on the host for features of geopandas")
    features = Features.of("sites", given)
    features.tell_left_out(options.strict)
    grid = None
    if is_data_array(array):
        grid = grid_of(name, array)
        features.check_system(grid, options.metric, options.spacing is None)
    else:
        features.refuse_world(f"{name} tells")
    sites = features.on(grid, to_array(name, array).shape, options)
    costs = features.of_rows("initial_cost", options.initial_cost)
    options = options.but(points=None, point_labels=None)
    raster = None
    if isinstance(sites, CellSites):
        raster = sites.cells_of(sites.labels)
        costs = None if costs is None else sites.cells_of(np.asarray(costs, np.float64))
    else:
        options = options.but(points=sites.places, point_labels=sites.labels)
        costs = None if costs is None else costs[sites.owners]
    found = in_memory("cost_distance", raster, options.but(initial_cost=costs))
    return sites.in_rows(found)


def _with_nodata_label(options: Options) -> Options:
    """That of sites that are numbered: here they are so before the core has them."""
    numbered = options.domain is not None and options.point_labels is None
    return options.but(nodata_label=-1) if numbered and options.nodata_label is None else options


def _nearest(features: Features, grid: Frame | None, options: Options) -> NearestSite[Any, Any]:
    sites = features.on(grid, tuple(to_extents(options.shape)), options)
    if options.metrics is not None:
        raise TypeError("metrics are given; must be None for features, or sites an array of points")
    weights = features.of_rows("weights", options.weights)
    if weights is not None:
        features.check_weights(weights, options.weighting)
    if isinstance(sites, CellSites):
        if weights is not None:
            options = options.but(weights=sites.cells_of(weights))
        cells = points.Sites(sites.label_dtypes, cells=sites.cells_of(sites.labels))
        return sites.in_rows(points.voronoi_of(cells, options))
    if weights is not None:
        weights = weights[sites.owners]
    options = options.but(point_labels=sites.labels, weights=weights)
    return sites.in_rows(points.voronoi_of(sites.places, options))


@dataclass(frozen=True)
class PointSites:
    """Points (y, x) in cells, and which feature each is of."""

    places: np.ndarray
    owners: np.ndarray
    labels: np.ndarray | None
    kept: np.ndarray

    def in_rows(self, found: NearestSite[Any, Any]) -> NearestSite[Any, Any]:
        return _in_rows(found, lambda points: self.kept[self.owners[points]])


@dataclass(frozen=True)
class CellSites:
    """The cells of the features: the number of each from 1, 0 in free cells."""

    numbers: np.ndarray
    labels: np.ndarray
    label_dtypes: tuple[np.dtype, np.dtype]
    kept: np.ndarray

    def cells_of(self, values: np.ndarray) -> np.ndarray:
        """The value of its feature in each cell."""
        return np.concatenate([np.zeros(1, values.dtype), values])[self.numbers]

    def in_rows(self, found: NearestSite[Any, Any]) -> NearestSite[Any, Any]:
        return _in_rows(found, lambda cells: self.kept[self.numbers.reshape(-1)[cells] - 1])


def _in_rows(
    found: NearestSite[Any, Any], rows_of: Callable[[np.ndarray], np.ndarray]
) -> NearestSite[Any, Any]:
    """Results with rows of the frame for site indices."""
    for name, result in zip(found._fields, found):
        if name.endswith("site_index"):
            cells = result.values if is_data_array(result) else np.ma.getdata(result)
            reached = cells >= 0
            cells[reached] = rows_of(cells[reached])
    return found


@dataclass(frozen=True)
class Features:
    """The rows of a frame that have a place."""

    name: str
    """The name of the argument."""
    frame: Any
    kept: np.ndarray
    geometries: np.ndarray

    @classmethod
    def of(cls, name: str, frame: Any) -> Features:
        every = np.asarray(frame.geometry.array)
        kept = np.flatnonzero(~shapely.is_missing(every) & ~shapely.is_empty(every))
        coordinates, owners = shapely.get_coordinates(every[kept], return_index=True)
        finite = np.isfinite(coordinates).all(axis=1)
        if not finite.all():
            first = int(np.argmin(finite))
            raise ValueError(
                f"{name} has the coordinates {tuple(coordinates[first].tolist())} in row "
                f"{kept[owners[first]]}; must be finite"
            )
        return cls(name, frame, kept, every[kept])

    def require_points(self) -> np.ndarray:
        """The coordinates (x, y) of features that are single points."""
        other = shapely.get_type_id(self.geometries) != shapely.GeometryType.POINT
        if other.any():
            first = int(np.argmax(other))
            row = int(self.kept[first])
            raise ValueError(
                f"{self.name} has a {self.geometries[first].geom_type} in row {row} (index "
                f"{self.frame.index[row]!r}); must be points"
            )
        coordinates: np.ndarray = shapely.get_coordinates(self.geometries)
        return coordinates

    def tell_left_out(self, strict: bool | None = None) -> None:
        count = len(self.frame) - len(self.kept)
        self._tell(
            "no_geometry", count, strict,
            f"{count} of {len(self.frame)} {self.name} have no geometry, or an empty one, and are "
            "left out",
        )  # fmt: skip

    def _tell(self, kind: str, count: int, strict: bool | None, message: str) -> None:
        if count and to_strict(strict):
            raise ValueError(message)
        if count:
            tell([(kind, count, message)])

    def refuse_world(self, what: str) -> None:
        """Raise ValueError for coordinates of the world, where there are none of cells."""
        if self.frame.crs is not None:
            raise ValueError(
                f"{self.name} has the coordinate reference system {_name_of(self.frame.crs)}, but "
                f"{what} no place of its cells; must be an xarray.DataArray with coordinates"
            )

    def refuse_degrees(self, way: str = "") -> None:
        if self.frame.crs is not None and self.frame.crs.is_geographic:
            raise ValueError(
                f"{self.name} has the coordinate reference system {_name_of(self.frame.crs)} in "
                f"degrees, of which straight lines have no length; {way}must be projected: "
                f"{self.name}.to_crs({self.name}.estimate_utm_crs())"
            )

    def require_system(self, other: Any, name: str) -> None:
        """Raise ValueError where two coordinate reference systems differ."""
        own = self.frame.crs
        if own is None or other is None or own.equals(other, ignore_axis_order=True):
            return
        code = own.to_epsg()
        if code is not None and code == other.to_epsg():
            return
        raise ValueError(
            f"{self.name} has the coordinate reference system {_name_of(own)}, {name} has "
            f"{_name_of(other)}; must be the same: {self.name}.to_crs(...)"
        )

    def check_system(self, grid: Frame, metric: Any, measured: bool = True) -> bool:
        """Raise ValueError for features that do not fit a grid. Whether the metric is one of the
        Earth; `measured`: whether coordinates tell lengths."""
        self.require_system(_system_of(grid.array), grid.name)
        on_earth = metric in _earth.METRICS
        if measured and not on_earth:
            self.refuse_degrees('metric="ellipsoidal" measures on the Earth, or it ')
        return on_earth

    def of_rows(self, argument: str, values: Any) -> np.ndarray | None:
        """What a column, or an array of one for each row, has for the features."""
        if values is None:
            return None
        if isinstance(values, str):
            values = self._column(argument, values)
        every = to_array(argument, values)
        if every.shape != (len(self.frame),):
            raise ValueError(
                f"{argument} has the shape {every.shape}; must be ({len(self.frame)},), one for "
                "each row"
            )
        return every[self.kept]

    def check_weights(self, weights: np.ndarray, weighting: Any) -> None:
        if weights.dtype.kind not in "iuf":
            return  # which is refused with the dtype
        divides = weighting == "multiplicative"
        wrong = ~np.isfinite(weights) | (divides & (weights <= 0))
        if wrong.any():
            first = int(np.argmax(wrong))
            raise ValueError(
                f"weights has {weights[first]} in row {self.kept[first]}; must be finite"
                + (" and > 0" if divides else "")
            )

    def _column(self, argument: str, name: str) -> np.ndarray:
        if name not in getattr(self.frame, "columns", ()):
            raise ValueError(f"{argument} = {name!r}; must be a column of {self.name}")
        column = np.asarray(self.frame[name])
        if column.dtype.kind not in "iuf":
            raise TypeError(
                f"{argument} = {name!r}, a column of the dtype {self.frame[name].dtype}; must be "
                "numbers: pandas.factorize() makes them"
            )
        return column

    def on(
        self, grid: Frame | None, shape: tuple[int, ...], options: Options
    ) -> PointSites | CellSites:
        """The features as sites of a grid."""
        labels = self.of_rows("point_labels", options.point_labels)
        parts, owners = _parts_of(self.geometries)
        if (shapely.get_type_id(parts) == shapely.GeometryType.POINT).all():
            places = _to_cells(shapely.get_coordinates(parts), grid)
            if labels is None and len(owners) == len(self.frame):
                return PointSites(places, owners, None, self.kept)
            labels = self._numbers() if labels is None else labels
            return PointSites(places, owners, labels[owners], self.kept)
        if len(shape) != 2:
            raise ValueError(f"shape = {shape}; must have two axes, for lines and areas")
        return self._burned(parts, owners, grid, shape, labels, options.strict)

    def _numbers(self) -> np.ndarray:
        return (self.kept + 1).astype(np.int32)

    def _burned(
        self,
        parts: np.ndarray,
        owners: np.ndarray,
        grid: Frame | None,
        shape: tuple[int, int],
        labels: np.ndarray | None,
        strict: bool | None,
    ) -> CellSites:
        if labels is None:
            labels = self._numbers()
        no_site = (labels == 0) | (labels != labels)
        if no_site.any():
            first = int(np.argmax(no_site))
            raise ValueError(
                f"point_labels has {labels[first]} in row {self.kept[first]}; must be another "
                "number, as cells of lines and areas with that are no sites"
            )
        needed("rasterio", f"{self.name}: lines and areas need", "rasterio.features")
        in_cells = shapely.transform(parts, lambda places: _to_cells(places, grid)[:, ::-1] + 0.5)
        self._refuse_far(in_cells, owners)
        burner = Burner(in_cells, owners, shape)
        outside = burner.outside()
        if len(outside):
            self._tell(
                "outside_of_grid", len(outside), strict,
                f"{len(outside)} of {len(self.frame)} {self.name} lie outside of the grid, the "
                f"first in row {self.kept[outside[0]]}, and are left out: with lines or areas "
                "sites are cells of the grid",
            )  # fmt: skip
        cells, dtypes = to_point_labels(labels, len(labels))
        return CellSites(burner.burn(), np.asarray(cells), dtypes, self.kept)

    def _refuse_far(self, in_cells: np.ndarray, owners: np.ndarray) -> None:
        far = ~(np.abs(shapely.bounds(in_cells)) <= _FARTHEST).all(axis=1)
        if far.any():
            row = self.kept[owners[int(np.argmax(far))]]
            raise ValueError(
                f"{self.name} lies more than 2**30 cells away from the grid in row {row}; must be "
                "nearer"
            )


def _parts_of(geometries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All points, lines and areas, and which geometry each is of."""
    owners = np.arange(len(geometries))
    while (shapely.get_type_id(geometries) >= shapely.GeometryType.MULTIPOINT).any():
        geometries, index = shapely.get_parts(geometries, return_index=True)
        owners = owners[index]
    filled = ~shapely.is_empty(geometries)
    return geometries[filled], owners[filled]


def _to_cells(places: np.ndarray, grid: Frame | None) -> np.ndarray:
    """Places (x, y) in the world, or in cells where there is no grid, as (y, x) in cells."""
    return places[:, ::-1] if grid is None else grid.in_cells(places)


def grid_of(name: str, array: Any) -> Frame:
    frame = Frame(name, array)
    frame.refuse_other_axes(False)
    if len(frame.dims) != 2:
        raise ValueError(f"{name} has the dimensions {frame.dims}; must have two, of y and x")
    return frame


def _is_data(like: Any, nodata: float) -> np.ndarray:
    cells = to_array("like", like)
    return ~np.isnan(cells) if nodata != nodata else cells != nodata


def _system_of(array: Any) -> Any:
    """The coordinate reference system of a DataArray, if it tells one."""
    import pyproj

    crs = _geography.crs_of(array)
    text = crs.to_wkt() if crs is not None else _geography.wkt_of(array)
    return pyproj.CRS.from_user_input(text) if text else None


def _name_of(crs: Any) -> str:
    code = crs.to_authority()
    return ":".join(code) if code else str(crs.name)
