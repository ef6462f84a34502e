# SPDX-License-Identifier: Apache-2.0
"""Distances to points have the gradients that finite differences find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen
import torch

METRICS = ["euclidean", "manhattan", "chessboard"]


def make_points(count: int, axes: int, extent: float = 9) -> torch.Tensor:
    draw = np.random.default_rng(7)
    return torch.from_numpy(draw.random((count, axes)) * extent).requires_grad_()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((9, 10), {}),
        ((9, 10), {"spacing": (2, 0.5), "periodic": (True, False)}),
        ((4, 5, 6), {"periodic": True}),
    ],
    ids=str,
)
def test_gradcheck(metric: str, shape: tuple[int, ...], options: dict[str, Any]) -> None:
    def distance(points: torch.Tensor) -> torch.Tensor:
        return thiessen.voronoi(
            points, shape, metric=metric, distance_type="float64", **options
        ).distance

    points = make_points(5, len(shape))
    assert torch.autograd.gradcheck(distance, points)
    assert torch.autograd.gradgradcheck(distance, points)


def test_values_are_those_of_the_package_up_to_the_rounding_of_points() -> None:
    points = make_points(30, 2, extent=50)
    for metric in METRICS:
        options = {"metric": metric, "spacing": (1.5, 2), "max_distance": 12, "periodic": True}
        found = thiessen.voronoi(points, (40, 50), outputs=("distance", "labels"), **options)
        truth = thiessen.voronoi(points.detach().numpy(), (40, 50), **options)
        assert found._fields == ("distance", "labels")
        np.testing.assert_array_equal(found.labels, truth.labels)
        np.testing.assert_allclose(found.distance.detach(), truth.distance, rtol=0, atol=1e-4)
        exact = thiessen.voronoi(points.detach(), (40, 50), **options)
        np.testing.assert_array_equal(exact.distance, truth.distance)


def test_dtypes() -> None:
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        points = make_points(4, 2).detach().to(dtype).requires_grad_()
        for wanted in (torch.float32, torch.float64):
            distance = thiessen.voronoi(points, (8, 9), distance_type=wanted).distance
            assert distance.dtype == wanted
            (gradient,) = torch.autograd.grad(distance.sum(), points)
            assert gradient.dtype == dtype
            assert gradient.isfinite().all()


def test_cells_without_a_point_have_no_gradient() -> None:
    points = torch.tensor([[2.0, 3.0]], requires_grad=True)
    domain = torch.ones(6, 30, dtype=torch.bool)
    domain[0, 0] = False
    distance = thiessen.voronoi(points, (6, 30), domain=domain, max_distance=5).distance
    assert distance[0, 0].isnan()
    assert distance[3, 20].isinf()
    assert distance[2, 3] == 0
    distance[domain & (distance < 9)].sum().backward()
    assert points.grad.isfinite().all()
    points.grad = None
    thiessen.voronoi(points, (6, 30)).distance[2, 3].backward()
    assert torch.equal(points.grad, torch.zeros(1, 2))  # at the point itself
    none = torch.zeros(0, 2, requires_grad=True)
    nowhere = thiessen.voronoi(none, (3, 4)).distance
    assert nowhere.isinf().all()
    nowhere.nan_to_num(posinf=0).sum().backward()
    assert none.grad.shape == (0, 2)


def test_the_second_nearest_has_a_gradient_too() -> None:
    points = make_points(5, 2)

    def difference(points: torch.Tensor) -> torch.Tensor:
        found = thiessen.voronoi(
            points, (9, 10), outputs=("distance", "other_distance"), distance_type="float64"
        )
        return found.other_distance - found.distance

    assert torch.autograd.gradcheck(difference, points)


def test_nothing_else_has_a_gradient() -> None:
    points = make_points(5, 2)
    found = thiessen.voronoi(points, (9, 10), outputs=("direction", "distance", "labels"))
    assert [tensor.requires_grad for tensor in found] == [False, True, False]
    with torch.no_grad():
        assert not thiessen.voronoi(points, (9, 10)).distance.requires_grad
    sites = torch.rand(9, 10, requires_grad=True)
    assert not any(each.requires_grad for each in thiessen.nearest_site(sites))


def energy(points: torch.Tensor) -> torch.Tensor:
    found = thiessen.voronoi(points, (16, 17), distance_type="float64")
    return (found.distance**2).sum()


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_gradients_of_compiled_functions(backend: str) -> None:
    points = make_points(5, 2)
    torch.compiler.reset()
    fast = torch.compile(energy, fullgraph=True, backend=backend)
    (ours,) = torch.autograd.grad(fast(points), points)
    (truth,) = torch.autograd.grad(energy(points), points)
    torch.testing.assert_close(ours, truth)


def test_functional_transforms() -> None:
    points = make_points(5, 2).detach()
    (truth,) = torch.autograd.grad(energy(points.requires_grad_()), points)
    points = points.detach()
    torch.testing.assert_close(torch.func.grad(energy)(points), truth)
    torch.testing.assert_close(torch.func.jacfwd(energy)(points), truth)
    stack = torch.stack([points, points.flip(0), points + 1])
    torch.testing.assert_close(
        torch.vmap(torch.func.grad(energy))(stack),
        torch.stack([torch.func.grad(energy)(each) for each in stack]),
    )
    torch.testing.assert_close(
        torch.func.hessian(energy)(points), torch.autograd.functional.hessian(energy, points)
    )


def test_errors() -> None:
    points = make_points(5, 2)
    with pytest.raises(ValueError, match=r"^metric = 'chamfer-3-4'; must be one of 'euclidean'"):
        thiessen.voronoi(points, (9, 10), metric="chamfer-3-4")
    out = torch.empty(9, 10)
    with pytest.raises(ValueError, match=r"^out is given; must not be for points that require"):
        thiessen.voronoi(points, (9, 10), outputs="distance", out=out)
    found = thiessen.voronoi(points.detach(), (9, 10), outputs="distance", out=out)
    assert found.distance is out
