# SPDX-License-Identifier: Apache-2.0
"""xarray.DataArray in and out; xarray is imported only if the caller uses it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _geography
from ._attributes import attributes_of, keep_place

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


def mirror(direction: np.ndarray, total: int) -> None:
    """Let north and south (180) or east and west (360) change places in directions in degrees."""
    at_site = direction == 0
    np.subtract(total, direction, out=direction)
    np.add(direction, 360, out=direction, where=direction <= 0)
    direction[at_site] = 0


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
        result: np.ndarray,
        nodata: int | float | None = None,
        long_name: str | None = None,
        units: str | None = None,
    ) -> Any:
        """The result as a DataArray with attributes of its own."""
        if name == "direction":
            for total in self.mirrors():
                mirror(result, total)
        return self.dress(name, result, nodata, long_name, units)

    def dress(
        self, name: str, result: Any, nodata: Any, long_name: str | None, units: str | None
    ) -> Any:
        """The same of a result, of NumPy or of Dask, with directions as they must be."""
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

    def mirrors(self) -> tuple[int, ...]:
        """What mirror() must do, one after the other, to directions as the core has them, with row
        0 in the north and column 0 in the west, so that they are those of the coordinates, with
        north where y grows and east where x grows."""
        if self.on_earth:
            return ()
        y, x = self.dims
        south_up = (180,) if self.ascends(y) is True else ()
        return (*south_up, 360) if self.ascends(x) is False else south_up

    def ascends(self, dim: Any) -> bool | None:
        """Whether a coordinate grows along its dimension; None if that is unknown."""
        if dim not in self.array.coords or self.array.sizes[dim] < 2:
            return None
        first, last = np.asarray(self.array.coords[dim].values)[[0, -1]]
        return bool(first < last)

    def spacing(self) -> list[float]:
        """Length of a cell along each dimension: the step of its coordinate, 1 without one."""
        self._refuse_degrees()
        return [self._step(dim) for dim in self.dims]

    def in_cells(self, dim: Any, values: np.ndarray) -> np.ndarray:
        """Coordinates along a dimension as distances from the centre of its first cell, in
        cells."""
        if not self._has_step(dim):
            raise ValueError(
                f"{self.name} has no coordinate {dim!r} of two cells or more; must have one, which "
                "tells where points lie"
            )
        first = float(self.array.coords[dim].values[0])
        cells: np.ndarray = (values - first) / self._step(dim)
        return cells if self.ascends(dim) else -cells

    def ends(self, dim: Any) -> tuple[float, float]:
        """The outer edges of the first and of the last cell along a dimension, in units of its
        coordinate; in cells without one."""
        size = self.array.sizes[dim]
        if not self._has_step(dim):
            return -0.5, size - 0.5
        half = self._step(dim) / 2
        first, last = np.asarray(self.array.coords[dim].values)[[0, -1]]
        if first > last:
            half = -half
        return float(first) - half, float(last) + half

    def title(self, dim: Any) -> str:
        """What to write along a dimension: its name, and the units of its coordinate."""
        units = self.array.coords[dim].attrs.get("units") if dim in self.array.coords else None
        return f"{dim} ({units})" if units else str(dim)

    def units(self) -> str | None:
        """The unit of lengths along the dimensions, if they have one and the same."""
        if not all(map(self._has_step, self.dims)):
            return None
        units = {str(self.array.coords[dim].attrs.get("units", "")) for dim in self.dims}
        if units == {""}:
            return _geography.linear_unit_of(self.array)
        return units.pop() if len(units) == 1 else None

    def _has_step(self, dim: Any) -> bool:
        return dim in self.array.coords and self.array.sizes[dim] >= 2

    def _refuse_degrees(self) -> None:
        geographic = _geography.is_geographic(self.array)
        in_degrees = {
            dim
            for dim in self.dims
            if self._has_step(dim) and _geography.is_in_degrees(self.array, dim)
        }
        if not geographic and not in_degrees:
            return
        named = [dim for dim in self.dims if dim in in_degrees]
        what = (
            f"the coordinate {named[0]!r}" if named else "a geographic coordinate reference system"
        )
        found = _geography.spacing_in_metres(
            self.array, self.dims, in_degrees | set(self.dims[-2:] if geographic else ())
        )
        advice = f"here spacing={found}" if found else "in metres"
        raise ValueError(
            f"{self.name} has {what} in degrees, of which straight lines have no length; must be "
            f"projected (rioxarray: {self.name}.rio.reproject({self.name}.rio.estimate_utm_crs())),"
            f" or spacing must be given, {advice}"
        )

    def _step(self, dim: Any) -> float:
        if not self._has_step(dim):
            return 1.0
        coordinate = self.array.coords[dim]
        values = np.asarray(coordinate.values)
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
