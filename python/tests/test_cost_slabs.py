# SPDX-License-Identifier: Apache-2.0
"""Cost distance in slabs has the bits of one call, whatever the heights of the slabs are."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen
from thiessen import slabs

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")

ALL = ("labels", "distance", "site_index", "back_link")


def by_slabs(given, sites, heights, outputs=ALL, **options):
    ((what, map),) = given.items()
    parts, first = [], 0
    for count in heights:
        rows = slabs.cost_rows(map.shape, first, count, connectivity=options.get("connectivity"))
        parts.append(
            slabs.CostSlab(
                None if sites is None else sites[rows],
                **{what: map[rows]},
                shape=map.shape,
                first=first,
                count=count,
                outputs=outputs,
                **options,
            )
        )
        first += count
    for stage in parts[0].stages:
        queue = slabs.CostQueue(heights)
        before = dict.fromkeys(range(len(parts)), 0)
        while (visit := queue.next()) is not None:
            number, is_first = visit
            for other in parts:
                parts[number].take(other)
            report = parts[number].visit(stage, is_first=is_first)
            if is_first and stage == "costs":
                before[number] = report.sites
            queue.add(number, report)
        if stage == "costs":
            for number, part in enumerate(parts):
                part.sites_before = sum(before[above] for above in range(number))
    found = [part.finish() for part in parts]
    return {name: np.concatenate([getattr(each, name) for each in found]) for name in outputs}


def assert_equal(map, sites, heights, what="stiffness", **options):
    found = by_slabs({what: map}, sites, heights, **options)
    wanted = thiessen.cost_distance(sites, **{what: map}, outputs=ALL, **options)
    for name, array in found.items():
        expected = getattr(wanted, name)
        assert array.dtype == expected.dtype, name
        assert array.tobytes() == np.ascontiguousarray(expected).tobytes(), name


def draw(shape, seed):
    random = np.random.default_rng(seed)
    map = np.where(random.random(shape) < 0.2, np.nan, 0.1 + random.random(shape))
    sites = np.where(random.random(shape) < 0.01, random.integers(1, 9, shape), 0)
    return map.astype(np.float32), sites.astype(np.int16)


@pytest.mark.parametrize("heights", [[1] * 40, [7, 7, 7, 7, 7, 5], [0, 13, 0, 27, 0], [40]])
def test_slabs_equal_one_call(heights):
    map, sites = draw((40, 31), len(heights))
    assert_equal(map, sites, heights)
    assert_equal(map, sites, heights, connectivity=16, distance_type="float64", max_distance=9)
    assert_equal(map, sites > 0, heights, connectivity=4, tight_barriers=True, unreached=-3)


def test_planes_and_points():
    map, sites = draw((9, 8, 7), 3)
    assert_equal(map, sites, [2, 3, 4], spacing=(2, 1, 1), what="cost")
    assert_equal(
        map, None, [4, 5], points=[(1, 2, 3), (8, 7, 6), (20, 0, 0)], point_labels=[5, 6, 7],
        initial_cost=[0.5, 0.25, 0],
    )  # fmt: skip
    assert_equal(map, None, [1] * 9, points=[(1, 2, 3), (8, 7, 6)])


def test_mazes():
    map = thiessen.material_map((61, 43), "maze", seed=2)
    sites = np.zeros(map.shape, np.uint8)
    sites[0, 0] = 1
    assert_equal(map, sites, [5] * 12 + [1])


def test_small_outputs_have_few_stages():
    map, sites = draw((6, 5), 1)
    slab = slabs.CostSlab(
        sites[:3], stiffness=map[:3], shape=map.shape, first=0, count=2, outputs="distance"
    )
    assert slab.stages == ("costs",)
    assert list(slab.known) == ["resistance", "cost"]
    assert slab.rows == slice(0, 3)
    assert slab.own == slice(0, 2)


def test_errors():
    map, sites = draw((6, 5), 1)
    common = {"shape": map.shape, "first": 0, "count": 2}
    with pytest.raises(ValueError, match="sites and points: one of the two must be given"):
        slabs.CostSlab(stiffness=map[:3], **common)
    with pytest.raises(TypeError, match="stiffness is a MaskedArray"):
        slabs.CostSlab(sites[:3], stiffness=np.ma.masked_invalid(map[:3]), **common)
    with pytest.raises(ValueError, match=r"own are the rows 5 to 8; must lie in the raster"):
        slabs.cost_rows(map.shape, 5, 3)
    slab = slabs.CostSlab(sites[:3], stiffness=map[:2], **common)
    with pytest.raises(ValueError, match="stiffness has other extents"):
        slab.visit("costs", is_first=True)
    slab = slabs.CostSlab(sites[:3], stiffness=map[:3], **common)
    with pytest.raises(ValueError, match="stage"):
        slab.visit("labels", is_first=True)
    with pytest.raises(ValueError, match=r"slab = 4; there are 2"):
        slabs.CostQueue([2, 4]).add(4, slabs.CostReport())
    slab = slabs.CostSlab(sites[:3], stiffness=map[:3], outputs="other_labels", **common)
    with pytest.raises(RuntimeError, match="outputs of another label are wanted"):
        slab.finish()
