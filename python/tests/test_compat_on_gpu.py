# SPDX-License-Identifier: Apache-2.0
"""thiessen.compat.cupy, .cucim and .monai against SciPy and scikit-image, ties included: on the
host, where NumPy stands in for other libraries, and on a CUDA device where there is one."""

from __future__ import annotations

import contextlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import thiessen
from thiessen.compat import cucim, cupy, monai

ndimage = pytest.importorskip("scipy.ndimage")

HAS_DEVICE = any(
    device.available and device.name.startswith("cuda") for device in thiessen.devices()
)
NAMES = ["sampling", "return_distances", "return_indices", "distances", "indices", "block_params"]


def problems(count: int) -> Iterator[tuple[np.ndarray, Any]]:
    """Images with ties and with a zero cell or more, and samplings whose squares are exact."""
    rng = np.random.default_rng(3)
    for i in range(count):
        axes = 2 + i % 2
        shape = tuple(rng.integers(1, 12 if axes == 2 else 6, axes))
        image = (rng.random(shape) < rng.choice([0.5, 0.95])).astype(["?", "u1", "i4", "f4"][i % 4])
        image.flat[rng.integers(image.size)] = 0
        yield image, [None, 2.0, tuple(rng.choice([0.5, 1, 2], axes))][i % 3]


def assert_same(function: Callable[..., Any], image: Any, sampling: Any, take: Any) -> None:
    """On an image of any library, whose arrays `take` brings to the host."""
    on_host = take(image)
    expected = ndimage.distance_transform_edt(on_host, sampling, return_indices=True)
    for wide in (False, True):
        found = function(image, sampling, return_indices=True, float64_distances=wide)
        assert all(type(each) is type(image) for each in found)
        np.testing.assert_allclose(take(found[0]), expected[0], rtol=1e-6)
        np.testing.assert_array_equal(take(found[1]), expected[1])
        assert take(found[0]).dtype == (np.float64 if wide else np.float32)
        assert take(found[1]).dtype == np.int32
        alone = function(image, sampling, float64_distances=wide)
        np.testing.assert_array_equal(take(alone), take(found[0]))


@pytest.mark.parametrize("facade", [cupy, cucim])
def test_same_as_scipy(facade: Any) -> None:
    for image, sampling in problems(60):
        assert_same(facade.distance_transform_edt, image, sampling, np.asarray)


def test_signatures() -> None:
    for facade, first, wide in (
        (cupy, "image", True),
        (cucim, "image", False),
        (monai, "img", False),
    ):
        parameters = inspect.signature(facade.distance_transform_edt).parameters
        assert list(parameters) == [first, *NAMES, "float64_distances"]
        assert parameters["float64_distances"].default is wide
        defaults = [parameters[name].default for name in NAMES]
        assert defaults == [None, True, False, None, None, None]
        kinds = [parameters[name].kind for name in ("block_params", "float64_distances")]
        assert kinds == [inspect.Parameter.KEYWORD_ONLY] * 2
    parameters = inspect.signature(cucim.expand_labels).parameters
    assert [(p.name, p.default) for p in parameters.values()][1:] == [
        ("distance", 1),
        ("spacing", 1),
    ]


@pytest.mark.parametrize("dtype", ["i2", "u2", "i4", "u4", "i8", "u8"])
def test_arrays_that_are_given(dtype: str) -> None:
    for image, sampling in problems(20):
        if image.ndim == 3 and np.dtype(dtype).itemsize < 4:
            continue
        distances = np.empty(image.shape[::-1], np.float32).T
        indices = np.empty((image.ndim, *image.shape), dtype)
        given = cucim.distance_transform_edt(
            image, sampling, return_indices=True, distances=distances, indices=indices,
            block_params=(1, 2, 3),
        )  # fmt: skip
        wanted = ndimage.distance_transform_edt(image, sampling, return_indices=True)
        assert given is None
        np.testing.assert_allclose(distances, wanted[0], rtol=1e-6)
        np.testing.assert_array_equal(indices, wanted[1])
        alone = cucim.distance_transform_edt(image, sampling, return_indices=True, indices=indices)
        np.testing.assert_array_equal(alone, distances)


def test_without_any_zero_cell() -> None:
    distance, index = cupy.distance_transform_edt(np.ones((2, 3)), return_indices=True)
    assert np.isposinf(distance).all() and (index == -1).all()
    unsigned = np.empty((2, 2, 3), np.uint32)
    cupy.distance_transform_edt(np.ones((2, 3)), return_indices=True, indices=unsigned)
    assert (unsigned == 2**32 - 1).all()
    assert cupy.distance_transform_edt(np.array([[np.nan, 0]])).tolist() == [[1, 0]]
    assert cupy.distance_transform_edt([[1, 0]]).tolist() == [[1, 0]]
    for found in cupy.distance_transform_edt(np.ones((0, 3)), return_indices=True):
        assert found.size == 0


@pytest.mark.parametrize("facade", [cupy, cucim, monai])
def test_refused(facade: Any) -> None:
    function, image = facade.distance_transform_edt, np.ones((3, 4, 5), "u1")
    components = (3, 2, 4, 5) if facade is monai else (3, 3, 4, 5)
    dtype = np.float32 if facade is cucim else np.float64
    for options, message in (
        ({"return_distances": False}, "at least one of return_distances"),
        ({"indices": np.empty(components, np.int32)}, "return_indices must be True"),
        ({"distances": np.empty((3, 4), dtype)}, r"distances has the shape \(3, 4\); must be"),
        ({"distances": np.empty((3, 4, 5), np.int32)}, "distances has the dtype int32; must be"),
        (
            {"indices": np.empty(components, np.int16), "return_indices": True},
            "dtype int16; must be",
        ),
        (
            {"indices": np.empty(components), "return_indices": True},
            "dtype float64; must be integers",
        ),
        (
            {"indices": np.empty((3, 4, 5), np.int32), "return_indices": True},
            "indices has the shape",
        ),
        ({"sampling": (1, 2, 3, 4)}, "sampling has 4 values"),
    ):
        with pytest.raises(RuntimeError, match=message):
            function(image, **options)
    with pytest.raises(ValueError, match=r"sampling\[0\] = -1; must be finite and > 0"):
        function(image, -1)
    with pytest.raises(TypeError, match="dtype complex128"):
        function(image.astype(complex))
    error = RuntimeError if facade is monai else NotImplementedError
    for shape in ((5,), (2,) * 5):
        with pytest.raises(error):
            function(np.ones(shape))


def test_expand_labels() -> None:
    segmentation = pytest.importorskip("skimage.segmentation")
    rng = np.random.default_rng(4)
    for i in range(40):
        shape = tuple(rng.integers(1, 8, 2 + i % 2))
        labels = (rng.random(shape) < 0.2) * rng.integers(1, 9, shape).astype(
            ["i4", "u1", "f8"][i % 3]
        )
        distance, spacing = [1, 1.5, 3, np.inf][i % 4], [1, 0.5, (2, 1, 1)[: len(shape)]][i % 3]
        found = cucim.expand_labels(labels, distance, spacing)
        np.testing.assert_array_equal(found, segmentation.expand_labels(labels, distance, spacing))
        assert found.flags.c_contiguous and found.dtype == labels.dtype
    for wrong in (np.ones(3, int), np.ones((1, 1, 1, 1), int), [[1, 0]]):
        with pytest.raises(NotImplementedError, match="must be an array of 2 or 3 axes"):
            cucim.expand_labels(wrong)


def channels(count: int) -> Iterator[tuple[np.ndarray, Any]]:
    for image, sampling in problems(count):
        yield np.stack([image, image[::-1], np.ones_like(image)]), sampling


def test_channels() -> None:
    for image, sampling in channels(20):
        distances, indices = monai.distance_transform_edt(image, sampling, return_indices=True)
        assert distances.dtype == np.float64 and indices.dtype == np.int32
        assert indices.shape == (3, image.ndim - 1, *image.shape[1:])
        for i in range(2):
            wanted = ndimage.distance_transform_edt(image[i], sampling, return_indices=True)
            np.testing.assert_array_equal(distances[i], wanted[0])
            np.testing.assert_array_equal(indices[i], wanted[1])
        assert np.isposinf(distances[2]).all() and (indices[2] == -1).all()
        given = np.empty_like(distances), np.empty_like(indices)
        assert (
            monai.distance_transform_edt(
                image, sampling, return_indices=True, distances=given[0], indices=given[1]
            )
            is None
        )
        np.testing.assert_array_equal(given[0], distances)
        np.testing.assert_array_equal(given[1], indices)


class Tensor:
    """As much of a tensor of PyTorch on the host as the facade looks at."""

    device = "cpu"

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.ndim, self.shape, self.dtype = array.ndim, array.shape, f"torch.{array.dtype}"

    def detach(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray:
        return self.array


Tensor.__module__ = "torch"


def test_tensors_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = types.ModuleType("torch")
    torch.from_numpy = Tensor
    monkeypatch.setitem(sys.modules, "torch", torch)
    image = np.array([[[1, 1, 0]], [[0, 1, 1]]])
    found = monai.distance_transform_edt(Tensor(image), return_indices=True)
    assert [type(each) for each in found] == [Tensor, Tensor]
    wanted = monai.distance_transform_edt(image, return_indices=True)
    for own, array in zip(found, wanted):
        np.testing.assert_array_equal(own.array, array)
    out = Tensor(np.empty(image.shape))
    assert monai.distance_transform_edt(Tensor(image), distances=out) is None
    np.testing.assert_array_equal(out.array, wanted[0])
    with pytest.raises(RuntimeError, match="distances has the dtype float32; must be float64"):
        monai.distance_transform_edt(
            Tensor(image), distances=Tensor(np.empty(image.shape, np.float32))
        )


def test_new_arrays_are_made_by_cupy_on_the_device_of_the_image(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    @contextlib.contextmanager
    def device() -> Iterator[None]:
        made.append("on its device")
        yield

    class CupyArray(np.ndarray):
        @property
        def device(self) -> Any:  # type: ignore[override]
            return device()

    CupyArray.__module__ = "cupy"
    stand_in: Any = types.ModuleType("cupy")
    stand_in.empty = lambda *args, **kwargs: (made.append("empty"), np.empty(*args, **kwargs))[1]
    monkeypatch.setitem(sys.modules, "cupy", stand_in)
    image = np.array([[1, 1, 0]]).view(CupyArray)
    found = cupy.distance_transform_edt(image, return_distances=False, return_indices=True)
    assert found.tolist() == [[[0, 0, 0]], [[2, 2, 2]]]
    assert made == ["on its device", "empty"]


@pytest.mark.skipif(HAS_DEVICE, reason="there is a CUDA device")
def test_an_array_on_a_gpu_without_a_device_is_refused() -> None:
    from on_cuda import OnCuda

    there: Any = OnCuda(4096, (2, 3), "|u1")
    there.ndim, there.shape = 2, (2, 3)
    there.transpose = lambda axes: there
    with pytest.raises(RuntimeError, match="is a on_cuda.OnCuda in CUDA memory"):
        cupy.distance_transform_edt(there)


@pytest.mark.skipif(not HAS_DEVICE, reason="no CUDA device")
@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_on_a_device(library: str) -> None:
    module = pytest.importorskip(library)
    if library == "cupy":
        put, take = module.asarray, module.asnumpy
    else:
        put, take = lambda a: module.from_numpy(a.copy()).cuda(), lambda t: t.cpu().numpy()
    for image, sampling in problems(12):
        assert_same(cucim.distance_transform_edt, put(image), sampling, take)
        labels = np.where(image, 0, np.arange(image.size).reshape(image.shape)).astype(np.int32)
        found = cucim.expand_labels(put(labels), 2)
        np.testing.assert_array_equal(take(found), cucim.expand_labels(labels, 2))
        indices = put(np.empty((image.ndim, *image.shape), np.int64))
        cupy.distance_transform_edt(
            put(image), return_distances=False, return_indices=True, indices=indices
        )
        wanted = ndimage.distance_transform_edt(image, return_distances=False, return_indices=True)
        np.testing.assert_array_equal(take(indices), wanted)
    for image, sampling in channels(4):
        distances, indices = monai.distance_transform_edt(put(image), sampling, return_indices=True)
        wanted = monai.distance_transform_edt(image, sampling, return_indices=True)
        assert take(distances).dtype == np.float32
        np.testing.assert_allclose(take(distances), wanted[0], rtol=1e-6)
        np.testing.assert_array_equal(take(indices), wanted[1])
