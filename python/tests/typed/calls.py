# SPDX-License-Identifier: Apache-2.0
"""What a type checker makes of calls: test_typing.py has mypy read this file, nobody runs it.

A comment `type: ignore[...]` says that the line must be an error of this kind. mypy tells where it
is none.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import thiessen
import xarray
from thiessen import NearestSite
from thiessen.typing import Metric, Output
from typing_extensions import assert_type

cells = np.zeros((3, 4), np.int32)
frame = xarray.DataArray(cells)
masked = np.ma.masked_equal(cells, 0)
unknown: Any = cells


def use(value: object) -> None:
    """For what is looked at and not called."""


# By default a result has labels and distance, and nothing else.
found = thiessen.nearest_site(cells)
assert_type(found, NearestSite[Literal["labels", "distance"], np.ndarray])
assert_type(found.labels, np.ndarray)
assert_type(found.distance, np.ndarray)
use(found.site_index)  # type: ignore[misc]
use(found.label)  # type: ignore[attr-defined]
labels, distance = found
assert_type(labels, np.ndarray)

# One output is one attribute.
assert_type(thiessen.nearest_site(cells, outputs="offset").offset, np.ndarray)
use(thiessen.nearest_site(cells, outputs="offset").labels)  # type: ignore[misc]

# The names of several outputs are checked.
assert_type(thiessen.nearest_site(cells, outputs=("labels", "squared")).squared, np.ndarray)
assert_type(thiessen.nearest_site(cells, outputs=["direction"]).direction, np.ndarray)
names: list[Output] = ["labels"]
assert_type(thiessen.nearest_site(cells, outputs=names).labels, np.ndarray)
thiessen.nearest_site(cells, outputs=("label",))  # type: ignore[arg-type]
thiessen.nearest_site(cells, outputs="label")  # type: ignore[call-overload]

# The results are the kind of array that the sites are.
assert_type(thiessen.nearest_site(frame).labels, xarray.DataArray)
assert_type(thiessen.nearest_site([[0, 1]]).labels, np.ndarray)
assert_type(thiessen.nearest_site([[0, 1]], outputs="offset").offset, np.ndarray)
use(thiessen.nearest_site(masked).labels.mask)
use(thiessen.nearest_site(masked, outputs="offset").offset.mask)
use(thiessen.distance_transform(masked).mask)
use(thiessen.expand_labels(masked).mask)
use(thiessen.cost_distance(cells, stiffness=masked).labels.mask)
use(thiessen.nearest_site(cells).labels.mask)  # type: ignore[attr-defined]
assert_type(thiessen.distance_transform(cells), np.ndarray)
assert_type(thiessen.distance_transform(frame, distance_to="boundary"), xarray.DataArray)
assert_type(thiessen.expand_labels(frame, 3), xarray.DataArray)
assert_type(thiessen.expand_labels(cells, max_distance=3), np.ndarray)
assert_type(thiessen.site_statistics(cells, field=cells).mass, np.ndarray | None)
assert_type(thiessen.adjacency(frame, connectivity=8).contacts, np.ndarray)

# Misspelt arguments and words.
thiessen.nearest_site(cells, metrc="manhattan")  # type: ignore[call-overload]
thiessen.nearest_site(cells, metric="manhattn")  # type: ignore[arg-type]
thiessen.nearest_site(cells, method="jfa*")  # type: ignore[arg-type]
thiessen.nearest_site(cells, components=5)  # type: ignore[call-overload]
thiessen.nearest_site(cells, distance_type="float16")  # type: ignore[call-overload]
thiessen.distance_transform(cells, distance_to="edge")  # type: ignore[arg-type]
thiessen.expand_labels(cells, metric="manhattn")  # type: ignore[arg-type]
thiessen.render(found, ramp="viridas")  # type: ignore[arg-type]
thiessen.connected_components(cells, connectivity=5)  # type: ignore[arg-type]
thiessen.adjacency(cells, connectivity=5)  # type: ignore[arg-type]
thiessen.site_statistics(cells, back_ground=None)  # type: ignore[call-arg]
thiessen.material_map((3, 4), "marble")  # type: ignore[arg-type]
thiessen.compare(found, found, metric="manhattn")  # type: ignore[arg-type]

# Words of one's own have the types of thiessen.typing.
metric: Metric = "chessboard"
thiessen.nearest_site(cells, metric=metric)

# Nothing but the first arguments goes by position.
thiessen.nearest_site(cells, (1, 2))  # type: ignore[call-overload]
thiessen.distance_transform(cells, "boundary")  # type: ignore[call-overload]
thiessen.expand_labels(cells, 3, 1)  # type: ignore[call-overload]
thiessen.voronoi([(0, 1)], (3, 4), [7])  # type: ignore[call-overload]
thiessen.cost_distance(cells, "cost", stiffness=cells)  # type: ignore[call-overload]
thiessen.connected_components(cells, 8)  # type: ignore[call-arg]
thiessen.random_sites((3, 4), 2, 1)  # type: ignore[call-arg]
thiessen.render(cells, cells)  # type: ignore[call-arg]
thiessen.site_statistics(cells, cells)  # type: ignore[call-arg]
thiessen.adjacency(cells, 8)  # type: ignore[call-arg]

# Options of methods.
thiessen.nearest_site(cells, method="jfa", method_options=thiessen.Flooding(steps=[2, 1]))
thiessen.nearest_site(cells, method="jfa", steps=[2, 1])  # type: ignore[call-overload]
thiessen.nearest_site(cells, method_options={"steps": [1]})  # type: ignore[call-overload]
thiessen.Flooding(step=[2, 1])  # type: ignore[call-arg]
thiessen.Flooding(noise="loud")  # type: ignore[arg-type]
thiessen.Growing(step="1")  # type: ignore[arg-type]

# Points and costs.
points = np.zeros((2, 2))
assert_type(thiessen.voronoi(points, (3, 4)).labels, np.ndarray)
assert_type(thiessen.voronoi(points, (3, 4), outputs="squared").squared, np.ndarray)
assert_type(thiessen.voronoi(points, (3, 4), outputs="other_labels").other_labels, np.ndarray)
thiessen.voronoi(points, (3, 4), outputs="back_link")  # type: ignore[call-overload]
assert_type(thiessen.cost_distance(cells, stiffness=cells).distance, np.ndarray)
assert_type(thiessen.cost_distance(cells, stiffness=frame).distance, xarray.DataArray)
assert_type(
    thiessen.cost_distance(cells, stiffness=cells, outputs="back_link").back_link, np.ndarray
)
thiessen.cost_distance(cells, stiffness=cells, outputs="squared")  # type: ignore[call-overload]
thiessen.cost_distance(cells, friction=cells)  # type: ignore[call-overload]
thiessen.cost_distance(cells, stiffness=cells, connectivity=6, map_nodata=-1, site_nodata=0)
thiessen.cost_distance(cells, stiffness=cells, nodata=-1)  # type: ignore[call-overload]
thiessen.cost_distance(cells, stiffness=cells, connectivity=5)  # type: ignore[call-overload]
assert_type(
    thiessen.cost_distance(cells, stiffness=cells, elevation=cells, walk="tobler").labels,
    np.ndarray,
)
thiessen.cost_distance(cells, elevation=cells, outputs="distance")
thiessen.cost_distance(cells, stiffness=cells, elevation=cells, walk="running")  # type: ignore[arg-type]
thiessen.cost_distance(cells, stiffness=cells, elevation=cells, walk_map="adds", slope_factor=-0.2)
thiessen.cost_distance(cells, stiffness=cells, metric="manhattan")  # type: ignore[arg-type]
thiessen.cost_distance(cells, elevation=cells, walk_direction="up")  # type: ignore[arg-type]

# Placing sites.
assert_type(thiessen.relax_sites(points, (3, 4), periodic=True), thiessen.RelaxedSites)
assert_type(thiessen.relax_cost_sites([0], cost=cells).energy, np.ndarray)
assert_type(thiessen.farthest_sites((3, 4), max_distance=2).radius, float)
thiessen.relax_sites(points, (3, 4), 5)  # type: ignore[call-arg]
thiessen.farthest_cost_sites(2, stiffness=cells, distance_type="f4")  # type: ignore[arg-type]
if thiessen.relax_sites(points, (3, 4)).end == "done":  # type: ignore[comparison-overlap]
    pass

# Slabs.
assert_type(thiessen.slabs.summarise(cells, shape=(3, 4), first=0), bytes)
assert_type(thiessen.slabs.combine([b""], shape=(3, 4)), list[bytes])
assert_type(thiessen.slabs.finish(cells, b"", shape=(3, 4), first=0).labels, np.ndarray)
thiessen.slabs.summarise(cells, shape=(3, 4), first=0, metric="chessboard")  # type: ignore[arg-type]
assert_type(thiessen.nearest_site(frame).labels, xarray.DataArray)
assert_type(thiessen.expand_labels(frame), xarray.DataArray)

# Nothing is claimed of arguments without a type.
assert_type(thiessen.nearest_site(unknown).labels, Any)

# Points of arrays have a grid, those of frames have none.
assert_type(thiessen.voronoi_polygons(cells, (3, 4)), thiessen.Polygons)
assert_type(thiessen.voronoi_polygons([(1, 1)], (3, 4), spacing=2), thiessen.Polygons)
thiessen.voronoi_polygons(unknown, (3, 4), mask=unknown)  # type: ignore[call-overload]
