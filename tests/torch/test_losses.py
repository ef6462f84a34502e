# SPDX-License-Identifier: Apache-2.0
"""examples/segmentation/boundary_losses.py: the losses are those of the papers, and train a network."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thiessen
import torch

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")


def load_example() -> Any:
    path = Path(__file__).resolve().parents[2] / "examples" / "segmentation" / "boundary_losses.py"
    spec = importlib.util.spec_from_file_location("boundary_losses", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


losses = load_example()


def make_masks(shape: tuple[int, ...]) -> torch.Tensor:
    masks = torch.rand(shape, generator=torch.Generator().manual_seed(1)) < 0.2
    masks[0, 0] = False
    masks[1, 1] = True
    return masks


def levels(mask: np.ndarray) -> np.ndarray:
    """The level set of Kervadec et al., of one mask."""
    if not mask.any() or mask.all():
        return np.zeros(mask.shape)
    outside = thiessen.distance_transform(mask, method="brute-force")
    inside = thiessen.distance_transform(~mask, method="brute-force")
    return outside - inside


@pytest.mark.parametrize("shape", [(2, 3, 14, 15), (2, 2, 6, 7, 8)])
def test_boundary_loss(shape: tuple[int, ...]) -> None:
    masks = make_masks(shape)
    probabilities = torch.rand(
        shape, generator=torch.Generator().manual_seed(2), requires_grad=True
    )
    loss = losses.boundary_loss(probabilities, masks)
    wanted = np.stack([[levels(mask) for mask in row] for row in masks.numpy()])
    np.testing.assert_allclose(
        loss.item(), (probabilities.detach().numpy() * wanted).mean(), rtol=1e-5
    )
    loss.backward()
    np.testing.assert_allclose(probabilities.grad, wanted / masks.numel(), rtol=1e-5)


def test_hausdorff_loss() -> None:
    masks = make_masks((2, 3, 14, 15))
    probabilities = torch.rand(masks.shape, requires_grad=True)
    loss = losses.hausdorff_loss(probabilities, masks, spacing=(2, 1))
    total = np.zeros(masks.shape)
    for mask in (masks.numpy(), probabilities.detach().numpy() > 0.5):
        for place in np.ndindex(2, 3):
            if mask[place].any() and not mask[place].all():
                edge = thiessen.distance_transform(
                    mask[place], distance_to="boundary", spacing=(2, 1)
                )
                total[place] += edge**2
    errors = (probabilities.detach().numpy() - masks.numpy()) ** 2
    np.testing.assert_allclose(loss.item(), (errors * total).mean(), rtol=1e-5)
    assert torch.autograd.gradcheck(
        lambda p: losses.hausdorff_loss(p, masks, exponent=1), probabilities.detach().double().requires_grad_()
    )  # fmt: skip
    assert losses.hausdorff_loss(masks.float(), masks) == 0


def test_a_mistake_far_away_costs_more() -> None:
    masks = torch.zeros(1, 1, 20, 40, dtype=torch.bool)
    masks[..., 5:10, 5:10] = True
    for loss in (losses.boundary_loss, losses.hausdorff_loss):
        costs = []
        for x in (12, 20, 38):
            found = masks.float()
            found[..., 7, x] = 1
            costs.append(loss(found, masks))
        assert costs[0] < costs[1] < costs[2]


def test_hausdorff_distance() -> None:
    a, b = torch.zeros(2, 2, 1, 9, 9, dtype=torch.bool)
    a[0, 0, 2, 2] = b[0, 0, 2, 2] = b[0, 0, 6, 5] = True
    a[1, 0, 0, 0] = True
    assert losses.hausdorff_distance(a, b).flatten().tolist() == [5, torch.inf]


@pytest.mark.parametrize("name", losses.LOSSES)
def test_training(name: str) -> None:
    overlap, distance = losses.judge(losses.train(losses.LOSSES[name], steps=60))
    assert overlap > 0.85
    assert distance < 6
    untrained, far = losses.judge(losses.train(losses.LOSSES[name], steps=0))
    assert untrained < 0.5
    assert far > 10


@pytest.mark.parametrize("name", ["boundary", "hausdorff"])
def test_a_step_can_be_compiled(name: str) -> None:
    images, masks = losses.make_batch(4, torch.Generator().manual_seed(3))
    network = losses.train(losses.LOSSES[name], steps=5)

    def cost(images: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return losses.LOSSES[name](network(images), masks)

    fast = torch.compile(cost, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(fast(images, masks), cost(images, masks))
