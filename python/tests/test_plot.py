# SPDX-License-Identifier: Apache-2.0
"""Thumbnails of notebooks, and results on axes of matplotlib: what lies where."""

from __future__ import annotations

import base64
import io
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import thiessen
from thiessen._showing.thumbnail import to_png

Image = pytest.importorskip("PIL.Image")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
pyplot = pytest.importorskip("matplotlib.pyplot")

SITES = thiessen.random_sites((60, 80), 9, seed=1)


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    yield
    pyplot.close("all")


def picture_of(result: Any) -> np.ndarray:
    """The thumbnail of a result; in the text there is what its tag says."""
    html = result._repr_html_()
    (encoded,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(encoded))))
    assert f'width="{image.shape[1]}" height="{image.shape[0]}"' in html
    return image


def pixels_of(figure: Any) -> np.ndarray:
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3]


def colour_at(ax: Any, x: float, y: float) -> tuple[int, ...]:
    """The colour of a place on axes."""
    pixels = pixels_of(ax.figure)
    column, row = ax.transData.transform((x, y))
    return tuple(pixels[len(pixels) - 1 - int(row), int(column)].tolist())


@pytest.mark.parametrize("channels", [3, 4])
def test_png_files_hold_the_pixels(channels: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, channels), np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(to_png(pixels)))), pixels)


def test_thumbnails_are_those_of_render() -> None:
    found = thiessen.nearest_site(SITES, max_distance=12)
    assert np.array_equal(picture_of(found), thiessen.render(found, shape=320))
    assert "NearestSite of 60 x 80 cells: labels int32, distance float32" in found._repr_html_()
    squared = thiessen.nearest_site(SITES, max_distance=12, outputs="squared")
    distance = thiessen.render(distance=found.distance, mode="distance", shape=320)
    assert np.array_equal(picture_of(squared), distance)
    places = thiessen.nearest_site(SITES, max_distance=12, outputs=("site_index", "offset"))
    assert "60 x 80 cells" in places._repr_html_()
    plain = thiessen.render(places.site_index, label_nodata=-2, unreached=-1, shape=320)
    assert np.array_equal(picture_of(places), plain)


def test_thumbnails_of_volumes_and_of_large_rasters() -> None:
    volume = thiessen.nearest_site(thiessen.random_sites((9, 30, 40), 9, seed=1))
    middle = thiessen.render(volume.labels[4], distance=volume.distance[4], shape=320)
    assert np.array_equal(picture_of(volume), middle)
    assert "plane 4 of 0 to 8" in volume._repr_html_()
    stack = thiessen.nearest_site(np.ones((2, 3, 4, 5, 6)), batch_axes=(0, 1))
    assert picture_of(stack).shape == (267, 320, 3)
    wide = thiessen.nearest_site(np.ones((2, 5000), np.uint8))
    assert picture_of(wide).shape == (1, 320, 3)


def test_thumbnails_of_masks_and_coordinates() -> None:
    xarray = pytest.importorskip("xarray")
    image = SITES.astype(np.int16)
    image[:20] = 99
    masked = thiessen.nearest_site(np.ma.masked_equal(image, 99))
    grey = picture_of(masked)[10, 10]
    assert grey.min() == grey.max() < 255
    coordinates = {"y": np.arange(60.0), "x": np.arange(80.0)}
    frame = xarray.DataArray(image, dims=("y", "x"), coords=coordinates, attrs={"_FillValue": 99})
    upwards = thiessen.render(masked.labels[::-1], distance=masked.distance[::-1], shape=320)
    assert np.array_equal(picture_of(thiessen.nearest_site(frame)), upwards)


def test_results_without_a_picture() -> None:
    assert thiessen.nearest_site(SITES, outputs="offset")._repr_html_() == (
        "<div>NearestSite of 60 x 80 cells: offset int32</div>"
    )
    empty = thiessen.nearest_site(np.ones((0, 4)))
    assert "0 x 4 cells" in empty._repr_html_()
    da = pytest.importorskip("dask.array")
    lazy = thiessen.nearest_site(da.ones((4, 4), chunks=2))
    assert "img" not in lazy._repr_html_()


def test_cells_borders_and_points_are_where_the_spacing_puts_them() -> None:
    labels = np.array([[1, 1, 2], [1, 1, 2]])
    ax = thiessen.plot(labels, spacing=(2, 0.5), points=[(0, 0), (1, 2)])
    assert (ax.get_xlim(), ax.get_ylim()) == ((-0.25, 1.25), (3, -1))
    (line,) = ax.collections[0].get_segments()
    assert sorted(line.tolist()) == [[0.75, -1], [0.75, 3]]
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [1, 2]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")
    ax.lines[0].set_visible(False)
    colours = thiessen.render(labels, edges=False)
    assert colour_at(ax, 0.2, 0.5) == tuple(colours[0, 0].tolist())
    assert colour_at(ax, 1, 0.5) == tuple(colours[0, 2].tolist())


@pytest.mark.parametrize("flip", [1, -1])
def test_coordinates_name_axes_and_grow_upwards(flip: int) -> None:
    xarray = pytest.importorskip("xarray")
    labels = np.array([[1, 1, 2], [3, 3, 3]])
    frame = xarray.DataArray(
        labels,
        dims=("north", "east"),
        coords={"north": ("north", [10.0, 30.0], {"units": "m"}), "east": [5.0, 6.0, 7.0]},
    )[::flip, ::flip]
    ax = thiessen.plot(frame)
    assert (ax.get_xlim(), ax.get_ylim()) == ((4.5, 7.5), (0, 40))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("east", "north (m)")
    colours = {n: thiessen.render(np.full((1, 1), n))[0, 0].tolist() for n in (1, 2, 3)}
    assert colour_at(ax, 4.8, 10) == tuple(colours[1])
    assert colour_at(ax, 7.2, 10) == tuple(colours[2])
    assert colour_at(ax, 6, 30) == tuple(colours[3])


def test_extents_distances_and_contours() -> None:
    found = thiessen.nearest_site(SITES)
    ax = thiessen.plot(found, extent=(100, 180, 0, 60), mode="distance", contours=[3, 6, 1e9])
    assert (ax.get_xlim(), ax.get_ylim()) == ((100, 180), (0, 60))
    shown = ax.images[0].get_array()
    assert np.array_equal(shown, found.distance)
    assert ax.collections[-1].levels.tolist() == [3, 6]
    ax = thiessen.plot(found, contours=5, edges=False)
    greatest = found.distance.max()
    assert ax.collections[0].levels.tolist() == np.arange(5, greatest, 5).tolist()
    far = np.linspace(0, 12_000, 12, dtype=np.float32).reshape(3, 4)  # in metres
    for draw in (thiessen.plot, thiessen.render):
        with pytest.raises(ValueError, match="contours = 5, the interval .* gives 2400 .* 100 at"):
            draw(distance=far, mode="distance", contours=5)
        draw(distance=far, mode="distance", contours=500)
    flat = thiessen.plot(distance=np.ones((3, 3)), mode="distance", contours=True)
    assert not flat.collections


def test_sites_nodata_and_unreached_cells() -> None:
    sites = np.zeros((40, 40), np.uint8)
    sites[10:20, 10:20], sites[39] = 5, 9
    found = thiessen.nearest_site(sites, nodata=9, max_distance=5)
    ax = thiessen.plot(found, sites=sites == 5, label_nodata=9)
    assert max(colour_at(ax, 15, 15)) < 60
    assert colour_at(ax, 35, 35) == (255, 255, 255)
    assert colour_at(ax, 20, 39) == (255, 255, 255)
    mask = np.ma.masked_equal(sites, 9)
    masked = thiessen.plot(mask, distance=mask.astype(int), sites=mask, mode="distance")
    assert colour_at(masked, 20, 39) == (255, 255, 255)
    index = thiessen.nearest_site(sites, nodata=9, max_distance=5, outputs=("site_index",))
    assert colour_at(thiessen.plot(index), 35, 35) == (255, 255, 255)


def test_sections_share_one_place() -> None:
    labels = np.zeros((4, 6, 8), np.int32)
    labels[2] = 1
    labels[:, 3] = 2
    labels[:, :, 5] = 3
    front, side, below = thiessen.plot(
        labels, at=(2, 3, 5), spacing=(3, 1, 2), unreached=-1, points=[(2, 3, 1), (0, 0, 5.25)]
    )
    assert front.get_xlim() == below.get_xlim() == (-1, 15)
    assert front.get_ylim() == side.get_ylim() == (5.5, -0.5)
    assert side.get_xlim() == (-1.5, 10.5)
    assert below.get_ylim() == (10.5, -1.5)
    for ax, expected in ((front, labels[2]), (side, labels[:, :, 5].T), (below, labels[:, 3])):
        cells = np.asarray(ax.images[0].get_array())[..., :3]
        assert np.array_equal(cells, thiessen.render(expected, edges=False, unreached=-1))
    assert [line.get_xydata().tolist() for line in side.lines if line.get_marker() == "."] == [
        [[0, 0]]
    ]
    own = pyplot.subplots(1, 3)[1]
    assert thiessen.plot(labels, ax=own).tolist() == own.tolist()


def test_overlays_show_the_image() -> None:
    image = np.zeros((60, 80), np.uint16)
    image[:, 40:] = 4000
    found = thiessen.nearest_site(SITES)
    ax = thiessen.overlay(image, found, opacity=0, edges=False)
    assert colour_at(ax, 10, 30) == (0, 0, 0)
    assert colour_at(ax, 70, 30) == (255, 255, 255)
    ax = thiessen.overlay(image, found, opacity=0, edges=False, image_range=(0, 8000))
    assert 120 < colour_at(ax, 70, 30)[0] < 135
    colours = np.zeros((60, 80, 3))
    colours[..., 1] = 1
    ax = thiessen.overlay(colours, found.labels, opacity=0, edges=False)
    assert colour_at(ax, 10, 10) == (0, 255, 0)
    mask = thiessen.overlay(image > 0, found, opacity=1, edges=False)
    expected = thiessen.render(found.labels, edges=False)[30, 10]
    assert colour_at(mask, 10, 30) == tuple(expected.tolist())


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, ValueError, "one of them must be an array"),
        ({"labels": np.ones(3)}, ValueError, "labels has 1 axes|must have 2 or 3 axes"),
        ({"labels": np.ones((2, 0))}, ValueError, "must have 2 or 3 axes, and cells"),
        ({"labels": SITES, "distance": np.ones((2, 2))}, ValueError, "distance has the shape"),
        ({"labels": SITES, "mode": "cell"}, ValueError, "mode = 'cell'; must be"),
        ({"labels": SITES, "mode": "distance"}, ValueError, "distance is None"),
        ({"labels": SITES, "contours": True}, ValueError, "distance is None"),
        ({"distance": np.ones((9, 9)), "contours": -1}, ValueError, "contours = -1.0; must be > 0"),
        (
            {"distance": np.eye(9) * 1e9, "contours": 1, "mode": "distance"},
            ValueError,
            "contours = 1, the interval of lines, gives 1000000000 of them from 0 to 1e.09",
        ),
        ({"labels": SITES, "spacing": (1, 0)}, ValueError, r"spacing\[1\] = 0.0; must be finite"),
        ({"labels": SITES, "extent": (0, 1, 2)}, ValueError, "extent = .*; must be 4 numbers"),
        ({"labels": SITES, "extent": (0, 0, 1, 2)}, ValueError, "must have edges that differ"),
        ({"labels": SITES, "extent": 5}, TypeError, "extent = 5; must be 4 numbers"),
        ({"labels": SITES, "extent": (0, 1, 1, 0), "spacing": 2}, ValueError, "without a spacing"),
        ({"labels": SITES, "at": (1, 2)}, ValueError, "must be None for a raster of two axes"),
        ({"labels": np.ones((2, 3, 4)), "at": (1, 2)}, ValueError, "a cell of three axes"),
        ({"labels": np.ones((2, 3, 4)), "at": (2, 0, 0)}, ValueError, r"at\[0\] = 2; must be 0 to"),
        ({"labels": np.ones((2, 3, 4)), "ax": [None]}, ValueError, "ax has 1 axes; must be three"),
        ({"labels": SITES, "image": np.ones((60, 81))}, ValueError, "image has the shape"),
        ({"labels": SITES, "edge_colour": "red"}, ValueError, "edge_colour = 'red'"),
        ({"labels": SITES, "points": [(1, 2, 3)]}, ValueError, "points has the shape"),
        (
            {"distance": np.ones((1, 9)), "contours": True},
            ValueError,
            "contours need 2 cells an axis",
        ),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        thiessen.plot(**arguments)


def test_matplotlib_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        thiessen.plot(SITES)
