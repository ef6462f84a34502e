# SPDX-License-Identifier: Apache-2.0
"""The plugin of napari as far as it goes without napari, in which tests/napari runs it."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import thiessen
from thiessen._showing import napari as _napari

yaml = pytest.importorskip("yaml")

MANIFEST = yaml.safe_load(Path(thiessen.__file__).with_name("napari.yaml").read_text())
CONTRIBUTIONS = MANIFEST["contributions"]


def layer(cells: np.ndarray, scale: Any, name: str = "nuclei") -> Any:
    """What the widgets ask of a layer."""
    place = {"name": name, "scale": scale, "opacity": 0.5}
    return SimpleNamespace(
        data=cells, scale=scale, name=name, as_layer_data_tuple=lambda: (cells, place, "labels")
    )


def test_the_manifest_names_functions_with_annotations() -> None:
    commands = {command["id"]: command for command in CONTRIBUTIONS["commands"]}
    assert sorted(widget["command"] for widget in CONTRIBUTIONS["widgets"]) == sorted(commands)
    for command in commands.values():
        module, name = command["python_name"].split(":")
        function = getattr(importlib.import_module(module), name)
        parameters = inspect.signature(function).parameters.values()
        assert all(each.annotation is not each.empty for each in parameters)


def test_results_have_the_place_of_their_layer() -> None:
    sites = thiessen.random_sites((4, 20, 30), 6, seed=1)
    scale = np.array([2.0, 0.5, 0.5])
    cells, place, kind = _napari.expand_labels(layer(sites, scale), distance=3)
    assert kind == "labels"
    assert place == {"name": "nuclei, expanded by 3", "scale": scale}
    assert np.array_equal(cells, thiessen.expand_labels(sites, max_distance=3, spacing=scale))
    sites[:, 7, 7] = 9
    cells, place, kind = _napari.distance(layer(sites, scale), stack_of_images=True)
    wanted = thiessen.distance_transform(sites, spacing=scale[1:], batch_axes=0)
    assert kind == "image"
    assert np.array_equal(cells, wanted)
    assert place["contrast_limits"] == (0, wanted.max())


def test_levels_of_a_layer_begin_with_the_finest() -> None:
    sites = thiessen.random_sites((20, 30), 6, seed=1)
    levels = layer([sites, sites[::2, ::2]], (1, 1))  # type: ignore[arg-type]
    levels.multiscale = True
    cells, _, _ = _napari.expand_labels(levels)
    assert np.array_equal(cells, thiessen.expand_labels(sites, max_distance=3))
