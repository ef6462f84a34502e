# SPDX-License-Identifier: Apache-2.0
"""The plugin in the window of QGIS: dialogs, `processing.run` and batches. qgis_test.py starts it."""

from pathlib import Path

import numpy as np
import processing
from inputs import cells, features, rows
from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProject,
    QgsRasterLayer,
)
from qgis.PyQt.QtWidgets import QComboBox, QGroupBox, QTextBrowser
from qgis.utils import iface
from window import ALGORITHMS, Case, add, arguments_of, log_of, memory_layer, run, vector, wait_for


class Dialogs(Case):
    def open_all(self, *others):
        for name in ALGORITHMS:
            dialog = processing.createAlgorithmDialog(f"thiessen:{name}")
            dialog.show()
            QgsApplication.processEvents()
            dialog.grab().save(f"{self.id().split('.')[-1]}-{name}.png")
            wrapper = dialog.mainWidget().wrappers["INPUT"]
            active = iface.activeLayer()
            needs_raster = name in ("proximity", "regionstatistics")
            if active and (isinstance(active, QgsRasterLayer) or not needs_raster):
                self.assertEqual(wrapper.parameterValue(), active.id())
            for layer in others:
                wrapper.setParameterValue(layer, QgsProcessingContext())
                QgsApplication.processEvents()
            dialog.close()
            batch = BatchAlgorithmDialog(
                QgsApplication.processingRegistry().createAlgorithmById(f"thiessen:{name}"),
                iface.mainWindow(),
            )
            batch.show()
            QgsApplication.processEvents()
            batch.close()

    def test_open_without_a_layer(self):
        self.open_all("shops.gpkg", "cost.tif", "missing.gpkg")

    def test_open_with_a_vector_layer(self):
        raster = add(QgsRasterLayer("cost.tif", "cost"))
        self.open_all_with(add(vector()), raster)

    def test_open_with_a_raster_layer(self):
        shops = add(vector())
        self.open_all_with(add(QgsRasterLayer("cost.tif", "cost")), shops)

    def open_all_with(self, active, other):
        self.open_all(other.id(), active.id(), "cost.tif", "shops.gpkg", "missing.tif", None)

    def test_label_field_lists_the_fields_of_the_sites(self):
        shops, cost = add(vector()), add(QgsRasterLayer("cost.tif", "cost"))
        dialog = processing.createAlgorithmDialog("thiessen:allocation")
        wrappers = dialog.mainWidget().wrappers
        box = wrappers["LABEL_FIELD"].wrappedWidget().findChild(QComboBox)
        self.assertEqual(wrappers["LABEL_FIELD"].parameterValue(), "")
        for layer, fields in ((shops, ["fid", "shop", "staff"]), (cost, [])):
            wrappers["INPUT"].setParameterValue(layer.id(), QgsProcessingContext())
            shown = [box.itemText(i) for i in range(box.count())]
            self.assertEqual([text for text in shown if text], fields)
        dialog.close()

    def test_show_help_defaults_and_advanced_parameters(self):
        for name in ALGORITHMS:
            dialog = processing.createAlgorithmDialog(f"thiessen:{name}")
            dialog.show()
            algorithm = dialog.algorithm()
            help_text = dialog.findChild(QTextBrowser, "textShortHelp").toPlainText()
            for paragraph in algorithm.shortHelpString().split("\n\n"):
                self.assertIn(paragraph, help_text)
            box = dialog.findChild(QGroupBox, "grpAdvanced")
            self.assertTrue(box.isVisible() and box.property("collapsed"), name)
            for parameter in algorithm.parameterDefinitions():
                with self.subTest(algorithm=name, parameter=parameter.name()):
                    wrapper = dialog.mainWidget().wrappers[parameter.name()]
                    is_advanced = bool(parameter.flags() & parameter.FlagAdvanced)
                    self.assertEqual(box.isAncestorOf(wrapper.wrappedWidget()), is_advanced)
                    if parameter.isDestination():
                        is_wanted = wrapper.parameterValue() is not None
                        self.assertEqual(is_wanted, parameter.createByDefault())
                    else:
                        shown, default = wrapper.parameterValue(), parameter.defaultValue()
                        self.assertEqual(shown or None, default or None)
            dialog.close()

    def run_dialog(self, name, **parameters):
        """Whether the algorithm was successful, and what the dialog says of it."""
        dialog = processing.createAlgorithmDialog(f"thiessen:{name}", parameters)
        ended = []
        dialog.algorithmFinished.connect(lambda *result: ended.append(result))
        dialog.show()
        dialog.runButton().click()
        shown = dialog.messageBar().currentItem()
        self.assertIsNone(shown, shown and shown.text())
        wait_for(lambda: ended, dialog)
        log = log_of(dialog)
        dialog.close()
        done, _ = ended[0]
        return done, log

    def test_run_every_algorithm_on_the_active_layer_and_load_its_results(self):
        shops, people = add(vector()), add(QgsRasterLayer("people.tif", "people"))
        outputs = dict.fromkeys(("OUTPUT", "BORDERS", "DISTANCE", "NEIGHBOURS"), "TEMPORARY_OUTPUT")
        for name, active, parameters, count in (
            ("allocation", shops, {"LABEL_FIELD": "staff"}, 2),
            ("costdistance", shops, {"COST": "cost.tif"}, 1),
            ("costtable", shops, {"COST": "cost.tif", "TO": "starts.gpkg"}, 1),
            ("leastcostcorridor", shops, {"COST": "cost.tif", "TO": "starts.gpkg"}, 1),
            ("leastcostnetwork", shops, {"COST": "cost.tif"}, 1),
            ("leastcostpaths", shops, {"COST": "cost.tif", "STARTS": "starts.gpkg"}, 1),
            ("proximity", people, {}, 1),
            ("regionstatistics", people, {"VALUES": ["cost.tif"]}, 2),
            ("voronoipolygons", shops, {}, 2),
        ):
            with self.subTest(name):
                iface.setActiveLayer(active)
                before = set(QgsProject.instance().mapLayers())
                done, log = self.run_dialog(name, **parameters, **outputs)
                self.assertTrue(done, log)
                loaded = set(QgsProject.instance().mapLayers()) - before
                self.assertEqual(len(loaded), count, log)

    def test_run_without_a_layer(self):
        for name in ALGORITHMS:
            dialog = processing.createAlgorithmDialog(f"thiessen:{name}")
            dialog.show()
            dialog.runButton().click()
            description = dialog.algorithm().parameterDefinition("INPUT").description()
            self.assertIn(description, dialog.messageBar().currentItem().text())
            self.assertEqual(log_of(dialog), "")
            dialog.close()

    def test_run_with_wrong_values(self):
        add(vector())
        for name, parameters, message in (
            ("costdistance", {}, "COST, ELEVATION: one of them is needed at least"),
            ("allocation", {"BAND": 2}, "BAND: shops is no raster"),
            ("voronoipolygons", {"EXTRA": "--no-such-flag"}, "thiessen: --no-such-flag: .*"),
        ):
            done, log = self.run_dialog(name, **parameters)
            self.assertFalse(done)
            self.assertRegex(log, rf"(?m)^{message}$")
            self.assertNotIn("Traceback", log)

    def test_run_with_a_raster_layer(self):
        raster = add(QgsRasterLayer("people.tif", "people"))
        done, log = self.run_dialog("allocation", OUTPUT="dialog.tif")
        self.assertTrue(done, log)
        run("allocation", INPUT=raster, OUTPUT="dialog-0.tif")
        np.testing.assert_array_equal(cells("dialog.tif"), cells("dialog-0.tif"))

    def test_run_with_a_vector_layer(self):
        add(vector())
        done, log = self.run_dialog("voronoipolygons", LABEL_FIELD="shop", OUTPUT="dialog.gpkg")
        self.assertTrue(done, log)
        self.assertEqual(len(features("dialog.gpkg")), 25)


class Scripts(Case):
    """`processing.run` of each algorithm, with files and with layers."""

    def test_allocation(self):
        run("allocation", INPUT="shops.gpkg", LABEL_FIELD="staff", GRID="cost.tif", OUTPUT="s.tif")
        self.assertEqual(sorted(np.unique(cells("s.tif"))), list(range(3, 28)))

    def test_voronoi_polygons(self):
        results = run(
            "voronoipolygons", INPUT=vector(), OUTPUT="TEMPORARY_OUTPUT", BORDERS="borders.gpkg"
        )
        self.assertEqual(len(features(results["OUTPUT"])), 25)
        self.assertGreater(len(features("borders.gpkg")), 25)

    def test_proximity(self):
        run("proximity", INPUT="people.tif", VALUES="3", UNITS=0, OUTPUT="s-near.tif")
        np.testing.assert_array_equal(cells("s-near.tif") == 0, cells("people.tif") == 3)

    def test_cost_distance_and_paths(self):
        run("costdistance", INPUT="shops.gpkg", COST="cost.tif", OUTPUT="s-cost.tif")
        self.assertEqual(np.count_nonzero(cells("s-cost.tif") == 0), 25)
        run(
            "leastcostpaths", INPUT="shops.gpkg", STARTS="starts.gpkg", COST="cost.tif",
            OUTPUT="s-paths.gpkg",
        )  # fmt: skip
        self.assertEqual(len(features("s-paths.gpkg")), 5)

    def test_region_statistics(self):
        run("regionstatistics", INPUT="people.tif", VALUES=["cost.tif"], OUTPUT="s.csv")
        self.assertEqual(len(rows("s.csv")), 8)

    def test_run_of_the_algorithm_itself(self):
        algorithm = QgsApplication.processingRegistry().createAlgorithmById("thiessen:proximity")
        results, done = algorithm.run(
            {"INPUT": "people.tif", "OUTPUT": "again.tif"},
            QgsProcessingContext(),
            QgsProcessingFeedback(),
        )
        self.assertTrue(done)
        self.assertTrue(Path(results["OUTPUT"]).exists())

    def test_outputs_without_a_suffix(self):
        results = run("proximity", INPUT="people.tif", OUTPUT="plain")
        self.assertEqual(results["OUTPUT"], "plain.tif")
        self.assertTrue(Path("plain.tif").exists())
        definition = QgsProcessingOutputLayerDefinition("plain", QgsProject.instance())
        results = run("voronoipolygons", INPUT="shops.gpkg", OUTPUT=definition)
        self.assertEqual(results["OUTPUT"], "plain.gpkg")
        self.assertEqual(len(features("plain.gpkg")), 25)

    def test_temporary_outputs(self):
        for output in ("TEMPORARY_OUTPUT", "memory:"):
            path = run("voronoipolygons", INPUT="shops.gpkg", OUTPUT=output)["OUTPUT"]
            self.assertEqual(len(features(path)), 25)

    def test_extent_in_another_reference_system(self):
        words = arguments_of(
            "allocation", INPUT="shops.gpkg", CELL_SIZE=10, EXTENT="3,3.1,50.5,50.6 [EPSG:4326]"
        )
        bounds = next(word for word in words if word.startswith("--bounds="))
        left, bottom, right, top = map(float, bounds.removeprefix("--bounds=").split(","))
        self.assertAlmostEqual(left, 500000, delta=0.01)
        self.assertTrue(7000 < right - left < 7200 and 11000 < top - bottom < 11300, bounds)

    def test_errors_are_one_line(self):
        no_extent = {"INPUT": memory_layer([]), "OUTPUT": "no.tif"}
        for parameters, message in (
            ({"INPUT": "missing.gpkg"}, "INPUT"),
            ({"INPUT": "shops.gpkg", "GRID": "missing.tif"}, "GRID"),
            ({"INPUT": "shops.gpkg", "MASK": "missing.gpkg"}, "MASK"),
            ({"INPUT": "shops.gpkg", "LABEL_FIELD": "staffing"}, "LABEL_FIELD: staffing is no field"),
            ({"INPUT": "shops.gpkg", "LABEL_FIELD": "staff + 1"}, "LABEL_FIELD: staff . 1 is no field"),
            ({"INPUT": "shops.gpkg", "BAND": 2}, "BAND: .*is no raster"),
            ({"INPUT": "cost.tif", "BAND": 2}, "BAND: 2: .* has 1 band"),
            ({"INPUT": "cost.tif", "LABEL_FIELD": "shop"}, "LABEL_FIELD: .* raster"),
            ({"INPUT": "cost.tif", "SELECTED_ONLY": True}, "SELECTED_ONLY: .* raster"),
            ({"INPUT": "shops.gpkg", "SELECTED_ONLY": True}, "SELECTED_ONLY: .* nothing is selected"),
            ({"INPUT": "cost.tif", "CELL_SIZE": 3}, "EXTENT, CELL_SIZE: "),
            ({"INPUT": "shops.gpkg", "EXTRA": "--where 'staff"}, "EXTRA: .*quotation"),
            (no_extent, "EXTENT"),
            ({"INPUT": "shops.gpkg", "OUTPUT": "no.xyz"}, "xyz"),
            ({"INPUT": "shops.gpkg", "OUTPUT": "ogr:dbname='no.gpkg' table=\"t\" (geom)"}, "thiessen: "),
            ({"INPUT": "shops.gpkg", "OUTPUT": "no/folder/no.tif"}, "folder"),
        ):  # fmt: skip
            self.expect_refused("allocation", parameters, message)
        shops, costs = {"INPUT": "shops.gpkg"}, {"INPUT": "shops.gpkg", "COST": "cost.tif"}
        for name, parameters, message in (
            ("voronoipolygons", {**shops, "METRIC": 99}, "METRIC"),
            ("voronoipolygons", {**shops, "MAX_DISTANCE": -1}, "MAX_DISTANCE"),
            ("voronoipolygons", {**shops, "BORDERS": "no.xyz", "OUTPUT": "no.gpkg"}, "xyz"),
            ("proximity", shops, "INPUT"),
            ("proximity", {"INPUT": "people.tif", "BAND": 2}, "BAND: 2: .* has 1 band"),
            ("proximity", {"INPUT": "people.tif", "VALUES": "three"}, "three"),
            ("proximity", {"INPUT": "people.tif", "OPTIONS": "COMPRESS"}, "COMPRESS"),
            ("costdistance", shops, "COST, ELEVATION: one of them is needed"),
            ("costdistance", {**costs, "COST_BAND": 3}, "COST_BAND: 3: .* has 1 band"),
            ("costdistance", {**costs, "BARRIERS": "missing.gpkg"}, "BARRIERS"),
            ("leastcostpaths", costs, "STARTS"),
            ("leastcostpaths", {**costs, "STARTS": "town.geojson"}, "point"),
            ("regionstatistics", {"INPUT": "people.tif", "VALUES": ["cost.tif", "missing.tif"]}, "VALUES"),
            ("regionstatistics", {"INPUT": "people.tif", "OUTPUT": "no.xyz"}, "xyz"),
        ):  # fmt: skip
            self.expect_refused(name, parameters, message)
        self.assertFalse(list(Path().glob("no.*")))

    def expect_refused(self, name, parameters, message):
        with self.subTest(name, **parameters):
            with self.assertRaisesRegex(QgsProcessingException, message) as caught:
                run(name, **{"OUTPUT": "no.tif", **parameters})
            # QGIS has a line of its own before what it checks itself.
            text = str(caught.exception).removeprefix("Unable to execute algorithm\n")
            self.assertNotIn("\n", text)
            self.assertNotIn("Traceback", text)


class Batches(Case):
    def run_batch(self, name, *rows_of_values, load=False):
        """Runs a row for each dictionary, and returns the log."""
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"thiessen:{name}")
        dialog = BatchAlgorithmDialog(algorithm, iface.mainWindow())
        dialog.show()
        panel = dialog.mainWidget()
        panel.checkLoadLayersOnCompletion.setChecked(load)
        panel.addRow(len(rows_of_values) - 1)
        for row, values in enumerate(rows_of_values):
            for parameter, value in values.items():
                column = panel.parameter_to_column[parameter]
                if algorithm.parameterDefinition(parameter).isDestination():
                    panel.tblParameters.cellWidget(row + 1, column).setValue(value)
                else:
                    panel.wrappers[row][column].setParameterValue(value, QgsProcessingContext())
        dialog.grab().save(f"batch-{name}.png")
        dialog.runAlgorithm()
        wait_for(lambda: "Batch execution completed" in log_of(dialog), dialog)
        dialog.close()
        return log_of(dialog)

    def test_two_rows(self):
        add(QgsRasterLayer("cost.tif", "cost"))
        shops = add(vector())
        log = self.run_batch(
            "allocation",
            {"INPUT": shops.id(), "LABEL_FIELD": "staff", "GRID": "cost.tif", "OUTPUT": "batch-1.tif"},
            {"INPUT": "people.tif", "MAX_DISTANCE": 0, "OUTPUT": "batch-2.tif"},
            load=True,
        )  # fmt: skip
        self.assertNotIn("Error", log)
        self.assertEqual(sorted(np.unique(cells("batch-1.tif"))), list(range(3, 28)))
        np.testing.assert_array_equal(cells("batch-2.tif"), cells("people.tif"))
        self.assertEqual(len(QgsProject.instance().mapLayers()), 4)

    def test_a_row_with_a_wrong_file(self):
        log = self.run_batch(
            "voronoipolygons",
            {"INPUT": "missing.gpkg", "OUTPUT": "batch-no.gpkg"},
            {"INPUT": "shops.gpkg", "OUTPUT": "batch-yes.gpkg"},
        )
        self.assertIn("missing.gpkg", log)
        self.assertNotIn("Traceback", log)
        self.assertFalse(Path("batch-no.gpkg").exists())
        self.assertEqual(len(features("batch-yes.gpkg")), 25)

    def test_every_algorithm(self):
        for name, values in {
            "costdistance": {"INPUT": "shops.gpkg", "COST": "cost.tif"},
            "costtable": {"INPUT": "shops.gpkg", "COST": "cost.tif", "TO": "starts.gpkg"},
            "leastcostcorridor": {"INPUT": "shops.gpkg", "COST": "cost.tif", "TO": "starts.gpkg"},
            "leastcostnetwork": {"INPUT": "shops.gpkg", "COST": "cost.tif"},
            "leastcostpaths": {"INPUT": "shops.gpkg", "COST": "cost.tif", "STARTS": "starts.gpkg"},
            "proximity": {"INPUT": "people.tif"},
            "regionstatistics": {"INPUT": "people.tif"},
        }.items():
            suffix = "tif" if name in ("costdistance", "leastcostcorridor", "proximity") else "gpkg"
            outputs = [f"batch-{name}-{i}.{suffix}" for i in range(2)]
            log = self.run_batch(name, *({**values, "OUTPUT": output} for output in outputs))
            for output in outputs:
                self.assertTrue(Path(output).exists(), log)
