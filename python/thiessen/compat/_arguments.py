# SPDX-License-Identifier: Apache-2.0
"""The arguments of SciPy's distance transforms, in the form of ours."""

from __future__ import annotations

from collections.abc import Sequence
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


def check_request(return_distances: Any, return_indices: Any, distances: Any, indices: Any) -> None:
    """Refuse arguments that contradict one another."""
    for name, array in (("distances", distances), ("indices", indices)):
        if array is not None and not isinstance(array, np.ndarray):
            raise TypeError(f"{name} is a {type(array).__name__}; must be a numpy.ndarray or None")
    refuse_contradictions(return_distances, return_indices, distances, indices)


def refuse_contradictions(
    return_distances: Any, return_indices: Any, distances: Any, indices: Any
) -> None:
    """Raise RuntimeError for them, whatever kind of arrays the outputs are."""
    rules = []
    if not return_distances and not return_indices:
        rules.append("at least one of return_distances, return_indices must be True")
    if distances is not None and not return_distances:
        rules.append("return_distances must be True if distances is given")
    if indices is not None and not return_indices:
        rules.append("return_indices must be True if indices is given")
    if rules:
        raise RuntimeError("; ".join(rules))


class Output:
    """An output array, and the one that is worked in: the same, unless its memory is unusual."""

    def __init__(
        self,
        name: str,
        wanted: Any,
        given: Array | None,
        shape: Sequence[int],
        dtype: type,
        error: type[Exception] = RuntimeError,
    ) -> None:
        self.given = given
        self.work: Array | None = None
        if not wanted:
            return
        if given is None:
            self.work = np.empty(shape, dtype)
            return
        if given.shape != shape:
            raise error(f"{name} has shape {given.shape}; must be {shape}")
        if given.dtype.type is not dtype:
            raise error(f"{name} has dtype {given.dtype}; must be {np.dtype(dtype)}")
        if not given.flags.writeable:
            raise ValueError(f"{name} is read-only; must be writeable")
        self.work = np.asarray(given) if is_native(given) else np.empty(shape, dtype)

    def overlaps(self, cells: Array) -> bool:
        """Whether writing the output might change the input."""
        return self.given is not None and np.may_share_memory(self.given, cells)

    def finish(self) -> list[Array]:
        """Hand over the result: a list with it if it is returned, else an empty list."""
        if self.work is None:
            return []
        if self.given is None:
            return [self.work]
        if not is_native(self.given):
            self.given[...] = self.work
        return []


def result_of(distances: Output, indices: Output) -> Any:
    """What SciPy returns: nothing, an array, or both."""
    arrays = distances.finish() + indices.finish()
    return tuple(arrays) if len(arrays) == 2 else arrays[0] if arrays else None
