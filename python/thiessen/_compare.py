# SPDX-License-Identifier: Apache-2.0
"""Comparing two results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ._arguments.core_options import core_options, run
from ._arguments.options import Options
from ._kinds.batch import check_axes
from ._kinds.grids import one_grid
from ._kinds.host import to_array, to_cells, to_field
from ._kinds.outputs import NearestSite
from .typing import Metric, Number


class Comparison(NamedTuple):
    """How two results differ.

    Excess is the distance of b minus the distance of a, over the cells where both are finite.
    Without distances, but with a metric, it is computed from the site indices.
    """

    cells: int
    differing: int
    """Cells where any output differs."""
    ties: int
    """Differing cells with another label or site index at the same distance. It is 0 if there are
    neither distances nor a metric, because ties are unknown then."""
    mismatched: int
    """Differing cells that are unreached or nodata in one result only."""
    labels_differing: int
    site_index_differing: int
    distance_differing: int
    """By more than the tolerance, or one is not finite."""
    largest_excess: float
    largest_relative_excess: float
    largest_shortfall: float
    mean_excess: float
    worst_cell: tuple[int, ...] | None
    """Where the distances are farthest apart."""
    first_cell: tuple[int, ...] | None
    """The first that differs in any output."""

    @property
    def equal(self) -> bool:
        """Whether no cell differs."""
        return self.differing == 0


_COMPARED = ("labels", "site_index", "distance")


def compare(
    a: Any,
    b: Any,
    *,
    tolerance: Number = 0,
    metric: Metric | None = None,
    spacing: Number | Iterable[Number] | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare two results cell by cell.

    Parameters
    ----------
    a, b : NearestSite, mapping of output names to arrays, or array
        Labels, site indices and distances are compared; both must have the same of them.
        DataArrays must lie on one grid. In a single array, floats are distances and all other
        values labels. Labels must have the same dtype; if one distance is float32 and the other
        float64, the float64 is rounded first. 2-D or 3-D.
    tolerance : float
        Distances that differ by no more than this are equal.
    metric : str, optional
        As of `nearest_site`.
        Judge by the exact distances to the cells that the site indices name: two sites at the same
        distance are a tie whatever the distances say. Not for site indices of points.
    spacing : float or one per axis, optional
        For `metric`.
    threads : int, optional

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Infinite distances are equal if their signs are; NaN equals NaN. Time O(cells), memory
    O(columns).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.array([[1, 0, 0, 0, 2]])
    >>> result = thiessen.nearest_site(sites)
    >>> flipped = thiessen.nearest_site(sites[:, ::-1])
    >>> difference = thiessen.compare(result, (flipped.labels[:, ::-1], flipped.distance[:, ::-1]))
    Traceback (most recent call last):
        ...
    TypeError: b is a tuple; must be a result, a mapping of names to arrays, or an array
    >>> difference = thiessen.compare(
    ...     result, {"labels": flipped.labels[:, ::-1], "distance": flipped.distance[:, ::-1]}
    ... )
    >>> difference.equal, difference.differing, difference.ties, difference.first_cell
    (False, 1, 1, (0, 2))
    """
    arrays_a, arrays_b = _arrays_of("a", a), _arrays_of("b", b)
    one_grid({**arrays_a, **arrays_b})
    outputs_a, outputs_b = _compared_outputs("a", arrays_a), _compared_outputs("b", arrays_b)
    if outputs_a.keys() != outputs_b.keys():
        raise ValueError(
            f"a has {_names(outputs_a)} and b has {_names(outputs_b)}; must be the same"
        )
    if not outputs_a:
        raise ValueError(f"a and b have none of {', '.join(_COMPARED)} to compare")
    for name, array in outputs_a.items():
        _check_pair(name, array, outputs_b[name])
    rank = next(iter(outputs_a.values())).ndim
    given = Options({"tolerance": tolerance, "spacing": spacing, "threads": threads})
    if metric is not None:
        given = given.but(metric=metric)
    options = core_options("compare", given, rank, device="cpu")
    arrays = {
        f"{name}_{letter}": array
        for letter, outputs in (("a", outputs_a), ("b", outputs_b))
        for name, array in outputs.items()
    }
    found, _ = run("compare", arrays, options, False)
    for name in ("worst_cell", "first_cell"):
        found[name] = tuple(found[name].tolist()) or None
    return Comparison(**found)


def _check_pair(name: str, a: np.ndarray, b: np.ndarray) -> None:
    if a.shape != b.shape:
        raise ValueError(f"a.{name} has the shape {a.shape} and b.{name} {b.shape}; must be equal")
    if name == "labels" and a.dtype != b.dtype:
        raise TypeError(f"a.{name} has the dtype {a.dtype} and b.{name} {b.dtype}; must be equal")


def _names(outputs: Mapping[str, Any]) -> str:
    return ", ".join(outputs) or "none"


def _arrays_of(name: str, value: Any) -> dict[str, Any]:
    """The arrays that are compared, by what messages call them."""
    if isinstance(value, NearestSite):
        value = value._asdict()
    elif isinstance(value, (tuple, list)):
        raise TypeError(
            f"{name} is a {type(value).__name__}; must be a result, a mapping of names to arrays, "
            "or an array"
        )
    elif not isinstance(value, Mapping):
        return {name: value}
    given = {output: value.get(output) for output in _COMPARED}
    return {f"{name}.{output}": array for output, array in given.items() if array is not None}


def _compared_outputs(name: str, arrays: dict[str, Any]) -> dict[str, np.ndarray]:
    outputs = {}
    for label, array in arrays.items():
        # The cells of a masked array have the special values under the mask.
        array = array.data if isinstance(array, np.ma.MaskedArray) else array
        output = label.removeprefix(f"{name}.")
        if output == name:
            output = "distance" if to_array(name, array).dtype.kind == "f" else "labels"
        is_distance = output == "distance"
        cells = to_field(label, array) if is_distance else to_cells(label, to_array(label, array))
        check_axes(f"{name}.{output}", cells.ndim)
        outputs[output] = cells
    return outputs
