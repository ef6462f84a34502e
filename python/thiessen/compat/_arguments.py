# SPDX-License-Identifier: Apache-2.0
"""The arguments of SciPy's distance transforms, in the form of ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments.checks import as_written
from .._kinds.cuda import refuse_device_memory
from .._kinds.host import is_native
from .._kinds.unread import refuse_unread

Array = np.ndarray[Any, Any]


def cells_of(input: ArrayLike, by_truth: bool) -> Array:
    """The caller's own cells where the library can read them, else 1 where they are not zero.

    by_truth: what Python takes for false is zero (edt, cdt); otherwise what equals 0 (bf). The two
    differ for objects and strings only.
    """
    if not isinstance(input, np.ndarray):
        refuse_unread("input", input)
        refuse_device_memory("input", input)
    array = np.asarray(input)
    if array.dtype.kind != "b":
        if is_native(array):
            return array
        array = array.astype(bool) if by_truth else np.broadcast_to(array != 0, array.shape)
    return array.view(np.uint8)  # sites of booleans would be numbered, not chosen by value


def spacing_of(
    sampling: Any, axes: int, name: str = "sampling", error: type[Exception] = RuntimeError
) -> list[float] | None:
    """One spacing per axis, or None; `error` is raised for another number of them."""
    if sampling is None:
        return None
    is_sequence = np.iterable(sampling) and not isinstance(sampling, str)
    values = list(sampling) if is_sequence else [sampling] * axes
    if len(values) != axes:
        raise error(f"{name} has {len(values)} values; must be one, or one for each of {axes} axes")
    spacing = [as_written(value, float(value)) for value in values]
    for axis, value in enumerate(spacing):
        if not 0 < value < np.inf:
            raise ValueError(f"{name}[{axis}] = {values[axis]}; must be finite and > 0")
    return spacing


def refuse_contradictions(
    return_distances: Any, return_indices: Any, distances: Any, indices: Any
) -> None:
    """Raise RuntimeError for arguments that contradict one another."""
    rules = []
    if not return_distances and not return_indices:
        rules.append("at least one of return_distances, return_indices must be True")
    if distances is not None and not return_distances:
        rules.append("return_distances must be True if distances is given")
    if indices is not None and not return_indices:
        rules.append("return_indices must be True if indices is given")
    if rules:
        raise RuntimeError("; ".join(rules))


class Outputs:
    """The outputs of a function of SciPy: arrays of the caller, or new ones. Each is worked in
    itself, unless its memory is unusual."""

    def __init__(
        self, return_distances: Any, return_indices: Any, distances: Any, indices: Any
    ) -> None:
        for name, array in (("distances", distances), ("indices", indices)):
            if array is not None and not isinstance(array, np.ndarray):
                raise TypeError(
                    f"{name} is a {type(array).__name__}; must be a numpy.ndarray or None"
                )
        refuse_contradictions(return_distances, return_indices, distances, indices)
        self._wanted = return_distances, return_indices
        self._given = distances, indices
        self.distances: Array | None = None
        self.indices: Array | None = None

    def make(self, cells: Array, dtype: type, error: type[Exception] = RuntimeError) -> Array:
        """Has the arrays to work in, where distances are of a dtype. Gives the cells, or a copy of
        them where writing outputs might change them."""
        shape, (distances, indices) = cells.shape, self._given
        if self._wanted[0]:
            self.distances = _made("distances", distances, shape, dtype, error)
        if self._wanted[1]:
            self.indices = _made("indices", indices, (cells.ndim, *shape), np.int32, error)
        overlap = any(
            array is not None and np.may_share_memory(array, cells) for array in self._given
        )
        return cells.copy() if overlap else cells

    def result(self) -> Any:
        """What SciPy returns, when the outputs are done: nothing, an array, or both."""
        new = []
        for work, given in zip((self.distances, self.indices), self._given):
            if given is not None and not is_native(given):
                given[...] = work
            elif work is not None and given is None:
                new.append(work)
        return returned(new)


def _made(
    name: str,
    given: Array | None,
    shape: tuple[int, ...],
    dtype: type,
    error: type[Exception],
) -> Array:
    """The array that an output is worked in."""
    if given is None:
        return np.empty(shape, dtype)
    if given.shape != shape:
        raise error(f"{name} has shape {given.shape}; must be {shape}")
    if given.dtype.type is not dtype:
        raise error(f"{name} has dtype {given.dtype}; must be {np.dtype(dtype)}")
    if not given.flags.writeable:
        raise ValueError(f"{name} is read-only; must be writeable")
    return np.asarray(given) if is_native(given) else np.empty(shape, dtype)


def returned(new: list[Any]) -> Any:
    """Results as these functions return them: nothing, an array, or both."""
    return tuple(new) if len(new) == 2 else new[0] if new else None
