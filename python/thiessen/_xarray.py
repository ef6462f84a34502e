# SPDX-License-Identifier: Apache-2.0
"""xarray.DataArray in and out, without importing xarray where nobody uses it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

_DEGREES = frozenset({"lat", "latitude", "lon", "long", "longitude"})


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
    """What results take from a DataArray: dimensions, coordinates, attributes."""

    name: str
    array: Any

    def wrap(self, name: str, result: np.ndarray) -> Any:
        """The result as a DataArray; components get a dimension `component` of their own."""
        dims = self.array.dims
        if result.ndim > len(dims):
            component = "component"
            while component in dims or component in self.array.coords:
                component += "_"
            dims = (component, *dims)
        if name == "direction":
            self._turn(result)
        return type(self.array)(
            result, coords=self.array.coords, dims=dims, attrs=self.array.attrs, name=name
        )

    def _turn(self, direction: np.ndarray) -> None:
        """Directions as the core has them, with row 0 in the north and column 0 in the west, into
        those of the coordinates, with north where y grows and east where x grows."""
        y, x = self.array.dims
        if self.ascends(y) is True:
            mirror(direction, 180)
        if self.ascends(x) is False:
            mirror(direction, 360)

    def ascends(self, dim: Any) -> bool | None:
        """Whether a coordinate grows along its dimension; None if nobody can tell."""
        if dim not in self.array.coords or self.array.sizes[dim] < 2:
            return None
        first, last = np.asarray(self.array.coords[dim].values)[[0, -1]]
        return bool(first < last)

    def spacing(self) -> list[float]:
        """Length of a cell along each dimension: the step of its coordinate, 1 without one."""
        return [self._step(dim) for dim in self.array.dims]

    def _step(self, dim: Any) -> float:
        if dim not in self.array.coords or self.array.sizes[dim] < 2:
            return 1.0
        coordinate = self.array.coords[dim]
        if str(coordinate.attrs.get("units", "")).startswith("degree") or (
            str(dim).lower() in _DEGREES and "units" not in coordinate.attrs
        ):
            raise ValueError(
                f"{self.name} has the coordinate {dim!r} in degrees, of which straight lines have "
                "no length; spacing must be given"
            )
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
