# SPDX-License-Identifier: Apache-2.0
"""xarray.DataArray in and out; xarray is imported only if the caller uses it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from . import geography as _geography
from .attributes import attributes_of, keep_place
from .place import Place, axes_of, centres_of, geotransform_of, mirrors_of

_NO_SPACE = frozenset(
    (
        *("band", "bands", "c", "channel", "channels", "variable", "wavelength"),
        *("t", "time", "date", "datetime", "year", "month", "day", "dayofyear", "hour", "season"),
        *("member", "ensemble", "realization", "batch", "sample"),
    )
)
"""Names of dimensions that are not in space."""


def is_data_array(value: Any) -> bool:
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(value, xarray.DataArray)


def mirror(direction: np.ndarray, *totals: float) -> None:
    """Let north and south (180), east and west (360), or rows and columns (270) change places in
    directions in degrees; two others after each other turn them by the difference."""
    turned = direction.astype(np.float64)
    for total in totals:
        turned = total - turned
    turned %= 360
    turned[turned == 0] = 360
    np.copyto(direction, turned, where=direction > 0, casting="same_kind")


@dataclass(frozen=True)
class Frame:
    """The parts of a DataArray that results take: dimensions, coordinates, attributes."""

    name: str
    array: Any
    batch: tuple[int, ...] = ()
    """Axes that are none of a raster."""
    on_earth: bool = False
    """Whether directions are azimuths, whichever way the coordinates go."""

    @property
    def dims(self) -> tuple[Any, ...]:
        """The dimensions of a raster."""
        return tuple(dim for i, dim in enumerate(self.array.dims) if i not in self.batch)

    @property
    def batch_dims(self) -> tuple[Any, ...]:
        """The others."""
        return tuple(self.array.dims[axis] for axis in self.batch)

    @property
    def has_place(self) -> bool:
        """Whether coordinates or a geotransform tell where cells lie."""
        return any(dim in self.array.coords for dim in self.dims) or (
            len(self.dims) == 2 and self.geotransform is not None
        )

    def refuse_other_axes(self, batches: bool) -> None:
        """Raise ValueError for a dimension that is none of space; `batches`: whether the caller
        takes batch_axes."""
        for dim in self.dims:
            if str(dim).lower() not in _NO_SPACE:
                continue
            one = self.array.sizes[dim] == 1
            ways = [f"{self.name}.squeeze({dim!r})" if one else f"{self.name}.isel({{{dim!r}: 0}})"]
            if batches:
                ways.append(f"batch_axes={dim!r} for a result of each")
            raise ValueError(
                f"{self.name} has the dimension {dim!r}, which is no axis of space: "
                f"{', or '.join(ways)}; if it is one, it must have another name"
            )

    def wrap(
        self,
        name: str,
        result: Any,
        nodata: int | float | None = None,
        long_name: str | None = None,
        units: str | None = None,
    ) -> Any:
        """The result, of NumPy or of Dask, as a DataArray with attributes of its own."""
        if name == "direction" and isinstance(result, np.ndarray) and self.mirrors():
            mirror(result, *self.mirrors())  # those of Dask are mirrored by its tasks
        attributes = attributes_of(name, result, nodata, long_name, units)
        wrapped = self.with_coordinates(name, result, attributes)
        keep_place(self.array, wrapped)
        return wrapped

    def with_coordinates(self, name: str | None, result: np.ndarray, attributes: Any) -> Any:
        """The result as a DataArray; the axis in front of offsets becomes a dimension `component`,
        that of the k nearest a dimension `k`."""
        dims = self.array.dims
        if result.ndim > len(dims):
            front = "component" if name == "offset" else "k"
            while front in dims or front in self.array.coords:
                front += "_"
            dims = (front, *dims)
        return type(self.array)(
            result, coords=self.array.coords, dims=dims, attrs=attributes, name=name
        )

    def mirrors(self) -> tuple[float, ...]:
        """What mirror() must do, one after the other, to directions as the core has them, with row
        0 in the north and column 0 in the west, so that they are azimuths on the map."""
        if self.on_earth:
            return ()
        return mirrors_of(*map(self._way, self.dims))

    def _way(self, dim: Any) -> tuple[float, float]:
        """East and north from a cell to the next one along a dimension; without a coordinate x
        grows and y falls."""
        if self.geotransform is not None:
            _, along_x, along_y, _, up_x, up_y = self.geotransform
            return (along_x, up_x) if self.axes[self.dims.index(dim)] == "x" else (along_y, up_y)
        if self.axes[self.dims.index(dim)] == "x":
            return -1.0 if self.ascends(dim) is False else 1.0, 0.0
        return 0.0, 1.0 if self.ascends(dim) is True else -1.0

    @cached_property
    def axes(self) -> tuple[str, ...]:
        """Which axes of the world the dimensions are, of "zyx"."""
        return axes_of(self.array, self.dims)

    @cached_property
    def geotransform(self) -> tuple[float, ...] | None:
        """That of GDAL, of a grid whose dimensions x and y have no coordinates of their own."""
        return geotransform_of(self.array, *self._map_dims())

    def _map_dims(self) -> tuple[Any, Any]:
        """The dimensions y and x."""
        return self.dims[self.axes.index("y")], self.dims[self.axes.index("x")]

    def place(self, lengths: Any = None) -> Place:
        """Where cells lie; along dimensions without an even coordinate from the first one, by the
        lengths of cells."""
        lengths = lengths or [1.0] * len(self.dims)
        lines = [self._line(dim) or (0.0, step) for dim, step in zip(self.dims, lengths)]
        steps = np.diag([step for _, step in lines])
        origin = [first for first, _ in lines]
        if self.geotransform is not None:
            first_x, along_x, along_y, first_y, up_x, up_y = self.geotransform
            y, x = self.axes.index("y"), self.axes.index("x")
            steps[np.ix_([y, x], [y, x])] = [[up_y, up_x], [along_y, along_x]]
            origin[y] = first_y + (up_x + up_y) / 2
            origin[x] = first_x + (along_x + along_y) / 2
        return Place(tuple(origin), tuple(map(tuple, steps.tolist())))

    def transform(self) -> tuple[float, ...] | None:
        """That of GDAL with x and y of the corner of a cell from its column and row, for rasters of
        two dimensions; None without coordinates."""
        if self.geotransform is None and None in map(self._line, self.dims):
            return None
        place = self.place()
        corner = place.of_cells(np.full((1, 2), -0.5))[0].tolist()
        return tuple(
            number
            for axis in map(self.axes.index, "xy")
            for number in (corner[axis], place.steps[axis][1], place.steps[axis][0])
        )

    def _line(self, dim: Any) -> tuple[float, float] | None:
        """The first coordinate along a dimension and the step to the next; None if it has none, or
        uneven ones."""
        if dim not in self.array.coords or self.array.sizes[dim] < 1:
            return None
        values = np.asarray(self.array.coords[dim].values)
        try:
            step = self._step(dim)
        except ValueError:
            return None
        if values.dtype.kind not in "biuf":
            return None
        return float(values[0]), -step if self.ascends(dim) is False else step

    def ascends(self, dim: Any) -> bool | None:
        """Whether a coordinate grows along its dimension; None if that is unknown."""
        values = self._values(dim)
        return None if values is None else bool(values[0] < values[-1])

    def spacing(self, metric: str | None = 'metric="ellipsoidal"') -> list[float]:
        """Length of a cell along each dimension: the step of its coordinate, 1 without one.
        `metric` is how the caller's function measures on the Earth, if it can."""
        self._refuse_degrees(metric)
        y, x = self._map_dims()
        if self.geotransform is None:
            centres = centres_of(self.array, y, x)
            if centres is not None and {y, x}.isdisjoint(self.array.coords):
                raise ValueError(
                    f"{self.name} has the coordinates {centres[0]!r} and {centres[1]!r} of every "
                    "cell, in steps that differ; must be evenly spaced, or spacing must be given"
                )
            return [self._step(dim) for dim in self.dims]
        along_x, along_y = np.reshape(self.geotransform, (2, 3)).T[1:]
        sides = {x: math.hypot(*along_x), y: math.hypot(*along_y)}
        if not abs(along_x @ along_y) <= 1e-6 * sides[x] * sides[y] or 0 in sides.values():
            raise ValueError(
                f"{self.name} has a sheared geotransform, whose cells are no rectangles; must be "
                f"resampled (rioxarray: {self.name}.rio.reproject({self.name}.rio.crs)), or "
                "spacing must be given"
            )
        return [
            float(f"{sides[dim]:.12g}") if dim in sides else self._step(dim) for dim in self.dims
        ]

    def in_cells(self, points: np.ndarray) -> np.ndarray:
        """Points (x, y) in coordinates of the map as points in cells, in the order of its two
        dimensions."""
        for dim in self.dims if self.geotransform is None else ():
            if self._values(dim) is None:
                raise ValueError(
                    f"{self.name} has no coordinate {dim!r} of two cells or more; must have one, "
                    "which tells where points lie"
                )
            self._step(dim)
        return self.place().to_cells(points[:, ["xy".index(axis) for axis in self.axes]])

    def ends(self, dim: Any) -> tuple[float, float]:
        """The outer edges of the first and of the last cell along a dimension, in units of its
        coordinate; in cells without one."""
        size = self.array.sizes[dim]
        values = self._values(dim)
        if values is None:
            return -0.5, size - 0.5
        half = self._step(dim) / 2 * (-1 if values[0] > values[-1] else 1)
        return float(values[0]) - half, float(values[-1]) + half

    def title(self, dim: Any) -> str:
        """What to write along a dimension: its name, and the units of its coordinate."""
        units = self.array.coords[dim].attrs.get("units") if dim in self.array.coords else None
        return f"{dim} ({units})" if units else str(dim)

    def units(self) -> str | None:
        """The unit of lengths along the dimensions, if they have one and the same."""
        if self.geotransform is not None:
            return _geography.linear_unit_of(self.array)
        if any(self._values(dim) is None for dim in self.dims):
            return None
        units = {str(self.array.coords[dim].attrs.get("units", "")) for dim in self.dims}
        if units == {""}:
            return _geography.linear_unit_of(self.array)
        return units.pop() if len(units) == 1 else None

    def _values(self, dim: Any) -> np.ndarray | None:
        """The coordinates along a dimension; None without a step between two."""
        if dim not in self.array.coords or self.array.sizes[dim] < 2:
            return None
        return np.asarray(self.array.coords[dim].values)

    def is_in_degrees(self) -> bool:
        """Whether anything tells so."""
        return _geography.degrees_of(self.array, self.dims, self._map_dims()) is not None

    def _refuse_degrees(self, metric: str | None) -> None:
        what = _geography.degrees_of(self.array, self.dims, self._map_dims())
        if what is None:
            return
        ways = []
        if metric and len(self.dims) == 2:
            own = {*self.dims} <= {*self.array.coords} and what.dims_tell
            need = "" if own else ", if latitudes and longitudes are coordinates of its dimensions"
            lazy = f", once it is in memory ({self.name}.compute())" if self.array.chunks else ""
            ways.append(f"{metric} measures on the Earth{need}{lazy}")
        found = _geography.spacing_in_metres(self.array, self.dims, what.dims)
        if found is not None and not found.fits:
            ways.append(f"it must be projected; no spacing fits {found.text}")
        else:
            utm = f"{self.name}.rio.reproject({self.name}.rio.estimate_utm_crs())"
            ways.append(f"it must be projected (rioxarray: {utm})")
            here = f"here spacing={found.text}" if found else "in metres"
            ways.append(f"spacing must be given, {here}")
        raise ValueError(
            f"{self.name} has {what.text} in degrees, of which straight lines have no length; "
            f"{', or '.join(ways)}"
        )

    def _step(self, dim: Any) -> float:
        values = self._values(dim)
        if values is None:
            return 1.0
        if values.dtype.kind not in "biuf":
            raise ValueError(
                f"{self.name} has the coordinate {dim!r} of the dtype {values.dtype}; must be "
                "numbers, or spacing must be given"
            )
        return self._even_step(dim, values)

    def _even_step(self, dim: Any, given: np.ndarray) -> float:
        """The step to as many digits as the coordinates have, so that 0.1 + 0.1 + 0.1 does not make
        it 0.10000000000000002."""
        values = given.astype(np.float64)
        digits, rounding = 12, 4e-16
        if given.dtype.kind == "f" and given.dtype.itemsize < 8:
            limits = np.finfo(given.dtype)
            digits, rounding = limits.precision, float(limits.eps)
        with np.errstate(invalid="ignore"):
            step = (values[-1] - values[0]) / (values.size - 1)
            allowed = 1e-6 * abs(step) + rounding * np.abs(values).max()
            even = bool((np.abs(np.diff(values) - step) <= allowed).all())
        if not even or not np.isfinite(step) or step == 0:
            raise ValueError(
                f"{self.name} has the coordinate {dim!r} with steps that differ; must be evenly "
                "spaced, or spacing must be given"
            )
        return float(f"{abs(step):.{digits}g}")
