# SPDX-License-Identifier: Apache-2.0
"""Types of arguments, for annotations of one's own.

An argument that takes one of several words is of a ``Literal`` type, so a type checker finds a
word that is misspelt.

>>> from thiessen.typing import Metric
>>> metric: Metric = "manhattan"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import numpy as np

__all__ = [
    "Allotment",
    "AreaConnectivity",
    "Colour",
    "Connectivity",
    "CostMethod",
    "CostMetric",
    "CostOutput",
    "CostStage",
    "DistanceTo",
    "EdgeWeight",
    "FloatDtype",
    "FloodingMethod",
    "HostArray",
    "Marks",
    "Material",
    "MethodName",
    "Metric",
    "Misspelt",
    "Noise",
    "Number",
    "OtherOutput",
    "Output",
    "Ramp",
    "RampScale",
    "RenderMode",
    "Several",
    "SlabMetric",
    "StepRule",
    "Walk",
    "WalkDirection",
    "WalkMap",
]


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

OtherOutput: TypeAlias = Literal["other_labels", "other_site_index", "other_distance"]
"""An output that tells of the nearest site of another label."""

Output: TypeAlias = Literal[
    "labels", "distance", "squared", "site_index", "offset", "direction", OtherOutput, "ties"
]
"""An output of `nearest_site` and `voronoi`."""

CostOutput: TypeAlias = Literal["labels", "distance", "site_index", "back_link", OtherOutput]
"""An output of `cost_distance`."""

Metric: TypeAlias = Literal[
    "euclidean",
    "manhattan",
    "chessboard",
    "octagonal",
    "chamfer-3-4",
    "chamfer-5-7-11",
    "ellipsoidal",
    "great-circle",
]

CostMetric: TypeAlias = Literal["euclidean", "ellipsoidal", "great-circle"]
"""What the length of a step of `cost_distance` is."""

SlabMetric: TypeAlias = Literal["euclidean", "manhattan"]
"""A metric by which a raster may be done in slabs."""

FloodingMethod: TypeAlias = Literal[
    "jfa",
    "1+jfa",
    "jfa+1",
    "jfa+2",
    "jfa2",
    "jfa-noise",
    "jfa-plus",
    "jfa-star",
    "jfa-thrust",
    "jfa-coeurjolly",
    "jfa+1-paper",
    "jfa+-paper",
    "jfa-star-paper",
    "jfa-star+1-paper",
]
"""A method of jump flooding, which is not exact."""

StepRule: TypeAlias = Literal["pow2", "half", "quarter", "third"]
"""How the steps of jump flooding become shorter."""

MethodName: TypeAlias = Literal[
    "exact",
    "brute-force",
    "raster-gpu",
    "chamfer",
    "circle-growing",
    "dilation",
    "expansion",
    FloodingMethod,
]

Noise: TypeAlias = Literal["none", "in-place", "mask"]

DistanceTo: TypeAlias = Literal["sites", "zeros", "boundary"]

AreaConnectivity: TypeAlias = Literal[4, 8, 6, 18, 26]
"""Which neighbours belong to one area: 4 or 8 in 2-D, 6, 18 or 26 in 3-D."""

Connectivity: TypeAlias = Literal[4, 8, 16, 6, 18, 26]
"""Where a path of least cost may step: 4, 8 or 16 in 2-D, 6, 18 or 26 in 3-D."""

CostMethod: TypeAlias = Literal["exact", "dijkstra", "relaxation"]

CostStage: TypeAlias = Literal["costs", "sites", "hops"]
"""What is found of all slabs of cost distance before the next thing is looked for."""

EdgeWeight: TypeAlias = Literal["stiffness", "cost"]

Walk: TypeAlias = Literal["tobler", "langmuir"]
"""How fast one walks on a slope."""

WalkMap: TypeAlias = Literal["multiplies", "adds"]
"""What a map does to the seconds of a walk."""

WalkDirection: TypeAlias = Literal["from-site", "to-site"]

Allotment: TypeAlias = Literal["cyclic", "contiguous"]
"""Which cells a thread of a GPU takes, by the method "brute-force"."""

Material: TypeAlias = Literal["uniform", "gradient", "Degrade", "noise", "maze"]

RenderMode: TypeAlias = Literal["cells", "distance"]

Marks: TypeAlias = Literal["none", "solid", "outline"]

Ramp: TypeAlias = Literal["dusk", "ember", "ice", "grey", "viridis", "magma", "cividis"]

RampScale: TypeAlias = Literal["linear", "sqrt", "log"]

Colour: TypeAlias = str | Sequence[int]
"""'#rrggbb', or red, green and blue of 0 to 255."""
