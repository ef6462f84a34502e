# SPDX-License-Identifier: Apache-2.0
"""Tensors of the host: the bits of the package, the rules of operators, errors."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import thiessen
import thiessen.torch
import torch

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")

ALL = ("labels", "distance", "squared", "site_index", "offset", "direction")
OTHER = ("other_labels", "other_distance", "other_site_index")
DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16,
    torch.uint32, torch.uint64, torch.float32, torch.float64,
]  # fmt: skip


def make_sites(shape: tuple[int, ...], dtype: torch.dtype = torch.int32, seed: int = 1) -> Any:
    draw = np.random.default_rng(seed)
    sites = draw.integers(1, 100, shape) * (draw.random(shape) < 0.03)
    return torch.from_numpy(sites).to(dtype)


def assert_same(ours: Any, truth: Any) -> None:
    assert isinstance(ours, thiessen.NearestSite)
    assert ours._fields == truth._fields
    for name, tensor, array in zip(truth._fields, ours, truth):
        assert type(tensor) is torch.Tensor
        assert tensor.numpy().dtype == array.dtype, name
        np.testing.assert_array_equal(tensor.numpy(), array, err_msg=name)


def test_the_module_shows_its_public_names() -> None:
    assert dir(thiessen.torch) == sorted(thiessen.torch.__all__)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_output_of_every_dtype(dtype: torch.dtype) -> None:
    sites = make_sites((40, 51), dtype)
    outputs = (*ALL, *OTHER) if dtype != torch.bool else ALL
    ours = thiessen.nearest_site(sites, outputs=outputs)
    assert_same(ours, thiessen.nearest_site(sites.numpy(), outputs=outputs))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_floats_of_two_bytes(dtype: torch.dtype) -> None:
    sites = make_sites((20, 31), dtype)
    ours = thiessen.nearest_site(sites, nodata=5, unreached=-2, max_distance=3)
    truth = thiessen.nearest_site(sites.float(), nodata=5, unreached=-2, max_distance=3)
    assert ours.labels.dtype == dtype
    assert torch.equal(ours.labels.float(), truth.labels)
    assert torch.equal(ours.distance.nan_to_num(-1), truth.distance.nan_to_num(-1))
    labels = torch.empty_like(sites)
    thiessen.nearest_site(sites, nodata=5, unreached=-2, max_distance=3, out=(labels, truth[1]))
    assert torch.equal(labels, ours.labels)
    points, own = torch.tensor([[1, 2], [5, 4]], dtype=dtype), torch.tensor([3, 7], dtype=dtype)
    found = thiessen.voronoi(points, (9, 8), point_labels=own)
    assert found.labels.dtype == dtype
    assert_same(
        type(found)(found.labels.float(), found.distance),
        thiessen.voronoi(points.float().numpy(), (9, 8), point_labels=own.float().numpy()),
    )
    with pytest.raises(ValueError, match=r"^unreached = 0\.1; must be a value of the dtype torch"):
        thiessen.nearest_site(sites, unreached=0.1)


@pytest.mark.parametrize(
    "options",
    [
        {"spacing": (2, 1, 1.5), "distance_type": "float64"},
        {"spacing": 0.5, "distance_type": torch.float64},
        {"metric": "manhattan", "max_distance": 3, "unreached": -5},
        {"metric": "chessboard", "periodic": (False, True, True)},
        {"periodic": True, "outputs": ("site_index", "offset")},
        {"values": [3, 4], "nodata": 7},
        {"values": 3, "signed_distance": True, "outputs": "distance"},
        {"zero_is_site": True, "nodata": 7, "threads": 1},
        {"free_nodata": True, "nodata": 0},
    ],
    ids=str,
)
def test_options(options: dict[str, Any]) -> None:
    sites = make_sites((20, 17, 11))
    theirs = {**options, "distance_type": str(options.get("distance_type", "float32"))[-7:]}
    assert_same(
        thiessen.nearest_site(sites, **options),
        thiessen.nearest_site(sites.numpy(), **theirs),
    )


@pytest.mark.parametrize("dtype", [torch.bool, torch.int16], ids=str)
@pytest.mark.parametrize(
    ("shape", "batch_axes"),
    [((5, 20, 30), 0), ((3, 2, 20, 30), (0, 1)), ((9, 8, 7, 3), -1), ((2, 3, 4, 9, 8), [0, 1])],
)
def test_batches(shape: tuple[int, ...], batch_axes: Any, dtype: torch.dtype) -> None:
    sites = make_sites(shape, dtype)
    outputs = ALL[:5]
    ours = thiessen.nearest_site(sites, batch_axes=batch_axes, outputs=outputs)
    truth = thiessen.nearest_site(sites.numpy(), batch_axes=batch_axes, outputs=outputs)
    assert_same(ours, truth)


def test_distance_transform() -> None:
    sites = make_sites((3, 30, 40))
    for options in ({}, {"signed_distance": True}, {"distance_to": "boundary"}, {"values": [0]}):
        ours = thiessen.distance_transform(sites, batch_axes=0, **options)
        truth = thiessen.distance_transform(sites.numpy(), batch_axes=0, **options)
        np.testing.assert_array_equal(ours.numpy(), truth)
    assert not thiessen.distance_transform(sites.float().requires_grad_()).requires_grad


@pytest.mark.parametrize("axes", [2, 3])
def test_points(axes: int) -> None:
    draw = np.random.default_rng(3)
    shape = (30, 41, 7)[:axes]
    points = torch.from_numpy(draw.random((50, axes)) * 30 - 2)
    labels = torch.from_numpy(draw.integers(1, 9, 50).astype(np.int16))
    domain = torch.from_numpy(draw.random(shape) < 0.9)
    for given, own in ((points, None), (points.float(), labels), (points.long(), labels.double())):
        options = {"spacing": 2.5, "max_distance": 20, "nodata_label": 77, "unreached": 8}
        ours = thiessen.voronoi(given, shape, point_labels=own, domain=domain, **options)
        own = None if own is None else own.numpy()
        truth = thiessen.voronoi(
            given.numpy(), shape, point_labels=own, domain=domain.numpy(), **options
        )
        assert_same(ours, truth)


def test_strides_are_used_in_place() -> None:
    sites = make_sites((40, 60))
    for view in (sites.t(), sites[3:, 5:50:2], sites[:1].expand(9, 60), sites.flip(0)):
        truth = thiessen.nearest_site(view.numpy())
        assert_same(thiessen.nearest_site(view), truth)
        labels = torch.zeros(tuple(reversed(view.shape)), dtype=torch.int32).t()
        distance = torch.zeros((*view.shape, 2))[..., 1]
        ours = thiessen.nearest_site(view, out=(labels, distance))
        assert ours.labels is labels
        assert ours.distance is distance
        assert_same(ours, truth)


def test_out() -> None:
    sites = make_sites((3, 20, 30))
    truth = thiessen.nearest_site(sites, outputs=("labels", "offset"), batch_axes=0)
    out = {"offset": torch.empty_like(truth.offset), "labels": torch.empty_like(sites)}
    version = out["labels"]._version
    ours = thiessen.nearest_site(sites, outputs=("labels", "offset"), batch_axes=0, out=out)
    assert ours._fields == ("labels", "offset")
    assert ours.labels is out["labels"]
    assert ours.labels._version > version  # autograd sees that it has been written
    assert torch.equal(ours.labels, truth.labels)
    assert torch.equal(ours.offset, truth.offset)
    distance = torch.empty((3, 20, 30), dtype=torch.float64)
    assert thiessen.distance_transform(sites, batch_axes=0, out=distance) is distance
    np.testing.assert_array_equal(
        distance, thiessen.distance_transform(sites.numpy(), batch_axes=0, distance_type="float64")
    )
    points = torch.tensor([[1.5, 2], [7, 3]])
    labels = torch.empty((9, 8), dtype=torch.int32)
    found = thiessen.voronoi(points, (9, 8), outputs="labels", out=labels)
    assert found.labels is labels
    np.testing.assert_array_equal(labels, thiessen.voronoi(points.numpy(), (9, 8)).labels)


def test_nothing_is_allocated_with_out() -> None:
    sites = make_sites((64, 64))
    labels = torch.empty_like(sites)
    thiessen.nearest_site(sites, outputs="labels", out=labels)
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
    ) as profile:
        thiessen.nearest_site(sites, outputs="labels", out=labels)
    assert sum(event.self_cpu_memory_usage for event in profile.key_averages()) == 0


def test_rasters_without_cells_or_sites_are_no_cause_for_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = thiessen.nearest_site(torch.zeros(2, 3, 4), batch_axes=0)
        assert thiessen.distance_transform(torch.zeros(0, 5)).shape == (0, 5)
        assert thiessen.voronoi(torch.zeros(0, 2), (2, 2)).labels.eq(0).all()
    assert found.distance.isinf().all()


def test_threads_are_those_of_pytorch() -> None:
    before = torch.get_num_threads()
    sites = make_sites((50, 60))
    try:
        torch.set_num_threads(1)
        found = thiessen.nearest_site(sites)
    finally:
        torch.set_num_threads(before)
    assert_same(found, thiessen.nearest_site(sites.numpy()))


def test_results_can_be_pickled() -> None:
    found = thiessen.nearest_site(make_sites((5, 6)))
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is type(found)
    assert torch.equal(again.labels, found.labels)
    assert "labels torch.int32" in found._repr_html_()


# What PyTorch asks of operators.

RASTER = {
    "spacing": [], "metric": "euclidean", "max_distance": float("inf"), "periodic": [],
    "distance_type": torch.float32, "threads": 0, "nodata": None, "values": [],
    "zero_is_site": False, "free_nodata": False, "signed_distance": False, "batch_axes": [],
}  # fmt: skip
POINTS = {name: RASTER[name] for name in list(RASTER)[:6]}
SEVERAL = ["labels", "offset", "distance"]


def samples() -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    sites = make_sites((3, 8, 9), torch.bool)
    sites[:, 1, 2] = True
    batch = {**RASTER, "batch_axes": [0]}
    labels = torch.empty(3, 8, 9, dtype=torch.int32)
    offset = torch.empty(2, 3, 8, 9, dtype=torch.int32)
    distance = torch.empty(3, 8, 9)
    points = torch.tensor([[1.5, 2.0], [7, 3]])
    domain = torch.ones(8, 9, dtype=torch.bool)
    of_points = {**POINTS, "unreached": 0, "nodata_label": None}
    return {
        "nearest_site": ((sites,), {**batch, "unreached": 0, "outputs": SEVERAL}),
        "nearest_site_out": (
            (sites, [labels, offset, distance]), {**batch, "unreached": 0, "outputs": SEVERAL},
        ),
        "distance_transform": ((sites,), {**batch, "distance_to": "sites"}),
        "distance_transform_out": ((sites, distance), {**batch, "distance_to": "boundary"}),
        "voronoi": ((points, None, domain, [8, 9]), {**of_points, "outputs": ["site_index"]}),
        "voronoi_out": (
            (points, None, None, [8, 9], [labels[0]]), {**of_points, "outputs": ["labels"]},
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", samples())
def test_operators_keep_the_rules(name: str) -> None:
    arguments, options = samples()[name]
    torch.library.opcheck(getattr(torch.ops.thiessen, name).default, arguments, options)


def compiled(function: Any, backend: str = "aot_eager") -> Any:
    torch.compiler.reset()
    return torch.compile(function, fullgraph=True, backend=backend)


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_compile_of_rasters_has_no_graph_break(backend: str) -> None:
    def work(image: torch.Tensor) -> Any:
        found = thiessen.nearest_site(
            image > 1.5, spacing=(2, 1), outputs=("labels", "distance", "offset"), batch_axes=(0, 1)
        )
        signed = thiessen.distance_transform(
            image > 1.5, signed_distance=True, batch_axes=(0, 1), max_distance=9
        )
        return found, (found.distance + signed.clamp(-5, 5)) * 2

    fast = compiled(work, backend)
    for shape in ((2, 3, 20, 30), (4, 1, 17, 19)):  # the second one with sizes as symbols
        image = torch.randn(shape, generator=torch.Generator().manual_seed(1))
        found, mixed = fast(image)
        truth, wanted = work(image)
        assert isinstance(found, thiessen.NearestSite)
        for name in truth._fields:
            assert torch.equal(getattr(found, name), getattr(truth, name))
        assert torch.equal(mixed, wanted)


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile_of_out(backend: str) -> None:
    def work(sites: torch.Tensor, labels: torch.Tensor, distance: torch.Tensor) -> torch.Tensor:
        thiessen.nearest_site(sites, out={"labels": labels, "distance": distance})
        return labels + 1

    sites = make_sites((20, 30))
    labels, distance = torch.empty_like(sites), torch.empty(20, 30)
    assert torch.equal(compiled(work, backend)(sites, labels, distance), labels + 1)
    truth = thiessen.nearest_site(sites)
    assert torch.equal(labels, truth.labels)
    assert torch.equal(distance, truth.distance)


def test_errors_of_compiled_calls_are_those_of_the_package() -> None:
    sites = make_sites((20, 30))
    with pytest.raises(Exception, match=r"spacing\[1\] = -2; must be finite and > 0"):
        compiled(lambda s: thiessen.distance_transform(s, spacing=(1, -2)))(sites)
    with pytest.raises(Exception, match="outputs has 'metres'; must be among"):
        compiled(lambda s: thiessen.nearest_site(s, outputs="metres")[0])(sites)


def test_export() -> None:
    class Distance(torch.nn.Module):
        def forward(self, image: torch.Tensor) -> torch.Tensor:
            return thiessen.distance_transform(image > 0.5, batch_axes=0) * 2

    image = torch.rand(3, 20, 30)
    sizes = {0: torch.export.Dim("n"), 1: torch.export.Dim("y"), 2: torch.export.Dim("x")}
    program = torch.export.export(Distance(), (image,), dynamic_shapes=(sizes,))
    assert "thiessen.distance_transform" in program.graph_module.code
    other = torch.rand(5, 11, 13)
    assert torch.equal(program.module()(other), Distance()(other))


def test_shapes_without_cells() -> None:
    sites = torch.empty(4, 20, 30, dtype=torch.bool, device="meta")
    found = thiessen.nearest_site(sites, batch_axes=0, outputs=ALL)
    truth = thiessen.nearest_site(np.zeros((4, 20, 30), bool), batch_axes=0, outputs=ALL)
    for name in ALL:
        assert getattr(found, name).shape == getattr(truth, name).shape
        assert str(getattr(found, name).dtype) == f"torch.{getattr(truth, name).dtype}"


def test_vmap() -> None:
    stack = make_sites((4, 2, 20, 30))
    outputs = ("labels", "offset")

    def work(sites: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(thiessen.nearest_site(sites, batch_axes=0, outputs=outputs))

    labels, offset = torch.vmap(work)(stack)
    truth = thiessen.nearest_site(stack, batch_axes=(0, 1), outputs=outputs)
    assert torch.equal(labels, truth.labels)
    assert torch.equal(offset, truth.offset.movedim(1, 0))
    planes = torch.vmap(thiessen.distance_transform, in_dims=2)(stack[0].movedim(0, -1))
    assert torch.equal(planes, thiessen.distance_transform(stack[0], batch_axes=0))


def test_errors() -> None:
    sites = make_sites((20, 30))
    for kind, message, call in (
        (TypeError, "sites has the dtype complex64", lambda: sites.to(torch.complex64)),
        (ValueError, "sites has 1 axes; must have 2 or 3", lambda: sites[0]),
        (ValueError, "sites has 4 axes; must have 2 or 3, besides", lambda: sites[None, None]),
    ):
        with pytest.raises(kind, match="^" + message):
            thiessen.nearest_site(call())
    for kind, message, options in (
        (ValueError, r"spacing has 3 values; must have one for each of 2", {"spacing": (1, 2, 3)}),
        (ValueError, r"spacing\[0\] = 0; must be finite", {"spacing": 0}),
        (TypeError, r"spacing = 'a'; must be a number", {"spacing": ["a", 1]}),
        (TypeError, r"periodic = 1; must be True or False", {"periodic": 1}),
        (ValueError, r"values is empty", {"values": []}),
        (ValueError, r"metric = .*none", {"metric": "none"}),
        (ValueError, r"distance_type = 'float16'", {"distance_type": "float16"}),
        (ValueError, r"distance_type = torch\.int32", {"distance_type": torch.int32}),
        (ValueError, r"outputs has 'metres'; must be among", {"outputs": "metres"}),
        (ValueError, r"batch_axes = 5; sites has 2 axes", {"batch_axes": 5}),
        (ValueError, r"threads = 0; must be 1 to 1024", {"threads": 0}),
        (ValueError, r"out has 1 tensors; must have one for each", {"out": [sites]}),
        (ValueError, r"out has the names \('labels',\)", {"out": {"labels": sites}}),
        (TypeError, r"out\['labels'\] is a ndarray", {"out": (sites.numpy(), sites)}),
        (ValueError, r"out\['labels'\] requires a grad", {"out": [torch.rand(2).requires_grad_()] * 2}),
        (ValueError, r"labels overlaps the sites", {"out": sites, "outputs": "labels"}),
        (TypeError, r"out\['labels'\] has the dtype float32; must be int32", {"out": torch.empty(20, 30), "outputs": "labels"}),
        (ValueError, r"out\['distance'\] has the shape \(3,\)", {"out": torch.empty(3), "outputs": "distance"}),
    ):  # fmt: skip
        with pytest.raises(kind, match="^" + message):
            thiessen.nearest_site(sites, **options)
    with pytest.raises(ValueError, match=r"^distance_to = 'there'"):
        thiessen.distance_transform(sites, distance_to="there")
    with pytest.raises(ValueError, match=r"^points\[1, 0\] = nan"):
        thiessen.voronoi(torch.tensor([[1, 2], [torch.nan, 2]]), (3, 4))
    with pytest.raises(ValueError, match=r"^points has the shape \(20, 30\)"):
        thiessen.voronoi(sites.float(), (3, 4))
