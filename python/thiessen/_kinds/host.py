# SPDX-License-Identifier: Apache-2.0
"""Array arguments: which ones are allowed, and what the core gets.

The core takes host buffers of integers, floats and booleans of 1 to 8 bytes in native byte order,
at addresses that suit them, with any strides. That is what most arrays are, and they go there as
they are. Everything else is turned into such an array here, or refused by name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arguments import fields
from .._arguments.checks import (
    is_held,
    require_held,
    to_cell_values,
    to_connectivity,
    to_number,
)
from .._arguments.core_options import CoreOptions, core_options, run
from .._arguments.earth import METRICS, UNIT
from .._arguments.options import Options
from .._arguments.running import set_device
from . import xarray as _xarray
from .attributes import LABELS, declared_nodata, scale_of
from .batch import find_batch, in_front, raster_extents, takes_batch
from .cuda import CudaArray, find_cuda, refuse_device_memory
from .unread import refuse_unread

_NATIVE = frozenset("?bBhHiIlLqQfd")


def is_native(array: np.ndarray) -> bool:
    """Whether the core takes the array without a copy."""
    return array.dtype.char in _NATIVE and array.dtype.isnative and array.flags.aligned


def to_array(name: str, value: Any) -> np.ndarray:
    """The argument as a plain NumPy array on the host, of whatever dtype; no copy if it is one."""
    if type(value) is np.ndarray:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array; must be an array without a mask")
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if _xarray.is_data_array(value):
        value = value.data
    refuse_unread(name, value)
    refuse_device_memory(name, value)
    try:
        array = np.from_dlpack(value) if _has_dlpack_only(value) else np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be an array, but NumPy says: {error}") from error
    if array.dtype.kind == "O" and array.ndim == 0:
        raise TypeError(f"{name} is a {type(value).__name__}; must be an array")
    return array


def _has_dlpack_only(value: Any) -> bool:
    """Whether NumPy would take the object for a scalar of the dtype object."""
    others = ("__array__", "__array_interface__", "__array_struct__", "__buffer__")
    return hasattr(value, "__dlpack__") and not any(hasattr(value, other) for other in others)


def to_cells(name: str, array: np.ndarray) -> np.ndarray:
    """The array as the core takes it; a copy only if it must be. Raises TypeError for others."""
    if is_native(array):
        return array
    kind = array.dtype.kind
    if kind not in "?biuf":
        raise TypeError(
            f"{name} has the dtype {array.dtype}; must be a boolean, integer or float dtype"
        )
    if array.dtype.itemsize > 8:
        return _as_float64(name, array)
    wanted = (
        np.float32 if array.dtype.itemsize == 2 and kind == "f" else array.dtype.newbyteorder("=")
    )
    return np.require(array, wanted, "A") if array.dtype.isnative else array.astype(wanted)


def _with_axes(name: str, array: np.ndarray) -> np.ndarray:
    if array.ndim == 0:  # which the core would take for no array
        raise ValueError(f"{name} has 0 axes; must be an array of cells")
    return to_cells(name, array)


def to_field(name: str, value: Any, masked: float | None = math.nan) -> np.ndarray:
    """Quantities of cells as the core takes them. Masked cells have the value `masked`, and so have
    those of a DataArray's nodata value, whose scale and offset are applied; None refuses masked
    arrays, and is NaN for DataArrays."""
    if _xarray.is_data_array(value):
        masked = math.nan if masked is None else masked
        given = _with_axes(name, to_array(name, value))
        cells, nodata = _scaled(name, value, given), declared_nodata(value)
        if nodata is None or (nodata != nodata and masked != masked):
            return cells
        mask = np.isnan(given) if nodata != nodata else given == nodata
    elif masked is not None and isinstance(value, np.ma.MaskedArray):
        cells, mask = _with_axes(name, np.asarray(value.data)), np.ma.getmaskarray(value)
    else:
        return _with_axes(name, to_array(name, value))
    if masked != masked and cells.dtype.kind != "f":
        cells = cells.astype(np.float64)
    return np.where(mask, cells.dtype.type(masked), cells)


def _as_float64(name: str, array: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        cells = array.astype(np.float64)
    if not np.array_equal(cells, array, equal_nan=True):
        raise ValueError(f"{name} has values of the dtype {array.dtype} that float64 cannot hold")
    return cells


def result_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype in which labels of this dtype are handed back: the same, in native byte order."""
    return dtype if dtype.isnative else dtype.newbyteorder("=")


def number_dtype(count: int) -> np.dtype:
    """The dtype of labels that are numbered up to `count`."""
    return np.dtype(np.int32 if count <= np.iinfo(np.int32).max else np.int64)


@dataclass(slots=True)  # frozen, it would take twice as long to make
class Raster:
    """A raster argument as the core takes it, and what it takes to hand results back as it came."""

    cells: Any
    """An array of NumPy, or a CudaArray."""
    label_dtype: np.dtype
    nodata: int | float | None
    mask: np.ndarray | None = None
    frame: _xarray.Frame | None = None
    unseen: tuple[np.ndarray, ...] = ()
    """Arrays of the caller that the core has copies of, so that it cannot tell whether an output
    lies upon them."""
    boolean: bool = False
    """Whether 1 and 0 in the cells stand for True and False."""
    fill_value: Any = None
    """What filled() puts at masked cells of labels; None for what NumPy has for the dtype."""
    batch: tuple[int, ...] = ()
    """Axes that do not belong to a raster."""
    own_nodata: int | float | None = None
    """The nodata value that the caller knows, where the cells have been scaled."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.cells.shape

    @property
    def hands_back_plain(self) -> bool:
        """Whether results are handed back as the core wrote them."""
        return self.mask is None and self.frame is None

    @property
    def core_label_dtype(self) -> np.dtype:
        """The dtype of labels in the core: that of the sites, an integer for boolean ones."""
        return self.label_dtype if self.cells.dtype.kind == "b" else self.cells.dtype

    @property
    def on_cuda(self) -> CudaArray | None:
        """The cells, if they are in CUDA memory."""
        return self.cells if isinstance(self.cells, CudaArray) else None

    def for_core(self) -> Any:
        """The cells as the core takes them."""
        there = self.on_cuda
        return self.cells if there is None else there.memory

    def set_device(self, options: CoreOptions, device: Any) -> None:
        """Where a call runs that reads the cells."""
        there = self.on_cuda
        if there is None:
            set_device(options, device)
        else:
            there.set_device(options, device)

    def spacing_or(self, given: Any, on_earth: bool = True) -> Any:
        """The spacing from the caller, or from the coordinates; `on_earth`: whether the caller's
        function can measure on the Earth, as an error for degrees says."""
        if given is not None or self.frame is None:
            return given
        return self.frame.spacing() if on_earth else self.frame.spacing(None)

    def units_of(self, options: Options) -> str | None:
        """The unit of distances, where the coordinates gave the spacing."""
        return self.frame.units() if options.spacing is None and self.frame is not None else None

    def measured(self, options: Options) -> tuple[Raster, str | None]:
        """This raster as one that has been measured by a metric, and the unit of distances."""
        if options.metric not in METRICS:
            return self, self.units_of(options)
        frame = None if self.frame is None else replace(self.frame, on_earth=True)
        return replace(self, frame=frame), UNIT

    def without_mask(self) -> Raster:
        """The same, whose masked cells have an answer: nothing is masked in results."""
        return self if self.mask is None else replace(self, mask=np.zeros((), np.bool_))

    def like_input(
        self,
        name: str,
        result: np.ndarray,
        long_name: str | None = None,
        units: str | None = None,
    ) -> Any:
        """A result of this raster's extents (with one more axis in front for offsets) as the kind
        of array that the raster was; the long name and the units are for a DataArray."""
        if self.mask is not None:
            mask = np.broadcast_to(self.mask, result.shape).copy()
            if name in LABELS:  # of a map it may be no label
                own = self.fill_value
                fill_value = own if own is None or is_held(own, result.dtype) else None
            else:
                fill_value = fields.OUTPUTS[name].nodata
            if fill_value is None and result.dtype.kind == "f":
                fill_value = np.nan
            return np.ma.MaskedArray(result, mask, fill_value=fill_value)
        if self.frame is not None:
            return self.frame.wrap(name, result, self.nodata, long_name, units)
        return result


def to_cuda_raster(
    name: str, value: Any, nodata: Any = None, batch_axes: Any = (), nodata_name: str = "nodata"
) -> Raster | None:
    """The same of an array in CUDA memory; None for others."""
    cells = find_cuda(name, value)
    if cells is None:
        return None
    batch = find_batch(name, batch_axes, cells.ndim)
    number = None if nodata is None else to_number(nodata_name, nodata)
    return Raster(cells, _labels_of(cells, batch), number, batch=batch)


def to_raster(
    name: str, value: Any, nodata: Any = None, batch_axes: Any = (), nodata_name: str = "nodata"
) -> Raster:
    """Turn an argument into a Raster of 2 or 3 axes, besides those of a batch: () for a caller that
    takes none, None where none are named. `nodata_name` is what messages call the nodata value."""
    if nodata is not None:
        nodata = to_number(nodata_name, nodata)
    if _xarray.is_data_array(value):
        return _framed_raster(name, value, nodata, batch_axes, nodata_name)
    if isinstance(value, np.ma.MaskedArray):
        batch = find_batch(name, batch_axes, value.ndim)
        return _masked_raster(name, value, nodata, batch, nodata_name)
    array = to_array(name, value)
    return _plain_raster(name, array, nodata, find_batch(name, batch_axes, array.ndim), nodata_name)


def to_site_weights(raster: Raster, weights: Any) -> np.ndarray | None:
    """The weights of the cells of a raster as the core takes them."""
    if weights is None:
        return None
    if raster.on_cuda is not None:
        raise TypeError("weights are given; sites in CUDA memory have none")
    if isinstance(weights, np.ma.MaskedArray) and weights.dtype.kind in "iu":
        held = weights.compressed()
        largest = max(-int(held.min(initial=0)), int(held.max(initial=0)))
        if largest > 1 << 53:
            raise ValueError(
                f"weights is a masked array with {largest}; must be one without a mask, as float64 "
                "does not hold integers beyond 2**53"
            )
    else:
        weights = to_typed_numbers("weights", weights)
    found = to_field("weights", weights)
    if found.shape != raster.shape:
        raise ValueError(
            f"weights has the shape {found.shape}; must be that of the sites, {raster.shape}"
        )
    return found


def to_typed_numbers(name: str, given: Any) -> Any:
    """Numbers, each as it is typed: float16 as the float64 of its shortest decimal."""
    if getattr(given, "dtype", None) is None:
        given = to_array(name, given)
    if given.dtype.kind not in "iuf":
        raise TypeError(f"{name} has the dtype {given.dtype}; must be integers or floats")
    if given.dtype.itemsize != 2 or given.dtype.kind != "f":
        return given
    values, places = np.unique(np.asarray(given), return_inverse=True)
    typed = np.array([float(str(value)) for value in values], np.float64)
    found = typed[places].reshape(given.shape)
    if isinstance(given, np.ma.MaskedArray):
        return np.ma.MaskedArray(found, np.ma.getmaskarray(given))
    return given.copy(data=found) if _xarray.is_data_array(given) else found


def to_quantities(
    name: str, value: Any, nodata: Any = None, nodata_name: str = "nodata", batch_axes: Any = ()
) -> Raster:
    """A raster of quantities, by the scale and offset of a DataArray; the nodata value is that of
    the cells before they are scaled."""
    raster = to_raster(name, value, nodata, batch_axes, nodata_name)
    if raster.frame is None:
        return raster
    cells = _scaled(name, value, raster.cells)
    if cells is raster.cells:
        return raster
    unseen, own = (*raster.unseen, raster.cells), raster.nodata
    if own is None:
        return replace(raster, cells=cells, unseen=unseen)
    free = ~np.isnan(raster.cells) if own != own else raster.cells != own
    cells, spare = _spare_value(cells, ~free)
    cells[~free] = spare
    return replace(raster, cells=cells, nodata=spare, own_nodata=own, unseen=unseen)


def _scaled(name: str, value: Any, cells: np.ndarray) -> np.ndarray:
    """Cells by the scale and the offset of a DataArray; the same array without them."""
    scale = scale_of(name, value)
    if scale is None or cells.dtype.kind == "b":
        return cells
    quantities: np.ndarray = cells.astype(np.float64) * scale[0] + scale[1]
    return quantities


def _plain_raster(
    name: str,
    array: np.ndarray,
    nodata: float | None,
    batch: tuple[int, ...],
    nodata_name: str,
    frame: _xarray.Frame | None = None,
) -> Raster:
    cells = to_cells(name, array)
    _check_nodata(nodata_name, nodata, array.dtype, cells.dtype)
    unseen = () if cells is array else (array,)
    return Raster(cells, _labels_of(array, batch), nodata, frame=frame, unseen=unseen, batch=batch)


def _framed_raster(
    name: str, value: Any, nodata: float | None, batch_axes: Any, nodata_name: str
) -> Raster:
    batch = find_batch(name, batch_axes, value.ndim, value.dims)
    frame = _xarray.Frame(name, value, batch)
    frame.refuse_other_axes(takes_batch(batch_axes))
    array = to_array(name, value)
    if nodata is None:
        nodata = declared_nodata(value)
    return _plain_raster(name, array, nodata, batch, nodata_name, frame)


def _check_nodata(name: str, nodata: float | None, given: np.dtype, core: np.dtype | None) -> None:
    """Check what the core does not, which has the cells in the dtype `core`."""
    if nodata is None:
        return
    if given.kind == "b":
        raise ValueError(f"{name} is given; boolean sites have no value to spare for it")
    if given != core:
        require_held(name, nodata, given)


def _labels_of(array: Any, batch: tuple[int, ...] = ()) -> np.dtype:
    """Boolean sites are numbered in each raster of a batch; others keep their values."""
    if array.dtype.kind == "b":
        return number_dtype(math.prod(raster_extents(array.shape, batch)))
    return result_dtype(array.dtype)


def _masked_raster(
    name: str,
    value: np.ma.MaskedArray,
    nodata: float | None,
    batch: tuple[int, ...],
    nodata_name: str,
) -> Raster:
    """The masked cells of a copy get a nodata value that no other cell has."""
    mask = np.ma.getmaskarray(value)
    array = np.asarray(value.data)
    label_dtype = _labels_of(array, batch)
    boolean = array.dtype.kind == "b"
    _check_nodata(nodata_name, nodata, array.dtype, None)
    if boolean:
        cells, nodata = (array != 0).astype(np.uint8), 2
    elif array.dtype.itemsize > 8 and array.dtype.kind == "f":
        cells = to_cells(name, np.where(mask, array.dtype.type(0), array))  # whatever is masked
    else:
        cells = to_cells(name, array).copy()
    # NumPy's own for the dtype is nobody's choice, and no value of uint8, for one.
    chosen = not boolean and value.fill_value != np.ma.default_fill_value(array.dtype)
    fill_value = value.fill_value if chosen else None if boolean else nodata
    if nodata is None:
        cells, nodata = _spare_value(cells, mask)
    cells[mask] = nodata
    return Raster(
        cells, label_dtype, nodata, mask, unseen=(array, mask), boolean=boolean,
        fill_value=fill_value, batch=batch,
    )  # fmt: skip


def number_boolean_sites(raster: Raster, values: Any, zero_is_site: bool) -> Raster:
    """The same with the numbers 1, 2, ... for labels that other boolean sites get from the core."""
    if values is not None and zero_is_site:
        raise ValueError("zero_is_site = True; must be False when values are given")
    chosen = [0, 1] if zero_is_site else boolean_values(values)
    sites = np.isin(raster.cells, chosen)
    rows = in_front(sites, raster.batch)
    extents = rows.shape[: len(raster.batch)]
    counted = np.cumsum(
        rows.reshape(*extents, math.prod(rows.shape[len(extents) :])),
        axis=-1,
        dtype=raster.label_dtype,
    )
    numbers = np.zeros(sites.shape, raster.label_dtype)
    in_front(numbers, raster.batch)[...] = counted.reshape(rows.shape) * rows
    numbers[raster.mask] = -1
    return replace(raster, cells=numbers, nodata=-1, fill_value=-1)


def boolean_values(values: Any) -> list[int]:
    """Which of 0 and 1 make a cell of a masked boolean array a site."""
    numbers = [1] if values is None else to_cell_values("values", values)
    for number in numbers:
        if number not in (0, 1):
            raise ValueError(f"values = {number}; must be a value of the sites' dtype bool")
    return [int(number) for number in numbers]


def _spare_value(cells: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, int | float]:
    """A value that no cell outside of the mask has, in the dtype of the cells or a wider one."""
    free = ~mask
    if cells.dtype.kind == "f":
        if not np.isnan(cells[free]).any():
            return cells, float("nan")
        limits = np.finfo(cells.dtype)
        candidates: list[int | float] = [float(limits.min), float(limits.max)]
    else:
        bounds = np.iinfo(cells.dtype)
        candidates = [int(bounds.max), int(bounds.min)]
    for candidate in candidates:
        if not (cells[free] == candidate).any():
            return cells, candidate
    if cells.dtype.itemsize == 8:
        return cells, _value_between(cells[free])
    if cells.dtype.kind == "f":
        return cells.astype(np.float64), float(np.finfo(np.float64).max)
    wider = np.dtype(f"i{2 * cells.dtype.itemsize}")
    return cells.astype(wider), int(np.iinfo(cells.dtype).min) - 1


def _value_between(values: np.ndarray) -> int | float:
    """A number that is not among these of 8 bytes: between two that are not neighbours."""
    numbers = np.unique(values[~np.isnan(values)] if values.dtype.kind == "f" else values)
    with np.errstate(over="ignore"):
        after = np.nextafter(numbers, np.inf) if values.dtype.kind == "f" else numbers[:-1] + 1
    return after[: numbers.size - 1][numbers[1:] != after[: numbers.size - 1]][0].item()


def number_components(
    raster: Raster,
    connectivity: Any,
    argument: str,
    settings: Options,
    out: Any = None,
) -> Raster:
    """The raster with the numbers of its connected areas for labels; `argument` is what messages
    call the connectivity."""
    rank = raster.cells.ndim - len(raster.batch)
    neighbours = to_connectivity(argument, connectivity, rank)
    count = math.prod(raster_extents(raster.shape, raster.batch))
    labels = np.empty(raster.shape, number_dtype(count)) if out is None else out
    given = Options({"connectivity": None, "nodata": raster.nodata, "threads": settings.threads})
    options = core_options("connected_components", given, rank)
    options["connectivity"] = neighbours
    raster.set_device(options, settings.device)
    images, numbered = (in_front(array, raster.batch) for array in (raster.cells, labels))
    for place in np.ndindex(*images.shape[: len(raster.batch)]):
        outputs = {"labels": numbered[place]}
        run("connected_components", {"image": images[place]}, options, False, outputs)
    nodata = None if raster.nodata is None else -1
    return replace(
        raster,
        cells=labels,
        label_dtype=labels.dtype,
        nodata=nodata,
        unseen=(*raster.unseen, raster.cells),
        boolean=False,
        fill_value=nodata,
    )


def refuse_zero_for_nodata(raster: Raster, options: Options) -> None:
    """Raise ValueError where metadata call those cells nodata that would be free: a raster of sites
    and nodata alone, as tools that burn sites write it, has no cell to measure from."""
    if options.values is not None or options.zero_is_site or options.free_nodata:
        return
    if options.nodata is None and raster.frame is not None and raster.nodata == 0:
        name = raster.frame.name
        raise ValueError(
            f"{name} has the nodata value 0 in its metadata, which leaves no cell to measure from; "
            "free_nodata=True makes these cells the free ones; else nodata must be given, or be "
            f"taken away: {name}.rio.write_nodata(None) of rioxarray"
        )


def label_of_unreached(nodata: Any, free_nodata: bool) -> Any:
    """The label of cells to which none grows: those that are free keep their value."""
    return nodata if free_nodata and nodata is not None else 0


def refuse_with_components(options: Options) -> None:
    if options.values is not None or options.zero_is_site or options.free_nodata:
        raise ValueError("components is given; values, zero_is_site and free_nodata must not be")
