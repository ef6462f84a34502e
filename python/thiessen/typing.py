# SPDX-License-Identifier: Apache-2.0
"""Types of arguments, for your own annotations.

An argument that takes one of several words is of a ``Literal`` type, so a type checker finds a
word that is misspelt.

>>> from thiessen.typing import Metric
>>> metric: Metric = "manhattan"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import numpy as np

from . import _words
from ._words import *  # noqa: F403

__all__ = [
    "AreaConnectivity",
    "Colour",
    "Connectivity",
    "FloatDtype",
    "HostArray",
    "Material",
    "Misspelt",
    "Number",
    "Several",
    "SlabMetric",
]
__all__ += _words.__all__


def __dir__() -> list[str]:
    return __all__


Number: TypeAlias = float | np.number[Any]
"""A scalar of Python or of NumPy."""

FloatDtype: TypeAlias = (
    Literal["float32", "float64"]
    | type[np.float32]
    | type[np.float64]
    | np.dtype[np.float32]
    | np.dtype[np.float64]
)
"""The dtype of distances and costs."""

HostArray: TypeAlias = np.ndarray[Any, Any] | Sequence[Any]
"""What has plain arrays of NumPy for results: such an array, or lists."""

Name = TypeVar("Name", bound=str)
Several: TypeAlias = list[Name] | tuple[Name, ...]
"""Names of outputs; no string, which is a sequence of strings, too."""

Misspelt: TypeAlias = Sequence[NoReturn]
"""What no word is. Beside the words of an option it has mypy tell which argument is wrong, and not
list all overloads."""

SlabMetric: TypeAlias = Literal["euclidean", "manhattan"]
"""A metric by which a raster may be done in slabs."""

AreaConnectivity: TypeAlias = Literal[4, 8, 6, 18, 26]
"""Which neighbours belong to one area: 4 or 8 in 2-D, 6, 18 or 26 in 3-D."""

Connectivity: TypeAlias = Literal[4, 8, 16, 6, 18, 26]
"""Where a path of least cost may step: 4, 8 or 16 in 2-D, 6, 18 or 26 in 3-D."""

Material: TypeAlias = _words.MapName | Literal["Degrade"]
"""A map of materials; "Degrade" is the gradient of Toss and Comba."""

Colour: TypeAlias = str | Sequence[int]
"""'#rrggbb', or red, green and blue of 0 to 255."""
