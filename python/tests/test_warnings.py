# SPDX-License-Identifier: Apache-2.0
"""What calls say of input that is allowed, but hardly meant; and the domain of voronoi()."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import thiessen

NONE = np.zeros((3, 4), np.uint8)
POINTS = [(0, 0), (2, 3), (0, 0)]
BURNED = np.array([[-9, 3, -9], [-9, -9, 5]], np.int16)
"""Sites among nodata alone."""


@pytest.mark.parametrize(
    ("call", "kind", "count"),
    [
        (lambda **more: thiessen.nearest_site(NONE, **more), "no_site", 1),
        (lambda **more: thiessen.nearest_site(NONE, values=99, **more), "no_site", 1),
        (
            lambda **more: thiessen.nearest_site(np.stack([NONE, NONE]), batch_axes=0, **more),
            "no_site",
            2,
        ),
        (lambda **more: thiessen.distance_transform(NONE, **more), "no_site", 1),
        (lambda **more: thiessen.expand_labels(NONE, **more), "no_site", 1),
        (lambda **more: thiessen.nearest_site(BURNED, nodata=-9, **more), "no_free_cell", 1),
        (lambda **more: thiessen.distance_transform(BURNED, nodata=-9, **more), "no_free_cell", 1),
        (lambda **more: thiessen.expand_labels(BURNED, nodata=-9, **more), "no_free_cell", 1),
        (
            lambda **more: thiessen.nearest_site(
                np.stack([BURNED, BURNED]), nodata=-9, zero_is_site=True, batch_axes=0, **more
            ),
            "no_free_cell",
            2,
        ),
        (
            lambda **more: thiessen.nearest_site(
                np.ma.masked_equal(BURNED, -9), outputs="site_index", **more
            ),
            "no_free_cell",
            1,
        ),
        (lambda **more: thiessen.voronoi([], (3, 4), **more), "no_site", 1),
        (lambda **more: thiessen.voronoi([(9, 9)], (3, 4), **more), "outside_of_grid", 1),
        (lambda **more: thiessen.voronoi(POINTS, (3, 4), **more), "same_place", 1),
        (
            lambda **more: thiessen.voronoi(POINTS, (3, 4), point_labels=[5, 0, 5], **more),
            "unreached_label",
            1,
        ),
        (lambda **more: thiessen.cost_distance(NONE, stiffness=NONE + 1.0, **more), "no_site", 1),
    ],
)
def test_warnings_and_strict(call, kind, count):
    with pytest.warns(thiessen.ThiessenWarning) as caught:
        call()
    assert [(each.message.kind, each.message.count) for each in caught] == [(kind, count)]
    assert caught[0].filename == __file__
    assert isinstance(caught[0].message, UserWarning)
    with pytest.raises(ValueError, match="strict"):
        call(strict=True)


VOLUME_LIKE = [
    ("sites", lambda a, **more: thiessen.nearest_site(a, **more)),
    ("sites", lambda a, **more: thiessen.distance_transform(a, **more)),
    ("labels", lambda a, **more: thiessen.expand_labels(a, **more)),
    (
        "stiffness",
        lambda a, **more: thiessen.cost_distance(stiffness=a, points=[(1, 1, 1)], **more),
    ),
    ("image", lambda a: thiessen.connected_components(a)),
    ("labels", lambda a: thiessen.site_statistics(a)),
    ("labels", lambda a: thiessen.adjacency(a)),
    ("labels", lambda a: thiessen.touching(a)),
    ("stiffness", lambda a: thiessen.CostSolver(stiffness=a, points=[(1, 1, 1)])),
    ("sites", lambda a: thiessen.NearestSiteSolver(a)),
    ("mask", lambda a: thiessen.metrics.local_thickness(a)),
    ("mask", lambda a: thiessen.metrics.medial_axis(a)),
    ("a", lambda a: thiessen.metrics.surface_distances(a, a)),
]


@pytest.mark.parametrize(("name", "call"), VOLUME_LIKE)
def test_a_picture_with_colours_is_hardly_a_volume(name, call):
    for colours in (3, 4):
        picture = np.ones((9, 12, colours), np.float32)
        picture[0] = 0
        with pytest.warns(
            thiessen.ThiessenWarning, match=rf"{name} has the shape \(9, 12, "
        ) as caught:
            call(picture)
        assert [(each.message.kind, each.message.count) for each in caught] == [
            ("colours", colours)
        ]
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shape in ((9, 12, 5), (9, 12), (3, 4, 4), (3, 9, 12)):
            volume = np.ones(shape, np.float32)
            volume[0] = 0
            if len(shape) == 3 or name != "stiffness":
                call(volume)


def test_a_picture_with_colours_and_strict():
    picture = np.eye(9, dtype=np.uint8)[..., None].repeat(3, 2)
    with pytest.raises(ValueError, match="sites has the shape .* volume; a picture with colours"):
        thiessen.nearest_site(picture, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        thiessen.nearest_site(picture, batch_axes=-1)
        thiessen.nearest_site(picture, batch_axes=())
        thiessen.compat.scipy.distance_transform_edt(picture)


def test_silence_where_all_is_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        thiessen.voronoi(POINTS[:2], (3, 4), point_labels=[5, 6])
        thiessen.nearest_site(np.eye(3, dtype=np.uint8), max_distance=0)
        thiessen.nearest_site(np.zeros((0, 4), np.uint8))
        thiessen.distance_transform(NONE, distance_to="boundary")
        thiessen.nearest_site(BURNED, nodata=-9, free_nodata=True)
        thiessen.nearest_site(BURNED, nodata=-9, k=2)
        thiessen.nearest_site(BURNED, nodata=-9, outputs="other_distance")
        thiessen.distance_transform(BURNED, nodata=-9, signed_distance=True)
        thiessen.distance_transform(BURNED, nodata=-9, distance_to="boundary")
        # As silent as what they stand for.
        thiessen.compat.scipy.distance_transform_cdt(np.ones((3, 4)))
        thiessen.compat.skimage.expand_labels(NONE)


@pytest.mark.parametrize(
    ("nodata", "options", "warns"),
    [
        (-9, {}, True), (-9, {"zero_is_site": True}, True), (-9, {"values": [3, 5]}, True),
        (-9, {"values": 3}, False), (None, {}, False), (-9, {"signed_distance": True}, False),
        (-9, {"free_nodata": True}, False), (4, {"zero_is_site": True}, False),
    ],
)  # fmt: skip
def test_files_tell_that_no_cell_is_free(nodata, options, warns):
    out = np.empty(BURNED.shape, np.float32)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        thiessen.distance_transform(BURNED, out=out, nodata=nodata, slab_rows=1, **options)
    assert [each.message.kind for each in caught] == ["no_free_cell"] * warns
    assert all(each.filename == __file__ for each in caught)


@pytest.mark.parametrize("dtype", ["bool", "u1", "i8", ">u2"])
def test_domain(dtype):
    domain = np.array([[1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]]).astype(dtype)
    names = ("labels", "distance", "squared", "site_index", "offset", "direction")
    points = [(0, 1), (2, 3)]
    whole = thiessen.voronoi(points, (3, 4), outputs=names)
    found = thiessen.voronoi(points, (3, 4), outputs=names, domain=domain)
    outside = domain == 0
    for name, nodata in zip(names, (-1, np.nan, -2, -2, -(2**31), np.nan), strict=True):
        wanted = getattr(whole, name).copy()
        wanted[..., outside] = nodata
        np.testing.assert_array_equal(getattr(found, name), wanted)
    masked = np.ma.masked_array(np.ones((3, 4), bool), mask=outside)
    np.testing.assert_array_equal(
        thiessen.voronoi(points, (3, 4), domain=masked).labels, found.labels
    )


def test_domain_of_points_with_labels():
    domain = np.array([[True, False]])
    labels = np.array([7], np.uint8)
    with pytest.raises(ValueError, match="nodata_label is missing"):
        thiessen.voronoi([(0, 0)], (1, 2), point_labels=labels, domain=domain)
    found = thiessen.voronoi([(0, 0)], (1, 2), point_labels=labels, domain=domain, nodata_label=255)
    assert found.labels.tolist() == [[7, 255]]
    assert thiessen.voronoi(
        [(0, 1)], (1, 2), point_labels=labels, domain=domain, outputs="distance"
    ).distance[0].tolist() == [1, pytest.approx(np.nan, nan_ok=True)]


def test_domains_that_are_none():
    with pytest.raises(ValueError, match=r"domain has the shape \(2, 1\)"):
        thiessen.voronoi([(0, 0)], (1, 2), domain=np.ones((2, 1), bool))
    with pytest.raises(TypeError, match="domain has the dtype float64"):
        thiessen.voronoi([(0, 0)], (1, 2), domain=np.ones((1, 2)))
    with pytest.raises(ValueError, match="nodata_label is given"):
        thiessen.voronoi([(0, 0)], (1, 2), nodata_label=3)
