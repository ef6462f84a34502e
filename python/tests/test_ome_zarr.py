# SPDX-License-Identifier: Apache-2.0
"""OME-Zarr: images that are read with their scale, and label images that are written beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thiessen

zarr = pytest.importorskip("zarr", "3.0")

SCALE = (2.0, 0.5, 0.25)
SITES = thiessen.random_sites((9, 30, 41), 12, seed=3).astype(np.uint16)


def write_image(
    path: Path,
    cells: np.ndarray,
    version: str,
    axes: str = "zyx",
    scale: tuple[float, ...] = SCALE,
    units: tuple[str, ...] = ("micrometer",) * 3,
    levels: int = 2,
) -> Path:
    """An image whose levels have each second row and column; the last axes of `axes` have the
    units."""
    group = zarr.create_group(path, zarr_format=2 if version == "0.4" else 3)
    kinds = {"t": "time", "c": "channel"}
    described = [{"name": axis, "type": kinds.get(axis, "space")} for axis in axes]
    for axis, unit in zip(described[::-1], units[::-1]):
        if axis["type"] == "space":
            axis["unit"] = unit
    front = len(axes) - len(scale)
    datasets = []
    for level in range(levels):
        step = 2**level
        group.create_array(str(level), data=cells[..., ::step, ::step])
        own = [1.0] * front + [*scale[:-2], scale[-2] * step / 2, scale[-1] * step / 2]
        transformations: list[dict[str, Any]] = [
            {"type": "scale", "scale": own},
            {"type": "translation", "translation": [0.0] * len(axes)},
        ]
        datasets.append({"path": str(level), "coordinateTransformations": transformations})
    whole = {"type": "scale", "scale": [1.0] * (len(axes) - 2) + [2.0, 2.0]}
    multiscales: dict[str, Any] = {
        "axes": described, "datasets": datasets, "coordinateTransformations": [whole],
    }  # fmt: skip
    if version == "0.5":
        group.attrs["ome"] = {"version": version, "multiscales": [multiscales]}
    else:
        group.attrs["multiscales"] = [{"version": version, **multiscales}]
    return path


def metadata(path: Path) -> dict[str, Any]:
    attributes = dict(zarr.open_group(path, mode="r").attrs)
    return attributes.get("ome", attributes)


def level(path: Path, number: int = 0) -> np.ndarray:
    return zarr.open_array(path / str(number), mode="r")[...]


@pytest.mark.parametrize("version", ["0.4", "0.5"])
@pytest.mark.parametrize("slab_rows", [2, 100])
def test_labels_beside_labels(tmp_path: Path, version: str, slab_rows: int) -> None:
    pixels = np.zeros((1, 3, *SITES.shape), np.uint8)
    image = write_image(tmp_path / "image.zarr", pixels, version, "tczyx")
    nuclei = image / "labels" / "nuclei"
    zarr.create_group(nuclei.parent, zarr_format=2 if version == "0.4" else 3)
    write_image(nuclei, SITES[np.newaxis], version, "tzyx")
    out = {"labels": image / "labels" / "cells", "site_index": image / "labels" / "index"}
    thiessen.nearest_site(nuclei, out=out, slab_rows=slab_rows, max_distance=9)
    wanted = thiessen.nearest_site(
        SITES, spacing=SCALE, max_distance=9, outputs=("labels", "site_index")
    )
    for name, label in (("labels", "cells"), ("site_index", "index")):
        path = image / "labels" / label
        expected = getattr(wanted, name)[np.newaxis]
        assert np.array_equal(level(path), expected)
        assert np.array_equal(level(path, 1), expected[..., ::2, ::2])
        found = metadata(path)
        assert found["image-label"]["source"] == {"image": "../../"}
        (multiscales,) = found["multiscales"]
        assert [axis["name"] for axis in multiscales["axes"]] == list("tzyx")
        assert multiscales["axes"][-1] == {"name": "x", "type": "space", "unit": "micrometer"}
        scales = [each["coordinateTransformations"][0]["scale"] for each in multiscales["datasets"]]
        assert scales == [[1, *SCALE], [1, SCALE[0], 2 * SCALE[1], 2 * SCALE[2]]]
    assert metadata(image / "labels")["labels"] == ["cells", "index"]
    assert sorted(each.name for each in image.iterdir() if each.is_dir()) == ["0", "1", "labels"]
    thiessen.nearest_site(nuclei, out={"labels": out["labels"]}, overwrite=True, max_distance=1)
    assert metadata(image / "labels")["labels"] == ["cells", "index"]
    near = thiessen.nearest_site(SITES, spacing=SCALE, max_distance=1).labels
    assert np.array_equal(level(out["labels"])[0], near)


@pytest.mark.parametrize("version", ["0.4", "0.5"])
def test_the_first_label_and_images_of_their_own(tmp_path: Path, version: str) -> None:
    image = write_image(tmp_path / "nuclei.ome.zarr", SITES, version)
    labels, distance = image / "labels" / "cells", tmp_path / "distance.ome.zarr"
    thiessen.nearest_site(image, out={"labels": labels, "distance": distance})
    wanted = thiessen.nearest_site(SITES, spacing=SCALE)
    assert metadata(image / "labels")["labels"] == ["cells"]
    assert np.array_equal(level(labels), wanted.labels)
    assert np.array_equal(level(distance, 1), wanted.distance[..., ::2, ::2])
    assert "image-label" not in metadata(distance)
    again = tmp_path / "again.npy"
    thiessen.distance_transform(distance, values=[0], out=again)
    assert np.array_equal(np.load(again), wanted.distance)


def test_levels_have_their_scale(tmp_path: Path) -> None:
    image = write_image(tmp_path / "nuclei.ome.zarr", SITES, "0.5", levels=3)
    coarse = tmp_path / "coarse.ome.zarr"
    thiessen.distance_transform(image / "1", out=coarse)
    cells = SITES[:, ::2, ::2]
    spacing = (SCALE[0], 2 * SCALE[1], 2 * SCALE[2])
    assert np.array_equal(level(coarse), thiessen.distance_transform(cells, spacing=spacing))
    assert len(metadata(coarse)["multiscales"][0]["datasets"]) == 2
    own = np.empty(SITES.shape, np.float32)
    thiessen.distance_transform(image, out=own, spacing=1)
    assert np.array_equal(own, thiessen.distance_transform(SITES))


def test_points_have_levels_of_our_own(tmp_path: Path) -> None:
    path = tmp_path / "cells.ome.zarr"
    points = [(3, 4), (700, 1200), (20.5, 600)]
    thiessen.voronoi(points, (800, 1300), out={"labels": path}, spacing=(2, 1), slab_rows=300)
    wanted = thiessen.voronoi(points, (800, 1300), spacing=(2, 1)).labels
    for number, step in enumerate((1, 2, 4)):
        assert np.array_equal(level(path, number), wanted[::step, ::step])
    (multiscales,) = metadata(path)["multiscales"]
    scales = [each["coordinateTransformations"][0]["scale"] for each in multiscales["datasets"]]
    assert scales == [[2, 1], [4, 2], [8, 4]]
    assert zarr.open_array(path / "1", mode="r").metadata.dimension_names == ("y", "x")


@pytest.mark.parametrize(
    ("image", "out", "error", "words"),
    [
        ({"cells": np.zeros((2, 9, 8)), "axes": "cyx"}, {}, ValueError, "2 cells along the axis 'c'"),
        ({"units": ("nanometer", "micrometer", "micrometer")}, {}, ValueError, "must be in one unit"),
        ({"version": "0.3"}, {}, ValueError, "of version 0.3; must be 0.4 or 0.5"),
        ({"axes": "zyt"}, {}, ValueError, "must have axes of space, and those last"),
        ({}, {"distance": "image.zarr/labels/d"}, TypeError, "labels of OME-Zarr must be integers"),
        ({}, {"offset": "offset.ome.zarr"}, ValueError, "offsets need .zarr or .npy"),
        ({"levels": 0}, {}, ValueError, "must have axes of space"),
    ],
)  # fmt: skip
def test_what_is_refused(
    tmp_path: Path, image: dict[str, Any], out: dict[str, str], error: type[Exception], words: str
) -> None:
    arguments = {"cells": SITES, "version": "0.5", **image}
    path = write_image(tmp_path / "image.zarr", **arguments)
    with pytest.raises(error, match=words):
        thiessen.nearest_site(
            path, out={name: tmp_path / to for name, to in (out or {"labels": "a.npy"}).items()}
        )
    assert [each.name for each in tmp_path.iterdir()] == ["image.zarr"]
    assert "labels" not in [each.name for each in path.iterdir()]


def test_metadata_that_cannot_be_read(tmp_path: Path) -> None:
    path = write_image(tmp_path / "image.zarr", SITES, "0.4")
    group = zarr.open_group(path, mode="a")
    for broken in ([], [{"version": "0.4"}], [{"version": "0.4", "axes": [1], "datasets": [{}]}]):
        group.attrs["multiscales"] = broken
        with pytest.raises(ValueError, match="multiscales that cannot be read"):
            thiessen.nearest_site(path, out={"labels": tmp_path / "labels.npy"})


def test_labels_of_another_shape_and_failed_calls(tmp_path: Path) -> None:
    path = write_image(tmp_path / "image.zarr", SITES, "0.5")
    with pytest.raises(ValueError, match="must have that of its image"):
        thiessen.nearest_site(SITES[1:], out={"labels": path / "labels" / "cells"})

    def stop(fraction: float) -> None:
        if fraction > 0.6:
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        thiessen.nearest_site(
            path, out={"labels": path / "labels" / "a"}, slab_rows=2, progress=stop
        )
    assert sorted(each.name for each in path.iterdir()) == ["0", "1", "zarr.json"]
