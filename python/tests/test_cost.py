# SPDX-License-Identifier: Apache-2.0
"""Paths of cost_distance(), and what it does with its arguments; `test_oracle` has its results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen
from on_cuda import OnCuda

METHODS = ["exact", "dijkstra", "relaxation"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(23, 31), (5, 7, 9)])
@pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")
def test_paths_lead_to_the_site(method: str, shape: tuple[int, ...]) -> None:
    cells = thiessen.material_map(shape, "noise", seed=3)
    cells[cells < 0.3] = 0
    sites = thiessen.random_sites(shape, 6, seed=1)
    result = thiessen.cost_distance(
        sites,
        stiffness=cells,
        spacing=(0.5, 1.25, 2)[: len(shape)],
        method=method,
        outputs=("site_index", "back_link"),
    )
    for cell in np.argwhere(result.site_index >= 0)[::17]:
        path = thiessen.least_cost_path(result.back_link, cell)
        assert tuple(path[0]) == tuple(cell)
        assert np.ravel_multi_index(tuple(path[-1]), shape) == result.site_index[tuple(cell)]


@pytest.mark.parametrize("method", METHODS)
def test_paths_over_free_ground_are_straight(method: str) -> None:
    channel = np.full((30, 60), 100.0)
    channel[8:22] = 0
    result = thiessen.cost_distance(
        cost=channel,
        points=[(15, 0)],
        distance_type="float64",
        method=method,
        outputs=("distance", "back_link"),
    )
    path = thiessen.least_cost_path(result.back_link, (15, 59))
    assert np.hypot(*np.diff(path, axis=0).T).sum() == 59


def test_labels_carried() -> None:
    cells = thiessen.material_map((50, 60), "uniform")
    sites = thiessen.random_sites((50, 60), 40, seed=1)
    settled = thiessen.cost_distance(sites, stiffness=cells)
    carried = thiessen.cost_distance(
        sites, stiffness=cells, method="relaxation", labels_carried=True
    )
    assert np.array_equal(settled.distance, carried.distance)
    assert 0 < np.count_nonzero(settled.labels != carried.labels) < cells.size // 10
    with pytest.raises(ValueError, match="labels_carried is given; it is for method relaxation"):
        thiessen.cost_distance(sites, stiffness=cells, labels_carried=True)
    with pytest.raises(TypeError, match="labels_carried = 1; must be True or False"):
        thiessen.cost_distance(sites, stiffness=cells, labels_carried=1)  # type: ignore[arg-type]


def test_points_and_initial_costs() -> None:
    result = thiessen.cost_distance(
        stiffness=np.ones((1, 6)),
        points=[(0, 0.25), (0, 5)],
        point_labels=[8, 9],
        initial_cost=[1, 0],
        outputs=("labels", "distance", "site_index"),
    )
    assert result.labels.tolist() == [[8, 8, 8, 9, 9, 9]]
    assert result.distance.tolist() == [[1, 2, 3, 2, 1, 0]]
    assert result.site_index.tolist() == [[0, 0, 0, 1, 1, 1]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_point_on_an_edge_lies_in_the_cell_below_and_to_the_right(
    method: str, dtype: str
) -> None:
    """As where points are burned: a cell has its left and upper edge, not the others."""
    edges = np.arange(-0.5, 4, 0.5)
    points = [(y, x) for y in edges for x in edges]
    options: dict[str, Any] = {
        "method": method, "distance_type": dtype, "max_distance": 0, "outputs": ("labels", "site_index"),
    }  # fmt: skip
    with pytest.warns(UserWarning, match="17 sites .* the first with the index 8$"):
        found = thiessen.cost_distance(stiffness=np.ones((4, 4)), points=points, **options)
    for i, (y, x) in reversed(list(enumerate(points))):
        cell = int(np.floor(y + 0.5)), int(np.floor(x + 0.5))
        if max(cell) < 4:
            assert found.site_index[cell] <= i
            alone = thiessen.cost_distance(stiffness=np.ones((4, 4)), points=[(y, x)], **options)
            assert np.argwhere(alone.labels == 1).tolist() == [list(cell)]
        else:
            with pytest.raises(ValueError, match="site 0 lies outside of the raster"):
                thiessen.cost_distance(stiffness=np.ones((4, 4)), points=[(y, x)], strict=True)


def test_a_point_on_an_edge_in_3d() -> None:
    costs = thiessen.material_map((9, 10, 11), "noise", seed=3, dtype="float64")
    points = np.array([[0, 0, 0], [8.5, 3, 4], [2, 2, 10], [3.5, 2, 2]])
    with pytest.warns(UserWarning, match="1 site .* the first with the index 1$"):
        found = thiessen.cost_distance(
            cost=costs, points=points, outputs=("site_index", "distance")
        )
    assert found.site_index[4, 2, 2] == 3
    assert found.distance[4, 2, 2] == 0


def test_masked_map() -> None:
    cells = np.ma.MaskedArray(np.ones((1, 4), np.int16), [[False, False, True, False]])
    labels, distance = thiessen.cost_distance(
        np.array([[3, 0, 0, 0]]), stiffness=cells, unreached=-5
    )
    assert labels.mask.tolist() == [[False, False, True, False]]
    assert labels[0, 3] == -5
    assert distance[0, 1] == 1


@pytest.mark.parametrize("nodata", [-9999, 0.5, np.inf])
def test_masked_map_whose_nodata_value_is_no_label(nodata: float) -> None:
    cells = np.ma.MaskedArray([[1.0, nodata, 1.0, 1.0]], [[False, False, False, True]])
    sites = np.array([[3, 0, 0, 0]], np.uint8)
    labels = thiessen.cost_distance(sites, cost=cells, map_nodata=nodata, unreached=7).labels
    assert labels.data[0, :3].tolist() == [3, 7, 7]
    assert labels.mask.tolist() == [[False, False, False, True]]
    assert labels.fill_value == np.ma.MaskedArray(sites).fill_value


def test_booleans_are_numbered_and_out_is_written() -> None:
    out = np.empty((1, 3), np.int32)
    result = thiessen.cost_distance(
        np.array([[True, False, True]]), stiffness=np.ones((1, 3)), outputs="labels", out=out
    )
    assert result.labels is out
    assert out.tolist() == [[1, 1, 2]]


def test_max_distance_and_connectivity() -> None:
    sites = np.zeros((3, 3), np.uint8)
    sites[1, 1] = 1
    distance = thiessen.cost_distance(
        sites, stiffness=np.ones((3, 3)), connectivity=4, max_distance=1, outputs="distance"
    ).distance
    assert np.isinf(distance[0, 0])
    assert distance[0, 1] == 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"cost": np.ones((4, 5))},
            ValueError,
            "cost and stiffness are given; must be one of the two",
        ),
        ({"stiffness": None}, ValueError, "cost and stiffness: one of the two must be given"),
        ({"stiffness": np.full((1, 3), -1.0)}, ValueError, r"stiffness\[0, 0\] = -1"),
        ({"stiffness": None, "cost": np.full((1, 3), -1.0)}, ValueError, r"cost\[0, 0\] = -1"),
        ({"connectivity": 6}, ValueError, "connectivity = 6"),
        ({"connectivity": 5}, ValueError, "connectivity = 5"),
        ({"connectivity": "8"}, TypeError, "connectivity = '8'"),
        ({"distance_type": "int32"}, ValueError, "float32"),
        ({"method": "best"}, ValueError, "method = 'best'; must be one of"),
        ({"outputs": "offset"}, ValueError, "outputs has 'offset'"),
        ({"initial_cost": np.ones((2, 2))}, ValueError, "initial_cost has other extents"),
        ({"strict": 1}, TypeError, "strict = 1"),
        ({"points": [(0, 0)]}, ValueError, "sites and points"),
        ({"max_distance": -1}, ValueError, "max_distance = -1"),
        ({"nodata_label": 0.5}, ValueError, "nodata_label = 0.5"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type, message: str) -> None:
    sites = np.array([[1, 0, 0]], np.uint8)
    with pytest.raises(error, match=message):
        thiessen.cost_distance(sites, **{"stiffness": np.ones((1, 3)), **arguments})


def test_nodata_of_the_map_and_of_the_sites_are_told_apart() -> None:
    stiffness = np.array([[1, 1, 7, 1, 1]], np.float32)
    sites = np.array([[5, 0, 0, 0, 9]], np.int16)
    found = thiessen.cost_distance(sites, stiffness=stiffness, map_nodata=7, nodata_label=-1)
    assert found.labels.tolist() == [[5, 5, -1, 9, 9]]
    found = thiessen.cost_distance(sites, stiffness=stiffness, site_nodata=9)
    assert found.labels.tolist() == [[5, 5, 5, 5, 5]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"nodata": 7}, TypeError, "unexpected keyword argument 'nodata'"),
        ({"map_nodata": "x"}, TypeError, "map_nodata = 'x'; must be a number"),
        ({"map_nodata": 0.1}, ValueError, "map_nodata = 0.1; must be a value of the dtype float16"),
        ({"site_nodata": "x"}, TypeError, "site_nodata = 'x'; must be a number"),
        ({"site_nodata": 2**40}, ValueError, "site_nodata = 1099511627776; must be a value of"),
    ],
)
def test_messages_tell_which_nodata(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        thiessen.cost_distance(
            np.array([[1, 0, 0]], ">i2"), stiffness=np.ones((1, 3), np.float16), **arguments
        )


def test_bad_maps() -> None:
    sites = np.array([[1, 0, 0]], np.uint8)
    with pytest.raises(ValueError, match=r"stiffness\[0, 1\] = -2; a stiffness must be"):
        thiessen.cost_distance(sites, stiffness=np.array([[1, -2, 1]]))
    with pytest.raises(ValueError, match="stiffness is bool"):
        thiessen.cost_distance(sites, stiffness=np.ones((1, 3), bool))
    with pytest.raises(ValueError, match="other extents"):
        thiessen.cost_distance(sites, stiffness=np.ones((1, 4)))
    with pytest.raises(ValueError, match=r"site \[0, 0\] lies on a barrier"):
        thiessen.cost_distance(sites, stiffness=np.array([[0, 1, 1]]), strict=True)
    with pytest.warns(UserWarning, match="1 site on barriers"):
        thiessen.cost_distance(sites, stiffness=np.array([[0, 1, 1]]))


def test_paths_and_maps_refuse() -> None:
    links = np.array([[5, 4]], np.uint8)
    with pytest.raises(ValueError, match="in a circle"):
        thiessen.least_cost_path(links, (0, 0))
    with pytest.raises(ValueError, match=r"start = \(0, 2\); must be a cell of the shape"):
        thiessen.least_cost_path(links, (0, 2))
    with pytest.raises(ValueError, match="material = 'marble'; must be"):
        thiessen.material_map((2, 2), "marble")
    with pytest.raises(ValueError, match="seed = -1"):
        thiessen.material_map((2, 2), "noise", seed=-1)


def test_the_papers_name_of_a_gradient() -> None:
    gradient = thiessen.material_map((3, 9), "gradient")
    np.testing.assert_array_equal(thiessen.material_map((3, 9), "Degrade"), gradient)


def test_what_the_core_gets_of_cuda_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a device for them: test_cuda.py has the results of one."""
    calls: list[dict[str, Any]] = []

    def record(operation: str, inputs: Any, outputs: Any, options: Any) -> Any:
        calls.append({"operation": operation, **inputs, "outputs": outputs, "options": options})
        return {}, []

    monkeypatch.setattr("thiessen._kinds.cuda.problem", str)
    monkeypatch.setattr("thiessen._core.run", record)
    stiffness = OnCuda(512, (3, 4), "<f4")
    out = OnCuda(1024, (3, 4), "<i2")
    sites = OnCuda(1536, (3, 4), "<i2")
    initial = OnCuda(2048, (3, 4), "<f8")
    result = thiessen.cost_distance(
        sites, stiffness=stiffness, initial_cost=initial, outputs="labels", out=out, map_nodata=-1
    )
    assert result.labels is out
    options = calls[-1].pop("options")
    assert calls[-1] == {
        "operation": "cost_distance",
        "stiffness": (512, (3, 4), (16, 4), "<f4"),
        "sites": (1536, (3, 4), (8, 2), "<i2"),
        "points": None,
        "point_labels": None,
        "initial_cost": (2048, (3, 4), (32, 8), "<f8"),
        "elevation": None,
        "blocked_faces": None,
        "outputs": {"labels": (1024, (3, 4), (8, 2), "<i2")},
    }
    assert (options["map_nodata"], options["site_nodata"]) == (-1, None)
    assert (options.device, options.stream, options.wait) == ("cuda:0", 7, False)

    points, labels = OnCuda(2560, (5, 2), "<f4"), OnCuda(3072, (5,), "<i2")
    thiessen.cost_distance(
        stiffness=stiffness, points=points, point_labels=labels, outputs="labels", out=out
    )
    assert calls[-1]["sites"] is None
    assert calls[-1]["points"] == (2560, (5, 2), (8, 4), "<f4")
    assert calls[-1]["point_labels"] == (3072, (5,), (2,), "<i2")

    thiessen.cost_distance(
        np.eye(3, 4, dtype=np.int16), stiffness=stiffness, outputs="labels", out=out
    )
    assert calls[-1]["sites"].dtype == np.int16
    with pytest.raises(TypeError, match="^labels would have the dtype float16"):
        thiessen.cost_distance(
            np.eye(3, 4, dtype=np.float16), stiffness=stiffness, out={"labels": out}
        )
    with pytest.raises(TypeError, match="^points has the dtype int16; must be float32"):
        thiessen.cost_distance(
            stiffness=stiffness, points=OnCuda(4096, (5, 2), "<i2"), out={"labels": out}
        )
    with pytest.raises(ValueError, match="^sites is on the stream 0x9; must be on that of the map"):
        thiessen.cost_distance(
            OnCuda(1536, (3, 4), "<i2", stream=9), stiffness=stiffness, out={"labels": out}
        )
    with pytest.raises(RuntimeError, match="^sites is a .*arrays must be on the host"):
        thiessen.cost_distance(sites, stiffness=np.ones((3, 4)))


def test_masked_maps_have_links_that_paths_take():
    stiffness = np.ma.masked_array(np.ones((1, 4)), [[0, 1, 0, 0]])
    links = thiessen.cost_distance(
        np.array([[1, 0, 0, 2]]), stiffness=stiffness, outputs="back_link"
    )
    assert links.back_link.filled()[0, 1] == 255
    assert thiessen.least_cost_path(links.back_link, (0, 2)).tolist() == [[0, 2], [0, 3]]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            {"distance_type": "float16", "outputs": "labels"},
            ValueError,
            "distance_type = 'float16'; must be",
        ),
        ({"distance_type": "no"}, ValueError, "distance_type = 'no'; must be"),
        ({"points": [(0, 0)], "site_nodata": 5}, ValueError, "site_nodata is given"),
        ({"sites": np.ones((2, 2)), "site_nodata": "x"}, TypeError, "site_nodata = 'x'"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        thiessen.cost_distance(stiffness=np.ones((2, 2)), **wrong)


def test_starts_of_paths_are_cells():
    links = np.zeros((2, 2), np.uint8)
    with pytest.raises(TypeError, match=r"start\[0\] = 0.5; must be an integer"):
        thiessen.least_cost_path(links, (0.5, 1))
    with pytest.raises(TypeError, match=r"start\[1\] = True; must be an integer"):
        thiessen.least_cost_path(links, (0, True))
    with pytest.raises(TypeError, match="start = 3; must be integers, one for each axis"):
        thiessen.least_cost_path(links, 3)
    with pytest.raises(ValueError, match=r"start\[0\] = .*; must be 0 to"):
        thiessen.least_cost_path(links, (2**70, 0))
    for start in ((2, 0), (0,), (0, 0, 0)):
        with pytest.raises(ValueError, match=r"start = .*; must be a cell of the shape \(2, 2\)"):
            thiessen.least_cost_path(links, start)


def test_fronts_have_no_star() -> None:
    sites = np.zeros((61, 61), np.uint8)
    sites[30, 30] = 1
    exact = np.hypot(*np.mgrid[-30:31, -30:31])
    found = thiessen.cost_distance(sites, cost=np.ones((61, 61)), method="eikonal")
    assert np.abs(found.distance - exact).max() < 0.12
    off = thiessen.cost_distance(
        points=[(30.25, 29.5)], cost=np.ones((61, 61)), method="eikonal", outputs="distance"
    )
    rows, columns = np.mgrid[:61, :61]
    assert np.abs(off.distance - np.hypot(rows - 30.25, columns - 29.5)).max() < 0.12
    more = thiessen.cost_distance(
        sites, cost=np.ones((61, 61)), method="eikonal", exact_radius=30, outputs="distance"
    )
    near = exact <= 30
    np.testing.assert_array_equal(more.distance[near], exact[near].astype(np.float32))
    with pytest.raises(RuntimeError, match="an elevation is given"):
        thiessen.cost_distance(sites, elevation=np.ones((61, 61)), method="eikonal")
    with pytest.raises(ValueError, match="exact_radius"):
        thiessen.cost_distance(sites, cost=np.ones((61, 61)), exact_radius=3)
