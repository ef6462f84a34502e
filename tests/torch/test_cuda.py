# SPDX-License-Identifier: Apache-2.0
"""Tensors in CUDA memory: the bits of the host, on the current stream, without a wait."""

from __future__ import annotations

import importlib.util
import shutil
from typing import Any

import pytest
import thiessen
import torch

HAS_DEVICE = torch.cuda.is_available() and any(
    device.available and device.name.startswith("cuda") for device in thiessen.devices()
)
pytestmark = pytest.mark.skipif(not HAS_DEVICE, reason="no CUDA device")

COMPILES_KERNELS = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None
    or not (shutil.which("gcc") or shutil.which("clang")),
    reason="PyTorch compiles kernels with Triton and a C compiler",
)

ALL = ("labels", "distance", "squared", "site_index", "offset", "direction")


def make_sites(shape: tuple[int, ...], dtype: torch.dtype = torch.int32, seed: int = 1) -> Any:
    draw = torch.Generator().manual_seed(seed)
    sites = torch.randint(1, 100, shape, generator=draw) * (
        torch.rand(shape, generator=draw) < 0.03
    )
    return sites.to(dtype)


def assert_same(ours: Any, truth: Any) -> None:
    assert ours._fields == truth._fields
    for name, mine, wanted in zip(truth._fields, ours, truth):
        assert mine.is_cuda
        assert mine.dtype == wanted.dtype
        assert torch.equal(mine.cpu().nan_to_num(-7), wanted.nan_to_num(-7)), name


@pytest.mark.parametrize(
    "dtype",
    [torch.bool, torch.uint8, torch.int64, torch.float16, torch.bfloat16, torch.float64],
    ids=str,
)
def test_batches_of_every_output(dtype: torch.dtype) -> None:
    sites = make_sites((3, 2, 40, 51), dtype)
    for given in (sites, sites.transpose(-1, -2), sites.to(memory_format=torch.channels_last)):
        options = {"batch_axes": (0, 1), "outputs": ALL}
        ours = thiessen.nearest_site(given.cuda(), **options)
        assert_same(ours, thiessen.nearest_site(given, **options))


def test_distances_and_points() -> None:
    sites = make_sites((4, 60, 70))
    ours = thiessen.distance_transform(sites.cuda(), signed_distance=True, batch_axes=0)
    truth = thiessen.distance_transform(sites, signed_distance=True, batch_axes=0)
    assert torch.equal(ours.cpu(), truth)
    points = torch.rand(50, 2, generator=torch.Generator().manual_seed(1)) * 60
    domain = torch.rand(60, 70, generator=torch.Generator().manual_seed(2)) < 0.9
    options = {"spacing": (2, 1), "outputs": ("labels", "distance", "site_index")}
    assert_same(
        thiessen.voronoi(points.cuda(), (60, 70), domain=domain.cuda(), **options),
        thiessen.voronoi(points, (60, 70), domain=domain, **options),
    )


def test_out() -> None:
    sites = make_sites((2, 40, 50)).cuda()
    truth = thiessen.nearest_site(sites, batch_axes=0)
    out = torch.zeros_like(sites), torch.zeros(2, 40, 100, device="cuda")[..., ::2]
    ours = thiessen.nearest_site(sites, batch_axes=0, out=out)
    assert ours.labels is out[0]
    assert all(torch.equal(mine, wanted) for mine, wanted in zip(ours, truth))
    with pytest.raises(TypeError, match=r"^out\['distance'\] is a .* on the host"):
        thiessen.distance_transform(sites, batch_axes=0, out=torch.zeros(2, 40, 50))


def test_work_is_in_order_on_the_current_stream() -> None:
    for seed in range(4):
        sites = make_sites((3, 700, 900), seed=seed)
        truth = thiessen.distance_transform(sites, batch_axes=0)
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            gpu = sites.cuda() + 0  # a kernel before, on this stream
            doubled = thiessen.distance_transform(gpu, batch_axes=0) * 2  # one behind
        stream.synchronize()
        assert torch.equal(doubled.cpu(), truth * 2)


def test_nothing_waits_or_goes_to_the_host() -> None:
    sites = make_sites((3, 128, 150)).cuda()
    points = (torch.rand(100, 2) * 100).cuda().requires_grad_()

    def work() -> None:
        thiessen.nearest_site(sites, batch_axes=0)
        thiessen.distance_transform(sites.half(), batch_axes=0, signed_distance=True)
        thiessen.voronoi(points, (128, 150)).distance.sum().backward()

    work()
    torch.cuda.synchronize()
    before = torch.cuda.get_sync_debug_mode()
    torch.cuda.set_sync_debug_mode("error")
    try:
        thiessen.nearest_site(sites, batch_axes=0)
        thiessen.voronoi(points, (128, 150))
    finally:
        torch.cuda.set_sync_debug_mode(before)
    activities = [torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities) as profile:
        work()
        torch.cuda.synchronize()
    names = [event.name for event in profile.events()]
    assert not [name for name in names if "Memcpy DtoH" in name]
    assert "cudaStreamSynchronize" not in names


def test_gradients_of_points() -> None:
    points = torch.rand(9, 2, dtype=torch.float64) * 20
    for metric in ("euclidean", "manhattan", "chessboard"):
        gradients = []
        for device in ("cpu", "cuda"):
            there = points.to(device).requires_grad_()
            found = thiessen.voronoi(
                there, (20, 22), metric=metric, distance_type="float64", outputs="distance"
            )
            (gradient,) = torch.autograd.grad((found.distance**2).sum(), there)
            gradients.append(gradient.cpu())
        torch.testing.assert_close(*gradients)


def test_faults_of_points_are_raised_by_synchronize() -> None:
    points = torch.tensor([[1, 2], [3, torch.nan]], device="cuda", requires_grad=True)
    thiessen.voronoi(points, (8, 9)).distance.sum().backward()
    with pytest.raises(ValueError, match=r"^points\[1, 1\] in device memory is not finite"):
        thiessen.synchronize()


@pytest.mark.parametrize(
    "options",
    [
        {"backend": "aot_eager"},
        pytest.param({}, marks=COMPILES_KERNELS),
        pytest.param({"mode": "reduce-overhead"}, marks=COMPILES_KERNELS),
    ],
    ids=str,
)
def test_compile(options: dict[str, Any]) -> None:
    def work(sites: torch.Tensor) -> torch.Tensor:
        return thiessen.distance_transform(sites > 0, signed_distance=True, batch_axes=0) * 2 + 1

    torch.compiler.reset()
    fast = torch.compile(work, fullgraph=True, **options)
    for seed in range(4):
        sites = make_sites((3, 64, 70), seed=seed)
        assert torch.equal(fast(sites.cuda()).cpu(), work(sites))


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="one CUDA device")
def test_another_device_than_the_current_one() -> None:
    sites = make_sites((3, 64, 70))
    found = thiessen.nearest_site(sites.to("cuda:1"), batch_axes=0)
    assert found.labels.device == torch.device("cuda:1")
    assert_same(found, thiessen.nearest_site(sites, batch_axes=0))
