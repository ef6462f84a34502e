# SPDX-License-Identifier: Apache-2.0
"""Connected areas of a raster in slabs, and what the arguments of slabs are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from .._arguments.checks import to_extents
from .._arguments.core_options import CoreOptions, core_options, run
from .._arguments.options import Options
from .._kinds.host import Raster, number_dtype, to_array, to_raster
from .._kinds.outputs import check_component_labels
from .._kinds.xarray import is_data_array
from ..typing import AreaConnectivity, Number


def summarise_components(
    image: Any,
    *,
    shape: Iterable[int],
    connectivity: AreaConnectivity | None = None,
    nodata: Number | None = None,
    out: np.ndarray | None = None,
) -> tuple[np.ndarray, bytes]:
    """Number the connected areas of a slab, and tell what other slabs must know of them.

    Parameters
    ----------
    image : array of shape (rows, x) or (planes, y, x)
        The slab, as `image` of `thiessen.connected_components`; any height, 0 too. No DataArray.
    shape : sequence of int
        Extents of the whole raster.
    connectivity, nodata
        As of `thiessen.connected_components`, the same for all slabs.
    out : numpy.ndarray of int32 or int64, optional
        Written instead of a new array.

    Returns
    -------
    labels : numpy.ndarray
        Numbers within the slab, int32 or, where the raster has 2**31 cells and more, int64.
    summary : bytes
        16 and two values for each cell of the slab's face.

    Raises
    ------
    ValueError, TypeError, MemoryError
        As `thiessen.connected_components`.

    Notes
    -----
    Time close to linear in the cells. The GIL is released.

    Examples
    --------
    See `number_components`.
    """
    slab = to_slab("image", image, shape, nodata)
    if out is None:
        out = np.empty(slab.shape, number_dtype(prod(to_extents(shape))))
    else:
        check_component_labels(out, slab.shape, slab.unseen)
    own = Options({"connectivity": connectivity, "nodata": slab.nodata})
    options = core_options("summarise_components", own, slab.cells.ndim)
    found, _ = run("summarise_components", {"image": slab.cells}, options, False, {"labels": out})
    return out, found["summary"]


def combine_components(
    summaries: Iterable[bytes],
    *,
    shape: Iterable[int],
    connectivity: AreaConnectivity | None = None,
) -> list[bytes]:
    """The numbers that the areas of each slab have in the raster.

    Parameters
    ----------
    summaries : bytes
        Summaries of `summarise_components`, from the first slab to the last. The slabs lie side by
        side and are all of the raster.
    shape : sequence of int
        Extents of the whole raster.
    connectivity
        As it was given to `summarise_components`.

    Returns
    -------
    list of bytes
        For each slab what `number_components` takes.

    Raises
    ------
    ValueError, TypeError
        The summaries are of different rasters.

    Notes
    -----
    Time close to linear in the cells of all faces: union-find over the areas on them.

    Examples
    --------
    See `number_components`.
    """
    extents = to_extents(shape)
    own = Options({"connectivity": connectivity, "shape": extents})
    options = core_options("combine_components", own, len(extents))
    found, _ = run("combine_components", packed("summaries", summaries), options, False)
    return apart(found["numbers"], found["number_sizes"])


def number_components(labels: np.ndarray, numbers: bytes) -> int:
    """Turn numbers within a slab into those of the raster: what `thiessen.connected_components`
    of the whole raster has there.

    Parameters
    ----------
    labels : numpy.ndarray of int32 or int64
        Labels of `summarise_components`, or a part of them; they are changed. 0 and -1 stay.
    numbers : bytes
        The numbers of this slab, of `combine_components`.

    Returns
    -------
    int
        The number of areas of the raster.

    Raises
    ------
    ValueError, TypeError
        The labels hold a number that the slab does not have, or cannot hold one of the raster.

    Notes
    -----
    Time O(cells). The GIL is released.

    Examples
    --------
    The two arms of a shape meet in the lower slab:

    >>> import numpy as np
    >>> from thiessen import slabs
    >>> image = np.array([[1, 0, 1, 0, 2], [1, 0, 1, 0, 0], [1, 1, 1, 0, 3]], np.uint8)
    >>> parts = [
    ...     slabs.summarise_components(part, shape=image.shape) for part in (image[:2], image[2:])
    ... ]
    >>> numbers = slabs.combine_components([summary for _, summary in parts], shape=image.shape)
    >>> [slabs.number_components(labels, own) for (labels, _), own in zip(parts, numbers)]
    [3, 3]
    >>> np.concatenate([labels for labels, _ in parts])
    array([[1, 0, 1, 0, 2],
           [1, 0, 1, 0, 0],
           [1, 1, 1, 0, 3]], dtype=int32)
    """
    if not isinstance(labels, np.ndarray):
        raise TypeError(f"labels is a {type(labels).__name__}; must be a numpy.ndarray")
    if labels.dtype not in (np.int32, np.int64):
        raise TypeError(f"labels have the dtype {labels.dtype}; must be int32 or int64")
    (own,) = to_bytes("numbers", [numbers])
    options = CoreOptions()
    found, _ = run("number_components", {"numbers": own}, options, False, {"labels": labels})
    return int(found["count"])


def to_slab(name: str, cells: Any, shape: Iterable[int], nodata: Any) -> Raster:
    """The cells as a raster; boolean ones have labels in which the whole one can be numbered."""
    if is_data_array(cells):
        raise TypeError(
            f"{name} is an xarray.DataArray; must be {name}.values, with spacing and nodata given"
        )
    slab = to_raster(name, to_array(name, cells), nodata)
    if slab.cells.dtype.kind == "b":
        slab = replace(slab, label_dtype=number_dtype(prod(to_extents(shape))))
    return slab


def to_bytes(name: str, values: Any) -> list[bytes]:
    """The bytes that the core takes, checked."""
    packed = list(values)
    for each in packed:
        if not isinstance(each, bytes):
            raise TypeError(f"{name} has a {type(each).__name__}; must be bytes")
    return packed


def packed(name: str, values: Iterable[bytes]) -> dict[str, Any]:
    """Several pieces of bytes as the core takes them: one after the other, and their sizes."""
    pieces = to_bytes(name, values)
    sizes = np.array([len(piece) for piece in pieces], np.int64)
    return {"summaries": b"".join(pieces), "summary_sizes": sizes}


def apart(pieces: bytes, sizes: np.ndarray) -> list[bytes]:
    """The pieces that the core gives one after the other."""
    ends = np.cumsum(sizes).tolist()
    return [pieces[end - size : end] for end, size in zip(ends, sizes.tolist())]
