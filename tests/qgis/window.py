# SPDX-License-Identifier: Apache-2.0
"""What the tests in the window of QGIS share."""

import time
import unittest
from unittest import mock

import processing
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsField,
    QgsGeometry,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QVariant
from qgis.PyQt.QtWidgets import QTextEdit
from qgis.utils import iface

ALGORITHMS = [
    "allocation", "costdistance", "costtable", "leastcostcorridor", "leastcostnetwork", "leastcostpaths",
    "proximity", "regionstatistics", "voronoipolygons",
]  # fmt: skip
OTHER = "two words, \"quotes\" and 'more'"
POINTS = [(500100 + 170 * i, 5600100 + 710 * i % 1700) for i in range(11)]


def add(layer):
    """The layer in the project, and active."""
    assert layer.isValid(), layer.source()
    QgsProject.instance().addMapLayer(layer)
    iface.setActiveLayer(layer)
    return layer


def vector(source="shops.gpkg", name="shops", provider="ogr"):
    return QgsVectorLayer(source, name, provider)


def memory_layer(points=POINTS, fields=(), system="EPSG:32631"):
    layer = vector(f"Point?crs={system}", "in memory", "memory")
    layer.dataProvider().addAttributes([*fields, QgsField("shop", QVariant.String)])
    layer.updateFields()
    for i, (x, y) in enumerate(points):
        feature = QgsFeature(layer.fields())
        feature["shop"] = f"Shop {i}"
        feature.setGeometry(QgsGeometry.fromWkt(f"POINT ({x} {y})"))
        layer.dataProvider().addFeature(feature)
    layer.updateExtents()
    return layer


def run(name, **parameters):
    return processing.run(f"thiessen:{name}", parameters)


def arguments_of(name, **parameters):
    """What the command would be given."""
    given = []
    with mock.patch(
        "thiessen_provider.algorithms.algorithm.run_command",
        lambda arguments, feedback: given.extend(map(str, arguments)),
    ):
        run(name, **{"OUTPUT": "unused.tif", **parameters})
    return given


def argument(name, flag, **parameters):
    words = arguments_of(name, **parameters)
    return words[words.index(flag) + 1]


def log_of(dialog):
    return dialog.findChild(QTextEdit, "txtLog").toPlainText()


def wait_for(condition, dialog):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, log_of(dialog)
        QgsApplication.processEvents()
        time.sleep(0.01)


class Case(unittest.TestCase):
    def tearDown(self):
        QgsProject.instance().clear()
        # A batch with errors leaves a task that keeps a thread from others.
        QgsApplication.taskManager().cancelAll()
