# SPDX-License-Identifier: Apache-2.0
"""Kinds of arrays. A verb gives its first array and its options to the kind that they are of.

A kind is a module with a function for each verb that it has, such as nearest_site_of(), of the
array and the options. It is imported when the first array of it comes; the library of the array is
there by then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from .._arguments.calls import without_zeros
from .._arguments.options import Options, is_default, refuse_others
from .._arguments.tables import DEFAULTS
from .unread import is_dask

_MEMORY = {
    "nearest_site": "memory",
    "distance_transform": "memory",
    "expand_labels": "memory",
    "connected_components": "memory",
    "voronoi": "points",
    "cost_distance": "costs",
}
"""The modules of arrays in memory, by verbs."""

OF_STORES = frozenset(("memory", "slab_rows", "overwrite"))
"""The options of files and stores alone."""

_IN_MEMORY = frozenset(DEFAULTS) - OF_STORES - {"keep_sites"}
"""The options that arrays in memory take."""

_STORES = ("zarr", "h5py")
"""Libraries whose arrays are read in slabs, as files are."""


def call(verb: str, first: Any, options: Options, *deciding: Any) -> Any:
    """Has a verb done by the kind of its arrays: of `deciding`, or else of the first. What a kind
    has no function for is an array in memory, or refused there."""
    if "distance_to" in vars(options):
        options = without_zeros(options)
    kind = "geopandas" if is_geo(first) else kind_of(deciding or (first,), options)
    function = None if kind == "memory" else getattr(module_of(kind), f"{verb}_of", None)
    return in_memory(verb, first, options) if function is None else function(first, options)


def module_of(kind: str) -> Any:
    """By statements, which torch.compile follows; the names are those of other libraries, too."""
    module: Any
    if kind == "torch":
        from . import torch as module
    elif kind == "dask":
        from . import dask as module
    elif kind == "geopandas":
        from . import geopandas as module
    else:
        from . import files as module
    return module


def in_memory(verb: str, first: Any, options: Options) -> Any:
    """The verb of arrays that are known to be in memory."""
    refuse_others(options, _IN_MEMORY, "for arrays in memory")
    return _function_in_memory(verb)(first, options)


@cache
def _function_in_memory(verb: str) -> Callable[[Any, Options], Any]:
    return getattr(import_module(f".{_MEMORY[verb]}", __name__), f"{verb}_of")


def kind_of(arrays: Iterable[Any], options: Options) -> str:
    """The kind of the arrays of a call: the first that is not in memory."""
    arrays = tuple(arrays)
    given = vars(options)
    out = given.get("out")
    in_slabs = any(not is_default(name, given[name]) for name in OF_STORES.intersection(given))
    if (
        not in_slabs
        and out is None
        and all(each is None or type(each) is np.ndarray for each in arrays)
    ):
        return "memory"  # as most calls, which then take no longer
    if any(map(is_dask, arrays)):
        return "dask"
    if any(map(is_tensor, arrays)):
        return "torch"
    if in_slabs or any(map(_is_store, (*arrays, *_values_of(out)))):
        return "files"
    return "memory"


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def is_geo(value: Any) -> bool:
    """Whether it is a GeoDataFrame or a GeoSeries."""
    geopandas = sys.modules.get("geopandas")
    return geopandas is not None and isinstance(
        value, (geopandas.GeoDataFrame, geopandas.GeoSeries)
    )


def _is_store(value: Any) -> bool:
    """Whether it is the path of a file, or an array of a store."""
    if isinstance(value, (str, os.PathLike)):
        return True
    return type(value).__module__.partition(".")[0] in _STORES


def _values_of(out: Any) -> list[Any]:
    if isinstance(out, Mapping):
        return [*out.values()]
    return [*out] if isinstance(out, (list, tuple)) else [out]
