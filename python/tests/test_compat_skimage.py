# SPDX-License-Identifier: Apache-2.0
"""thiessen.compat.skimage against scikit-image itself."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from thiessen.compat.skimage import expand_labels

segmentation = pytest.importorskip("skimage.segmentation")

LARGEST = {1: 12, 2: 8, 3: 5, 4: 4}


def labels_of(rng: np.random.Generator, axes: int, dtype: str) -> np.ndarray:
    shape = tuple(rng.integers(1, LARGEST[axes] + 1, axes))
    is_site = rng.random(shape) < rng.choice([0.02, 0.1, 0.4])
    labels = np.where(is_site, rng.integers(1, 100, shape), 0).astype(dtype)
    return np.asfortranarray(labels) if rng.random() < 0.3 else labels[..., ::-1]


def assert_same(labels: np.ndarray, *args: Any, **kwargs: Any) -> None:
    got = expand_labels(labels, *args, **kwargs)
    expected = segmentation.expand_labels(labels, *args, **kwargs)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


def test_signature_is_scikit_images() -> None:
    def parameters(function: Any) -> list[tuple[str, Any]]:
        return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]

    assert parameters(expand_labels) == parameters(segmentation.expand_labels)


def test_same_labels_ties_included() -> None:
    rng = np.random.default_rng(1)
    dtypes = ("i4", "u1", ">i2", "i8", "?", "f4", ">f8", "u8", "f2", "c8", "O", "g")
    for i in range(600):
        axes = 4 if i % 10 == 0 else 1 + i % 3
        labels = labels_of(rng, axes, dtypes[i % len(dtypes)])
        spacing = [1, 2, 0.5, [float(s) for s in rng.choice([0.5, 1.0, 1.5, 2.0], axes)]][i % 4]
        distance = [0, 1, 1.5, 2.0, 3, np.inf, -1, np.nan][i % 8]
        assert_same(labels, distance, spacing)


def test_defaults_and_the_limit_itself() -> None:
    labels = np.array([[0, 1, 0, 0], [2, 0, 0, 0], [0, 3, 0, 0]])
    assert_same(labels)
    assert_same(labels, np.sqrt(2))
    assert_same(labels, np.nextafter(np.sqrt(2), 0))
    assert_same(labels, 1, spacing=[1, 0.5])


def test_nan_is_a_label() -> None:
    assert_same(np.array([[0, np.nan, 0, 0, 2.0, 0]]), 1)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0, 2)])
def test_no_cells(shape: tuple[int, ...]) -> None:
    assert_same(np.zeros(shape, np.int32), 2)


@pytest.mark.parametrize("axes", [1, 2, 3, 4])
def test_no_label(axes: int) -> None:
    assert_same(np.zeros((2, 3, 2, 2)[:axes], np.int32), 2)


def test_the_input_stays_as_it_is() -> None:
    labels = np.array([0, 0, 5, 0])
    labels.flags.writeable = False
    assert expand_labels(labels, 1).tolist() == [0, 5, 5, 5]
    assert labels.tolist() == [0, 0, 5, 0]


def test_array_likes() -> None:
    assert expand_labels([[0, 0, 4]], 1).tolist() == [[0, 4, 4]]


def test_errors() -> None:
    labels = np.array([[0, 1]])
    with pytest.raises(RuntimeError, match="spacing has 3 values"):
        expand_labels(labels, 1, spacing=[1, 1, 1])
    with pytest.raises(ValueError, match=r"spacing\[0\] = 0; must be finite and > 0"):
        expand_labels(labels, 1, spacing=0)
    with pytest.raises(ValueError, match="label_image has no axis"):
        expand_labels(np.array(3))


def test_an_array_on_a_gpu_is_refused_by_name() -> None:
    class OnGpu:
        __cuda_array_interface__ = ()

    with pytest.raises(RuntimeError, match=r"label_image is a .*OnGpu in CUDA memory"):
        expand_labels(OnGpu())  # type: ignore[arg-type]
