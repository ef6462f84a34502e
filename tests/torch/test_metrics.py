# SPDX-License-Identifier: Apache-2.0
"""`thiessen.metrics.surface_distances` against MONAI and the package surface-distance of DeepMind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen
import torch
from thiessen import metrics

LABELS = 4

# What the others use of MONAI itself and of SciPy is deprecated there.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{name}")
    for name in ("UserWarning", "FutureWarning", "DeprecationWarning")
]

PROBLEMS = [
    ((3, 40, 50), (1.0, 1.0)),
    ((2, 31, 57), (2.0, 0.5)),
    ((2, 1, 60), (1.0, 1.0)),
    ((2, 12, 20, 25), (3.0, 1.0, 1.5)),
    ((2, 9, 30, 14), (1.5, 0.325, 0.325)),
]


def make_batch(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Rasters of labels: balls that reach over edges, and single cells."""
    rng = np.random.default_rng(seed)
    batch = np.zeros(shape, np.uint8)
    places = np.indices(shape[1:])
    for image in batch:
        for label in range(1, LABELS):
            centre = rng.random(len(places)) * shape[1:]
            away = sum((place - at) ** 2 for place, at in zip(places, centre))
            image[away < (rng.random() * 9 + 1) ** 2] = label
        noise = rng.random(image.shape) < 0.01
        image[noise] = rng.integers(0, LABELS, noise.sum())
    return batch


def one_hot(batch: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.stack([batch == label for label in range(LABELS)], axis=1)).float()


def assert_equal(ours: Any, theirs: torch.Tensor) -> None:
    """They round to float32."""
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=2e-6)


@pytest.mark.parametrize(("shape", "spacing"), PROBLEMS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_batches_as_monai_measures_them(shape: Any, spacing: Any, seed: int) -> None:
    monai = pytest.importorskip("monai.metrics")
    a, b = make_batch(shape, 2 * seed), make_batch(shape, 2 * seed + 1)
    tolerance = 1.37  # of no two cells
    found = metrics.surface_distances(
        a, b, labels=range(LABELS), spacing=spacing, tolerance=tolerance, batch_axes=0
    )
    pair = one_hot(a), one_hot(b)
    options: dict[str, Any] = {"include_background": True, "spacing": spacing}
    hausdorff = monai.compute_hausdorff_distance
    average = monai.compute_average_surface_distance
    assert_equal(found.hausdorff, hausdorff(*pair, **options))
    both = np.isfinite(found.hausdorff)
    assert both.any()
    assert_equal(found.hausdorff_percentile[both], hausdorff(*pair, percentile=95, **options)[both])
    assert_equal(found.average, average(*pair, symmetric=True, **options))
    assert_equal(found.average_a_to_b, average(*pair, **options))
    assert_equal(found.average_b_to_a, average(*pair[::-1], **options))
    dice = monai.compute_surface_dice(*pair, class_thresholds=[tolerance] * LABELS, **options)
    assert_equal(found.normalised, dice)


def test_labels_that_are_missing_as_in_monai() -> None:
    """But for the percentile of a label that only one raster has: it is infinite, where MONAI has NaN."""
    monai = pytest.importorskip("monai.metrics")
    a, b = np.zeros((2, 1, 8, 9), np.uint8)
    a[0, 2:4, 3:5] = 1
    b[0, 5:7, 3:5] = 2
    found = metrics.surface_distances(a, b, labels=range(4), tolerance=1, batch_axes=0)
    pair = one_hot(a), one_hot(b)
    assert found.hausdorff.tolist()[0][1:3] == [np.inf, np.inf]
    assert_equal(found.hausdorff, monai.compute_hausdorff_distance(*pair, include_background=True))
    for symmetric, ours in ((True, found.average), (False, found.average_a_to_b)):
        theirs = monai.compute_average_surface_distance(
            *pair, include_background=True, symmetric=symmetric
        )
        assert_equal(ours, theirs)
    dice = monai.compute_surface_dice(*pair, class_thresholds=[1] * 4, include_background=True)
    assert_equal(found.normalised, dice)
    assert found.hausdorff_percentile.tolist()[0][1:3] == [np.inf, np.inf]


def between_cells(mask: np.ndarray) -> np.ndarray:
    """The corners of cells that touch cells of the mask and others: DeepMind's surface."""
    around = np.pad(mask, 1).astype(np.uint8)
    for axis in range(mask.ndim):
        length = around.shape[axis]
        around = around.take(range(length - 1), axis) + around.take(range(1, length), axis)
    return (around > 0) & (around < 2**mask.ndim)


@pytest.mark.parametrize(("shape", "spacing"), [PROBLEMS[0], PROBLEMS[1], *PROBLEMS[3:]], ids=str)
def test_corners_of_cells_as_deepmind_measures_them(shape: Any, spacing: Any) -> None:
    deepmind = pytest.importorskip("surface_distance")
    rasters = [make_batch(shape, seed)[0] for seed in (1, 2)]
    found = metrics.surface_distances(*rasters, spacing=spacing, labels=range(LABELS))
    diagonal = np.linalg.norm(spacing)
    for label in range(LABELS):
        a, b = (raster == label for raster in rasters)
        theirs = deepmind.compute_surface_distances(a, b, spacing)
        surfaces = between_cells(a), between_cells(b)
        for here, there, name in (
            (*surfaces, "distances_gt_to_pred"),
            (*surfaces[::-1], "distances_pred_to_gt"),
        ):
            ours = thiessen.distance_transform(there, spacing=spacing, distance_type="float64")
            np.testing.assert_allclose(np.sort(ours[here]), theirs[name], rtol=1e-12)
        # Each corner lies within half a diagonal of a cell of our surface, and the reverse.
        furthest = deepmind.compute_robust_hausdorff(theirs, 100)
        assert abs(furthest - found.hausdorff[label]) <= diagonal * (1 + 1e-12)
