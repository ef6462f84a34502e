# SPDX-License-Identifier: Apache-2.0
"""thiessen.compat.edt against edt itself, and against distances to a border that is really there."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from thiessen.compat import edt as ours

LARGEST = {1: 14, 2: 9, 3: 6}
FUNCTIONS = ("edt", "edtsq", "sdf", "sdfsq")
DTYPES = ("?", "u1", "i2", "u4", "i8", "f4", "f8")


def labels_of(rng: np.random.Generator, axes: int, dtype: str, order: bool) -> np.ndarray:
    shape = tuple(rng.integers(0, LARGEST[axes] + 1, axes))
    labels = rng.integers(0, rng.integers(2, 5), shape).astype(dtype)
    return np.asfortranarray(labels) if order else labels


def problems(count: int) -> Any:
    """Labels, lengths of cells as edt takes them, and whether there is a border."""
    rng = np.random.default_rng(1)
    for i in range(count):
        axes = 1 + i % 3
        labels = labels_of(rng, axes, DTYPES[i % len(DTYPES)], i % 4 == 0)
        lengths: Any = [None, tuple(rng.choice([0.5, 1.0, 2.0, 3.5], axes))][i % 2]
        if lengths is not None and axes == 1:
            lengths = float(lengths[0])
        yield labels, lengths, bool(rng.integers(2))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_same_as_edt(name: str) -> None:
    theirs = getattr(pytest.importorskip("edt"), name)
    for labels, lengths, border in problems(300):
        expected = theirs(labels, lengths, border)
        found = getattr(ours, name)(labels, lengths, border, parallel=2)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        assert found.flags.f_contiguous == expected.flags.f_contiguous
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_signatures_are_those_of_edt() -> None:
    theirs = pytest.importorskip("edt")
    for name in FUNCTIONS:
        wanted = inspect.signature(getattr(theirs, name)).parameters.values()
        found = inspect.signature(getattr(ours, name)).parameters.values()
        assert [(p.name, p.default) for p in found] == [(p.name, p.default) for p in wanted]


def test_a_border_is_as_if_zeros_were_around() -> None:
    for labels, lengths, _ in problems(60):
        padded = np.pad(labels, 1)
        inner = (slice(1, -1),) * labels.ndim
        for name in ("edt", "edtsq"):
            function = getattr(ours, name)
            found = function(labels, lengths, black_border=True)
            np.testing.assert_array_equal(found, function(padded, lengths)[inner])


def test_squares_are_exact() -> None:
    """Beyond 2**24 float32 holds some integers only, and odd ones lie between two of them."""
    labels = np.ones(6000, np.uint8)
    labels[0] = 0
    squares = np.arange(6000, dtype=np.int64) ** 2
    np.testing.assert_array_equal(ours.edtsq(labels), squares.astype(np.float32))
    np.testing.assert_array_equal(ours.edtsq(labels, 3), (9 * squares).astype(np.float32))
    np.testing.assert_array_equal(ours.sdfsq(labels[::-1])[:-1], squares[:0:-1].astype(np.float32))


def test_kinds_of_data() -> None:
    labels = [5, 5, 5, 8, 0, 0]
    assert ours.edt(labels).tolist() == [3, 2, 1, 1, 0, 0]
    assert ours.sdf(labels).tolist() == [3, 2, 1, 1, -1, -2]
    for dtype in ("f2", ">i4", "g", ">f8"):
        assert ours.edt(np.array(labels, dtype)).tolist() == [3, 2, 1, 1, 0, 0]
    assert ours.edt(np.array([1, np.nan, np.nan, np.nan, 1, -0.0])).tolist() == [1, 1, 2, 1, 1, 0]
    assert ours.edt(np.array([labels, labels])[:, ::2]).tolist() == [[2, 1, 0]] * 2
    for function in (ours.edt, ours.sdf):
        assert np.isposinf(function(np.ones((2, 3), int))).all()
    assert np.isneginf(ours.sdf(np.zeros((2, 3)))).all()
    assert ours.edt(np.zeros((0, 3))).shape == (0, 3)
    assert ours.edt(labels, parallel=0).tolist() == ours.edt(labels, parallel=-1).tolist()


@pytest.mark.parametrize("in_place", [False, True])
def test_each(in_place: bool) -> None:
    for labels, _, _ in problems(40):
        distance = ours.edt(labels)
        images = ours.each(labels, distance, in_place)
        expected = [label for label in np.unique(labels) if label]
        assert len(images) == len(expected)
        for (label, image), wanted in zip(images, expected):
            assert label == wanted and image.dtype == np.float32
            assert image.flags.writeable != in_place
            np.testing.assert_array_equal(image, np.where(labels == label, distance, 0))
    with pytest.raises(ValueError, match=r"dt has the shape \(2,\); must be that of labels"):
        ours.each([1, 2, 3], [1, 2])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_refused(name: str) -> None:
    function = getattr(ours, name)
    for data in (5, np.ones((1, 1, 1, 1))):
        with pytest.raises(TypeError, match=r"data has . axes; must have 1, 2 or 3"):
            function(data)
    for data in (["a"], np.ones(3, complex), None):
        with pytest.raises(TypeError, match="data"):
            function(data)
    for lengths in ((1, 2, 3), (1,)):
        with pytest.raises(ValueError, match=r"anisotropy has . values; must be one, or one for"):
            function(np.ones((2, 2)), lengths)
    for length in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"anisotropy\[1\] = .*; must be finite and > 0"):
            function(np.ones((2, 2)), (1, length))
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        function([1, 0], parallel=1.5)
    with pytest.raises(ValueError, match="voxel_graph is given; must be None"):
        function(np.ones((2, 2)), voxel_graph=np.ones((2, 2), np.uint8))
