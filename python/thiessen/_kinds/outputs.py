# SPDX-License-Identifier: Apache-2.0
"""The results of nearest_site() and voronoi(), and the arrays that they are written into."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from .._arguments import fields
from .._arguments.checks import require_held, to_float_dtype, to_number
from .._arguments.options import Options, likely
from ..typing import CostOutput, Output
from .attributes import DISTANCES, LABELS
from .cuda import CudaArray, checked_cuda, find_cuda, refuse_device_memory
from .host import is_native, number_dtype

OUTPUTS: tuple[str, ...] = get_args(Output)
COST_OUTPUTS: tuple[str, ...] = get_args(CostOutput)

DTYPES: dict[str, np.dtype] = {
    name: np.dtype(each.dtype)
    for name, each in fields.OUTPUTS.items()
    if name not in LABELS | DISTANCES
}
_DISTANCE_DTYPES: set[np.dtype] = {np.dtype(np.float32), np.dtype(np.float64)}


Names = TypeVar("Names", bound=str, contravariant=True)
Array = TypeVar("Array", covariant=True)
if TYPE_CHECKING:
    import typing_extensions as _typing

    Usual = Literal["labels", "distance"]
    One = _typing.TypeVar("One", bound=Output, default=Usual)
    OneOfCosts = _typing.TypeVar("OneOfCosts", bound=CostOutput, default=Usual)
else:
    One = OneOfCosts = Any  # annotations alone name them
"""The output that a caller names; without a name there are two."""


class NearestSite(fields.NamedOutputs[Names, Array]):
    """Named tuple of the outputs that were asked for, in that order.

    A name that is not among them is an AttributeError that says which are. `nearest_site` and
    `cost_distance` tell what each output is.

    To a type checker it is ``NearestSite[Names, Array]``: the names of its outputs, and the kind of
    array that they are.
    """

    __slots__ = ()

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]

        def _asdict(self) -> dict[str, Any]: ...
    else:

        def __getattr__(self, name: str) -> Any:
            if name in OUTPUTS or name in COST_OUTPUTS:
                raise AttributeError(f"{name} is not among the outputs {self._fields}")
            raise AttributeError(f"a result has the outputs {self._fields}, and no {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return make_result, (self._fields, tuple(self))

    def _repr_html_(self) -> str:
        """What a notebook shows: a thumbnail, in 3-D of the middle plane, and the outputs."""
        from .._showing.thumbnail import to_html

        return to_html(self._asdict())


_RESULT_TYPES: dict[tuple[str, ...], Any] = {}
"""Named tuples of some outputs that are NearestSites. A dictionary, because torch.compile looks
through it, and not through functools.cache."""


class Components(NamedTuple):
    """Numbered connected areas."""

    labels: Any
    count: Any  # tuple.count() is not needed of it


def make_result(names: tuple[str, ...], values: tuple[Any, ...]) -> NearestSite[Any, Any]:
    """The named tuple of these outputs."""
    kind = _RESULT_TYPES.get(names)
    if kind is None:
        members = {"__slots__": (), "__doc__": NearestSite.__doc__, "__module__": __name__}
        kind = type("NearestSite", (NearestSite, namedtuple("NearestSite", names)), members)
        _RESULT_TYPES[names] = kind
    return kind(*values)


@lru_cache(maxsize=256)
def _checked_names(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            listed = ", ".join(known)
            raise ValueError(f"outputs has {name!r}; must be among {listed}{likely(name, known)}")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"outputs = {names}; must name one output or more, each once")
    return names


def have_labels(names: tuple[str, ...]) -> bool:
    """Whether an output holds labels."""
    return not LABELS.isdisjoint(names)


def require_held_labels(
    names: tuple[str, ...],
    dtypes: tuple[np.dtype, np.dtype],
    options: Options,
    special: tuple[str, ...] = ("unreached",),
) -> None:
    """Raise ValueError for a special label that the core's dtype of labels may hold, but not the
    caller's, which is the second."""
    core, dtype = dtypes
    for name in special if core != dtype and have_labels(names) else ():
        if getattr(options, name) is not None:
            require_held(name, to_number(name, getattr(options, name)), dtype)


def output_names(outputs: str | Sequence[str], known: tuple[str, ...] = OUTPUTS) -> tuple[str, ...]:
    """The names of the outputs asked for, checked."""
    try:
        return _checked_names((outputs,) if isinstance(outputs, str) else tuple(outputs), known)
    except TypeError:
        raise TypeError(f"outputs = {outputs!r}; must be names of outputs") from None


def shape_of(name: str, shape: tuple[int, ...], axes: int, k: int = 0) -> tuple[int, ...]:
    """The shape of an output of rasters of so many axes, with the axis in front that it has."""
    axis = fields.OUTPUTS[name].axis
    if axis == "component":
        return (axes, *shape)
    return (k, *shape) if k and axis == "rank" else shape


class Targets:
    """The arrays of one call: what the core writes, and what the caller gets."""

    __slots__ = ("copied", "core", "names", "results")

    def __init__(
        self,
        names: tuple[str, ...],
        out: Any,
        shape: tuple[int, ...],
        label_dtypes: tuple[np.dtype, np.dtype] | None,
        distance_dtype: Any,
        inputs: tuple[Any, ...] = (),
        unseen: tuple[np.ndarray, ...] = (),
        axes: int | None = None,
        k: int = 0,
        like: CudaArray | None = None,
    ) -> None:
        """`label_dtypes` are the core's and the caller's; `inputs` what the core reads, and
        `unseen` arrays of the caller that it has copies of; `axes` those of a raster, where
        `shape` is that of a batch; `k` the number of the nearest that are wanted, 0 for one without
        an axis of its own; `like` an array in CUDA memory, where the outputs are then, too."""
        given = _given_arrays(names, out)
        self.names = names
        self.core: dict[str, Any] = {}
        self.results: dict[str, Any] = {}
        self.copied: list[str] = []
        """The outputs that the core cannot write where the caller has them."""
        for name in names:
            own = given.get(name)
            shown = own if like is None else find_cuda(f"out[{name!r}]", own)
            core_dtype, dtype = _dtypes_of(name, label_dtypes, distance_dtype, shown)
            extents = shape_of(name, shape, axes or len(shape), k)
            as_bytes = core_dtype is not dtype and dtype.kind == "b" and core_dtype == np.uint8
            if like is not None:
                array = (
                    like.empty(extents, dtype)
                    if own is None
                    else checked_cuda(f"out[{name!r}]", own, extents, dtype, like)
                )
                self.core[name] = (array.as_bytes() if as_bytes else array).memory
                self.results[name] = array.source
                continue
            if own is None:
                own = np.empty(extents, dtype)
            else:
                check_given(f"out[{name!r}]", own, extents, dtype)
            self.results[name] = own
            if as_bytes:
                self.core[name] = own.view(np.uint8)
            elif core_dtype == dtype and is_native(own):
                self.core[name] = own
            else:
                self.core[name] = np.empty(extents, core_dtype)
                self.copied.append(name)
        if given and like is None:
            self._check_apart(given, inputs, unseen)

    def _check_apart(
        self,
        given: dict[str, np.ndarray],
        inputs: tuple[np.ndarray, ...],
        unseen: tuple[np.ndarray, ...],
    ) -> None:
        """What the core checks of the arrays that it sees: an output is apart from the inputs,
        from other outputs and from itself."""
        for name, array in given.items():
            others = unseen
            if name in self.copied:
                others += inputs + tuple(each for each in given.values() if each is not array)
                _check_no_overlap_of_itself(name, array)
                if sum(array is each for each in given.values()) > 1:
                    raise ValueError(f"out[{name!r}] is given for two outputs; must be for one")
            for other in others:
                if np.may_share_memory(array, other):
                    raise ValueError(f"out[{name!r}] overlaps another array; must be apart")

    def finish(self) -> dict[str, Any]:
        """The caller's arrays; outputs that the core could not write there are copied first."""
        for name in self.copied:
            with np.errstate(all="ignore"):  # nodata that only the core's dtype can hold
                np.copyto(self.results[name], self.core[name], casting="unsafe")
        return self.results

    def result(self, values: dict[str, Any]) -> NearestSite[Any, Any]:
        return make_result(self.names, tuple(values[name] for name in self.names))


def _dtypes_of(
    name: str,
    label_dtypes: tuple[np.dtype, np.dtype] | None,
    distance_dtype: Any,
    given: np.ndarray | CudaArray | None,
) -> tuple[np.dtype, np.dtype]:
    """The core's dtype of an output, and the caller's."""
    if name in LABELS and label_dtypes:
        return label_dtypes
    dtype = _distance_dtype(distance_dtype, given) if name in DISTANCES else DTYPES[name]
    return dtype, dtype


def _distance_dtype(wanted: Any, given: np.ndarray | CudaArray | None) -> np.dtype:
    """What was asked for; of a given array its own, in native byte order."""
    dtype = to_float_dtype("distance_type", wanted)
    if (
        isinstance(given, (np.ndarray, CudaArray))
        and given.dtype.newbyteorder("=") in _DISTANCE_DTYPES
    ):
        return given.dtype.newbyteorder("=")
    return dtype


def _given_arrays(names: tuple[str, ...], out: Any) -> dict[str, Any]:
    if out is None:
        return {}
    if isinstance(out, np.ndarray) or not isinstance(out, (Mapping, tuple, list)):
        out = (out,)
    if not isinstance(out, Mapping):
        if len(out) != len(names):
            raise ValueError(f"out has {len(out)} arrays; must have one for each of {names}")
        out = dict(zip(names, out))
    for name in out:
        if name not in names:
            raise ValueError(f"out has {name!r}; must be among the outputs {names}")
    return {name: array for name, array in out.items() if array is not None}


def check_given(argument: str, array: Any, extents: tuple[int, ...], dtype: np.dtype) -> None:
    """Raise for anything but a writable numpy.ndarray of these extents and this dtype."""
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        refuse_device_memory(argument, array)
        raise TypeError(f"{argument} is a {type(array).__name__}; must be a numpy.ndarray")
    if array.dtype.newbyteorder("=") != dtype:
        raise TypeError(f"{argument} has the dtype {array.dtype}; must be {dtype}")
    if array.shape != extents:
        raise ValueError(f"{argument} has the shape {array.shape}; must be {extents}")
    if not array.flags.writeable:
        raise ValueError(f"{argument} is read-only; must be writable")


def check_component_labels(
    out: Any, extents: tuple[int, ...], unseen: tuple[np.ndarray, ...]
) -> None:
    """Raise for what the core cannot write the numbers of components into."""
    if out is None:
        return
    wide = getattr(out, "dtype", None) == np.int64
    check_given(
        "out", out, extents, np.dtype(np.int64) if wide else number_dtype(math.prod(extents))
    )
    if not is_native(out):
        raise ValueError("out is not aligned or not in native byte order; must be both")
    if any(np.may_share_memory(out, other) for other in unseen):
        raise ValueError("out overlaps the image; must be apart")


def _check_no_overlap_of_itself(name: str, array: np.ndarray) -> None:
    covered = array.itemsize
    sizes = sorted((abs(step), size) for step, size in zip(array.strides, array.shape) if size > 1)
    for step, size in sizes if array.size else ():
        if step < covered:
            raise ValueError(
                f"out[{name!r}] has the strides {array.strides}; cells of an output must lie apart"
            )
        covered += step * (size - 1)
