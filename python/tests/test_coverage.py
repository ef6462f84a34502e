# SPDX-License-Identifier: Apache-2.0
"""distance_transform(coverage=True): kinds of arrays, batches, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen


def disc(dtype: Any, spacing: tuple[float, float] = (1, 1)) -> tuple[np.ndarray, np.ndarray]:
    """The coverage of a disc, and the signed distance to it."""
    samples = 32
    fine_y = spacing[0] * points(24, samples)[:, None] - 11.3
    fine_x = spacing[1] * points(30, samples)[None, :] - 14.1
    inside = np.hypot(fine_y, fine_x) < 8.2
    share = inside.reshape(24, samples, 30, samples).mean(axis=(1, 3))
    y, x = np.indices((24, 30))
    truth = np.hypot(spacing[0] * y - 11.3, spacing[1] * x - 14.1) - 8.2
    if np.dtype(dtype).kind == "f":
        return share.astype(dtype), truth
    return np.rint(np.iinfo(dtype).max * share).astype(dtype), truth


def points(cells: int, samples: int) -> np.ndarray:
    return (np.arange(cells * samples) + 0.5) / samples - 0.5


def transform(mask: Any, **arguments: Any) -> Any:
    return thiessen.distance_transform(mask, signed_distance=True, coverage=True, **arguments)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float16, np.float32, np.float64, ">u2"])
def test_is_near_the_truth(dtype: Any) -> None:
    mask, truth = disc(dtype)
    distance = transform(mask)
    assert distance.dtype == np.float32
    assert np.abs(distance - truth).max() < 0.05


def test_takes_spacing_and_a_limit() -> None:
    mask, truth = disc(np.float64, (1.0, 0.8))
    distance = transform(mask, spacing=(1.0, 0.8), distance_type="float64")
    assert np.abs(distance - truth).max() < 0.05
    limited = transform(mask, spacing=(1.0, 0.8), distance_type="float64", max_distance=3)
    far = np.abs(distance) > 3
    assert (limited[far] == np.copysign(np.inf, distance[far])).all()
    np.testing.assert_array_equal(limited[~far], distance[~far])


def test_booleans_are_exact_to_the_sides_of_cells() -> None:
    mask = np.zeros((7, 9), bool)
    mask[2:5, 3:6] = True
    distance = transform(mask)
    assert distance[3, 4] == -1.5
    assert distance[3, 0] == 2.5
    assert distance[0, 0] == np.float32(np.hypot(1.5, 2.5))


def test_any_threads_and_strides_give_the_same_bits() -> None:
    mask, _ = disc(np.uint8)
    distance = transform(mask, threads=1)
    np.testing.assert_array_equal(transform(mask, threads=3), distance)
    np.testing.assert_array_equal(transform(np.asfortranarray(mask)), distance)
    np.testing.assert_array_equal(transform(mask[::-1])[::-1], transform(mask[::-1].copy())[::-1])
    out = np.empty((24, 30), np.float32)
    assert transform(mask, out=out) is out
    np.testing.assert_array_equal(out, distance)


def test_rasters_of_a_batch_are_apart() -> None:
    mask, _ = disc(np.uint8)
    batch = np.stack([mask, np.zeros_like(mask), np.full_like(mask, 255), mask[::-1]])
    distance = transform(batch, batch_axes=0)
    np.testing.assert_array_equal(distance[0], transform(mask))
    assert (distance[1] == np.inf).all()
    assert (distance[2] == -np.inf).all()
    last = np.moveaxis(batch, 0, 2)
    np.testing.assert_array_equal(transform(last, batch_axes=2), np.moveaxis(distance, 0, 2))
    assert np.isfinite(transform(batch)).all(), "without it, a volume"


def test_a_data_array_has_its_coordinates_and_spacing() -> None:
    xarray = pytest.importorskip("xarray")
    mask, truth = disc(np.float32, (2.0, 2.0))
    frame = xarray.DataArray(
        mask, dims=("y", "x"), coords={"y": 2.0 * np.arange(24), "x": 2.0 * np.arange(30)}
    )
    distance = transform(frame)
    assert isinstance(distance, xarray.DataArray)
    assert "edge of the shape" in distance.attrs["long_name"]
    assert np.abs(distance.values - truth).max() < 0.15  # 4 cells are the radius
    frame.attrs["_FillValue"] = 0.0
    with pytest.raises(ValueError, match="sites has the nodata value 0.0 in its metadata"):
        transform(frame)


def test_progress_is_reported() -> None:
    told: list[float] = []
    transform(np.full((300, 300), 0.5), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


MASK = np.zeros((4, 5), np.uint8)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"signed_distance": False},
            ValueError,
            "signed_distance = False; must be True with coverage=True",
        ),
        ({"coverage": 1}, TypeError, "coverage = 1; must be True or False"),
        (
            {"distance_to": "boundary", "signed_distance": True},
            ValueError,
            "must be False with distance_to='boundary'",
        ),
        ({"metric": "manhattan"}, ValueError, "metric = 'manhattan'; must be 'euclidean'"),
        ({"method": "jfa"}, ValueError, "method = 'jfa'; must be 'exact'"),
        ({"periodic": True}, ValueError, "periodic = True; must be None"),
        ({"values": 3}, ValueError, "values = 3; must be None"),
        ({"nodata": 0}, ValueError, "nodata = 0; must be None"),
        ({"zero_is_site": True}, ValueError, "zero_is_site = True; must be False"),
        ({"free_nodata": True}, ValueError, "free_nodata = True; must be False"),
        ({"strict": True}, ValueError, "strict = True; must be None"),
        ({"device": "cuda"}, ValueError, "device = 'cuda'; must be None"),
        ({"spacing": 0}, ValueError, r"spacing\[0\] = 0; must be finite and > 0"),
        ({"max_distance": -1}, ValueError, "max_distance = -1; must be >= 0"),
        ({"max_distance": np.nan}, ValueError, "max_distance = nan; must be >= 0"),
    ],
)
def test_other_arguments_are_refused(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    given = {"signed_distance": True, "coverage": True, **arguments}
    with pytest.raises(error, match=message):
        thiessen.distance_transform(MASK, **given)


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (
            MASK.astype(np.int32),
            ValueError,
            "coverage is int32; must be uint8, uint16, float32, float64 or bool",
        ),
        (np.full((4, 5), 1.25), ValueError, r"coverage\[0, 0\] = 1.25; must be from 0 to 1"),
        (np.full((4, 5), np.nan), ValueError, r"coverage\[0, 0\] = nan; must be from 0 to 1"),
        (np.ma.masked_array(MASK), TypeError, "sites is a masked array; must be without a mask"),
        ("mask.png", TypeError, "sites is the text 'mask.png'"),
    ],
)
def test_other_masks_are_refused(mask: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        transform(mask)


def test_dask_is_refused() -> None:
    array = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match="coverage = True; must be False for arrays of Dask"):
        transform(array.from_array(MASK))
