# SPDX-License-Identifier: Apache-2.0
"""CUDA arrays in, CUDA arrays out: CuPy, PyTorch, Numba and JAX, against what the CPU gives."""

import threading
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import thiessen

HAS_DEVICE = any(
    device.available and device.name.startswith("cuda") for device in thiessen.devices()
)
pytestmark = pytest.mark.skipif(not HAS_DEVICE, reason="no CUDA device")

ALL = ("labels", "distance", "squared", "site_index", "offset", "direction")


class Library:
    """What the tests need of an array library."""

    def __init__(self, name: str):
        self.name = name
        if name == "numba":
            self.module = pytest.importorskip("numba.cuda")
        elif name == "jax":
            self.module = pytest.importorskip("jax")
            self.module.config.update("jax_enable_x64", True)
            if self.module.default_backend() != "gpu":
                pytest.skip("JAX has no GPU")
        else:
            self.module = pytest.importorskip(name)

    def put(self, array: np.ndarray) -> Any:
        if self.name == "cupy":
            return self.module.asarray(array)
        if self.name == "torch":
            return self.module.from_numpy(np.ascontiguousarray(array)).cuda()
        if self.name == "jax":
            return self.module.numpy.asarray(array)
        return self.module.to_device(np.ascontiguousarray(array))

    def take(self, array: Any) -> np.ndarray:
        if self.name == "cupy":
            return self.module.asnumpy(array)
        if self.name == "torch":
            return array.cpu().numpy()
        if self.name == "jax":
            return np.asarray(array)
        return array.copy_to_host()


@pytest.fixture(params=["cupy", "torch", "numba", "jax"])
def library(request):
    return Library(request.param)


@pytest.fixture(params=["cupy", "torch"])
def streaming(request):
    return Library(request.param)


def make_sites(shape, dtype=np.int32, seed=1) -> np.ndarray:
    draw = np.random.default_rng(seed)
    sites = draw.integers(1, 100, shape) * (draw.random(shape) < 0.03)
    return sites.astype(dtype)


def assert_same(library: Library, ours: Any, truth: Any, like: Any) -> None:
    assert ours._fields == truth._fields
    for name in truth._fields:
        mine = getattr(ours, name)
        assert type(mine) is type(like), name
        np.testing.assert_array_equal(library.take(mine), getattr(truth, name), err_msg=name)
        assert library.take(mine).dtype == getattr(truth, name).dtype


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int16", "int32", "int64", "float32", "float64"]
)
def test_every_output_of_every_dtype(library, dtype):
    sites = make_sites((70, 91), dtype)
    gpu = library.put(sites)
    result = thiessen.nearest_site(gpu, outputs=ALL)
    assert_same(library, result, thiessen.nearest_site(sites, outputs=ALL), gpu)


def test_options(library):
    sites = make_sites((40, 37, 21))
    gpu = library.put(sites)
    for options in (
        {"spacing": (2, 1, 1), "outputs": ("labels", "distance"), "distance_type": "float64"},
        {"metric": "manhattan", "max_distance": 3, "unreached": -5, "outputs": "labels"},
        {"periodic": True, "outputs": ("site_index", "offset")},
        {"values": [3, 4], "nodata": 7},
        {"signed_distance": True, "outputs": "distance", "method": "brute-force"},
    ):
        ours = thiessen.nearest_site(gpu, **options)
        assert_same(library, ours, thiessen.nearest_site(sites, **options), gpu)


def test_points(library):
    draw = np.random.default_rng(3)
    for axes, shape in ((2, (30, 41)), (3, (9, 10, 11))):
        points = draw.random((50, axes)) * 30 - 2
        labels = draw.integers(1, 9, 50).astype(np.int16)
        gpu = library.put(points)
        for given in (None, labels):
            ours = thiessen.voronoi(
                gpu, shape, None if given is None else library.put(given), method="brute-force"
            )
            assert_same(library, ours, thiessen.voronoi(points, shape, point_labels=given), gpu)


def test_facades(library):
    sites = make_sites((50, 60), np.uint8)
    gpu = library.put(sites)
    np.testing.assert_array_equal(
        library.take(thiessen.distance_transform(gpu, signed_distance=True)),
        thiessen.distance_transform(sites, signed_distance=True),
    )
    np.testing.assert_array_equal(
        library.take(thiessen.expand_labels(gpu, 4)), thiessen.expand_labels(sites, 4)
    )
    mask = sites != 0
    grown = library.take(thiessen.expand_labels(library.put(mask), 4))
    assert grown.dtype == np.bool_
    np.testing.assert_array_equal(grown, thiessen.expand_labels(mask, 4))


@pytest.mark.parametrize("shape", [(17, 40, 50), (3, 9, 20, 33)])
@pytest.mark.parametrize("dtype", ["bool", "int32"])
def test_batches(library, shape, dtype):
    sites = make_sites(shape, dtype)
    gpu = library.put(sites)
    outputs = ALL if len(shape) == 3 else ALL[:5]
    ours = thiessen.nearest_site(gpu, batch_axes=0, outputs=outputs)
    assert_same(library, ours, thiessen.nearest_site(sites, batch_axes=0, outputs=outputs), gpu)


COSTS = ("labels", "distance", "site_index", "back_link")


@pytest.mark.parametrize("method", ["exact", "relaxation"])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float64"])
def test_cost_distance(library, method, dtype):
    stiffness = thiessen.material_map((70, 91), "noise", seed=3)
    sites = make_sites((70, 91), dtype)
    gpu = library.put(stiffness)
    truth = thiessen.cost_distance(sites, stiffness=stiffness, outputs=COSTS)
    for given in (library.put(sites), sites):
        ours = thiessen.cost_distance(given, stiffness=gpu, outputs=COSTS, method=method)
        assert_same(library, ours, truth, gpu)


def test_cost_distance_of_points(library):
    costs = thiessen.material_map((9, 10, 11), "noise", seed=3, dtype="float64")
    points = np.array([[0, 0, 0], [8.5, 3, 4], [2, 2, 10]])
    labels = np.array([5, 6, 7], np.int16)
    initial = np.array([0, 0.5, 0.25])
    gpu = library.put(costs)
    options = {"distance_type": "float64", "spacing": (2, 1, 1), "outputs": COSTS}
    with pytest.warns(UserWarning, match="1 site "):
        truth = thiessen.cost_distance(
            cost=costs, points=points, point_labels=labels, initial_cost=initial, **options
        )
    for put in (library.put, np.asarray):
        with pytest.warns(UserWarning, match="1 site "):
            ours = thiessen.cost_distance(
                cost=gpu,
                points=put(points),
                point_labels=put(labels),
                initial_cost=put(initial),
                **options,
            )
        assert_same(library, ours, truth, gpu)


def test_cost_distance_on_the_stream_of_the_library(streaming):
    for seed in range(3):
        stiffness = thiessen.material_map((500, 600), "noise", seed=seed)
        sites = make_sites((500, 600), seed=seed)
        truth = thiessen.cost_distance(sites, stiffness=stiffness * 2, outputs="distance").distance
        with other_stream(streaming) as stream:
            gpu = streaming.put(stiffness) * 2  # a kernel before, on this stream
            given = streaming.put(sites)
            distance = thiessen.cost_distance(given, stiffness=gpu, outputs="distance").distance
            doubled = distance + distance  # and one behind
            stream.synchronize()
            np.testing.assert_array_equal(streaming.take(doubled), truth * 2)


def test_cost_distance_refusals(streaming):
    stiffness = thiessen.material_map((20, 30), "noise")
    sites = make_sites((20, 30))
    gpu = streaming.put(stiffness)
    out = streaming.put(np.zeros((20, 30), np.float32))
    result = thiessen.cost_distance(sites, stiffness=gpu, outputs="distance", out=out)
    assert result.distance is out
    with pytest.raises(TypeError, match=r"^out\['distance'\] is a ndarray on the host"):
        thiessen.cost_distance(sites, stiffness=gpu, outputs="distance", out=stiffness)
    with pytest.raises(RuntimeError, match="^sites is a .*must be on the host"):
        thiessen.cost_distance(streaming.put(sites), stiffness=stiffness)
    with pytest.raises(TypeError, match="^labels would have the dtype float16"):
        thiessen.cost_distance(sites.astype(np.float16), stiffness=gpu)
    with pytest.raises(ValueError, match="^device = cpu; must be that of the arrays"):
        thiessen.cost_distance(sites, stiffness=gpu, device="cpu")
    with pytest.raises(ValueError, match=r"^stiffness\[0, 0\] = -1"):
        thiessen.cost_distance(sites, stiffness=gpu * 0 - 1)


def test_arrays_of_any_strides():
    cupy = pytest.importorskip("cupy")
    torch = pytest.importorskip("torch")
    sites = make_sites((64, 80))
    views = {
        "turned": (cupy.asarray(sites)[::-1, ::2], sites[::-1, ::2]),
        "transposed": (cupy.asarray(sites).T, sites.T),
        "torch": (torch.from_numpy(sites).cuda().t()[3:, 5:60], sites.T[3:, 5:60]),
        "wide": (cupy.broadcast_to(cupy.asarray(sites[:1]), (9, 80)), np.repeat(sites[:1], 9, 0)),
    }
    for name, (gpu, host) in views.items():
        ours = thiessen.nearest_site(gpu, outputs="site_index").site_index
        truth = thiessen.nearest_site(host, outputs="site_index").site_index
        taken = ours.cpu().numpy() if name == "torch" else cupy.asnumpy(ours)
        np.testing.assert_array_equal(taken, truth, err_msg=name)


def test_out(streaming):
    sites = make_sites((64, 80))
    gpu = streaming.put(sites)
    truth = thiessen.nearest_site(sites)
    labels = streaming.put(np.zeros((64, 80), np.int32))
    distance = streaming.put(np.zeros((64, 160), np.float64))[:, ::2]
    result = thiessen.nearest_site(gpu, out=(labels, distance))
    assert result.labels is labels
    assert result.distance is distance
    np.testing.assert_array_equal(streaming.take(labels), truth.labels)
    np.testing.assert_allclose(streaming.take(distance), truth.distance, rtol=1e-6)
    with pytest.raises(TypeError, match=r"^out\['labels'\] is a ndarray on the host"):
        thiessen.nearest_site(gpu, out={"labels": np.empty((64, 80), np.int32)})
    with pytest.raises(TypeError, match=r"^out\['labels'\] has the dtype float64; must be int32"):
        thiessen.nearest_site(gpu, outputs="labels", out=distance)
    with pytest.raises(ValueError, match="labels overlaps the sites"):
        thiessen.nearest_site(gpu, outputs="labels", out=gpu)
    with pytest.raises(RuntimeError, match=r"^out\['labels'\] is a .*must be on the host"):
        thiessen.nearest_site(sites, outputs="labels", out=gpu)


@contextmanager
def other_stream(library: Library):
    if library.name == "cupy":
        with library.module.cuda.Stream(non_blocking=True) as stream:
            yield stream
    else:
        stream = library.module.cuda.Stream()
        with library.module.cuda.stream(stream):
            yield stream


def test_work_is_in_order_on_the_stream_of_the_library(streaming):
    truth = None
    for round_ in range(5):
        sites = make_sites((900, 1100), seed=round_ // 2)
        truth = thiessen.nearest_site(sites, outputs="labels").labels
        with other_stream(streaming) as stream:
            gpu = streaming.put(sites) + 0  # a kernel before, on this stream
            labels = thiessen.nearest_site(gpu, outputs="labels").labels
            doubled = labels + labels  # and one behind
            stream.synchronize()
            np.testing.assert_array_equal(streaming.take(doubled), truth * 2)


def test_threads_have_streams_of_their_own(streaming):
    failures = []

    def work(seed):
        try:
            for round_ in range(8):
                sites = make_sites((300, 200), seed=10 * seed + round_)
                with other_stream(streaming) as stream:
                    labels = thiessen.nearest_site(streaming.put(sites), outputs="labels").labels
                    stream.synchronize()
                    truth = thiessen.nearest_site(sites, outputs="labels", threads=1).labels
                    np.testing.assert_array_equal(streaming.take(labels), truth)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_nothing_is_copied_to_the_host():
    torch = pytest.importorskip("torch")
    gpu = torch.from_numpy(make_sites((512, 600))).cuda()
    mask = gpu.t() != 0
    batch = torch.stack([gpu, gpu])
    points = torch.rand(100, 2, device="cuda") * 500

    def calls():
        thiessen.nearest_site(gpu, outputs=ALL, values=[1, 2, 3], signed_distance=True)
        thiessen.nearest_site(mask, outputs=ALL)
        thiessen.nearest_site(batch, batch_axes=0)
        thiessen.voronoi(points, (64, 64), method="brute-force")
        thiessen.expand_labels(gpu)

    def events_of(work):
        activities = [torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]
        with torch.profiler.profile(activities=activities) as profile:
            work()
            torch.cuda.synchronize()
        return [event.name for event in profile.events()]

    calls()
    torch.cuda.synchronize()
    names = events_of(calls)
    assert any("write_results" in name or "search" in name for name in names), names
    assert not [name for name in names if "Memcpy" in name and "DtoD" not in name]
    assert "cudaStreamSynchronize" not in names
    # The profile would have shown them.
    copied = events_of(lambda: thiessen.nearest_site(gpu.cpu().numpy(), device="cuda"))
    assert any("Memcpy DtoH" in name for name in copied)
    assert any("Memcpy HtoD" in name for name in copied)
    assert "cudaStreamSynchronize" in copied


def test_graph_of_pytorch():
    torch = pytest.importorskip("torch")
    sites = [make_sites((200, 300), seed=seed) for seed in range(3)]
    gpu = torch.from_numpy(sites[0]).cuda()
    labels = torch.empty_like(gpu)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        thiessen.nearest_site(gpu, outputs="labels", out=labels)
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        thiessen.nearest_site(gpu, outputs="labels", out=labels)
    for each in sites:
        gpu.copy_(torch.from_numpy(each))
        graph.replay()
        torch.cuda.synchronize()
        truth = thiessen.nearest_site(each, outputs="labels").labels
        np.testing.assert_array_equal(labels.cpu().numpy(), truth)


def test_faults_of_points_are_raised_by_synchronize(streaming):
    points = streaming.put(np.array([[1, 2], [3, np.nan]]))
    thiessen.voronoi(points, (8, 9), method="brute-force")
    with pytest.raises(ValueError, match=r"^points\[1, 1\] in device memory is not finite"):
        thiessen.synchronize()
    thiessen.synchronize()


def test_refusals(streaming):
    gpu = streaming.put(make_sites((20, 30)))
    with pytest.raises(ValueError, match="^device = cpu; must be that of the arrays, cuda:0"):
        thiessen.nearest_site(gpu, device="cpu")
    with pytest.raises(ValueError, match="^components is given"):
        thiessen.nearest_site(gpu, components=8)
    with pytest.raises(TypeError, match="^sites has the dtype .*float16"):
        thiessen.nearest_site(streaming.put(np.ones((4, 5), np.float16)))
    with pytest.raises(ValueError, match="^sites has 1 axes"):
        thiessen.nearest_site(gpu[0])
    with pytest.raises(TypeError, match="^points has the dtype int32"):
        thiessen.voronoi(gpu[:, :2], (3, 4))
    with pytest.raises(RuntimeError, match="^image is a .*must be on the host: copy it"):
        thiessen.connected_components(gpu)
    thiessen.nearest_site(gpu, device="cuda")
    thiessen.nearest_site(gpu, device="cuda:0")


def test_arrays_of_the_host_on_a_cuda_device():
    sites = make_sites((90, 80))
    ours = thiessen.nearest_site(sites, outputs=ALL, device="cuda")
    truth = thiessen.nearest_site(sites, outputs=ALL)
    for name in ALL:
        np.testing.assert_array_equal(getattr(ours, name), getattr(truth, name))


def test_a_solver_of_sites_on_a_cuda_device():
    sites = make_sites((90, 80))
    ours = thiessen.NearestSiteSolver(sites, outputs=ALL, device="cuda")
    cell = int(np.flatnonzero(sites)[0])
    ours.move_sites([cell], [int(np.flatnonzero(sites == 0)[5])])
    ours.enqueue()
    changes = ours.changes()
    truth = thiessen.NearestSiteSolver(sites, outputs=ALL)
    truth.move_sites([cell], [int(np.flatnonzero(sites == 0)[5])])
    assert truth.solve().cells == changes.cells
    for name in ALL:
        np.testing.assert_array_equal(getattr(ours.outputs, name), getattr(truth.outputs, name))


def test_a_solver_of_points_on_a_cuda_device():
    points = np.random.default_rng(3).random((50, 2)) * 70
    ours, truth = (
        thiessen.NearestSiteSolver.of_points(points, (70, 71), device=device)
        for device in ("cuda", "cpu")
    )
    for solver in (ours, truth):
        solver.move_sites([7], [(3.5, 60.25)])
        solver.solve()
    np.testing.assert_array_equal(ours.outputs.labels, truth.outputs.labels)
    np.testing.assert_array_equal(ours.outputs.distance, truth.outputs.distance)
