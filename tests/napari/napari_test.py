# SPDX-License-Identifier: Apache-2.0
"""The plugin of napari without a screen: its manifest is found, its widgets are made of annotations and run, and what they
add lies where the layers lie that they read.

usage: QT_QPA_PLATFORM=offscreen python -m pytest tests/napari/napari_test.py
"""

import types

import napari
import npe2
import numpy as np
import pytest
import thiessen
from magicgui.widgets import Table
from napari.components import ViewerModel
from napari.plugins import _npe2
from qtpy.QtWidgets import QApplication

SCALE = (2.0, 0.5, 0.5)
SITES = thiessen.random_sites((6, 40, 50), 9, seed=1)
NAMES = (
    "Expand labels",
    "Voronoi cells of points",
    "Distance to labels",
    "Touching labels",
)


@pytest.fixture(scope="module", autouse=True)
def application():
    yield QApplication.instance() or QApplication([])


@pytest.fixture
def viewer():
    """One without a window, which would need OpenGL."""
    return ViewerModel()


def run(viewer, name, **arguments):
    """The layer that a widget adds."""
    make, _ = _npe2.get_widget_contribution("thiessen", name)
    return viewer.add_layer(napari.layers.Layer.create(*make()(**arguments)))


def test_the_manifest_is_found():
    manager = npe2.PluginManager.instance()
    manager.discover()
    manifest = manager.get_manifest("thiessen")
    assert tuple(widget.display_name for widget in manifest.contributions.widgets) == NAMES
    for command in manifest.contributions.commands:
        assert callable(manager.commands.get(command.id))


@pytest.mark.parametrize("name", NAMES)
def test_widgets_are_made(name):
    make, _ = _npe2.get_widget_contribution("thiessen", name)
    widget = make()
    assert widget.native is not None
    assert "labels" in widget.asdict() or "points" in widget.asdict()


def test_labels_grow(viewer):
    layer = viewer.add_labels(SITES, scale=SCALE, translate=(1, 2, 3))
    found = run(viewer, "Expand labels", labels=layer, distance=4)
    assert isinstance(found, napari.layers.Labels)
    assert np.array_equal(found.data, thiessen.expand_labels(SITES, max_distance=4, spacing=SCALE))
    assert np.array_equal(found.scale, SCALE)
    assert np.array_equal(found.translate, (1, 2, 3))
    found = run(viewer, "Expand labels", labels=layer, distance=4, stack_of_images=True)
    stack = thiessen.expand_labels(SITES, max_distance=4, spacing=SCALE[1:], batch_axes=0)
    assert np.array_equal(found.data, stack)
    film = viewer.add_labels(np.stack([SITES, SITES]), scale=(1, *SCALE))
    found = run(viewer, "Expand labels", labels=film, distance=4)
    assert np.array_equal(
        found.data[1], thiessen.expand_labels(SITES, max_distance=4, spacing=SCALE)
    )


def test_distances_are_an_image(viewer):
    layer = viewer.add_labels(SITES, scale=SCALE)
    found = run(viewer, "Distance to labels", labels=layer, negative_inside=True)
    assert isinstance(found, napari.layers.Image)
    wanted = thiessen.distance_transform(SITES, spacing=SCALE, signed_distance=True)
    assert np.array_equal(found.data, wanted)
    assert found.contrast_limits == pytest.approx([wanted.min(), wanted.max()])
    found = run(viewer, "Distance to labels", labels=layer, to="boundary")
    assert np.array_equal(
        found.data, thiessen.distance_transform(SITES, spacing=SCALE, distance_to="boundary")
    )
    empty = viewer.add_labels(np.zeros((4, 5), int))
    assert np.isinf(run(viewer, "Distance to labels", labels=empty).data).all()


def test_points_have_cells(viewer):
    points = viewer.add_points([(5, 5), (30, 40)], scale=(2, 1), translate=(12, 1))
    for cells in (np.zeros((40, 50)), np.zeros((40, 50, 3))):
        image = viewer.add_image(cells, scale=(2, 1), translate=(10, 0), rgb=cells.ndim == 3)
        found = run(viewer, "Voronoi cells of points", points=points, like=image)
        wanted = thiessen.voronoi([(6, 6), (31, 41)], (40, 50), spacing=(2, 1)).labels
        assert np.array_equal(found.data, wanted)
        assert np.array_equal(found.translate, (10, 0))
    found = run(viewer, "Voronoi cells of points", points=points, like=image, max_distance=3)
    assert 0 < np.count_nonzero(found.data) < 40


def test_a_table_of_those_that_touch(viewer):
    labels = thiessen.nearest_site(SITES, spacing=SCALE).labels
    layer = viewer.add_labels(labels, scale=SCALE, name="cells")
    docked = []
    window = types.SimpleNamespace(add_dock_widget=lambda *given, **named: docked.append(given[0]))
    make, _ = _npe2.get_widget_contribution("thiessen", "Touching labels")
    make()(viewer=types.SimpleNamespace(window=window), labels=layer)
    wanted = thiessen.touching(labels, spacing=SCALE)
    assert layer.metadata["touching"].equals(wanted)
    (table,) = docked
    assert isinstance(table, Table)
    assert table.to_dataframe()["boundary"].tolist() == wanted.boundary.tolist()
