# SPDX-License-Identifier: Apache-2.0
"""Losses of segmentation that know how far away a mistake is, by exact distance transforms of a
whole batch at once; and a toy problem, whose small discs in noise they find.

    python examples/segmentation/boundary_losses.py --loss boundary

Sources: H. Kervadec, J. Bouchtiba, C. Desrosiers, E. Granger, J. Dolz, I. Ben Ayed, "Boundary loss
for highly unbalanced segmentation" (2019). D. Karimi, S. E. Salcudean, "Reducing the Hausdorff
distance in medical image segmentation with convolutional neural networks" (2019).
"""

import argparse
from collections.abc import Callable, Sequence

import thiessen
import torch

CLASSES = (0, 1)
"""The axes of (n, class, y, x) and (n, class, z, y, x) that are none of an image."""

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def signed_distance(masks: torch.Tensor, spacing: Sequence[float] | None = None) -> torch.Tensor:
    """Outside of a mask the distance to it, inside minus the distance to its outside. A mask that
    is empty or full has no boundary, and 0 everywhere."""
    distance = thiessen.distance_transform(
        masks, signed_distance=True, spacing=spacing, batch_axes=CLASSES
    )
    return torch.where(distance.isinf(), 0, distance)


def boundary_loss(
    probabilities: torch.Tensor, masks: torch.Tensor, spacing: Sequence[float] | None = None
) -> torch.Tensor:
    """Mean of probability times signed distance to the true mask (Kervadec et al.).

    The integral over the region between two boundaries stands for their distance. It knows little
    where a prediction is far off: use it beside a loss of regions. The authors' program counts
    cells of a mask as one cell nearer to its outside.
    """
    return (probabilities * signed_distance(masks, spacing)).mean()


def hausdorff_loss(
    probabilities: torch.Tensor,
    masks: torch.Tensor,
    spacing: Sequence[float] | None = None,
    exponent: float = 2,
) -> torch.Tensor:
    """Mean of squared errors, each times the distances to both boundaries to some power (Karimi and
    Salcudean): large mistakes count most, as in the Hausdorff distance."""
    predicted = signed_distance(probabilities > 0.5, spacing).abs()
    true = signed_distance(masks, spacing).abs()
    weights = predicted**exponent + true**exponent
    return ((probabilities - masks.to(probabilities.dtype)) ** 2 * weights).mean()


def dice_loss(probabilities: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """One minus the overlap of prediction and mask: a loss of regions."""
    space = tuple(range(2, masks.ndim))
    overlap = (probabilities * masks).sum(space)
    return 1 - ((2 * overlap + 1) / (probabilities.sum(space) + masks.sum(space) + 1)).mean()


LOSSES: dict[str, Loss] = {
    "dice": dice_loss,
    "boundary": lambda p, masks: dice_loss(p, masks) + 0.02 * boundary_loss(p, masks),
    "hausdorff": lambda p, masks: dice_loss(p, masks) + 0.002 * hausdorff_loss(p, masks),
}


def hausdorff_distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """For each pair of masks, how far the farthest cell of one is from the other."""
    to_a, to_b = (thiessen.distance_transform(mask, batch_axes=CLASSES) for mask in (a, b))
    both = torch.maximum(torch.where(a, to_b, 0), torch.where(b, to_a, 0))
    return both.flatten(2).amax(-1)


def make_batch(count: int, draw: torch.Generator, side: int = 32) -> tuple[torch.Tensor, ...]:
    """Images of noise with one small disc each, and the masks of the discs."""
    centres = 6 + (side - 12) * torch.rand(count, 2, 1, 1, generator=draw)
    radii = 2 + 4 * torch.rand(count, 1, 1, generator=draw)
    cells = torch.stack(torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij"))
    masks = ((cells - centres) ** 2).sum(1) < radii**2
    noise = 0.5 * torch.randn(count, side, side, generator=draw)
    return (masks + noise)[:, None], masks[:, None]


def make_network() -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 5, padding=2),
        torch.nn.ReLU(),
        torch.nn.Conv2d(8, 1, 5, padding=2),
        torch.nn.Sigmoid(),
    )


def train(loss: Loss, steps: int, seed: int = 1) -> torch.nn.Module:
    draw = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = make_network()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(steps):
        images, masks = make_batch(8, draw)
        optimizer.zero_grad()
        loss(network(images), masks).backward()
        optimizer.step()
    return network


def judge(network: torch.nn.Module, count: int = 64) -> tuple[float, float]:
    """Dice coefficient and Hausdorff distance in cells, the means over new images."""
    images, masks = make_batch(count, torch.Generator().manual_seed(0))
    with torch.no_grad():
        found = network(images) > 0.5
    overlap = 1 - dice_loss(found.float(), masks)
    return float(overlap), float(hausdorff_distance(found, masks).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--loss", choices=LOSSES, default="boundary")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    network = train(LOSSES[arguments.loss], arguments.steps, arguments.seed)
    overlap, distance = judge(network)
    print(f"{arguments.loss}: Dice {overlap:.3f}, Hausdorff distance {distance:.2f} cells")


if __name__ == "__main__":
    main()
