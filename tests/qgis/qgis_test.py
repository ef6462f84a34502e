# SPDX-License-Identifier: Apache-2.0
"""The Processing provider in QGIS itself: the plugin is installed from its zip into a profile of its own, each
algorithm's results by qgis_process are those of the command, and those of window_test.py and layers_test.py run in a window.

usage: /usr/bin/python3 tests/qgis/qgis_test.py COMMAND ZIP FOLDER     the files of all runs are left in FOLDER
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import zipfile

import numpy as np
from inputs import CELL_SIZE, CELLS, cells, features, rows, write_points, write_raster
from osgeo import ogr

EXTENT = "500000,502000,5600000,5602000 [EPSG:32631]"
# Debian's scripts of these names add an option that the programs do not know.
QGIS_PROCESS = shutil.which("qgis_process.bin") or "qgis_process"
QGIS = shutil.which("qgis.bin") or "qgis"
# What QGIS runs in its window: it ends with the exit code of the tests.
IN_WINDOW = f"""
import faulthandler, os, sys, traceback, unittest
code = 1
with open("window.txt", "w", encoding="utf-8") as log:
    faulthandler.enable(log)
    try:
        sys.path.insert(0, {str(pathlib.Path(__file__).resolve().parent)!r})
        suite = unittest.defaultTestLoader.loadTestsFromNames(["window_test", "layers_test"])
        code = int(not unittest.TextTestRunner(log, verbosity=2).run(suite).wasSuccessful())
    except BaseException:
        traceback.print_exc(file=log)
    log.flush()
    os._exit(code)
"""
command = zip_file = folder = environment = None


def qgis_process(*arguments):
    return subprocess.run(
        [QGIS_PROCESS, *arguments], env=environment, capture_output=True, text=True
    )


def run_algorithm(name, **parameters):
    """The outputs of an algorithm by name. Raises what QGIS said if it failed."""
    words = [f"--{key}={value}" for key, value in parameters.items()]
    done = qgis_process("run", f"thiessen:{name}", "--json", *words)
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads(done.stdout[done.stdout.index("{") :])["results"]


def thiessen(*arguments):
    subprocess.run([command, *map(str, arguments), "--overwrite"], check=True)


def setUpModule():
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.chdir(folder)
    plugins = folder / "config/profiles/default/python/plugins"
    plugins.mkdir(parents=True)
    with zipfile.ZipFile(zip_file) as archive:
        archive.extractall(plugins)
    enabled = qgis_process("plugins", "enable", "thiessen_provider")
    assert enabled.returncode == 0, enabled.stdout + enabled.stderr

    random = np.random.default_rng(5)
    points = np.array([500000, 5600000]) + random.uniform(50, CELLS * CELL_SIZE - 50, (25, 2))
    write_points("shops.gpkg", points)
    write_points("starts.gpkg", (points[:5] + points[5:10]) / 2)
    write_raster("cost.tif", 1 + random.random((CELLS, CELLS)))
    write_raster("elevation.tif", 100 * random.random((CELLS, CELLS)))
    write_raster("people.tif", random.integers(0, 9, (CELLS, CELLS)))
    town = {"type": "Polygon", "coordinates": [[[500100, 5600200], [501900, 5600100], [501000, 5601900],
                                                [500100, 5600200]]]}  # fmt: skip
    (folder / "town.geojson").write_text(json.dumps({
        "type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32631"}},
        "features": [{"type": "Feature", "properties": {}, "geometry": town}]}))  # fmt: skip


class Provider(unittest.TestCase):
    def test_lists_its_algorithms(self):
        listed = json.loads(qgis_process("list", "--json").stdout)
        self.assertEqual(
            sorted(listed["providers"]["thiessen"]["algorithms"]),
            ["thiessen:allocation", "thiessen:costdistance", "thiessen:costtable", "thiessen:leastcostcorridor",
             "thiessen:leastcostnetwork", "thiessen:leastcostpaths", "thiessen:proximity",
             "thiessen:regionstatistics", "thiessen:voronoipolygons"],
        )  # fmt: skip

    def test_says_what_the_command_said(self):
        with self.assertRaisesRegex(RuntimeError, "label-field|staffing"):
            run_algorithm(
                "allocation", INPUT="shops.gpkg", LABEL_FIELD="staffing", EXTENT=EXTENT,
                CELL_SIZE=CELL_SIZE, OUTPUT="no.tif",
            )  # fmt: skip
        self.assertFalse((folder / "no.tif").exists())

    def test_needs_the_command(self):
        path = environment["PATH"]
        environment["PATH"] = "/usr/bin:/bin"
        try:
            with self.assertRaisesRegex(RuntimeError, "not in PATH"):
                run_algorithm("allocation", INPUT="shops.gpkg", OUTPUT="no.tif")
        finally:
            environment["PATH"] = path


class VoronoiPolygons(unittest.TestCase):
    def test_polygons_have_the_fields_of_their_points(self):
        run_algorithm(
            "voronoipolygons", INPUT="shops.gpkg", EXTENT=EXTENT, CELL_SIZE=CELL_SIZE, OUTPUT="polygons.gpkg",
            BORDERS="borders.gpkg",
        )  # fmt: skip
        polygons = features("polygons.gpkg")
        self.assertEqual(
            [fields["shop"] for fields, _ in polygons], [f"Shop {i}" for i in range(25)]
        )
        area = sum(geometry.GetArea() for _, geometry in polygons)
        self.assertAlmostEqual(area / (CELLS * CELL_SIZE) ** 2, 1, delta=1e-12)
        self.assertTrue(all(geometry.IsValid() for _, geometry in polygons))
        self.assertGreater(len(features("borders.gpkg")), 25)

    def test_study_area_and_grid_of_a_raster(self):
        run_algorithm(
            "voronoipolygons",
            INPUT="shops.gpkg",
            GRID="cost.tif",
            MASK="town.geojson",
            OUTPUT="town.gpkg",
        )
        area = sum(geometry.GetArea() for _, geometry in features("town.gpkg"))
        self.assertAlmostEqual(area / features("town.geojson")[0][1].GetArea(), 1, delta=1e-9)

    def test_grid_of_the_sites_where_nobody_chose_one(self):
        run_algorithm("voronoipolygons", INPUT="shops.gpkg", OUTPUT="own.gpkg")
        self.assertEqual(len(features("own.gpkg")), 25)

    def test_agrees_with_the_polygons_of_qgis(self):
        done = qgis_process(
            "run", "qgis:voronoipolygons", "--INPUT=shops.gpkg", "--BUFFER=0", "--OUTPUT=qgis.gpkg"
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        run_algorithm("voronoipolygons", INPUT="shops.gpkg", BUFFER=0, OUTPUT="own0.gpkg")
        own = {fields["shop"]: geometry.GetArea() for fields, geometry in features("own0.gpkg")}
        source = ogr.Open("qgis.gpkg")
        extent = source.GetLayer(0).GetExtent()
        # The grid is made of whole cells: regions at its edge may be a cell wider.
        inner = {
            fields["shop"]: geometry.GetArea()
            for fields, geometry in features("qgis.gpkg")
            if not set(extent) & set(geometry.GetEnvelope())
        }
        self.assertGreater(len(inner), 5)
        for shop, area in inner.items():
            self.assertAlmostEqual(own[shop] / area, 1, delta=1e-5)

    def test_a_layer_of_several_by_name(self):
        several = write_points("two.gpkg", [(500300, 5600300), (501500, 5601200)], layer="first")
        write_points(None, [(500500, 5600100)], layer="two words", into=several)
        del several
        run_algorithm(
            "voronoipolygons", INPUT="two.gpkg|layername=two words", GRID="cost.tif", OUTPUT="second.gpkg"
        )  # fmt: skip
        self.assertEqual(len(features("second.gpkg")), 1)
        run_algorithm("voronoipolygons", INPUT="two.gpkg", GRID="cost.tif", OUTPUT="first.gpkg")
        self.assertEqual(len(features("first.gpkg")), 2)


class Rasters(unittest.TestCase):
    def test_allocation_is_that_of_the_command(self):
        run_algorithm(
            "allocation", INPUT="shops.gpkg", LABEL_FIELD="shop", GRID="cost.tif", OUTPUT="nearest.tif",
            DISTANCE="metres.tif", DIRECTION="degrees.tif",
        )  # fmt: skip
        thiessen(
            "voronoi", "--sites", "shops.gpkg", "--label-field", "shop", "--like-grid", "cost.tif", "--labels",
            "nearest-0.tif", "--distance", "metres-0.tif", "--direction", "degrees-0.tif",
        )  # fmt: skip
        for name in ("nearest", "metres", "degrees"):
            np.testing.assert_array_equal(cells(f"{name}.tif"), cells(f"{name}-0.tif"))

    def test_weights_of_a_field(self):
        for name, options in (("voronoipolygons", {}), ("allocation", {"LABEL_FIELD": "shop"})):
            output = "weighted.gpkg" if name == "voronoipolygons" else "weighted.tif"
            run_algorithm(
                name, INPUT="shops.gpkg", GRID="cost.tif", WEIGHT_FIELD="staff", WEIGHTING=3, OUTPUT=output, **options,
            )  # fmt: skip
        thiessen(
            "voronoi", "--sites", "shops.gpkg", "--label-field", "shop", "--like-grid", "cost.tif", "--weight-field",
            "staff", "--weighting", "multiplicative", "--labels", "weighted-0.tif",
        )  # fmt: skip
        np.testing.assert_array_equal(cells("weighted.tif"), cells("weighted-0.tif"))
        self.assertFalse(np.array_equal(cells("weighted.tif"), cells("nearest.tif")))
        self.assertTrue({fields["shop"] for fields, _ in features("weighted.gpkg")})
        with self.assertRaisesRegex(RuntimeError, "--weighting none"):
            run_algorithm(
                "allocation", INPUT="shops.gpkg", GRID="cost.tif", WEIGHT_FIELD="staff", OUTPUT="no.tif"
            )  # fmt: skip

    def test_allocation_of_a_raster(self):
        run_algorithm("allocation", INPUT="nearest.tif", MAX_DISTANCE=0, OUTPUT="same.tif")
        np.testing.assert_array_equal(cells("same.tif"), cells("nearest.tif"))

    def test_proximity_has_the_parameters_of_gdal_proximity(self):
        parameters = {
            "INPUT": "people.tif", "BAND": 1, "VALUES": "3,7", "UNITS": 0, "MAX_DISTANCE": 35, "NODATA": -1,
            "OPTIONS": "COMPRESS=DEFLATE|TILED=YES", "DATA_TYPE": 5,
        }  # fmt: skip
        run_algorithm("proximity", **parameters, OUTPUT="near.tif")
        words = [f"--{key}={value}" for key, value in parameters.items()]
        done = qgis_process("run", "gdal:proximity", *words, "--OUTPUT=near-gdal.tif")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        near, near_gdal = cells("near.tif"), cells("near-gdal.tif")
        np.testing.assert_array_equal(near < 0, near_gdal < 0)
        # GDAL's distances are not exact: a few are too long.
        self.assertTrue((near <= near_gdal).all())
        self.assertLess(np.count_nonzero(near < near_gdal), 0.001 * near.size)


class Costs(unittest.TestCase):
    def test_cost_distance_is_that_of_the_command(self):
        run_algorithm(
            "costdistance", INPUT="shops.gpkg", COST="cost.tif", BARRIERS="town.geojson", WALLS="town.geojson", OUTPUT="costs.tif",
            LABELS="served.tif", BACK_LINK="links.tif",
        )  # fmt: skip
        thiessen(
            "cost", "--sites", "shops.gpkg", "--cost", "cost.tif", "--barriers", "town.geojson", "--walls", "town.geojson",
            "--distance", "costs-0.tif", "--labels", "served-0.tif", "--back-link", "links-0.tif",
        )  # fmt: skip
        for name in ("costs", "served", "links"):
            np.testing.assert_array_equal(cells(f"{name}.tif"), cells(f"{name}-0.tif"))

    def test_fronts_and_directions(self):
        run_algorithm(
            "costdistance",
            INPUT="shops.gpkg",
            COST="cost.tif",
            METHOD=3,
            OUTPUT="fronts.tif",
            DIRECTION="back.tif",
        )
        thiessen(
            "cost", "--sites", "shops.gpkg", "--cost", "cost.tif", "--method", "eikonal", "--distance",
            "fronts-0.tif", "--direction", "back-0.tif",
        )  # fmt: skip
        for name in ("fronts", "back"):
            np.testing.assert_array_equal(cells(f"{name}.tif"), cells(f"{name}-0.tif"))

    def test_walks(self):
        run_algorithm(
            "costdistance", INPUT="shops.gpkg", ELEVATION="elevation.tif", WALK=1, OUTPUT="walk.tif"
        )
        thiessen(
            "cost", "--sites", "shops.gpkg", "--elevation", "elevation.tif", "--walk", "langmuir", "--distance",
            "walk-0.tif",
        )  # fmt: skip
        np.testing.assert_array_equal(cells("walk.tif"), cells("walk-0.tif"))

    def test_paths_end_at_sites(self):
        run_algorithm(
            "leastcostpaths",
            INPUT="shops.gpkg",
            STARTS="starts.gpkg",
            COST="cost.tif",
            OUTPUT="paths.gpkg",
        )
        paths = features("paths.gpkg")
        self.assertEqual(len(paths), 5)
        for fields, line in paths:
            self.assertTrue(line.IsMeasured())
            self.assertEqual(line.GetM(0), 0)
            self.assertGreater(fields["cost"], 0)

    def test_ways_lead_to_places(self):
        run_algorithm(
            "costtable",
            INPUT="shops.gpkg",
            LABEL_FIELD="shop",
            TO="starts.gpkg",
            COST="cost.tif",
            OUTPUT="ways.gpkg",
            TABLE="costs.csv",
        )
        ways, table = features("ways.gpkg"), list(rows("costs.csv"))
        self.assertEqual(len(table), len(features("shops.gpkg")) * len(features("starts.gpkg")))
        self.assertEqual(len(ways), sum(row["cost"] not in (None, "") for row in table))
        for fields, line in ways:
            self.assertAlmostEqual(line.GetM(line.GetPointCount() - 1), fields["cost"])

    def test_a_network_spans_the_sites(self):
        run_algorithm("leastcostnetwork", INPUT="shops.gpkg", COST="cost.tif", OUTPUT="net.gpkg")
        edges = [fields for fields, _ in features("net.gpkg")]
        self.assertEqual(sum(edge["in_tree"] for edge in edges), len(features("shops.gpkg")) - 1)

    def test_a_corridor_is_a_raster_and_a_polygon(self):
        run_algorithm(
            "leastcostcorridor",
            INPUT="shops.gpkg",
            TO="starts.gpkg",
            COST="cost.tif",
            OUTPUT="corridor.tif",
            POLYGON="corridor.gpkg",
        )
        self.assertEqual(np.nanmin(cells("corridor.tif")), 0)
        self.assertEqual(len(features("corridor.gpkg")), 1)

    def test_needs_a_map(self):
        with self.assertRaisesRegex(RuntimeError, "COST, ELEVATION"):
            run_algorithm("costdistance", INPUT="shops.gpkg", OUTPUT="no.tif")


class Statistics(unittest.TestCase):
    def test_sums_and_neighbours(self):
        run_algorithm("allocation", INPUT="shops.gpkg", GRID="cost.tif", OUTPUT="regions.tif")
        run_algorithm(
            "regionstatistics",
            INPUT="regions.tif",
            VALUES="people.tif",
            OUTPUT="table.csv",
            NEIGHBOURS="pairs.csv",
        )
        labels, people = cells("regions.tif"), cells("people.tif")
        table = {int(row["label"]): row for row in rows("table.csv")}
        self.assertEqual(sorted(table), sorted(np.unique(labels)))
        for label, row in table.items():
            self.assertEqual(int(row["cells"]), np.count_nonzero(labels == label))
            self.assertEqual(float(row["people_sum"]), people[labels == label].sum())
        self.assertGreater(len(rows("pairs.csv")), 25)


class Window(unittest.TestCase):
    def test_in_a_window(self):
        """A QGIS that dies writes no verdict; the last test in window.txt ended it."""
        (folder / "in_window.py").write_text(IN_WINDOW)
        done = subprocess.run(
            ["xvfb-run", "-a", QGIS, "--nologo", "--noversioncheck", "--code", "in_window.py"],
            env={**environment, "QT_QPA_PLATFORM": "xcb"}, capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        log = folder / "window.txt"
        said = log.read_text() if log.exists() else ""
        self.assertEqual(done.returncode, 0, said + done.stdout + done.stderr)
        print(said, file=sys.stderr)


if __name__ == "__main__":
    command, zip_file, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    environment = {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "QGIS_CUSTOM_CONFIG_PATH": str(folder / "config"),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_RUNTIME_DIR": str(folder),
    }
    unittest.main(argv=sys.argv[:1], verbosity=2)
