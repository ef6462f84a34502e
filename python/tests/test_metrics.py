# SPDX-License-Identifier: Apache-2.0
"""Surface distances against SciPy, thickness and medial axes against definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from thiessen import _balls, metrics

ndimage = pytest.importorskip("scipy.ndimage")

MASKS = hnp.arrays(np.bool_, hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=7))

SPACINGS = [(1, 1, 1), (3, 1, 1.5), (0.5, 0.325, 0.325), (1.2345678901234, 0.9876543210987, 1)]


def balls(shape: tuple[int, ...], seed: int, labels: int = 5) -> np.ndarray:
    """Labels that lie beside each other."""
    rng = np.random.default_rng(seed)
    image = np.zeros(shape, np.uint8)
    places = np.indices(shape)
    for label in range(1, labels + 1):
        centre = rng.random(len(shape)) * shape
        away = sum((place - at) ** 2 for place, at in zip(places, centre))
        image[away < (rng.random() * 8 + 3) ** 2] = label
    return image


def reference(a: np.ndarray, b: np.ndarray, spacing: Any) -> list[np.ndarray]:
    """Distances between surfaces as MONAI computes them."""
    surfaces = [mask ^ ndimage.binary_erosion(mask) for mask in (a, b)]
    return [
        ndimage.distance_transform_edt(~other, sampling=spacing)[own]
        for own, other in (surfaces, surfaces[::-1])
    ]


@pytest.mark.parametrize(
    ("shape", "spacing"), [((40, 60), (1, 1)), ((40, 50), (2, 0.5)), ((15, 20, 25), (3, 1, 1.5))]
)
def test_surfaces_are_as_far_apart_as_scipy_finds(shape: Any, spacing: Any) -> None:
    a = balls(shape, 1)
    b = np.roll(a, 2, axis=-1)
    b[balls(shape, 7, 1) > 0] = 3
    found = metrics.surface_distances(a, b, spacing=spacing, tolerance=2)
    assert found.labels.dtype == np.uint8
    assert found.normalised is not None
    assert found.labels.tolist() == np.unique([*a[a > 0], *b[b > 0]]).tolist()
    for i, label in enumerate(found.labels):
        a_to_b, b_to_a = reference(a == label, b == label, spacing)
        apart = np.concatenate([a_to_b, b_to_a])
        wanted = {
            "hausdorff": apart.max(),
            "hausdorff_percentile": max(np.percentile(a_to_b, 95), np.percentile(b_to_a, 95)),
            "average": apart.mean(),
            "average_a_to_b": a_to_b.mean(),
            "average_b_to_a": b_to_a.mean(),
            "normalised": (apart <= 2).mean(),
        }
        for name, value in wanted.items():
            assert getattr(found, name)[i] == pytest.approx(value, rel=1e-12), name


def test_batches_and_tables() -> None:
    pandas = pytest.importorskip("pandas")
    a = np.stack([balls((30, 40), seed) for seed in (1, 2, 3)])
    b = np.roll(a, 1, axis=1)
    found = metrics.surface_distances(a, b, batch_axes=0, labels=[2, 4])
    assert found.hausdorff.shape == (3, 2)
    assert found.normalised is None
    for i in range(3):
        one = metrics.surface_distances(a[i], b[i], labels=[2, 4])
        assert np.array_equal(found.average[i], one.average, equal_nan=True)
    table = pandas.DataFrame(found._asdict())
    assert table.raster.tolist() == [0, 0, 1, 1, 2, 2]
    assert table.labels.tolist() == [2, 4] * 3
    last = metrics.surface_distances(np.moveaxis(a, 0, 2), np.moveaxis(b, 0, 2), batch_axes=-1)
    whole = metrics.surface_distances(a, b, batch_axes=0)
    assert np.array_equal(last.hausdorff, whole.hausdorff, equal_nan=True)
    assert list(metrics.surface_distances(a[0], b[0])._asdict())[:2] == ["labels", "hausdorff"]


def test_labels_that_are_missing() -> None:
    a, b = np.zeros((2, 5, 6), np.int16)
    a[1:3, 1:3], b[1:3, 1:3] = 4, 4
    a[4, 4] = 7
    found = metrics.surface_distances(a, b, labels=[4, 7, 9], tolerance=0)
    assert found.hausdorff.tolist()[:2] == [0, np.inf]
    assert found.normalised is not None
    assert found.normalised.tolist()[:2] == [1, 0]
    assert found.hausdorff_percentile.tolist()[:2] == [0, np.inf]
    for percentile in (0, 50, 100):
        for pair in ((a, b), (b, a)):
            of_one = metrics.surface_distances(*pair, labels=7, percentile=percentile)
            assert of_one.hausdorff_percentile.tolist() == [np.inf]
    assert np.isnan(found.average[2])
    assert np.isnan(found.normalised[2])
    none = metrics.surface_distances(np.zeros((3, 3)), np.zeros((3, 3)))
    assert none.labels.size == none.hausdorff.size == 0


def test_masks_backgrounds_and_coordinates() -> None:
    xarray = pytest.importorskip("xarray")
    a, b = np.zeros((2, 5, 9), bool)
    a[1:4, 1:5], b[1:4, 1:7] = True, True
    assert metrics.surface_distances(a, b).labels.tolist() == [True]
    assert metrics.surface_distances(a, b.astype(np.uint8)).hausdorff.tolist() == [2]
    both = metrics.surface_distances(a.astype(int), b.astype(int), background=None)
    assert both.labels.tolist() == [0, 1]
    frame = xarray.DataArray(
        a, dims=("y", "x"), coords={"y": np.arange(5) * 2.0, "x": np.arange(9) * 0.5}
    )
    assert metrics.surface_distances(frame, b).hausdorff.tolist() == [1]
    assert metrics.surface_distances(a - 1.0, b - 1.0, background=-1).labels.tolist() == [0]
    assert metrics.surface_distances(a.astype(int), b.astype(int), labels=0).hausdorff[0] == 2
    assert metrics.surface_distances(a, b, background=-1).labels.tolist() == [False, True]


@given(MASKS, st.sampled_from(SPACINGS))
@settings(deadline=None)
def test_thickness_is_that_of_its_definition(mask: np.ndarray, spacing: Any) -> None:
    spacing = spacing[-mask.ndim :]
    found = metrics.local_thickness(mask, spacing=spacing)
    if mask.all():
        assert np.isinf(found).all()
        return
    reach = thiessen.distance_transform(
        mask, values=[False], spacing=spacing, distance_type="float64"
    )
    wanted = np.zeros(mask.shape)
    for centre in np.argwhere(mask):
        one = np.zeros(mask.shape, np.uint8)
        one[tuple(centre)] = 1
        away = thiessen.distance_transform(one, spacing=spacing, distance_type="float64")
        radius = reach[tuple(centre)]
        wanted[away < radius] = np.maximum(wanted[away < radius], 2 * radius)
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("many", [0, 8, 1e9])
def test_balls_are_laid_one_by_one_or_together(many: float, monkeypatch: Any) -> None:
    monkeypatch.setattr(_balls, "_MANY", many)
    mask = balls((12, 30, 40), 5) > 0
    mask[2:7, :, 20:] = True
    spacing = (1.5, 1, 0.8)
    found = metrics.local_thickness(mask, spacing=spacing)
    options: Any = {"spacing": spacing, "distance_type": "float64"}
    reach = thiessen.distance_transform(mask, values=[False], **options)
    wanted = np.zeros(mask.shape)
    for radius in np.unique(reach[mask]):
        wanted[thiessen.distance_transform(reach >= radius, **options) < radius] = 2 * radius
    assert np.array_equal(found, wanted)


def test_thickness_of_other_arrays() -> None:
    xarray = pytest.importorskip("xarray")
    mask = balls((60, 80), 4) > 0
    exact = metrics.local_thickness(mask)
    frame = xarray.DataArray(
        mask, dims=("y", "x"), coords={"y": np.arange(60) * 0.5, "x": np.arange(80) * 0.5}
    )
    wrapped = metrics.local_thickness(frame)
    assert np.array_equal(wrapped.values, exact / 2)
    assert wrapped.attrs["long_name"] == "local thickness"
    masked = metrics.local_thickness(np.ma.MaskedArray(np.ones((60, 80), int), ~mask))
    assert np.array_equal(masked.filled(0), exact)
    told: list[float] = []
    metrics.local_thickness(mask, progress=told.append)
    assert told[-1] == 1


@given(MASKS, st.sampled_from(SPACINGS))
@settings(deadline=None)
def test_balls_of_the_medial_axis_are_the_object(mask: np.ndarray, spacing: Any) -> None:
    spacing = spacing[-mask.ndim :]
    if mask.all():
        with pytest.raises(ValueError, match="mask has no cell outside"):
            metrics.medial_axis(mask, spacing=spacing)
        return
    found = metrics.medial_axis(mask, spacing=spacing)
    assert not (found.centres & ~mask).any()
    covered = np.zeros(mask.shape, np.bool_)
    centres = np.argwhere(found.centres)
    for centre in centres:
        one = np.zeros(mask.shape, np.uint8)
        one[tuple(centre)] = 1
        away = thiessen.distance_transform(one, spacing=spacing, distance_type="float64")
        covered |= away < found.distance[tuple(centre)]
    assert np.array_equal(covered, mask)
    radii = found.distance[found.centres]
    apart = np.sqrt((((centres[:, None] - centres) * spacing) ** 2).sum(axis=2))
    within = radii > radii[:, None] + apart + 1e-9
    assert not within.any()


def test_the_medial_axis_of_a_plate_is_its_middle() -> None:
    morphology = pytest.importorskip("skimage.morphology")
    plate = np.zeros((21, 60), bool)
    plate[2:19, 3:57] = True
    found = metrics.medial_axis(plate)
    skeleton = morphology.medial_axis(plate)
    assert found.centres[10, 11:49].all()
    assert not (found.centres & ~skeleton).any()


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (0, 3, 4), (3, 0, 4), (3, 4, 0)])
def test_empty_arrays(shape: tuple[int, ...]) -> None:
    mask = np.zeros(shape, np.uint8)
    axis = metrics.medial_axis(mask)
    assert axis.centres.shape == axis.distance.shape == shape
    assert metrics.local_thickness(mask).shape == shape
    assert metrics.surface_distances(mask, mask).labels.size == 0


def test_an_object_without_cells_has_no_axis() -> None:
    axis = metrics.medial_axis(np.zeros((3, 4)))
    assert not axis.centres.any()
    assert not axis.distance.any()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda a: metrics.surface_distances(a, a[1:]), ValueError, "a has the shape"),
        (lambda a: metrics.surface_distances(a, a, percentile=101), ValueError, "percentile = 101"),
        (lambda a: metrics.surface_distances(a, a, tolerance=-1), ValueError, "tolerance = -1"),
        (lambda a: metrics.surface_distances(a, a, spacing=(1, 0)), ValueError, r"spacing\[1\]"),
        (
            lambda a: metrics.surface_distances(np.ma.masked_equal(a, 0), a),
            TypeError,
            "a is a masked array",
        ),
        (lambda a: metrics.surface_distances(a[0], a[0]), ValueError, "a has 1 axes"),
        (lambda a: metrics.local_thickness(a[0]), ValueError, "mask has 1 axes"),
        (lambda a: metrics.local_thickness(a, spacing=-1), ValueError, r"spacing\[0\] = -1"),
        (lambda a: metrics.medial_axis(a, spacing=(1, 0)), ValueError, r"spacing\[1\] = 0"),
    ],
)
def test_wrong_arguments_are_refused(call: Any, error: type[Exception], words: str) -> None:
    image = np.ones((4, 5), np.uint8)
    image[0] = 0
    with pytest.raises(error, match=words):
        call(image)
