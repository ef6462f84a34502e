# SPDX-License-Identifier: Apache-2.0
"""Operators of PyTorch, for graphs: importing this module registers ``torch.ops.thiessen``.

`thiessen.nearest_site`, `distance_transform` and `voronoi` call them for tensors, and register them
with the first one. A program that loads an exported graph (``torch.export.load``) has no tensor
before, so it imports this module.

nearest_site, distance_transform, voronoi   the operators with new tensors for results
"""

from __future__ import annotations

try:
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError("thiessen.torch needs PyTorch: pip install torch") from error

from ._torch.operators import DISTANCE_TRANSFORM as distance_transform
from ._torch.operators import NEAREST_SITE as nearest_site
from ._torch.operators import VORONOI as voronoi

__all__ = ["distance_transform", "nearest_site", "voronoi"]


def __dir__() -> list[str]:
    return __all__
