# SPDX-License-Identifier: Apache-2.0
"""What regions hold and which of them touch, against NumPy and math.fsum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import thiessen
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

LABELS = hnp.arrays(
    st.sampled_from([np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64]),
    hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=7),
    elements=st.integers(0, 4),
)


@given(LABELS, st.integers(0, 2**32 - 1))
def test_masses_are_correctly_rounded(labels: np.ndarray, seed: int) -> None:
    random = np.random.default_rng(seed)
    field = np.ldexp(random.random(labels.shape) - 0.5, random.integers(-60, 60, labels.shape))
    found = thiessen.site_statistics(labels, field=field, distance=np.abs(field), background=None)
    values = np.unique(labels)
    assert found.labels.dtype == labels.dtype
    assert (found.labels == values).all()
    assert found.mass is not None
    assert found.greatest_distance is not None
    for i, value in enumerate(values):
        chosen = labels == value
        assert found.mass[i] == math.fsum(field[chosen])
        assert found.greatest_distance[i] == np.abs(field[chosen]).max()
        cells = np.argwhere(chosen)
        assert found.cells[i] == len(cells)
        assert (found.first[i] == cells.min(axis=0)).all()
        assert (found.last[i] == cells.max(axis=0)).all()
        np.testing.assert_allclose(found.centroid[i], cells.mean(axis=0), rtol=1e-14)
        moments = np.cov(cells.T, bias=True)
        np.testing.assert_allclose(found.second_moments[i], moments, rtol=1e-12, atol=1e-12)


@given(LABELS)
def test_contacts_are_those_of_slices(labels: np.ndarray) -> None:
    found = thiessen.adjacency(labels, background=None)
    counts: dict[tuple[Any, Any], int] = {}
    for axis in range(labels.ndim):
        moved = np.moveaxis(labels, axis, 0)
        for a, b in zip(moved[:-1].ravel().tolist(), moved[1:].ravel().tolist()):
            if a != b:
                counts[min(a, b), max(a, b)] = counts.get((min(a, b), max(a, b)), 0) + 1
    pairs = list(zip(found.a.tolist(), found.b.tolist()))
    assert pairs == sorted(counts)
    assert found.contacts.tolist() == [counts[pair] for pair in pairs]
    assert found.boundary.tolist() == found.contacts.tolist()


def test_a_table_has_a_column_for_each_number() -> None:
    pandas = pytest.importorskip("pandas")
    labels = np.zeros((3, 4, 5), np.int16)
    labels[1:, 2:, :3] = 4
    labels[0] = -2
    found = thiessen.site_statistics(labels, field=labels, spacing=(2, 1, 0.5))
    table = pandas.DataFrame(found._asdict())
    assert list(table.columns) == [
        *("labels", "cells", "volume", "centroid_z", "centroid_y", "centroid_x"),
        *(f"second_moments_{axes}" for axes in ("zz", "zy", "zx", "yy", "yx", "xx")),
        *(f"{name}_{axis}" for name in ("first", "last") for axis in "zyx"),
        *("mass", "mass_centroid_z", "mass_centroid_y", "mass_centroid_x"),
    ]
    assert table.labels.tolist() == [-2, 4]
    assert table.cells.tolist() == [20, 12]
    assert table.volume.tolist() == [20, 12]
    assert table.mass.tolist() == [-40, 48]
    assert table.centroid_z.tolist() == table.mass_centroid_z.tolist() == [0, 3]
    assert len(found) == 2
    pairs = thiessen.adjacency(labels, spacing=(2, 1, 0.5))
    assert pandas.DataFrame(pairs._asdict()).values.tolist() == [[-2, 4, 6, 3]]


def test_connectivities() -> None:
    labels = np.array([[1, 2], [3, 4]])
    assert len(thiessen.adjacency(labels).a) == 4
    assert len(thiessen.adjacency(labels, connectivity=8).a) == 6
    volume = np.arange(1, 9).reshape(2, 2, 2)
    counts = {n: len(thiessen.adjacency(volume, connectivity=n).a) for n in (6, 18, 26)}
    assert counts == {6: 12, 18: 24, 26: 28}
    with pytest.raises(ValueError, match="connectivity = 16; must be 4 or 8 in 2-D"):
        thiessen.adjacency(labels, connectivity=16)  # type: ignore[arg-type]


def test_masks_and_nodata_are_left_out() -> None:
    labels = np.ma.masked_equal(np.array([[1, 1, 9], [0, 2, 9]], np.uint8), 9)
    found = thiessen.site_statistics(labels)
    assert found.labels.dtype == np.uint8
    assert found.labels.tolist() == [1, 2]
    assert thiessen.site_statistics(labels.data, nodata=9).labels.tolist() == [1, 2]
    assert thiessen.site_statistics(labels.data, background=None).labels.tolist() == [0, 1, 2, 9]
    assert thiessen.adjacency(labels, background=None).a.tolist() == [0, 0, 1]
    field = np.ma.masked_equal(np.array([[1, 50, 1], [9, 2, 1]], np.uint8), 50)
    nan = np.where(field.mask, np.nan, field.data)
    sums = thiessen.site_statistics(labels, field=field, distance=field)
    assert sums.mass.tolist() == [1, 2]
    assert (
        sums.greatest_distance.tolist()
        == thiessen.site_statistics(labels, distance=nan).greatest_distance.tolist()
    )
    mask = np.ma.MaskedArray([[True, False], [True, True]], [[True, False], [False, False]])
    found = thiessen.site_statistics(mask)
    assert found.labels.tolist() == [True]
    assert found.cells.tolist() == [2]
    whole = thiessen.site_statistics(np.ones((2, 2), bool))
    assert whole.labels.dtype == np.bool_


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, ">i4", ">f8"])
def test_labels_keep_their_dtype(dtype: Any) -> None:
    labels = np.array([[1, 1, 2], [0, 2, 2]]).astype(dtype)
    found = thiessen.site_statistics(labels, field=labels)
    assert found.labels.dtype == labels.dtype.newbyteorder("=")
    assert found.labels.tolist() == [1, 2]
    assert found.mass is not None
    assert found.mass.tolist() == [2, 6]


def test_spacing_comes_from_coordinates() -> None:
    xarray = pytest.importorskip("xarray")
    frame = xarray.DataArray(
        [[1, 1], [1, 2]], dims=("y", "x"), coords={"y": [10.0, 12.0], "x": [0.0, 0.5]}
    )
    found = thiessen.site_statistics(frame, field=frame)
    assert found.volume.tolist() == [3, 1]
    assert found.centroid[1].tolist() == [12, 0.5]
    assert thiessen.site_statistics(frame, spacing=1).volume.tolist() == [3, 1 * 1.0]
    assert thiessen.adjacency(frame).boundary.tolist() == [2.5]


def test_results_do_not_depend_on_threads() -> None:
    sites = thiessen.random_sites((500, 700), 300, seed=3)
    found = thiessen.nearest_site(sites)
    field = np.random.default_rng(1).normal(size=sites.shape)
    one, many = (
        thiessen.site_statistics(
            found.labels, field=field, distance=found.distance, threads=threads
        )._asdict()
        for threads in (1, 5)
    )
    assert all((one[name] == many[name]).all() for name in one)
    pairs = [thiessen.adjacency(found.labels, threads=threads) for threads in (1, 5)]
    assert all((a == b).all() for a, b in zip(*pairs))
    results = thiessen.site_statistics(found.labels)
    results.cells[0] = 7  # arrays of the caller's own
    assert results.mass is None
    assert results.mean_distance is None


def test_progress_is_reported() -> None:
    told: list[float] = []
    thiessen.site_statistics(np.ones((50, 50), np.int32), progress=told.append)
    thiessen.adjacency(np.ones((50, 50), np.int32), progress=told.append)
    assert told.count(1) == 2


def test_wrong_arguments_are_refused() -> None:
    labels = np.array([[1, 2]])
    with pytest.raises(ValueError, match=r"field has the shape \(2, 1\) and labels \(1, 2\)"):
        thiessen.site_statistics(labels, field=labels.T)
    with pytest.raises(ValueError, match=r"field\[0, 1\] = nan; must be finite"):
        thiessen.site_statistics(labels, field=np.array([[1, np.nan]]))
    with pytest.raises(ValueError, match="distance is int64; must be float32 or float64"):
        thiessen.site_statistics(labels, distance=labels)
    with pytest.raises(ValueError, match=r"spacing\[1\] = 0; must be finite and > 0"):
        thiessen.adjacency(labels, spacing=(1, 0))
    with pytest.raises(ValueError, match="background = 0.5; must be a value of"):
        thiessen.site_statistics(labels, background=0.5)
    with pytest.raises(ValueError, match="labels has 1 axes"):
        thiessen.site_statistics(labels[0])
    with pytest.raises(TypeError, match="threads = 1.5; must be an integer"):
        thiessen.adjacency(labels, threads=1.5)  # type: ignore[arg-type]


@given(LABELS, st.integers(0, 2**32 - 1))
def test_regions_are_kept_up_to_date(labels: np.ndarray, seed: int) -> None:
    random = np.random.default_rng(seed)
    field = random.random(labels.shape).astype(np.float32)
    distance = random.random(labels.shape)
    regions = thiessen.RegionStatistics(labels, field=field, distance=distance, background=None)
    for _ in range(3):
        cells = random.integers(0, labels.size, 3)
        labels.reshape(-1)[cells] = random.integers(0, 5, 3).astype(labels.dtype)
        field.reshape(-1)[cells] = random.random(3)
        distance.reshape(-1)[cells] = random.random(3)
        regions.update(cells)
        changed = regions.changes().labels
        all_rows = thiessen.site_statistics(
            labels, field=field, distance=distance, background=None
        )._asdict()
        for name, column in regions.statistics()._asdict().items():
            assert column.dtype == all_rows[name].dtype
            assert np.array_equal(column, all_rows[name], equal_nan=True)
        rows = np.isin(all_rows["labels"], changed)
        some = regions.statistics(changed)
        assert some.mass is not None
        assert np.array_equal(some.mass, all_rows["mass"][rows])
        pairs = thiessen.adjacency(labels, background=None)
        for own, expected in zip(regions.adjacency(), pairs):
            assert np.array_equal(own, expected)
        chosen = np.isin(pairs.a, changed) | np.isin(pairs.b, changed)
        assert regions.adjacency(changed).contacts.tolist() == pairs.contacts[chosen].tolist()


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        ([[1, 2]], TypeError, "labels is a list; must be a NumPy array"),
        (np.ones((2, 2), ">i4"), TypeError, "labels has the dtype >i4"),
        (np.ones((2, 2), np.float16), TypeError, "labels has the dtype <f2"),
        (np.ones(4, np.int32), ValueError, "labels has 1 axes; must have 2 or 3"),
    ],
)
def test_regions_need_arrays_that_can_be_read_again(
    labels: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        thiessen.RegionStatistics(labels)


def test_regions_refuse_wrong_updates() -> None:
    labels = np.ones((2, 3), np.int32)
    regions = thiessen.RegionStatistics(labels)
    with pytest.raises(ValueError, match=r"cells\[0\] = 6; must be from 0 to 5"):
        regions.update([6])
    with pytest.raises(TypeError, match="cells has the dtype float64; must be integers"):
        regions.update([0.5])
    with pytest.raises(ValueError, match="labels has values that int32 cannot hold"):
        regions.statistics([1.5])
    regions.update([])
    assert regions.changes().labels.size == 0
    labels[0, 0] = 2
    regions.update([0])
    came = regions.changes()
    assert (came.came_a.tolist(), came.came_b.tolist(), came.went_a.size) == ([1], [2], 0)
    assert regions.bytes() > 0
    assert regions.adjacency(7).contacts.size == 0
