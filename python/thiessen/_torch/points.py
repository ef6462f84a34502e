# SPDX-License-Identifier: Apache-2.0
"""Distances to points that have a gradient.

Which point is the nearest is decided exactly, for points rounded to 2**-16 of a cell, and has no
gradient. The distance is computed once more from the index, in PyTorch and from the points as they
are: so PyTorch knows all its derivatives, and finite differences see what they should.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch

ORDERS = {"euclidean": 2, "manhattan": 1, "chessboard": math.inf}
"""The metrics that are norms, and their orders."""


def has_gradient(points: torch.Tensor) -> bool:
    """Whether somebody asks for derivatives, backwards or forwards."""
    if points.requires_grad and torch.is_grad_enabled():
        return True
    if torch.compiler.is_compiling():
        return False
    return torch.autograd.forward_ad.unpack_dual(points).tangent is not None


def distance_to_points(
    points: torch.Tensor,
    index: torch.Tensor,
    options: Mapping[str, Any],
) -> torch.Tensor:
    """From each cell to the point of that index, by the options of the operator. At a point itself
    the gradient is zero."""
    spacing, periodic, dtype = (options[name] for name in ("spacing", "periodic", "distance_type"))
    wide = torch.promote_types(points.dtype, dtype)
    # One more row, as there may be no points; cells that have none take any.
    rows = torch.nn.functional.pad(points.to(wide), (0, 0, 0, 1))
    nearest = rows[index.clamp(0, len(points))]
    ways = []
    for axis, extent in enumerate(index.shape):
        cells = torch.arange(extent, dtype=wide, device=points.device)
        way = nearest[..., axis] - cells.reshape(extent, *[1] * (index.ndim - axis - 1))
        if periodic and periodic[axis]:
            way = way - extent * torch.round(way / extent)
        ways.append(way * spacing[axis] if spacing else way)
    distance = torch.linalg.vector_norm(
        torch.stack(ways, dim=-1), ord=ORDERS[options["metric"]], dim=-1
    )
    distance = torch.where(index < 0, math.inf, distance)
    return torch.where(index == -2, math.nan, distance).to(dtype)
