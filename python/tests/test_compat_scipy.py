# SPDX-License-Identifier: Apache-2.0
"""thiessen.compat.scipy against SciPy itself: distances, indices of ties, outputs and errors."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from thiessen.compat import scipy as facade

ndimage = pytest.importorskip("scipy.ndimage")

EDT, BF, CDT = "distance_transform_edt", "distance_transform_bf", "distance_transform_cdt"
ALL = (EDT, BF, CDT)
TINY = {1: 12, 2: 8, 3: 5, 4: 4}  # largest extent, by number of axes
DTYPES = ("?", "u1", "i2", ">i4", "i8", "f4", "f8", ">f8", "f2", "c16", "g")
# With powers of two SciPy's floats are exact, and its ties are ties.
EXACT_SAMPLINGS = (None, 1, 2, 0.5, "integers", "halves")


def ours(name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(facade, name)(*args, **kwargs)


def theirs(name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(ndimage, name)(*args, **kwargs)


def raster(rng: np.random.Generator, axes: int, dtype: str = "u1") -> np.ndarray:
    """A tiny raster full of ties with at least one zero cell, in any memory layout."""
    shape = tuple(rng.integers(1, TINY[axes] + 1, axes))
    if rng.random() < 0.4:  # a lattice
        step = rng.integers(1, 4, axes)
        cells = np.ones(shape, bool)
        cells[tuple(slice(None, None, int(s)) for s in step)] = False
    else:
        cells = rng.random(shape) >= rng.choice([0.01, 0.1, 0.3, 0.6, 0.9])
    cells[tuple(rng.integers(0, shape))] = False
    values = np.where(cells, rng.integers(1, 100, shape), 0).astype(dtype)
    return layout(rng, values)


def layout(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """The same array with other strides: transposed, reversed or with gaps."""
    kind = rng.integers(4)
    if kind == 1:
        return np.asfortranarray(array)
    if kind == 2:
        return array[(slice(None, None, -1),) * array.ndim].copy()[
            (slice(None, None, -1),) * array.ndim
        ]
    if kind == 3:
        gaps = np.zeros([2 * extent for extent in array.shape], array.dtype)
        gaps[(slice(None, None, 2),) * array.ndim] = array
        return gaps[(slice(None, None, 2),) * array.ndim]
    return array


def sampling_of(rng: np.random.Generator, kind: Any, axes: int) -> Any:
    if kind == "integers":
        return [int(n) for n in rng.integers(1, 4, axes)]
    if kind == "halves":
        return rng.choice([0.25, 0.5, 1.0, 1.5, 2.0], axes)
    return kind


def rasters(count: int, seed: int) -> Iterator[tuple[np.random.Generator, np.ndarray]]:
    rng = np.random.default_rng(seed)
    for i in range(count):
        axes = 4 if i % 10 == 0 else 1 + i % 3
        yield rng, raster(rng, axes, DTYPES[i % len(DTYPES)])


def assert_same(got: Any, expected: Any) -> None:
    """The same distances and indices; of whole numbers and indices every bit."""
    for ours_, theirs_ in zip(got, expected, strict=True):
        assert ours_.dtype == theirs_.dtype
        assert ours_.shape == theirs_.shape
        if ours_.dtype.kind in "iu":
            np.testing.assert_array_equal(ours_, theirs_)
        else:
            np.testing.assert_allclose(ours_, theirs_, rtol=1e-15)


@pytest.mark.parametrize("name", ALL)
def test_signature_is_scipys(name: str) -> None:
    def parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
        return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]

    assert parameters(getattr(facade, name)) == parameters(getattr(ndimage, name))


def test_edt_has_scipys_ties() -> None:
    for i, (rng, cells) in enumerate(rasters(1000, seed=1)):
        sampling = sampling_of(rng, EXACT_SAMPLINGS[i % len(EXACT_SAMPLINGS)], cells.ndim)
        expected = theirs(EDT, cells, sampling, return_indices=True)
        assert_same(ours(EDT, cells, sampling, return_indices=True), expected)
        assert_same([ours(EDT, cells, sampling)], expected[:1])


def test_edt_of_decimal_samplings() -> None:
    """SciPy may take a tie for none, so its indices are only as near as ours."""
    for rng, cells in rasters(300, seed=2):
        sampling = rng.integers(1, 40, cells.ndim) / 10
        distance, index = ours(EDT, cells, sampling, return_indices=True)
        np.testing.assert_allclose(distance, theirs(EDT, cells, sampling), rtol=1e-14)
        assert not np.asarray(cells[tuple(index)]).any()
        steps = (index - np.indices(cells.shape)).T * sampling
        np.testing.assert_allclose(np.sqrt((steps**2).sum(axis=-1)).T, distance, rtol=1e-14)


def test_edt_of_decimal_samplings_keeps_ties() -> None:
    """Three steps of 0.1 are as far as one of 0.3, which they are not in floats."""
    cells = np.ones((4, 2), np.uint8)
    cells[3, 0] = cells[0, 1] = 0
    index = ours(EDT, cells, [0.1, 0.3], return_distances=False, return_indices=True)
    assert index[:, 0, 0].tolist() == [3, 0]
    index = ours(EDT, cells[::-1].T, [0.3, 0.1], return_distances=False, return_indices=True)
    assert index[:, 0, 3].tolist() == [0, 0]


@pytest.mark.parametrize("metric", ["euclidean", "taxicab", "cityblock", "Manhattan", "CHESSBOARD"])
def test_bf_has_scipys_ties(metric: str) -> None:
    for i, (rng, cells) in enumerate(rasters(200, seed=3)):
        sampling = sampling_of(rng, EXACT_SAMPLINGS[i % len(EXACT_SAMPLINGS)], cells.ndim)
        expected = theirs(BF, cells, metric, sampling, return_indices=True)
        assert_same(ours(BF, cells, metric, sampling, return_indices=True), expected)
        assert_same([ours(BF, cells, metric, sampling)], expected[:1])


def test_bf_of_extents_that_float32_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facade, "_EXACT_IN_FLOAT32", 0)
    for _, cells in rasters(30, seed=10):
        expected = theirs(BF, cells, "taxicab", return_indices=True)
        assert_same(ours(BF, cells, "taxicab", return_indices=True), expected)


@pytest.mark.parametrize("metric", ["taxicab", "cityblock", "manhattan", "chessboard"])
def test_cdt_has_scipys_ties(metric: str) -> None:
    for _, cells in rasters(200, seed=4):
        expected = theirs(CDT, cells, metric, return_indices=True)
        assert_same(ours(CDT, cells, metric, return_indices=True), expected)
        assert_same([ours(CDT, cells, metric)], expected[:1])


def test_cdt_of_masks() -> None:
    for rng, cells in rasters(400, seed=5):
        mask = rng.random((3,) * cells.ndim) < rng.choice([0.2, 0.5, 0.9])
        distance, index = ours(CDT, cells, mask, return_indices=True)
        expected, expected_index = theirs(CDT, cells, mask, return_indices=True)
        np.testing.assert_array_equal(distance, expected)
        reached = expected >= 0
        np.testing.assert_array_equal(index[:, reached], expected_index[:, reached])
        assert (index[:, ~reached] == -1).all()


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f8", "O"])
def test_cdt_masks_of_any_type(dtype: str) -> None:
    cells = np.ones((5, 6), np.uint8)
    cells[2, 3] = 0
    mask = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]).astype(dtype)
    np.testing.assert_array_equal(ours(CDT, cells, mask), ours(CDT, cells, "taxicab"))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("axes", [1, 2, 3, 4])
def test_given_outputs_of_every_layout(name: str, axes: int) -> None:
    rng = np.random.default_rng(6)
    for order in ("=", ">"):
        for _ in range(25):
            cells = raster(rng, axes)
            expected = theirs(name, cells, return_indices=True)
            given = [
                layout(rng, array.astype(array.dtype.newbyteorder(order))) for array in expected
            ]
            for array in given:
                array[...] = 77
            assert (
                ours(name, cells, return_indices=True, distances=given[0], indices=given[1]) is None
            )
            for array, wanted in zip(given, expected, strict=True):
                np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("name", ALL)
def test_unaligned_outputs(name: str) -> None:
    cells = raster(np.random.default_rng(7), 2)
    expected = theirs(name, cells)
    memory = np.zeros(expected.nbytes + 1, np.uint8)
    given = memory[1:].view(expected.dtype).reshape(expected.shape)
    assert ours(name, cells, distances=given) is None
    np.testing.assert_array_equal(given, expected)


@pytest.mark.parametrize("name", ALL)
def test_what_is_returned(name: str) -> None:
    cells = np.array([[1, 1, 0], [1, 1, 1]])
    distance, index = expected = theirs(name, cells, return_indices=True)
    assert_same(ours(name, cells, return_indices=True), expected)
    assert_same([ours(name, cells)], [distance])
    assert_same([ours(name, cells, return_distances=False, return_indices=True)], [index])
    given, given_index = np.zeros_like(distance), np.zeros_like(index)
    assert ours(name, cells, distances=given) is None
    assert_same([ours(name, cells, return_indices=True, distances=given)], [index])
    assert_same([ours(name, cells, return_indices=True, indices=given_index)], [distance])
    only_indices = {"return_distances": False, "return_indices": True, "indices": given_index}
    assert ours(name, cells, **only_indices) is None
    assert_same([given, given_index], expected)


@pytest.mark.parametrize("name", ALL)
def test_outputs_in_the_memory_of_the_input(name: str) -> None:
    for axes in (1, 2, 3, 4):
        cells = raster(np.random.default_rng(8), axes)
        expected = theirs(name, cells, return_indices=True)
        memory = np.zeros(expected[0].shape, expected[0].dtype)
        memory[...] = cells
        assert_same([ours(name, memory, distances=memory, return_indices=True)], expected[1:])
        assert_same([memory], expected[:1])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3), (1, 1, 0, 2)])
def test_no_cells(name: str, shape: tuple[int, ...]) -> None:
    cells = np.zeros(shape)
    assert_same(ours(name, cells, return_indices=True), theirs(name, cells, return_indices=True))


@pytest.mark.parametrize("axes", [1, 2, 3, 4])
def test_no_zero_cell(axes: int) -> None:
    cells = np.ones((2, 3, 1, 2)[:axes], np.uint8)
    whole = [(BF, "taxicab", 2**32 - 1), (BF, "chessboard", 2**32 - 1), (CDT, "taxicab", -1)]
    for name, *metric, unreached in [(EDT, np.inf), (BF, np.inf), (CDT, -1), *whole]:
        keywords = {"metric": metric[0]} if metric else {}
        distance, index = ours(name, cells, return_indices=True, **keywords)
        assert (distance == unreached).all()
        assert (index == -1).all()
        assert (ours(name, cells, **keywords) == unreached).all()


def test_no_axis() -> None:
    for value in (0, 1):
        distance, index = ours(EDT, np.array(value), return_indices=True)
        assert distance.tolist() == [np.inf if value else 0]
        assert index.tolist() == [[-value]]
        for metric, unreached in (("euclidean", np.inf), ("chessboard", 2**32 - 1)):
            distance, index = ours(BF, np.array(value), metric, return_indices=True)
            assert distance.shape == () and distance == (unreached if value else 0)
            assert index.shape == (0,)
        with pytest.raises(TypeError, match="input has no axis"):
            ours(CDT, np.array(value))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "cells",
    [
        [[0, 1], [1, 1]],
        np.array(["", "a", "b"]),
        np.array([0, None, "", [], 2], dtype=object),
        np.array([0, 1j, 2]),
        np.array([0, np.nan, -0.0, np.inf, 1]),
        np.array([0, 1, 2], "m8[s]"),
        np.ma.masked_equal([3, 0, 1, 1], 1),
        np.ones((2, 3), np.uint8)[:, :0],
    ],
)
def test_what_counts_as_zero(name: str, cells: Any) -> None:
    distance = theirs(name, cells)
    if np.max(distance, initial=0) > 1e9:  # SciPy's way to say that there is no zero cell
        distance = np.full(distance.shape, np.inf)
    np.testing.assert_array_equal(ours(name, cells), distance)


@pytest.mark.parametrize("name", ALL)
def test_read_only_input(name: str) -> None:
    cells = np.array([[1, 0], [1, 1]])
    cells.flags.writeable = False
    assert_same([ours(name, cells)], [theirs(name, cells)])


@pytest.mark.parametrize("name", ALL)
def test_errors_of_outputs(name: str) -> None:
    cells = np.array([[1, 0], [1, 1]])
    distance, index = theirs(name, cells, return_indices=True)
    read_only = distance.copy()
    read_only.flags.writeable = False
    cases: list[dict[str, Any]] = [
        {"distances": distance[:1]},
        {"distances": distance.astype(np.float32)},
        {"distances": read_only},
        {"indices": index[:, :1].copy(), "return_indices": True},
        {"indices": index.astype(np.int64), "return_indices": True},
        {"indices": index},
        {"distances": distance, "return_distances": False, "return_indices": True},
        {"return_distances": False},
    ]
    for arguments in cases:
        with pytest.raises((RuntimeError, ValueError)) as scipys:
            theirs(name, cells, **arguments)
        with pytest.raises(scipys.type, match=r"distances|indices"):
            ours(name, cells, **arguments)
    for arguments in ({"distances": [1]}, {"indices": [1], "return_indices": True}):
        with pytest.raises(TypeError, match=r"must be a numpy\.ndarray or None"):
            ours(name, cells, **arguments)


@pytest.mark.parametrize("name", [EDT, BF])
def test_errors_of_sampling(name: str) -> None:
    cells = np.array([[1, 0], [1, 1]])
    for sampling in ([1], [1, 2, 3]):
        with pytest.raises(RuntimeError):
            theirs(name, cells, sampling=sampling)
        with pytest.raises(RuntimeError, match="sampling has"):
            ours(name, cells, sampling=sampling)
    for value in (0, -2, np.nan, np.inf):
        with pytest.raises(ValueError, match=rf"sampling\[1\] = {value}; must be finite and > 0"):
            ours(name, cells, sampling=[1, value])
    for value, error in (("a", ValueError), (1j, TypeError)):
        with pytest.raises(error):
            ours(name, cells, sampling=value)


def test_errors_of_metrics() -> None:
    cells = np.array([[1, 0], [1, 1]])
    with pytest.raises(RuntimeError, match="metric = 'cosine'"):
        ours(BF, cells, "cosine")
    with pytest.raises(RuntimeError, match="metric = 3"):
        ours(BF, cells, 3)
    with pytest.raises(RuntimeError, match="metric = array"):
        ours(BF, cells, np.ones((3, 3)))
    for metric in ("euclidean", "Taxicab"):
        with pytest.raises(ValueError, match="invalid metric provided"):
            ours(CDT, cells, metric)
    for shape in ((), (3,), (3, 4), (3, 3, 3)):
        with pytest.raises(ValueError, match="metric has shape"):
            ours(CDT, cells, np.ones(shape))


def test_spacings_too_fine_for_int64_in_four_axes() -> None:
    cells = np.ones((3, 2, 2, 2), np.uint8)
    cells[0, 0, 0, 0] = cells[2, 1, 1, 1] = 0
    sampling = [1.000000000001, 1.00000000003, 0.99999999999, 1e9]
    distance, index = ours(EDT, cells, sampling, return_indices=True)
    np.testing.assert_allclose(distance, theirs(EDT, cells, sampling), rtol=1e-15)
    np.testing.assert_array_equal(index, theirs(EDT, cells, sampling, False, True))


@pytest.mark.parametrize("name", [EDT, CDT])
def test_ctrl_c_ends_a_call(name: str) -> None:
    cells = np.ones((5000, 5000), np.uint8)
    cells[0, 0] = 0
    indices = np.zeros((2, 5000, 5000), np.int32)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(100):
                signal.setitimer(signal.ITIMER_REAL, 0.03)
                ours(name, cells, return_indices=True, indices=indices)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_large_rasters_run_on_threads() -> None:
    rng = np.random.default_rng(9)
    cells = rng.random((700, 900)) > 0.02
    for name in (EDT, CDT):
        expected = theirs(name, cells, return_indices=True)
        assert_same(ours(name, cells, return_indices=True), expected)
